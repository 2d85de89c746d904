//! The baseline for `tictac check`: a careful checker of canonical games that reads one byte at a time.
//!
//! The state is the position in the program, as in a hand-written lexer; a `match` on state and byte was tried first and ran at
//! a third of the speed. Every byte is compared once, squares and lines come from tables, and the file is read in large aligned
//! blocks. It supports only the 3×3 board, single spaces, capitals and comments, and counts wrong games without explaining them.

use std::env;
use std::fs::File;
use std::io::{self, Read, Write};

/// The eight lines of the board.
const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const BLOCK: usize = 256 * 1024;
/// The kernel copies several times faster to an address that is a multiple of this.
const ALIGNMENT: usize = 64;

/// Checks the file that the first argument names, and prints its totals as `tictac check --summary-json` does.
fn main() -> io::Result<()> {
    let file = File::open(env::args_os().nth(1).unwrap_or_default())?;
    let mut machine = Machine::new(Bytes::of(file));
    machine.run();
    machine.bytes.error.map_or(Ok(()), Err)?;
    let [x_won, o_won, drawn, unfinished, bad] = machine.endings;
    let games: u64 = machine.endings.iter().sum();
    writeln!(
        io::stdout(),
        "{{\"games\":{games},\"moves\":{},\"x_won\":{x_won},\"o_won\":{o_won},\"drawn\":{drawn},\
         \"unfinished\":{unfinished},\"bad\":{bad}}}",
        machine.n_moves
    )
}

/// A file that is read byte by byte.
struct Bytes<R> {
    file: R,
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    error: Option<io::Error>,
}

impl<R: Read> Bytes<R> {
    fn of(file: R) -> Bytes<R> {
        Bytes { file, buffer: vec![0; BLOCK + ALIGNMENT], at: 0, end: 0, error: None }
    }

    #[allow(clippy::inline_always, reason = "a call for every byte would make this an unfair comparison")]
    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.at == self.end {
            self.refill();
        }
        let byte = *self.buffer[..self.end].get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    #[cold]
    fn refill(&mut self) {
        let start = self.buffer.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        let n_read = self.file.read(&mut self.buffer[start..start + BLOCK]);
        let n_read = n_read.unwrap_or_else(|error| {
            self.error = Some(error);
            0
        });
        (self.at, self.end) = (start, start + n_read);
    }
}

/// The kind of line that was read.
enum Line {
    Move,
    Blank,
    Bad,
    EndOfFile,
}

/// The state of a game.
#[derive(Default)]
struct Game {
    n_moves: u8,
    last_mark: u8,
    // Indexed by player; one bit per square.
    sets: [u16; 2],
    has_line: bool,
}

struct Machine<R> {
    bytes: Bytes<R>,
    has_line: [bool; 512],
    n_moves: u64,
    endings: [u64; 5],
}

impl<R: Read> Machine<R> {
    fn new(bytes: Bytes<R>) -> Machine<R> {
        let mut has_line = [false; 512];
        for (set, has_line) in has_line.iter_mut().enumerate() {
            *has_line = LINES.iter().any(|line| line.iter().all(|&square| set >> square & 1 == 1));
        }
        Machine { bytes, has_line, n_moves: 0, endings: [0; 5] }
    }

    fn run(&mut self) {
        let mut game = Game::default();
        loop {
            match self.line(&mut game) {
                Line::Move => continue,
                Line::Blank => self.count(&game),
                Line::Bad => {
                    self.n_moves += u64::from(game.n_moves);
                    self.endings[4] += 1;
                    self.skip_game();
                }
                Line::EndOfFile => return self.count(&game),
            }
            game = Game::default();
        }
    }

    fn count(&mut self, game: &Game) {
        let ending = match (game.has_line, game.n_moves) {
            (_, 0) => return,
            (true, _) => usize::from(game.last_mark == b'O'),
            (false, 9) => 2,
            (false, _) => 3,
        };
        self.endings[ending] += 1;
        self.n_moves += u64::from(game.n_moves);
    }

    #[allow(clippy::inline_always, reason = "a call for every line would make this an unfair comparison")]
    #[inline(always)]
    fn line(&mut self, game: &mut Game) -> Line {
        let Some(number) = self.bytes.next() else { return Line::EndOfFile };
        if number == b'\n' {
            return Line::Blank;
        }
        if number != b'1' + game.n_moves || game.has_line || game.n_moves == 9 {
            return self.bad(Some(number));
        }
        let space = self.bytes.next();
        if space != Some(b' ') {
            return self.bad(space);
        }
        let mark = self.bytes.next();
        let Some(mark @ (b'X' | b'O')) = mark else { return self.bad(mark) };
        if mark == game.last_mark {
            return self.bad(Some(mark));
        }
        let space = self.bytes.next();
        if space != Some(b' ') {
            return self.bad(space);
        }
        let row = self.bytes.next();
        let Some(row @ b'A'..=b'C') = row else { return self.bad(row) };
        let column = self.bytes.next();
        let Some(column @ b'1'..=b'3') = column else { return self.bad(column) };
        let square = 1 << ((row - b'A') * 3 + (column - b'1'));
        if (game.sets[0] | game.sets[1]) & square != 0 {
            return self.bad(Some(column));
        }
        let set = &mut game.sets[usize::from(game.n_moves % 2)];
        *set |= square;
        game.has_line = self.has_line[usize::from(*set % 512)];
        game.last_mark = mark;
        match self.bytes.next() {
            Some(b'\n') | None => {}
            Some(b' ') => return self.comment(game),
            other => return self.bad(other),
        }
        game.n_moves += 1;
        Line::Move
    }

    fn comment(&mut self, game: &mut Game) -> Line {
        let sign = self.bytes.next();
        if sign != Some(b'#') {
            return self.bad(sign);
        }
        game.n_moves += 1;
        self.skip_line();
        Line::Move
    }

    /// Skips the rest of the line; `last` is the last byte read.
    #[cold]
    fn bad(&mut self, last: Option<u8>) -> Line {
        if last.is_some_and(|last| last != b'\n') {
            self.skip_line();
        }
        Line::Bad
    }

    fn skip_line(&mut self) {
        while self.bytes.next().is_some_and(|byte| byte != b'\n') {}
    }

    fn skip_game(&mut self) {
        while self.bytes.next().is_some_and(|byte| byte != b'\n') {
            self.skip_line();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_moves_are_counted() {
        let check = |text: &str, endings, n_moves| {
            let mut machine = Machine::new(Bytes::of(text.as_bytes()));
            machine.run();
            assert_eq!((machine.endings, machine.n_moves), (endings, n_moves), "{text}");
        };
        let won = "1 X A1\n2 O B1 # oh\n3 X A2\n4 O B2\n5 X A3\n";
        check(won, [1, 0, 0, 0, 0], 5);
        check(&format!("{won}6 O B3\n\n{won}"), [1, 0, 0, 0, 1], 10);
        check(&won.replace('X', "o").replace('O', "X").replace('o', "O"), [0, 1, 0, 0, 0], 5);
        check("1 X A1\n2 O A1\nrest\n\n1 X A1", [0, 0, 0, 1, 1], 2);
        check("1 X A1\n2 X A2\n\n\n1 X D1\n\n1 X\n\n2 X A1\n", [0, 0, 0, 0, 4], 1);
        check("1 X A1\n2 O A2\n3 X A3\n4 O B1\n5 X B3\n6 O B2\n7 X C1\n8 O C3\n9 X C2\n", [0, 0, 1, 0, 0], 9);
        check("", [0; 5], 0);
    }
}
