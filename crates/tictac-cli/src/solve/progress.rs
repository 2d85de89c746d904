//! A progress line on standard error.

use std::sync::Arc;
use std::time::Duration;

use indicatif::ProgressBar;
use tictac::State;
use tictac_solver::{Answer, Meter, Search, SearchRecord};

use super::text;
use crate::charset::Charset;
use crate::progress::DelayedBar;

/// Starts a line with the time, the move or proof under work, what is known about the value, nodes, nodes per second and memory use.
///
/// The line is cut at the width of the terminal.
pub(super) fn start(search: &Search, state: &State) -> DelayedBar {
    let (meter, record, state) = (Arc::clone(search.meter()), search.record().clone(), state.clone());
    let update = move |bar: &ProgressBar| bar.set_message(line(&meter, &state, &record, bar.elapsed()));
    DelayedBar::start("{spinner} {elapsed}  {wide_msg}", Charset::Ascii, update)
}

/// Returns the line without the time, such as `X wins or draws; 12.3 M nodes, 1.1 M per second, memory 4 % full`.
fn line(meter: &Meter, state: &State, record: &SearchRecord, elapsed: Duration) -> String {
    let mut known = record.root();
    if known.value().is_none() {
        let (worst, best) = meter.bounds();
        known = known.and(Answer { worst, best, ..Answer::UNKNOWN });
    }
    let outcome = text::outcome(state, &known).map_or(String::new(), |outcome| format!("{outcome}; "));
    let nodes = meter.nodes() as f64;
    let rate = abbreviated(nodes / elapsed.as_secs_f64().max(0.001));
    let (nodes, fill) = (abbreviated(nodes), meter.fill() * 100.0);
    let numbers = match meter.proof_numbers().filter(|_| known.value().is_none()) {
        Some((win, hold)) => {
            let [win, hold] = [win, hold].map(|number| abbreviated(f64::from(number)));
            format!("; at least {win} positions to a forced win, {hold} to none")
        }
        None => String::new(),
    };
    let task = match (meter.proof_positions(), meter.moves()) {
        (0, None) => String::new(),
        (0, Some((number, of))) => format!("move {number} of {of}; "),
        (n_positions, _) => format!("{n_positions} positions of the proof; "),
    };
    format!("{task}{outcome}{nodes} nodes, {rate} per second, memory {fill:.0} % full{numbers}")
}

/// Returns a large number in a few characters, such as `12.3 M`.
fn abbreviated(number: f64) -> String {
    match number {
        ..1e3 => format!("{number:.0}"),
        1e3..1e6 => format!("{:.1} k", number / 1e3),
        1e6..1e9 => format!("{:.1} M", number / 1e6),
        _ => format!("{:.1} G", number / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use tictac::{Position, Value};
    use tictac_solver::{Question, Solver};

    use super::*;

    #[test]
    fn the_line_has_the_best_bound_so_far() {
        let rules = "5,4,4".parse().unwrap();
        let (meter, record) = (Arc::default(), SearchRecord::default());
        let state = State::start(&rules);
        let shown = || line(&meter, &state, &record, Duration::from_secs(2));
        assert_eq!(shown(), "0 nodes, 0 per second, memory 0 % full");
        // The first player does not lose from the empty board, so this is known at once.
        let mut solver = Solver::new(&rules, 1 << 20).with_meter(Arc::clone(&meter));
        let position = Position::start(&rules).unwrap();
        let polls = std::cell::Cell::new(0);
        solver.solve(&position, Question::Weak, &|| polls.replace(polls.get() + 1) > 3);
        assert!(shown().starts_with("X wins or draws; "), "{}", shown());
        record.add_root(Answer::proving(Value::Draw));
        assert!(shown().starts_with("draw; "), "{}", shown());
    }
}
