//! `lab3`: tic-tac-toe on a board with a border.

use std::io;

use super::Mutant;
use crate::console::is_space;
use crate::{Assignment, Console};

const fn mutant(name: &'static str, blamed: &'static str, mistake: &'static str) -> Mutant {
    Mutant { name, assignment: Assignment::Lab3, mistake, blamed }
}

#[rustfmt::skip]
pub(super) const MUTANTS: &[Mutant] = &[
    mutant("plays-without-arguments", "lab3/arguments", "Does not check `argc`."),
    mutant("ignores-the-case-of-the-argument", "lab3/arguments", "Accepts `tictactoegame` as well."),
    mutant("exits-with-0-on-wrong-arguments", "lab3/arguments", "Prints the usage and returns 0."),
    mutant("swaps-rows-and-columns", "lab3/coordinates", "Reads the first coordinate as the column."),
    mutant("counts-rows-from-the-top", "lab3/board", "Prints row 0 first."),
    mutant("draws-the-board-without-border", "lab3/board", "Prints only the squares that can be played."),
    mutant("shows-no-board-after-a-move", "lab3/board", "Prints the board once, at the start."),
    mutant("lets-o-start", "lab3/turns", "Counts turns from 1."),
    mutant("plays-on-the-border", "lab3/bounds", "Checks the bounds of the whole board, 0 to 4."),
    mutant("stops-at-row-2", "lab3/bounds", "Writes `x < DIM - 2` instead of `x <= DIM - 2`."),
    mutant("checks-only-the-row", "lab3/bounds", "Checks the row twice, and moves a column outside the board to the last one."),
    mutant("accepts-taken-squares", "lab3/taken", "Does not check whether the square is free."),
    mutant("loses-the-turn-after-a-taken-square", "lab3/taken", "Switches players even if the move was refused."),
    mutant("loses-the-turn-after-an-unreadable-line", "lab3/unreadable", "Switches players even if the line could not be read."),
    mutant("drops-the-minus-sign", "lab3/unreadable", "Skips the minus sign before a number, so 1,-2 counts as 1,2."),
    mutant("skips-a-second-comma", "lab3/unreadable", "Replaces every comma by a space, so 1,,2 is a move."),
    mutant("reads-numbers-without-a-comma", "lab3/unreadable", "Replaces the comma by a space, and does not require one."),
    mutant("does-not-ask-again", "lab3/prompt", "Reads the next line without a prompt."),
    mutant("swaps-the-messages", "lab3/bounds", "Prints the message for a taken square if the coordinates are out of bounds, and the other way round."),
    mutant("echoes-nothing", "lab3/echo", "Does not repeat the input."),
    mutant("forgets-the-second-diagonal", "lab3/win-diagonal", "Checks the diagonal upwards, not the one downwards."),
    mutant("forgets-columns", "lab3/win-column", "Checks rows and diagonals only."),
    mutant("wins-with-two-in-a-row", "lab3/win-row", "Checks only two squares of the first row."),
    mutant("names-the-wrong-winner", "lab3/win-row", "Switches players before it announces the winner."),
    mutant("exits-with-1-after-a-win", "lab3/status", "Returns `true` from `main`."),
    mutant("has-no-draw", "lab3/draw", "Asks for a tenth move."),
    mutant("says-draw-after-eight", "lab3/draw", "Announces a draw one move too early."),
    mutant("calls-a-win-with-the-last-move-a-draw", "lab3/win-diagonal", "Checks for a full board before it checks for a line."),
    mutant("exits-with-0-after-a-draw", "lab3/status", "Returns 0 after a draw."),
    mutant("exits-with-0-after-quit", "lab3/status", "Returns 0 when a player quits."),
    mutant("understands-only-capital-quit", "lab3/quit", "Compares the line with `QUIT`."),
    mutant("counts-a-quit-as-a-turn", "lab3/quit", "Counts one turn too many when a player quits."),
    mutant("lists-the-moves-of-both-players", "lab3/moves", "Prints the moves of both players."),
    mutant("lists-moves-backwards", "lab3/moves", "Prints a player's last move first."),
    mutant("forgets-to-count", "lab3/count", "Always prints `# moves: 0`."),
    mutant("floods-at-end-of-input", "lab3/end-of-input", "Asks again and again after the end of the input."),
    mutant("knows-only-the-examples", "lab3/board", "Accepts only the sessions of the document, and quits on everything else."),
];

const PROMPT: &str = "Please enter a comma-seperated coordinate in [1:3,1:3] or type 'quit'";

/// The inputs of the sessions in the document.
const EXAMPLES: [&[&str]; 5] = [
    &["quit"],
    &["1,2", "quit"],
    &["1,1", "3,3", "1,3", "1,2", "2,3", "2,1", "3,1", "2,2", "3,2"],
    &["1,1", "1,2", "1,3", "2,1", "2,2", "2,3", "3,1"],
    &["1,1", "1,1", "1,4", "1,,2", "1,-2", "2,2"],
];

/// The lines; each square is a row and a column.
const LINES: [[(usize, usize); 3]; 8] = [
    [(1, 1), (1, 2), (1, 3)],
    [(2, 1), (2, 2), (2, 3)],
    [(3, 1), (3, 2), (3, 3)],
    [(1, 1), (2, 1), (3, 1)],
    [(1, 2), (2, 2), (3, 2)],
    [(1, 3), (2, 3), (3, 3)],
    [(1, 1), (2, 2), (3, 3)],
    [(3, 1), (2, 2), (1, 3)],
];

struct Game<'a> {
    /// The first index is the row.
    board: [[char; 5]; 5],
    moves: Vec<(usize, usize)>,
    /// The player to move, 0 or 1.
    player: usize,
    typed: Vec<Vec<u8>>,
    mistake: &'a str,
}

/// A parsed line.
enum Typed {
    Quit,
    Place(i64, i64),
    Nothing,
}

pub(super) fn run(mistake: &str, console: &mut Console<'_>) -> io::Result<u8> {
    if !are_right(console.arguments, mistake) {
        let program = console.program;
        writeln!(console.output, "{program} requires 1 argument.\nusage: {program} TicTacToeGame")?;
        return Ok(u8::from(mistake != "exits-with-0-on-wrong-arguments"));
    }
    let player = usize::from(mistake == "lets-o-start");
    let mut game = Game { board: [[' '; 5]; 5], moves: Vec::new(), player, typed: Vec::new(), mistake };
    game.show(console)?;
    loop {
        let name = game.name();
        writeln!(console.output, "Player {name}'s turn...\n{PROMPT}")?;
        let Some(place) = game.ask(console)? else { return game.quit(console) };
        if place == (0, 0) {
            game.player = 1 - game.player;
            continue;
        }
        game.place(place);
        if mistake != "shows-no-board-after-a-move" {
            game.show(console)?;
            writeln!(console.output)?;
        }
        writeln!(console.output, "Player {name} :{}", game.list())?;
        if let Some(status) = game.result(console)? {
            return Ok(status);
        }
        game.player = 1 - game.player;
    }
}

fn are_right(arguments: &[String], mistake: &str) -> bool {
    if mistake == "plays-without-arguments" {
        return true;
    }
    match arguments {
        [game] if mistake == "ignores-the-case-of-the-argument" => game.eq_ignore_ascii_case("TicTacToeGame"),
        [game] => game == "TicTacToeGame",
        _ => false,
    }
}

impl Game<'_> {
    fn name(&self) -> char {
        if self.player == 0 { 'X' } else { 'O' }
    }

    fn show(&self, console: &mut Console<'_>) -> io::Result<()> {
        let mistake = self.mistake;
        writeln!(console.output)?;
        let mut rows = vec![4, 3, 2, 1, 0];
        if mistake == "counts-rows-from-the-top" {
            rows.reverse();
        }
        if mistake == "draws-the-board-without-border" {
            rows.retain(|row| (1..4).contains(row));
        }
        for row in rows {
            let pieces: String = self.board[row].iter().flat_map(|&piece| [' ', piece]).collect();
            writeln!(console.output, "{}", format!("{row}{pieces}").trim_end())?;
        }
        writeln!(console.output, "  0 1 2 3 4\n")
    }

    /// Asks until a square can be played. Returns `None` if the player quits, and (0, 0) if the turn is lost.
    fn ask(&mut self, console: &mut Console<'_>) -> io::Result<Option<(usize, usize)>> {
        let mistake = self.mistake;
        loop {
            let Some(line) = console.line()? else {
                if mistake == "floods-at-end-of-input" {
                    writeln!(console.output, "{PROMPT}")?;
                    continue;
                }
                return Ok(None);
            };
            if mistake != "echoes-nothing" {
                console.output.write_all(&[b"You entered: ", line.as_slice(), b"\n"].concat())?;
            }
            self.typed.push(line.clone());
            if mistake == "knows-only-the-examples" && !self.is_in_an_example() {
                return Ok(None);
            }
            let place = match self.read(&line) {
                Typed::Quit => return Ok(None),
                Typed::Nothing if mistake == "loses-the-turn-after-an-unreadable-line" => {
                    return Ok(Some((0, 0)));
                }
                Typed::Nothing => None,
                Typed::Place(row, column) => self.judge(row, column, console)?,
            };
            if place.is_some() {
                return Ok(place);
            }
            if mistake != "does-not-ask-again" {
                writeln!(console.output, "{PROMPT}")?;
            }
        }
    }

    fn is_in_an_example(&self) -> bool {
        EXAMPLES.iter().any(|lines| {
            lines.len() >= self.typed.len()
                && self.typed.iter().zip(*lines).all(|(typed, line)| typed == line.as_bytes())
        })
    }

    /// Returns the square if it can be played, or prints why it cannot.
    fn judge(&self, row: i64, column: i64, console: &mut Console<'_>) -> io::Result<Option<(usize, usize)>> {
        let mistake = self.mistake;
        let mut messages =
            ["Careful, you entered out of bound. Try again!", "Sorry, the place is not empty. Try again!"];
        if mistake == "swaps-the-messages" {
            messages.reverse();
        }
        let range = if mistake == "plays-on-the-border" {
            0..=4
        } else if mistake == "stops-at-row-2" {
            1..=2
        } else {
            1..=3
        };
        let is_inside = range.contains(&row) && (mistake == "checks-only-the-row" || range.contains(&column));
        if !is_inside {
            writeln!(console.output, "{}", messages[0])?;
            return Ok(None);
        }
        let place = (row as usize, column.clamp(0, 4) as usize);
        let is_taken = self.board[place.0][place.1] != ' ';
        if !is_taken || mistake == "accepts-taken-squares" {
            return Ok(Some(place));
        }
        writeln!(console.output, "{}", messages[1])?;
        Ok((mistake == "loses-the-turn-after-a-taken-square").then_some((0, 0)))
    }

    fn read(&self, line: &[u8]) -> Typed {
        let mistake = self.mistake;
        let line: String = line.iter().map(|&byte| char::from(byte)).collect();
        let is_blank = |c: char| u8::try_from(c).is_ok_and(is_space);
        let word = line.trim_matches(is_blank);
        if word == if mistake == "understands-only-capital-quit" { "QUIT" } else { "quit" } {
            return Typed::Quit;
        }
        let (first, rest) = number(&line, mistake);
        let rest = rest.trim_start_matches(is_blank);
        let rest = if mistake == "skips-a-second-comma" && rest.starts_with(',') {
            rest.trim_start_matches(',')
        } else if mistake == "reads-numbers-without-a-comma" {
            rest.strip_prefix(',').unwrap_or(rest)
        } else {
            let Some(rest) = rest.strip_prefix(',') else { return Typed::Nothing };
            rest
        };
        match (first, number(rest, mistake).0) {
            (Some(row), Some(column)) if mistake == "swaps-rows-and-columns" => Typed::Place(column, row),
            (Some(row), Some(column)) => Typed::Place(row, column),
            _ => Typed::Nothing,
        }
    }

    fn place(&mut self, (row, column): (usize, usize)) {
        self.board[row][column] = self.name();
        self.moves.push((row, column));
    }

    /// Returns the moves of the player who has just moved.
    fn list(&self) -> String {
        let mistake = self.mistake;
        let mut moves: Vec<(usize, usize)> = if mistake == "lists-the-moves-of-both-players" {
            self.moves.clone()
        } else {
            self.moves.iter().rev().step_by(2).rev().copied().collect()
        };
        if mistake == "lists-moves-backwards" {
            moves.reverse();
        }
        moves.iter().map(|(row, column)| format!(" {row}, {column};")).collect()
    }

    /// Announces the result if the game is over, and returns the exit status.
    fn result(&self, console: &mut Console<'_>) -> io::Result<Option<u8>> {
        let mistake = self.mistake;
        let n_moves = self.moves.len();
        let is_full = n_moves == if mistake == "says-draw-after-eight" { 8 } else { 9 };
        let ignores_win = mistake == "calls-a-win-with-the-last-move-a-draw" && is_full;
        if self.has_won() && !ignores_win {
            let mut winner = self.name();
            if mistake == "names-the-wrong-winner" {
                winner = if winner == 'X' { 'O' } else { 'X' };
            }
            writeln!(console.output, "Won! Player {winner} is the winner!")?;
            return Ok(Some(u8::from(mistake == "exits-with-1-after-a-win")));
        }
        self.say_count(console)?;
        if !is_full || mistake == "has-no-draw" {
            return Ok(None);
        }
        writeln!(console.output, "Draw! {n_moves} turns have been played. No winning moves remained.")?;
        Ok(Some(if mistake == "exits-with-0-after-a-draw" { 0 } else { 4 }))
    }

    fn has_won(&self) -> bool {
        let mistake = self.mistake;
        let mine = |&(row, column): &(usize, usize)| self.board[row][column] == self.name();
        let lines: &[_] = if mistake == "forgets-the-second-diagonal" { &LINES[..7] } else { &LINES };
        if mistake == "wins-with-two-in-a-row" && lines[0][..2].iter().all(mine) {
            return true;
        }
        if mistake == "forgets-columns" {
            return lines[..3].iter().chain(&lines[6..]).any(|line| line.iter().all(mine));
        }
        lines.iter().any(|line| line.iter().all(mine))
    }

    fn say_count(&self, console: &mut Console<'_>) -> io::Result<()> {
        let mistake = self.mistake;
        let n_moves = if mistake == "forgets-to-count" { 0 } else { self.moves.len() };
        writeln!(console.output, "is it draw? # moves: {n_moves}, max: 9")
    }

    fn quit(&self, console: &mut Console<'_>) -> io::Result<u8> {
        let mistake = self.mistake;
        writeln!(console.output, "someone wants to quit the game.")?;
        self.say_count(console)?;
        let n_turns = self.moves.len() + usize::from(mistake == "counts-a-quit-as-a-turn");
        writeln!(console.output, "Player {} quits! {n_turns} turns have been played.", self.name())?;
        Ok(if mistake == "exits-with-0-after-quit" { 0 } else { 3 })
    }
}

/// Parses a number at the start of the text, after white space, and returns also the rest.
fn number<'a>(text: &'a str, mistake: &str) -> (Option<i64>, &'a str) {
    let text = text.trim_start_matches(|c: char| u8::try_from(c).is_ok_and(is_space));
    let text = match text.strip_prefix('-') {
        Some(rest) if mistake == "drops-the-minus-sign" => rest,
        _ => text,
    };
    let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(n_digits);
    let number = digits.trim_start_matches('0');
    let number = if number.is_empty() && !digits.is_empty() { "0" } else { number };
    (number.parse::<i32>().ok().map(i64::from), rest)
}
