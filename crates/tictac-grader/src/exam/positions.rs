//! Which positions of the game the cases have asked about.

use std::collections::HashSet;

use tictac::{Board, Rules};

use crate::assignment::{Assignment, CourseProgram};
use crate::case::Case;
use crate::expect::ExpectedOutput;
use crate::generate;
use crate::judge::topics::{lines, position_after};
use crate::report::PositionCoverage;

/// The positions that the cases have passed through, or ended in.
#[derive(Clone, Debug, Default)]
pub(super) struct AskedPositions {
    boards: HashSet<Board>,
}

impl AskedPositions {
    /// Adds the positions of a case. A position after O moved first is counted as the one with both marks swapped.
    pub(super) fn add(&mut self, assignment: Assignment, case: &Case, expected: &[ExpectedOutput]) {
        match assignment.course() {
            None | Some(CourseProgram::MoveCheck) => {}
            Some(CourseProgram::GameCheck) if case.input.is_empty() => drop(self.boards.insert(Board::EMPTY)),
            Some(CourseProgram::GameCheck) => {
                self.boards.extend(position_after(&lines(&case.input)).and_then(|position| {
                    let (board, opener) = (position.board(), position.opener());
                    Board::new(board.squares(opener), board.squares(opener.other()))
                }));
            }
            // A game may go on after a tie that one of the accepted outputs announces early.
            _ => self.boards.extend(expected.iter().flat_map(|each| each.parsed(assignment).boards())),
        }
    }

    /// Returns how many of the positions of the game were asked about; `None` if the program plays no game.
    pub(super) fn coverage(&self, assignment: Assignment) -> Option<PositionCoverage> {
        let rules = match assignment.course()? {
            CourseProgram::MoveCheck => return None,
            CourseProgram::Notakto => Rules::NOTAKTO,
            _ => Rules::CLASSIC,
        };
        Some(PositionCoverage { n_asked: self.boards.len(), n_all: generate::n_positions(rules) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expect::expected;
    use crate::settings::GradeSettings;

    fn coverage(program: CourseProgram, n_cases: usize) -> Option<PositionCoverage> {
        let assignment = program.assignment();
        let mut asked = AskedPositions::default();
        for case in generate::cases(assignment, &GradeSettings::default()).unwrap().iter().take(n_cases) {
            asked.add(assignment, case, &expected(assignment, "program", case).unwrap());
        }
        asked.coverage(assignment)
    }

    #[test]
    fn the_cases_ask_about_every_position() {
        for (assignment, n_all) in
            [(CourseProgram::GameCheck, 5478), (CourseProgram::Lab3, 5478), (CourseProgram::Tictactoe, 5478)]
        {
            let all = Some(PositionCoverage { n_asked: n_all, n_all });
            assert_eq!(coverage(assignment, usize::MAX), all, "{assignment}");
        }
        let notakto = coverage(CourseProgram::Notakto, usize::MAX).unwrap();
        assert_eq!(notakto.n_asked, notakto.n_all);
        assert_eq!(coverage(CourseProgram::MoveCheck, usize::MAX), None);
    }

    #[test]
    fn fewer_cases_ask_about_fewer_positions() {
        let some = coverage(CourseProgram::GameCheck, 200).unwrap();
        assert!(0 < some.n_asked && some.n_asked < 1000, "{some:?}");
    }
}
