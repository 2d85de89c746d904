//! Programs with one mistake each, one file per assignment.

mod game_check;
mod lab3;
mod line;
mod move_check;
mod notakto;
mod tictactoe;

use std::io;

use crate::{Assignment, Console};

/// A wrong program.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// The name after `--mistake`.
    pub name: &'static str,
    /// The assignment that it tries to solve.
    pub assignment: Assignment,
    /// The mistake in one sentence.
    pub mistake: &'static str,
    /// The id of the requirement that the grader must blame.
    pub blamed: &'static str,
}

/// Returns all wrong programs.
pub fn all() -> impl Iterator<Item = Mutant> {
    [move_check::MUTANTS, game_check::MUTANTS, lab3::MUTANTS, tictactoe::MUTANTS, notakto::MUTANTS]
        .into_iter()
        .flatten()
        .copied()
}

/// Runs the program with this mistake, or without any if the name is empty, and returns its exit status.
///
/// # Errors
///
/// Returns an error if reading or writing fails.
pub fn run(assignment: Assignment, mistake: &str, console: &mut Console<'_>) -> io::Result<u8> {
    match assignment {
        Assignment::MoveCheck => move_check::run(mistake, console),
        Assignment::GameCheck => game_check::run(mistake, console),
        Assignment::Lab3 => lab3::run(mistake, console),
        Assignment::Tictactoe => tictactoe::run(mistake, console),
        Assignment::Notakto => notakto::run(mistake, console),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Returns the source code with the mistakes of an assignment.
    fn sources(assignment: Assignment) -> String {
        let line = include_str!("wrong/line.rs");
        match assignment {
            Assignment::MoveCheck => [line, include_str!("wrong/move_check.rs")].concat(),
            Assignment::GameCheck => [line, include_str!("wrong/game_check.rs")].concat(),
            Assignment::Lab3 => include_str!("wrong/lab3.rs").to_owned(),
            Assignment::Tictactoe => include_str!("wrong/tictactoe.rs").to_owned(),
            Assignment::Notakto => include_str!("wrong/notakto.rs").to_owned(),
        }
    }

    #[test]
    fn every_listed_mistake_is_implemented() {
        for mutant in all() {
            let source = sources(mutant.assignment);
            let is_made =
                ["==", "!="].iter().any(|is| source.contains(&format!("mistake {is} \"{}\"", mutant.name)));
            assert!(is_made, "{} {}", mutant.assignment, mutant.name);
        }
    }

    #[test]
    fn every_implemented_mistake_is_listed() {
        let listed: BTreeSet<&str> = all().map(|mutant| mutant.name).collect();
        for source in Assignment::ALL.map(sources) {
            for (at, made) in source.match_indices("mistake == \"") {
                let rest = &source[at + made.len()..];
                let name = &rest[..rest.find('"').unwrap()];
                assert!(listed.contains(name), "{name}");
            }
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
