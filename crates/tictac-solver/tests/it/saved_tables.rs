//! The tables of a search can be saved at any time, and another search continues from them.

use std::cell::Cell;
use std::thread;

use tictac::{Position, Rules, Value};
use tictac_solver::{Answer, DamagedTables, Question, SearchTables};

const BYTES: usize = 1 << 24;

fn tables(rules: &str, n_solvers: usize) -> SearchTables {
    SearchTables::new(&rules.parse().unwrap(), BYTES, n_solvers, Question::Weak)
}

fn start(rules: &str) -> Position {
    Position::start(&rules.parse::<Rules>().unwrap()).unwrap()
}

fn saved(tables: &SearchTables) -> Vec<u8> {
    let mut saved = Vec::new();
    let write = &mut |bytes: &[u8]| {
        saved.extend_from_slice(bytes);
        Ok::<(), DamagedTables>(())
    };
    tables.save(write).unwrap();
    saved
}

fn load(tables: &SearchTables, mut saved: &[u8]) -> Result<(), DamagedTables> {
    tables.load(&mut |bytes| {
        let (head, tail) = saved.split_at_checked(bytes.len()).ok_or(DamagedTables)?;
        bytes.copy_from_slice(head);
        saved = tail;
        Ok(())
    })
}

/// Searches with one solver until `stop` has been called `n_calls` times; returns the answer and the number of nodes.
fn solve(tables: &SearchTables, position: &Position, n_calls: u64) -> (Answer, u64) {
    let calls = Cell::new(0);
    let stop = || calls.replace(calls.get() + 1) >= n_calls;
    let mut solver = tables.team().remove(0);
    let answer = solver.solve(position, Question::Weak, &stop);
    (answer, solver.nodes())
}

#[track_caller]
fn check_continued(rules: &str, value: Value) {
    let position = start(rules);
    let (answer, whole) = solve(&tables(rules, 1), &position, u64::MAX);
    assert_eq!(answer.value(), Some(value), "{rules}");
    // Killed after each part of the search, and continued by a new process from what was saved last.
    let (mut bytes, mut total, mut last) = (saved(&tables(rules, 1)), 0, 0);
    for n_calls in [whole / 64, whole / 64, u64::MAX] {
        let resumed = tables(rules, 1);
        load(&resumed, &bytes).unwrap();
        let (answer, nodes) = solve(&resumed, &position, n_calls);
        assert!(answer.proven || n_calls < u64::MAX, "{rules}");
        assert!(answer.value().is_none_or(|found| found == value), "{rules}");
        (bytes, total, last) = (saved(&resumed), total + nodes, nodes);
    }
    assert!(last < whole, "{rules}: {last} nodes of {whole} after two stops");
    assert!(total < whole + whole / 2, "{rules}: {total} nodes in all, {whole} without a stop");
    // What is solved is answered at once.
    let solved = tables(rules, 1);
    load(&solved, &bytes).unwrap();
    let (answer, nodes) = solve(&solved, &position, u64::MAX);
    assert!(answer.value() == Some(value) && nodes * 4 < whole, "{rules}: {nodes} of {whole} nodes");
}

#[test]
fn a_killed_search_continues_from_its_saved_tables() {
    check_continued("7,4,4", Value::Draw);
    check_continued("6,5,4", Value::Win);
    check_continued("9,5,5", Value::Draw);
    check_continued("5,4,4 misere", Value::Draw);
    check_continued("4,4,4 wild", Value::Draw);
}

#[test]
fn tables_are_saved_while_several_threads_search() {
    let (rules, position) = ("7,4,4", start("7,4,4"));
    let busy = tables(rules, 2);
    let bytes = thread::scope(|scope| {
        let threads: Vec<_> = busy
            .team()
            .into_iter()
            .map(|mut solver| scope.spawn(move || solver.solve(&position, Question::Weak, &|| false)))
            .collect();
        let mut bytes = saved(&busy);
        while !threads.iter().any(thread::ScopedJoinHandle::is_finished) {
            bytes = saved(&busy);
        }
        bytes
    });
    let resumed = tables(rules, 2);
    load(&resumed, &bytes).unwrap();
    for mut solver in resumed.team() {
        assert_eq!(solver.solve(&position, Question::Weak, &|| false).value(), Some(Value::Draw));
    }
}

#[test]
fn damaged_tables_are_refused_and_never_panic() {
    for rules in ["6,4,4", "4,4,4 misere"] {
        let searched = tables(rules, 1);
        solve(&searched, &start(rules), 40);
        let bytes = saved(&searched);
        for end in (0..bytes.len()).step_by(bytes.len() / 97 + 1) {
            assert_eq!(load(&tables(rules, 1), &bytes[..end]), Err(DamagedTables), "{rules}: {end}");
        }
        // A number that is too large, wherever it stands, is an error or an entry that the search can use.
        for place in (0..bytes.len() - 8).step_by(8 * (bytes.len() / 8 / 97 + 1)) {
            let mut wrong = bytes.clone();
            wrong[place..place + 8].copy_from_slice(&u64::MAX.to_le_bytes());
            let damaged = tables(rules, 1);
            if load(&damaged, &wrong).is_ok() {
                solve(&damaged, &start(rules), 4);
            }
        }
    }
}

#[test]
fn tables_of_a_larger_board_are_refused() {
    let large = tables("8,8,5", 1);
    solve(&large, &start("8,8,5"), 20);
    assert_eq!(load(&tables("6,4,4", 1), &saved(&large)), Err(DamagedTables));
}

#[test]
fn loaded_tables_keep_their_limit() {
    let large = tables("8,4,4", 1);
    solve(&large, &start("8,4,4"), 3000);
    let small = SearchTables::new(&"8,4,4".parse().unwrap(), 1 << 16, 1, Question::Weak);
    load(&small, &saved(&large)).unwrap();
    let (used, size) = small.fill();
    assert!(used <= size && size < 2000 && large.fill().0 > size, "{used} of {size}");
}
