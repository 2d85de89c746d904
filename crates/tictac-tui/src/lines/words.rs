//! The board and the values in words.

use tictac::solve::{Answer, Value};
use tictac::{Board, Move, State, Status};

/// Returns the boards, a row a line: `Row A: X, empty, O.`
pub(super) fn boards(state: &State) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, board) in state.boards().enumerate() {
        if state.n_boards() > 1 {
            let finished = if state.lines(number).is_empty() { "" } else { ", finished" };
            lines.push(format!("Board {}{finished}:", number + 1));
        }
        lines.extend(rows(state, board));
    }
    lines
}

fn rows(state: &State, board: Board) -> impl Iterator<Item = String> {
    let grid = state.rules().grid();
    (0..grid.rows()).map(move |row| {
        let squares = (0..grid.columns()).filter_map(|column| grid.square(row, column));
        let words: Vec<String> = squares
            .clone()
            .map(|square| board.mark(square).map_or("empty".to_owned(), |mark| mark.to_string()))
            .collect();
        let name = squares.clone().next().map(|square| grid.name(square).to_string()).unwrap_or_default();
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        format!("Row {letters}: {}.", words.join(", "))
    })
}

/// Returns what every move brings, the best ones first, moves of the same worth in a line.
pub(super) fn values(state: &State, answers: &[(Move, Answer)]) -> Vec<String> {
    if matches!(state.status(), Status::Over(_)) {
        return vec!["The game is over.".to_owned()];
    }
    let rules = *state.rules();
    let mut sorted: Vec<(Move, Answer)> = answers.to_vec();
    sorted.sort_by_key(|(_, answer)| std::cmp::Reverse((answer.promise(), answer.best)));
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for (mv, answer) in sorted {
        let (worth, name) = (worth(&answer), mv.name(&rules).to_string());
        match lines.last_mut() {
            Some((last, names)) if *last == worth => names.push(name),
            _ => lines.push((worth, vec![name])),
        }
    }
    lines.into_iter().map(|(worth, names)| format!("{worth}: {}.", names.join(", "))).collect()
}

fn worth(answer: &Answer) -> String {
    let known = match (answer.value(), answer.worst, answer.best) {
        (Some(Value::Win), ..) => "Win",
        (Some(Value::Draw), ..) => "Draw",
        (Some(Value::Loss), ..) => "Loss",
        (None, Value::Draw, _) => "Draw or win",
        (None, _, Value::Draw) => "Loss or draw",
        _ => "Not known",
    };
    match answer.distance {
        Some(1) => format!("{known} at once"),
        Some(plies) => format!("{known} in {plies} plies"),
        None => known.to_owned(),
    }
}
