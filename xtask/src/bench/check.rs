//! `cargo xtask bench check`: the speed of `tictac check` on a gigabyte of games, compared with a careful state machine, the
//! obvious C++ program, `wc -l`, `cat` and loops that only read on the same file.

pub(crate) mod archive;
mod candidate;
mod table;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use self::archive::Extras;
use self::candidate::Candidate;
use self::table::Table;
use crate::cargo::{build_dist, root, target_directory};

const N_BYTES: u64 = 1_000_000_000;
/// Size of the archive for the C++ program, which is about two hundred times slower.
const N_BYTES_FOR_GETLINE: u64 = 20_000_000;
/// Size of the archive with a tag before each game.
const N_BYTES_WITH_TAGS: u64 = 500_000_000;
const N_ROUNDS: usize = 9;

/// Generates archives, measures each process in turn, and prints the best times, ratios and targets.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    let kinds = [("without comments", Extras::None), ("comments on 10 % of the moves", Extras::Comments)];
    for (name, extras) in kinds {
        let candidates = measured(extras, out)?;
        writeln!(out, "{:.2} GB of games, {name}; best of {}", N_BYTES as f64 / 1e9, N_ROUNDS)?;
        let table = Table::of(&candidates)?;
        table.write(out)?;
        table.write_targets(extras, out)?;
    }
    Ok(())
}

/// Generates archives, measures all candidates on them, and compares their answers.
fn measured(extras: Extras, out: &mut impl Write) -> anyhow::Result<Vec<Candidate>> {
    let dist = build_dist(&["tictac-cli", "peers"])?;
    let folder = target_directory()?.join("bench-check");
    fs::create_dir_all(&folder)?;
    let getline = getline(&folder, out)?;
    let archives = ["archive.ttt", "slow.ttt", "tagged.ttt"].map(|name| folder.join(name));
    archive::write(&archives[0], N_BYTES, extras)?;
    archive::write(&archives[1], N_BYTES_FOR_GETLINE, extras)?;
    archive::write(&archives[2], N_BYTES_WITH_TAGS, Extras::Tags)?;
    let candidates = candidates(&dist, &archives, getline.as_deref())
        .and_then(|mut candidates| measure(&mut candidates, N_ROUNDS).map(|()| candidates))
        .and_then(|candidates| compare_answers(&candidates).map(|()| candidates));
    // Remove the gigabyte even when a measurement failed.
    archives.iter().try_for_each(fs::remove_file)?;
    candidates
}

/// Compiles the C++ program, if a compiler is installed.
fn getline(folder: &Path, out: &mut impl Write) -> anyhow::Result<Option<PathBuf>> {
    let program = folder.join("getline");
    let mut compiler = Command::new("g++");
    compiler.args(["-O3", "-march=native", "-std=c++17", "-o"]).arg(&program);
    compiler.arg(root().join("tests/peers/getline.cpp"));
    match compiler.status() {
        Ok(status) if status.success() => Ok(Some(program)),
        Ok(status) => bail!("g++ cannot compile tests/peers/getline.cpp ({status})"),
        Err(error) => {
            writeln!(out, "getline + istringstream is left out: g++ cannot be run ({error})\n")?;
            Ok(None)
        }
    }
}

fn candidates(
    programs: &Path,
    [archive, slow, tagged]: &[PathBuf; 3],
    getline: Option<&Path>,
) -> anyhow::Result<Vec<Candidate>> {
    let tictac = |n_threads: &str| {
        let options = ["check", "--summary-json", "--threads", n_threads].map(PathBuf::from);
        [vec![programs.join("tictac")], options.to_vec()].concat()
    };
    let reading =
        |work: &str, n_threads: &str| vec![programs.join("only_read"), work.into(), n_threads.into()];
    let mut candidates = vec![
        Candidate::judge("state machine", vec![programs.join("state_machine")], archive)?,
        Candidate::judge("tictac check, 1 thread", tictac("1"), archive)?,
        Candidate::judge("tictac check, 2 threads", tictac("2"), archive)?,
        Candidate::judge("tictac check, tags", tictac("1"), tagged)?,
        Candidate::reader("wc -l", vec!["wc".into(), "-l".into()], archive)?,
        Candidate::reader("cat > /dev/null", vec!["cat".into()], archive)?,
        Candidate::reader("only read, 1 thread", reading("nothing", "1"), archive)?,
        Candidate::reader("only read, 2 threads", reading("nothing", "2"), archive)?,
        Candidate::reader("newlines, 1 thread", reading("lines", "1"), archive)?,
        Candidate::reader("newlines, 2 threads", reading("lines", "2"), archive)?,
    ];
    if let Some(getline) = getline {
        candidates.push(Candidate::judge("getline, istringstream", vec![getline.to_owned()], slow)?);
        // Only to compare its totals with those of the C++ program.
        candidates.push(Candidate::judge("tictac check, 20 MB", tictac("1"), slow)?);
    }
    Ok(candidates)
}

/// Runs the candidates in turn, so that other load on the machine affects all of them equally.
fn measure(candidates: &mut [Candidate], n_rounds: usize) -> anyhow::Result<()> {
    for _ in 0..n_rounds {
        candidates.iter_mut().try_for_each(Candidate::run_once)?;
    }
    Ok(())
}

/// Fails unless all programs that judge the same archive print the same totals.
fn compare_answers(candidates: &[Candidate]) -> anyhow::Result<()> {
    let answers: Vec<&Candidate> = candidates.iter().filter(|candidate| candidate.answer.is_some()).collect();
    for candidate in &answers {
        let other = answers.iter().find(|other| other.archive == candidate.archive);
        let other = other.context("no program printed totals")?;
        if candidate.answer != other.answer {
            bail!("{} and {} do not agree", candidate.name, other.name);
        }
    }
    Ok(())
}
