//! Checks a pasted text of games, exactly as `tictac check` does.

use serde::Serialize;
use tictac::{Game, Player, Rules};
use tictac_archive::{FoundGame, Games, PlacedFault};

use crate::hosted_game::move_texts;
use crate::wire::{GameStatus, VERSION};

/// The number of games in a reply; later games are checked, but only their faults are reported.
const MAX_GAMES: usize = 100;

/// The result of checking a text, to be sent as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct CheckReply {
    version: u32,
    /// Whether there are no faults.
    ok: bool,
    /// The games, up to a hundred.
    pub(crate) games: Vec<CheckedGame>,
}

/// One game of a text.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CheckedGame {
    /// The first line, from 1.
    line: u64,
    rules: Rules,
    /// The game before the first fault.
    #[serde(skip)]
    pub(crate) game: Game,
    /// The moves before the first fault.
    moves: Vec<String>,
    /// The position after these moves.
    position: String,
    status: GameStatus,
    winner: Option<Player>,
    pub(crate) faults: Vec<CheckedFault>,
}

/// A fault and its place in the text.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CheckedFault {
    /// The line, from 1.
    pub(crate) line: u64,
    /// The column in bytes, from 1.
    pub(crate) column: u64,
    /// The number of columns to underline.
    pub(crate) width: u64,
    /// The stable code, such as `E0207`.
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// The line, or of a long one the part around the error.
    pub(crate) source: String,
    /// The number of bytes of the line before `source`.
    #[serde(skip)]
    pub(crate) n_cut: usize,
}

/// Checks a text of games; those without a `Rules` tag are played by `rules`.
pub fn check(rules: &Rules, text: &[u8]) -> CheckReply {
    let mut games: Vec<CheckedGame> = Vec::new();
    for found in Games::new(text, rules) {
        let found = found.expect("reading from memory does not fail");
        match games.get_mut(MAX_GAMES - 1) {
            Some(last) => last.faults.extend(found.report.faults.iter().map(CheckedFault::new)),
            None => games.push(CheckedGame::new(&found)),
        }
    }
    let ok = games.iter().all(|game| game.faults.is_empty());
    CheckReply { version: VERSION, ok, games }
}

impl CheckedGame {
    fn new(found: &FoundGame) -> CheckedGame {
        let mut game = Game::from(found.legal_part.first_state());
        for annotated in &found.legal_part.moves {
            game.play(annotated.mv).expect("the moves before the first fault are legal");
        }
        let (status, winner) = GameStatus::with_winner(game.status());
        CheckedGame {
            line: found.report.line,
            rules: *game.rules(),
            moves: move_texts(&game),
            position: game.state().to_string(),
            status,
            winner,
            faults: found.report.faults.iter().map(CheckedFault::new).collect(),
            game,
        }
    }
}

impl CheckedFault {
    fn new(placed: &PlacedFault) -> CheckedFault {
        let source = String::from_utf8_lossy(&placed.text);
        let wrong = placed.range().map(|range| String::from_utf8_lossy(&placed.text[range]).chars().count());
        CheckedFault {
            line: placed.line,
            column: placed.column,
            width: wrong.unwrap_or(1).max(1) as u64,
            code: placed.fault.code.name(),
            message: placed.fault.message.clone(),
            help: placed.fault.help.clone(),
            source: source.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
            n_cut: placed.n_cut,
        }
    }
}
