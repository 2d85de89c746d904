//! Look-ups of many boards at once, and the table of all positions as arrays.

use std::io;
use std::sync::Arc;
use std::thread::{self, ScopedJoinHandle};

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use tictac::{Board, Mark, Position, Rules, SquareSet};

use crate::action;
use crate::dense::DenseTable;
use crate::faults;
use crate::interrupt;
use crate::rules::RulesArgument;
use crate::solution::no_table;

/// Returns the table of `rules`; the first call may take seconds and can be interrupted.
pub(crate) fn table_of(py: Python<'_>, rules: &Rules) -> PyResult<Arc<DenseTable>> {
    if !DenseTable::fits(rules) {
        return Err(no_table(rules));
    }
    let table = interrupt::run(py, None, |interrupt| DenseTable::of(rules, &|| interrupt.is_set()))?;
    table.ok_or_else(|| no_table(rules))
}

/// Looks up boards, each a pair of the squares of X and those of O; `what` is "values", "distances", "best" or "legal".
///
/// The boards are copied first, because other threads may change the array while the interpreter lock is released.
#[pyfunction]
#[pyo3(signature = (boards, rules, what, threads))]
pub(crate) fn look_up<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
    rules: RulesArgument,
    what: &str,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    if boards.as_array().ncols() != 2 {
        return Err(faults::value_error("boards must have the shape (n, 2)"));
    }
    let table = table_of(py, &rules.0)?;
    let pairs: Vec<[u64; 2]> = boards.as_array().rows().into_iter().map(|row| [row[0], row[1]]).collect();
    let n_actions = action::n_actions(&rules.0);
    let threads = thread_count(threads);
    match what {
        "values" | "distances" => {
            let is_value = what == "values";
            let mut out = vec![0_i8; pairs.len()];
            let found = py.detach(|| {
                fill(&pairs, &mut out, 1, threads, |[x, o], out| {
                    let known = table.known(table.find(x, o)?);
                    out[0] = if is_value { known.value } else { known.distance };
                    Some(())
                })
            });
            found.map_err(|error| error.into_error(&rules.0, &pairs))?;
            Ok(out.into_pyarray(py).into_any())
        }
        "best" | "legal" => {
            let is_best = what == "best";
            let mut out = vec![false; pairs.len() * n_actions];
            let found = py.detach(|| {
                fill(&pairs, &mut out, n_actions, threads, |[x, o], out| {
                    let cell = table.find(x, o)?;
                    let mask = if is_best { table.best(cell, x, o) } else { legal(&table, x, o) };
                    for (action, out) in out.iter_mut().enumerate() {
                        *out = mask >> action & 1 == 1;
                    }
                    Some(())
                })
            });
            found.map_err(|error| error.into_error(&rules.0, &pairs))?;
            Ok(out.into_pyarray(py).reshape([pairs.len(), n_actions])?.into_any())
        }
        _ => Err(faults::value_error(format!("what: {what:?} is not a thing to look up"))),
    }
}

fn legal(table: &DenseTable, x: u64, o: u64) -> u32 {
    table.children(x, o).fold(0, |mask, (action, ..)| mask | 1_u32 << action)
}

/// Returns the number of threads to use; 0 stands for all cores.
fn thread_count(threads: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if threads == 0 { cores } else { threads.min(4 * cores) }
}

/// Why a look-up failed.
enum NoAnswer {
    /// This board is not a position.
    Board(usize),
    /// The system has no more threads.
    NoThread,
}

impl NoAnswer {
    fn into_error(self, rules: &Rules, boards: &[[u64; 2]]) -> PyErr {
        match self {
            NoAnswer::Board(place) => impossible(rules, boards, place),
            NoAnswer::NoThread => PyOSError::new_err("threads: the system cannot start another thread"),
        }
    }
}

/// Calls `answer` with every board and its part of `out`, on several threads; returns the first board without an answer.
fn fill<T: Send>(
    boards: &[[u64; 2]],
    out: &mut [T],
    width: usize,
    threads: usize,
    answer: impl Fn([u64; 2], &mut [T]) -> Option<()> + Sync,
) -> Result<(), NoAnswer> {
    let share = boards.len().div_ceil(threads).max(1);
    let work = |first: usize, boards: &[[u64; 2]], out: &mut [T]| {
        let mut pairs = boards.iter().zip(out.chunks_exact_mut(width)).enumerate();
        match pairs.find_map(|(place, (&board, out))| answer(board, out).is_none().then_some(place)) {
            None => Ok(()),
            Some(place) => Err(NoAnswer::Board(first + place)),
        }
    };
    if boards.len() <= share {
        return work(0, boards, out);
    }
    thread::scope(|scope| {
        let parts = boards.chunks(share).zip(out.chunks_mut(share * width)).enumerate();
        let start = |(number, (boards, out))| {
            thread::Builder::new().spawn_scoped(scope, move || work(number * share, boards, out))
        };
        let handles: Vec<_> = parts.map(start).collect();
        let join = |handle: io::Result<ScopedJoinHandle<'_, Result<(), NoAnswer>>>| {
            handle.ok().and_then(|handle| handle.join().ok()).unwrap_or(Err(NoAnswer::NoThread))
        };
        handles.into_iter().try_for_each(join)
    })
}

/// Returns the exception for a board that no legal game reaches.
fn impossible(rules: &Rules, boards: &[[u64; 2]], place: usize) -> PyErr {
    let [x, o] = boards[place].map(SquareSet::from_bits);
    let reason = match Board::new(x, o).map(|board| Position::set_up(board, Mark::X, rules)) {
        None => "a square holds both marks".to_owned(),
        Some(Err(reason)) => reason.to_string(),
        Some(Ok(_)) => "no legal game with X to open reaches it".to_owned(),
    };
    faults::value_error(format!("boards[{place}] is not a position of {rules}: {reason}"))
}

/// The arrays of a table: boards, values, distances, best moves, whether the game is over, and children.
type TableArrays<'py> = (
    Bound<'py, PyArray2<u64>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray2<bool>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray2<i32>>,
);

/// Returns all reachable positions of small rules as arrays, by the number of marks.
///
/// The last array holds, for each position and action, the row of the position after it, or -1 if the action is illegal.
#[pyfunction]
pub(crate) fn table_arrays(py: Python<'_>, rules: RulesArgument) -> PyResult<TableArrays<'_>> {
    let table = table_of(py, &rules.0)?;
    let n_actions = action::n_actions(table.rules());
    let rows = py.detach(|| TableRows::new(&table, n_actions));
    let n = rows.values.len();
    Ok((
        rows.boards.into_pyarray(py).reshape([n, 2])?,
        rows.values.into_pyarray(py),
        rows.distances.into_pyarray(py),
        rows.best.into_pyarray(py).reshape([n, n_actions])?,
        rows.over.into_pyarray(py),
        rows.children.into_pyarray(py).reshape([n, n_actions])?,
    ))
}

#[derive(Default)]
struct TableRows {
    boards: Vec<u64>,
    values: Vec<i8>,
    distances: Vec<i8>,
    best: Vec<bool>,
    over: Vec<bool>,
    children: Vec<i32>,
}

impl TableRows {
    fn new(table: &DenseTable, n_actions: usize) -> TableRows {
        let positions = table.positions();
        let mut row_of_cell = vec![-1_i32; table.n_cells()];
        for (row, &(x, o)) in (0..).zip(&positions) {
            row_of_cell[table.cell(x, o)] = row;
        }
        let mut rows = TableRows { children: vec![-1; positions.len() * n_actions], ..TableRows::default() };
        for (row, &(x, o)) in positions.iter().enumerate() {
            let cell = table.cell(x, o);
            let known = table.known(cell);
            let best = table.best(cell, x, o);
            rows.boards.extend([x, o]);
            rows.values.push(known.value);
            rows.distances.push(known.distance);
            rows.best.extend((0..n_actions).map(|action| best >> action & 1 == 1));
            rows.over.push(table.is_over(x, o));
            for (action, x, o) in table.children(x, o) {
                rows.children[row * n_actions + action] = row_of_cell[table.cell(x, o)];
            }
        }
        rows
    }
}
