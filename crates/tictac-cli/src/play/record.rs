//! Reading a recorded game in order to play it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use tictac::notation::Record;
use tictac::{Game, Mark, Rules, State};
use tictac_archive::{GameReport, Options, check_text};
use tictac_tui::{Opened, path_of};

use crate::complaint::shown;

/// How large a file may be whose games are stepped through, in bytes.
const MAX_BYTES: u64 = 1 << 24;

/// Reads a game from a file; `FILE#2` is its second one.
pub(crate) fn open(name: &str) -> anyhow::Result<Opened> {
    let (file, number) = split(name);
    let text = read(&path_of(file)).with_context(|| format!("cannot read {}", shown(file.as_bytes())))?;
    let (reports, _) = check_text(&text, &Options::default());
    let n_games = reports.len();
    let Some(report) = number.checked_sub(1).and_then(|place| reports.get(place)) else {
        let games = if n_games == 1 { "game" } else { "games" };
        bail!("there is no game {number}: {} has {n_games} {games}", shown(file.as_bytes()));
    };
    let game = game(&text, report, file)?;
    let name = Path::new(file).file_name().map_or_else(|| file.into(), |name| name.to_string_lossy());
    let name = if n_games > 1 { format!("{name}#{number} of {n_games}") } else { name.into_owned() };
    Ok(Opened { game, name: shown(name.as_bytes()) })
}

/// Splits `FILE#2`, unless there is a file of that name.
fn split(name: &str) -> (&str, usize) {
    match name.rsplit_once('#') {
        Some((file, number)) if !path_of(name).exists() => number.parse().map_or((name, 1), |n| (file, n)),
        _ => (name, 1),
    }
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        bail!("it is larger than {} MB", MAX_BYTES / 1_000_000);
    }
    Ok(text)
}

/// Returns a game that was found to be right.
fn game(text: &[u8], report: &GameReport, name: &str) -> anyhow::Result<Game<State>> {
    if let Some(fault) = report.faults.first() {
        bail!("{}:{}:{}: {}", shown(name.as_bytes()), fault.line, fault.column, fault.fault.message);
    }
    let rules = match report.tags.iter().find(|tag| tag.name == "Rules") {
        Some(tag) => tag.value.parse().context("the tag Rules")?,
        None => Rules::CLASSIC,
    };
    let record = Record::parse(&moves_of(text, report), &rules)?;
    let opener = record.entries().first().map_or(Mark::X, |entry| entry.mv.mark);
    let mut game = Game::new(State::start_with(&rules, opener));
    for entry in record.entries() {
        game.play(entry.mv).map_err(|illegal| anyhow::anyhow!("{}: {illegal}", shown(name.as_bytes())))?;
    }
    Ok(game)
}

/// The lines of a game that are moves.
fn moves_of(text: &[u8], report: &GameReport) -> Vec<u8> {
    let first = report.line.saturating_sub(1) as usize;
    let is_blank = |line: &[u8]| line.iter().all(u8::is_ascii_whitespace);
    text.split_inclusive(|&byte| byte == b'\n')
        .skip(first)
        .skip_while(|line| is_blank(line))
        .take_while(|line| !is_blank(line))
        .filter(|line| !line.starts_with(b"["))
        .flatten()
        .copied()
        .collect()
}
