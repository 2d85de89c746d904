//! `cargo xtask doctor`: what each task needs besides Rust, as the table in CONTRIBUTING.md says, and what of it is missing on this
//! machine.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::cargo::root;

const PAGE: &str = "CONTRIBUTING.md";
const HEADING: &str = "| need | tasks | without it | how to get it |\n|---|---|---|---|\n";

/// For each need in the table, a command of the shell that succeeds if it is there, and the lowest version that works: the first
/// number that the command prints, or 0 if any version does.
const PROBES: [(&str, &str, u32); 22] = [
    ("a C compiler", "cc --version", 0),
    ("rustfmt and clippy", "cargo fmt --version && cargo clippy --version", 0),
    ("Node.js 20 with npm", "node --version && npm --version", 20),
    (
        "Chromium",
        "command -v chromium || command -v chromium-browser || command -v google-chrome || command -v chrome",
        0,
    ),
    ("Python 3.11 with venv", "python3 -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))'", 0),
    ("PostgreSQL", "ls /usr/lib/postgresql/*/bin/initdb || command -v initdb", 0),
    ("bubblewrap", "bwrap --version", 0),
    ("cargo-deny", "cargo deny --version", 0),
    ("Java 17", JAVA, 17),
    ("g++", "g++ --version", 0),
    (
        "GoogleTest, Catch2, pytest",
        "printf '#include <gtest/gtest.h>\n#include <catch2/catch.hpp>' | g++ -E -x c++ - && python3 -m pytest --version",
        0,
    ),
    ("hyperfine", "hyperfine --version", 0),
    ("cargo-public-api", "cargo public-api --version", 0),
    ("cargo-nextest", "cargo nextest --version", 0),
    ("cargo-mutants", "cargo mutants --version", 0),
    ("mdBook", "mdbook --version", 0),
    ("cargo-cyclonedx", "cargo cyclonedx --version", 0),
    ("podman", "podman --version", 0),
    ("curl and openssl", "command -v curl && command -v openssl", 0),
    ("Caddy and nginx", "command -v caddy && command -v nginx", 0),
    ("MinGW-w64 and Wine", "command -v x86_64-w64-mingw32-gcc && command -v wine", 0),
    ("unshare and chroot", "command -v unshare && command -v chroot", 0),
];
const JAVA: &str = "java -version 2>&1";

/// Prints every need, and whether it is met; never fails for one, because no task needs everything.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    let page = fs::read_to_string(root().join(PAGE))?.replace('`', "");
    let rows = rows(&page).with_context(|| format!("{PAGE} has no table of what the tasks need"))?;
    let mut n_missing = 0;
    for [name, tasks, without, install] in &rows {
        let (_, command, min) = PROBES
            .iter()
            .find(|(probed, ..)| probed == name)
            .with_context(|| format!("doctor.rs does not look for {name}"))?;
        if let Some(problem) = problem(command, *min) {
            n_missing += 1;
            writeln!(out, "{problem:<8} {name}: {tasks}; without it: {without}; to get it: {install}")?;
        } else {
            writeln!(out, "ok       {name}: {tasks}")?;
        }
    }
    writeln!(out, "{n_missing} of {} missing", rows.len())?;
    Ok(())
}

/// Returns the cells of each row of the table.
fn rows(page: &str) -> Option<Vec<[&str; 4]>> {
    let (_, table) = page.split_once(HEADING)?;
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches([' ', '|']).split(" | ").collect::<Vec<_>>().try_into().ok()).collect()
}

/// Returns `missing` or `too old`, or `None` if it is there.
fn problem(command: &str, min: u32) -> Option<&'static str> {
    match printed_by(command) {
        None => Some("missing"),
        Some(text) if min > 0 && first_number(&text).is_none_or(|version| version < min) => Some("too old"),
        Some(_) => None,
    }
}

/// Returns what a command of the shell prints, if it succeeds.
fn printed_by(command: &str) -> Option<String> {
    let output = Command::new("sh").args(["-c", command]).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn first_number(text: &str) -> Option<u32> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let digits = text[start..].split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// Fails unless Java has at least this version, and says which one was found.
pub(crate) fn require_java(min: u32) -> anyhow::Result<()> {
    let text = printed_by(JAVA)
        .with_context(|| format!("Java {min} or later is missing: apt install default-jre-headless"))?;
    let is_new = first_number(&text).is_some_and(|found| found >= min);
    ensure!(is_new, "Java {min} or later is needed, found {}", text.trim());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contributing_lists_the_same_needs_and_only_tasks_that_exist() {
        let page = fs::read_to_string(root().join(PAGE)).unwrap();
        let rows = rows(&page).unwrap();
        assert!(rows.iter().map(|row| row[0]).eq(PROBES.iter().map(|probe| probe.0)), "{rows:?}");
        for word in rows.iter().flat_map(|row| row[1].split('`').skip(1).step_by(2)) {
            assert!(word == "grade" || crate::USAGE.contains(&format!("\n  {word} ")), "{word}");
        }
    }

    #[test]
    fn versions_are_read_from_what_programs_print() {
        assert_eq!(first_number("v20.20.2\n"), Some(20));
        assert_eq!(first_number("openjdk version \"17.0.15\" 2025-04-15"), Some(17));
        assert_eq!(first_number("none"), None);
    }

    #[test]
    fn a_missing_or_old_program_is_noticed() {
        assert_eq!(problem("no-such-program-here || echo 3", 3), None);
        assert_eq!(problem("no-such-program-here", 0), Some("missing"));
        assert_eq!(problem("echo 3", 4), Some("too old"));
        assert_eq!(problem("false", 0), Some("missing"));
    }
}
