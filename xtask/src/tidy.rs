//! `cargo xtask tidy`: the invariants of ARCHITECTURE.md that a program can check, one file per rule.

mod bits;
mod corpus;
mod drawers;
mod edges;
mod length;
pub(crate) mod links;
mod machine_paths;
mod portability;
mod promises;
mod prose;
mod purity;
mod source;
mod type_names;
mod workflows;

use std::fmt;
use std::io::Write;

use anyhow::bail;

use crate::cargo;
use crate::tree::Tree;

/// A violation of a rule, with its location.
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

const FILE_RULES: &[fn(&Tree) -> Vec<Finding>] = &[
    bits::check,
    corpus::check,
    drawers::check,
    length::check,
    links::check,
    machine_paths::check,
    portability::check,
    promises::check,
    prose::check,
    purity::check,
    type_names::check,
    workflows::check,
];

/// Checks the repository and prints a line if every rule holds.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    check()?;
    writeln!(out, "tidy: all {} rules hold", FILE_RULES.len() + 1)?;
    Ok(())
}

/// Checks the repository; the error lists all violations.
pub(crate) fn check() -> anyhow::Result<()> {
    let tree = Tree::read(cargo::root())?;
    let mut findings = edges::check(&cargo::metadata()?);
    findings.extend(FILE_RULES.iter().flat_map(|rule| rule(&tree)));
    if findings.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = findings.iter().map(|finding| format!("\n  {finding}")).collect();
    bail!("the repository is not tidy:{}", lines.concat())
}
