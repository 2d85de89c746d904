//! Certificates of notable results: making them, and checking them with both checkers.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::cargo::{is_installed, root, run, target_directory};
use crate::options::Options;
use crate::solved::{build_command, output_within};

/// The results that `cargo xtask certificates` proves; their certificates take seconds to minutes each.
const LARGE: [&str; 14] = [
    "6,5,4", "6,6,4", "7,7,4", "5,5,4", "7,4,4", "6,6,5", "7,6,5", "9,5,5", "8,6,5", "7,7,5", "10,5,5",
    "9,6,5", "8,8,6", "8,7,5",
];

/// The memory for each game. Tables grow as they are needed, so only 8,8,5 uses more than a gigabyte.
const MEMORY: &str = "8GB";

/// Smaller certificates are part of the repository.
const MAX_COMMITTED: u64 = 1_000_000;

/// A row of `games/certificates.csv`: a certificate and what it took to make and to check it.
pub(crate) struct LargeCertificate {
    pub(crate) rules: String,
    pub(crate) positions: u64,
    pub(crate) bytes: u64,
    /// The seconds that it took to solve the game and to write the certificate.
    pub(crate) seconds: f64,
    /// The seconds of `tictac verify`.
    pub(crate) verify: f64,
    /// The seconds of the second checker.
    pub(crate) python: f64,
    pub(crate) sha256: String,
}

impl LargeCertificate {
    fn parse(line: &str) -> Option<LargeCertificate> {
        let (rules, rest) = line.strip_prefix('"')?.split_once("\",")?;
        let columns: Vec<&str> = rest.split(',').collect();
        let [positions, bytes, seconds, verify, python, sha256] = columns[..] else { return None };
        Some(LargeCertificate {
            rules: rules.to_owned(),
            positions: positions.parse().ok()?,
            bytes: bytes.parse().ok()?,
            seconds: seconds.parse().ok()?,
            verify: verify.parse().ok()?,
            python: python.parse().ok()?,
            sha256: sha256.to_owned(),
        })
    }

    fn line(&self) -> String {
        let LargeCertificate { rules, positions, bytes, seconds, verify, python, sha256 } = self;
        format!("\"{rules}\",{positions},{bytes},{seconds:.2},{verify:.2},{python:.2},{sha256}\n")
    }
}

fn table_path() -> PathBuf {
    root().join("games/certificates.csv")
}

/// Reads the table of certificates.
pub(crate) fn read() -> anyhow::Result<Vec<LargeCertificate>> {
    let text = fs::read_to_string(table_path())?;
    let rows = text.lines().skip(1);
    rows.map(|line| LargeCertificate::parse(line).with_context(|| format!("cannot read {line}"))).collect()
}

/// Makes the certificates of these rules, or of all notable results, checks them twice, and updates the table.
///
/// `--program FILE` names the program to use, instead of one that is built for it.
pub(crate) fn make(words: &[&str], out: &mut impl Write) -> anyhow::Result<()> {
    let mut words = Options::of(words);
    let program: Option<PathBuf> = words.value("--program")?;
    let rules = words.rest()?;
    let command = program.map_or_else(build_command, Ok)?;
    let folder = target_directory()?.join("certificates");
    fs::create_dir_all(&folder)?;
    let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
    for rules in if rules.is_empty() { &LARGE[..] } else { &rules } {
        let made = make_one(&command, rules, &folder)?;
        writeln!(out, "{rules}: {} positions, {} bytes, {:.2} s", made.positions, made.bytes, made.seconds)?;
        out.flush()?;
        let mut table = read()?;
        match table.iter_mut().find(|row| row.rules == *rules) {
            Some(row) => *row = made,
            None => table.push(made),
        }
        let lines: String = table.iter().map(LargeCertificate::line).collect();
        fs::write(table_path(), format!("rules,positions,bytes,seconds,verify,python,sha256\n{lines}"))?;
    }
    Ok(())
}

fn make_one(command: &Path, rules: &str, folder: &Path) -> anyhow::Result<LargeCertificate> {
    let name = rules.replace([',', ' ', '='], "-") + ".cert";
    let file = folder.join(&name);
    // On one thread, the same program always writes the same certificate.
    let solve = ["solve", "--weak", "--threads", "1", "--memory", MEMORY, "--rules", rules, "--certificate"];
    let (_, seconds) = timed(Command::new(command).args(solve).arg(&file))?;
    let (summary, verify) = timed(Command::new(command).arg("verify").arg(&file))?;
    let (_, python) = timed(second_checker().arg(&file))?;
    let text = fs::read(&file)?;
    let sha256 = sha256(&text);
    let bytes = text.len() as u64;
    if bytes < MAX_COMMITTED {
        fs::write(root().join("games/certificates").join(name), text)?;
    }
    let positions = n_positions(&String::from_utf8_lossy(&summary));
    Ok(LargeCertificate { rules: rules.to_owned(), positions, bytes, seconds, verify, python, sha256 })
}

/// Returns the SHA-256 sum of the bytes, as `sha256sum` prints it.
fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// Returns the number of positions of all strategies in the summary that `tictac verify` prints.
fn n_positions(summary: &str) -> u64 {
    let words: Vec<&str> = summary.split_whitespace().collect();
    let counts = words.windows(2).filter(|pair| pair[1].starts_with("position"));
    counts.filter_map(|pair| pair[0].parse::<u64>().ok()).sum()
}

/// Runs a command, and returns its output and the seconds of the processor that it took.
fn timed(command: &mut Command) -> anyhow::Result<(Vec<u8>, f64)> {
    let (output, seconds) = output_within(command, f64::INFINITY)?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", String::from_utf8_lossy(&output.stdout));
    }
    Ok((output.stdout, seconds))
}

/// The step of CI: the second checker on every certificate of the repository, or a clear word where there is no Python.
pub(crate) fn run_in_ci(out: &mut impl Write) -> anyhow::Result<()> {
    if !is_installed("python3") {
        writeln!(out, "certificates: SKIPPED, because there is no python3; the second checker was not run")?;
        return Ok(());
    }
    run(second_checker().args(small_certificates()?))
}

/// Returns the command that starts the second checker.
fn second_checker() -> Command {
    let mut command = Command::new("python3");
    command.current_dir(root()).arg("verify/verify.py");
    command
}

/// Returns the certificates that are part of the repository, in the order of their names.
fn small_certificates() -> anyhow::Result<Vec<PathBuf>> {
    let folder = PathBuf::from("games/certificates");
    let mut files: Vec<PathBuf> = fs::read_dir(root().join(&folder))?
        .map(|entry| Ok(folder.join(entry?.file_name())))
        .collect::<anyhow::Result<_>>()?;
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_certificates_are_those_of_the_table() {
        for row in read().unwrap() {
            let name = row.rules.replace([',', ' ', '='], "-") + ".cert";
            let file = root().join("games/certificates").join(name);
            assert_eq!(file.exists(), row.bytes < MAX_COMMITTED, "{}", row.rules);
            if let Ok(text) = fs::read(file) {
                assert_eq!(sha256(&text), row.sha256, "{}", row.rules);
            }
        }
    }

    #[test]
    fn positions_are_counted_from_the_summary() {
        let summary = "7,7,5: draw (first player holds: 1 position; second player holds: 41 positions)\n";
        assert_eq!(n_positions(summary), 42);
    }
}
