//! `game-check`: reads a record and prints its result.

use std::io;

use super::Mutant;
use super::line::{Move, parse};
use crate::{Assignment, Console};

const fn mutant(name: &'static str, blamed: &'static str, mistake: &'static str) -> Mutant {
    Mutant { name, assignment: Assignment::GameCheck, mistake, blamed }
}

#[rustfmt::skip]
pub(super) const MUTANTS: &[Mutant] = &[
    mutant("lets-only-x-start", "game-check/first-player", "Assumes that X moves first."),
    mutant("lets-a-player-move-twice", "game-check/alternate", "Does not check whose turn it is."),
    mutant("treats-x-and-capital-x-as-two-players", "game-check/alternate", "Compares the letters without ignoring case, so X may follow x."),
    mutant("ignores-move-numbers", "game-check/move-number", "Parses the number but does not check it."),
    mutant("accepts-any-larger-number", "game-check/move-number", "Writes `number > last` instead of `number == last + 1`."),
    mutant("lets-any-number-start", "game-check/move-number", "Compares each number with the one before it, and accepts any first number."),
    mutant("accepts-taken-squares", "game-check/taken", "Does not check whether the square is free."),
    mutant("accepts-a-players-own-squares", "game-check/taken", "Refuses squares of the opponent, but not those of the player."),
    mutant("forgets-the-diagonals", "game-check/win-diagonal", "Checks rows and columns only."),
    mutant("forgets-one-diagonal", "game-check/win-diagonal", "Checks the diagonal from A1, not the one from A3."),
    mutant("forgets-the-last-column", "game-check/win-column", "Loops over the columns with `column < 2`."),
    mutant("counts-a-mixed-row-as-won", "game-check/win-row", "Checks only that all squares of the first row are taken."),
    mutant("lets-only-x-win", "game-check/win-row", "Checks for three X twice, instead of X and O."),
    mutant("misses-a-win-with-two-lines", "game-check/two-lines", "Requires exactly one line."),
    mutant("says-draw-on-any-full-board", "game-check/full-win", "Checks for a full board before it checks for a line."),
    mutant("has-no-draw", "game-check/draw", "Names the player to move even if the board is full."),
    mutant("says-draw-one-move-early", "game-check/draw", "Treats eight moves as a full board."),
    mutant("stops-reading-at-a-win", "game-check/after-end", "Prints the result as soon as a player wins."),
    mutant("plays-on-after-a-win", "game-check/after-end", "Checks for a line only at the end of the input."),
    mutant("checks-the-move-before-the-syntax", "game-check/first-error", "After the end of the game, reports an invalid move even for lines with syntax errors."),
    mutant("names-the-player-who-moved", "game-check/turn", "Names the player who has just moved."),
    mutant("says-x-to-move-in-a-new-game", "game-check/new-game", "Prints that it is X's turn before the first move."),
    mutant("names-the-loser", "game-check/win-row", "Switches players before it determines the winner."),
    mutant("prints-after-every-line", "game-check/text", "Prints a result after each move."),
    mutant("misspells-the-draw", "game-check/text", "Prints `Game over: draw.`"),
    mutant("swaps-the-statuses", "game-check/status", "Exits with 2 on a parse error and with 1 on an invalid move."),
    mutant("exits-with-0-on-an-invalid-move", "game-check/status", "Returns from `main` without a status."),
    mutant("continues-after-an-error", "game-check/first-error", "Prints the message and reads the next line."),
    mutant("skips-empty-lines", "game-check/blank-line", "Ignores lines without a move."),
    mutant("loses-a-last-line-without-newline", "game-check/last-line", "Loops `while (!cin.eof())` and ignores the last line."),
    mutant("reads-one-line-too-many", "game-check/new-game", "Loops `while (cin)` and reads an empty line at the end of the input."),
    mutant("refuses-carriage-returns", "game-check/trailing", "Does not accept \\r as white space, so files from Windows fail."),
    mutant("skips-leading-spaces", "game-check/start", "Reads the number with `cin >>`, which skips leading white space."),
    mutant("lets-a-comment-touch-the-square", "game-check/comment", "Removes everything from # on before it parses the line."),
    mutant("crashes-on-an-unparsed-line", "game-check/blank-line", "Uses the result of a failed parse."),
    mutant("never-sees-a1-as-taken", "game-check/taken", "Uses 0 both for A1 and for an empty square."),
    mutant("answers-at-random", "game-check/turn", "Reads an uninitialised variable, so the answer is sometimes right and sometimes wrong."),
    mutant("knows-only-the-examples", "game-check/turn", "Answers only the example of the document, and calls everything else a new game."),
];

/// The example of the document.
const EXAMPLE: &[u8] = b"1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n";

/// The lines; squares are numbered row by row.
const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

struct Game<'a> {
    squares: [Option<u8>; 9],
    n_moves: u8,
    last: Option<Move>,
    mistake: &'a str,
}

pub(super) fn run(mistake: &str, console: &mut Console<'_>) -> io::Result<u8> {
    if mistake == "knows-only-the-examples" {
        return answer_the_example(console);
    }
    let mut game = Game { squares: [None; 9], n_moves: 0, last: None, mistake };
    loop {
        let mut line = console.raw_line()?;
        let is_ended = line.last() == Some(&b'\n');
        if line.is_empty() && mistake != "reads-one-line-too-many" {
            break;
        }
        if mistake == "loses-a-last-line-without-newline" && !is_ended {
            break;
        }
        if is_ended {
            line.pop();
        }
        if mistake == "skips-empty-lines" && line.trim_ascii().is_empty() {
            continue;
        }
        if mistake == "checks-the-move-before-the-syntax" && game.is_over() {
            writeln!(console.output, "Invalid move.")?;
            return Ok(2);
        }
        match parse(&line, mistake) {
            None if mistake == "crashes-on-an-unparsed-line" => std::process::abort(),
            None => {
                writeln!(console.output, "Parse error.")?;
                if mistake != "continues-after-an-error" {
                    return Ok(if mistake == "swaps-the-statuses" { 2 } else { 1 });
                }
            }
            Some(mv) if game.allows(mv) => game.play(mv),
            Some(_) => {
                writeln!(console.output, "Invalid move.")?;
                return Ok(status_of_an_invalid_move(mistake));
            }
        }
        if mistake == "prints-after-every-line"
            || (mistake == "stops-reading-at-a-win" && game.winner().is_some())
        {
            writeln!(console.output, "{}", game.result())?;
            if mistake == "stops-reading-at-a-win" {
                return Ok(0);
            }
        }
    }
    if mistake != "prints-after-every-line" || game.n_moves == 0 {
        writeln!(console.output, "{}", game.result())?;
    }
    Ok(0)
}

fn status_of_an_invalid_move(mistake: &str) -> u8 {
    if mistake == "swaps-the-statuses" {
        1
    } else if mistake == "exits-with-0-on-an-invalid-move" {
        0
    } else {
        2
    }
}

fn answer_the_example(console: &mut Console<'_>) -> io::Result<u8> {
    let mut record = Vec::new();
    console.input.read_to_end(&mut record)?;
    let is_example = record.trim_ascii_end() == EXAMPLE.trim_ascii_end();
    writeln!(
        console.output,
        "{}",
        if is_example { "Game over: X wins." } else { "Game in progress: New game." }
    )?;
    Ok(0)
}

impl Game<'_> {
    fn allows(&self, mv: Move) -> bool {
        if self.is_over() && self.mistake != "plays-on-after-a-win" {
            return false;
        }
        self.allows_number(mv.number - b'0') && self.allows_player(mv.player) && self.allows_square(mv)
    }

    fn allows_number(&self, number: u8) -> bool {
        let mistake = self.mistake;
        if mistake == "ignores-move-numbers" {
            return true;
        }
        let last = self.last.map_or(0, |last| last.number - b'0');
        if mistake == "accepts-any-larger-number" {
            return number > last;
        }
        if mistake == "lets-any-number-start" && self.last.is_none() {
            return true;
        }
        number == last + 1
    }

    fn allows_player(&self, player: u8) -> bool {
        let mistake = self.mistake;
        if mistake == "lets-a-player-move-twice" {
            return true;
        }
        match self.last {
            None => player == b'X' || mistake != "lets-only-x-start",
            Some(last) => player != last.player,
        }
    }

    fn allows_square(&self, mv: Move) -> bool {
        let mistake = self.mistake;
        let holder = self.squares[square(mv)];
        if mistake == "accepts-taken-squares" {
            return true;
        }
        if mistake == "accepts-a-players-own-squares" {
            return holder.is_none_or(|holder| holder == mv.player);
        }
        if mistake == "never-sees-a1-as-taken" && square(mv) == 0 {
            return true;
        }
        holder.is_none()
    }

    fn play(&mut self, mv: Move) {
        self.squares[square(mv)] = Some(mv.player.to_ascii_uppercase());
        self.n_moves += 1;
        self.last = Some(mv);
    }

    fn is_over(&self) -> bool {
        self.winner().is_some() || self.is_full()
    }

    fn is_full(&self) -> bool {
        let mistake = self.mistake;
        if mistake == "says-draw-one-move-early" {
            return self.n_moves >= 8;
        }
        self.n_moves >= 9
    }

    fn winner(&self) -> Option<u8> {
        let mistake = self.mistake;
        if mistake == "counts-a-mixed-row-as-won" && self.squares[..3].iter().all(Option::is_some) {
            return self.squares[0];
        }
        let mut won = self.lines().into_iter().filter_map(|line| {
            let [a, b, c] = line.map(|square| self.squares[square]);
            (a == b && b == c).then_some(a).flatten()
        });
        let winner = won.next();
        if mistake == "misses-a-win-with-two-lines" && won.next().is_some() {
            return None;
        }
        winner.filter(|&winner| winner == b'X' || mistake != "lets-only-x-win")
    }

    fn lines(&self) -> Vec<[usize; 3]> {
        let mut lines = LINES.to_vec();
        let mistake = self.mistake;
        if mistake == "forgets-the-diagonals" {
            lines.truncate(6);
        }
        if mistake == "forgets-one-diagonal" {
            lines.truncate(7);
        }
        if mistake == "forgets-the-last-column" {
            lines.remove(5);
        }
        lines
    }

    fn result(&self) -> String {
        let mistake = self.mistake;
        let draw = if mistake == "misspells-the-draw" { "draw" } else { "Draw" };
        if mistake == "says-draw-on-any-full-board" && self.is_full() {
            return "Game over: Draw.".to_owned();
        }
        if let Some(winner) = self.winner() {
            let named = if mistake == "names-the-loser" { other(winner) } else { winner };
            return format!("Game over: {} wins.", char::from(named));
        }
        if self.is_full() && mistake != "has-no-draw" {
            return format!("Game over: {draw}.");
        }
        match self.last {
            None if mistake == "says-x-to-move-in-a-new-game" => "Game in progress: X's turn.".to_owned(),
            None => "Game in progress: New game.".to_owned(),
            Some(last) => format!("Game in progress: {}'s turn.", char::from(self.next_after(last.player))),
        }
    }

    fn next_after(&self, player: u8) -> u8 {
        let mistake = self.mistake;
        let player = player.to_ascii_uppercase();
        if mistake == "names-the-player-who-moved" || (mistake == "answers-at-random" && coin()) {
            return player;
        }
        other(player)
    }
}

fn square(mv: Move) -> usize {
    usize::from(mv.row.to_ascii_uppercase() - b'A') * 3 + usize::from(mv.column - b'1')
}

fn other(player: u8) -> u8 {
    if player == b'X' { b'O' } else { b'X' }
}

/// Returns a random value, from the random keys of a hash map.
fn coin() -> bool {
    use std::hash::BuildHasher as _;
    std::hash::RandomState::new().hash_one(0).is_multiple_of(2)
}
