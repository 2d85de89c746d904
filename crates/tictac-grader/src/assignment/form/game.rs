//! A game of the family that a form describes.

use std::collections::BTreeSet;

use serde::Deserialize;
use tictac::notation::RulesError;
use tictac::{Position, Rules, Square, Status};
use toml::Spanned;

use super::{FormMistake, FormResult};
use crate::assignment::grammar::InputPattern;

/// The table [game] of a form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameFields {
    rules: GameRules,
    entry: Spanned<String>,
    #[serde(default)]
    rows_from_bottom: bool,
    #[serde(default)]
    refused: Vec<String>,
    words: Option<GameWords>,
}

/// Rules with one board on which a player writes one mark.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct GameRules(Rules);

impl TryFrom<String> for GameRules {
    type Error = String;

    fn try_from(text: String) -> Result<GameRules, String> {
        let rules: Rules = text.parse().map_err(|error: RulesError| error.to_string())?;
        let n_moves = Position::start(&rules).map(|start| start.moves().count());
        if n_moves != Some(rules.squares().len()) {
            return Err("expected rules with one board on which a player writes one mark".to_owned());
        }
        Ok(GameRules(rules))
    }
}

/// A game whose moves are typed.
#[derive(Clone, Debug)]
pub(crate) struct GameForm {
    pub(crate) rules: Rules,
    /// A move as it is typed, with `{row}`, `{column}` and `{square}` for numbers from 1, `{letter}` for the row as a letter.
    entry: String,
    rows_from_bottom: bool,
    /// Entries that are never a move.
    pub(crate) refused: Vec<String>,
    /// What the game looks like if it is the reference.
    pub(crate) words: Option<GameWords>,
}

/// What a dialogue prints. `{player}` stands for the player to move, or for the winner.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameWords {
    /// The names of the players.
    #[serde(default = "usual_tokens")]
    pub(crate) players: [String; 2],
    /// The signs of X and O on the board.
    #[serde(default = "usual_tokens")]
    pub(crate) tokens: [String; 2],
    #[serde(default = "usual_empty")]
    pub(crate) empty: String,
    /// Printed once, at the start.
    #[serde(default)]
    pub(crate) opening: String,
    /// Printed above each board.
    #[serde(default)]
    pub(crate) heading: String,
    /// Printed before each row, with `{row}` or `{letter}`.
    #[serde(default)]
    pub(crate) label: String,
    #[serde(default = "usual_between")]
    pub(crate) between_squares: String,
    /// Printed between two rows.
    #[serde(default)]
    pub(crate) between_rows: String,
    /// Asks for a move.
    pub(crate) turn: String,
    /// Refuses a taken square.
    pub(crate) taken: String,
    /// Refuses any other entry that is not a move.
    pub(crate) refused: String,
    pub(crate) win: String,
    pub(crate) draw: String,
}

fn usual_tokens() -> [String; 2] {
    ["X", "O"].map(str::to_owned)
}

fn usual_empty() -> String {
    ".".to_owned()
}

fn usual_between() -> String {
    " ".to_owned()
}

impl GameForm {
    pub(super) fn new(fields: &Spanned<GameFields>) -> FormResult<GameForm> {
        let GameFields { rules: GameRules(rules), entry, rows_from_bottom, refused, words } =
            fields.get_ref();
        let game = GameForm {
            rules: *rules,
            entry: entry.get_ref().clone(),
            rows_from_bottom: *rows_from_bottom,
            refused: refused.clone(),
            words: words.clone(),
        };
        let entries: BTreeSet<String> = rules.squares().iter().map(|square| game.entry(square)).collect();
        if entries.len() < rules.squares().len() {
            let message = "expected {row} and {column}, {letter} and {column}, or {square}: every square has its own entry";
            return Err(FormMistake::at(entry, message));
        }
        if let Some(both) = refused.iter().find(|line| entries.contains(*line)) {
            return Err(FormMistake::at(fields, format!("{both:?} is refused, but it is a move")));
        }
        Ok(game)
    }

    /// Returns a move as it is typed.
    pub(crate) fn entry(&self, square: Square) -> String {
        self.filled(&self.entry, square)
    }

    /// Returns a text with the row and the column of a square.
    pub(crate) fn filled(&self, text: &str, square: Square) -> String {
        let grid = self.rules.grid();
        let row = if self.rows_from_bottom { grid.rows() - 1 - grid.row(square) } else { grid.row(square) };
        let letter = char::from(b'A' + u8::try_from(row).unwrap_or_default());
        let values = [
            ("{row}", (row + 1).to_string()),
            ("{column}", (grid.column(square) + 1).to_string()),
            ("{square}", (row * grid.columns() + grid.column(square) + 1).to_string()),
            ("{letter}", letter.to_string()),
        ];
        values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }

    /// Returns the square that an entry names.
    pub(crate) fn square(&self, entry: &str) -> Option<Square> {
        self.rules.squares().iter().find(|&square| self.entry(square) == entry)
    }

    /// Returns whether an input consists of entries that play a game to its end, and of nothing after it.
    pub(crate) fn is_whole_game(&self, input: &[u8]) -> bool {
        let Some(mut position) = Position::start(&self.rules) else { return false };
        for line in String::from_utf8_lossy(input).lines() {
            if matches!(position.status(), Status::Over(_)) {
                return false;
            }
            let mv = self.square(line).and_then(|square| position.moves().find(|mv| mv.square == square));
            // Another entry is refused, and the game goes on.
            if let Some(next) = mv.and_then(|mv| position.after(mv).ok()) {
                position = next;
            }
        }
        matches!(position.status(), Status::Over(_))
    }

    /// Returns what the input of a game looks like: any entries.
    pub(super) fn pattern(&self) -> InputPattern {
        let entries = self.rules.squares().iter().map(|square| self.entry(square));
        let lines = entries.chain(self.refused.iter().cloned());
        let lines = lines.map(|line| InputPattern::Literal(format!("{line}\n").into_bytes())).collect();
        InputPattern::Repeat(Box::new(InputPattern::Choice(lines)), 0, 1000)
    }
}
