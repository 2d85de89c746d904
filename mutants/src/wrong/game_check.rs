//! `game-check`: reads a record, says how the game stands.

use std::io;

use super::Mutant;
use super::line::{Move, parse};
use crate::{Assignment, Console};

const fn mutant(name: &'static str, blamed: &'static str, mistake: &'static str) -> Mutant {
    Mutant { name, assignment: Assignment::GameCheck, mistake, blamed }
}

#[rustfmt::skip]
pub(super) const MUTANTS: &[Mutant] = &[
    mutant("lets-only-x-begin", "game-check/first-player", "Takes it for granted that X plays first."),
    mutant("lets-a-player-move-twice", "game-check/alternate", "Never looks at whose turn it is."),
    mutant("takes-x-and-capital-x-for-two-players", "game-check/alternate", "Compares the letters as they came, so that X may follow x."),
    mutant("ignores-move-numbers", "game-check/move-number", "Parses the number and forgets it."),
    mutant("wants-numbers-only-to-grow", "game-check/move-number", "Writes `number > last` instead of `number == last + 1`."),
    mutant("lets-any-number-begin", "game-check/move-number", "Compares each number with the one before; the first has none."),
    mutant("takes-taken-squares", "game-check/taken", "Writes into the board without looking."),
    mutant("guards-only-the-other-players-squares", "game-check/taken", "Refuses a square that the opponent holds, not one's own."),
    mutant("forgets-the-diagonals", "game-check/win-diagonal", "Checks rows and columns only."),
    mutant("forgets-one-diagonal", "game-check/win-diagonal", "Checks the diagonal from A1, not the one from A3."),
    mutant("forgets-the-last-column", "game-check/win-column", "Loops over the columns with `column < 2`."),
    mutant("counts-a-mixed-row-as-won", "game-check/win-row", "Asks whether three squares of the first row are taken, not by whom."),
    mutant("lets-only-x-win", "game-check/win-row", "Checks for three X's and copies the block for O without changing it."),
    mutant("misses-a-win-with-two-lines", "game-check/two-lines", "Counts the lines and asks for exactly one."),
    mutant("says-draw-on-any-full-board", "game-check/full-win", "Looks for a full board before it looks for a line."),
    mutant("knows-no-draw", "game-check/draw", "Says whose turn it is even when the board is full."),
    mutant("says-draw-one-move-early", "game-check/draw", "Counts from 0 and calls eight moves a full board."),
    mutant("stops-reading-at-a-win", "game-check/after-end", "Prints the result as soon as somebody has won."),
    mutant("plays-on-after-a-win", "game-check/after-end", "Looks for a line only at the end of the input."),
    mutant("judges-before-it-parses", "game-check/first-error", "After the end of the game every line is an invalid move, also one that is none."),
    mutant("names-the-player-who-moved", "game-check/turn", "Says whose turn it was."),
    mutant("says-x-to-begin", "game-check/new-game", "Prints that it is X's turn when no move has been made."),
    mutant("congratulates-the-loser", "game-check/win-row", "Switches players before it looks who has won."),
    mutant("prints-after-every-line", "game-check/text", "Prints how the game stands after each move."),
    mutant("spells-the-draw-otherwise", "game-check/text", "Prints `Game over: draw.`"),
    mutant("swaps-the-statuses", "game-check/status", "Ends with 2 on a parse error and with 1 on an invalid move."),
    mutant("ends-with-0-on-an-invalid-move", "game-check/status", "Returns from `main` without a status."),
    mutant("goes-on-after-an-error", "game-check/first-error", "Prints the message and reads the next line."),
    mutant("skips-blank-lines", "game-check/blank-line", "Ignores lines without a move."),
    mutant("loses-a-last-line-without-newline", "game-check/last-line", "Loops `while (!cin.eof())` and drops what came with the end."),
    mutant("reads-one-line-too-many", "game-check/new-game", "Loops `while (cin)`, so that the end of the input is one more, empty line."),
    mutant("refuses-carriage-returns", "game-check/trailing", "Does not count \\r as white space, so that files from Windows fail."),
    mutant("skips-leading-blanks", "game-check/start", "Reads the number with `cin >>`, which skips blanks before it."),
    mutant("lets-a-comment-touch-the-square", "game-check/comment", "Cuts the line at # before anything else."),
    mutant("crashes-on-an-unparsed-line", "game-check/blank-line", "Uses the move that could not be parsed."),
    mutant("never-sees-a1-as-taken", "game-check/taken", "Numbers the squares from 0 and takes a 0, which is A1, for an empty one."),
    mutant("answers-by-chance", "game-check/turn", "Reads a variable that was never set: sometimes right, sometimes not."),
    mutant("knows-only-the-examples", "game-check/turn", "Answers the record of the document, and calls everything else a new game."),
];

/// The record that the document shows.
const EXAMPLE: &[u8] = b"1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n";

/// Lines of three squares, which are numbered row by row.
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
        if mistake == "skips-blank-lines" && line.trim_ascii().is_empty() {
            continue;
        }
        if mistake == "judges-before-it-parses" && game.is_over() {
            writeln!(console.output, "Invalid move.")?;
            return Ok(2);
        }
        match parse(&line, mistake) {
            None if mistake == "crashes-on-an-unparsed-line" => std::process::abort(),
            None => {
                writeln!(console.output, "Parse error.")?;
                if mistake != "goes-on-after-an-error" {
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
    } else if mistake == "ends-with-0-on-an-invalid-move" {
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
        if mistake == "wants-numbers-only-to-grow" {
            return number > last;
        }
        if mistake == "lets-any-number-begin" && self.last.is_none() {
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
            None => player == b'X' || mistake != "lets-only-x-begin",
            Some(last) => player != last.player,
        }
    }

    fn allows_square(&self, mv: Move) -> bool {
        let mistake = self.mistake;
        let holder = self.squares[square(mv)];
        if mistake == "takes-taken-squares" {
            return true;
        }
        if mistake == "guards-only-the-other-players-squares" {
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
        let draw = if mistake == "spells-the-draw-otherwise" { "draw" } else { "Draw" };
        if mistake == "says-draw-on-any-full-board" && self.is_full() {
            return "Game over: Draw.".to_owned();
        }
        if let Some(winner) = self.winner() {
            let named = if mistake == "congratulates-the-loser" { other(winner) } else { winner };
            return format!("Game over: {} wins.", char::from(named));
        }
        if self.is_full() && mistake != "knows-no-draw" {
            return format!("Game over: {draw}.");
        }
        match self.last {
            None if mistake == "says-x-to-begin" => "Game in progress: X's turn.".to_owned(),
            None => "Game in progress: New game.".to_owned(),
            Some(last) => format!("Game in progress: {}'s turn.", char::from(self.next_after(last.player))),
        }
    }

    fn next_after(&self, player: u8) -> u8 {
        let mistake = self.mistake;
        let player = player.to_ascii_uppercase();
        if mistake == "names-the-player-who-moved" || (mistake == "answers-by-chance" && coin()) {
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

/// Chance, from the address that the system happened to give a hash table's keys.
fn coin() -> bool {
    use std::hash::BuildHasher as _;
    std::hash::RandomState::new().hash_one(0).is_multiple_of(2)
}
