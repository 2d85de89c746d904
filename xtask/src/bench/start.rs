//! `cargo xtask bench start`: the time to start `game-check` and `tictac check` and judge a game of seven moves, compared with programs
//! that do nothing.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::search::Spread;
use crate::cargo::{build_dist, output, run as run_command, target_directory};

pub(super) const GAME: &str = "1 X B2\n2 O C2\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n";
const N_WARM_UP: usize = 100;
const N_RUNS: usize = 2000;

/// A program to measure.
struct StartCandidate {
    name: String,
    path: PathBuf,
    arguments: Vec<String>,
    times: Vec<Duration>,
}

/// Builds the programs, measures them and the command lines in `further` in turn, and prints medians, means and ratios.
pub(crate) fn run(further: &[&str], out: &mut impl Write) -> anyhow::Result<()> {
    let target = target_directory()?;
    let folder = target.join("bench-start");
    fs::create_dir_all(&folder)?;
    let game = folder.join("game.ttt");
    fs::write(&game, GAME)?;

    // With the packages of `bench check`, so that the features of dependencies and thus the programs are the same.
    let dist = build_dist(&["tictac-programs", "tictac-cli", "peers"])?;
    let mut candidates = vec![
        StartCandidate::new("fn main() {}", dist.join("empty")),
        StartCandidate::new("game-check", dist.join("game-check")),
        StartCandidate::new("tictac check -", dist.join("tictac")).with_arguments("check -"),
        StartCandidate::new("tictac --version", dist.join("tictac")).with_arguments("--version"),
    ];
    candidates.extend(build_empty_c(&folder).map(|path| StartCandidate::new("int main(void)", path)));
    candidates.extend(further.iter().map(|line| {
        let (path, arguments) = line.split_once(' ').unwrap_or((line, ""));
        StartCandidate::new(line, PathBuf::from(path)).with_arguments(arguments)
    }));

    measure(&mut candidates, &game)?;
    write_table(&candidates, out)?;
    compare_with_hyperfine(&candidates, &game, out)
}

impl StartCandidate {
    fn new(name: &str, path: PathBuf) -> StartCandidate {
        StartCandidate { name: name.to_owned(), path, arguments: Vec::new(), times: Vec::new() }
    }

    fn with_arguments(self, line: &str) -> StartCandidate {
        StartCandidate { arguments: line.split_whitespace().map(str::to_owned).collect(), ..self }
    }

    fn run_once(&self, game: &Path) -> anyhow::Result<Duration> {
        let input = File::open(game)?;
        let start = Instant::now();
        let status =
            Command::new(&self.path).args(&self.arguments).stdin(input).stdout(Stdio::null()).status();
        let time = start.elapsed();
        let status = status.with_context(|| format!("cannot run {}", self.path.display()))?;
        if !status.success() {
            bail!("{} ended with {status}", self.path.display());
        }
        Ok(time)
    }
}

/// Runs the programs in turn, so that other load on the machine affects all of them equally.
fn measure(candidates: &mut [StartCandidate], game: &Path) -> anyhow::Result<()> {
    for round in 0..N_WARM_UP + N_RUNS {
        for candidate in &mut *candidates {
            let time = candidate.run_once(game)?;
            if round >= N_WARM_UP {
                candidate.times.push(time);
            }
        }
    }
    Ok(())
}

/// Writes one row per program; ratios are relative to the first.
fn write_table(candidates: &[StartCandidate], out: &mut impl Write) -> anyhow::Result<()> {
    let headings = ["median", "mean", "fastest", "median", "mean"];
    write!(out, "{:<16}", "program")?;
    for heading in headings {
        write!(out, "  {heading:>9}")?;
    }
    writeln!(out)?;
    let base = micros(&candidates.first().context("nothing was measured")?.times);
    for candidate in candidates {
        let summary = micros(&candidate.times);
        write!(out, "{:<16}", candidate.name)?;
        for micros in [summary.median, summary.mean, summary.least] {
            write!(out, "  {micros:>6.0} µs")?;
        }
        writeln!(out, "  {:>8.3}×  {:>8.3}×", summary.median / base.median, summary.mean / base.mean)?;
    }
    out.flush()?;
    Ok(())
}

/// Returns the spread of times in microseconds.
fn micros(times: &[Duration]) -> Spread {
    Spread::of(times.iter().map(|time| time.as_secs_f64() * 1e6))
}

/// Builds an empty C program, or returns `None` if no compiler is installed.
fn build_empty_c(folder: &Path) -> Option<PathBuf> {
    let (source, program) = (folder.join("empty.c"), folder.join("empty-c"));
    fs::write(&source, "int main(void) { return 0; }\n").ok()?;
    let built = Command::new("cc").arg("-O2").arg("-o").arg(&program).arg(&source).status();
    built.is_ok_and(|status| status.success()).then_some(program)
}

/// Repeats the comparison with hyperfine, if it is installed.
fn compare_with_hyperfine(
    candidates: &[StartCandidate],
    game: &Path,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let Ok(help) = output(Command::new("hyperfine").arg("--help")) else { return Ok(()) };
    let mut hyperfine = Command::new("hyperfine");
    hyperfine.args(["-N", "--style", "basic", "--warmup", "100", "--runs", "2000"]);
    if String::from_utf8_lossy(&help).contains("--input") {
        hyperfine.arg("--input").arg(game);
    } else {
        writeln!(out, "\nThis hyperfine has no --input: below, the records are empty.")?;
    }
    for candidate in candidates {
        hyperfine.arg("--command-name").arg(&candidate.name);
    }
    // Without a shell, hyperfine splits a command at spaces.
    hyperfine.args(
        candidates
            .iter()
            .map(|candidate| format!("{} {}", candidate.path.display(), candidate.arguments.join(" "))),
    );
    writeln!(out)?;
    out.flush()?;
    run_command(&mut hyperfine)
}
