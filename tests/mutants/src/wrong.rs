//! Programs with one mistake each: the C program of an assignment with a small change of its text.
//!
//! The mistakes of an assignment are in `programs/wrong/`. Each has a name, the requirement that it breaks, one sentence about
//! it, and its changes: a line with `-` is a text of the program, those with `+` after it are what replaces its first
//! occurrence.

use std::io;
use std::path::{Path, PathBuf};

use crate::Assignment;
use crate::source::{self, SourceLanguage};

/// A wrong program.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// What it does wrong, in a few words.
    pub name: &'static str,
    /// The assignment that it tries to solve.
    pub assignment: Assignment,
    /// The mistake in one sentence.
    pub mistake: &'static str,
    /// The short id of the requirement that the grader must blame.
    pub requirement: &'static str,
    changes: &'static str,
}

/// Returns all wrong programs.
pub fn all() -> impl Iterator<Item = Mutant> {
    Assignment::ALL.into_iter().flat_map(|assignment| {
        let mistakes = mistakes(assignment).trim_end().split("\n\n");
        mistakes.map(move |text| Mutant::parse(assignment, text).expect("the file is well-formed"))
    })
}

const fn mistakes(assignment: Assignment) -> &'static str {
    match assignment {
        Assignment::MoveCheck => include_str!("../programs/wrong/move_check.txt"),
        Assignment::GameCheck => include_str!("../programs/wrong/game_check.txt"),
        Assignment::Lab3 => include_str!("../programs/wrong/lab3.txt"),
        Assignment::Tictactoe => include_str!("../programs/wrong/tictactoe.txt"),
        Assignment::Notakto => include_str!("../programs/wrong/notakto.txt"),
    }
}

/// Builds the right program that the wrong ones of an assignment are made from, and returns its path.
///
/// # Errors
///
/// Returns an error if it cannot be built.
pub fn build_right(assignment: Assignment, folder: &Path) -> io::Result<PathBuf> {
    build(&right_source(assignment)?, &folder.join(format!("{assignment}-right")))
}

fn right_source(assignment: Assignment) -> io::Result<String> {
    source::read(&format!("{}.c", assignment.name().replace('-', "_")))
}

/// Builds a program in a folder of its own. All have the same file name, which lab3 prints.
fn build(source: &str, folder: &Path) -> io::Result<PathBuf> {
    let program = folder.join("program");
    let is_built = source::build(&program, source, SourceLanguage::C)?;
    if is_built {
        Ok(program)
    } else {
        Err(io::Error::other(format!("{} does not compile", folder.display())))
    }
}

impl Mutant {
    fn parse(assignment: Assignment, text: &'static str) -> Option<Mutant> {
        let (name, rest) = text.split_once(": ")?;
        let (requirement, rest) = rest.split_once('\n')?;
        let (mistake, changes) = rest.split_once("\n- ")?;
        Some(Mutant { name, assignment, mistake, requirement, changes })
    }

    /// Returns the id of the requirement that the grader must blame.
    pub fn blamed(&self) -> String {
        format!("{}/{}", self.assignment, self.requirement)
    }

    /// Builds the program and returns its path.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be built.
    pub fn build(&self, folder: &Path) -> io::Result<PathBuf> {
        build(&self.source()?, &folder.join(format!("{}-{}", self.assignment, self.name)))
    }

    fn source(&self) -> io::Result<String> {
        let mut source = right_source(self.assignment)?;
        for change in self.changes.split("\n- ") {
            let (old, new) = change.split_once('\n').unwrap_or((change, ""));
            if !source.contains(old) {
                return Err(io::Error::other(format!("{}: the program does not contain {old:?}", self.name)));
            }
            let new: Vec<&str> = new.lines().map(|line| line.trim_start_matches('+').trim_start()).collect();
            source = source.replacen(old, &new.join("\n"), 1);
        }
        Ok(source)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_mistake_changes_its_program() {
        for mutant in all() {
            let source = mutant.source().unwrap_or_else(|error| panic!("{}: {error}", mutant.assignment));
            assert_ne!(source, right_source(mutant.assignment).unwrap(), "{}", mutant.name);
        }
    }

    #[test]
    fn the_mistakes_of_an_assignment_have_different_names() {
        let mut seen = BTreeSet::new();
        for mutant in all() {
            assert!(seen.insert((mutant.assignment.name(), mutant.name)), "{}", mutant.name);
        }
    }

    #[test]
    fn each_assignment_has_at_least_ten_mistakes() {
        for assignment in Assignment::ALL {
            let n_mutants = all().filter(|mutant| mutant.assignment == assignment).count();
            assert!(n_mutants >= 10, "{assignment}: {n_mutants}");
        }
        assert!(all().count() >= 60);
    }
}
