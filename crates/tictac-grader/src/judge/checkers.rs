//! Judges `move-check` and `game-check`, which print one line and exit.

use tictac::notation::{EntryError, Expected as Wanted, ParseError, RecordError, is_blank};
use tictac::{IllegalMove, Status};
use tictac_programs::checker::Checker;
use tictac_programs::game_check::GameCheck;
use tictac_programs::move_check::MoveCheck;

use super::{Attempt, Behaviour, Mismatch, topics};
use crate::assignment::{Assignment, CourseProgram};
use crate::case::Case;
use crate::requirement::Requirement;
use crate::run::{RunExit, RunOutput};

/// Inputs longer than this test the requirement on long input.
const LONG: usize = 12_000;
/// So do inputs with a line longer than this. The documents allow any comment, so ordinary ones are required to work.
const LONG_LINE: usize = 1100;

/// Longer inputs are not edited at every byte, which takes quadratic time.
const MAX_EDITED: usize = 200;

/// Every line that `game-check` may print, and the error of `move-check`.
const SENTENCES: [&str; 8] = [
    "Parse error.",
    "Invalid move.",
    "Game in progress: New game.",
    "Game in progress: X's turn.",
    "Game in progress: O's turn.",
    "Game over: X wins.",
    "Game over: O wins.",
    "Game over: Draw.",
];

/// Returns what is wrong with an output, or `None` if it is correct.
pub(super) fn judge(attempt: Attempt<'_>) -> Option<Mismatch> {
    let Attempt { assignment, case, expected, output } = attempt;
    let expected = &expected[0].output;
    let has_right_text = output.stdout == expected.stdout;
    if has_right_text && output.exit == expected.exit {
        return None;
    }
    let behaviour = behaviour(expected, output);
    if has_right_text && !matches!(output.exit, RunExit::TimedOut | RunExit::TooMuchOutput) {
        return Some(Mismatch::new(assignment.requirement("status"), behaviour));
    }
    if output.exit.is_clean()
        && let Some(short_id) = about_wording(assignment, expected, output)
    {
        return Some(Mismatch::new(assignment.requirement(short_id), behaviour));
    }
    Some(Mismatch { suspects: suspects(assignment, &case.input), behaviour })
}

/// Returns the requirement on wording that an output breaks, if it breaks one.
fn about_wording(assignment: Assignment, expected: &RunOutput, output: &RunOutput) -> Option<&'static str> {
    let (stdout, is_valid) = (&output.stdout[..], expected.exit == RunExit::Status(0));
    if stdout.is_empty() && !output.stderr.is_empty() {
        // The message went to standard error.
        return Some("text");
    }
    let has_more_lines = continues(assignment, expected, stdout);
    if assignment == CourseProgram::GameCheck && !is_valid && has_more_lines {
        // The right error, then more lines: the first error did not end the program.
        return Some("first-error");
    }
    if stdout.is_empty() || is_sentence(assignment, stdout) || has_more_lines {
        return stdout.strip_suffix(b"\n").and_then(|line| misread_part(assignment, expected, line));
    }
    let n_words = stdout.split(|&byte| is_blank(byte)).filter(|word| !word.is_empty()).count();
    let has_right_letters = || sorted_letters(stdout) == sorted_letters(&expected.stdout);
    match (assignment.course(), is_valid) {
        (Some(CourseProgram::MoveCheck), true) if stdout.ends_with(b"\n") && has_right_letters() => {
            Some("form")
        }
        // It looks like a move, so the fault is that the line was accepted.
        (Some(CourseProgram::MoveCheck), false) if n_words == 3 => None,
        _ => Some("text"),
    }
}

/// Returns whether the right line is followed by other valid lines, so that the program did not stop where it must.
fn continues(assignment: Assignment, expected: &RunOutput, stdout: &[u8]) -> bool {
    let rest = stdout.strip_prefix(&expected.stdout[..]).unwrap_or_default();
    !rest.is_empty() && rest.split_inclusive(|&byte| byte == b'\n').all(|line| is_sentence(assignment, line))
}

/// If a move was printed as another one, returns the requirement on the part that differs.
fn misread_part(assignment: Assignment, expected: &RunOutput, line: &[u8]) -> Option<&'static str> {
    let is_move = |line: &[u8]| line.len() == 6;
    let right = expected.stdout.strip_suffix(b"\n")?;
    if assignment != CourseProgram::MoveCheck || !is_move(line) || !is_move(right) {
        return None;
    }
    [("number", 0..1), ("player", 2..3), ("square", 4..6)]
        .into_iter()
        .find(|(_, range)| line[range.clone()] != right[range.clone()])
        .map(|(part, _)| part)
}

/// Returns whether an output has the right letters and digits, ignoring spaces, case, punctuation and the exit status.
pub(super) fn has_right_content(expected: &RunOutput, output: &RunOutput) -> bool {
    let letters = |text: &[u8]| -> Vec<u8> {
        text.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
    };
    letters(&expected.stdout) == letters(&output.stdout)
}

/// Returns whether a line, with its newline, is one that the program may print.
fn is_sentence(assignment: Assignment, line: &[u8]) -> bool {
    let Some(line) = line.strip_suffix(b"\n") else { return false };
    match assignment.course() {
        Some(CourseProgram::MoveCheck) => {
            line == b"Parse error."
                || matches!(line, [b'1'..=b'9', b' ', b'X' | b'O', b' ', b'A'..=b'C', b'1'..=b'3'])
        }
        _ => SENTENCES.iter().any(|sentence| sentence.as_bytes() == line),
    }
}

/// Returns a move without anything that `form` is about: case, spaces, order and comment.
fn sorted_letters(line: &[u8]) -> Vec<u8> {
    let end = line.iter().position(|&byte| byte == b'#').unwrap_or(line.len());
    let mut letters: Vec<u8> =
        line[..end].iter().filter(|&&byte| !is_blank(byte)).map(u8::to_ascii_uppercase).collect();
    letters.sort_unstable();
    letters
}

fn behaviour(expected: &RunOutput, output: &RunOutput) -> Behaviour {
    if output.stdout == expected.stdout {
        return wrong_exit(expected.exit, output.exit);
    }
    let quoted = |stdout: &[u8]| {
        let text = String::from_utf8_lossy(stdout);
        let line = text.trim_end_matches('\n');
        SENTENCES.contains(&line).then(|| format!("{line:?}"))
    };
    let wanted = quoted(&expected.stdout).unwrap_or_else(|| "the move".to_owned());
    match output.exit {
        RunExit::Status(_) if output.stdout.is_empty() => Behaviour::new("prints nothing").instead_of(wanted),
        RunExit::Status(_) => {
            let printed = quoted(&output.stdout).unwrap_or_else(|| "something else".to_owned());
            Behaviour::new(format!("prints {printed}")).instead_of(wanted)
        }
        exit => Behaviour::new(exit.to_string()).instead_of(format!("printing {wanted}")),
    }
}

/// Returns the behaviour of a program that prints the right output and exits in the wrong way.
pub(super) fn wrong_exit(expected: RunExit, actual: RunExit) -> Behaviour {
    match (actual, expected) {
        (RunExit::Status(_), RunExit::Status(expected)) => {
            Behaviour::new(format!("right answer, but {actual}")).instead_of(expected.to_string())
        }
        (RunExit::Signal(_), _) => Behaviour::new(format!("right answer, but the program was {actual}")),
        _ => Behaviour::new(format!("right answer, but the program {actual}")),
    }
}

/// Returns the requirements that an input tests: for an invalid one what is wrong with it, for a valid one what is
/// special about it.
pub(crate) fn suspects(assignment: Assignment, input: &[u8]) -> Vec<&'static Requirement> {
    let mut ids: Vec<&str> = Vec::new();
    if input.iter().copied().any(is_strange) {
        ids.push("bytes");
    }
    if input.len() > LONG || input.split(|&byte| byte == b'\n').any(|line| line.len() > LONG_LINE) {
        ids.push("long");
    }
    match assignment.course() {
        Some(CourseProgram::MoveCheck) => add_move_topics(input, &mut ids),
        _ => add_game_topics(input, &mut ids),
    }
    let is_first = |at: &usize| !ids[..*at].contains(&ids[*at]);
    (0..ids.len()).filter(is_first).map(|at| assignment.requirement(ids[at])).collect()
}

/// Returns whether a byte is never typed: a control character that is no white space, or a byte beyond ASCII.
fn is_strange(byte: u8) -> bool {
    !matches!(byte, b' '..=b'~' | b'\n') && !is_blank(byte)
}

fn add_move_topics(input: &[u8], ids: &mut Vec<&'static str>) {
    let line = input.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let fault = first_fault(Some(CourseProgram::MoveCheck), input);
    if let Some(EntryError::Syntax(error)) = fault.map(|fault| fault.reason) {
        if input.len() > line.len() + 1 {
            ids.push("one-line");
        }
        ids.push(match syntax_topic(line, error) {
            "blank-line" => "empty",
            other => other,
        });
        return;
    }
    topics::add_notation(line, ids);
    if input.len() != line.len() + 1 {
        ids.push("one-line");
    }
    topics::add_values(line, ids);
}

fn add_game_topics(input: &[u8], ids: &mut Vec<&'static str>) {
    let lines = topics::lines(input);
    match first_fault(Some(CourseProgram::GameCheck), input) {
        Some(RecordError { line, reason: EntryError::Syntax(error), .. }) => {
            if line < lines.len() || is_over_after(&lines[..line - 1]) {
                ids.push("first-error");
            }
            ids.push(syntax_topic(lines.get(line - 1).copied().unwrap_or_default(), error));
        }
        Some(RecordError { line, reason: EntryError::Illegal(illegal), .. }) => {
            if line < lines.len() {
                ids.push("first-error");
            }
            match illegal {
                IllegalMove::GameOver { .. } => {
                    // A program that misses the win plays on.
                    ids.push("after-end");
                    topics::add_game(b"\n", &lines[..line - 1], ids);
                }
                IllegalMove::Occupied { .. } => ids.push("taken"),
                IllegalMove::WrongNumber { .. } => ids.push("move-number"),
                _ => ids.push("alternate"),
            }
        }
        None => topics::add_game(input, &lines, ids),
    }
}

fn is_over_after(lines: &[&[u8]]) -> bool {
    topics::position_after(lines).is_some_and(|position| matches!(position.status(), Status::Over(_)))
}

fn first_fault(course: Option<CourseProgram>, input: &[u8]) -> Option<RecordError> {
    fn check(mut program: impl Checker, input: &[u8]) -> Option<RecordError> {
        input.iter().find_map(|&byte| program.push(byte)).unwrap_or_else(|| program.finish()).fault
    }
    match course {
        Some(CourseProgram::MoveCheck) => check(MoveCheck::default(), input),
        _ => check(GameCheck::default(), input),
    }
}

/// Returns the requirement that an invalid line tests.
fn syntax_topic(line: &[u8], error: ParseError) -> &'static str {
    if line.iter().all(|&byte| is_blank(byte)) {
        return "blank-line";
    }
    let after_player = line[..error.at.min(line.len())].iter().any(u8::is_ascii_alphabetic);
    match (error.expected, error.found) {
        (Wanted::MoveNumber { .. }, Some(found)) if is_blank(found) || is_move_after_start(line) => "start",
        (Wanted::Blank, Some(b'X' | b'O' | b'x' | b'o')) if after_player => "player",
        (Wanted::Blank, Some(b'0'..=b'9' | b'.')) if !after_player => "number",
        (Wanted::MoveNumber { .. }, _) => "number",
        (Wanted::Blank, Some(_)) => "separators",
        (Wanted::Blank, None) if !after_player => "player",
        (Wanted::Mark, _) => "player",
        (Wanted::BlankOrEnd, Some(b'#')) => "comment",
        (Wanted::BlankOrEnd | Wanted::CommentOrEnd, _) => "trailing",
        _ => "square",
    }
}

/// Returns whether a line is a move with something before it, but for a sign or a digit, which belong to the number.
fn is_move_after_start(line: &[u8]) -> bool {
    let is_start = |byte: &u8| !byte.is_ascii_digit() && !matches!(byte, b'+' | b'-' | b'.');
    let n = line.iter().take_while(|byte| is_start(byte)).count();
    n > 0 && first_fault(Some(CourseProgram::MoveCheck), &line[n..]).is_none()
}

/// Returns whether an input can be parsed, or could be with one byte changed.
///
/// A case with one mistake must not be shrunk to one with several: it would be unclear which of them the program
/// misses.
pub(crate) fn is_nearly_valid(assignment: Assignment, case: &Case) -> bool {
    if assignment.is_interactive() || case.input.len() > MAX_EDITED {
        return true;
    }
    let is_parsed = |input: &[u8]| {
        let fault = first_fault(assignment.course(), input);
        !matches!(fault, Some(RecordError { reason: EntryError::Syntax(_), .. }))
    };
    let input = &case.input[..];
    let mut edits = (0..=input.len()).flat_map(|at| {
        let (before, after) = input.split_at(at);
        let rest = after.get(1..).unwrap_or_default();
        let edited =
            b" 1XA#\n".map(|byte| [[before, &[byte], after].concat(), [before, &[byte], rest].concat()]);
        edited.into_iter().flatten().chain([[before, rest].concat()])
    });
    is_parsed(input) || edits.any(|edited| is_parsed(&edited))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expect::expected;

    /// Checks which requirement is blamed when a program prints `stdout` and exits with `status`.
    #[track_caller]
    fn check(assignment: Assignment, input: &str, (stdout, status): (&str, i32), blamed: &str) {
        let output = RunOutput { stdout: stdout.into(), stderr: Vec::new(), exit: RunExit::Status(status) };
        check_output(assignment, input, &output, blamed);
    }

    #[track_caller]
    fn check_output(assignment: Assignment, input: &str, output: &RunOutput, blamed: &str) {
        let case = &Case::new(suspects(assignment, input.as_bytes())[0], input);
        let expected = &expected(assignment, "program", case).unwrap();
        let mismatch = judge(Attempt { assignment, case, expected, output });
        let found = mismatch.map(|mismatch| mismatch.suspects[0].short_id());
        assert_eq!(found, Some(blamed), "{input:?} answered with {output:?}");
    }

    #[test]
    fn a_move_that_was_misread_is_blamed_on_the_part_that_differs() {
        let check =
            |input, answer, blamed| check(CourseProgram::MoveCheck.assignment(), input, answer, blamed);
        check("1 X A1\n", ("2 X A1\n", 0), "number");
        check("1 X A1\n", ("1 O A1\n", 0), "player");
        check("1 X A1\n", ("1 X B1\n", 0), "square");
        check("1 x a1\n", ("1 x a1\n", 0), "form");
        check("1 X A1\n", ("1 X A1", 0), "text");
        check("1 X A1\n", ("1 X A1\n", 1), "status");
        check("1 X A1\n", ("Parse eror.\n", 1), "text");
    }

    #[test]
    fn a_line_that_should_have_been_refused_is_blamed_on_what_is_wrong_with_it() {
        let check =
            |input, answer, blamed| check(CourseProgram::MoveCheck.assignment(), input, answer, blamed);
        check(" 1 X A1\n", ("1 X A1\n", 0), "start");
        check("0 X A1\n", ("0 X A1\n", 0), "number");
        check("1 Y A1\n", ("1 Y A1\n", 0), "player");
        check("1 X A4\n", ("1 X A4\n", 0), "square");
        check("1.X A1\n", ("1 X A1\n", 0), "number");
        check("1 X,A1\n", ("1 X A1\n", 0), "separators");
        check("1 X A1 x\n", ("1 X A1\n", 0), "trailing");
        check("1 X A1#\n", ("1 X A1#\n", 0), "comment");
        check("\n", ("1 X A1\n", 0), "empty");
        check("\n1 X A1\n", ("1 X A1\n", 0), "one-line");
    }

    #[test]
    fn a_record_is_blamed_on_its_first_error_or_on_what_is_special_about_it() {
        let check =
            |input, answer, blamed| check(CourseProgram::GameCheck.assignment(), input, answer, blamed);
        let turn = ("Game in progress: O's turn.\n", 0);
        check("", turn, "new-game");
        check("1 X A1\n\n", turn, "blank-line");
        check("1 X A1\n2 O A1\n", turn, "taken");
        check("1 X A1\n3 O A2\n", turn, "move-number");
        check("1 X A1\n2 X A2\n", turn, "alternate");
        check("1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n", turn, "win-row");
        check("1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n6 O B3\n", turn, "after-end");
        check("1 X A1", ("Game in progress: X's turn.\n", 0), "last-line");
        check("nonsense\n1 X A1\n", ("Parse error.\nGame in progress: O's turn.\n", 1), "first-error");
        check("nonsense\n", ("Parse error.\nParse error.\n", 1), "first-error");
        check("nonsense\n", ("Parse error.\n", 2), "status");
    }

    #[test]
    fn a_message_on_standard_error_breaks_the_requirement_on_the_text() {
        let stderr = b"Parse error.\n".to_vec();
        let output = RunOutput { stdout: Vec::new(), stderr, exit: RunExit::Status(1) };
        check_output(CourseProgram::MoveCheck.assignment(), "0 X A1\n", &output, "text");
    }

    #[test]
    fn a_case_is_nearly_valid_if_changing_one_byte_makes_it_valid() {
        let is_near = |input: &str| {
            let case = Case::new(CourseProgram::MoveCheck.assignment().requirement("number"), input);
            is_nearly_valid(CourseProgram::MoveCheck.assignment(), &case)
        };
        assert!(is_near("1 X A1\n") && is_near("11 X A1\n") && is_near("1 X A\n"));
        assert!(!is_near("11 XX A1\n") && !is_near("\n"));
    }
}
