//! Reports as JSON, for a program; `docs/check.md` names the fields.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use tictac_archive::{GameReport, PlacedFault, Totals};

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    game: u64,
    line: u64,
    outcome: &'static str,
    moves: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<&'a str, Cow<'a, str>>,
    errors: Vec<Fault<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    unjudged_lines: u64,
}

/// What is wrong with a game.
#[derive(Serialize)]
pub(crate) struct Fault<'a> {
    line: u64,
    column: u64,
    code: &'static str,
    message: &'a str,
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct Counts {
    games: u64,
    moves: u64,
    x_won: u64,
    o_won: u64,
    drawn: u64,
    unfinished: u64,
    bad: u64,
}

/// Returns the object of one game.
pub(super) fn game(file: &str, report: &GameReport) -> serde_json::Result<String> {
    serde_json::to_string(&Report {
        file,
        game: report.game,
        line: report.line,
        outcome: report.ending.name(),
        moves: report.moves,
        tags: report.tags.iter().map(|tag| (tag.name.as_str(), tag.text())).collect(),
        errors: report.faults.iter().map(Fault::of).collect(),
        unjudged_lines: report.unjudged_lines,
    })
}

/// Returns the object of the totals.
pub(super) fn totals(totals: &Totals) -> serde_json::Result<String> {
    let &Totals { moves, x_won, o_won, drawn, unfinished, bad } = totals;
    serde_json::to_string(&Counts { games: totals.games(), moves, x_won, o_won, drawn, unfinished, bad })
}

impl<'a> Fault<'a> {
    /// Returns the object of a fault.
    pub(crate) fn of(placed: &'a PlacedFault) -> Fault<'a> {
        Fault {
            line: placed.line,
            column: placed.column,
            code: placed.fault.code.name(),
            message: &placed.fault.message,
            help: placed.fault.help.as_deref(),
        }
    }
}

// The signature is serde's.
#[allow(clippy::trivially_copy_pass_by_ref)]
pub(crate) fn is_zero(number: &u64) -> bool {
    *number == 0
}
