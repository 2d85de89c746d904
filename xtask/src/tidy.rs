//! `cargo xtask tidy`: the invariants of the house that a program can check, one rule a file.

mod bits;
mod corpus;
mod drawers;
mod edges;
mod length;
mod links;
mod machine_paths;
mod purity;
mod source;

use std::fmt;
use std::io::Write;

use anyhow::bail;

use crate::cargo;
use crate::tree::Tree;

/// What is not in order, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    path: String,
    line: Option<usize>,
    message: String,
}

impl Finding {
    fn in_file(path: &str, message: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line: None, message: message.into() }
    }

    fn in_line(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { line: Some(line), ..Finding::in_file(path, message) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.message),
            None => write!(f, "{}: {}", self.path, self.message),
        }
    }
}

const RULES_OF_FILES: &[fn(&Tree) -> Vec<Finding>] = &[
    bits::check,
    corpus::check,
    drawers::check,
    length::check,
    links::check,
    machine_paths::check,
    purity::check,
];

/// Checks the repository and says so.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    check()?;
    writeln!(out, "tidy: all {} rules hold", RULES_OF_FILES.len() + 1)?;
    Ok(())
}

/// Checks the repository; all findings make one error.
pub(crate) fn check() -> anyhow::Result<()> {
    let tree = Tree::read(cargo::root())?;
    let mut findings = edges::check(&cargo::metadata()?);
    findings.extend(RULES_OF_FILES.iter().flat_map(|rule| rule(&tree)));
    if findings.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = findings.iter().map(|finding| format!("\n  {finding}")).collect();
    bail!("the house is not tidy:{}", lines.concat())
}
