//! The tables in `games/`, and generators that several subjects use.

use std::collections::HashSet;

use tictac::{Position, Rules};

/// Rows of a table whose first column is quoted, without the header.
pub(crate) fn table(text: &'static str) -> impl Iterator<Item = (Rules, Vec<&'static str>)> {
    text.lines().skip(1).map(|line| {
        let (rules, rest) = line.strip_prefix('"').unwrap().split_once("\",").unwrap();
        (rules.parse().unwrap(), rest.split(',').collect())
    })
}

/// Every reachable position of these rules, from X's start.
pub(crate) fn reachable(rules: Rules) -> HashSet<Position> {
    let start = Position::start(&rules).unwrap();
    let mut seen = HashSet::from([start]);
    let mut to_visit = vec![start];
    while let Some(position) = to_visit.pop() {
        for mv in position.moves() {
            let after = position.after(mv).unwrap();
            if seen.insert(after) {
                to_visit.push(after);
            }
        }
    }
    seen
}

/// Returns all variants of a grid on one board.
pub(crate) fn variants(size: &str) -> Vec<Rules> {
    size.parse::<Rules>().unwrap().variants().collect()
}
