//! The boards and the values of the squares in words.

use std::cmp::Reverse;
use std::io::{self, Write};

use tictac::{Move, State, Status};
use tictac_solver::Answer;

use crate::words::{counted, value_names};

/// Writes the boards, one line per row: `Row A: X, empty, O.`
pub(super) fn boards(state: &State, out: &mut impl Write) -> io::Result<()> {
    let grid = state.rules().grid();
    for (number, board) in state.boards().enumerate() {
        if state.n_boards() > 1 {
            let finished = if state.lines(number).is_empty() { "" } else { ", finished" };
            writeln!(out, "Board {}{finished}:", number + 1)?;
        }
        for row in 0..grid.rows() {
            let squares = (0..grid.columns()).filter_map(|column| grid.square(row, column));
            let marks = squares
                .clone()
                .map(|square| board.mark(square).map_or("empty".to_owned(), |mark| mark.to_string()));
            let name = squares.clone().next().map(|square| grid.name(square).to_string()).unwrap_or_default();
            let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
            writeln!(out, "Row {letters}: {}.", marks.collect::<Vec<_>>().join(", "))?;
        }
    }
    Ok(())
}

/// Writes the value of every move, best first, with one line per value.
pub(super) fn values(state: &State, answers: &[(Move, Answer)], out: &mut impl Write) -> io::Result<()> {
    if matches!(state.status(), Status::Over(_)) {
        return writeln!(out, "The game is over.");
    }
    let mut sorted: Vec<(Move, Answer)> = answers.to_vec();
    sorted.sort_by_key(|(_, answer)| Reverse((answer.promise(), answer.best)));
    for same in sorted.chunk_by(|(_, one), (_, other)| value_text(one) == value_text(other)) {
        let names: Vec<String> = same.iter().map(|(mv, _)| mv.name(state.rules()).to_string()).collect();
        writeln!(out, "{}: {}.", value_text(&same[0].1), names.join(", "))?;
    }
    Ok(())
}

fn value_text(answer: &Answer) -> String {
    let (_, value) = value_names(answer);
    match answer.distance {
        Some(1) => format!("{value} at once"),
        Some(plies) => format!("{value} in {}", counted(plies.div_ceil(2) as usize, "move")),
        None => value.to_owned(),
    }
}
