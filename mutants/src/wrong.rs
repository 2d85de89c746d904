//! Programs with one mistake each: one file an assignment.

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
    /// What `--mistake` calls it.
    pub name: &'static str,
    /// The assignment it is a wrong answer to.
    pub assignment: Assignment,
    /// What its author got wrong, in a sentence.
    pub mistake: &'static str,
    /// The requirement that an examiner must name.
    pub blamed: &'static str,
}

/// Returns all wrong programs.
pub fn all() -> impl Iterator<Item = Mutant> {
    [move_check::MUTANTS, game_check::MUTANTS, lab3::MUTANTS, tictactoe::MUTANTS, notakto::MUTANTS]
        .into_iter()
        .flatten()
        .copied()
}

/// Runs the program with this mistake, or without any if the name is empty, and returns the exit status.
///
/// # Errors
///
/// Returns what went wrong with reading or writing.
pub fn run(assignment: Assignment, mistake: &str, console: &mut Console<'_>) -> io::Result<u8> {
    match assignment {
        Assignment::MoveCheck => move_check::run(mistake, console),
        Assignment::GameCheck => game_check::run(mistake, console),
        Assignment::Lab3 => lab3::run(mistake, console),
        Assignment::TicTacToe => tictactoe::run(mistake, console),
        Assignment::Notakto => notakto::run(mistake, console),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The files in which the mistakes of an assignment are made.
    fn sources(assignment: Assignment) -> String {
        let line = include_str!("wrong/line.rs");
        match assignment {
            Assignment::MoveCheck => [line, include_str!("wrong/move_check.rs")].concat(),
            Assignment::GameCheck => [line, include_str!("wrong/game_check.rs")].concat(),
            Assignment::Lab3 => include_str!("wrong/lab3.rs").to_owned(),
            Assignment::TicTacToe => include_str!("wrong/tictactoe.rs").to_owned(),
            Assignment::Notakto => include_str!("wrong/notakto.rs").to_owned(),
        }
    }

    #[test]
    fn every_mistake_of_the_list_is_made_somewhere() {
        for mutant in all() {
            let source = sources(mutant.assignment);
            let is_made =
                ["==", "!="].iter().any(|is| source.contains(&format!("mistake {is} \"{}\"", mutant.name)));
            assert!(is_made, "{} {}", mutant.assignment, mutant.name);
        }
    }

    #[test]
    fn every_mistake_that_is_made_is_in_the_list() {
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
    fn no_assignment_has_two_mistakes_of_one_name() {
        let mut seen = BTreeSet::new();
        for mutant in all() {
            assert!(seen.insert((mutant.assignment.name(), mutant.name)), "{}", mutant.name);
        }
    }

    #[test]
    fn each_assignment_has_at_least_ten() {
        for assignment in Assignment::ALL {
            let n_mutants = all().filter(|mutant| mutant.assignment == assignment).count();
            assert!(n_mutants >= 10, "{assignment}: {n_mutants}");
        }
        assert!(all().count() >= 60);
    }
}
