//! The oracle for one board.

use std::sync::Arc;

use super::answer::{Answer, Question};
use super::general::General;
use super::meter::Meter;
use super::plain::{Contest, Field, Prover, Specialty, Team, Verdict};
use super::score::Value;
use super::standing::Standing;
use crate::moves::Move;
use crate::position::{Position, Status};
use crate::rules::{Goal, Marks, Rules};

/// The exact truth about positions of one set of rules; remembers what it has proved.
///
/// ```
/// use tictac::solve::{Question, Solver, Value};
/// use tictac::{Position, Rules};
///
/// let mut solver = Solver::new(&Rules::CLASSIC, 1 << 20);
/// let position = Position::parse("XX./OO./... X", &Rules::CLASSIC).unwrap();
/// let answer = solver.solve(&position, Question::Strong, &|| false);
/// assert_eq!((answer.value(), answer.distance), (Some(Value::Win), Some(1)));
/// ```
pub struct Solver {
    max_bytes: usize,
    general: General,
    // Plain games on boards that no table holds have provers of their own.
    plain: Option<(Field, Specialty)>,
    n_plain_nodes: u64,
    meter: Arc<Meter>,
}

impl Solver {
    /// Returns a solver for `rules` on one board that uses at most about `max_bytes` of memory.
    pub fn new(rules: &Rules, max_bytes: usize) -> Solver {
        Solver::with_specialty(rules, max_bytes, Specialty::Both)
    }

    /// Returns one of a team of two solvers that look for the same answer by different methods, or `None` where the
    /// rules know only one method and a second thread would not help.
    ///
    /// Whoever has two threads gives each of them a member, and stops the other when one of them knows.
    pub fn team(rules: &Rules, max_bytes: usize) -> Option<[Solver; 2]> {
        let member = |specialty| Solver::with_specialty(rules, max_bytes / 2, specialty);
        is_provers_business(rules).then(|| [member(Specialty::Draws), member(Specialty::Wins)])
    }

    fn with_specialty(rules: &Rules, max_bytes: usize, specialty: Specialty) -> Solver {
        Solver {
            max_bytes,
            general: General::new(*rules, max_bytes / 2),
            plain: is_provers_business(rules).then(|| (Field::new(rules), specialty)),
            n_plain_nodes: 0,
            meter: Arc::default(),
        }
    }

    /// Returns the same solver, which from now on reports to `meter` how far it has come.
    #[must_use]
    pub fn with_meter(mut self, meter: Arc<Meter>) -> Solver {
        self.general.set_meter(Arc::clone(&meter));
        self.meter = meter;
        self
    }

    /// How positions of these rules are judged, in a few words.
    pub const fn method(&self) -> &'static str {
        if self.plain.is_some() {
            "provers of lines"
        } else if self.general.is_tabulated_whole() {
            "table of all positions"
        } else {
            "search, then table"
        }
    }

    /// How many positions have been searched so far; filling a table of all positions counts none.
    pub const fn nodes(&self) -> u64 {
        self.general.nodes() + self.n_plain_nodes
    }

    /// Answers a question about a position of the solver's rules.
    ///
    /// If `stop`, which is asked now and then, returns true, the answer is what has been proved until then.
    pub fn solve(&mut self, position: &Position, question: Question, stop: &dyn Fn() -> bool) -> Answer {
        if let Some(answer) = self.look_up(position, question) {
            return answer;
        }
        if self.plain.is_none() || matches!(position.status(), Status::Over(_)) {
            return self.general.solve(Standing::of(position), question, stop);
        }
        let known = self.who_wins(position, stop);
        match (known.value(), question) {
            (None | Some(Value::Draw), _) | (_, Question::Weak) => known,
            (Some(Value::Win | Value::Loss), Question::Strong) => {
                let timed = self.general.solve(Standing::of(position), Question::Strong, stop);
                Answer { distance: timed.distance, proven: timed.proven, ..known }
            }
        }
    }

    /// Returns the answer that a table of all positions already holds: at once, or not at all.
    ///
    /// On boards of up to 12 squares the first answer of [`solve`](Solver::solve) fills such a table.
    #[inline]
    pub fn look_up(&self, position: &Position, question: Question) -> Option<Answer> {
        let standing = Standing::of(position);
        let bounds = self.general.in_table(standing)?;
        Some(Answer::from_bounds(bounds, question, standing.ply()))
    }

    /// Answers a question about every legal move; a value is the mover's, a distance includes the move.
    pub fn moves(
        &mut self,
        position: &Position,
        question: Question,
        stop: &dyn Fn() -> bool,
    ) -> Vec<(Move, Answer)> {
        if self.plain.is_none() {
            let answers = self.general.moves(Standing::of(position), question, stop);
            return answers.into_iter().map(|(step, answer)| (step.to_move(position), answer)).collect();
        }
        let mut answer = |mv| {
            let after = position.after(mv).expect("a move from `moves` is legal");
            self.solve(&after, question, stop).for_mover()
        };
        position.moves().map(|mv| (mv, answer(mv))).collect()
    }

    /// Returns a line of best play to the end: the winner shortens and the loser lengthens. Shorter if stopped.
    pub fn principal_line(&mut self, position: &Position, stop: &dyn Fn() -> bool) -> Vec<Move> {
        let mut now = *position;
        let mut line = Vec::new();
        for step in self.general.principal_line(Standing::of(position), stop) {
            let mv = step.to_move(&now);
            now = now.after(mv).expect("the solver's moves are legal");
            line.push(mv);
        }
        line
    }

    /// Returns whether the player to move wins, or `None` if stopped before it is known.
    ///
    /// Half a question is often much quicker than [`solve`](Solver::solve).
    pub fn wins(&mut self, position: &Position, stop: &dyn Fn() -> bool) -> Option<bool> {
        self.half(position, Value::Win, stop)
    }

    /// Returns whether the player to move loses, or `None` if stopped before it is known.
    pub fn loses(&mut self, position: &Position, stop: &dyn Fn() -> bool) -> Option<bool> {
        self.half(position, Value::Loss, stop)
    }

    fn half(&mut self, position: &Position, value: Value, stop: &dyn Fn() -> bool) -> Option<bool> {
        if self.plain.is_none() || matches!(position.status(), Status::Over(_)) {
            return Some(self.solve(position, Question::Weak, stop).value()? == value);
        }
        let [mine, theirs] = Standing::of(position).sets;
        let contest = match value {
            Value::Win => Contest::can_mover_win(mine, theirs),
            Value::Draw | Value::Loss => Contest::can_mover_lose(mine, theirs),
        };
        match self.with_provers(stop, |ask| ask(contest)) {
            Some(Verdict::Proven(answer)) => Some(answer),
            Some(Verdict::Unknown) | None => None,
        }
    }

    /// Asks the provers whether the mover can force a line, and if not, whether the other can.
    fn who_wins(&mut self, position: &Position, stop: &dyn Fn() -> bool) -> Answer {
        let [mine, theirs] = Standing::of(position).sets;
        let ask_both = |ask: &mut dyn FnMut(Contest) -> Verdict| {
            let can_win = ask(Contest::can_mover_win(mine, theirs));
            // Nobody loses from the empty board: he could else pretend that the other's winning strategy were his own,
            // and the mark that he has in advance does no harm.
            let can_lose = match can_win {
                Verdict::Proven(true) => Verdict::Proven(false),
                _ if mine | theirs == 0 => Verdict::Proven(false),
                _ => ask(Contest::can_mover_lose(mine, theirs)),
            };
            Answer::of_plain(can_win, can_lose)
        };
        self.with_provers(stop, ask_both).unwrap_or(Answer::UNKNOWN)
    }

    /// Lets the provers of plain games answer what `questions` asks them; `None` where the rules have none.
    fn with_provers<R>(
        &mut self,
        stop: &dyn Fn() -> bool,
        questions: impl FnOnce(&mut dyn FnMut(Contest) -> Verdict) -> R,
    ) -> Option<R> {
        let (field, specialty) = self.plain.as_ref()?;
        // The provers forget when they are done; beside them, the general search keeps up to half of the memory.
        let bytes = if self.general.nodes() == 0 { self.max_bytes } else { self.max_bytes / 2 };
        let mut team = Team::new(field, bytes, *specialty);
        let meter = &self.meter;
        // The provers poll about every thousand nodes.
        let poll = || {
            meter.report(1000, 0, 1);
            stop()
        };
        let answer = questions(&mut |contest| team.prove(contest, &poll));
        self.n_plain_nodes += team.nodes();
        Some(answer)
    }
}

impl Answer {
    fn of_plain(can_win: Verdict, can_lose: Verdict) -> Answer {
        let worst = match (can_win, can_lose) {
            (Verdict::Proven(true), _) => Value::Win,
            (_, Verdict::Proven(false)) => Value::Draw,
            _ => Value::Loss,
        };
        let best = match (can_win, can_lose) {
            (_, Verdict::Proven(true)) => Value::Loss,
            (Verdict::Proven(false), _) => Value::Draw,
            _ => Value::Win,
        };
        Answer { worst, best, distance: None, proven: worst == best }
    }
}

/// Returns whether positions of these rules are for the provers: a player makes lines of his own mark, on a board that is
/// too large for a table of all positions.
fn is_provers_business(rules: &Rules) -> bool {
    /// Such a table is filled in a few milliseconds.
    const MAX_TABLE_SQUARES: usize = 12;
    rules.marks() == Marks::Own && rules.goal() == Goal::Complete && rules.grid().len() > MAX_TABLE_SQUARES
}
