//! `cargo xtask mutants`: tests the grader with programs that have known faults, and with correct ones.

use std::process::Command;

use anyhow::bail;

use crate::cargo::{cargo, root, run as run_command, target_directory};

/// The page with the results.
const PAGE: &str = "docs/grading-score.md";

/// Builds the programs and grades all of them; `--write` updates the tables on the page.
pub(crate) fn run(words: &[&str]) -> anyhow::Result<()> {
    if let Some(word) = words.iter().find(|word| {
        word.starts_with('-')
            && !["--short", "--write", "--only", "--pty", "--generated", "--every"].contains(word)
    }) {
        bail!("unknown option: {word}");
    }
    run_command(&mut cargo(["build", "--quiet", "-p", "mutants", "--bins"]))?;
    let mut score = Command::new(target_directory()?.join("debug/score"));
    score.current_dir(root());
    for word in words {
        score.arg(word);
        if *word == "--write" {
            score.arg(PAGE);
        }
    }
    run_command(&mut score)
}
