//! `notakto` by recursion, with a new board after a bad location, and with the trailing space of the example.

use std::io;

use super::{RightProgram, file, here};
use crate::{Assignment, Console};

#[rustfmt::skip]
pub(super) const PROGRAMS: &[RightProgram] = &[
    here("recursion", Assignment::Notakto, "each turn calls the next; the board is a list of numbers", recursion),
    here("redraws", Assignment::Notakto, "like the demo of the document: board and prompt again after a bad location", redraws),
    here("trailing-space", Assignment::Notakto, "with the space after `wins!` in the example of the document", trailing_blank),
    file("c", Assignment::Notakto, "C with `scanf(\"%d\")`, which accepts 01 and +1 for 1", "notakto.c", "cc"),
];

/// The player to move, and the choices that the document leaves open.
#[derive(Clone, Copy)]
struct TurnState {
    player: u32,
    redraws: bool,
    last_words: &'static str,
}

fn recursion(console: &mut Console<'_>) -> io::Result<u8> {
    turn(console, &mut Vec::new(), TurnState { player: 1, redraws: false, last_words: "wins!" })
}

fn redraws(console: &mut Console<'_>) -> io::Result<u8> {
    turn(console, &mut Vec::new(), TurnState { player: 1, redraws: true, last_words: "wins!" })
}

fn trailing_blank(console: &mut Console<'_>) -> io::Result<u8> {
    turn(console, &mut Vec::new(), TurnState { player: 1, redraws: false, last_words: "wins! " })
}

fn turn(console: &mut Console<'_>, taken: &mut Vec<u32>, state: TurnState) -> io::Result<u8> {
    let TurnState { player, redraws, last_words } = state;
    let other = 3 - player;
    draw(console, taken)?;
    let prompt = format!("Player {player}'s turn (Enter a location to place X):");
    writeln!(console.output, "{prompt}")?;
    loop {
        let Some(word) = word(console)? else { return Ok(1) };
        match word.as_str() {
            "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" if !taken.contains(&value(&word)) => {
                taken.push(value(&word));
                break;
            }
            _ => writeln!(console.output, "Location invalid or already taken. Please try again.")?,
        }
        if redraws {
            draw(console, taken)?;
            writeln!(console.output, "{prompt}")?;
        }
    }
    if !has_line(taken) {
        return turn(console, taken, TurnState { player: other, ..state });
    }
    draw(console, taken)?;
    writeln!(console.output, "Player {other} {last_words}")?;
    Ok(0)
}

fn value(digit: &str) -> u32 {
    digit.bytes().map(|byte| u32::from(byte - b'0')).sum()
}

fn word(console: &mut Console<'_>) -> io::Result<Option<String>> {
    let mut word = String::new();
    while let Some(byte) = console.byte()? {
        let is_blank = matches!(byte, b' ' | 9..=13);
        if is_blank && !word.is_empty() {
            break;
        }
        if !is_blank {
            word.push(char::from(byte));
        }
    }
    Ok((!word.is_empty()).then_some(word))
}

fn draw(console: &mut Console<'_>, taken: &[u32]) -> io::Result<()> {
    let rule = "-".repeat(13);
    for first in [1, 4, 7] {
        let row = [first, first + 1, first + 2];
        let numbers = row.map(|slot| format!(" {slot} ")).join("|");
        let marks = row.map(|slot| if taken.contains(&slot) { " X " } else { "   " }).join("|");
        writeln!(console.output, "{rule}\n|{numbers}|\n|{marks}|")?;
    }
    writeln!(console.output, "{rule}")
}

fn has_line(taken: &[u32]) -> bool {
    let has = |slot: u32| taken.contains(&slot);
    [1, 4, 7].iter().any(|&slot| has(slot) && has(slot + 1) && has(slot + 2))
        || [1, 2, 3].iter().any(|&slot| has(slot) && has(slot + 3) && has(slot + 6))
        || (has(5) && ((has(1) && has(9)) || (has(3) && has(7))))
}
