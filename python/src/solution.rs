//! The oracle for one position: `solve`, `best_moves` and `judge`.

use std::sync::{LazyLock, Mutex};

use pyo3::exceptions::PyTimeoutError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use tictac::{Move, State, Status, Value};
use tictac_solver::{Analyst, Answer, JudgedMove, Oracle, Question, Refutation, Verdict};

use crate::faults;
use crate::game::GameArgument;
use crate::interrupt;
use crate::position::{PositionArgument, PyPosition};
use crate::rules::RulesArgument;

/// The memory limit of all solvers together; 3×3 needs 100 kB.
const MAX_BYTES: usize = 1 << 29;
/// The number of rules for which the solvers and what they have proved are kept.
const MAX_ORACLES: usize = 4;

static ANALYST: LazyLock<Mutex<Analyst>> =
    LazyLock::new(|| Mutex::new(Analyst::new(MAX_BYTES).with_max_oracles(MAX_ORACLES)));

/// Calls `work` with an oracle for the rules of `state`.
pub(crate) fn with_oracle<T>(state: &State, work: impl FnOnce(&mut Oracle) -> T) -> T {
    with_analyst(|analyst| work(analyst.oracle(state.rules())))
}

/// Calls `work` with an analyst.
///
/// The one that keeps its results is used by one thread at a time. Another thread, or a process forked while it was in use,
/// gets a new one, so that none of them ever waits.
fn with_analyst<T>(work: impl FnOnce(&mut Analyst) -> T) -> T {
    match ANALYST.try_lock() {
        Ok(mut analyst) => work(&mut analyst),
        Err(_) => work(&mut Analyst::new(MAX_BYTES / MAX_ORACLES)),
    }
}

/// The proved facts about a position, as `solve` returns them.
#[pyclass(module = "tictac", frozen)]
pub(crate) struct Solution {
    state: State,
    answer: Answer,
    question: Question,
    seconds: Option<f64>,
}

#[pymethods]
impl Solution {
    /// The value for the player to move: Value.WIN, Value.DRAW or Value.LOSS; None if it is not proved.
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.answer.value().map(|value| value_object(py, value)).transpose()
    }

    /// The number of plies to the end; None for a draw, or if it is not proved.
    #[getter]
    fn distance(&self) -> Option<u32> {
        self.answer.distance
    }

    /// Whether the value is proved and, with one board, also the distance if it was asked for.
    #[getter]
    fn proven(&self) -> bool {
        self.answer.proven
    }

    /// The worst and the best value that are still possible.
    #[getter]
    fn bounds(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
        Ok((value_object(py, self.answer.worst)?, value_object(py, self.answer.best)?))
    }

    /// The position that was solved.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition(self.state.clone())
    }

    /// Every legal move with its value and distance for the player who makes it; computed when it is read.
    #[getter]
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<MoveValue>> {
        let (answers, _) = answers(py, &self.state, self.question, self.seconds)?;
        answers.into_iter().map(|(mv, answer)| move_value(py, &self.state, mv, &answer)).collect()
    }

    /// The best moves: the quickest wins, else the draws, else the slowest losses; computed when it is read.
    ///
    /// With `distance=False`, all moves that keep the value. Raises TimeoutError if the time limit leaves them open.
    #[getter]
    fn best_moves(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        best_names(py, &self.state, self.question, self.seconds)
    }

    /// A line of best play to the end; computed when it is read.
    ///
    /// It is empty where there are too many boards to search for distances. Raises TimeoutError if it was not proved within the
    /// time limit.
    #[getter]
    fn line(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let (line, is_stopped) = interrupt::run(py, self.seconds, |interrupt| {
            let line =
                with_oracle(&self.state, |oracle| oracle.principal_line(&self.state, &|| interrupt.is_set()));
            (line, interrupt.is_set())
        })?;
        let mut end = self.state.clone();
        let is_legal = line.iter().all(|&mv| end.play(mv).is_ok());
        if is_stopped && !(is_legal && matches!(end.status(), Status::Over(_))) {
            return Err(timeout("line of best play was not proved"));
        }
        Ok(line.into_iter().map(|mv| mv.name(self.state.rules()).to_string()).collect())
    }

    fn __repr__(&self) -> String {
        let distance = self.answer.distance.map(|plies| format!(", distance={plies}")).unwrap_or_default();
        match self.answer.value() {
            Some(value) => format!("<Solution of {}: {}{distance}>", self.state, value_name(value)),
            None => format!("<Solution of {}: not proved>", self.state),
        }
    }
}

/// A move, its value and its distance.
type MoveValue = (String, Option<Py<PyAny>>, Option<u32>);

fn move_value(py: Python<'_>, state: &State, mv: Move, answer: &Answer) -> PyResult<MoveValue> {
    let value = answer.value().map(|value| value_object(py, value)).transpose()?;
    Ok((mv.name(state.rules()).to_string(), value, answer.distance))
}

/// Returns what is proved about each legal move, and whether the time is over.
fn answers(
    py: Python<'_>,
    state: &State,
    question: Question,
    seconds: Option<f64>,
) -> PyResult<(Vec<(Move, Answer)>, bool)> {
    interrupt::run(py, seconds, |interrupt| {
        let answers = with_oracle(state, |oracle| oracle.moves(state, question, &|| interrupt.is_set()));
        (answers, interrupt.is_set())
    })
}

/// Returns the exception for a question that the time limit leaves open.
pub(crate) fn timeout(what: &str) -> PyErr {
    PyTimeoutError::new_err(format!("seconds: the {what} in time"))
}

fn best_names(
    py: Python<'_>,
    state: &State,
    question: Question,
    seconds: Option<f64>,
) -> PyResult<Vec<String>> {
    let (answers, is_stopped) = answers(py, state, question, seconds)?;
    if !is_best_known(&answers, is_stopped && question == Question::Strong) {
        return Err(timeout("best moves were not proved"));
    }
    Ok(Answer::best_moves(&answers).iter().map(|mv| mv.name(state.rules()).to_string()).collect())
}

/// Returns whether it is proved which moves are best.
fn is_best_known(answers: &[(Move, Answer)], needs_distances: bool) -> bool {
    let top = answers.iter().map(|(_, answer)| answer.worst).max();
    top.is_none_or(|value| is_settled(answers, value, needs_distances))
}

/// Returns whether it is known which moves have the value `top` and, if `needs_distances`, how soon each of them ends the game.
///
/// With several boards a value can be proved without its distance: because there are too many boards, in which case no move
/// has one, or because the search was stopped.
fn is_settled(answers: &[(Move, Answer)], top: Value, needs_distances: bool) -> bool {
    let rivals = || answers.iter().map(|(_, answer)| answer).filter(|answer| answer.best >= top);
    let n_distances = rivals().filter(|answer| answer.distance.is_some()).count();
    let are_ordered = match n_distances {
        0 => !needs_distances,
        n => n == rivals().count(),
    };
    rivals().all(|answer| answer.proven) && (top == Value::Draw || are_ordered)
}

/// Solves a position: a `Position`, a `Game`, rules (their start), or the text of a position or of rules.
///
/// The text of a position is read under `rules`, 3,3,3 by default. With `distance=False` only the value is asked for, which is
/// often much faster on large boards. After `seconds` the answer is what has been proved until then.
///
/// >>> import tictac
/// >>> solution = tictac.solve("X.O/.X./... O")
/// >>> solution.value
/// <Value.DRAW: 'draw'>
/// >>> solution.best_moves, solution.value == "draw"
/// (['C3'], True)
/// >>> tictac.solve("4,4,3").distance
/// 5
#[pyfunction]
#[pyo3(signature = (position, rules = None, *, distance = true, seconds = None))]
pub(crate) fn solve(
    py: Python<'_>,
    position: PositionArgument<'_, '_>,
    rules: Option<RulesArgument>,
    distance: bool,
    seconds: Option<f64>,
) -> PyResult<Solution> {
    let state = position.resolve(py, rules)?;
    let question = if distance { Question::Strong } else { Question::Weak };
    let answer = interrupt::run(py, seconds, |interrupt| {
        with_oracle(&state, |oracle| oracle.solve(&state, question, &|| interrupt.is_set()))
    })?;
    Ok(Solution { state, answer, question, seconds })
}

/// Returns the best moves: the quickest wins, else the draws, else the slowest losses; none when the game is over.
///
/// Raises TimeoutError if they are not proved within `seconds`.
///
/// >>> import tictac
/// >>> tictac.best_moves("XX./OO./... X")
/// ['A3']
#[pyfunction]
#[pyo3(signature = (position, rules = None, *, seconds = None))]
pub(crate) fn best_moves(
    py: Python<'_>,
    position: PositionArgument<'_, '_>,
    rules: Option<RulesArgument>,
    seconds: Option<f64>,
) -> PyResult<Vec<String>> {
    best_names(py, &position.resolve(py, rules)?, Question::Strong, seconds)
}

/// A move of a game and how good it was, as `judge` returns it.
#[pyclass(module = "tictac", frozen)]
pub(crate) struct JudgedPly {
    judged: JudgedMove,
    /// Whether the best moves are proved to be the best.
    is_best_known: bool,
}

#[pymethods]
impl JudgedPly {
    /// The name of the move.
    #[getter]
    #[pyo3(name = "move")]
    fn name(&self) -> String {
        self.judged.mv.name(self.judged.state.rules()).to_string()
    }

    /// The verdict: "best", "ok", "mistake" or "blunder"; None if too little is proved.
    #[getter]
    fn verdict(&self) -> Option<&'static str> {
        let is_draw = self.judged.after.value() == Some(Value::Draw);
        match self.judged.verdict? {
            // A move that keeps the value may still miss a quicker win or a slower loss.
            Verdict::Best | Verdict::Ok if !(self.is_best_known || is_draw) => None,
            Verdict::Best => Some("best"),
            Verdict::Ok => Some("ok"),
            Verdict::Mistake => Some("mistake"),
            Verdict::Blunder => Some("blunder"),
        }
    }

    /// The value of the position before the move, for the player who moves.
    #[getter]
    fn before(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.judged.before.value().map(|value| value_object(py, value)).transpose()
    }

    /// The value after the move, for the same player.
    #[getter]
    fn after(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.judged.after.value().map(|value| value_object(py, value)).transpose()
    }

    /// The names of the best moves; None if they are not proved.
    #[getter]
    fn best(&self) -> Option<Vec<String>> {
        let name = |mv: &Move| mv.name(self.judged.state.rules()).to_string();
        self.is_best_known.then(|| self.judged.best.iter().map(name).collect())
    }

    /// What the verdict probably is where none is proved: "mistake" if the move misses a forced win, "blunder" if it loses by force
    /// and another move may hold; otherwise None.
    #[getter]
    fn estimate(&self) -> Option<String> {
        self.judged.estimate.map(|verdict| verdict.to_string())
    }

    /// The moves that show why the move was wrong: play after it with which the opponent wins, or, where it misses a win, play in
    /// its place that wins. None if the move was not wrong, or if no such play was found in time.
    #[getter]
    fn refutation(&self) -> Option<Vec<String>> {
        let name = |mv: &Move| mv.name(self.judged.state.rules()).to_string();
        self.judged.refutation.as_ref().map(|refutation| refutation.moves().iter().map(name).collect())
    }

    /// Whether the refutation starts with a move in place of this one.
    #[getter]
    fn missed_win(&self) -> bool {
        matches!(self.judged.refutation, Some(Refutation::Keeps(_)))
    }

    /// Why the move was wrong or, in Notakto on several boards, what the boards are worth after it; None if there is nothing to say.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.judged.reason()
    }

    /// The position before the move.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition(self.judged.state.clone())
    }

    fn __repr__(&self) -> String {
        format!("<{}: {}>", self.name(), self.verdict().unwrap_or("not proved"))
    }
}

/// Judges every move of a game: a `Game`, a `Record`, or the text of a record, which is read under `rules`.
///
/// After `seconds`, the verdict on a move is None unless it is proved.
///
/// >>> import tictac
/// >>> tictac.judge(tictac.Game(moves=["A1", "A2", "B1", "C1"]))
/// [<A1: best>, <A2: blunder>, <B1: best>, <C1: best>]
/// >>> tictac.judge("1 X A1\n2 O A2\n")
/// [<A1: best>, <A2: blunder>]
/// >>> wrong = tictac.judge("1 X B2\n2 O A1\n3 X A2\n4 O A3\n")[3]
/// >>> wrong.refutation, wrong.reason
/// (['C2'], 'X replies C2, which completes A2-B2-C2')
#[pyfunction]
#[pyo3(signature = (game, rules = None, *, seconds = None))]
pub(crate) fn judge(
    py: Python<'_>,
    game: GameArgument<'_>,
    rules: Option<RulesArgument>,
    seconds: Option<f64>,
) -> PyResult<Vec<JudgedPly>> {
    let game = game.resolve(py, rules)?;
    let n_moves = game.moves().len();
    interrupt::run(py, seconds, |interrupt| {
        with_analyst(|analyst| {
            let mut next = game.start().clone();
            let judge_ply = |(number, &mv): (usize, &Move)| {
                let state = next.clone();
                next.play(mv).expect("the moves of a game are legal");
                // Every move gets an equal share of the time that is left.
                let left = interrupt.left();
                let end = left.saturating_sub(left / (n_moves - number) as u32);
                let share = || interrupt.left().saturating_sub(end);
                let survey = analyst.survey(&state, &share);
                let judged = analyst.judge_among(&state, &survey, mv, &share);
                let is_best_known = is_best_known(&survey.moves, share().is_zero());
                JudgedPly { judged, is_best_known }
            };
            game.moves().iter().enumerate().map(judge_ply).collect()
        })
    })
}

const fn value_name(value: Value) -> &'static str {
    match value {
        Value::Win => "win",
        Value::Draw => "draw",
        Value::Loss => "loss",
    }
}

/// Returns the member of the enum `tictac.Value`.
pub(crate) fn value_object(py: Python<'_>, value: Value) -> PyResult<Py<PyAny>> {
    static MEMBERS: PyOnceLock<[Py<PyAny>; 3]> = PyOnceLock::new();
    let members = MEMBERS.get_or_try_init(py, || {
        let class = py.import("tictac._value")?.getattr("Value")?;
        let member = |value| PyResult::Ok(class.call1((value_name(value),))?.unbind());
        PyResult::Ok([member(Value::Loss)?, member(Value::Draw)?, member(Value::Win)?])
    })?;
    let place = match value {
        Value::Loss => 0,
        Value::Draw => 1,
        Value::Win => 2,
    };
    Ok(members[place].clone_ref(py))
}

/// Returns the exception for rules that are too large for a table of all positions.
pub(crate) fn no_table(rules: &tictac::Rules) -> PyErr {
    faults::value_error(format!(
        "rules: {rules} is too large for a table of all positions, which takes one board of up to 16 squares \
         (12 in wild games); solve() and best_moves() answer for single positions"
    ))
}
