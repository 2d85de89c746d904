//! The class `Game`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tictac::notation::Record;
use tictac::{Game, Move, Rules, State};

use crate::faults;
use crate::position::{MoveArgument, PositionArgument, PyPosition, check_rules};
use crate::record::PyRecord;
use crate::rules::{PyRules, RulesArgument};

/// A game: where it started and the legal moves played since. It can change, so it is not hashable.
///
/// >>> from tictac import Game
/// >>> game = Game()
/// >>> game.play("B2").play("A1").play("C3")
/// Game(moves=['B2', 'A1', 'C3'])
/// >>> game.undo()
/// 'C3'
/// >>> print(game)
/// 1 X B2
/// 2 O A1
/// <BLANKLINE>
#[pyclass(name = "Game", module = "tictac", eq)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyGame(pub(crate) Game);

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (rules = None, moves = Vec::new(), *, start = None))]
    fn new(
        py: Python<'_>,
        rules: Option<RulesArgument>,
        moves: Vec<Bound<'_, PyAny>>,
        start: Option<PositionArgument<'_, '_>>,
    ) -> PyResult<PyGame> {
        let start = match start {
            Some(start) => start.resolve(py, rules)?,
            None => State::start(&rules.unwrap_or_default().0),
        };
        let mut game = PyGame(Game::from(start));
        for mv in &moves {
            game.push(py, &mv.extract()?)?;
        }
        Ok(game)
    }

    /// Returns the game of a record, as `Record(text, rules).game()` does.
    #[staticmethod]
    #[pyo3(signature = (text, rules = None))]
    fn from_record(py: Python<'_>, text: &str, rules: Option<RulesArgument>) -> PyResult<PyGame> {
        GameArgument::Text(text).resolve(py, rules).map(PyGame)
    }

    /// The rules of the game.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.0.rules())
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition(self.0.start().clone())
    }

    /// The position after the last move.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition(self.0.state().clone())
    }

    /// The names of the moves, oldest first.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.moves().iter().map(|&mv| self.name(mv)).collect()
    }

    /// The status in words, such as "X wins (A1-A2-A3)".
    #[getter]
    fn status(&self) -> String {
        self.0.state().status_line()
    }

    /// Plays a move, which is a name such as "B2" or an action, and returns the game.
    fn play<'py>(slf: Bound<'py, Self>, mv: MoveArgument<'_>) -> PyResult<Bound<'py, Self>> {
        let py = slf.py();
        slf.try_borrow_mut()?.push(py, &mv)?;
        Ok(slf)
    }

    /// Takes back the last move and returns its name, or None at the start.
    fn undo(&mut self) -> Option<String> {
        self.0.undo().map(|mv| self.name(mv))
    }

    /// Returns a copy that can be played on independently.
    fn copy(&self) -> PyGame {
        self.clone()
    }

    fn __copy__(&self) -> PyGame {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyGame {
        self.clone()
    }

    fn _repr_svg_(&self) -> String {
        self.position().svg()
    }

    fn __len__(&self) -> usize {
        self.0.moves().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyIterator>> {
        self.moves().into_pyobject(py)?.try_iter()
    }

    fn __getitem__(&self, index: isize) -> PyResult<String> {
        let n_moves = self.0.moves().len();
        let place = if index < 0 { n_moves.checked_add_signed(index) } else { usize::try_from(index).ok() };
        let mv = place.and_then(|place| self.0.moves().get(place));
        mv.map(|&mv| self.name(mv))
            .ok_or_else(|| pyo3::exceptions::PyIndexError::new_err(format!("the game has {n_moves} moves")))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let mut parts = Vec::new();
        if *self.0.rules() != Rules::CLASSIC {
            parts.push(format!("'{}'", self.0.rules()));
        }
        if !self.0.moves().is_empty() {
            let names: Vec<String> = self.moves().iter().map(|name| format!("'{name}'")).collect();
            parts.push(format!("moves=[{}]", names.join(", ")));
        }
        if *self.0.start() != State::start(self.0.rules()) {
            parts.push(format!("start='{}'", self.0.start()));
        }
        format!("Game({})", parts.join(", "))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let game = slf.try_borrow()?;
        let rebuild = slf.get_type().getattr("_from_start")?;
        Ok((rebuild, (game.start(), game.moves())))
    }

    #[staticmethod]
    fn _from_start(py: Python<'_>, start: &Bound<'_, PyPosition>, moves: Vec<String>) -> PyResult<PyGame> {
        let mut game = PyGame(Game::from(start.get().0.clone()));
        for mv in &moves {
            game.push(py, &MoveArgument::Name(mv))?;
        }
        Ok(game)
    }
}

/// A game as an argument: a `Game`, a `Record`, or the text of a record.
pub(crate) enum GameArgument<'a> {
    Game(Game),
    Record(Record),
    Text(&'a str),
}

impl<'a, 'py> FromPyObject<'a, 'py> for GameArgument<'a> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<GameArgument<'a>> {
        if let Ok(game) = object.cast::<PyGame>() {
            Ok(GameArgument::Game(game.try_borrow()?.0.clone()))
        } else if let Ok(record) = object.cast::<PyRecord>() {
            Ok(GameArgument::Record(record.get().0.clone()))
        } else if let Ok(text) = object.extract::<&'a str>() {
            Ok(GameArgument::Text(text))
        } else {
            Err(PyTypeError::new_err(format!(
                "game must be a Game, a Record or the text of a record such as '1 X B2', not {}",
                object.get_type().name()?
            )))
        }
    }
}

impl GameArgument<'_> {
    /// Returns the game, which must be one of `rules` if they are given; a text is read under them.
    pub(crate) fn resolve(self, py: Python<'_>, rules: Option<RulesArgument>) -> PyResult<Game> {
        let record = match self {
            GameArgument::Game(game) => {
                check_rules(game.start(), rules)?;
                return Ok(game);
            }
            GameArgument::Record(record) => {
                check_rules(&State::start(record.rules()), rules)?;
                Ok(record)
            }
            GameArgument::Text(text) => Record::parse(text, &rules.unwrap_or_default().0),
        };
        record.and_then(|record| record.game()).map_err(|error| faults::invalid_record(py, error))
    }
}

/// What pickle asks for: a function and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (PyPosition, Vec<String>));

impl PyGame {
    fn name(&self, mv: Move) -> String {
        mv.name(self.0.rules()).to_string()
    }

    fn push(&mut self, py: Python<'_>, mv: &MoveArgument<'_>) -> PyResult<()> {
        let mv = mv.resolve(py, self.0.state())?;
        self.0.play(mv).map_err(|illegal| faults::illegal_move(py, illegal))
    }
}
