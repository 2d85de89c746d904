//! Many games that are stepped together, into slices of the caller.

use pyo3::prelude::*;
use tictac::Player;

use crate::action;
use crate::faults;
use crate::opponent::Opponent;
use crate::random::SplitMix;
use crate::single::OnIllegal;
use crate::vector_rules::{AutoReset, BatchGame, VectorRules, reward_if};

/// The state of many games of the same rules against the same opponent.
pub(crate) struct BatchGames {
    pub(crate) facts: VectorRules,
    pub(crate) start: BatchGame,
    pub(crate) games: Vec<BatchGame>,
    pub(crate) agents: Vec<Player>,
    /// The random numbers of each game, which decide its sides and the moves of its opponent.
    pub(crate) rngs: Vec<SplitMix>,
    pub(crate) opponent: Option<Opponent>,
    pub(crate) side: Option<Player>,
    pub(crate) autoreset: AutoReset,
    pub(crate) on_illegal: OnIllegal,
}

/// The arrays of the caller, checked for size.
pub(crate) struct StepBuffers<'a> {
    pub(crate) observations: &'a mut [i8],
    pub(crate) masks: &'a mut [i8],
    pub(crate) rewards: &'a mut [f32],
    pub(crate) terminations: &'a mut [bool],
    /// Receives the last observations of games that end, in the mode that resets within the same step; may be empty.
    pub(crate) last: &'a mut [i8],
}

/// What a step changes, to take back one that fails.
struct Snapshot {
    games: Vec<BatchGame>,
    agents: Vec<Player>,
    rngs: Vec<SplitMix>,
}

impl BatchGames {
    /// Returns the number of elements of an observation.
    pub(crate) const fn width(&self) -> usize {
        self.facts.n_layers * self.facts.n_squares
    }

    /// Starts new games where `which` is true, or none if Ctrl-C stops an opponent.
    pub(crate) fn reset(&mut self, py: Python<'_>, which: &[bool]) -> PyResult<()> {
        let before = self.snapshot();
        let mut places = which.iter().enumerate().filter(|(_, which)| **which);
        places.try_for_each(|(place, _)| self.restart(py, place)).inspect_err(|_| self.restore(before))
    }

    /// Plays one action in every game, or in none if Ctrl-C stops an opponent; returns the games whose action was illegal.
    pub(crate) fn step(
        &mut self,
        py: Python<'_>,
        actions: &[i64],
        buffers: &mut StepBuffers<'_>,
    ) -> PyResult<Vec<usize>> {
        self.check_actions(actions)?;
        let is_quick = self.opponent.is_none() && self.autoreset == AutoReset::NextStep;
        match (is_quick, self.facts.n_boards, self.facts.n_squares) {
            (true, 1, 9) => Ok(self.play_quickly::<false>(actions, buffers, 9)),
            (true, 1, n) => Ok(self.play_quickly::<false>(actions, buffers, n)),
            (true, _, n) => Ok(self.play_quickly::<true>(actions, buffers, n)),
            (false, ..) => self.play_or_restore(py, actions, buffers),
        }
    }

    /// Checks before any action is played that all of them exist and, unless illegal ones are a loss, that they are legal.
    fn check_actions(&self, actions: &[i64]) -> PyResult<()> {
        // One comparison for both ends: as a number without a sign, a negative one is larger than any action.
        let n_actions = self.facts.n_actions as u64;
        // A sum has no branches, so that the compiler checks several actions at once.
        if actions.iter().map(|&action| usize::from(action.cast_unsigned() >= n_actions)).sum::<usize>() > 0 {
            let place = actions.iter().position(|action| action.cast_unsigned() >= n_actions);
            let place = place.expect("an action was counted");
            return Err(faults::value_error(format!(
                "actions[{place}]: {} is not from 0 to {}",
                actions[place],
                n_actions - 1
            )));
        }
        if self.autoreset != AutoReset::Disabled && self.on_illegal == OnIllegal::Lose {
            return Ok(());
        }
        for (place, (&game, &action)) in self.games.iter().zip(actions).enumerate() {
            if game.is_over && self.autoreset == AutoReset::Disabled {
                return Err(faults::value_error(format!(
                    "actions[{place}]: the game is over; reset it first"
                )));
            }
            if self.on_illegal == OnIllegal::Raise && !game.is_over && !self.is_legal(game, action) {
                return Err(faults::value_error(format!("actions[{place}]: {action} is not a legal action")));
            }
        }
        Ok(())
    }

    fn is_legal(&self, game: BatchGame, action: i64) -> bool {
        let square = match self.facts.n_boards {
            1 => self.facts.square_of::<false>(game, action),
            _ => self.facts.square_of::<true>(game, action),
        };
        square.is_some()
    }

    /// Plays an action in one game; returns the reward of the player who moved.
    fn play(&mut self, place: usize, action: i64) -> f32 {
        let (game, reward) = match self.facts.n_boards {
            1 => self.facts.play::<false>(self.games[place], action),
            _ => self.facts.play::<true>(self.games[place], action),
        };
        self.games[place] = game;
        reward
    }

    /// Starts a new game; the opponent moves first if it is the opponent's turn.
    fn restart(&mut self, py: Python<'_>, place: usize) -> PyResult<()> {
        self.games[place] = self.start;
        if self.opponent.is_some() {
            self.agents[place] = self.side.unwrap_or_else(|| self.rngs[place].player());
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
        let rng = &mut self.rngs[place];
        let action = if let Some(action) = opponent.look_up([game.x, game.o], rng) {
            action
        } else {
            let mv = opponent.choose(py, &self.facts.state_of(game)?, rng)?;
            action::action_of(&self.facts.rules, mv)
        };
        Ok(self.play(place, action as i64))
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot { games: self.games.clone(), agents: self.agents.clone(), rngs: self.rngs.clone() }
    }

    fn restore(&mut self, before: Snapshot) {
        (self.games, self.agents, self.rngs) = (before.games, before.agents, before.rngs);
    }

    fn play_or_restore(
        &mut self,
        py: Python<'_>,
        actions: &[i64],
        buffers: &mut StepBuffers<'_>,
    ) -> PyResult<Vec<usize>> {
        let before = self.snapshot();
        let (rewards, terminations) = (buffers.rewards.to_vec(), buffers.terminations.to_vec());
        self.play_all(py, actions, buffers).inspect_err(|_| {
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
        buffers: &mut StepBuffers<'_>,
    ) -> PyResult<Vec<usize>> {
        let (width, n_actions) = (self.width(), self.facts.n_actions);
        let mut illegal = Vec::new();
        for (place, &action) in actions.iter().enumerate() {
            let observation = &mut buffers.observations[place * width..][..width];
            let mask = &mut buffers.masks[place * n_actions..][..n_actions];
            let mut reward = 0.0;
            let mut is_over = false;
            if self.games[place].is_over {
                self.restart(py, place)?;
            } else {
                let n_moves = self.games[place].n_moves;
                reward = self.play(place, action);
                if self.games[place].n_moves == n_moves {
                    illegal.push(place);
                }
                reward -= self.reply(py, place)?;
                is_over = self.games[place].is_over;
                if is_over && self.autoreset == AutoReset::SameStep {
                    if let Some(last) = buffers.last.get_mut(place * width..(place + 1) * width) {
                        self.write(place, last, mask);
                    }
                    self.restart(py, place)?;
                }
            }
            buffers.rewards[place] = reward;
            buffers.terminations[place] = is_over;
            self.write(place, observation, mask);
        }
        Ok(illegal)
    }

    /// Steps all games of self-play that reset in the next step.
    #[expect(clippy::inline_always, reason = "makes the number of squares a constant")]
    #[inline(always)]
    fn play_quickly<const HAS_MANY: bool>(
        &mut self,
        actions: &[i64],
        buffers: &mut StepBuffers<'_>,
        n_squares: usize,
    ) -> Vec<usize> {
        let StepBuffers { observations, masks, rewards, terminations, .. } = buffers;
        let (facts, start, games) = (&self.facts, self.start, &mut self.games);
        play_quickly::<HAS_MANY>(
            facts,
            start,
            games,
            actions,
            observations,
            masks,
            rewards,
            terminations,
            n_squares,
        )
    }

    /// Writes a random legal action of every game; 0 where the game is over.
    pub(crate) fn sample(&self, rng: &mut SplitMix, actions: &mut [i64]) {
        match self.facts.n_boards {
            1 => self.sample_squares::<false>(rng, actions),
            _ => self.sample_squares::<true>(rng, actions),
        }
    }

    fn sample_squares<const HAS_MANY: bool>(&self, rng: &mut SplitMix, actions: &mut [i64]) {
        let is_chosen = self.facts.rules.marks().are_chosen();
        for (game, action) in self.games.iter().zip(actions) {
            let (free, n_free) = self.facts.open::<HAS_MANY>(*game);
            let layer = if is_chosen && rng.next() >> 63 == 1 { self.facts.n_squares } else { 0 };
            let square = self.facts.random_square(free, n_free, rng);
            *action = if game.is_over { 0 } else { (layer + square) as i64 };
        }
    }

    /// Writes the observations and the masks of all games.
    pub(crate) fn write_all(&self, observations: &mut [i8], masks: &mut [i8]) {
        let views = observations.chunks_exact_mut(self.width());
        let views = views.zip(masks.chunks_exact_mut(self.facts.n_actions));
        for (place, (observation, mask)) in views.enumerate() {
            self.write(place, observation, mask);
        }
    }

    /// Writes the observation and the mask of one game.
    fn write(&self, place: usize, observation: &mut [i8], mask: &mut [i8]) {
        let game = self.games[place];
        let viewer = if self.opponent.is_some() { self.agents[place] } else { game.mover() };
        let n_squares = self.facts.n_squares;
        match self.facts.n_boards {
            1 => self.facts.observe::<false>(game, viewer, n_squares, observation, mask),
            _ => self.facts.observe::<true>(game, viewer, n_squares, observation, mask),
        }
    }
}

/// Steps all games of self-play that reset in the next step.
///
/// No branch depends on a game, because the processor would mispredict it. The number of squares is a parameter so that it is
/// a constant for the most common board. Every slice is a parameter so that the compiler knows that they do not overlap, and
/// reads the rules once instead of once per game.
#[expect(clippy::inline_always, reason = "makes the number of squares a constant")]
#[expect(clippy::too_many_arguments, reason = "one slice for each result of a step")]
#[inline(always)]
fn play_quickly<const HAS_MANY: bool>(
    facts: &VectorRules,
    start: BatchGame,
    games: &mut [BatchGame],
    actions: &[i64],
    observations: &mut [i8],
    masks: &mut [i8],
    rewards: &mut [f32],
    terminations: &mut [bool],
    n_squares: usize,
) -> Vec<usize> {
    let mut illegal = Vec::new();
    let results = rewards.iter_mut().zip(terminations);
    let views = observations.chunks_exact_mut(facts.n_layers * n_squares);
    let views = views.zip(masks.chunks_exact_mut(facts.n_actions));
    let games = games.iter_mut().zip(actions).enumerate();
    for (((place, (game, &action)), (reward, termination)), (observation, mask)) in
        games.zip(results).zip(views)
    {
        let was_over = game.is_over;
        // A finished game plays at the start instead, where the action is hardly ever illegal, and forgets it.
        let before = BatchGame::either(was_over, start, *game);
        let (played, gain) = facts.play::<HAS_MANY>(before, action);
        if played.n_moves == before.n_moves && !was_over {
            illegal.push(place);
        }
        let after = BatchGame::either(was_over, start, played);
        *game = after;
        *reward = reward_if(!was_over, gain);
        *termination = after.is_over;
        facts.observe::<HAS_MANY>(after, after.mover(), n_squares, observation, mask);
    }
    illegal
}
