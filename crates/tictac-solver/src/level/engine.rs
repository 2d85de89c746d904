//! The computer player, which chooses moves within a time limit and keeps what it has proved.

use core::time::Duration;
use std::fmt;

use crate::hint::Hint;
use crate::level::look_ahead::LookAhead;
use crate::level::perfect::StopSignals;
use crate::level::{Choice, Level, perfect, pick};
use crate::{Answer, Oracle, Question};
use tictac::{Board, Grid, Move, Rules, Square, State};

/// A source of random numbers; the library has none of its own.
pub type Rng<'a> = &'a mut dyn FnMut() -> u64;

/// Returns the time that is left to think; the library reads no clock.
///
/// It returns [`Duration::ZERO`] as soon as the caller needs an answer, because the time is over or the task is
/// cancelled. `&|| Duration::MAX` sets no limit.
pub type TimeLeft<'a> = &'a dyn Fn() -> Duration;

/// The computer player, for any rules and any level.
///
/// It keeps what it has proved about the rules that it was used with last. A method that runs out of time returns
/// the best that it has found.
///
/// ```
/// use std::time::Duration;
/// use tictac_solver::level::{Engine, Level};
/// use tictac::{Rules, State};
///
/// let state = State::parse("XX./OO./... X", &Rules::CLASSIC)?;
/// let mut engine = Engine::new(1 << 20);
/// let choice = engine.choose(&state, Level::Perfect, &mut || 7, &|| Duration::MAX);
/// assert_eq!(choice.map(|choice| choice.mv.display(&Rules::CLASSIC).to_string()).as_deref(), Some("X A3"));
/// # Ok::<(), tictac::notation::PositionError>(())
/// ```
pub struct Engine {
    // The most recently used oracle is the last one.
    oracles: Vec<Oracle>,
    max_oracles: usize,
    max_bytes: usize,
}

/// What is known about every move of a position, and what a perfect player would do where that is not enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Every legal move with what is proved about it.
    pub answers: Vec<(Move, Answer)>,
    /// The move of a perfect player, unless the best move is already among the proved ones.
    pub choice: Option<Choice>,
}

impl Advice {
    /// Returns the best move with the reasons for it, or `None` if there is no move in `state`.
    pub fn hint(&self, state: &State) -> Option<Hint> {
        Hint::new(state, &self.answers, self.choice.as_ref())
    }
}

impl Engine {
    /// Returns an engine that keeps results for one set of rules at a time and uses at most about `max_bytes` of memory.
    pub const fn new(max_bytes: usize) -> Engine {
        Engine { oracles: Vec::new(), max_oracles: 1, max_bytes }
    }

    /// Returns an engine that keeps results for up to `max_oracles` sets of rules, which share its memory evenly.
    #[must_use]
    pub fn with_max_oracles(self, max_oracles: usize) -> Engine {
        Engine { max_oracles: max_oracles.max(1), ..self }
    }

    /// Returns whether the engine keeps results for these rules.
    pub fn remembers(&self, rules: &Rules) -> bool {
        self.oracles.iter().any(|oracle| oracle.rules() == rules)
    }

    /// Returns the oracle for `rules`, and creates it if there is none.
    pub fn oracle(&mut self, rules: &Rules) -> &mut Oracle {
        let known = self.oracles.iter().position(|oracle| oracle.rules() == rules);
        let oracle = if let Some(place) = known {
            self.oracles.remove(place)
        } else {
            if self.oracles.len() >= self.max_oracles {
                self.oracles.remove(0);
            }
            Oracle::new(rules, self.max_bytes / self.max_oracles)
        };
        self.oracles.push(oracle);
        self.oracles.last_mut().expect("an oracle was just added")
    }

    /// Returns a move for the player to move, or `None` when the game is over.
    ///
    /// The same random numbers give the same move unless the time runs out.
    pub fn choose(
        &mut self,
        state: &State,
        level: Level,
        rng: Rng<'_>,
        time_left: TimeLeft<'_>,
    ) -> Option<Choice> {
        let is_over = || time_left().is_zero();
        if let Some(strength) = level.strength() {
            let seen = LookAhead::overlooking(state, strength, rng).run(&is_over);
            let mv = pick(&seen.best, rng)?;
            return Some(Choice { mv, answer: Answer::UNKNOWN, proven: false });
        }
        // Half of the time goes into proofs, the rest into looking ahead where nothing was proved.
        let total = time_left();
        let stop = StopSignals { proof: &|| time_left() <= total / 2, all: &is_over };
        perfect::choose(state, self.oracle(state.rules()), rng, stop)
    }

    /// Returns every legal move with what can be proved about it in time.
    pub fn survey(&mut self, state: &State, time_left: TimeLeft<'_>) -> Vec<(Move, Answer)> {
        let oracle = self.oracle(state.rules());
        if oracle.is_quick() || !state.rules().is_mnk() {
            return oracle.moves(state, Question::Strong, &|| time_left().is_zero());
        }
        // The provers of m,n,k games start again with every move and check the time only now and then, so a question
        // about each of 64 moves could take several times the limit. Instead every move gets its share of the time,
        // the squares near the marks first.
        let mut answers: Vec<(Move, Answer)> = state.moves().map(|mv| (mv, Answer::UNKNOWN)).collect();
        let mut order: Vec<usize> = (0..answers.len()).collect();
        order.sort_by_key(|&place| remoteness(state, answers[place].0.square));
        for (n_done, &place) in order.iter().enumerate() {
            let left = time_left();
            if left.is_zero() {
                break;
            }
            let share = (left / (order.len() - n_done) as u32).max(MIN_SHARE);
            let end = left.saturating_sub(share);
            let (mv, answer) = &mut answers[place];
            let after = state.after(*mv).expect("a move from `moves` is legal");
            *answer = oracle.solve(&after, Question::Strong, &|| time_left() <= end).for_mover();
        }
        answers
    }

    /// Surveys the moves in half of the time and, if the best one is still unknown, chooses as a perfect player
    /// would in the rest.
    pub fn advise(&mut self, state: &State, rng: Rng<'_>, time_left: TimeLeft<'_>) -> Advice {
        let half = time_left() / 2;
        let answers = self.survey(state, &|| time_left().saturating_sub(half));
        let is_open = Hint::is_open(&answers);
        let choice = if is_open { self.choose(state, Level::Perfect, rng, time_left) } else { None };
        Advice { answers, choice }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules: Vec<&Rules> = self.oracles.iter().map(Oracle::rules).collect();
        f.debug_struct("Engine").field("rules", &rules).finish_non_exhaustive()
    }
}

/// The shortest time in which a prover is likely to find anything.
const MIN_SHARE: Duration = Duration::from_millis(50);

/// Returns the distance of a square from the nearest mark, and from the middle of the board.
fn remoteness(state: &State, square: Square) -> (usize, usize) {
    let grid = state.rules().grid();
    let taken = state.boards().next().map(Board::occupied).unwrap_or_default();
    let nearest = taken.iter().map(|other| distance(grid, square, other)).min().unwrap_or(0);
    let middle = grid.square(grid.rows() / 2, grid.columns() / 2);
    (nearest, middle.map_or(0, |middle| distance(grid, square, middle)))
}

fn distance(grid: Grid, one: Square, other: Square) -> usize {
    grid.row(one).abs_diff(grid.row(other)).max(grid.column(one).abs_diff(grid.column(other)))
}
