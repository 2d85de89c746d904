//! A pasted text of games: what it says, and what is wrong with it.

use serde::Serialize;
use tictac::notation::{Entry, Fault, LineReader, Referee, is_blank};
use tictac::{Outcome, Rules, State, Status};

use crate::event::Side;
use crate::failure::Failure;
use crate::wire::{GameStatus, VERSION};

/// Games beyond this many of a text are not looked at.
const MAX_GAMES: usize = 100;
/// Characters of a line that are shown.
const MAX_SOURCE: usize = 200;

/// Returns the faults of a text of games in order; `tictac` gives the one behind `tictac check`.
pub type FaultFinder = fn(text: &[u8], rules: &Rules) -> Vec<PlacedFault>;

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlacedFault {
    /// The line, from 1.
    pub line: u64,
    /// The column, in bytes from 1.
    pub column: u64,
    /// How many columns the culprit takes.
    pub width: u64,
    /// A stable code, such as `E0207`.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// What would help.
    pub help: Option<String>,
    /// The line, cut where it is long.
    pub source: String,
}

/// What a text of games comes to.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// The version of the wire.
    pub version: u32,
    /// Whether nothing is wrong.
    pub ok: bool,
    /// The games, up to a hundred.
    pub games: Vec<CheckedGame>,
}

/// One game of a text.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedGame {
    /// Its first line, from 1.
    pub line: u64,
    /// Its rules.
    pub rules: String,
    /// The moves before the first fault.
    pub moves: Vec<String>,
    /// Where they lead.
    pub position: String,
    /// Where the game stands then.
    pub status: GameStatus,
    /// Who has won.
    pub winner: Option<Side>,
    /// What is wrong with it.
    pub faults: Vec<PlacedFault>,
}

/// Checks a text of games of `rules`, unless their tags say otherwise.
///
/// # Errors
///
/// Returns [`Failure::BadRules`] where `rules` are none.
pub fn check(rules: Option<&str>, text: &[u8], finder: FaultFinder) -> Result<Checked, Failure> {
    let rules: Rules =
        rules.unwrap_or("3,3,3").parse().map_err(|error| Failure::BadRules(format!("{error}")))?;
    let mut faults = finder(text, &rules);
    let mut games: Vec<CheckedGame> = games(text).take(MAX_GAMES).map(|game| game.read(&rules)).collect();
    if games.is_empty() {
        games.push(PastedGame { line: 1, lines: Vec::new() }.read(&rules));
    }
    let ok = faults.is_empty();
    for game in games.iter_mut().rev() {
        let at = faults.partition_point(|fault| fault.line < game.line);
        game.faults = faults.split_off(at);
    }
    // What stands before the first game belongs to it.
    if let Some(first) = games.first_mut() {
        first.faults.splice(0..0, faults);
    }
    Ok(Checked { version: VERSION, ok, games })
}

/// The lines of one game.
struct PastedGame<'a> {
    line: u64,
    lines: Vec<&'a [u8]>,
}

fn games(text: &[u8]) -> impl Iterator<Item = PastedGame<'_>> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let mut lines = (1..).zip(text.split(|&byte| byte == b'\n')).peekable();
    let is_empty = |line: &[u8]| line.iter().all(|&byte| is_blank(byte));
    std::iter::from_fn(move || {
        while lines.next_if(|(_, line)| is_empty(line)).is_some() {}
        let (line, first) = lines.next()?;
        let rest = std::iter::from_fn(|| lines.next_if(|(_, line)| !is_empty(line)).map(|(_, line)| line));
        Some(PastedGame { line, lines: [first].into_iter().chain(rest).collect() })
    })
}

impl PastedGame<'_> {
    /// Reads what is right of it.
    fn read(&self, rules: &Rules) -> CheckedGame {
        let rules = self.lines.iter().find_map(|line| rules_tag(line)).unwrap_or(*rules);
        let entries = self.lines.iter().skip_while(|line| line.starts_with(b"["));
        let mut referee = Referee::new(&rules);
        let mut accepted: Vec<Entry> = Vec::new();
        for line in entries {
            match LineReader::read(&rules, line) {
                Ok(entry) if referee.judge(entry).is_ok() => accepted.push(entry),
                _ => break,
            }
        }
        let opener = accepted.first().map_or(tictac::Mark::X, |entry| entry.mv.mark);
        let mut state = State::start_with(&rules, opener);
        for entry in &accepted {
            state.make(entry.mv).expect("the referee has accepted it");
        }
        let (status, winner) = standing(state.status());
        CheckedGame {
            line: self.line,
            rules: rules.to_string(),
            moves: accepted.iter().map(|entry| rules.written(entry.mv).to_string()).collect(),
            position: state.to_string(),
            status,
            winner,
            faults: Vec::new(),
        }
    }
}

fn rules_tag(line: &[u8]) -> Option<Rules> {
    let line = std::str::from_utf8(line).ok()?.trim();
    let value = line.strip_prefix("[Rules")?.trim().strip_prefix('"')?;
    value.split('"').next()?.parse().ok()
}

pub(crate) fn standing(status: Status) -> (GameStatus, Option<Side>) {
    match status {
        Status::ToMove(_) => (GameStatus::Playing, None),
        Status::Over(Outcome::Win(player)) => (GameStatus::Won, Some(player.into())),
        Status::Over(Outcome::Draw) => (GameStatus::Drawn, None),
    }
}

impl PlacedFault {
    /// Returns a fault at a column from 1 of a line.
    pub fn new(line: u64, column: u64, fault: &Fault, source: &[u8]) -> PlacedFault {
        let source = String::from_utf8_lossy(source);
        let source: String =
            source.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_SOURCE).collect();
        let rest = source.get(usize::try_from(column - 1).unwrap_or(usize::MAX)..).unwrap_or("");
        let width = rest.split([' ', '\t']).next().unwrap_or("").chars().count().max(1) as u64;
        PlacedFault {
            line,
            column,
            width,
            code: fault.code.name().to_owned(),
            message: fault.message.clone(),
            help: fault.help.clone(),
            source,
        }
    }
}

/// Finds the first fault of a single game without tags, as the library alone can.
pub fn by_library(text: &[u8], rules: &Rules) -> Vec<PlacedFault> {
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let source = |line: usize| lines.get(line - 1).copied().unwrap_or_default();
    let record = match tictac::notation::Record::parse(text, rules) {
        Ok(record) => record,
        Err(error) => {
            let (line, column) = (error.line, error.error.at as u64 + 1);
            return vec![PlacedFault::new(line as u64, column, &error.error.into(), source(line))];
        }
    };
    let refused = match record.boards_game() {
        Some(result) => result.err(),
        None => record.game().err(),
    };
    refused
        .map(|refused| {
            PlacedFault::new(
                refused.line as u64,
                refused.at() as u64 + 1,
                &refused.reason.into(),
                source(refused.line),
            )
        })
        .into_iter()
        .collect()
}
