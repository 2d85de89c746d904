//! What the documents do not speak of, before a game that goes on as if nothing had been: a program may answer as it likes, but
//! must not die of it.

use crate::assignment::Assignment;
use crate::case::{Case, Demand};

/// Returns a case for each kind of nonsense before `game`: `words` where numbers are due, strange bytes, and lines without end.
/// `rest` is what follows a long number in its line.
pub(super) fn before(assignment: Assignment, game: &str, words: &[&str], rest: &str) -> Vec<Case> {
    let survive = |id: &str, nonsense: &[u8]| {
        let input = [nonsense, game.as_bytes()].concat();
        Case::new(assignment.requirement(id), input).with_demand(Demand::Survival)
    };
    let mut cases = Vec::new();
    cases.extend(words.iter().map(|word| survive("not-a-number", format!("{word}\n").as_bytes())));
    for bytes in [&b"\0\n"[..], b"\xff\xfe\n", b"\x1b[A\n", "é\n".as_bytes()] {
        cases.push(survive("bytes", bytes));
    }
    for n in [100, 70_000] {
        cases.push(survive("long", format!("{}{rest}\n", "9".repeat(n)).as_bytes()));
        cases.push(survive("long", format!("{}\n", "x".repeat(n)).as_bytes()));
        cases.push(survive("long", " ".repeat(n).as_bytes()));
    }
    cases
}
