//! The core of `VectorEnv`: many games that are stepped together, into arrays owned by the caller.

use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1,
    PyReadwriteArray2,
};
use pyo3::prelude::*;
use tictac::{Mark, Player, State, Status};

use crate::batch_games::{BatchGames, StepBuffers};
use crate::faults;
use crate::opponent::Opponent;
use crate::position::{PositionArgument, PyPosition, player_number, side_of};
use crate::random::SplitMix;
use crate::rules::RulesArgument;
use crate::single::{OnIllegal, check_start};
use crate::vector_rules::{AutoReset, BatchGame, VectorRules};

/// The largest number of games.
const MAX_GAMES: usize = 1 << 24;

/// Many games that are stepped together.
#[pyclass(module = "tictac._tictac")]
pub(crate) struct VectorCore {
    start: State,
    batch: BatchGames,
    /// The random numbers of `sample`, apart from those of the games, so that it does not change what opponents play.
    rng: SplitMix,
}

/// What pickle asks for to make an equal object: its class, the arguments of `new`, and what `__setstate__` takes.
type Reduced<'py> = (Bound<'py, PyAny>, Arguments, Contents<'py>);
/// The arguments of `new`.
type Arguments = (String, usize, PyPosition, Option<&'static str>, Option<usize>, &'static str, &'static str);
/// The marks of all games, whether each is over, whether its agent moves second, its random numbers, and those of `sample`.
type Contents<'py> = (
    Bound<'py, PyArray2<u64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<u64>>,
    u64,
);
/// The same arrays as they come back.
type GivenContents<'py> = (
    PyReadonlyArray2<'py, u64>,
    PyReadonlyArray1<'py, bool>,
    PyReadonlyArray1<'py, bool>,
    PyReadonlyArray1<'py, u64>,
    u64,
);

#[pymethods]
impl VectorCore {
    #[new]
    #[pyo3(signature = (rules, n, start, opponent, side, autoreset, illegal))]
    #[expect(clippy::too_many_arguments, reason = "the options of the Python class")]
    fn new(
        py: Python<'_>,
        rules: RulesArgument,
        n: i64,
        start: Option<PositionArgument<'_, '_>>,
        opponent: Option<&str>,
        side: Option<i64>,
        autoreset: &str,
        illegal: &str,
    ) -> PyResult<VectorCore> {
        let facts = VectorRules::new(&rules.0)?;
        let n_games = usize::try_from(n).ok().filter(|n| (1..=MAX_GAMES).contains(n));
        let Some(n_games) = n_games else {
            return Err(faults::value_error(format!("num_envs must be from 1 to {MAX_GAMES}, not {n}")));
        };
        let start = match start {
            Some(start) => start.resolve(py, Some(rules))?,
            None => State::start(&rules.0),
        };
        if matches!(start.status(), Status::Over(_)) {
            return Err(faults::value_error("start: the game is over in this position"));
        }
        if start.position().is_some_and(|position| position.opener() == Mark::O) {
            return Err(faults::value_error("start: X must have opened"));
        }
        let side = side_of(side)?;
        if opponent.is_some() {
            check_start(&start, side)?;
        }
        let first = facts.game_of(&start);
        let batch = BatchGames {
            start: first,
            games: vec![first; n_games],
            agents: vec![side.unwrap_or(Player::First); n_games],
            rngs: (0..n_games as u64).map(SplitMix::new).collect(),
            opponent: opponent.map(|name| Opponent::named(py, name, &rules.0)).transpose()?,
            side,
            autoreset: AutoReset::named(autoreset)?,
            on_illegal: OnIllegal::named(illegal)?,
            facts,
        };
        Ok(VectorCore { start, batch, rng: SplitMix::new(0) })
    }

    /// Sets the seeds of games where `which` is true; the first game's is also the seed of `sample`.
    fn seed(&mut self, which: PyReadonlyArray1<'_, bool>, seeds: PyReadonlyArray1<'_, u64>) -> PyResult<()> {
        self.check("seed", which.len()?, 1)?;
        self.check("seed", seeds.len()?, 1)?;
        let pairs = which.as_array().into_iter().zip(seeds.as_array());
        for (place, (_, &seed)) in pairs.enumerate().filter(|(_, (which, _))| **which) {
            self.batch.rngs[place] = SplitMix::new(seed);
            if place == 0 {
                self.rng = SplitMix::new(!seed);
            }
        }
        Ok(())
    }

    /// Starts new games where `which` is true, and writes all observations and masks.
    fn reset(
        &mut self,
        py: Python<'_>,
        which: &Bound<'_, PyArray1<bool>>,
        observations: &Bound<'_, PyArray2<i8>>,
        masks: &Bound<'_, PyArray2<i8>>,
    ) -> PyResult<()> {
        let which = which.try_readonly().map_err(|error| named("reset_mask", error))?;
        let which = which.as_slice().map_err(|error| named("reset_mask", error))?;
        self.check("reset_mask", which.len(), 1)?;
        let mut observations = writable2(observations, "observations")?;
        let mut masks = writable2(masks, "action_masks")?;
        let observations = observations.as_slice_mut().map_err(|error| named("observations", error))?;
        let masks = masks.as_slice_mut().map_err(|error| named("action_masks", error))?;
        self.check("observations", observations.len(), self.batch.width())?;
        self.check("action_masks", masks.len(), self.batch.facts.n_actions)?;
        self.batch.reset(py, which)?;
        self.batch.write_all(observations, masks);
        Ok(())
    }

    /// Plays one action in every game, and writes the results into the caller's arrays; returns the games whose action was
    /// illegal.
    ///
    /// `final_observations` receives the last observation of games that end, in the mode that resets within the same step.
    #[expect(clippy::too_many_arguments, reason = "one array for each result of a step")]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        observations: &Bound<'_, PyArray2<i8>>,
        masks: &Bound<'_, PyArray2<i8>>,
        rewards: &Bound<'_, PyArray1<f32>>,
        terminations: &Bound<'_, PyArray1<bool>>,
        final_observations: Option<&Bound<'_, PyArray2<i8>>>,
    ) -> PyResult<Vec<usize>> {
        let actions = actions.as_slice().map_err(|error| named("actions", error))?;
        self.check("actions", actions.len(), 1)?;
        let mut observations = writable2(observations, "observations")?;
        let mut masks = writable2(masks, "action_masks")?;
        let mut rewards = writable1(rewards, "rewards")?;
        let mut terminations = writable1(terminations, "terminations")?;
        let mut last = final_observations.map(|array| writable2(array, "final_observations")).transpose()?;
        let mut buffers = StepBuffers {
            observations: observations.as_slice_mut().map_err(|error| named("observations", error))?,
            masks: masks.as_slice_mut().map_err(|error| named("action_masks", error))?,
            rewards: rewards.as_slice_mut().map_err(|error| named("rewards", error))?,
            terminations: terminations.as_slice_mut().map_err(|error| named("terminations", error))?,
            last: match &mut last {
                Some(last) => last.as_slice_mut().map_err(|error| named("final_observations", error))?,
                None => &mut [],
            },
        };
        let width = self.batch.width();
        self.check("observations", buffers.observations.len(), width)?;
        self.check("action_masks", buffers.masks.len(), self.batch.facts.n_actions)?;
        self.check("rewards", buffers.rewards.len(), 1)?;
        self.check("terminations", buffers.terminations.len(), 1)?;
        if !buffers.last.is_empty() {
            self.check("final_observations", buffers.last.len(), width)?;
        }
        self.batch.step(py, actions, &mut buffers)
    }

    /// Writes a random legal action of every game; 0 where the game is over.
    fn sample(&mut self, actions: &Bound<'_, PyArray1<i64>>) -> PyResult<()> {
        let mut actions = writable1(actions, "actions")?;
        let actions = actions.as_slice_mut().map_err(|error| named("actions", error))?;
        self.check("actions", actions.len(), 1)?;
        self.batch.sample(&mut self.rng, actions);
        Ok(())
    }

    /// Returns the marks of all games: the squares of X and those of O. Several boards follow each other.
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let bits = self.batch.games.iter().flat_map(|game| [game.x, game.o]);
        PyArray1::from_iter(py, bits).reshape([self.batch.games.len(), 2])
    }

    /// Returns whether each game is over.
    fn over<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_iter(py, self.batch.games.iter().map(|game| game.is_over))
    }

    /// Returns the position of one game.
    fn position(&self, place: usize) -> PyResult<PyPosition> {
        let game = self.batch.games.get(place);
        let game = game.ok_or_else(|| faults::value_error(format!("place: there is no game {place}")))?;
        self.batch.facts.state_of(*game).map(PyPosition)
    }

    /// The number of actions.
    #[getter]
    fn n_actions(&self) -> usize {
        self.batch.facts.n_actions
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (py, core) = (slf.py(), slf.try_borrow()?);
        let batch = &core.batch;
        let arguments = (
            batch.facts.rules.to_string(),
            batch.games.len(),
            PyPosition(core.start.clone()),
            batch.opponent.as_ref().map(Opponent::name),
            batch.side.map(player_number),
            batch.autoreset.name(),
            batch.on_illegal.name(),
        );
        let is_second = batch.agents.iter().map(|&agent| agent == Player::Second);
        let contents = (
            core.boards(py)?,
            core.over(py),
            PyArray1::from_iter(py, is_second),
            PyArray1::from_iter(py, batch.rngs.iter().map(SplitMix::state)),
            core.rng.state(),
        );
        Ok((slf.get_type().into_any(), arguments, contents))
    }

    fn __setstate__(&mut self, contents: GivenContents<'_>) -> PyResult<()> {
        let (boards, over, is_second, rngs, rng) = contents;
        if boards.as_array().dim() != (self.batch.games.len(), 2) {
            return Err(faults::value_error("boards must be pairs, one for each game"));
        }
        for (name, length) in [("over", over.len()?), ("agents", is_second.len()?), ("rngs", rngs.len()?)] {
            self.check(name, length, 1)?;
        }
        let batch = &mut self.batch;
        for (place, (board, &is_over)) in
            boards.as_array().rows().into_iter().zip(over.as_array()).enumerate()
        {
            let (x, o) = (board[0], board[1]);
            if x & o != 0 || (x | o) & !batch.facts.all != 0 {
                return Err(faults::value_error(format!("boards[{place}] is not a position")));
            }
            let n_moves = (x | o).count_ones() as u8;
            batch.games[place] = BatchGame { x, o, n_moves, is_over };
        }
        batch.agents = is_second.as_array().iter().map(|&second| Player::BOTH[usize::from(second)]).collect();
        batch.rngs = rngs.as_array().iter().map(|&state| SplitMix::new(state)).collect();
        self.rng = SplitMix::new(rng);
        Ok(())
    }
}

impl VectorCore {
    /// Checks the length of an array of the caller.
    fn check(&self, name: &str, found: usize, width: usize) -> PyResult<()> {
        let expected = self.batch.games.len() * width;
        if found == expected {
            return Ok(());
        }
        Err(faults::value_error(format!("{name} must have {expected} elements, not {found}")))
    }
}

/// Returns the exception for an array of the caller that cannot be used.
fn named(name: &str, error: impl std::fmt::Display) -> PyErr {
    faults::value_error(format!("{name}: {error}"))
}

fn writable1<'py, T: numpy::Element>(
    array: &Bound<'py, PyArray1<T>>,
    name: &str,
) -> PyResult<PyReadwriteArray1<'py, T>> {
    array.try_readwrite().map_err(|error| named(name, error))
}

fn writable2<'py, T: numpy::Element>(
    array: &Bound<'py, PyArray2<T>>,
    name: &str,
) -> PyResult<PyReadwriteArray2<'py, T>> {
    array.try_readwrite().map_err(|error| named(name, error))
}
