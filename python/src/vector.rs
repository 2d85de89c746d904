//! Many games on one board that are stepped together, into arrays owned by the caller: the core of `VectorEnv`.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::prelude::*;
use tictac::{Mark, Player, Position, State, Status};

use crate::faults;
use crate::opponent::Opponent;
use crate::position::{PositionArgument, side_of};
use crate::random::SplitMix;
use crate::rules::RulesArgument;
use crate::single::{OnIllegal, check_size, check_start};
use crate::vector_rules::{AutoReset, BatchGame, VectorRules};

/// The largest number of games.
const MAX_GAMES: usize = 1 << 24;

/// Many games that are stepped together.
#[pyclass(module = "tictac._tictac")]
pub(crate) struct VectorCore {
    facts: VectorRules,
    start: BatchGame,
    games: Vec<BatchGame>,
    agents: Vec<Player>,
    opponent: Option<Opponent>,
    side: Option<Player>,
    autoreset: AutoReset,
    on_illegal: OnIllegal,
    rng: SplitMix,
}

/// The arrays of the caller, checked for size.
struct Buffers<'a> {
    observations: &'a mut [i8],
    masks: &'a mut [i8],
    rewards: &'a mut [f32],
    terminations: &'a mut [bool],
}

/// What a step changes, to take back one that fails.
struct Snapshot {
    games: Vec<BatchGame>,
    agents: Vec<Player>,
    rng: SplitMix,
}

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
        check_size(&rules.0)?;
        let n_games = usize::try_from(n).ok().filter(|n| (1..=MAX_GAMES).contains(n));
        let Some(n_games) = n_games else {
            return Err(faults::value_error(format!("num_envs must be from 1 to {MAX_GAMES}, not {n}")));
        };
        let position = match start {
            Some(start) => start.resolve(py, Some(rules))?.position().copied(),
            None => Position::start(&rules.0),
        };
        let Some(position) = position else {
            return Err(faults::value_error(format!(
                "rules: {} has several boards; a VectorEnv takes one",
                rules.0
            )));
        };
        if matches!(position.status(), Status::Over(_)) {
            return Err(faults::value_error("start: the game is over in this position"));
        }
        if position.opener() == Mark::O {
            return Err(faults::value_error("start: X must have opened"));
        }
        let side = side_of(side)?;
        if opponent.is_some() {
            check_start(&State::One(position), side)?;
        }
        let autoreset = AutoReset::named(autoreset)?;
        let [x, o] = Mark::BOTH.map(|mark| position.board().squares(mark).bits());
        let start = BatchGame { x, o, n_moves: position.n_moves() as u8, is_over: false };
        Ok(VectorCore {
            facts: VectorRules::new(&rules.0),
            start,
            games: vec![start; n_games],
            agents: vec![side.unwrap_or(Player::First); n_games],
            opponent: opponent.map(|name| Opponent::named(py, name, &rules.0)).transpose()?,
            side,
            autoreset,
            on_illegal: OnIllegal::named(illegal)?,
            rng: SplitMix::new(0),
        })
    }

    /// Sets the seed of the random numbers.
    fn seed(&mut self, seed: u64) {
        self.rng = SplitMix::new(seed);
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
        self.check("observations", observations.len(), self.facts.n_planes * self.facts.n_squares)?;
        self.check("action_masks", masks.len(), self.facts.n_actions)?;
        let before = self.snapshot();
        let mut places = which.iter().enumerate().filter(|(_, which)| **which);
        if let Err(error) = places.try_for_each(|(place, _)| self.restart(py, place)) {
            self.restore(before);
            return Err(error);
        }
        self.write_all(observations, masks);
        Ok(())
    }

    /// Plays one action in every game, and writes the results into the caller's arrays.
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
    ) -> PyResult<()> {
        let actions = actions.as_slice().map_err(|error| named("actions", error))?;
        self.check("actions", actions.len(), 1)?;
        let mut observations = writable2(observations, "observations")?;
        let mut masks = writable2(masks, "action_masks")?;
        let mut rewards = writable1(rewards, "rewards")?;
        let mut terminations = writable1(terminations, "terminations")?;
        let mut last = final_observations.map(|array| writable2(array, "final_observations")).transpose()?;
        let mut buffers = Buffers {
            observations: observations.as_slice_mut().map_err(|error| named("observations", error))?,
            masks: masks.as_slice_mut().map_err(|error| named("action_masks", error))?,
            rewards: rewards.as_slice_mut().map_err(|error| named("rewards", error))?,
            terminations: terminations.as_slice_mut().map_err(|error| named("terminations", error))?,
        };
        let width = self.facts.n_planes * self.facts.n_squares;
        self.check("observations", buffers.observations.len(), width)?;
        self.check("action_masks", buffers.masks.len(), self.facts.n_actions)?;
        self.check("rewards", buffers.rewards.len(), 1)?;
        self.check("terminations", buffers.terminations.len(), 1)?;
        let last: &mut [i8] = match &mut last {
            Some(last) => last.as_slice_mut().map_err(|error| named("final_observations", error))?,
            None => &mut [],
        };
        if !last.is_empty() {
            self.check("final_observations", last.len(), width)?;
        }
        self.check_actions(actions)?;
        match (&self.opponent, self.autoreset, self.facts.n_squares) {
            (None, AutoReset::NextStep, 9) => self.play_quickly(actions, &mut buffers, 9),
            (None, AutoReset::NextStep, n) => self.play_quickly(actions, &mut buffers, n),
            _ => self.play_or_restore(py, actions, &mut buffers, last)?,
        }
        Ok(())
    }

    /// Writes a random legal action of every game; 0 where the game is over.
    fn sample(&mut self, actions: &Bound<'_, PyArray1<i64>>) -> PyResult<()> {
        let mut actions = writable1(actions, "actions")?;
        let actions = actions.as_slice_mut().map_err(|error| named("actions", error))?;
        self.check("actions", actions.len(), 1)?;
        let all = self.facts.rules.squares().bits();
        let is_chosen = self.facts.rules.marks().are_chosen();
        for (game, action) in self.games.iter().zip(actions) {
            let free = all & !(game.x | game.o);
            let layer = if is_chosen && self.rng.next() >> 63 == 1 { self.facts.n_squares } else { 0 };
            let n_free = self.facts.n_squares - usize::from(game.n_moves);
            let square = self.facts.random_square(free, n_free, &mut self.rng);
            *action = if game.is_over { 0 } else { (layer + square) as i64 };
        }
        Ok(())
    }

    /// Returns the marks of all games: the squares of X and those of O.
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let bits = self.games.iter().flat_map(|game| [game.x, game.o]);
        PyArray1::from_iter(py, bits).reshape([self.games.len(), 2])
    }

    /// Returns whether each game is over.
    fn over<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_iter(py, self.games.iter().map(|game| game.is_over))
    }

    /// The number of planes of an observation, of squares and of actions.
    #[getter]
    fn sizes(&self) -> (usize, usize, usize) {
        (self.facts.n_planes, self.facts.n_squares, self.facts.n_actions)
    }
}

impl VectorCore {
    /// Checks the length of an array of the caller.
    fn check(&self, name: &str, found: usize, width: usize) -> PyResult<()> {
        let expected = self.games.len() * width;
        if found == expected {
            return Ok(());
        }
        Err(faults::value_error(format!("{name} must have {expected} elements, not {found}")))
    }

    /// Checks the actions before any of them is played, where illegal ones are not a loss.
    fn check_actions(&self, actions: &[i64]) -> PyResult<()> {
        if self.autoreset != AutoReset::Disabled && self.on_illegal == OnIllegal::Lose {
            return Ok(());
        }
        for (place, (&game, &action)) in self.games.iter().zip(actions).enumerate() {
            if game.is_over && self.autoreset == AutoReset::Disabled {
                return Err(faults::value_error(format!(
                    "actions[{place}]: the game is over; reset it first"
                )));
            }
            if self.on_illegal == OnIllegal::Raise
                && !game.is_over
                && self.facts.square_of(game, action).is_none()
            {
                return Err(faults::value_error(format!("actions[{place}]: {action} is not a legal action")));
            }
        }
        Ok(())
    }

    /// Plays an action in one game; returns the reward of the player who moved.
    fn play(&mut self, place: usize, action: i64) -> f32 {
        let (game, reward) = self.facts.play(self.games[place], action);
        self.games[place] = game;
        reward
    }

    /// Starts a new game; the opponent moves first if it is the opponent's turn.
    fn restart(&mut self, py: Python<'_>, place: usize) -> PyResult<()> {
        self.games[place] = self.start;
        if self.opponent.is_some() {
            self.agents[place] = match self.side {
                Some(side) => side,
                None => Player::BOTH[(self.rng.next() >> 63) as usize],
            };
            self.reply(py, place)?;
        }
        Ok(())
    }

    /// Plays the opponent's move, if it is the opponent's turn; returns the opponent's reward.
    fn reply(&mut self, py: Python<'_>, place: usize) -> PyResult<f32> {
        let game = self.games[place];
        let Some(opponent) = &mut self.opponent else { return Ok(0.0) };
        if game.is_over || game.mover() == self.agents[place] {
            return Ok(0.0);
        }
        let action = opponent.choose_in(py, &self.facts.rules, [game.x, game.o], &mut self.rng)?;
        Ok(self.play(place, action as i64))
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot { games: self.games.clone(), agents: self.agents.clone(), rng: self.rng.clone() }
    }

    fn restore(&mut self, before: Snapshot) {
        (self.games, self.agents, self.rng) = (before.games, before.agents, before.rng);
    }

    /// Steps all games, or none if Ctrl-C stops an opponent.
    fn play_or_restore(
        &mut self,
        py: Python<'_>,
        actions: &[i64],
        buffers: &mut Buffers<'_>,
        last: &mut [i8],
    ) -> PyResult<()> {
        let before = self.snapshot();
        let (rewards, terminations) = (buffers.rewards.to_vec(), buffers.terminations.to_vec());
        self.play_all(py, actions, buffers, last).inspect_err(|_| {
            self.restore(before);
            buffers.rewards.copy_from_slice(&rewards);
            buffers.terminations.copy_from_slice(&terminations);
            self.write_all(buffers.observations, buffers.masks);
        })
    }

    /// Steps all games one by one, with opponents and every mode.
    fn play_all(
        &mut self,
        py: Python<'_>,
        actions: &[i64],
        buffers: &mut Buffers<'_>,
        last: &mut [i8],
    ) -> PyResult<()> {
        let width = self.facts.n_planes * self.facts.n_squares;
        let n_actions = self.facts.n_actions;
        for (place, &action) in actions.iter().enumerate() {
            let observation = &mut buffers.observations[place * width..][..width];
            let mask = &mut buffers.masks[place * n_actions..][..n_actions];
            let mut reward = 0.0;
            let mut is_over = false;
            if self.games[place].is_over {
                self.restart(py, place)?;
            } else {
                reward = self.play(place, action);
                reward -= self.reply(py, place)?;
                is_over = self.games[place].is_over;
                if is_over && self.autoreset == AutoReset::SameStep {
                    if let Some(last) = last.get_mut(place * width..(place + 1) * width) {
                        self.write(place, last, mask);
                    }
                    self.restart(py, place)?;
                }
            }
            buffers.rewards[place] = reward;
            buffers.terminations[place] = is_over;
            self.write(place, observation, mask);
        }
        Ok(())
    }

    /// Steps all games of self-play that reset in the next step.
    ///
    /// No branch depends on a game, because the processor would mispredict it. The number of squares is a parameter so that
    /// it is a constant for the most common board.
    #[expect(clippy::inline_always, reason = "makes the number of squares a constant")]
    #[inline(always)]
    fn play_quickly(&mut self, actions: &[i64], buffers: &mut Buffers<'_>, n_squares: usize) {
        let facts = &self.facts;
        let results = buffers.rewards.iter_mut().zip(buffers.terminations.iter_mut());
        let views = buffers.observations.chunks_exact_mut(facts.n_planes * n_squares);
        let views = views.zip(buffers.masks.chunks_exact_mut(facts.n_actions));
        let games = self.games.iter_mut().zip(actions);
        for (((game, &action), (reward, termination)), (observation, mask)) in games.zip(results).zip(views) {
            let was_over = game.is_over;
            let (played, gain) = facts.play(*game, action);
            *game = if was_over { self.start } else { played };
            *reward = if was_over { 0.0 } else { gain };
            *termination = game.is_over;
            facts.observe(*game, game.mover(), n_squares, observation, mask);
        }
    }

    /// Writes the observations and the masks of all games.
    fn write_all(&self, observations: &mut [i8], masks: &mut [i8]) {
        let views = observations.chunks_exact_mut(self.facts.n_planes * self.facts.n_squares);
        let views = views.zip(masks.chunks_exact_mut(self.facts.n_actions));
        for (place, (observation, mask)) in views.enumerate() {
            self.write(place, observation, mask);
        }
    }

    /// Writes the observation and the mask of one game.
    fn write(&self, place: usize, observation: &mut [i8], mask: &mut [i8]) {
        let game = self.games[place];
        let viewer = if self.opponent.is_some() { self.agents[place] } else { game.mover() };
        self.facts.observe(game, viewer, self.facts.n_squares, observation, mask);
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
