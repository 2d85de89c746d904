//! `cargo xtask tidy`: the invariants of ARCHITECTURE.md that a program can check, one function per rule.

mod code;
mod edges;
pub(crate) mod links;
pub(crate) mod source;
mod text;

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
    code::bits,
    code::file_names,
    code::length,
    code::portability,
    code::purity,
    code::type_names,
    links::check,
    text::corpus,
    text::doc_comments,
    text::machine_paths,
    text::promises,
    text::prose,
    text::workflows,
];

/// Returns a finding for every line in which `fault` finds one. The lines come with their path and number.
fn findings_in_lines<'a>(
    lines: impl Iterator<Item = (&'a str, usize, &'a str)>,
    fault: impl Fn(&str) -> Option<String>,
) -> Vec<Finding> {
    let finding = |(path, number, line)| Some(Finding::in_line(path, number, fault(line)?));
    lines.filter_map(finding).collect()
}

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

/// Returns where findings are, for tests.
#[cfg(test)]
fn paths_of(findings: Vec<Finding>) -> Vec<String> {
    findings.into_iter().map(|finding| finding.path).collect()
}
