//! One game that is stepped by actions: the core of the environments with one game.

use numpy::ndarray::ArrayView3;
use numpy::{PyArray1, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tictac::{Mark, Outcome, Player, Rules, State, Status};

use crate::action;
use crate::faults;
use crate::opponent::Opponent;
use crate::position::{PositionArgument, PyPosition, check_rules, player_number, side_of};
use crate::random::SplitMix;
use crate::rules::{PyRules, RulesArgument};

/// The largest number of actions of an environment; more boards would make every observation huge.
const MAX_ACTIONS: usize = 1 << 16;

/// What happens after an illegal action.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnIllegal {
    /// The player loses the game.
    Lose,
    /// An exception is raised, and the game is unchanged.
    Raise,
}

impl OnIllegal {
    /// Returns the option with this name.
    pub(crate) fn named(name: &str) -> PyResult<OnIllegal> {
        match name {
            "lose" => Ok(OnIllegal::Lose),
            "raise" => Ok(OnIllegal::Raise),
            _ => Err(faults::value_error(format!("illegal must be \"lose\" or \"raise\", not {name:?}"))),
        }
    }

    /// Returns the name of the option.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            OnIllegal::Lose => "lose",
            OnIllegal::Raise => "raise",
        }
    }
}

/// Checks that an environment can hold games of these rules.
fn check_size(rules: &Rules) -> PyResult<()> {
    let n_actions = action::n_actions(rules);
    if n_actions > MAX_ACTIONS {
        return Err(faults::value_error(format!(
            "rules: {rules} has {n_actions} actions; an environment takes up to {MAX_ACTIONS}"
        )));
    }
    Ok(())
}

/// Checks that an opponent who moves first cannot end the game before the agent has moved, because no step would report it.
pub(crate) fn check_start(start: &State, side: Option<Player>) -> PyResult<()> {
    let ends = |mv| {
        let mut after = start.clone();
        after.play(mv).is_ok() && matches!(after.status(), Status::Over(_))
    };
    if side != Some(start.next_player()) && start.moves().any(ends) {
        return Err(faults::value_error(
            "start: the opponent would move first and could end the game at once; choose another start or side",
        ));
    }
    Ok(())
}

/// One game that is stepped by actions, alone or against an opponent.
#[pyclass(module = "tictac._tictac")]
pub(crate) struct EnvCore {
    start: State,
    state: State,
    opponent: Option<Opponent>,
    /// The side of the agent, or `None` if it is drawn at every reset.
    side: Option<Player>,
    agent: Player,
    on_illegal: OnIllegal,
    rng: SplitMix,
    /// Whether an illegal action has ended the game.
    is_forfeited: bool,
    /// Whether a game has been started.
    #[pyo3(get, set)]
    is_reset: bool,
}

/// What `step` returns: observation, reward, terminated, truncated, info.
type Step<'py> = (Bound<'py, PyArray3<i8>>, f64, bool, bool, Bound<'py, PyDict>);

/// What pickle asks for to make an equal object: its class, the arguments of `new`, and what `__setstate__` takes.
type Reduced<'py> = (
    Bound<'py, PyAny>,
    (String, PyPosition, Option<&'static str>, Option<usize>, &'static str),
    (PyPosition, usize, u64, bool, bool),
);

#[pymethods]
impl EnvCore {
    /// `is_answered` says that a function of the caller plays the other side.
    #[new]
    #[pyo3(signature = (rules, start, opponent, side, illegal, is_answered = false))]
    fn new(
        py: Python<'_>,
        rules: RulesArgument,
        start: Option<PositionArgument<'_, '_>>,
        opponent: Option<&str>,
        side: Option<i64>,
        illegal: &str,
        is_answered: bool,
    ) -> PyResult<EnvCore> {
        check_size(&rules.0)?;
        let start = match start {
            Some(start) => start.resolve(py, Some(rules))?,
            None => State::start(&rules.0),
        };
        if matches!(start.status(), Status::Over(_)) {
            return Err(faults::value_error("start: the game is over in this position"));
        }
        let side = side_of(side)?;
        if opponent.is_some() || is_answered {
            check_start(&start, side)?;
        }
        let opponent = opponent.map(|name| Opponent::named(py, name, &rules.0)).transpose()?;
        let on_illegal = OnIllegal::named(illegal)?;
        let state = start.clone();
        let (agent, rng) = (side.unwrap_or(Player::First), SplitMix::new(0));
        Ok(EnvCore {
            start,
            state,
            opponent,
            side,
            agent,
            on_illegal,
            rng,
            is_forfeited: false,
            is_reset: false,
        })
    }

    /// Sets the seed of the random numbers.
    fn seed(&mut self, seed: u64) {
        self.rng = SplitMix::new(seed);
    }

    /// Starts a new game and returns the observation and the info.
    fn reset<'py>(&mut self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray3<i8>>, Bound<'py, PyDict>)> {
        self.state = self.start.clone();
        self.is_forfeited = false;
        self.is_reset = false;
        self.agent = self.side.unwrap_or_else(|| self.rng.player());
        self.reply(py)?;
        self.is_reset = true;
        Ok((self.observe_player(py, self.viewer())?, self.info(py)?))
    }

    /// Plays an action and the opponent's reply.
    fn step<'py>(&mut self, py: Python<'py>, action: i64) -> PyResult<Step<'py>> {
        if !self.is_reset {
            return Err(PyValueError::new_err("action: no game is started; call reset() first"));
        }
        if self.is_over() {
            return Err(PyValueError::new_err("action: the game is over; call reset() first"));
        }
        let before = self.state.clone();
        let mover = before.next_player();
        let mv = usize::try_from(action).ok().and_then(|action| action::move_of(&self.state, action));
        let mv = mv.ok_or_else(|| {
            let last = action::n_actions(self.state.rules()) - 1;
            faults::value_error(format!("action {action} is not from 0 to {last}"))
        })?;
        if let Err(illegal) = self.state.play(mv) {
            if self.on_illegal == OnIllegal::Raise {
                return Err(faults::illegal_move(py, illegal));
            }
            self.is_forfeited = true;
            let info = self.info(py)?;
            info.set_item("illegal_action", action)?;
            return Ok((self.observe_player(py, self.viewer())?, -1.0, true, false, info));
        }
        if let Err(error) = self.reply(py) {
            // Ctrl-C while the opponent thinks takes back the agent's move too.
            self.state = before;
            return Err(error);
        }
        let judge = if self.opponent.is_some() { self.agent } else { mover };
        let reward = reward_of(&self.state, judge);
        Ok((self.observe_player(py, self.viewer())?, reward, self.is_over(), false, self.info(py)?))
    }

    /// Returns the observation of a player: 0 or 1.
    fn observe<'py>(&self, py: Python<'py>, player: usize) -> PyResult<Bound<'py, PyArray3<i8>>> {
        let player = Player::BOTH.get(player).copied();
        self.observe_player(py, player.ok_or_else(|| faults::value_error("player must be 0 or 1"))?)
    }

    /// Returns 1 for every legal action and 0 for the others.
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let rules = self.state.rules();
        let n_actions = action::n_actions(rules);
        let fill = |mask: &mut [i8]| {
            if !self.is_forfeited {
                self.state.moves().for_each(|mv| mask[action::action_of(rules, mv)] = 1);
            }
        };
        let mut short = [0; 64];
        if n_actions <= short.len() {
            fill(&mut short[..n_actions]);
            return PyArray1::from_slice(py, &short[..n_actions]);
        }
        let mut mask = vec![0; n_actions];
        fill(&mut mask);
        PyArray1::from_vec(py, mask)
    }

    /// The current position.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition(self.state.clone())
    }

    /// Sets the position, to take back a step whose reply failed.
    #[setter]
    fn set_position(&mut self, position: &Bound<'_, PyPosition>) {
        self.state = position.get().0.clone();
    }

    /// The rules of the game.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.state.rules())
    }

    /// The number of the agent's side: 0 or 1.
    #[getter]
    fn agent(&self) -> usize {
        player_number(self.agent)
    }

    /// Whether the game is over, by the rules or by an illegal action.
    #[getter]
    fn is_over(&self) -> bool {
        self.is_forfeited || matches!(self.state.status(), Status::Over(_))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let core = slf.try_borrow()?;
        let arguments = (
            core.state.rules().to_string(),
            PyPosition(core.start.clone()),
            core.opponent.as_ref().map(Opponent::name),
            core.side.map(player_number),
            core.on_illegal.name(),
        );
        let contents = (core.position(), core.agent(), core.rng.state(), core.is_forfeited, core.is_reset);
        Ok((slf.get_type().into_any(), arguments, contents))
    }

    fn __setstate__(&mut self, contents: (Bound<'_, PyPosition>, i64, u64, bool, bool)) -> PyResult<()> {
        let (position, agent, rng, is_forfeited, is_reset) = contents;
        check_rules(&position.get().0, Some(RulesArgument(*self.state.rules())))?;
        self.state = position.get().0.clone();
        self.agent = side_of(Some(agent))?.unwrap_or(self.agent);
        self.rng = SplitMix::new(rng);
        (self.is_forfeited, self.is_reset) = (is_forfeited, is_reset);
        Ok(())
    }

    /// The shape of an observation.
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        let rules = self.state.rules();
        (n_planes(rules), rules.grid().rows(), rules.grid().columns())
    }
}

impl EnvCore {
    /// Returns the player whose point of view an observation has: the agent, or in self-play the player to move.
    fn viewer(&self) -> Player {
        if self.opponent.is_some() { self.agent } else { self.state.next_player() }
    }

    /// Plays the opponent's move, if it is the opponent's turn.
    fn reply(&mut self, py: Python<'_>) -> PyResult<()> {
        let Some(opponent) = &mut self.opponent else { return Ok(()) };
        if self.state.status() == Status::ToMove(!self.agent) {
            let mv = opponent.choose(py, &self.state, &mut self.rng)?;
            self.state.play(mv).map_err(|illegal| faults::illegal_move(py, illegal))?;
        }
        Ok(())
    }

    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let info = PyDict::new(py);
        info.set_item(pyo3::intern!(py, "action_mask"), self.action_mask(py))?;
        Ok(info)
    }

    fn observe_player<'py>(&self, py: Python<'py>, player: Player) -> PyResult<Bound<'py, PyArray3<i8>>> {
        let (planes, rows, columns) = self.observation_shape();
        let n_squares = rows * columns;
        let mut short = [0; 128];
        let mut long = Vec::new();
        let cells: &mut [i8] = if planes * n_squares <= short.len() {
            &mut short[..planes * n_squares]
        } else {
            long.resize(planes * n_squares, 0);
            &mut long
        };
        let marks = plane_marks(&self.state, player);
        for (number, board) in self.state.boards().enumerate() {
            for (plane, &mark) in marks.iter().enumerate() {
                let offset = (number * marks.len() + plane) * n_squares;
                board.squares(mark).iter().for_each(|square| cells[offset + square.index()] = 1);
            }
        }
        let view = ArrayView3::from_shape((planes, rows, columns), &*cells)
            .map_err(|error| faults::value_error(error.to_string()))?;
        Ok(PyArray3::from_array(py, &view))
    }
}

/// Returns the number of planes of an observation: both marks, or the boards if both players write X.
fn n_planes(rules: &Rules) -> usize {
    rules.marks().n_kinds().max(rules.n_boards() as usize)
}

/// Returns the marks of the planes of one board: the player's own mark first, or X first where marks do not name players.
fn plane_marks(state: &State, player: Player) -> &'static [Mark] {
    match (state.mark_of(player), state.rules().only_mark()) {
        (_, Some(_)) => &[Mark::X],
        (Some(Mark::O), None) => &[Mark::O, Mark::X],
        _ => &Mark::BOTH,
    }
}

/// Returns the reward of a player: 1 for a win, -1 for a loss, else 0.
fn reward_of(state: &State, player: Player) -> f64 {
    match state.status() {
        Status::Over(Outcome::Win(winner)) if winner == player => 1.0,
        Status::Over(Outcome::Win(_)) => -1.0,
        Status::Over(Outcome::Draw) | Status::ToMove(_) => 0.0,
    }
}
