//! `notakto`: both players write X, and the one who completes a line loses.

use std::io;

use super::Mutant;
use crate::console::is_space;
use crate::{Assignment, Console};

const fn mutant(name: &'static str, blamed: &'static str, mistake: &'static str) -> Mutant {
    Mutant { name, assignment: Assignment::Notakto, mistake, blamed }
}

#[rustfmt::skip]
pub(super) const MUTANTS: &[Mutant] = &[
    mutant("draws-dots", "notakto/board", "Draws an empty slot as a dot."),
    mutant("forgets-the-last-line-of-dashes", "notakto/board", "Draws no dashes under the last row."),
    mutant("numbers-slots-from-zero", "notakto/board", "Prints the index of a slot instead of its number."),
    mutant("draws-only-once", "notakto/board", "Draws the board before the loop, not inside."),
    mutant("prompts-without-newline", "notakto/prompt", "Forgets the newline after the prompt."),
    mutant("forgets-the-colon", "notakto/prompt", "Omits the colon after the prompt."),
    mutant("numbers-players-from-zero", "notakto/turns", "Asks Player 0 and Player 1."),
    mutant("lets-player-2-start", "notakto/turns", "Counts turns from 1."),
    mutant("never-switches-players", "notakto/turns", "Always asks Player 1."),
    mutant("writes-o-for-player-2", "notakto/placement", "Gives each player a mark, as in tic-tac-toe."),
    mutant("counts-slots-by-column", "notakto/placement", "Writes `board[index % 3][index / 3]`."),
    mutant("counts-slots-from-zero", "notakto/placement", "Uses the number as an index from 0."),
    mutant("counts-slots-as-on-a-keypad", "notakto/placement", "Numbers the slots as on a keypad, with 7, 8 and 9 at the top."),
    mutant("refuses-the-last-slot", "notakto/placement", "Writes `location < 9`."),
    mutant("reads-zero-as-one", "notakto/invalid", "Checks only `index > 9`, and treats 0 as 1."),
    mutant("reads-ten-as-one", "notakto/invalid", "Reads one character, so 10 counts as 1."),
    mutant("wraps-around", "notakto/invalid", "Computes the slot modulo 9 instead of refusing."),
    mutant("crashes-outside-the-board", "notakto/invalid", "Uses a location of 12 as an index."),
    mutant("says-nothing-about-an-invalid-number", "notakto/invalid", "Reads the next location without a message."),
    mutant("misspells-the-message", "notakto/invalid", "Prints `Invalid location!`"),
    mutant("passes-the-turn-after-an-invalid-number", "notakto/invalid", "Switches players even if `place_x` returns false."),
    mutant("accepts-taken-slots", "notakto/taken", "`place_x` returns true although the slot has an X."),
    mutant("passes-the-turn-after-a-taken-slot", "notakto/taken", "Switches players when the slot has an X."),
    mutant("ends-on-a-taken-slot", "notakto/taken", "Returns from `main` after the message."),
    mutant("forgets-the-middle-row", "notakto/lose-row", "Checks the first and the last row."),
    mutant("forgets-the-last-column", "notakto/lose-column", "Loops over the columns with `column < 2`."),
    mutant("forgets-one-diagonal", "notakto/lose-diagonal", "Checks 1, 5, 9 and not 3, 5, 7."),
    mutant("wins-with-a-line", "notakto/winner", "Names the player who completes the line as the winner."),
    mutant("always-names-player-2", "notakto/winner", "Always prints the winner of the example."),
    mutant("forgets-the-last-board", "notakto/ending", "Names the winner without drawing the board again."),
    mutant("plays-on-after-a-line", "notakto/ending", "Names the winner and continues the loop."),
    mutant("calls-three-marks-a-line", "notakto/lose-row", "Counts the X of the upper two rows instead of checking lines."),
    mutant("exits-with-1", "notakto/status", "Returns `true` from `main`."),
    mutant("reads-one-location-per-line", "notakto/spread", "Reads a line and ignores everything after the first word."),
    mutant("waits-forever-for-a-number", "notakto/end-of-input", "Loops while `cin` fails, even at the end of the input."),
    mutant("floods-after-a-word", "notakto/not-a-number", "Never clears `cin` after a word, and prints the message again and again."),
    mutant("knows-only-the-examples", "notakto/placement", "Plays the example of the document for any input."),
];

/// The moves of the example in the document.
const EXAMPLE: [i64; 4] = [1, 5, 4, 7];

const LINES: [[usize; 3]; 8] =
    [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 4, 7], [2, 5, 8], [3, 6, 9], [1, 5, 9], [3, 5, 7]];

struct Game<'a> {
    /// The marks in slots 1 to 9; index 0 is not used.
    slots: [u8; 10],
    /// The player to move, 1 or 2.
    player: u8,
    n_moves: usize,
    mistake: &'a str,
}

/// The result of trying to place an X.
#[derive(PartialEq)]
enum Placement {
    Placed,
    Invalid,
    Taken,
}

pub(super) fn run(mistake: &str, console: &mut Console<'_>) -> io::Result<u8> {
    let player = if mistake == "lets-player-2-start" { 2 } else { 1 };
    let mut game = Game { slots: [b' '; 10], player, n_moves: 0, mistake };
    loop {
        if mistake != "draws-only-once" || game.n_moves == 0 {
            game.draw(console)?;
        }
        game.prompt(console)?;
        let placement = loop {
            let Some(word) = game.read(console)? else {
                writeln!(console.error, "notakto: the input ended before the game")?;
                return Ok(1);
            };
            let placement = game.place(location(&word, mistake));
            if placement == Placement::Placed {
                break placement;
            }
            game.refuse(&placement, console)?;
            if mistake == "ends-on-a-taken-slot" && placement == Placement::Taken {
                return Ok(1);
            }
            if game.passes_turn(&placement) {
                break placement;
            }
        };
        if placement == Placement::Placed && game.has_line() {
            game.announce(console)?;
            if mistake != "plays-on-after-a-line" {
                return Ok(u8::from(mistake == "exits-with-1"));
            }
        }
        if mistake != "never-switches-players" {
            game.player = 3 - game.player;
        }
    }
}

/// Parses a location; returns 0 if it is invalid.
fn location(word: &[u8], mistake: &str) -> i64 {
    match word {
        [digit @ b'1'..=b'9'] => i64::from(digit - b'0'),
        [digit @ b'1'..=b'9', ..] if mistake == "reads-ten-as-one" => i64::from(digit - b'0'),
        [b'0'] if mistake == "reads-zero-as-one" => 1,
        _ => {
            let number = str::from_utf8(word).ok().and_then(|word| word.parse::<i64>().ok());
            match number {
                Some(10..) if mistake == "crashes-outside-the-board" => std::process::abort(),
                Some(number @ 10..) if mistake == "wraps-around" => (number - 1) % 9 + 1,
                _ => 0,
            }
        }
    }
}

impl Game<'_> {
    fn draw(&self, console: &mut Console<'_>) -> io::Result<()> {
        let mistake = self.mistake;
        let rule = "-------------";
        for row in [1, 4, 7] {
            let numbers = [0, 1, 2].map(|column| {
                let number = row + column;
                if mistake == "numbers-slots-from-zero" { number - 1 } else { number }
            });
            let marks = [0, 1, 2].map(|column| match self.slots[row + column] {
                b' ' if mistake == "draws-dots" => '.',
                mark => char::from(mark),
            });
            writeln!(console.output, "{rule}")?;
            writeln!(console.output, "| {} | {} | {} |", numbers[0], numbers[1], numbers[2])?;
            writeln!(console.output, "| {} | {} | {} |", marks[0], marks[1], marks[2])?;
        }
        if mistake == "forgets-the-last-line-of-dashes" {
            return Ok(());
        }
        writeln!(console.output, "{rule}")
    }

    fn prompt(&self, console: &mut Console<'_>) -> io::Result<()> {
        let mistake = self.mistake;
        let player = if mistake == "numbers-players-from-zero" { self.player - 1 } else { self.player };
        let colon = if mistake == "forgets-the-colon" { "" } else { ":" };
        write!(console.output, "Player {player}'s turn (Enter a location to place X){colon}")?;
        if mistake == "prompts-without-newline" {
            return Ok(());
        }
        writeln!(console.output)
    }

    /// Returns the next word, or `None` at the end of the input.
    fn read(&self, console: &mut Console<'_>) -> io::Result<Option<Vec<u8>>> {
        let mistake = self.mistake;
        if mistake == "reads-one-location-per-line" {
            let line = console.line()?;
            return Ok(
                line.map(|line| line.split(|&byte| is_space(byte)).next().unwrap_or_default().to_vec())
            );
        }
        let mut word = Vec::new();
        loop {
            match console.peek()? {
                None if mistake == "waits-forever-for-a-number" && word.is_empty() => {}
                None => return Ok((!word.is_empty()).then_some(word)),
                Some(byte) if is_space(byte) && word.is_empty() => drop(console.byte()?),
                Some(byte) if is_space(byte) => return Ok(Some(word)),
                Some(byte) if mistake == "floods-after-a-word" && !byte.is_ascii_digit() => {
                    return Ok(Some(vec![byte]));
                }
                Some(byte) => {
                    console.byte()?;
                    // A word of this length is not a location, whatever follows.
                    if word.len() < 20 {
                        word.push(byte);
                    }
                }
            }
        }
    }

    fn place(&mut self, location: i64) -> Placement {
        let mistake = self.mistake;
        let mut location = location;
        if mistake == "knows-only-the-examples" {
            location = EXAMPLE.get(self.n_moves).copied().unwrap_or_default();
        }
        if mistake == "counts-slots-by-column" && location > 0 {
            location = (location - 1) % 3 * 3 + (location - 1) / 3 + 1;
        }
        if mistake == "counts-slots-from-zero" && location < 9 {
            location += 1;
        }
        if mistake == "counts-slots-as-on-a-keypad" && location > 0 {
            location = [7, 8, 9, 4, 5, 6, 1, 2, 3][location as usize - 1];
        }
        if location == 0 || (mistake == "refuses-the-last-slot" && location == 9) {
            return Placement::Invalid;
        }
        let slot = &mut self.slots[location as usize];
        if *slot != b' ' && mistake != "accepts-taken-slots" {
            return Placement::Taken;
        }
        *slot = if mistake == "writes-o-for-player-2" && self.player == 2 { b'O' } else { b'X' };
        self.n_moves += 1;
        Placement::Placed
    }

    fn refuse(&self, placement: &Placement, console: &mut Console<'_>) -> io::Result<()> {
        let mistake = self.mistake;
        if mistake == "says-nothing-about-an-invalid-number" && *placement == Placement::Invalid {
            return Ok(());
        }
        if mistake == "misspells-the-message" {
            return writeln!(console.output, "Invalid location!");
        }
        writeln!(console.output, "Location invalid or already taken. Please try again.")
    }

    fn passes_turn(&self, placement: &Placement) -> bool {
        let mistake = self.mistake;
        (mistake == "passes-the-turn-after-an-invalid-number" && *placement == Placement::Invalid)
            || (mistake == "passes-the-turn-after-a-taken-slot" && *placement == Placement::Taken)
    }

    fn has_line(&self) -> bool {
        let mistake = self.mistake;
        let is_marked = |&slot: &usize| self.slots[slot] != b' ';
        if mistake == "calls-three-marks-a-line" && (1..=6).filter(is_marked).count() >= 3 {
            return true;
        }
        let forgotten: &[[usize; 3]] = if mistake == "forgets-the-middle-row" {
            &LINES[1..2]
        } else if mistake == "forgets-the-last-column" {
            &LINES[5..6]
        } else if mistake == "forgets-one-diagonal" {
            &LINES[7..]
        } else {
            &[]
        };
        LINES.iter().any(|line| line.iter().all(is_marked) && !forgotten.contains(line))
    }

    fn announce(&self, console: &mut Console<'_>) -> io::Result<()> {
        let mistake = self.mistake;
        if mistake != "forgets-the-last-board" {
            self.draw(console)?;
        }
        let winner = if mistake == "wins-with-a-line" {
            self.player
        } else if mistake == "always-names-player-2" {
            2
        } else if mistake == "numbers-players-from-zero" {
            2 - self.player
        } else {
            3 - self.player
        };
        writeln!(console.output, "Player {winner} wins!")
    }
}
