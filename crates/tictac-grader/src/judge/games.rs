//! Judges the three interactive games by their boards, turns, results and messages.

use tictac::{Board, SquareSet};

use super::checkers::wrong_exit;
use super::dialect::{Deviation, OutputDialect, own_deviations};
use super::difference::{Difference, OutputPair};
use super::parsed_output::{OutputEvent, ParsedOutput};
use super::required_text::{RequiredText, required_texts};
use super::{Attempt, Behaviour, Comparison, KnownFaults, Mismatch, wording};
use crate::assignment::{Assignment, CourseProgram};
use crate::case::Criterion;
use crate::run::{RunExit, RunOutput};

/// Returns what is wrong with an output, or `None` if it is one of the expected ones.
pub(super) fn judge(attempt: Attempt<'_>, comparison: Comparison, known: &KnownFaults) -> Option<Mismatch> {
    let Attempt { assignment, case, output, .. } = attempt;
    match case.criterion {
        Criterion::CleanExit | Criterion::NoOtherMove if !output.exit.is_clean() => {
            return Some(unclean_exit(attempt));
        }
        Criterion::CleanExit => return None,
        Criterion::NoOtherMove => return other_move(attempt),
        Criterion::Output | Criterion::BonusOutput => {}
    }
    let mut mismatch = output_mismatch(attempt, comparison, known)?;
    // An entry that was not refused as it should be may disturb everything after it.
    for about in refused_topics(attempt) {
        let suspect = assignment.requirement(about);
        if !mismatch.suspects.contains(&suspect) {
            mismatch.suspects.push(suspect);
        }
    }
    Some(mismatch)
}

/// Returns the mismatch of a program that plays a move which is not in its input. It may stop early.
fn other_move(Attempt { assignment, case, expected, output }: Attempt<'_>) -> Option<Mismatch> {
    let taken = |output: &ParsedOutput| -> Vec<SquareSet> { output.boards().map(Board::occupied).collect() };
    let played = taken(&ParsedOutput::parse(assignment, &output.stdout));
    let is_right = expected.iter().any(|each| taken(each.parsed(assignment)).starts_with(&played));
    (!is_right).then(|| Mismatch::new(case.about, Behaviour::new("plays a number that is out of range")))
}

/// Returns the requirements on the entries of a case that must be refused.
fn refused_topics(Attempt { assignment, case, expected, .. }: Attempt<'_>) -> Vec<&'static str> {
    if assignment.course() == Some(CourseProgram::Notakto) {
        // Its output does not show why an entry is refused.
        let mut played = Vec::new();
        let words = case.input.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        return words
            .filter_map(|word| match word {
                [b'1'..=b'9'] if played.contains(&word) => Some("taken"),
                [b'1'..=b'9'] => {
                    played.push(word);
                    None
                }
                _ => Some("invalid"),
            })
            .collect();
    }
    let wanted = expected[0].parsed(assignment);
    let texts = (0..wanted.texts.len()).flat_map(|index| required_texts(assignment, wanted, index));
    let mut topics: Vec<&str> = texts.filter(RequiredText::is_about_refusal).map(|text| text.about).collect();
    if assignment.course() == Some(CourseProgram::Tictactoe) && !topics.is_empty() {
        topics.push("turn-kept");
    }
    topics
}

fn output_mismatch(attempt: Attempt<'_>, comparison: Comparison, known: &KnownFaults) -> Option<Mismatch> {
    let Attempt { assignment, expected, output, .. } = attempt;
    let has_right_status = |each: &RunOutput| output.exit == each.exit;
    if expected.iter().any(|each| each.output.stdout == output.stdout && has_right_status(&each.output)) {
        return None;
    }
    let actual = ParsedOutput::parse(assignment, &output.stdout);
    let Reading { expected: nearest, wanted, deviations, difference } =
        Reading::best(attempt, &actual, known);
    let is_known = |about: &str| known.is_broken(assignment.requirement(about).id);
    let is_new = |deviation: &&Deviation| !is_known(deviation.about);
    // A difference that is new is reported before a deviation, and both before anything that is already known.
    let new_deviation = deviations.iter().find(is_new);
    match difference {
        Some(found) if !found.is_known || new_deviation.is_none() => {
            return Some(found.into_mismatch(attempt, &wanted));
        }
        _ => {}
    }
    if let Some(Deviation { about, behaviour }) = new_deviation.or(deviations.first()) {
        return Some(Mismatch::new(assignment.requirement(about), behaviour.clone()));
    }
    if comparison == Comparison::Exact && nearest.stdout != output.stdout {
        return Some(wording::mismatch(attempt, known));
    }
    (!has_right_status(nearest)).then(|| wrong_status(attempt, nearest.exit))
}

/// An actual output compared with one of the expected ones, which is translated into a dialect.
struct Reading<'a> {
    expected: &'a RunOutput,
    /// The expected output in the dialect of the actual one.
    wanted: ParsedOutput,
    deviations: Vec<Deviation>,
    difference: Option<Difference>,
}

impl<'a> Reading<'a> {
    /// Returns the comparison in which the outputs agree the longest.
    fn best(attempt: Attempt<'a>, actual: &ParsedOutput, known: &KnownFaults) -> Reading<'a> {
        let Attempt { assignment, expected, output, .. } = attempt;
        let readings = expected.iter().flat_map(|each| {
            let wanted = each.parsed(assignment);
            let dialect = OutputDialect::of(wanted, actual);
            let plain = (!dialect.is_plain()).then(OutputDialect::default);
            [dialect].into_iter().chain(plain).map(move |dialect| {
                let translated = dialect.translate(wanted);
                let difference = OutputPair::new(assignment, &translated, actual).first_difference(known);
                let mut deviations = dialect.deviations(assignment, wanted);
                deviations.extend(own_deviations(assignment, actual));
                Reading { expected: &each.output, wanted: translated, deviations, difference }
            })
        });
        let best = readings.max_by_key(|reading| {
            let each = reading.expected;
            let n_places = reading.wanted.events.len() * 2 + 2;
            // If only known messages are missing, everything else is as expected.
            let new = reading.difference.as_ref().filter(|found| !found.is_known);
            let agreed = (new.is_none(), new.map_or(n_places, |found| found.place));
            let same_text = (common_prefix(&each.stdout, &output.stdout), each.stdout == output.stdout);
            (agreed, reading.difference.is_none(), output.exit == each.exit, same_text)
        });
        best.expect("there is at least one expected output")
    }
}

fn unclean_exit(Attempt { assignment, case, output, .. }: Attempt<'_>) -> Mismatch {
    let mut mismatch = Mismatch::new(case.about, Behaviour::new(output.exit.to_string()));
    if matches!(case.about.short_id(), "bytes" | "long" | "huge-numbers") {
        // A program that fails on any word also fails on strange and on long words.
        let simpler = match assignment.course() {
            Some(CourseProgram::Lab3) => "unreadable",
            _ => "not-a-number",
        };
        mismatch.suspects.push(assignment.requirement(simpler));
    }
    if assignment == CourseProgram::Lab3 && case.about.short_id() == "long" && has_huge_number(&case.input) {
        mismatch.suspects.insert(0, assignment.requirement("huge-numbers"));
    }
    mismatch
}

/// Returns whether an input contains a number that may be too large for an `int`.
pub(crate) fn has_huge_number(input: &[u8]) -> bool {
    input.windows(10).any(|window| window.iter().all(u8::is_ascii_digit))
}

/// Returns the mismatch of an output that is correct except for its exit status.
fn wrong_status(Attempt { assignment, case, output, .. }: Attempt<'_>, expected: RunExit) -> Mismatch {
    let about = match case.about.short_id() {
        "arguments" => "arguments",
        _ => "status",
    };
    let mut mismatch = Mismatch::new(assignment.requirement(about), wrong_exit(expected, output.exit));
    if case.is_robustness() {
        mismatch.suspects.insert(0, case.about);
    }
    mismatch
}

/// Returns how many bytes two outputs have in common at their start.
pub(crate) fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Returns whether an output shows that a program does what a case is about, even if something else is wrong: its boards
/// are right, and its result if the case is about that; or its turns and its result are right.
pub(super) fn has_right_content(attempt: Attempt<'_>) -> bool {
    let actual = ParsedOutput::parse(attempt.assignment, &attempt.output.stdout);
    let wanted = Reading::best(attempt, &actual, &KnownFaults::default()).wanted;
    let agree = |is_counted: fn(&OutputEvent) -> bool| {
        let counted = |output: &ParsedOutput| -> Vec<OutputEvent> {
            output.events.iter().copied().filter(is_counted).collect()
        };
        let events = counted(&wanted);
        !events.is_empty() && events == counted(&actual)
    };
    let has_result = agree(OutputEvent::is_result);
    // One empty board proves nothing.
    let has_boards =
        agree(OutputEvent::is_board) && wanted.events.iter().filter(|event| event.is_board()).count() > 1;
    let is_about_result = ["win-", "lose-", "draw", "tie", "early-tie", "quit", "winner"]
        .iter()
        .any(|start| attempt.case.about.short_id().starts_with(start));
    (has_boards && (has_result || !is_about_result)) || (agree(OutputEvent::is_turn) && has_result)
}

/// Returns whether an output of tictactoe announces a win on a diagonal, and on no other line.
pub(crate) fn names_a_diagonal(expected: &RunOutput) -> bool {
    let text = String::from_utf8_lossy(&expected.stdout);
    let mut lines = text.lines().filter(|line| line.contains(" wins via "));
    lines.next().is_some_and(|line| line.contains("Diagonal")) && lines.next().is_none()
}

/// Returns the last board in an output.
pub(crate) fn last_board(assignment: Assignment, stdout: &[u8]) -> Option<Board> {
    ParsedOutput::parse(assignment, stdout).boards().next_back()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Case;
    use crate::expect::expected;

    /// Grades the correct output of a program after `change` was applied to it; returns the requirement that is blamed.
    fn blamed(
        assignment: Assignment,
        about: &str,
        input: &str,
        change: impl Fn(String) -> String,
    ) -> Option<&'static str> {
        let case = Case::new(assignment.requirement(about), input);
        let case = match assignment.course() {
            Some(CourseProgram::Lab3) => case.with_arguments(["TicTacToeGame"]),
            _ => case,
        };
        let expected = expected(assignment, "program", &case).unwrap();
        let stdout = change(String::from_utf8(expected[0].output.stdout.clone()).unwrap()).into_bytes();
        let output = RunOutput { stdout, ..expected[0].output.clone() };
        let attempt = Attempt { assignment, case: &case, expected: &expected, output: &output };
        let mismatch = judge(attempt, assignment.form().comparison, &KnownFaults::default());
        mismatch.map(|mismatch| mismatch.blamed(&KnownFaults::default()).short_id())
    }

    /// Checks which requirement is blamed when `old` is replaced with `new` in the correct output.
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
    fn a_correct_output_is_accepted() {
        for (assignment, input) in [
            (CourseProgram::Tictactoe.assignment(), COLUMN_WIN),
            (CourseProgram::Lab3.assignment(), "1,1\nquit\n"),
            (CourseProgram::Notakto.assignment(), "1\n2\n3\n"),
        ] {
            assert_eq!(blamed(assignment, "board", input, |text| text), None, "{assignment}");
        }
    }

    #[test]
    fn whatever_tictactoe_leaves_out_is_blamed() {
        let check = |change, expected| {
            check(CourseProgram::Tictactoe.assignment(), "win-column", COLUMN_WIN, change, expected);
        };
        check(("Enter a move like \"1 2\" for row 1 column 2.\n", ""), "opening");
        check(("Goodbye!\n", ""), "goodbye");
        check(("X wins via Column 1", "X wins via Row 1"), "via");
        check(("X's turn", "O's turn"), "turns");
        check(("1 X", "1 O"), "placement");
        check(("3 -  -  -\n", "3 -  -  -\n4 -  -  -\n"), "board");
        check(("X wins via Column 1\nX has won the game!\n", "It's a tie!\n"), "tie");
        check(("X wins via Column 1\nX has won the game!\n", "O's turn: "), "win-column");
        let unlabelled = |text: String| text.replace("  1  2  3\n", "");
        assert_eq!(
            blamed(CourseProgram::Tictactoe.assignment(), "board", COLUMN_WIN, unlabelled),
            Some("board")
        );
    }

    #[test]
    fn a_refused_move_of_tictactoe_needs_its_message_and_keeps_the_turn() {
        let input = format!("4 4\n{COLUMN_WIN}");
        let check = |change, expected| {
            check(CourseProgram::Tictactoe.assignment(), "range", &input, change, expected);
        };
        let message = "Row and column must be from 1 to 3.\n";
        let right = blamed(CourseProgram::Tictactoe.assignment(), "range", &input, |text| {
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
        assert_eq!(
            blamed(CourseProgram::Lab3.assignment(), "coordinates", "3,1\nquit\n", refuse),
            Some("bounds")
        );
    }

    #[test]
    fn lab3_must_print_its_messages_around_quit_and_unreadable_lines() {
        let prompt = "Please enter a comma-seperated coordinate in [1:3,1:3] or type 'quit'\n";
        let twice = format!("{prompt}{prompt}");
        let check = |about, input, change, expected| {
            check(CourseProgram::Lab3.assignment(), about, input, change, expected);
        };
        check("quit", "quit\n", (prompt, &twice), "quit");
        check("quit", "quit\n", ("0 turns", "1 turns"), "quit");
        check("board", "quit\n", ("\n4\n", "\n5\n4\n"), "board");
        let complaint = format!("You entered: a\nSorry, the place is not empty. Try again!\n{prompt}");
        let asked_again = format!("You entered: a\n{prompt}");
        check("unreadable", "a\nquit\n", (&asked_again, &complaint), "unreadable");
        check("echo", "1,2\nquit\n", ("You entered: 1,2", ""), "echo");
        check("moves", "1,2\nquit\n", ("1, 2;", "2, 1;"), "moves");
        check("moves", "1,2\nquit\n", ("Player X :", ""), "moves");
        check("moves", "1,2\nquit\n", ("Player X :", "Player O :"), "moves");
        check("moves", "1,1\n2,2\nquit\n", ("Player O : 2", "Player Z : 2"), "moves");
        check("quit", "1,2\nquit\n", ("Player O quits!", "Player P quits!"), "quit");
        check("count", "2,2\nquit\n", ("# moves: 1,", "# moves: 3,"), "count");
        // Neither a listed move nor a prompt is the number of moves.
        check("count", "1,1\nquit\n", ("# moves: 1,", "# moves: 3,"), "count");
        check("count", "2,2\nquit\n", ("1, max: 9\nPlayer O quits", "2, max: 9\nPlayer O quits"), "count");
    }

    #[test]
    fn notakto_is_compared_byte_for_byte() {
        let check = |about, input, change, expected| {
            check(CourseProgram::Notakto.assignment(), about, input, change, expected);
        };
        check("turns", "1\n2\n3\n", ("to place X):", "to place X)"), "prompt");
        check("turns", "1\n2\n3\n", ("Player 2 wins!", "Player 1 wins!"), "winner");
        check("turns", "1\n2\n3\n", ("Player 2 wins!", "Player 2 wins."), "winner");
        check("invalid", "0\n1\n2\n3\n", ("Location invalid", "Invalid"), "invalid");
        check("taken", "1\n1\n2\n3\n", ("Location invalid", "Invalid"), "taken");
    }

    fn suspects(program: CourseProgram, case: &Case, stdout: String) -> Option<Vec<&'static str>> {
        let assignment = program.assignment();
        let expected = expected(assignment, "program", case).unwrap();
        let output = RunOutput { stdout: stdout.into_bytes(), ..expected[0].output.clone() };
        let attempt = Attempt { assignment, case, expected: &expected, output: &output };
        let mismatch = judge(attempt, assignment.form().comparison, &KnownFaults::default())?;
        Some(mismatch.suspects.iter().map(|suspect| suspect.short_id()).collect())
    }

    fn right_output(program: CourseProgram, case: &Case) -> String {
        let expected = expected(program.assignment(), "program", case).unwrap();
        String::from_utf8(expected[0].output.stdout.clone()).unwrap()
    }

    #[test]
    fn an_entry_that_must_be_refused_is_suspected_of_what_follows_it() {
        let requirement = |short_id| CourseProgram::Notakto.assignment().requirement(short_id);
        for (input, expected) in [
            ("1\n2\n3\n", &["winner"][..]),
            ("1\n10\n2\n3\n", &["winner", "invalid"]),
            ("1\n1\n2\n0\n3\n", &["winner", "taken", "invalid"]),
        ] {
            let case = Case::new(requirement("turns"), input);
            let wrong = right_output(CourseProgram::Notakto, &case).replace("Player 2 wins", "Player 1 wins");
            assert_eq!(suspects(CourseProgram::Notakto, &case, wrong).unwrap(), expected, "{input:?}");
        }
    }

    #[test]
    fn a_number_that_is_out_of_range_must_not_be_played() {
        let case = |input: &str| {
            let case = Case::new(CourseProgram::Lab3.assignment().requirement("huge-numbers"), input);
            case.with_arguments(["TicTacToeGame"]).with_criterion(Criterion::NoOtherMove)
        };
        let huge = case("4294967297,1\nquit\n");
        let right = right_output(CourseProgram::Lab3, &huge);
        assert_eq!(suspects(CourseProgram::Lab3, &huge, right), None);
        assert_eq!(suspects(CourseProgram::Lab3, &huge, "I give up.\n".to_owned()), None);
        let played = right_output(CourseProgram::Lab3, &case("1,1\nquit\n"));
        assert_eq!(suspects(CourseProgram::Lab3, &huge, played).unwrap(), ["huge-numbers"]);
    }

    #[test]
    fn a_dialect_breaks_one_requirement_only() {
        let swapped = |text: String| {
            let other = |c| match c {
                'X' => 'O',
                'O' => 'X',
                c => c,
            };
            text.chars().map(other).collect()
        };
        let blamed_for = |change: &dyn Fn(String) -> String| {
            blamed(CourseProgram::Tictactoe.assignment(), "win-column", COLUMN_WIN, change)
        };
        assert_eq!(blamed_for(&swapped), Some("turns"));
        assert_eq!(blamed_for(&|text| text.replace('O', "Y")), Some("tokens"));
        assert_eq!(blamed_for(&|text| text.replace('O', "\0")), Some("board"));
        let unnamed = |text: String| text.replace("X's turn", "Your turn").replace("O's turn", "Your turn");
        assert_eq!(blamed_for(&unnamed), Some("turns"));
        let without_last_board = |text: String| {
            let (board, result) = (text.rfind("  1  2  3").unwrap(), text.find("X wins").unwrap());
            [&text[..board], &text[result..]].concat()
        };
        assert_eq!(blamed_for(&without_last_board), Some("board"));
        // In a dialect, another fault is still blamed on its own requirement.
        assert_eq!(blamed_for(&|text| swapped(text).replace("Goodbye!\n", "")), Some("goodbye"));
    }

    #[test]
    fn free_wording_is_no_fault() {
        let input = format!("4 4\n1 1\n{COLUMN_WIN}");
        let other_words = |text: String| {
            text.replace("Row and column must be from 1 to 3.", "Please enter numbers between 1 and 3!")
                .replace("'s turn:", ", choose a row and a column:")
                .replace("X has won the game!\n", "")
                .replace("Goodbye!", "Thanks for playing.")
        };
        assert_eq!(blamed(CourseProgram::Tictactoe.assignment(), "range", &input, other_words), None);
    }

    #[test]
    fn wrong_numbers_and_labels_are_blamed() {
        let check = |about, input, change, expected| {
            check(CourseProgram::Lab3.assignment(), about, input, change, expected);
        };
        check("count", "1,1\nquit\n", ("max: 9", "max: 8"), "count");
        check("count", "1,1\nquit\n", ("max: 9", "max:"), "count");
        check("board", "1,1\nquit\n", ("0 1 2 3 4", "1 2 3 4 5"), "board");
        check("prompt", "1,1\nquit\n", ("[1:3,1:3]", "[0:4,0:4]"), "prompt");
        let refused = "Sorry, the place is not empty. Try again!\n";
        let with_refusal = format!("{refused}\n4\n3\n2\n1   X");
        check("board", "1,1\nquit\n", ("\n4\n3\n2\n1   X", &with_refusal), "taken");
        let range = ("from 1 to 3", "from 0 to 2");
        super::tests::check(
            CourseProgram::Tictactoe.assignment(),
            "range",
            &format!("4 4\n{COLUMN_WIN}"),
            range,
            "range",
        );
    }

    #[test]
    fn the_exit_status_is_judged_after_the_text() {
        let assignment = CourseProgram::Tictactoe.assignment();
        let case = &Case::new(assignment.requirement("win-column"), COLUMN_WIN);
        let expected = &expected(assignment, "program", case).unwrap();
        let judged = |exit| {
            let output = &RunOutput { stdout: expected[0].output.stdout.clone(), stderr: Vec::new(), exit };
            let attempt = Attempt { assignment, case, expected, output };
            judge(attempt, Comparison::Lenient, &KnownFaults::default())
        };
        assert_eq!(judged(RunExit::Status(0)), None);
        assert_eq!(judged(RunExit::Status(1)).unwrap().suspects[0].short_id(), "status");
        assert_eq!(judged(RunExit::TimedOut).unwrap().suspects[0].short_id(), "status");
    }
}
