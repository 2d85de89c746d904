//! Judging `move-check` and `game-check`: one line out, and an exit status.

use tictac::notation::{Expected as Wanted, Located, ParseError, is_blank};
use tictac::{IllegalMove, Outcome, Status};
use tictac_programs::checker::{Checker, CheckerFault, CheckerResult};
use tictac_programs::game_check::GameCheck;
use tictac_programs::move_check::MoveCheck;

use crate::assignment::Assignment;
use crate::case::Case;
use crate::expect::Expected;
use crate::fault::Fault;
use crate::features;
use crate::requirement::Requirement;
use crate::run::{Answer, Ending};

/// Inputs longer than this are about their length.
pub(crate) const LONG: usize = 1000;
/// So are inputs with a line longer than this.
const LONG_LINE: usize = 40;

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

/// Returns what is wrong with an answer, if anything is.
pub(crate) fn judge(
    assignment: Assignment,
    case: &Case,
    expected: &Expected,
    answer: &Answer,
) -> Option<Fault> {
    let right_text = answer.stdout == expected.stdout;
    let right_status = answer.ending == Ending::Exited(expected.status);
    if right_text && right_status {
        return None;
    }
    let behaviour = behaviour(expected, answer);
    if right_text && !matches!(answer.ending, Ending::TimedOut | Ending::TooMuchOutput) {
        return Some(Fault::new(assignment.requirement("status"), behaviour));
    }
    if answer.ending.is_orderly()
        && let Some(short_id) = misspelt(assignment, expected, answer)
    {
        return Some(Fault::new(assignment.requirement(short_id), behaviour));
    }
    Some(Fault { suspects: suspects(assignment, &case.input), behaviour })
}

/// Returns which requirement on the wording is broken, if the answer is not in the vocabulary.
fn misspelt(assignment: Assignment, expected: &Expected, answer: &Answer) -> Option<&'static str> {
    let said = &answer.stdout[..];
    if said.is_empty() && !answer.stderr.is_empty() {
        // It was said, but where nobody looks for it.
        return Some("text");
    }
    if assignment == Assignment::GameCheck && expected.status != 0 && goes_on(assignment, expected, said) {
        // The right sentence, and then more: whatever the line was about, the first error did not end it.
        return Some("first-error");
    }
    if said.is_empty() || is_in_vocabulary(assignment, said) || goes_on(assignment, expected, said) {
        return said.strip_suffix(b"\n").and_then(|line| other_move(assignment, expected, line));
    }
    let is_move = expected.status == 0 && assignment == Assignment::MoveCheck;
    let n_words = said.split(|&byte| is_blank(byte)).filter(|word| !word.is_empty()).count();
    if assignment == Assignment::MoveCheck && expected.status == 1 && n_words == 3 {
        // Something like a move: the line was accepted, and that is what is wrong.
        return None;
    }
    Some(if is_move && said.ends_with(b"\n") && plainly(said) == plainly(&expected.stdout) {
        "form"
    } else {
        "text"
    })
}

/// Returns whether the right line is followed by others of the vocabulary: the program did not stop where it must.
fn goes_on(assignment: Assignment, expected: &Expected, said: &[u8]) -> bool {
    let rest = said.strip_prefix(&expected.stdout[..]).unwrap_or_default();
    !rest.is_empty()
        && rest.split_inclusive(|&byte| byte == b'\n').all(|line| is_in_vocabulary(assignment, line))
}

/// Where a move was read as another one, says which part of it was misread.
fn other_move(assignment: Assignment, expected: &Expected, said: &[u8]) -> Option<&'static str> {
    let is_move = |line: &[u8]| line.len() == 6;
    let right = expected.stdout.strip_suffix(b"\n")?;
    if assignment != Assignment::MoveCheck || !is_move(said) || !is_move(right) {
        return None;
    }
    [("number", 0..1), ("player", 2..3), ("square", 4..6)]
        .into_iter()
        .find(|(_, place)| said[place.clone()] != right[place.clone()])
        .map(|(part, _)| part)
}

/// Returns whether an answer says the right thing, whatever its blanks, its case, its full stops and its status.
pub(crate) fn is_alike(expected: &Expected, answer: &Answer) -> bool {
    let letters = |text: &[u8]| -> Vec<u8> {
        text.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
    };
    letters(&expected.stdout) == letters(&answer.stdout)
}

fn is_in_vocabulary(assignment: Assignment, said: &[u8]) -> bool {
    let Some(line) = said.strip_suffix(b"\n") else { return false };
    match assignment {
        Assignment::MoveCheck => {
            line == b"Parse error."
                || matches!(line, [b'1'..=b'9', b' ', b'X' | b'O', b' ', b'A'..=b'C', b'1'..=b'3'])
        }
        _ => SENTENCES.iter().any(|sentence| sentence.as_bytes() == line),
    }
}

/// A move without what `form` is about: case, blanks, order, comment.
fn plainly(said: &[u8]) -> Vec<u8> {
    let end = said.iter().position(|&byte| byte == b'#').unwrap_or(said.len());
    let mut plain: Vec<u8> =
        said[..end].iter().filter(|&&byte| !is_blank(byte)).map(u8::to_ascii_uppercase).collect();
    plain.sort_unstable();
    plain
}

fn behaviour(expected: &Expected, answer: &Answer) -> String {
    let said = if answer.stdout == expected.stdout {
        return format!("says the right thing with {}", answer.ending);
    } else if answer.stdout.is_empty() {
        "says nothing".to_owned()
    } else {
        let line = String::from_utf8_lossy(&answer.stdout);
        let line = line.trim_end_matches('\n');
        if SENTENCES.contains(&line) { format!("says {line:?}") } else { "says something else".to_owned() }
    };
    let wanted = String::from_utf8_lossy(&expected.stdout);
    let wanted = match wanted.trim_end() {
        line if SENTENCES.contains(&line) => format!("{line:?}"),
        _ => "the move".to_owned(),
    };
    match answer.ending {
        Ending::Exited(_) => format!("{said} instead of {wanted}"),
        ending => format!("{ending} instead of saying {wanted}"),
    }
}

/// Returns what an input is about: for a bad one what is wrong with it, for a good one what is special in it.
pub(crate) fn suspects(assignment: Assignment, input: &[u8]) -> Vec<&'static Requirement> {
    let mut ids: Vec<&str> = Vec::new();
    if input.iter().any(|&byte| byte == 0 || byte > 0x7f) {
        ids.push("bytes");
    }
    if input.len() > LONG || input.split(|&byte| byte == b'\n').any(|line| line.len() > LONG_LINE) {
        ids.push("long");
    }
    match assignment {
        Assignment::MoveCheck => about_a_move(input, &mut ids),
        _ => about_a_game(input, &mut ids),
    }
    let mut suspects: Vec<&'static Requirement> = Vec::new();
    for id in ids {
        let requirement = assignment.requirement(id);
        if !suspects.contains(&requirement) {
            suspects.push(requirement);
        }
    }
    suspects
}

fn about_a_move(input: &[u8], ids: &mut Vec<&'static str>) {
    let result = check(MoveCheck::default(), input);
    let line = input.split(|&byte| byte == b'\n').next().unwrap_or_default();
    if let Some(CheckerFault::Syntax(Located { error, .. })) = result.fault {
        if input.len() > line.len() + 1 {
            ids.push("one-line");
        }
        ids.push(match about_syntax(line, error) {
            "blank-line" => "empty",
            other => other,
        });
        return;
    }
    features::of_line(line, ids);
    if input.len() != line.len() + 1 {
        ids.push("one-line");
    }
    features::of_values(line, ids);
}

fn about_a_game(input: &[u8], ids: &mut Vec<&'static str>) {
    let result = check(GameCheck::default(), input);
    let lines = features::lines(input);
    match result.fault {
        Some(CheckerFault::Syntax(Located { line, error })) => {
            if line < lines.len() || refused_before(input, line) {
                ids.push("first-error");
            }
            ids.push(about_syntax(lines.get(line - 1).copied().unwrap_or_default(), error));
        }
        Some(CheckerFault::Illegal(refused)) => {
            if refused.line < lines.len() {
                ids.push("first-error");
            }
            if let IllegalMove::GameOver { .. } = refused.reason {
                // A program that misses the win plays on.
                ids.push("after-end");
                features::of_game(b"\n", &lines[..refused.line - 1], ids);
                return;
            }
            ids.push(match refused.reason {
                IllegalMove::Occupied { .. } => "taken",
                IllegalMove::WrongNumber { .. } => "move-number",
                _ => "alternate",
            });
        }
        None => features::of_game(input, &lines, ids),
    }
}

/// Returns whether a game is over, or a move would be refused, where the line in question is only unparsable.
fn refused_before(input: &[u8], line: usize) -> bool {
    let before: Vec<&[u8]> = features::lines(input).into_iter().take(line - 1).collect();
    let position = features::position_after(&before);
    position
        .is_some_and(|position| matches!(position.status(), Status::Over(Outcome::Win(_) | Outcome::Draw)))
}

fn check(mut program: impl Checker, input: &[u8]) -> CheckerResult {
    input.iter().find_map(|&byte| program.push(byte)).unwrap_or_else(|| program.finish())
}

/// Returns what a line that cannot be parsed is about.
fn about_syntax(line: &[u8], error: ParseError) -> &'static str {
    if line.iter().all(|&byte| is_blank(byte)) {
        return "blank-line";
    }
    let after_player = line[..error.at.min(line.len())].iter().any(u8::is_ascii_alphabetic);
    match (error.expected, error.found) {
        (Wanted::MoveNumber { .. }, Some(found)) if is_blank(found) => "start",
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

/// Returns whether an input can be parsed, or could with one byte changed. A case with one mistake must not be shrunk into one with
/// several: which of them a program stumbles over could not be seen.
pub(crate) fn is_nearly_right(assignment: Assignment, case: &Case) -> bool {
    if assignment.is_interactive() || case.input.len() > LONG {
        return true;
    }
    let is_parsed = |input: &[u8]| {
        let fault = match assignment {
            Assignment::MoveCheck => check(MoveCheck::default(), input).fault,
            _ => check(GameCheck::default(), input).fault,
        };
        !matches!(fault, Some(CheckerFault::Syntax(_)))
    };
    let input = &case.input[..];
    let mut trials = (0..=input.len()).flat_map(|at| {
        let (before, after) = input.split_at(at);
        let rest = after.get(1..).unwrap_or_default();
        let edited =
            b" 1XA#\n".map(|byte| [[before, &[byte], after].concat(), [before, &[byte], rest].concat()]);
        edited.into_iter().flatten().chain([[before, rest].concat()])
    });
    is_parsed(input) || trials.any(|trial| is_parsed(&trial))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expect::expected;

    /// Checks which requirement is blamed when a program prints `said` and exits with `status`.
    #[track_caller]
    fn check(assignment: Assignment, input: &str, (said, status): (&str, i32), blamed: &str) {
        let case = Case::new(suspects(assignment, input.as_bytes())[0], input);
        let expected = &expected(assignment, "program", &case)[0];
        let answer = Answer { stdout: said.into(), stderr: Vec::new(), ending: Ending::Exited(status) };
        let fault = judge(assignment, &case, expected, &answer).map(|fault| fault.suspects[0].short_id());
        assert_eq!(fault, Some(blamed), "{input:?} answered with {said:?}");
    }

    #[test]
    fn a_move_that_was_misread_is_laid_to_the_part_that_differs() {
        let check = |input, answer, blamed| check(Assignment::MoveCheck, input, answer, blamed);
        check("1 X A1\n", ("2 X A1\n", 0), "number");
        check("1 X A1\n", ("1 O A1\n", 0), "player");
        check("1 X A1\n", ("1 X B1\n", 0), "square");
        check("1 x a1\n", ("1 x a1\n", 0), "form");
        check("1 X A1\n", ("1 X A1", 0), "text");
        check("1 X A1\n", ("1 X A1\n", 1), "status");
        check("1 X A1\n", ("Parse eror.\n", 1), "text");
    }

    #[test]
    fn a_line_that_should_have_been_refused_is_laid_to_what_is_wrong_with_it() {
        let check = |input, answer, blamed| check(Assignment::MoveCheck, input, answer, blamed);
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
    fn a_record_is_laid_to_its_first_error_or_to_what_is_special_in_it() {
        let check = |input, answer, blamed| check(Assignment::GameCheck, input, answer, blamed);
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
    fn a_message_on_standard_error_is_a_fault_of_the_text() {
        let case = Case::new(Assignment::MoveCheck.requirement("number"), "0 X A1\n");
        let expected = &expected(Assignment::MoveCheck, "program", &case)[0];
        let answer =
            Answer { stdout: Vec::new(), stderr: b"Parse error.\n".to_vec(), ending: Ending::Exited(1) };
        let fault = judge(Assignment::MoveCheck, &case, expected, &answer).unwrap();
        assert_eq!(fault.suspects[0].short_id(), "text");
    }

    #[test]
    fn a_case_is_nearly_right_if_one_byte_mends_it() {
        let is_near = |input: &str| {
            let case = Case::new(Assignment::MoveCheck.requirement("number"), input);
            is_nearly_right(Assignment::MoveCheck, &case)
        };
        assert!(is_near("1 X A1\n") && is_near("11 X A1\n") && is_near("1 X A\n"));
        assert!(!is_near("11 XX A1\n") && !is_near("\n"));
    }
}
