//! Plays a game of the family in the words of a teacher.

use tictac::{Mark, Outcome, Player, Position, Status};

use crate::assignment::form::{GameForm, GameWords};
use crate::run::{RunExit, RunOutput};

/// The exit statuses of a finished game, and of one whose input ended early.
const FINISHED: i32 = 0;
const UNFINISHED: i32 = 1;

/// Returns what a dialogue prints for this input, one entry per line.
pub(super) fn play(game: &GameForm, words: &GameWords, input: &[u8]) -> RunOutput {
    let mut out = words.opening.clone();
    let mut position = Position::start(&game.rules).expect("the form was checked: the rules have one board");
    out += &drawn(game, words, &position);
    let input = String::from_utf8_lossy(input);
    let mut lines = input.lines();
    let status = loop {
        let player = match position.status() {
            Status::Over(Outcome::Win(player)) => {
                out += &with_player(&words.win, words, player);
                break FINISHED;
            }
            Status::Over(Outcome::Draw) => {
                out += &words.draw;
                break FINISHED;
            }
            Status::ToMove(player) => player,
        };
        out += &with_player(&words.turn, words, player);
        let Some(line) = lines.next() else { break UNFINISHED };
        let Some(square) = game.square(line) else {
            out += &with_player(&words.refused, words, player);
            continue;
        };
        match position.moves().find(|mv| mv.square == square).and_then(|mv| position.after(mv).ok()) {
            None => out += &with_player(&words.taken, words, player),
            Some(next) => {
                position = next;
                out += &drawn(game, words, &position);
            }
        }
    };
    RunOutput { stdout: out.into_bytes(), stderr: Vec::new(), exit: RunExit::Status(status) }
}

fn with_player(text: &str, words: &GameWords, player: Player) -> String {
    text.replace("{player}", &words.players[player as usize])
}

fn drawn(game: &GameForm, words: &GameWords, position: &Position) -> String {
    let grid = game.rules.grid();
    let square =
        |row: usize, column: usize| match grid.square(row, column).and_then(|at| position.board().mark(at)) {
            None => words.empty.as_str(),
            Some(Mark::X) => &words.tokens[0],
            Some(Mark::O) => &words.tokens[1],
        };
    let row = |row: usize| {
        let label = grid.square(row, 0).map(|first| game.filled(&words.label, first)).unwrap_or_default();
        let squares: Vec<&str> = (0..grid.columns()).map(|column| square(row, column)).collect();
        format!("{label}{}\n", squares.join(&words.between_squares))
    };
    let rows: Vec<String> = (0..grid.rows()).map(row).collect();
    format!("{}{}", words.heading, rows.join(&words.between_rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assignment::AssignmentForm;

    const FORM: &str = r##"
title = "Three in a row loses"
requirement = [{ id = "all", points = 1, source = "s", rule = "r", games = "random" }]

[reference]
dialogue = "game"

[game]
rules = "2,4,3 misere"
entry = "{row},{column}"
rows_from_bottom = true

[game.words]
players = ["Ann", "Ben"]
tokens = ["#", "o"]
empty = "_"
label = "{row}:"
between_squares = ""
between_rows = "  ----\n"
turn = "{player}? "
taken = "taken\n"
refused = "what?\n"
win = "{player} wins\n"
draw = "draw\n"
"##;

    #[test]
    fn a_game_of_any_size_and_rules_is_played_in_any_words() {
        let form = AssignmentForm::parse(FORM, "test", None).unwrap_or_else(|error| panic!("{error:?}"));
        let game = form.game.as_ref().unwrap();
        let play = |input: &str| {
            let output = play(game, game.words.as_ref().unwrap(), input.as_bytes());
            (String::from_utf8(output.stdout).unwrap(), output.exit)
        };
        let unfinished = "2:____\n  ----\n1:____\nAnn? 2:____\n  ----\n1:#___\nBen? taken\nBen? what?\nBen? ";
        assert_eq!(play("1,1\n1,1\n3,1\n"), (unfinished.to_owned(), RunExit::Status(UNFINISHED)));
        // Ann completes the first line, and loses.
        let (lost, exit) = play("1,1\n2,1\n1,2\n2,2\n1,3\n");
        assert!(lost.ends_with("2:oo__\n  ----\n1:###_\nBen wins\n"), "{lost}");
        assert_eq!(exit, RunExit::Status(FINISHED));
        assert!(play("1,1\n1,2\n1,3\n1,4\n2,2\n2,1\n2,4\n2,3\n").0.ends_with("draw\n"));
    }
}
