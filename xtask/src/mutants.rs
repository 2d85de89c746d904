//! `cargo xtask mutants`: how the examiner does on programs with known faults, and on right ones.

use std::process::Command;

use anyhow::bail;

use crate::cargo::{cargo, root, run as run_command, target_directory};

/// The page with the score.
const PAGE: &str = "docs/grading-score.md";

/// Builds the programs and has them all examined; `--write` puts the table on its page.
pub(crate) fn run(words: &[&str]) -> anyhow::Result<()> {
    if let Some(word) = words
        .iter()
        .find(|word| word.starts_with('-') && !["--short", "--write", "--only", "--pty"].contains(word))
    {
        bail!("no such option: {word}");
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
