//! `game-check` in two styles: one reads all input at once and uses a magic square, the other reads byte by byte and uses bits.

use std::io;

use super::{RightProgram, file, here};
use crate::{Assignment, Console};

#[rustfmt::skip]
pub(super) const PROGRAMS: &[RightProgram] = &[
    here("sums-to-fifteen", Assignment::GameCheck, "reads all input at once; three numbers of a magic square that add up to 15 are a line", sums_to_fifteen),
    here("byte-by-byte", Assignment::GameCheck, "reads byte by byte; squares are bits of a number", byte_by_byte),
    file("c", Assignment::GameCheck, "C with `getline`, `isspace` and a `switch`", "game_check.c", "cc"),
    file("awk", Assignment::GameCheck, "awk with one regular expression", "game_check.sh", "awk"),
];

/// A number for each square, row by row: three numbers add up to 15 if and only if they are a line.
const MAGIC: [u32; 9] = [2, 7, 6, 9, 5, 1, 4, 3, 8];

fn sums_to_fifteen(console: &mut Console<'_>) -> io::Result<u8> {
    let mut text = Vec::new();
    console.input.read_to_end(&mut text)?;
    let (sentence, status) = judge(&text);
    writeln!(console.output, "{sentence}")?;
    Ok(status)
}

fn judge(text: &[u8]) -> (String, u8) {
    // Latin-1, so that each byte is a character and nothing is lost.
    let text: String = text.iter().map(|&byte| byte as char).collect();
    let mut held: Vec<(char, u32)> = Vec::new();
    let mut winner = None;
    for line in text.split_terminator('\n') {
        let Some((number, player, square)) = words_of(line) else { return ("Parse error.".to_owned(), 1) };
        let is_free = held.iter().all(|&(_, taken)| taken != MAGIC[square]);
        let is_turn = held.last().is_none_or(|&(last, _)| last != player);
        if winner.is_some() || number != held.len() + 1 || !is_free || !is_turn {
            return ("Invalid move.".to_owned(), 2);
        }
        held.push((player, MAGIC[square]));
        let mine: Vec<u32> =
            held.iter().filter(|&&(holder, _)| holder == player).map(|&(_, sum)| sum).collect();
        if has_fifteen(&mine, 3, 15) {
            winner = Some(player);
        }
    }
    let sentence = match (winner, held.last()) {
        (Some(player), _) => format!("Game over: {player} wins."),
        (None, None) => "Game in progress: New game.".to_owned(),
        (None, Some(_)) if held.len() == 9 => "Game over: Draw.".to_owned(),
        (None, Some(&(last, _))) => {
            format!("Game in progress: {}'s turn.", if last == 'X' { 'O' } else { 'X' })
        }
    };
    (sentence, 0)
}

/// Returns whether some `n` of the numbers add up to `sum`.
fn has_fifteen(numbers: &[u32], n: usize, sum: u32) -> bool {
    if n == 0 {
        return sum == 0;
    }
    let Some((&first, rest)) = numbers.split_first() else { return false };
    has_fifteen(rest, n, sum) || (first <= sum && has_fifteen(rest, n - 1, sum - first))
}

fn words_of(line: &str) -> Option<(usize, char, usize)> {
    let blanks = [' ', '\t', '\u{b}', '\u{c}', '\r'];
    let code = match line.split_once('#') {
        Some((code, _)) if code.ends_with(blanks) => code,
        Some(_) => return None,
        None => line,
    };
    if code.starts_with(blanks) {
        return None;
    }
    let words: Vec<&str> = code.split(blanks).filter(|word| !word.is_empty()).collect();
    let [number, player, square] = words[..] else { return None };
    let number = "0123456789".find(number).filter(|&at| at > 0 && number.len() == 1)?;
    let player = match player {
        "X" | "x" => 'X',
        "O" | "o" => 'O',
        _ => return None,
    };
    let squares = ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"];
    let square = squares.iter().position(|name| name.eq_ignore_ascii_case(square))?;
    Some((number, player, square))
}

/// How far a line has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Start,
    Number,
    PlayerGap,
    Player,
    SquareGap,
    Row,
    Square,
    Tail,
    Comment,
}

fn byte_by_byte(console: &mut Console<'_>) -> io::Result<u8> {
    let mut at = At::Start;
    let mut line = [0_u8; 4];
    let mut game = Bits::default();
    loop {
        let byte = console.byte()?;
        if byte.is_none() && at == At::Start {
            break;
        }
        if byte.is_none_or(|byte| byte == b'\n') {
            if !matches!(at, At::Square | At::Tail | At::Comment) {
                return answer(console, "Parse error.", 1);
            }
            if !game.play(line) {
                return answer(console, "Invalid move.", 2);
            }
            at = At::Start;
        }
        let Some(byte) = byte else { break };
        if byte == b'\n' {
            continue;
        }
        let is_blank = byte == b' ' || (9..=13).contains(&byte);
        let upper = byte.to_ascii_uppercase();
        at = match (at, upper) {
            (At::Comment, _) => At::Comment,
            (At::Start, b'1'..=b'9') => kept(&mut line[0], upper, At::Number),
            (At::Number | At::PlayerGap, _) if is_blank => At::PlayerGap,
            (At::PlayerGap, b'X' | b'O') => kept(&mut line[1], upper, At::Player),
            (At::Player | At::SquareGap, _) if is_blank => At::SquareGap,
            (At::SquareGap, b'A'..=b'C') => kept(&mut line[2], upper, At::Row),
            (At::Row, b'1'..=b'3') => kept(&mut line[3], upper, At::Square),
            (At::Square | At::Tail, _) if is_blank => At::Tail,
            (At::Tail, b'#') => At::Comment,
            _ => return answer(console, "Parse error.", 1),
        };
    }
    let sentence = game.sentence();
    answer(console, sentence, 0)
}

fn kept(place: &mut u8, byte: u8, at: At) -> At {
    *place = byte;
    at
}

fn answer(console: &mut Console<'_>, sentence: &str, status: u8) -> io::Result<u8> {
    writeln!(console.output, "{sentence}")?;
    Ok(status)
}

/// The squares of each player as bits, row by row from the lowest bit.
#[derive(Default)]
struct Bits {
    x: u16,
    o: u16,
    last: u8,
}

impl Bits {
    /// Plays the move if it is legal, and returns whether it is.
    fn play(&mut self, [number, player, row, column]: [u8; 4]) -> bool {
        let square = 1_u16 << ((row - b'A') * 3 + (column - b'1'));
        let taken = self.x | self.o;
        let is_legal = !wins(self.x)
            && !wins(self.o)
            && u32::from(number - b'0') == taken.count_ones() + 1
            && player != self.last
            && taken & square == 0;
        if is_legal {
            *(if player == b'X' { &mut self.x } else { &mut self.o }) |= square;
            self.last = player;
        }
        is_legal
    }

    fn sentence(&self) -> &'static str {
        match self.last {
            _ if wins(self.x) => "Game over: X wins.",
            _ if wins(self.o) => "Game over: O wins.",
            _ if self.x | self.o == 0o777 => "Game over: Draw.",
            b'X' => "Game in progress: O's turn.",
            b'O' => "Game in progress: X's turn.",
            _ => "Game in progress: New game.",
        }
    }
}

fn wins(squares: u16) -> bool {
    [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124].iter().any(|line| squares & line == *line)
}
