//! Judging the three games: a conversation of boards, turns and results.

mod blame;
mod scene;
mod soft;
mod words;

use crate::assignment::Assignment;
use crate::case::{Case, Demand};
use crate::expect::Expected;
use crate::fault::{Fault, Known};
use crate::run::{Answer, Ending};

use scene::{Hard, Scene};

/// No right answer is longer; of a longer one only the beginning matters.
const MAX_READ: usize = 32 * 1024;

/// How closely an answer must follow the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Byte for byte.
    Exact,
    /// In meaning: boards, turns, results, that something is said where it must be, and the exit status.
    Lenient,
}

impl Comparison {
    /// Returns how closely the document of an assignment fixes the wording.
    pub const fn usual(assignment: Assignment) -> Comparison {
        match assignment {
            Assignment::Lab3 | Assignment::Tictactoe => Comparison::Lenient,
            _ => Comparison::Exact,
        }
    }
}

/// Returns what is wrong with an answer, if it is none of the expected ones.
pub(crate) fn judge(
    assignment: Assignment,
    comparison: Comparison,
    case: &Case,
    expected: &[Expected],
    answer: &Answer,
    known: &Known,
) -> Option<Fault> {
    if case.demand == Demand::Survival {
        return (!answer.ending.is_orderly()).then(|| not_survived(assignment, case, answer));
    }
    if expected.iter().any(|each| each.stdout == answer.stdout && has_right_status(each, answer)) {
        return None;
    }
    let actual = Scene::read(assignment, &answer.stdout[..answer.stdout.len().min(MAX_READ)]);
    let scenes = expected.iter().map(|each| (each, Scene::read(assignment, &each.stdout)));
    // The expected answer that explains the most of the actual one is the one that was meant.
    let (nearest, wanted, difference) = scenes
        .map(|(each, scene)| {
            let difference = blame::first_difference(assignment, &scene, &actual, known);
            (each, scene, difference)
        })
        .max_by_key(|(each, scene, difference)| {
            let agreed = difference.as_ref().map_or(scene.hard.len() * 2 + 2, |found| found.place);
            (
                agreed,
                has_right_status(each, answer),
                common_prefix(&each.stdout, &answer.stdout),
                each.stdout == answer.stdout,
            )
        })
        .expect("there is at least one right answer");
    if let Some(difference) = difference {
        return Some(difference.fault(assignment, case, &wanted, answer));
    }
    if comparison == Comparison::Exact && nearest.stdout != answer.stdout {
        return Some(blame::wording(assignment, case, nearest, answer));
    }
    (!has_right_status(nearest, answer)).then(|| blame::status(assignment, case, nearest, answer))
}

/// A program that stumbles over a word stumbles over strange and long words too.
fn not_survived(assignment: Assignment, case: &Case, answer: &Answer) -> Fault {
    let mut fault = Fault::new(case.about, answer.ending.to_string());
    let simpler = match assignment {
        Assignment::Lab3 => "unreadable",
        _ => "not-a-number",
    };
    if matches!(case.about.short_id(), "bytes" | "long" | "huge-numbers") {
        fault.suspects.push(assignment.requirement(simpler));
    }
    fault
}

fn has_right_status(expected: &Expected, answer: &Answer) -> bool {
    answer.ending == Ending::Exited(expected.status)
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Returns whether an answer draws the right boards and tells the right result, whatever its words and its status.
pub(crate) fn is_alike(assignment: Assignment, expected: &Expected, answer: &Answer) -> bool {
    let facts = |stdout: &[u8]| -> Vec<Hard> {
        let scene = Scene::read(assignment, &stdout[..stdout.len().min(MAX_READ)]);
        scene.hard.into_iter().filter(|hard| !matches!(hard, Hard::Turn(_))).collect()
    };
    let wanted = facts(&expected.stdout);
    !wanted.is_empty() && wanted == facts(&answer.stdout)
}

/// Returns whether an answer tells a draw.
pub(crate) fn tells_a_draw(assignment: Assignment, expected: &Expected) -> bool {
    Scene::read(assignment, &expected.stdout).hard.contains(&Hard::Tie)
}

/// Returns the last board that an output shows.
pub(crate) fn last_board(assignment: Assignment, stdout: &[u8]) -> Option<[u8; 9]> {
    let scene = Scene::read(assignment, stdout);
    scene.board_before(scene.hard.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expect::expected;

    /// Grades the right output of a program after `change` was applied to it; returns the requirement that is blamed.
    fn blamed(
        assignment: Assignment,
        about: &str,
        input: &str,
        change: impl Fn(String) -> String,
    ) -> Option<&'static str> {
        let case = Case::new(assignment.requirement(about), input);
        let case = match assignment {
            Assignment::Lab3 => case.with_arguments(["TicTacToeGame"]),
            _ => case,
        };
        let expected = expected(assignment, "program", &case);
        let stdout = change(String::from_utf8(expected[0].stdout.clone()).unwrap()).into_bytes();
        let answer = Answer { stdout, stderr: Vec::new(), ending: Ending::Exited(expected[0].status) };
        let comparison = Comparison::usual(assignment);
        let fault = judge(assignment, comparison, &case, &expected, &answer, &Known::default());
        fault.map(|fault| fault.culprit(&Known::default()).short_id())
    }

    /// Checks which requirement is blamed when `old` is replaced by `new` in the right output.
    #[track_caller]
    fn check(assignment: Assignment, about: &str, input: &str, (old, new): (&str, &str), expected: &str) {
        let found = blamed(assignment, about, input, |text| {
            assert!(text.contains(old), "{old:?} is not in the right output:\n{text}");
            text.replacen(old, new, 1)
        });
        assert_eq!(found, Some(expected), "{old:?} replaced by {new:?}");
    }

    const COLUMN_WIN: &str = "1 1\n1 2\n2 1\n1 3\n3 1\n";

    #[test]
    fn the_right_output_is_right() {
        for (assignment, input) in [
            (Assignment::Tictactoe, COLUMN_WIN),
            (Assignment::Lab3, "1,1\nquit\n"),
            (Assignment::Notakto, "1\n2\n3\n"),
        ] {
            assert_eq!(blamed(assignment, "board", input, |text| text), None, "{assignment}");
        }
    }

    #[test]
    fn what_tictactoe_leaves_out_is_blamed() {
        let check =
            |change, expected| check(Assignment::Tictactoe, "win-column", COLUMN_WIN, change, expected);
        check(("Enter a move like \"1 2\" for row 1 column 2.\n", ""), "opening");
        check(("Goodbye!\n", ""), "goodbye");
        check(("X wins via Column 1", "X wins via Row 1"), "via");
        check(("X's turn", "O's turn"), "turns");
        check(("1 X", "1 O"), "placement");
        check(("X wins via Column 1\nX has won the game!\n", "It's a tie!\n"), "tie");
        check(("X wins via Column 1\nX has won the game!\n", "O's turn: "), "win-column");
        let unlabelled = |text: String| text.replace("  1  2  3\n", "");
        assert_eq!(blamed(Assignment::Tictactoe, "board", COLUMN_WIN, unlabelled), Some("board"));
    }

    #[test]
    fn a_refused_move_of_tictactoe_needs_its_message_and_keeps_the_turn() {
        let input = format!("4 4\n{COLUMN_WIN}");
        let check = |change, expected| check(Assignment::Tictactoe, "range", &input, change, expected);
        let message = "Row and column must be from 1 to 3.\n";
        let right = blamed(Assignment::Tictactoe, "range", &input, |text| {
            assert!(text.contains(message), "{text}");
            text
        });
        assert_eq!(right, None);
        check((message, ""), "range");
        check((message, "That place is taken.\n"), "range");
        check(
            ("Row and column must be from 1 to 3.\nX's", "Row and column must be from 1 to 3.\nO's"),
            "turn-kept",
        );
    }

    #[test]
    fn a_program_that_refuses_a_good_move_is_blamed_for_it() {
        let refuse = |text: String| {
            let board = text.match_indices("\n4\n").nth(1).unwrap().0;
            let prompt = "Please enter a comma-seperated coordinate in [1:3,1:3] or type 'quit'\n";
            format!("{}\nCareful, you entered out of bound. Try again!\n{prompt}", &text[..board])
        };
        assert_eq!(blamed(Assignment::Lab3, "coordinates", "3,1\nquit\n", refuse), Some("bounds"));
    }

    #[test]
    fn lab3_is_asked_for_its_words_around_quit_and_unreadable_lines() {
        let prompt = "Please enter a comma-seperated coordinate in [1:3,1:3] or type 'quit'\n";
        let twice = format!("{prompt}{prompt}");
        let check = |about, input, change, expected| check(Assignment::Lab3, about, input, change, expected);
        check("quit", "quit\n", (prompt, &twice), "quit");
        check("quit", "quit\n", ("0 turns", "1 turns"), "quit");
        let complaint = format!("You entered: a\nSorry, the place is not empty. Try again!\n{prompt}");
        let asked_again = format!("You entered: a\n{prompt}");
        check("unreadable", "a\nquit\n", (&asked_again, &complaint), "unreadable");
        check("echo", "1,2\nquit\n", ("You entered: 1,2", ""), "echo");
        check("moves", "1,2\nquit\n", ("1, 2;", "2, 1;"), "moves");
        check("count", "2,2\nquit\n", ("# moves: 1,", "# moves: 3,"), "count");
    }

    #[test]
    fn notakto_is_compared_byte_for_byte() {
        let check =
            |about, input, change, expected| check(Assignment::Notakto, about, input, change, expected);
        check("turns", "1\n2\n3\n", ("to place X):", "to place X)"), "prompt");
        check("turns", "1\n2\n3\n", ("Player 2 wins!", "Player 1 wins!"), "winner");
        check("turns", "1\n2\n3\n", ("Player 2 wins!", "Player 2 wins."), "winner");
        check("invalid", "0\n1\n2\n3\n", ("Location invalid", "Invalid"), "invalid");
        check("taken", "1\n1\n2\n3\n", ("Location invalid", "Invalid"), "taken");
    }

    #[test]
    fn the_exit_status_is_judged_after_the_words() {
        let case = Case::new(Assignment::Tictactoe.requirement("win-column"), COLUMN_WIN);
        let expected = expected(Assignment::Tictactoe, "program", &case);
        let judged = |ending| {
            let answer = Answer { stdout: expected[0].stdout.clone(), stderr: Vec::new(), ending };
            judge(Assignment::Tictactoe, Comparison::Lenient, &case, &expected, &answer, &Known::default())
        };
        assert_eq!(judged(Ending::Exited(0)), None);
        assert_eq!(judged(Ending::Exited(1)).unwrap().suspects[0].short_id(), "status");
        assert_eq!(judged(Ending::TimedOut).unwrap().suspects[0].short_id(), "status");
    }
}
