//! The class `Position`.

use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use tictac::notation::{Diagram, Picture, Style};
use tictac::{Board, Mark, Move, Outcome, Player, Rules, SquareSet, State, Status};

use crate::action;
use crate::faults;
use crate::game::PyGame;
use crate::rules::{PyRules, RulesArgument};

/// A position: the rules, the marks on one board or several, and the player to move. It never changes.
///
/// It is made from its text, read under `rules` (3,3,3 by default), from rules or their text (the start), or from a `Game`.
///
/// >>> from tictac import Position
/// >>> position = Position("X.O/.X./... O")
/// >>> position.to_move, position.legal_moves
/// ('O', ['A2', 'B1', 'B3', 'C1', 'C2', 'C3'])
/// >>> position.play("C3")
/// Position('X.O/.X./..O X')
/// >>> print(position.play("C3").diagram())
///    1   2   3
/// A  X |   | O
///   ---+---+---
/// B    | X |
///   ---+---+---
/// C    |   | O
/// <BLANKLINE>
#[pyclass(name = "Position", module = "tictac", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyPosition(pub(crate) State);

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (position, rules = None))]
    fn new(
        py: Python<'_>,
        position: PositionArgument<'_, '_>,
        rules: Option<RulesArgument>,
    ) -> PyResult<PyPosition> {
        position.resolve(py, rules).map(PyPosition)
    }

    /// Returns the position with these squares of X and of O on one board, in which X moved first; bit i is square i.
    #[staticmethod]
    #[pyo3(signature = (x, o, rules = None))]
    fn from_bits(x: u64, o: u64, rules: Option<RulesArgument>) -> PyResult<PyPosition> {
        let board = Board::new(SquareSet::from_bits(x), SquareSet::from_bits(o))
            .ok_or_else(|| faults::value_error("o: a square holds both marks"))?;
        let position = tictac::Position::set_up(board, Mark::X, &rules.unwrap_or_default().0)
            .map_err(|reason| faults::value_error(format!("position: {reason}")))?;
        Ok(PyPosition(State::One(position)))
    }

    /// The rules of the game.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.0.rules())
    }

    /// The player to move: "X" or "O", or "first" or "second" where marks do not name players; None when the game is over.
    #[getter]
    fn to_move(&self) -> Option<&'static str> {
        match self.0.status() {
            Status::ToMove(player) => Some(player_name(&self.0, player)),
            Status::Over(_) => None,
        }
    }

    /// The number of the player who moves next, or would if the game were not over: 0 or 1.
    #[getter]
    fn player(&self) -> usize {
        player_number(self.0.next_player())
    }

    /// The winner, named as in `to_move`; None unless a player has won.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        match self.0.status() {
            Status::Over(Outcome::Win(player)) => Some(player_name(&self.0, player)),
            _ => None,
        }
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        matches!(self.0.status(), Status::Over(_))
    }

    /// Whether the game has ended in a draw.
    #[getter]
    fn is_draw(&self) -> bool {
        self.0.status() == Status::Over(Outcome::Draw)
    }

    /// Whether no line can be completed any more, in a game that goes on.
    #[getter]
    fn is_dead(&self) -> bool {
        self.0.dead().is_some()
    }

    /// The status in words, such as "X wins (A1-A2-A3)".
    #[getter]
    fn status(&self) -> String {
        self.0.status_line()
    }

    /// The results for both players: 1.0 for the winner, -1.0 for the loser, else 0.0.
    #[getter]
    fn returns(&self) -> (f64, f64) {
        returns(&self.0)
    }

    /// The number of moves played so far.
    #[getter]
    fn n_moves(&self) -> usize {
        self.0.n_moves()
    }

    /// The names of the legal moves, such as "B2", in wild games "X B2", with several boards "2.B2".
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.0.moves().map(|mv| self.move_name(mv)).collect()
    }

    /// The legal moves as numbers, in increasing order.
    #[getter]
    fn legal_actions(&self) -> Vec<usize> {
        legal_actions(&self.0)
    }

    /// The marks as numbers: for each board a pair (squares of X, squares of O), in which bit i is square i.
    #[getter]
    fn bits(&self) -> Vec<(u64, u64)> {
        let pair = |board: Board| (board.squares(Mark::X).bits(), board.squares(Mark::O).bits());
        self.0.boards().map(pair).collect()
    }

    /// Returns the position after a move, which is a name such as "B2" or an action.
    fn play(&self, py: Python<'_>, mv: MoveArgument<'_>) -> PyResult<PyPosition> {
        let mv = mv.resolve(py, &self.0)?;
        self.0.after(mv).map(PyPosition).map_err(|illegal| faults::illegal_move(py, illegal))
    }

    /// Returns the number of a move.
    fn action(&self, py: Python<'_>, mv: MoveArgument<'_>) -> PyResult<usize> {
        Ok(action::action_of(self.0.rules(), mv.resolve(py, &self.0)?))
    }

    /// Returns the name of an action.
    #[pyo3(name = "move")]
    fn name_of(&self, py: Python<'_>, action: MoveArgument<'_>) -> PyResult<String> {
        Ok(self.move_name(action.resolve(py, &self.0)?))
    }

    /// Returns the position that represents all positions that differ from this one only by a symmetry.
    fn canonical(&self) -> PyPosition {
        PyPosition(self.0.canonical())
    }

    /// Returns the board drawn with characters; several boards follow each other.
    fn diagram(&self) -> String {
        let rules = self.0.rules();
        let draw = |(number, board)| {
            let line = self.0.lines(number).iter().fold(SquareSet::EMPTY, |all, line| all | line.squares());
            Diagram::new(rules.grid(), board, Style::Plain).with_emphasis(line).to_string()
        };
        self.0.boards().enumerate().map(draw).collect::<Vec<_>>().join("\n")
    }

    /// Returns the board as an SVG document.
    pub(crate) fn svg(&self) -> String {
        Picture::new(self.0.rules(), self.0.boards()).to_string()
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    /// Returns the mark on a square: "X", "O" or None.
    ///
    /// The square is a name such as "B2", or "2.B2" with several boards, or the numbers (row, column), or (board, row, column)
    /// with several boards, which count from 0.
    fn __getitem__(&self, py: Python<'_>, square: SquareArgument) -> PyResult<Option<&'static str>> {
        let rules = self.0.rules();
        let grid = rules.grid();
        let (board, square) = match square {
            SquareArgument::Name(name) => {
                let mv =
                    rules.parse_square(&name, Mark::X).map_err(|error| faults::invalid_move(py, error))?;
                (mv.board as usize, Some(mv.square))
            }
            SquareArgument::RowAndColumn((row, column)) if rules.n_boards() == 1 => {
                (0, grid.square(row, column))
            }
            SquareArgument::OnBoard((board, row, column)) if rules.n_boards() > 1 => {
                (board, grid.square(row, column))
            }
            _ => {
                let form = if rules.n_boards() == 1 { "(row, column)" } else { "(board, row, column)" };
                return Err(PyKeyError::new_err(format!("a square of {rules} is a name or {form}")));
            }
        };
        let found = self.0.boards().nth(board).zip(square);
        let (board, square) = found.ok_or_else(|| PyKeyError::new_err("there is no such square"))?;
        Ok(board.mark(square).map(mark_name))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        if *self.0.rules() == Rules::CLASSIC {
            format!("Position('{}')", self.0)
        } else {
            format!("Position('{}', '{}')", self.0, self.0.rules())
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String, String)) {
        let state = &slf.get().0;
        (slf.get_type().into_any(), (state.to_string(), state.rules().to_string()))
    }
}

impl PyPosition {
    fn move_name(&self, mv: Move) -> String {
        mv.name(self.0.rules()).to_string()
    }
}

/// Parses a position of `rules`.
pub(crate) fn parse(py: Python<'_>, text: &str, rules: &Rules) -> PyResult<State> {
    State::parse(text, rules).map_err(|error| faults::invalid_position(py, &error))
}

/// Returns the legal moves as numbers, in increasing order.
pub(crate) fn legal_actions(state: &State) -> Vec<usize> {
    let mut actions: Vec<usize> = state.moves().map(|mv| action::action_of(state.rules(), mv)).collect();
    actions.sort_unstable();
    actions
}

/// Returns the results for both players: 1 for the winner, -1 for the loser, else 0.
pub(crate) fn returns(state: &State) -> (f64, f64) {
    match state.status() {
        Status::Over(Outcome::Win(Player::First)) => (1.0, -1.0),
        Status::Over(Outcome::Win(Player::Second)) => (-1.0, 1.0),
        Status::Over(Outcome::Draw) | Status::ToMove(_) => (0.0, 0.0),
    }
}

/// Returns the player with this number, or `None` if no side is given.
pub(crate) fn side_of(side: Option<i64>) -> PyResult<Option<Player>> {
    match side {
        None => Ok(None),
        Some(0) => Ok(Some(Player::First)),
        Some(1) => Ok(Some(Player::Second)),
        Some(side) => Err(faults::value_error(format!("side must be 0, 1 or None, not {side}"))),
    }
}

/// Returns 0 for the first player and 1 for the second.
pub(crate) const fn player_number(player: Player) -> usize {
    match player {
        Player::First => 0,
        Player::Second => 1,
    }
}

const fn mark_name(mark: Mark) -> &'static str {
    match mark {
        Mark::X => "X",
        Mark::O => "O",
    }
}

/// Returns the player's mark, or "first" or "second" where marks do not name players.
pub(crate) fn player_name(state: &State, player: Player) -> &'static str {
    match (state.mark_of(player), player) {
        (Some(mark), _) => mark_name(mark),
        (None, Player::First) => "first",
        (None, Player::Second) => "second",
    }
}

/// A square as an argument.
#[derive(FromPyObject)]
enum SquareArgument {
    Name(String),
    RowAndColumn((usize, usize)),
    OnBoard((usize, usize, usize)),
}

/// A position as an argument: a `Position`, `Rules` for their start, a `Game` for its last position, or the text of a position
/// or of rules.
pub(crate) enum PositionArgument<'a, 'py> {
    Object(State),
    Text(Borrowed<'a, 'py, PyString>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for PositionArgument<'a, 'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<PositionArgument<'a, 'py>> {
        if let Ok(position) = object.cast::<PyPosition>() {
            Ok(PositionArgument::Object(position.get().0.clone()))
        } else if let Ok(text) = object.cast::<PyString>() {
            Ok(PositionArgument::Text(text))
        } else if let Ok(rules) = object.cast::<PyRules>() {
            Ok(PositionArgument::Object(State::start(&rules.get().0)))
        } else if let Ok(game) = object.cast::<PyGame>() {
            Ok(PositionArgument::Object(game.try_borrow()?.0.state().clone()))
        } else {
            Err(PyTypeError::new_err(format!(
                "position must be a Position, a Game, Rules, or a text such as 'X.O/.X./... O' or '4,4,3', not {}",
                object.get_type().name()?
            )))
        }
    }
}

impl PositionArgument<'_, '_> {
    /// Returns the position, which must be one of `rules` if they are given; the text of a position is read under them.
    pub(crate) fn resolve(&self, py: Python<'_>, rules: Option<RulesArgument>) -> PyResult<State> {
        let state = match self {
            PositionArgument::Object(state) => state.clone(),
            PositionArgument::Text(text) => {
                let text = text.to_str()?;
                // No text is both: a position has no comma, no digit but the player to move, and no name of a variant.
                match text.parse::<Rules>() {
                    Ok(found) => State::start(&found),
                    Err(error) if text.contains(',') => return Err(faults::invalid_rules(py, text, &error)),
                    Err(_) => return parse(py, text, &rules.unwrap_or_default().0),
                }
            }
        };
        check_rules(&state, rules)?;
        Ok(state)
    }
}

/// Checks that a state is one of `rules`, if they are given.
pub(crate) fn check_rules(state: &State, rules: Option<RulesArgument>) -> PyResult<()> {
    match rules {
        Some(RulesArgument(rules)) if rules != *state.rules() => Err(faults::value_error(format!(
            "rules: the position is one of {}, not of {rules}",
            state.rules()
        ))),
        _ => Ok(()),
    }
}

/// A move as an argument: its name or its number.
pub(crate) enum MoveArgument<'a> {
    Name(&'a str),
    Action(i64),
}

impl<'a, 'py> FromPyObject<'a, 'py> for MoveArgument<'a> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<MoveArgument<'a>> {
        if let Ok(action) = object.extract::<i64>() {
            Ok(MoveArgument::Action(action))
        } else if let Ok(name) = object.extract::<&'a str>() {
            Ok(MoveArgument::Name(name))
        } else {
            Err(PyTypeError::new_err(format!(
                "a move must be a text such as 'B2' or an action (an int), not {}",
                object.get_type().name()?
            )))
        }
    }
}

impl MoveArgument<'_> {
    /// Returns the move, which need not be legal.
    pub(crate) fn resolve(&self, py: Python<'_>, state: &State) -> PyResult<Move> {
        match *self {
            MoveArgument::Name(name) => {
                state.parse_move(name).map_err(|error| faults::invalid_move(py, error))
            }
            MoveArgument::Action(number) => {
                let mv = usize::try_from(number).ok().and_then(|action| action::move_of(state, action));
                mv.ok_or_else(|| {
                    let last = action::n_actions(state.rules()) - 1;
                    faults::value_error(format!("action {number} is not from 0 to {last}"))
                })
            }
        }
    }
}
