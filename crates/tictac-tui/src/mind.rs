//! The computer's head: the oracle of the rules at hand, and a time to think.

use std::time::{Duration, Instant};

use tictac::level::{Choice, Level, Patience};
use tictac::solve::{Answer, Oracle, Question};
use tictac::{Move, Rules, State};

/// About how much memory an oracle may use, in bytes.
const MAX_BYTES: usize = 1 << 28;

/// Thinks about one position at a time; remembers what it has proved while the rules stay the same.
pub struct Mind {
    oracle: Option<Oracle>,
    think: Duration,
}

/// What is to be thought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Which move to make at a level; the number is all the chance there is.
    Choose {
        /// Where the game is.
        state: State,
        /// How well to play.
        level: Level,
        /// The source of chance.
        chance: u64,
    },
    /// What every move brings.
    Survey {
        /// Where the game is.
        state: State,
    },
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thought {
    /// A move; none where the game is over.
    Chosen(Option<Choice>),
    /// What is proved about every legal move.
    Surveyed(Vec<(Move, Answer)>),
}

impl Mind {
    /// Returns a mind that thinks for at most about `think` where it cannot answer at once.
    pub const fn new(think: Duration) -> Mind {
        Mind { oracle: None, think }
    }

    /// Thinks a task through, or as far as `is_cancelled` lets it.
    pub fn think(&mut self, task: &Task, is_cancelled: &dyn Fn() -> bool) -> Thought {
        match task {
            Task::Choose { state, level, chance } => {
                Thought::Chosen(self.choose(state, *level, *chance, is_cancelled))
            }
            Task::Survey { state } => Thought::Surveyed(self.survey(state, is_cancelled)),
        }
    }

    /// Returns a move of `level`; half of the time goes into proofs, the rest into looking ahead.
    pub fn choose(
        &mut self,
        state: &State,
        level: Level,
        chance: u64,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<Choice> {
        let (start, think) = (Instant::now(), self.think);
        let mut rng = fastrand::Rng::with_seed(chance);
        let patience = Patience {
            proof: &|| is_cancelled() || start.elapsed() > think / 2,
            all: &|| is_cancelled() || start.elapsed() > think,
        };
        level.choose(state, self.oracle(state.rules()), &mut || rng.u64(..), patience)
    }

    /// Returns what can be proved about every move in the time.
    pub fn survey(&mut self, state: &State, is_cancelled: &dyn Fn() -> bool) -> Vec<(Move, Answer)> {
        let (start, think) = (Instant::now(), self.think);
        let stop = || is_cancelled() || start.elapsed() > think;
        self.oracle(state.rules()).moves(state, Question::Strong, &stop)
    }

    fn oracle(&mut self, rules: &Rules) -> &mut Oracle {
        let known = self.oracle.take().filter(|oracle| oracle.rules() == rules);
        self.oracle.insert(known.unwrap_or_else(|| Oracle::new(rules, MAX_BYTES)))
    }
}
