//! Findings as text.

use std::io::{self, Write};

use tictac::notation::Style;
use tictac::{Goal, Outcome, State, Status, Value};
use tictac_solver::{Answer, Question};

use super::checkpoint::RunTotals;
use super::report::SolveReport;
use crate::json::names;
use crate::paint::Paint;

const MAX_DRAWN: usize = 9;

pub(super) fn write_boards(state: &State, paint: Paint, out: &mut impl Write) -> io::Result<()> {
    match state {
        State::Many(boards) if boards.boards().len() > MAX_DRAWN => {
            writeln!(out, "{} boards, rules {}", boards.boards().len(), state.rules())
        }
        _ => write!(out, "{}", paint.boards(state, Style::Plain)),
    }?;
    writeln!(out)
}

pub(super) fn write(report: &SolveReport, paint: Paint, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", paint.strong(verdict(report)))?;
    if let Some(why) = &report.found.why {
        writeln!(out, "why: {why}")?;
    }
    write_moves(report, out)?;
    if !report.found.line.is_empty() {
        let rules = report.state.rules();
        writeln!(out, "\nbest play: {}", names(&report.found.line, rules).join(", "))?;
    }
    if !report.found.are_proven() {
        writeln!(
            out,
            "\nstopped after {:.1} s and {} nodes; other values are not known",
            report.elapsed.as_secs_f64(),
            report.found.nodes
        )?;
    }
    if let Some(RunTotals { runs, nodes, seconds }) = report.all_runs {
        let runs = if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") };
        writeln!(out, "\ncheckpoint saved after {runs} with {nodes} nodes in {seconds:.1} s")?;
    }
    Ok(())
}

/// Returns the value in a sentence, such as `X to move: X wins in 5 plies`.
fn verdict(report: &SolveReport) -> String {
    let state = &report.state;
    let mover = state.name(state.next_player());
    match state.status() {
        Status::Over(Outcome::Draw) => return "draw: the board is full".to_owned(),
        Status::Over(Outcome::Win(winner)) => {
            let reason = match state.rules().goal() {
                Goal::Complete => "",
                Goal::Avoid => ": the opponent completed a line",
            };
            return format!("{} has won{reason}", state.name(winner));
        }
        Status::ToMove(_) => {}
    }
    let answer = &report.found.answer;
    let soon = match answer.distance {
        Some(1) => " in 1 ply".to_owned(),
        Some(plies) => format!(" in {plies} plies"),
        None => String::new(),
    };
    let result = match (outcome(state, answer), answer.value()) {
        (None, _) => "not known".to_owned(),
        (Some(bound), None) => format!("{bound}, not known which"),
        (Some(outcome), Some(_)) => format!("{outcome}{soon}"),
    };
    format!("{mover} to move: {result}")
}

/// Returns what is known about the outcome, such as `X wins or draws`, if anything is.
pub(super) fn outcome(state: &State, answer: &Answer) -> Option<String> {
    let (mover, other) = (state.name(state.next_player()), state.name(!state.next_player()));
    Some(match (answer.worst, answer.best) {
        (Value::Loss, Value::Win) => return None,
        (_, Value::Loss) => format!("{other} wins"),
        (Value::Loss, Value::Draw) => format!("{mover} loses or draws"),
        (_, Value::Draw) => "draw".to_owned(),
        (Value::Draw, Value::Win) => format!("{mover} wins or draws"),
        (Value::Win, Value::Win) => format!("{mover} wins"),
    })
}

fn write_moves(report: &SolveReport, out: &mut impl Write) -> io::Result<()> {
    if report.question == Question::Weak || report.found.moves.is_empty() {
        return Ok(());
    }
    let rules = report.state.rules();
    let name = |mv: tictac::Move| mv.display(rules).to_string();
    let width = report.found.moves.iter().map(|&(mv, _)| name(mv).len()).max().unwrap_or(0).max(4);
    writeln!(out, "\n{:width$}  value  plies", "move")?;
    let (known, unknown): (Vec<_>, Vec<_>) = report
        .found
        .moves
        .iter()
        .partition(|(_, answer)| (answer.worst, answer.best) != (Value::Loss, Value::Win));
    for &(mv, answer) in known {
        let value = answer.value().map_or_else(|| "?".to_owned(), |value| value.to_string());
        let plies = answer.distance.map_or(String::new(), |plies| format!("  {plies:>5}"));
        writeln!(out, "{}", format!("{:width$}  {value:5}{plies}", name(mv)).trim_end())?;
    }
    match unknown.len() {
        0 => Ok(()),
        1 => writeln!(out, "1 move with an unknown value"),
        n => writeln!(out, "{n} moves with unknown values"),
    }
}

#[cfg(test)]
mod tests {
    use tictac::Rules;

    use super::*;

    #[track_caller]
    fn check_verdict(worst: Value, best: Value, expected: &str) {
        let answer = Answer { worst, best, ..Answer::UNKNOWN };
        let report = SolveReport::new(
            State::start(&Rules::CLASSIC),
            Question::Weak,
            tictac_solver::Findings::of_answer(answer),
        );
        assert_eq!(verdict(&report), expected);
    }

    #[test]
    fn what_is_known_about_an_open_value_is_reported() {
        check_verdict(Value::Draw, Value::Win, "X to move: X wins or draws, not known which");
        check_verdict(Value::Loss, Value::Draw, "X to move: X loses or draws, not known which");
        check_verdict(Value::Loss, Value::Win, "X to move: not known");
    }
}
