//! `lab3` with the names in the transcripts, with trailing spaces, and with the heading of another build.

use std::io;

use super::{RightProgram, file, here};
use crate::{Assignment, Console};

#[rustfmt::skip]
pub(super) const PROGRAMS: &[RightProgram] = &[
    here("as-recorded", Assignment::Lab3, "edits the board as text; the second player is Y in turns and O as the winner, and the quit line names the player who moved last", as_recorded),
    here("trailing-spaces", Assignment::Lab3, "the same with X and O, and with a space after every square, move and sentence", trailing_blanks),
    here("other-build", Assignment::Lab3, "the same with the heading and the spacing of the fourth section of the transcripts", other_build),
    file("c", Assignment::Lab3, "C with `sscanf`, which accepts the same input as the helper of the document", "lab3.c", "cc"),
];

/// Choices that the document leaves open.
struct Layout {
    /// The name of the second player in turns and lists of moves.
    second: &'static str,
    /// Whether the quit line names the player who moved last.
    names_last: bool,
    /// The text at the end of a row, a list of moves and the quit line.
    tail: &'static str,
    /// The line above the board.
    heading: &'static str,
    /// The text between the board and the list of moves.
    gap: &'static str,
}

fn as_recorded(console: &mut Console<'_>) -> io::Result<u8> {
    play(console, &Layout { second: "Y", names_last: true, tail: "", heading: "", gap: "\n" })
}

fn trailing_blanks(console: &mut Console<'_>) -> io::Result<u8> {
    play(console, &Layout { second: "O", names_last: false, tail: " ", heading: "", gap: "\n" })
}

fn other_build(console: &mut Console<'_>) -> io::Result<u8> {
    let heading = "Current Game Board:";
    play(console, &Layout { second: "Y", names_last: true, tail: "", heading, gap: "" })
}

const EMPTY: &str = "4          \n3          \n2          \n1          \n0          \n  0 1 2 3 4";

/// Returns the index of a square in the text. Each row has eleven characters and a newline, and row 4 is at the top.
fn offset(row: usize, column: usize) -> usize {
    (4 - row) * 12 + 2 + column * 2
}

fn play(console: &mut Console<'_>, layout: &Layout) -> io::Result<u8> {
    if console.arguments != ["TicTacToeGame"] {
        let name = console.program;
        writeln!(console.output, "{name} requires 1 argument.")?;
        writeln!(console.output, "usage: {name} TicTacToeGame")?;
        return Ok(1);
    }
    let mut board = EMPTY.to_owned();
    let mut lists = [String::new(), String::new()];
    show(console, layout, &board)?;
    for turn in 0..9 {
        let called = ["X", layout.second][turn % 2];
        let piece = ["X", "O"][turn % 2];
        writeln!(console.output, "Player {called}'s turn...")?;
        let Some((row, column)) = ask(console, &board)? else {
            let quitter = ["X", "O"][(turn + usize::from(layout.names_last)) % 2];
            writeln!(console.output, "someone wants to quit the game.")?;
            writeln!(console.output, "is it draw? # moves: {turn}, max: 9")?;
            writeln!(
                console.output,
                "Player {quitter} quits! {turn} turns have been played.{}",
                layout.tail
            )?;
            return Ok(3);
        };
        board.replace_range(offset(row, column)..=offset(row, column), piece);
        lists[turn % 2] += &format!(" {row}, {column};");
        show(console, layout, &board)?;
        write!(console.output, "{}", layout.gap)?;
        writeln!(console.output, "Player {called} :{}{}", lists[turn % 2], layout.tail)?;
        if is_won(&board, piece) {
            writeln!(console.output, "Won! Player {piece} is the winner!")?;
            return Ok(0);
        }
        writeln!(console.output, "is it draw? # moves: {}, max: 9", turn + 1)?;
    }
    writeln!(console.output, "Draw! 9 turns have been played. No winning moves remained.")?;
    Ok(4)
}

fn show(console: &mut Console<'_>, layout: &Layout, board: &str) -> io::Result<()> {
    writeln!(console.output, "{}", layout.heading)?;
    for row in board.lines() {
        if layout.tail.is_empty() {
            writeln!(console.output, "{}", row.trim_end())?;
        } else {
            writeln!(console.output, "{row} ")?;
        }
    }
    writeln!(console.output)
}

/// Asks until a square can be played; returns `None` if the player quits.
fn ask(console: &mut Console<'_>, board: &str) -> io::Result<Option<(usize, usize)>> {
    loop {
        writeln!(console.output, "Please enter a comma-seperated coordinate in [1:3,1:3] or type 'quit'")?;
        let Some(line) = console.line()? else { return Ok(None) };
        console.output.write_all(b"You entered: ")?;
        console.output.write_all(&line)?;
        writeln!(console.output)?;
        // Bytes that are not UTF-8 become characters that are not digits.
        let line = String::from_utf8_lossy(&line);
        if line.trim_ascii() == "quit" {
            return Ok(None);
        }
        let Some((row, column)) = pair(&line) else { continue };
        if !(1..=3).contains(&row) || !(1..=3).contains(&column) {
            writeln!(console.output, "Careful, you entered out of bound. Try again!")?;
        } else if board[offset(row, column)..].starts_with(' ') {
            return Ok(Some((row, column)));
        } else {
            writeln!(console.output, "Sorry, the place is not empty. Try again!")?;
        }
    }
}

fn pair(line: &str) -> Option<(usize, usize)> {
    let blanks = [' ', '\t', '\u{b}', '\u{c}', '\r'];
    let (first, rest) = line.split_once(',')?;
    let first = first.trim_matches(blanks);
    let rest = rest.trim_start_matches(blanks);
    let second = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
    if !first.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // The document reads numbers as ints.
    Some((first.parse::<i32>().ok()? as usize, second.parse::<i32>().ok()? as usize))
}

fn is_won(board: &str, piece: &str) -> bool {
    let has = |row: usize, column: usize| board[offset(row, column)..].starts_with(piece);
    let straight = (1..=3).any(|i| (1..=3).all(|j| has(i, j)) || (1..=3).all(|j| has(j, i)));
    straight || (1..=3).all(|i| has(i, i)) || (1..=3).all(|i| has(i, 4 - i))
}
