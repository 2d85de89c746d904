//! The quality of play.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tictac::{Mark, Move, Player, Rules, State};
use tictac_solver::{Analyst, Oracle, Survey, Verdict};

use super::representative::{self, Symmetries};

/// How many different first errors are counted at most.
const MAX_ERRORS: usize = 100_000;
/// The number of first errors in the statistics.
const MAX_REPORTED: usize = 10;

/// The approximate size of a kept move, in bytes.
const BYTES_PER_MOVE: usize = 48;

/// How long, and with how much memory, moves are judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThinkingLimits {
    deadline: Instant,
    per_position: Duration,
    // For each set of rules, shared by the oracle and the cache.
    memory: usize,
}

impl ThinkingLimits {
    /// Returns limits for threads that start at `start`.
    pub(super) fn new(think: Duration, memory: usize, start: Instant) -> ThinkingLimits {
        // A deadline beyond the range of the clock is replaced by a distant one.
        let deadline = start.checked_add(think).unwrap_or(start + Duration::from_secs(1 << 30));
        ThinkingLimits { deadline, per_position: think / 50, memory }
    }

    fn is_expired(&self) -> bool {
        Instant::now() >= self.deadline
    }
}

/// The quality of play in the games of one set of rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Play {
    /// Games in which every move was judged and none was an error.
    pub perfect: u64,
    /// Games with an error.
    pub flawed: u64,
    /// Games for which neither is known.
    pub unjudged: u64,
    /// The moves of the first player.
    pub first: SidePlay,
    /// The moves of the second player.
    pub second: SidePlay,
    /// The ten most frequent first errors, in descending order.
    pub first_errors: Vec<FirstError>,
}

/// The moves of one player by quality.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SidePlay {
    /// Number of best moves.
    pub best: u64,
    /// Moves that keep the value but win more slowly or lose more quickly than necessary.
    pub ok: u64,
    /// Moves that turn a win into a draw.
    pub mistakes: u64,
    /// Moves that turn a win or a draw into a loss.
    pub blunders: u64,
    /// Moves that were not judged.
    pub unjudged: u64,
}

/// An error that was the first one in one or more games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstError {
    /// The state before the error.
    pub state: State,
    /// The wrong move.
    pub mv: Move,
    /// The verdict on the move.
    pub verdict: Verdict,
    /// The best moves in that state.
    pub best: Vec<Move>,
    /// The number of games in which this was the first error.
    pub games: u64,
}

impl SidePlay {
    /// Returns the number of judged moves.
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

/// Judges games and counts the quality of their moves.
pub(super) struct PlayTally<'a> {
    limits: &'a ThinkingLimits,
    // `None` if no moves are judged, because the boards are too large or the time has expired.
    analyst: Option<Analyst>,
    is_quick: bool,
    // What was found about the positions of earlier games.
    surveys: HashMap<State, Arc<Survey>>,
    n_kept: usize,
    play: Play,
    first_errors: HashMap<(State, Move), (Verdict, u64)>,
}

impl<'a> PlayTally<'a> {
    pub(super) fn new(rules: &Rules, limits: &'a ThinkingLimits) -> PlayTally<'a> {
        let mut analyst = Analyst::new(limits.memory / 2);
        let is_quick = !Oracle::is_too_large(rules) && analyst.oracle(rules).is_quick();
        let is_judged = is_quick || !Oracle::is_too_large(rules) && !limits.is_expired();
        PlayTally {
            limits,
            analyst: is_judged.then_some(analyst),
            is_quick,
            surveys: HashMap::new(),
            n_kept: 0,
            play: Play::default(),
            first_errors: HashMap::new(),
        }
    }

    /// Returns what is known about a position, within the limits.
    fn survey(&mut self, state: &State) -> Arc<Survey> {
        if let Some(survey) = self.surveys.get(state) {
            return Arc::clone(survey);
        }
        let (limits, is_quick) = (self.limits, self.is_quick);
        let end = limits.deadline.min(Instant::now() + limits.per_position);
        let time_left =
            || if is_quick { Duration::MAX } else { end.saturating_duration_since(Instant::now()) };
        let survey = self.analyst.as_mut().map(|analyst| analyst.survey(state, &time_left));
        let survey = Arc::new(survey.unwrap_or_else(|| Survey::new(Vec::new())));
        let n_moves = survey.moves.len() + state.n_boards() + 1;
        if (self.n_kept + n_moves) * BYTES_PER_MOVE <= limits.memory / 2 {
            self.n_kept += n_moves;
            self.surveys.insert(state.clone(), Arc::clone(&survey));
        }
        survey
    }

    /// Counts `n_games` equal games in which X opened.
    pub(super) fn count(&mut self, rules: &Rules, moves: &[Move], n_games: u64) {
        if self.analyst.is_none() {
            self.play.unjudged += n_games;
            self.play.first.unjudged += moves.len().div_ceil(2) as u64 * n_games;
            self.play.second.unjudged += moves.len() as u64 / 2 * n_games;
            return;
        }
        let mut state = State::start_with(rules, Mark::X);
        let (mut is_known, mut is_flawed) = (true, false);
        for (number, &mv) in moves.iter().enumerate() {
            let verdict = self.survey(&state).verdict(mv);
            match Player::after_moves(number) {
                Player::First => self.play.first.count(verdict, n_games),
                Player::Second => self.play.second.count(verdict, n_games),
            }
            if let Some(error @ (Verdict::Mistake | Verdict::Blunder)) = verdict {
                // After a move that was not judged this may not be the first error.
                if is_known && !is_flawed {
                    self.count_first_error(&state, mv, error, n_games);
                }
                is_flawed = true;
            }
            is_known &= verdict.is_some();
            state.play(mv).expect("the moves of a game are legal");
        }
        *match (is_flawed, is_known) {
            (true, _) => &mut self.play.flawed,
            (false, true) => &mut self.play.perfect,
            (false, false) => &mut self.play.unjudged,
        } += n_games;
    }

    fn count_first_error(&mut self, state: &State, mv: Move, verdict: Verdict, n_games: u64) {
        let key = (state.clone(), mv);
        if self.first_errors.len() < MAX_ERRORS || self.first_errors.contains_key(&key) {
            self.first_errors.entry(key).or_insert((verdict, 0)).1 += n_games;
        }
    }

    pub(super) fn add(&mut self, other: PlayTally<'_>) {
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
                Symmetries::Merged => representative::canonical_move(&state, mv),
                Symmetries::Apart => (state, mv),
            };
            errors.entry(key).or_insert((verdict, 0)).1 += n_games;
        }
        let mut errors: Vec<_> = errors.into_iter().collect();
        // The text of the state makes the order independent of the order of the map.
        errors.sort_by_cached_key(|((state, mv), (_, n_games))| {
            (std::cmp::Reverse(*n_games), state.to_string(), *mv)
        });
        let reported = errors.into_iter().take(MAX_REPORTED).map(|((state, mv), (verdict, games))| {
            let best = self.survey(&state).best();
            FirstError { state, mv, verdict, best, games }
        });
        let first_errors = reported.collect();
        Play { first_errors, ..self.play }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_of_two_threads_are_added() {
        let mut one = SidePlay { best: 1, ok: 2, mistakes: 3, blunders: 4, unjudged: 5 };
        one.add(&SidePlay { best: 10, ok: 20, mistakes: 30, blunders: 40, unjudged: 50 });
        assert_eq!(one, SidePlay { best: 11, ok: 22, mistakes: 33, blunders: 44, unjudged: 55 });
        assert_eq!(one.judged(), 110);
    }
}
