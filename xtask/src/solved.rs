//! `cargo xtask solved`: the atlas of outcomes, kept in `games/outcomes.csv` and shown in `docs/solved.md`.

mod atlas;
mod outcome;
mod page;
mod picture;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use self::atlas::AtlasRules;
use self::outcome::AtlasRow;
use crate::cargo::{self, build_dist, root};
use crate::options::Options;
use crate::process::processor_seconds;

/// The answer of `tictac solve --weak --json`.
pub(crate) struct Solved {
    pub(crate) value: Option<String>,
    /// The worst and the best possible value, if the value is not known.
    bounds: Option<[String; 2]>,
    pub(crate) method: String,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

/// What `cargo xtask solved` was asked to do.
struct AtlasOptions {
    /// The limit for each set of rules, in seconds of the processor; zero solves nothing and only writes the page.
    limit: f64,
    /// Only rules with this text in them.
    only: Option<String>,
    /// Solve what is settled already, too.
    again: bool,
    /// The memory for each game, as `tictac solve --memory` takes it.
    memory: String,
    /// The program that solves, instead of one that is built for it.
    program: Option<PathBuf>,
}

const DEFAULT_LIMIT: f64 = 20.0;

impl AtlasOptions {
    fn parse(words: &[&str]) -> anyhow::Result<AtlasOptions> {
        let mut words = Options::of(words);
        let options = AtlasOptions {
            limit: words.value("--limit")?.unwrap_or(DEFAULT_LIMIT),
            only: words.value("--only")?,
            again: words.flag("--again"),
            memory: words.value("--memory")?.unwrap_or_else(|| "1GB".to_owned()),
            program: words.value("--program")?,
        };
        words.end().map(|()| options)
    }
}

/// Solves every game of the atlas that is open and was not tried for as long before, and writes the page and its pictures.
///
/// The results are saved after every game, so that a killed run can be continued.
pub(crate) fn run(words: &[&str], out: &mut impl Write) -> anyhow::Result<()> {
    let options = AtlasOptions::parse(words)?;
    let path = root().join("games/outcomes.csv");
    let mut rows = outcome::read(&path)?;
    let is_wanted =
        |rules: &String| options.limit > 0.0 && options.only.as_ref().is_none_or(|only| rules.contains(only));
    let wanted: Vec<String> = games().into_iter().map(|(rules, _)| rules).filter(is_wanted).collect();
    let command = match &options.program {
        Some(program) => program.clone(),
        None if wanted.is_empty() => PathBuf::new(),
        None => build_command()?,
    };
    for rules in wanted {
        let place = rows.iter().position(|row| row.rules == rules);
        let known = place.map(|place| &rows[place]);
        let is_done =
            |row: &AtlasRow| row.is_settled() && row.method != NOT_HERE || row.seconds >= options.limit * 0.9;
        if known.is_some_and(is_done) && !options.again {
            continue;
        }
        let row = solve_row(&command, &rules, &options, known)?;
        writeln!(out, "{rules}: {}, {} nodes, {:.3} s", row.value, row.nodes, row.seconds)?;
        out.flush()?;
        match place {
            Some(place) => rows[place] = row,
            None => rows.push(row),
        }
        outcome::write(&path, &rows)?;
    }
    page::write(&rows)
}

/// The method of an outcome that is only published.
const NOT_HERE: &str = "not solved here";

/// Returns the rules of all games of the atlas, each with the key of its publication.
fn games() -> Vec<(String, Option<&'static str>)> {
    let one = AtlasRules::all().into_iter().map(|rules| (rules.text(), rules.published()));
    let several = (2..=20).map(|n_boards| (format!("notakto boards={n_boards}"), Some("P")));
    one.chain(several).collect()
}

/// Solves one game and compares the result with what is known.
fn solve_row(
    command: &Path,
    rules: &str,
    options: &AtlasOptions,
    known: Option<&AtlasRow>,
) -> anyhow::Result<AtlasRow> {
    let mut solve = solve_command(command, rules, &["--threads", "1", "--memory", &options.memory]);
    // When the limit is reached, the status is 2 and the object holds what is known.
    let (output, seconds) = output_within(&mut solve, options.limit)?;
    let solved = Solved { seconds, ..Solved::parse(&output.stdout, rules)? };
    let value = winner(&solved);
    if let Some(known) = known.filter(|known| known.contradicts(&value)) {
        bail!("{rules}: solved as {value}, but the known outcome is {}", known.value);
    }
    let published = games().into_iter().find(|(game, _)| game == rules).and_then(|(_, published)| published);
    let source = known.map_or_else(|| published.unwrap_or("new").to_owned(), |known| known.source.clone());
    let Solved { method, nodes, seconds, .. } = solved;
    Ok(AtlasRow { rules: rules.to_owned(), value, source, method, nodes, seconds })
}

/// Builds the `tictac` command as users get it and returns its path.
pub(crate) fn build_command() -> anyhow::Result<PathBuf> {
    Ok(build_dist(&["tictac-cli"])?.join("tictac"))
}

/// Returns the command that solves `rules` from the empty board.
fn solve_command(command: &Path, rules: &str, arguments: &[&str]) -> Command {
    let mut solve = Command::new(command);
    solve.args(["solve", "--weak", "--json", "--rules", rules]).args(arguments);
    solve
}

impl Solved {
    fn parse(json: &[u8], rules: &str) -> anyhow::Result<Solved> {
        let object: serde_json::Value =
            serde_json::from_slice(json).with_context(|| format!("solving {rules}"))?;
        Ok(Solved {
            value: object["value"].as_str().map(str::to_owned),
            bounds: serde_json::from_value(object["bounds"].clone()).ok(),
            method: object["method"].as_str().unwrap_or_default().to_owned(),
            nodes: object["nodes"].as_u64().unwrap_or_default(),
            seconds: object["seconds"].as_f64().unwrap_or_default(),
        })
    }
}

/// Runs a command that prints little, interrupts it after `limit` seconds of the processor, and returns its output and about
/// the seconds that it has used: the time that passes says little on a busy machine.
pub(crate) fn output_within(command: &mut Command, limit: f64) -> anyhow::Result<(Output, f64)> {
    const POLL: Duration = Duration::from_millis(20);
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn().context("cannot start the program")?;
    let (mut seconds, mut is_interrupted) = (0.0, false);
    while child.try_wait()?.is_none() {
        seconds = processor_seconds(child.id()).unwrap_or(seconds);
        if seconds >= limit && !is_interrupted {
            cargo::run(Command::new("kill").args(["-INT", &child.id().to_string()]))?;
            is_interrupted = true;
        }
        thread::sleep(POLL);
    }
    let elapsed = start.elapsed().as_secs_f64();
    Ok((child.wait_with_output()?, elapsed.min(seconds + POLL.as_secs_f64())))
}

/// Returns the winner for a value, or for bounds of the value, of the first player.
fn winner(solved: &Solved) -> String {
    let name = |value: &str| match value {
        "win" => "first",
        "loss" => "second",
        _ => "draw",
    };
    match (&solved.value, &solved.bounds) {
        (Some(value), _) => name(value).to_owned(),
        // Bounds go from the worst to the best value for the first player.
        (None, Some([worst, best])) if (worst.as_str(), best.as_str()) != ("loss", "win") => {
            format!("{} or {}", name(best), name(worst))
        }
        _ => "open".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_outcomes_belong_to_the_atlas_and_contradict_no_publication() {
        let rows = outcome::read(&root().join("games/outcomes.csv")).unwrap();
        let games = games();
        for row in &rows {
            assert!(
                games.iter().any(|(rules, _)| *rules == row.rules) || row.source != "new",
                "{}",
                row.rules
            );
        }
        let value = |rules: &str| rows.iter().find(|row| row.rules == rules).map(|row| row.value.clone());
        assert_eq!(value("7,7,5").as_deref(), Some("draw"));
    }

    #[test]
    fn options_are_read() {
        let options = AtlasOptions::parse(&["--limit", "2.5", "--only", "wild", "--again"]).unwrap();
        assert!(
            (options.limit - 2.5).abs() < 1e-9 && options.only.as_deref() == Some("wild") && options.again
        );
        assert!(
            AtlasOptions::parse(&["--limit"]).is_err() && AtlasOptions::parse(&["--limit", "x"]).is_err()
        );
    }
}
