//! `tictactoe` with a tie only on a full board, and with other wording.

use std::io;

use super::{RightProgram, file, here};
use crate::{Assignment, Console};

#[rustfmt::skip]
pub(super) const PROGRAMS: &[RightProgram] = &[
    here("full-board", Assignment::Tictactoe, "a two-dimensional array of strings; a tie only on a full board", full_board),
    here("board-each-round", Assignment::Tictactoe, "the same, but prints the board before every prompt, even after a bad move", board_each_round),
    here("own-words", Assignment::Tictactoe, "its own wording and the other spacing of the document; announces an early tie without the board", own_words),
    here("other-diagonals", Assignment::Tictactoe, "its own wording; the diagonal from the top right is number 1", other_diagonals),
    file("c", Assignment::Tictactoe, "C with `scanf`; a tie as soon as neither player can win; the other wording of a win in the document", "tictactoe.c", "cc"),
];

/// The wording and the choices of a program.
struct Words {
    welcome: &'static str,
    instructions: &'static str,
    /// The text between two tokens.
    space: &'static str,
    range: &'static str,
    taken: &'static str,
    no_number: &'static str,
    prompt: fn(&str) -> String,
    won: fn(&str, &str, usize) -> String,
    tie: &'static str,
    goodbye: &'static str,
    /// Whether a tie is announced as soon as neither player can win.
    has_early_tie: bool,
    /// Whether the board is drawn before every prompt, even after a bad move.
    redraws: bool,
}

const SAMPLE: Words = Words {
    welcome: "Let's play Tic Tac Toe!",
    instructions: "Enter a move like \"1 2\" for row 1 column 2.",
    space: "  ",
    range: "Row and column must be from 1 to 3.",
    taken: "That place is already taken.",
    no_number: "Please enter two numbers, such as \"1 2\".",
    prompt: |token| format!("{token}'s turn: "),
    won: |token, kind, number| format!("{token} wins via {kind} {number}\n{token} has won the game!"),
    tie: "It's a tie!",
    goodbye: "Goodbye!",
    has_early_tie: false,
    redraws: false,
};

const OWN: Words = Words {
    welcome: "Welcome to noughts and crosses.",
    instructions: "Type the row and the column of your choice, each a number from 1 to 3, with a space between.",
    space: " ",
    range: "There are only 3 rows and 3 columns, numbered 1 to 3!",
    taken: "Sorry, that square is already occupied.",
    no_number: "I did not understand that; two numbers, please.",
    prompt: |token| format!("Player {token}'s turn (row column): "),
    won: |token, kind, number| format!("Player {token} won via {}{number}", kind.to_lowercase()),
    tie: "The game is tied, no one wins.",
    goodbye: "The game is over. Bye!",
    has_early_tie: true,
    redraws: false,
};

fn full_board(console: &mut Console<'_>) -> io::Result<u8> {
    play(console, &SAMPLE)
}

fn board_each_round(console: &mut Console<'_>) -> io::Result<u8> {
    play(console, &Words { redraws: true, ..SAMPLE })
}

fn own_words(console: &mut Console<'_>) -> io::Result<u8> {
    play(console, &OWN)
}

fn other_diagonals(console: &mut Console<'_>) -> io::Result<u8> {
    let won = |token: &str, kind: &str, number: usize| {
        (OWN.won)(token, kind, if kind == "Diagonal" { 3 - number } else { number })
    };
    play(console, &Words { won, ..OWN })
}

type Grid = [[&'static str; 3]; 3];

fn play(console: &mut Console<'_>, words: &Words) -> io::Result<u8> {
    let mut grid: Grid = [["-"; 3]; 3];
    let mut tokens = ["X", "O"].into_iter().cycle();
    let mut token = tokens.next().unwrap_or_default();
    writeln!(console.output, "{}", words.welcome)?;
    print(console, words, &grid)?;
    writeln!(console.output, "{}", words.instructions)?;
    loop {
        write!(console.output, "{}", (words.prompt)(token))?;
        let Some(numbers) = two_numbers(console)? else { return Ok(1) };
        let (row, column) = match numbers {
            [Ok(row), Ok(column)] if (1..=3).contains(&row) && (1..=3).contains(&column) => {
                (row - 1, column - 1)
            }
            [Ok(_), Ok(_)] => {
                refuse(console, words, words.range, &grid)?;
                continue;
            }
            _ => {
                refuse(console, words, words.no_number, &grid)?;
                continue;
            }
        };
        let cell = &mut grid[row as usize][column as usize];
        if *cell != "-" {
            refuse(console, words, words.taken, &grid)?;
            continue;
        }
        *cell = token;
        let won = win(&grid, token);
        let is_full = grid.concat().iter().all(|&cell| cell != "-");
        let next = tokens.next().unwrap_or_default();
        let is_dead = words.has_early_tie && won.is_none() && !can_end_with_a_line(&mut grid, next, token);
        if !is_dead {
            print(console, words, &grid)?;
        }
        if let Some((kind, number)) = won {
            writeln!(console.output, "{}\n{}", (words.won)(token, kind, number), words.goodbye)?;
            return Ok(0);
        }
        if is_full || is_dead {
            writeln!(console.output, "{}\n{}", words.tie, words.goodbye)?;
            return Ok(0);
        }
        token = next;
    }
}

fn refuse(console: &mut Console<'_>, words: &Words, message: &str, grid: &Grid) -> io::Result<()> {
    writeln!(console.output, "{message}")?;
    if words.redraws { print(console, words, grid) } else { Ok(()) }
}

fn print(console: &mut Console<'_>, words: &Words, grid: &Grid) -> io::Result<()> {
    writeln!(console.output, "  {}", ["1", "2", "3"].join(words.space))?;
    for (number, row) in (1..).zip(grid) {
        writeln!(console.output, "{number} {}", row.join(words.space))?;
    }
    writeln!(console.output)
}

/// Reads two numbers; returns `None` at the end of the input. After a word that is not a number, the rest of its line is
/// skipped.
fn two_numbers(console: &mut Console<'_>) -> io::Result<Option<[Result<i64, ()>; 2]>> {
    let mut numbers = [Err(()); 2];
    for number in &mut numbers {
        let Some(word) = word(console)? else { return Ok(None) };
        *number = word.parse::<i64>().map_err(drop);
        // A number with too many digits is out of range.
        let digits = word.trim_start_matches(['+', '-']);
        if number.is_err() && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            *number = Ok(i64::MAX);
        }
        if number.is_err() {
            // The white space after the word was not read, so this skips the rest of its line.
            console.raw_line()?;
            break;
        }
    }
    Ok(Some(numbers))
}

fn word(console: &mut Console<'_>) -> io::Result<Option<String>> {
    let mut word = String::new();
    loop {
        match console.peek()?.map(char::from) {
            None => return Ok((!word.is_empty()).then_some(word)),
            Some(' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r') if !word.is_empty() => return Ok(Some(word)),
            Some(' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r') => drop(console.byte()?),
            Some(c) => {
                console.byte()?;
                word.push(c);
            }
        }
    }
}

/// Returns the first line of this token: its kind and its number.
fn win(grid: &Grid, token: &str) -> Option<(&'static str, usize)> {
    if let Some(row) = grid.iter().position(|row| row.iter().all(|&cell| cell == token)) {
        return Some(("Row", row + 1));
    }
    if let Some(column) = (0..3).find(|&column| grid.iter().all(|row| row[column] == token)) {
        return Some(("Column", column + 1));
    }
    if (0..3).all(|at| grid[at][at] == token) {
        return Some(("Diagonal", 1));
    }
    (0..3).all(|at| grid[at][2 - at] == token).then_some(("Diagonal", 2))
}

/// Returns whether a line can still be completed. Tries all moves, `token` first, and undoes them.
fn can_end_with_a_line(grid: &mut Grid, token: &'static str, other: &'static str) -> bool {
    for row in 0..3 {
        for column in 0..3 {
            if grid[row][column] != "-" {
                continue;
            }
            grid[row][column] = token;
            let found = win(grid, token).is_some() || can_end_with_a_line(grid, other, token);
            grid[row][column] = "-";
            if found {
                return true;
            }
        }
    }
    false
}
