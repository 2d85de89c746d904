//! How well games were played.

use serde::Serialize;
use std::collections::HashMap;

use tictac::{Mark, Move, Player, Rules, State, Verdict};

use super::critic::{Critic, after, best_of, verdict_on};
use super::representative::{self, Symmetries};

/// How many different first errors are counted.
const MAX_ERRORS: usize = 100_000;
/// How many of them are told.
const MAX_TOLD: usize = 10;

/// How well the games of some rules were played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Play {
    /// Games in which every move was judged and none was an error.
    pub perfect: u64,
    /// Games with an error.
    pub flawed: u64,
    /// Games of which neither is known.
    pub unjudged: u64,
    /// The moves of the first player.
    pub first: SidePlay,
    /// The moves of the second player.
    pub second: SidePlay,
    /// The most frequent first errors, the most frequent first; ten at most.
    pub first_errors: Vec<FirstError>,
}

/// How good the moves of one player were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SidePlay {
    /// None was better.
    pub best: u64,
    /// They kept the value and took longer to win or shorter to lose than need be.
    pub ok: u64,
    /// They gave a win away for a draw.
    pub mistakes: u64,
    /// They lost what was not lost.
    pub blunders: u64,
    /// Moves of which that is not known.
    pub unjudged: u64,
}

/// An error before which the game had been without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstError {
    /// Where it was made.
    pub state: State,
    /// The move.
    pub mv: Move,
    /// How bad it was.
    pub verdict: Verdict,
    /// The moves that were best there.
    pub best: Vec<Move>,
    /// In how many games.
    pub games: u64,
}

impl SidePlay {
    /// The moves that were judged.
    pub const fn judged(&self) -> u64 {
        self.best + self.ok + self.mistakes + self.blunders
    }

    const fn count(&mut self, verdict: Option<Verdict>, n_moves: u64) {
        *match verdict {
            Some(Verdict::Best) => &mut self.best,
            Some(Verdict::Ok) => &mut self.ok,
            Some(Verdict::Mistake) => &mut self.mistakes,
            Some(Verdict::Blunder) => &mut self.blunders,
            None => &mut self.unjudged,
        } += n_moves;
    }

    const fn add(&mut self, other: &SidePlay) {
        self.best += other.best;
        self.ok += other.ok;
        self.mistakes += other.mistakes;
        self.blunders += other.blunders;
        self.unjudged += other.unjudged;
    }
}

/// Judges games and counts what was found.
pub(super) struct Judging<'a> {
    critic: Critic<'a>,
    play: Play,
    first_errors: HashMap<(State, Move), (Verdict, u64)>,
}

impl<'a> Judging<'a> {
    pub(super) fn new(critic: Critic<'a>) -> Judging<'a> {
        Judging { critic, play: Play::default(), first_errors: HashMap::new() }
    }

    /// Counts a game in which X opened.
    pub(super) fn count(&mut self, rules: &Rules, moves: &[Move], n_games: u64) {
        if self.critic.is_mute() {
            self.play.unjudged += n_games;
            self.play.first.unjudged += moves.len().div_ceil(2) as u64 * n_games;
            self.play.second.unjudged += moves.len() as u64 / 2 * n_games;
            return;
        }
        let mut state = State::start_with(rules, Mark::X);
        let (mut is_known, mut is_flawed) = (true, false);
        for (number, &mv) in moves.iter().enumerate() {
            let verdict = verdict_on(mv, &self.critic.judge(&state));
            match Player::after_moves(number) {
                Player::First => self.play.first.count(verdict, n_games),
                Player::Second => self.play.second.count(verdict, n_games),
            }
            if let Some(error @ (Verdict::Mistake | Verdict::Blunder)) = verdict {
                // After a move that was not judged nobody knows whether this is the first one.
                if is_known && !is_flawed {
                    self.count_first_error(&state, mv, error, n_games);
                }
                is_flawed = true;
            }
            is_known &= verdict.is_some();
            state = after(&state, mv);
        }
        *match (is_flawed, is_known) {
            (true, _) => &mut self.play.flawed,
            (false, true) => &mut self.play.perfect,
            (false, false) => &mut self.play.unjudged,
        } += n_games;
    }

    fn count_first_error(&mut self, state: &State, mv: Move, verdict: Verdict, n_games: u64) {
        let is_full = self.first_errors.len() >= MAX_ERRORS;
        let key = (state.clone(), mv);
        if let Some((_, count)) = self.first_errors.get_mut(&key) {
            *count += n_games;
        } else if !is_full {
            self.first_errors.insert(key, (verdict, n_games));
        }
    }

    pub(super) fn add(&mut self, other: Judging<'_>) {
        self.play.perfect += other.play.perfect;
        self.play.flawed += other.play.flawed;
        self.play.unjudged += other.play.unjudged;
        self.play.first.add(&other.play.first);
        self.play.second.add(&other.play.second);
        for ((state, mv), (verdict, n_games)) in other.first_errors {
            self.count_first_error(&state, mv, verdict, n_games);
        }
    }

    pub(super) fn finish(mut self, symmetries: Symmetries) -> Play {
        let mut errors: HashMap<(State, Move), (Verdict, u64)> = HashMap::new();
        for ((state, mv), (verdict, n_games)) in std::mem::take(&mut self.first_errors) {
            let key = match symmetries {
                Symmetries::Merged => representative::of_move(&state, mv),
                Symmetries::Apart => (state, mv),
            };
            errors.entry(key).or_insert((verdict, 0)).1 += n_games;
        }
        let mut errors: Vec<_> = errors.into_iter().collect();
        // The text of a state is an order that does not depend on how a map lays out its entries.
        errors.sort_by_cached_key(|((state, mv), (_, n_games))| {
            (std::cmp::Reverse(*n_games), state.to_string(), *mv)
        });
        let told = errors.into_iter().take(MAX_TOLD).map(|((state, mv), (verdict, games))| {
            let best = best_of(&self.critic.judge(&state));
            FirstError { state, mv, verdict, best, games }
        });
        self.play.first_errors = told.collect();
        self.play
    }
}
