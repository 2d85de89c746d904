//! What `tictac check` is compared to: a careful checker of canonical games that looks at one byte after the other.
//!
//! It knows only the 3×3 board, single blanks, capitals and comments, and where a game is wrong it says so without saying why.

use std::fs::File;
use std::io::{Read, Write};

use anyhow::Context;

/// The eight lines of the board.
pub(super) const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// Checks the file and writes its totals as `tictac check --summary-json` does.
pub(crate) fn run(path: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let mut file = File::open(path).with_context(|| format!("cannot read {path}"))?;
    let mut buffer = vec![0; 256 * 1024];
    let mut machine = Machine::new();
    loop {
        let n_read = file.read(&mut buffer)?;
        if n_read == 0 {
            break;
        }
        for &byte in &buffer[..n_read] {
            machine.push(byte);
        }
    }
    machine.end_game();
    let [x_won, o_won, drawn, unfinished, bad] = machine.endings;
    let games: u64 = machine.endings.iter().sum();
    writeln!(
        out,
        "{{\"games\":{games},\"moves\":{},\"x_won\":{x_won},\"o_won\":{o_won},\"drawn\":{drawn},\
         \"unfinished\":{unfinished},\"bad\":{bad}}}",
        machine.n_moves
    )?;
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    LineStart,
    AfterNumber,
    BeforeMark,
    AfterMark,
    BeforeRow,
    BeforeColumn,
    AfterSquare,
    AfterBlank,
    Comment,
    Bad,
    BadLineStart,
}

struct Machine {
    state: State,
    number: u8,
    mark: u8,
    row: u8,
    // By mark, a bit a square.
    sets: [u16; 2],
    winner: Option<usize>,
    has_line: [bool; 512],
    n_moves: u64,
    endings: [u64; 5],
}

impl Machine {
    fn new() -> Machine {
        let mut has_line = [false; 512];
        for (set, has_line) in has_line.iter_mut().enumerate() {
            *has_line = LINES.iter().any(|line| line.iter().all(|&square| set >> square & 1 == 1));
        }
        Machine {
            state: State::LineStart,
            number: 0,
            mark: 0,
            row: 0,
            sets: [0; 2],
            winner: None,
            has_line,
            n_moves: 0,
            endings: [0; 5],
        }
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        self.state = match (self.state, byte) {
            (State::LineStart | State::BadLineStart, b'\n') => {
                self.end_game();
                State::LineStart
            }
            (State::LineStart, _) if byte == b'1' + self.number && self.winner.is_none() => {
                State::AfterNumber
            }
            (State::AfterNumber, b' ') => State::BeforeMark,
            (State::BeforeMark, b'X' | b'O') if byte != self.mark => {
                self.mark = byte;
                State::AfterMark
            }
            (State::AfterMark, b' ') => State::BeforeRow,
            (State::BeforeRow, b'A'..=b'C') => {
                self.row = byte - b'A';
                State::BeforeColumn
            }
            (State::BeforeColumn, b'1'..=b'3') => self.play(self.row * 3 + byte - b'1'),
            (State::AfterSquare, b' ') => State::AfterBlank,
            (State::AfterSquare | State::Comment, b'\n') => State::LineStart,
            (State::AfterBlank, b'#') | (State::Comment, _) => State::Comment,
            (State::Bad, b'\n') => State::BadLineStart,
            _ => State::Bad,
        };
    }

    fn play(&mut self, square: u8) -> State {
        let bit = 1 << square;
        if (self.sets[0] | self.sets[1]) & bit != 0 || self.number == 9 {
            return State::Bad;
        }
        let player = usize::from(self.mark == b'O');
        self.sets[player] |= bit;
        self.number += 1;
        self.n_moves += 1;
        if self.has_line[usize::from(self.sets[player])] {
            self.winner = Some(player);
        }
        State::AfterSquare
    }

    fn end_game(&mut self) {
        let is_bad = !matches!(self.state, State::LineStart);
        if self.number > 0 || is_bad {
            let ending = match (is_bad, self.winner, self.number) {
                (true, ..) => 4,
                (false, Some(player), _) => player,
                (false, None, 9) => 2,
                (false, None, _) => 3,
            };
            self.endings[ending] += 1;
        }
        (self.state, self.number, self.mark) = (State::LineStart, 0, 0);
        (self.sets, self.winner) = ([0; 2], None);
    }
}
