//! The computer's head: the oracle of the rules at hand, and a time to think.

use std::time::{Duration, Instant};

use tictac::level::{Choice, Level, Patience};
use tictac::solve::{Answer, Oracle, Question};
use tictac::{Goal, Grid, Hint, Marks, Move, Playable, Rules, Square, State};

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
    /// What every move brings, and which one to make where that does not say.
    Advise {
        /// Where the game is.
        state: State,
        /// The source of chance.
        chance: u64,
    },
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thought {
    /// A move; none where the game is over.
    Chosen(Option<Choice>),
    /// What is proved about every legal move.
    Surveyed(Vec<(Move, Answer)>),
    /// The same, and the move of a perfect player where the best one is not proved.
    Advised(Vec<(Move, Answer)>, Option<Choice>),
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
            Task::Advise { state, chance } => {
                let (answers, choice) = self.advise(state, *chance, is_cancelled);
                Thought::Advised(answers, choice)
            }
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
        self.choose_within(self.think, state, level, chance, is_cancelled)
    }

    fn choose_within(
        &mut self,
        time: Duration,
        state: &State,
        level: Level,
        chance: u64,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<Choice> {
        let start = Instant::now();
        let mut rng = fastrand::Rng::with_seed(chance);
        let patience = Patience {
            proof: &|| is_cancelled() || start.elapsed() > time / 2,
            all: &|| is_cancelled() || start.elapsed() > time,
        };
        level.choose(state, self.oracle(state.rules()), &mut || rng.u64(..), patience)
    }

    /// Returns what can be proved about every move in the time.
    pub fn survey(&mut self, state: &State, is_cancelled: &dyn Fn() -> bool) -> Vec<(Move, Answer)> {
        self.survey_within(self.think, state, is_cancelled)
    }

    /// Returns what can be proved about every move in half of the time, and where that does not tell which one is best,
    /// the choice of a perfect player in the rest of it.
    pub fn advise(
        &mut self,
        state: &State,
        chance: u64,
        is_cancelled: &dyn Fn() -> bool,
    ) -> (Vec<(Move, Answer)>, Option<Choice>) {
        let start = Instant::now();
        let answers = self.survey_within(self.think / 2, state, is_cancelled);
        if !Hint::is_open(&answers) {
            return (answers, None);
        }
        let rest = self.think.saturating_sub(start.elapsed());
        let choice = self.choose_within(rest, state, Level::Perfect, chance, is_cancelled);
        (answers, choice)
    }

    fn survey_within(
        &mut self,
        time: Duration,
        state: &State,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Vec<(Move, Answer)> {
        let start = Instant::now();
        let stop = || is_cancelled() || start.elapsed() > time;
        let oracle = self.oracle(state.rules());
        if oracle.is_quick() || !is_for_provers(state.rules()) {
            return oracle.moves(state, Question::Strong, &stop);
        }
        // The provers begin anew with every move and look at the clock only now and then: were they asked about each of
        // 64 moves when the time is over, it would be over several times.
        let mut answers: Vec<(Move, Answer)> = state.moves().map(|mv| (mv, Answer::UNKNOWN)).collect();
        let mut order: Vec<usize> = (0..answers.len()).collect();
        order.sort_by_key(|&place| remoteness(state, answers[place].0.square));
        for (n_done, place) in order.iter().enumerate() {
            let left = time.saturating_sub(start.elapsed());
            let until = start.elapsed() + (left / (order.len() - n_done) as u32).max(LEAST_SHARE);
            if stop() {
                break;
            }
            let (mv, answer) = &mut answers[*place];
            let after = state.play(*mv).expect("a move from `moves` is legal");
            let is_late = || stop() || start.elapsed() > until;
            *answer = oracle.solve(&after, Question::Strong, &is_late).for_mover();
        }
        answers
    }

    fn oracle(&mut self, rules: &Rules) -> &mut Oracle {
        let known = self.oracle.take().filter(|oracle| oracle.rules() == rules);
        self.oracle.insert(known.unwrap_or_else(|| Oracle::new(rules, MAX_BYTES)))
    }
}

/// The least time in which a prover finds anything.
const LEAST_SHARE: Duration = Duration::from_millis(50);

/// Returns whether who wins is a matter of forcing a line.
fn is_for_provers(rules: &Rules) -> bool {
    rules.n_boards() == 1 && rules.marks() == Marks::Own && rules.goal() == Goal::Complete
}

/// How far a square is from the marks on the board, and then from its middle: what is near is worth looking at first.
fn remoteness(state: &State, square: Square) -> (usize, usize) {
    let grid = state.rules().grid();
    let taken = state.boards().next().map(tictac::Board::occupied).unwrap_or_default();
    let nearest = taken.iter().map(|other| distance(grid, square, other)).min().unwrap_or(0);
    let middle = grid.square(grid.rows() / 2, grid.columns() / 2);
    (nearest, middle.map_or(0, |middle| distance(grid, square, middle)))
}

fn distance(grid: Grid, one: Square, other: Square) -> usize {
    grid.row(one).abs_diff(grid.row(other)).max(grid.column(one).abs_diff(grid.column(other)))
}
