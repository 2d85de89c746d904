//! The solver for one board.

use std::sync::Arc;

use crate::answer::{Answer, Question};
use crate::bit_position::BitPosition;
use crate::meter::Meter;
use crate::one_board::general_solver::GeneralSolver;
use crate::plain::{LineQuestion, NODES_PER_TURN, Portfolio, Prover, ProverGrid, ProverTables, StopCheck};
use crate::proof::ProofSource;
use crate::tables::search_tables::SearchTables;
use tictac::{Move, Position, Rules, State, Status, Value};
use tictac_proof::{BlockingAnswers, BlockingPosition};

/// A solver for positions of one set of rules, which stores what it has proved.
///
/// ```
/// use tictac::{Position, Rules, Value};
/// use tictac_solver::{Question, Solver};
///
/// let mut solver = Solver::new(&Rules::CLASSIC, 1 << 20);
/// let position = Position::parse("XX./OO./... X", &Rules::CLASSIC).unwrap();
/// let answer = solver.solve(&position, Question::Strong, &|| false);
/// assert_eq!((answer.value(), answer.distance), (Some(Value::Win), Some(1)));
/// ```
pub struct Solver {
    max_bytes: usize,
    general: GeneralSolver,
    // Provers for plain games on boards that are too large for a table.
    plain: Option<ProverGrid>,
    // The tables of a team; without them, each question has new ones.
    shared: Option<Arc<ProverTables>>,
    n_plain_nodes: u64,
}

debug_by_rules!(Solver, general.rules);

impl Solver {
    /// Returns a solver for `rules` on one board that uses at most about `max_bytes` of memory.
    pub fn new(rules: &Rules, max_bytes: usize) -> Solver {
        let general = GeneralSolver::new(*rules, general_bytes(rules, max_bytes));
        Solver::with_general(rules, max_bytes, general, None)
    }

    /// Returns a solver that uses `shared` tables of provers, if there are any.
    pub(crate) fn with_general(
        rules: &Rules,
        max_bytes: usize,
        general: GeneralSolver,
        shared: Option<Arc<ProverTables>>,
    ) -> Solver {
        let plain = has_provers(rules).then(|| ProverGrid::new(rules, general.tuning()));
        Solver { max_bytes, general, plain, shared, n_plain_nodes: 0 }
    }

    /// Returns up to `n_solvers` solvers that share what they prove, as [`SearchTables::team`] does for a weak question.
    pub fn team(rules: &Rules, max_bytes: usize, n_solvers: usize) -> Vec<Solver> {
        SearchTables::new(rules, max_bytes, n_solvers, Question::Weak).team()
    }

    /// Returns whether all positions are solved by a table of the whole board.
    pub(crate) const fn solves_whole_board(&self) -> bool {
        self.general.solves_whole_board()
    }

    /// Returns this solver with a meter to which it reports its progress.
    #[must_use]
    pub fn with_meter(mut self, meter: Arc<Meter>) -> Solver {
        self.general.meter = meter;
        self
    }

    /// Returns a short description of the method.
    pub const fn method(&self) -> &'static str {
        if self.plain.is_some() {
            "provers of lines"
        } else if self.general.solves_whole_board() {
            "table of all positions"
        } else if self.general.is_drop_game() {
            "search of drop games"
        } else {
            "search, then table"
        }
    }

    /// Returns the number of positions searched so far, not counting those of a table of all positions.
    pub const fn nodes(&self) -> u64 {
        self.general.nodes + self.n_plain_nodes
    }

    /// Answers a question about a position of the solver's rules.
    ///
    /// If `stop`, which is called regularly, returns true, the answer is what has been proved until then.
    ///
    /// # Panics
    ///
    /// This and every other question panics if the position has other rules than the solver.
    pub fn solve(&mut self, position: &Position, question: Question, stop: &dyn Fn() -> bool) -> Answer {
        if let Some(answer) = self.look_up(position, question) {
            return answer;
        }
        if self.plain.is_none() || matches!(position.status(), Status::Over(_)) {
            return self.general.solve(position, question, stop);
        }
        let known = self.who_wins(position, question, stop);
        match (known.value(), question) {
            (None | Some(Value::Draw), _) | (_, Question::Weak) => known,
            (Some(Value::Win | Value::Loss), Question::Strong) => {
                let timed = self.general.solve(position, Question::Strong, stop);
                Answer { distance: timed.distance, proven: timed.proven, ..known }
            }
        }
    }

    /// Returns the answer from a table of all positions, or `None` if the position is not in a table.
    ///
    /// On boards of up to 12 squares, the first call of [`solve`](Solver::solve) fills such a table.
    #[inline]
    pub fn look_up(&self, position: &Position, question: Question) -> Option<Answer> {
        let position = self.general.bits(position);
        let bounds = self.general.look_up_in_table(position)?;
        Some(Answer::from_bounds(bounds, question, position.ply()))
    }

    /// Answers a question about every legal move.
    ///
    /// Values are those of the player who makes the move, and distances include the move.
    pub fn moves(
        &mut self,
        position: &Position,
        question: Question,
        stop: &dyn Fn() -> bool,
    ) -> Vec<(Move, Answer)> {
        if self.plain.is_none() {
            return self.general.moves(position, question, stop);
        }
        // Each move starts the provers again, so the caller is asked between moves too.
        let mut is_stopped = false;
        let mut answer = |mv| {
            is_stopped = is_stopped || stop();
            if is_stopped {
                return Answer::UNKNOWN;
            }
            let after = position.after(mv).expect("a move from `moves` is legal");
            self.solve(&after, question, stop).for_mover()
        };
        position.moves().map(|mv| (mv, answer(mv))).collect()
    }

    /// Returns a line of best play to the end, in which the winner wins as early and the loser loses as late as possible.
    ///
    /// The line is incomplete if the solver is stopped.
    pub fn principal_line(&mut self, position: &Position, stop: &dyn Fn() -> bool) -> Vec<Move> {
        self.general.principal_line(position, stop)
    }

    /// Returns whether the position has this value, or `None` if stopped before that is known.
    ///
    /// For a win or a loss this is often much faster than [`solve`](Solver::solve).
    pub fn has_value(&mut self, position: &Position, value: Value, stop: &dyn Fn() -> bool) -> Option<bool> {
        let [mine, theirs] = self.general.bits(position).sets;
        let question = match value {
            _ if self.plain.is_none() || matches!(position.status(), Status::Over(_)) => None,
            Value::Win => Some(LineQuestion::can_mover_win(mine, theirs)),
            Value::Draw => None,
            Value::Loss => Some(LineQuestion::can_mover_lose(mine, theirs)),
        };
        match question {
            Some(question) => self.with_provers(stop, |prove| prove(question))?,
            None => Some(self.solve(position, Question::Weak, stop).value()? == value),
        }
    }

    /// Calls `work` with a source of proofs that keeps the tables of the provers until `work` returns.
    ///
    /// A proof of a position thus helps with the positions below it. Rules without provers ignore the number of nodes.
    pub fn with_tables<R>(
        &mut self,
        stop: &dyn Fn() -> bool,
        work: impl FnOnce(&mut dyn ProofSource) -> R,
    ) -> R {
        if self.plain.is_none() {
            return work(&mut |state: &State, value, _| self.has_value(state.position()?, value, stop));
        }
        let rules = self.general.rules;
        let with_portfolio = |portfolio: &mut Portfolio<'_>, stop: StopCheck<'_>| {
            work(&mut ProverSource { rules, portfolio, stop })
        };
        self.with_portfolio(stop, with_portfolio).expect("these rules have provers")
    }

    /// Proves whether the player to move can force a line, and if not, whether the other player can.
    fn who_wins(&mut self, position: &Position, question: Question, stop: &dyn Fn() -> bool) -> Answer {
        let [mine, theirs] = self.general.bits(position).sets;
        let meter = Arc::clone(&self.general.meter);
        let prove_both = |prove: &mut dyn FnMut(LineQuestion) -> Option<bool>| {
            // The first player does not lose from the empty board, see below.
            let is_safe = (mine | theirs == 0).then_some(false);
            report(&meter, question, Answer::from_proofs(None, is_safe));
            let can_win = prove(LineQuestion::can_mover_win(mine, theirs));
            report(&meter, question, Answer::from_proofs(can_win, is_safe));
            // The first player does not lose from the empty board: otherwise the first player could make any move and then
            // adopt the second player's winning strategy, because an extra mark does no harm.
            let can_lose = match can_win {
                Some(true) => Some(false),
                _ if mine | theirs == 0 => Some(false),
                _ => prove(LineQuestion::can_mover_lose(mine, theirs)),
            };
            Answer::from_proofs(can_win, can_lose)
        };
        self.with_provers(stop, prove_both).unwrap_or(Answer::UNKNOWN)
    }

    /// Calls `questions` with a function that runs the provers; returns `None` if the rules have no provers.
    fn with_provers<R>(
        &mut self,
        stop: &dyn Fn() -> bool,
        questions: impl FnOnce(&mut dyn FnMut(LineQuestion) -> Option<bool>) -> R,
    ) -> Option<R> {
        if stop() {
            return self.plain.is_some().then(|| questions(&mut |_| None));
        }
        self.with_portfolio(stop, |portfolio, poll| {
            questions(&mut |question| portfolio.prove(question, poll))
        })
    }

    /// Calls `work` with new provers and a check that stops them; returns `None` if the rules have no provers.
    fn with_portfolio<R>(
        &mut self,
        stop: &dyn Fn() -> bool,
        work: impl FnOnce(&mut Portfolio<'_>, StopCheck<'_>) -> R,
    ) -> Option<R> {
        let grid = self.plain.as_ref()?;
        // New tables are dropped afterwards; the general search may hold up to half of the memory.
        let bytes = if self.general.nodes == 0 { self.max_bytes } else { self.max_bytes / 2 };
        let tables = self.shared.clone().unwrap_or_else(|| Arc::new(ProverTables::new(bytes, 1)));
        let mut portfolio = Portfolio::new(grid, &tables);
        let meter = &self.general.meter;
        let poll = |nodes: u64| {
            if nodes > 0 && nodes.is_multiple_of(NODES_PER_TURN) {
                let (used, capacity) = tables.fill();
                meter.report(NODES_PER_TURN, used, capacity);
                meter.set_proof_numbers(tables.root_numbers.get());
            }
            stop()
        };
        let result = work(&mut portfolio, &poll);
        self.n_plain_nodes += portfolio.nodes();
        Some(result)
    }
}

/// The provers and their tables, as the construction of a certificate uses them.
struct ProverSource<'a, 'b> {
    rules: Rules,
    portfolio: &'a mut Portfolio<'b>,
    stop: StopCheck<'a>,
}

impl ProverSource<'_, '_> {
    fn prove(&mut self, question: LineQuestion, max_nodes: u64) -> Option<bool> {
        match max_nodes {
            0 => self.portfolio.look_up(question),
            u64::MAX => self.portfolio.prove(question, self.stop),
            _ => self.portfolio.prove_within(question, max_nodes, self.stop),
        }
    }
}

impl ProofSource for ProverSource<'_, '_> {
    fn has_value(&mut self, state: &State, value: Value, max_nodes: u64) -> Option<bool> {
        let [mine, theirs] = BitPosition::new(state.position()?, &self.rules).sets;
        let [can_win, can_lose] =
            [LineQuestion::can_mover_win(mine, theirs), LineQuestion::can_mover_lose(mine, theirs)];
        match value {
            Value::Win => self.prove(can_win, max_nodes),
            // The first player does not lose from the empty board, see `who_wins`.
            Value::Loss if mine | theirs == 0 => Some(false),
            Value::Loss => self.prove(can_lose, max_nodes),
            Value::Draw => Some(!self.prove(can_win, max_nodes)? && !self.prove(can_lose, max_nodes)?),
        }
    }

    fn blocking_answers(
        &mut self,
        positions: &[BlockingPosition],
        max_nodes: u64,
    ) -> Option<Vec<BlockingAnswers>> {
        let answers = |&position| {
            // Answers by pairings search no nodes, so the caller is asked for every position.
            let is_stopped = (self.stop)(0);
            (!is_stopped).then(|| self.portfolio.blocking_answers(position, max_nodes, self.stop))?
        };
        positions.iter().map(answers).collect()
    }
}

impl Answer {
    /// Returns the answer that follows from the two questions about a plain game.
    fn from_proofs(can_win: Option<bool>, can_lose: Option<bool>) -> Answer {
        let worst = match (can_win, can_lose) {
            (Some(true), _) => Value::Win,
            (_, Some(false)) => Value::Draw,
            _ => Value::Loss,
        };
        let best = match (can_win, can_lose) {
            (_, Some(true)) => Value::Loss,
            (Some(false), _) => Value::Draw,
            _ => Value::Win,
        };
        Answer { worst, best, distance: None, proven: worst == best }
    }
}

/// Reports what a weak question has proved; a strong one is about one of several moves.
fn report(meter: &Meter, question: Question, known: Answer) {
    if question == Question::Weak {
        meter.narrow(known.worst, known.best);
    }
}

/// Returns the part of the memory that the general search may use.
pub(crate) fn general_bytes(rules: &Rules, max_bytes: usize) -> usize {
    if has_provers(rules) { max_bytes / 2 } else { max_bytes }
}

/// Returns whether positions of these rules are solved by the provers: each player has a mark, a line wins, and the board is
/// too large for a table of all positions.
pub(crate) fn has_provers(rules: &Rules) -> bool {
    /// A table of this size is filled in a few milliseconds.
    const MAX_TABLE_SQUARES: usize = 12;
    rules.is_mnk() && rules.grid().len() > MAX_TABLE_SQUARES
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the value and distance of the position after these columns were played, from 1.
    fn solved(rules: &str, columns: &str) -> (Option<Value>, Option<u32>) {
        let rules: Rules = rules.parse().unwrap();
        let position = columns.bytes().fold(Position::start(&rules).unwrap(), |position, digit| {
            let column = usize::from(digit - b'1');
            let mv = position.moves().find(|mv| rules.grid().column(mv.square) == column).unwrap();
            position.after(mv).unwrap()
        });
        let mut solver = Solver::new(&rules, 1 << 24);
        let answer = solver.solve(&position, Question::Strong, &|| false);
        let best = solver.moves(&position, Question::Strong, &|| false);
        assert_eq!(Answer::from_moves(&best), answer, "{rules} {columns}");
        let line = solver.principal_line(&position, &|| false);
        assert!(answer.distance.is_none_or(|plies| line.len() == plies as usize), "{rules} {columns}");
        (answer.value(), answer.distance)
    }

    #[test]
    fn drop_games_have_their_known_values() {
        assert_eq!(solved("4,4,4 drop", ""), (Some(Value::Draw), None));
        assert_eq!(solved("4,5,4 drop", ""), (Some(Value::Draw), None));
        assert_eq!(solved("4,6,4 drop", "").0, Some(Value::Loss));
        assert_eq!(solved("connect-four", "112233"), (Some(Value::Win), Some(1)));
    }

    #[test]
    fn the_search_of_drop_games_agrees_with_the_general_search() {
        // Without its top row, a board of five rows is one of four, but not a plain one.
        let games = ["", "1234", "1124", "22", "3414"];
        for (plain, other) in [
            ("4,4,3 drop", "5,4,3 drop without=A1,A2,A3,A4"),
            ("4,4,3 drop misere", "5,4,3 drop misere without=A1,A2,A3,A4"),
        ] {
            for columns in games {
                assert_eq!(solved(plain, columns), solved(other, columns), "{plain} {columns}");
            }
        }
    }
}
