//! `move-check` with a table, and by recursion.

use std::io::{self, Read as _};

use super::{RightProgram, file, here};
use crate::{Assignment, Console};

#[rustfmt::skip]
pub(super) const PROGRAMS: &[RightProgram] = &[
    here("table", Assignment::MoveCheck, "byte by byte with a state table", table),
    here("recursion", Assignment::MoveCheck, "a recursive pattern; reads all input at once", recursion),
    file("shell", Assignment::MoveCheck, "`case` patterns of the shell", "move_check.sh", "sh"),
    file("c", Assignment::MoveCheck, "C with `fgets` and pointers", "move_check.c", "cc"),
];

/// The state after a parse error. The states before it are: before the number, after it, white space, after the player, white
/// space, after the row, after the column, white space, in a comment.
const NO_MOVE: u8 = 9;

/// The next state, by state and kind of byte: white space, `1`–`3`, `4`–`9`, player, row, `#`, other.
#[rustfmt::skip]
const TABLE: [[u8; 7]; 10] = [
    [9, 1, 1, 9, 9, 9, 9],
    [2, 9, 9, 9, 9, 9, 9],
    [2, 9, 9, 3, 9, 9, 9],
    [4, 9, 9, 9, 9, 9, 9],
    [4, 9, 9, 9, 5, 9, 9],
    [9, 6, 9, 9, 9, 9, 9],
    [7, 9, 9, 9, 9, 9, 9],
    [7, 9, 9, 9, 9, 8, 9],
    [8, 8, 8, 8, 8, 8, 8],
    [9, 9, 9, 9, 9, 9, 9],
];

fn table(console: &mut Console<'_>) -> io::Result<u8> {
    let mut state = 0;
    let mut kept = Vec::new();
    for byte in console.input.bytes() {
        let byte = byte?;
        if byte == b'\n' {
            break;
        }
        let kind = match byte {
            b' ' | 9..=13 => 0,
            b'1'..=b'3' => 1,
            b'4'..=b'9' => 2,
            b'X' | b'O' | b'x' | b'o' => 3,
            b'A'..=b'C' | b'a'..=b'c' => 4,
            b'#' => 5,
            _ => 6,
        };
        state = TABLE[usize::from(state)][kind];
        if kind != 0 && (1..=6).contains(&state) {
            kept.push(byte.to_ascii_uppercase());
        }
    }
    if !(6..NO_MOVE).contains(&state) {
        console.output.write_all(b"Parse error.\n")?;
        return Ok(1);
    }
    console.output.write_all(&[kept[0], b' ', kept[1], b' ', kept[2], kept[3], b'\n'])?;
    Ok(0)
}

/// A part of a pattern.
enum Part {
    /// One of these bytes; it is returned.
    One(&'static str),
    /// White space of at least this length.
    Spaces(usize),
    /// These parts, or the end of the line.
    Rest(&'static [Part]),
    /// Anything at all.
    Anything,
}

const MOVE: &[Part] = &[
    Part::One("123456789"),
    Part::Spaces(1),
    Part::One("XOxo"),
    Part::Spaces(1),
    Part::One("ABCabc"),
    Part::One("123"),
    Part::Rest(&[Part::Spaces(1), Part::Rest(&[Part::One("#"), Part::Anything])]),
];

fn recursion(console: &mut Console<'_>) -> io::Result<u8> {
    let mut all = Vec::new();
    console.input.read_to_end(&mut all)?;
    let line = all.split(|&byte| byte == b'\n').next().unwrap_or_default();
    match matched(MOVE, line) {
        Some(kept) => {
            let [number, player, row, column] =
                [0, 1, 2, 3].map(|at| char::from(kept[at]).to_ascii_uppercase());
            writeln!(console.output, "{number} {player} {row}{column}")?;
            Ok(0)
        }
        None => {
            writeln!(console.output, "Parse error.")?;
            Ok(1)
        }
    }
}

/// Matches the parts against the whole text, and returns the bytes of the `One` parts.
fn matched(parts: &[Part], text: &[u8]) -> Option<Vec<u8>> {
    let Some((part, parts)) = parts.split_first() else { return text.is_empty().then(Vec::new) };
    match part {
        Part::One(allowed) => {
            let (&first, text) = text.split_first()?;
            allowed.as_bytes().contains(&first).then_some(())?;
            let mut kept = matched(parts, text)?;
            kept.insert(0, first);
            Some(kept)
        }
        Part::Spaces(least) => {
            let n_blanks = text.iter().take_while(|&&byte| byte == b' ' || (9..=13).contains(&byte)).count();
            if n_blanks < *least { None } else { matched(parts, &text[n_blanks..]) }
        }
        Part::Rest(_) if text.is_empty() => Some(Vec::new()),
        Part::Rest(rest) => matched(rest, text),
        Part::Anything => Some(Vec::new()),
    }
}
