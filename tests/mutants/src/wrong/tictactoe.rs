//! `tictactoe`: tic-tac-toe with rows and columns from 1 to 3.

use std::io;

use super::Mutant;
use crate::console::is_space;
use crate::{Assignment, Console};

const fn mutant(name: &'static str, blamed: &'static str, mistake: &'static str) -> Mutant {
    Mutant { name, assignment: Assignment::Tictactoe, mistake, blamed }
}

#[rustfmt::skip]
pub(super) const MUTANTS: &[Mutant] = &[
    mutant("gives-no-instructions", "tictactoe/opening", "Does not explain how to enter a move."),
    mutant("labels-columns-from-zero", "tictactoe/board", "Prints the column index instead of the column number."),
    mutant("forgets-row-numbers", "tictactoe/board", "Prints the rows without their numbers."),
    mutant("shows-the-board-only-at-the-start", "tictactoe/board", "Calls `printMe` only before the loop."),
    mutant("hides-the-last-board", "tictactoe/board", "Leaves the loop before it prints the last board."),
    mutant("lets-o-start", "tictactoe/turns", "Starts with player 1 instead of player 0."),
    mutant("never-switches-players", "tictactoe/turns", "Forgets to update the current player."),
    mutant("never-says-whose-turn-it-is", "tictactoe/turns", "Prompts with `Your turn:`."),
    mutant("swaps-rows-and-columns", "tictactoe/placement", "Writes `grid[column][row]`."),
    mutant("counts-from-zero", "tictactoe/placement", "Uses the numbers as indexes from 0, so 1 1 is the centre."),
    mutant("counts-rows-from-the-bottom", "tictactoe/placement", "Counts rows from the bottom."),
    mutant("refuses-the-last-row", "tictactoe/placement", "Writes `row < 3`."),
    mutant("crashes-outside-the-board", "tictactoe/range", "Uses a row of 7 as an index."),
    mutant("checks-only-the-row", "tictactoe/range", "Accepts column 4, which is the first square of the next row."),
    mutant("accepts-row-zero", "tictactoe/range", "Writes `row >= 0 && row <= 3`, and treats row 0 as row 1."),
    mutant("says-nothing-about-the-range", "tictactoe/range", "Refuses numbers out of range without a message."),
    mutant("says-nothing-about-a-taken-square", "tictactoe/taken", "Refuses a taken square without a message."),
    mutant("accepts-taken-squares", "tictactoe/taken", "Does not check whether the square is free."),
    mutant("accepts-the-other-players-squares", "tictactoe/taken", "Refuses only squares of the player to move."),
    mutant("passes-the-turn-after-a-taken-square", "tictactoe/turn-kept", "Switches players even if `takeTurn` returns false."),
    mutant("passes-the-turn-out-of-range", "tictactoe/turn-kept", "Switches players even after numbers out of range."),
    mutant("sees-only-the-first-row", "tictactoe/win-row", "Returns from inside the loop over the rows."),
    mutant("forgets-the-last-column", "tictactoe/win-column", "Loops over the columns with `column < 2`."),
    mutant("forgets-the-second-diagonal", "tictactoe/win-diagonal", "Checks one diagonal only."),
    mutant("plays-on-after-a-win", "tictactoe/goodbye", "Announces the win and continues the loop."),
    mutant("names-lines-from-zero", "tictactoe/via", "Prints `Row 0` for the first row."),
    mutant("calls-columns-rows", "tictactoe/via", "Prints the message for rows also for columns."),
    mutant("does-not-name-the-winning-line", "tictactoe/via", "Does not name the winning line."),
    mutant("names-the-wrong-winner", "tictactoe/via", "Switches players before it announces the winner."),
    mutant("says-nothing-at-the-end", "tictactoe/goodbye", "Exits without a closing message."),
    mutant("has-no-tie", "tictactoe/tie", "Asks for a tenth move."),
    mutant("says-tie-after-eight", "tictactoe/tie", "Treats eight moves as a full board."),
    mutant("calls-a-win-with-the-last-move-a-tie", "tictactoe/tie", "Calls `isTie`, which only counts moves, before `isWin`."),
    mutant("says-tie-when-the-next-player-cannot-win", "tictactoe/tie", "Does not consider that the other player may still complete a line."),
    mutant("forgets-whose-turn-it-is-in-a-tie", "tictactoe/early-tie", "Announces a tie only when all lines are blocked, not when too few moves are left to complete one."),
    mutant("exits-with-1", "tictactoe/status", "Returns `true` from `main`."),
    mutant("waits-forever-for-a-number", "tictactoe/end-of-input", "Loops while `cin` fails, even at the end of the input."),
    mutant("floods-after-a-word", "tictactoe/not-a-number", "Never clears `cin` after a word, and asks again and again."),
    mutant("knows-only-the-examples", "tictactoe/placement", "Plays the sample session for any input."),
];

/// The moves of the sample session in the document.
const SAMPLE: [(i64, i64); 6] = [(1, 1), (2, 2), (3, 2), (2, 1), (3, 3), (2, 3)];

/// The lines with their names in the sample session; squares are numbered row by row.
const LINES: [(&str, [usize; 3]); 8] = [
    ("Row 1", [0, 1, 2]),
    ("Row 2", [3, 4, 5]),
    ("Row 3", [6, 7, 8]),
    ("Column 1", [0, 3, 6]),
    ("Column 2", [1, 4, 7]),
    ("Column 3", [2, 5, 8]),
    ("Diagonal 1", [0, 4, 8]),
    ("Diagonal 2", [2, 4, 6]),
];

type Grid = [char; 9];

struct Game<'a> {
    grid: Grid,
    token: char,
    n_moves: usize,
    mistake: &'a str,
}

/// The next word of the input, parsed as a number.
enum Number {
    Valid(i64),
    Invalid,
    EndOfInput,
}

pub(super) fn run(mistake: &str, console: &mut Console<'_>) -> io::Result<u8> {
    let token = if mistake == "lets-o-start" { 'O' } else { 'X' };
    let mut game = Game { grid: ['-'; 9], token, n_moves: 0, mistake };
    writeln!(console.output, "Let's play Tic Tac Toe!")?;
    game.print(console)?;
    if mistake != "gives-no-instructions" {
        writeln!(console.output, "Enter a move like \"1 2\" for row 1 column 2.")?;
    }
    loop {
        let name =
            if mistake == "never-says-whose-turn-it-is" { "Your" } else { &format!("{}'s", game.token) };
        write!(console.output, "{name} turn: ")?;
        let Some(place) = game.ask(console)? else {
            writeln!(console.error, "tictactoe: the input ended before the game")?;
            return Ok(1);
        };
        let is_bad = !game.take_turn(place, console)?;
        if !is_bad && mistake != "shows-the-board-only-at-the-start" && !game.hides_board() {
            game.print(console)?;
        }
        if !is_bad && game.is_over(console)? {
            if mistake != "says-nothing-at-the-end" {
                writeln!(console.output, "Goodbye!")?;
            }
            return Ok(u8::from(mistake == "exits-with-1"));
        }
        if game.passes_turn(is_bad, place) {
            game.token = other(game.token);
        }
    }
}

impl Game<'_> {
    fn print(&self, console: &mut Console<'_>) -> io::Result<()> {
        let mistake = self.mistake;
        let head = if mistake == "labels-columns-from-zero" { "  0  1  2" } else { "  1  2  3" };
        writeln!(console.output, "{head}")?;
        for (number, row) in (1..).zip(self.grid.chunks(3)) {
            let number = if mistake == "forgets-row-numbers" { " ".to_owned() } else { number.to_string() };
            writeln!(console.output, "{number} {}  {}  {}", row[0], row[1], row[2])?;
        }
        writeln!(console.output)
    }

    fn hides_board(&self) -> bool {
        let mistake = self.mistake;
        mistake == "hides-the-last-board" && !self.won_lines().is_empty()
    }

    /// Reads a row and a column; returns `None` at the end of the input.
    fn ask(&self, console: &mut Console<'_>) -> io::Result<Option<(i64, i64)>> {
        let mistake = self.mistake;
        loop {
            let mut numbers = [0; 2];
            let mut n_read = 0;
            while n_read < 2 {
                match self.number(console)? {
                    Number::Valid(number) => {
                        numbers[n_read] = number;
                        n_read += 1;
                    }
                    Number::Invalid => break,
                    Number::EndOfInput if mistake == "waits-forever-for-a-number" => {}
                    Number::EndOfInput => return Ok(None),
                }
            }
            let [row, column] = numbers;
            if n_read == 2 && mistake == "knows-only-the-examples" {
                return Ok(SAMPLE.get(self.n_moves).copied());
            }
            if n_read == 2 {
                return Ok(Some((row, column)));
            }
            writeln!(console.output, "Please enter two numbers, such as \"1 2\".")?;
            write!(console.output, "{}'s turn: ", self.token)?;
        }
    }

    fn number(&self, console: &mut Console<'_>) -> io::Result<Number> {
        let mistake = self.mistake;
        let mut word = Vec::new();
        while console.peek()?.is_some_and(is_space) {
            console.byte()?;
        }
        while let Some(byte) = console.peek()?.filter(|&byte| !is_space(byte)) {
            let is_sign = word.is_empty() && matches!(byte, b'+' | b'-');
            if !is_sign && !byte.is_ascii_digit() {
                if mistake != "floods-after-a-word" {
                    drop_line(console)?;
                }
                return Ok(Number::Invalid);
            }
            console.byte()?;
            // Ten digits are enough to know that a number is out of range.
            if word.len() < 11 || word.iter().all(|&byte| byte == b'0') {
                word.push(byte);
            }
        }
        match word.as_slice() {
            [] => Ok(Number::EndOfInput),
            [b'+' | b'-'] => {
                drop_line(console)?;
                Ok(Number::Invalid)
            }
            digits => Ok(Number::Valid(String::from_utf8_lossy(digits).parse().unwrap_or(i64::MAX))),
        }
    }

    /// Places the token, or prints why it cannot, and returns whether it did.
    fn take_turn(&mut self, (row, column): (i64, i64), console: &mut Console<'_>) -> io::Result<bool> {
        let mistake = self.mistake;
        let (mut row, mut column) = (row, column);
        if mistake == "swaps-rows-and-columns" {
            (row, column) = (column, row);
        }
        if mistake == "counts-rows-from-the-bottom" {
            row = 4 - row.clamp(-9, 9);
        }
        if mistake == "counts-from-zero" {
            (row, column) = (row.saturating_add(1), column.saturating_add(1));
        }
        if mistake == "accepts-row-zero" && row == 0 {
            row = 1;
        }
        let n_rows = if mistake == "refuses-the-last-row" { 2 } else { 3 };
        let is_inside = (1..=n_rows).contains(&row) && (1..=3).contains(&column);
        if !is_inside && mistake == "crashes-outside-the-board" {
            std::process::abort();
        }
        if mistake == "checks-only-the-row" && (1..=2).contains(&row) && column == 4 {
            (row, column) = (row + 1, 1);
        } else if !is_inside {
            if mistake != "says-nothing-about-the-range" {
                writeln!(console.output, "Row and column must be from 1 to 3.")?;
            }
            return Ok(false);
        }
        self.place_token(row, column, console)
    }

    fn place_token(&mut self, row: i64, column: i64, console: &mut Console<'_>) -> io::Result<bool> {
        let mistake = self.mistake;
        let place = ((row - 1) * 3 + column - 1) as usize;
        let is_taken = if mistake == "accepts-taken-squares" {
            false
        } else if mistake == "accepts-the-other-players-squares" {
            self.grid[place] == self.token
        } else {
            self.grid[place] != '-'
        };
        if is_taken {
            if mistake != "says-nothing-about-a-taken-square" {
                writeln!(console.output, "Row {row} column {column} is already taken.")?;
            }
            return Ok(false);
        }
        self.grid[place] = self.token;
        self.n_moves += 1;
        Ok(true)
    }

    fn passes_turn(&self, is_bad: bool, (row, column): (i64, i64)) -> bool {
        let mistake = self.mistake;
        let is_inside = (1..=3).contains(&row) && (1..=3).contains(&column);
        if mistake == "never-switches-players" {
            return false;
        }
        !is_bad
            || (mistake == "passes-the-turn-after-a-taken-square" && is_inside)
            || (mistake == "passes-the-turn-out-of-range" && !is_inside)
    }

    /// Announces the result if the game is over.
    fn is_over(&self, console: &mut Console<'_>) -> io::Result<bool> {
        let mistake = self.mistake;
        let is_full = self.n_moves >= 9;
        if mistake == "calls-a-win-with-the-last-move-a-tie" && is_full {
            writeln!(console.output, "It's a tie!")?;
            return Ok(true);
        }
        let won = self.won_lines();
        if !won.is_empty() {
            let winner = if mistake == "names-the-wrong-winner" { other(self.token) } else { self.token };
            for name in won {
                if mistake != "does-not-name-the-winning-line" {
                    writeln!(console.output, "{winner} wins via {}", self.line_name(name))?;
                }
            }
            writeln!(console.output, "{winner} has won the game!")?;
            return Ok(mistake != "plays-on-after-a-win");
        }
        if is_full && mistake != "has-no-tie" {
            writeln!(console.output, "It's a tie!")?;
            return Ok(true);
        }
        if self.is_dead() {
            writeln!(console.output, "It's a tie! No one can complete a line any more.")?;
            return Ok(true);
        }
        Ok(false)
    }

    fn line_name(&self, name: &str) -> String {
        let mistake = self.mistake;
        if mistake == "calls-columns-rows" {
            return name.replace("Column", "Row");
        }
        if mistake == "names-lines-from-zero" {
            return name.replace('1', "0").replace('2', "1").replace('3', "2");
        }
        name.to_owned()
    }

    fn won_lines(&self) -> Vec<&'static str> {
        let mistake = self.mistake;
        let forgotten: &[&str] = if mistake == "sees-only-the-first-row" {
            &["Row 2", "Row 3"]
        } else if mistake == "forgets-the-last-column" {
            &["Column 3"]
        } else if mistake == "forgets-the-second-diagonal" {
            &["Diagonal 2"]
        } else {
            &[]
        };
        let mine = |line: &[usize; 3]| line.iter().all(|&place| self.grid[place] == self.token);
        LINES
            .iter()
            .filter(|(name, line)| mine(line) && !forgotten.contains(name))
            .map(|&(name, _)| name)
            .collect()
    }

    /// Returns whether neither player can complete a line any more.
    fn is_dead(&self) -> bool {
        let mistake = self.mistake;
        if mistake == "has-no-tie" {
            return false;
        }
        if mistake == "says-tie-after-eight" {
            return self.n_moves == 8;
        }
        if mistake == "says-tie-when-the-next-player-cannot-win" {
            return !may_win(self.grid, other(self.token), &[other(self.token)]);
        }
        if mistake == "forgets-whose-turn-it-is-in-a-tie" {
            return LINES.iter().all(|(_, line)| {
                ['X', 'O'].iter().all(|t| line.iter().any(|&place| self.grid[place] == *t))
            });
        }
        !may_win(self.grid, other(self.token), &['X', 'O'])
    }
}

/// Returns whether one of the `winners` can still complete a line when this token is to move.
fn may_win(grid: Grid, token: char, winners: &[char]) -> bool {
    (0..9).filter(|&place| grid[place] == '-').any(|place| {
        let mut next = grid;
        next[place] = token;
        let has_line = LINES.iter().any(|(_, line)| line.iter().all(|&place| next[place] == token));
        if has_line { winners.contains(&token) } else { may_win(next, other(token), winners) }
    })
}

fn other(token: char) -> char {
    if token == 'X' { 'O' } else { 'X' }
}

fn drop_line(console: &mut Console<'_>) -> io::Result<()> {
    while console.byte()?.is_some_and(|byte| byte != b'\n') {}
    Ok(())
}
