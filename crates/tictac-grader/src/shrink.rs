//! Makes failing inputs smaller.
//!
//! Every neighbour of a case has a lower [`complexity`], so shrinking ends. When no neighbour fails for the same cause any
//! more, the case is a local minimum.

use crate::assignment::{Assignment, CourseProgram};
use crate::case::Case;

/// Returns how complex an input is: its length, then whether its final newline is missing, then how unusual its bytes
/// are.
pub(crate) fn complexity(input: &[u8]) -> (usize, bool, Vec<u8>) {
    let body = input.strip_suffix(b"\n").unwrap_or(input);
    if body.ends_with(b")") {
        return call_complexity(body);
    }
    let lacks_newline = !input.is_empty() && !input.ends_with(b"\n");
    (body.len() + usize::from(!input.is_empty()), lacks_newline, body.iter().copied().map(rank).collect())
}

/// Returns how complex calls of functions are: how many there are, then how much their arguments contain besides zeros and nothing.
fn call_complexity(body: &[u8]) -> (usize, bool, Vec<u8>) {
    let count = |is_counted: fn(&u8) -> bool| body.iter().filter(|byte| is_counted(byte)).count();
    let n_lines = count(|&byte| byte == b'\n');
    let n_marks = count(|&byte| matches!(byte, b'1'..=b'9' | b'"' | b'-'));
    let order = body.iter().map(|&byte| if byte == b'0' { 0 } else { 1 + rank(byte) / 2 }).collect();
    ((n_lines * 1000 + n_marks) * 65536 + body.len().min(65535), false, order)
}

/// Returns how unusual a byte is in the input of the five programs.
fn rank(byte: u8) -> u8 {
    match byte {
        b'1' => 0,
        b'X' => 1,
        b'A' => 2,
        b' ' => 3,
        b'\n' => 4,
        b'0'..=b'9' => 5 + byte - b'0',
        b'O' => 15,
        b'B' => 16,
        b'C' => 17,
        b',' => 18,
        b'#' => 19,
        b'!'..=b'~' => 20 + (byte - b'!'),
        // Invisible bytes are the hardest to read in a report.
        _ => 120 + byte / 2,
    }
}

/// Bytes that are tried in place of others.
const SIMPLE: [u8; 9] = *b"1XA 2O3Ba";

/// Only this many bytes at the start of an input are changed.
const MAX_CHANGED: usize = 256;

/// An input with more lines is made smaller by leaving out many of them at a time.
const MAX_LINES: usize = 256;

/// All neighbours of a case together have at most this many bytes. Those of a longer input leave out the largest pieces.
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// Returns simpler cases, those with the most left out first.
pub(crate) fn neighbours(assignment: Assignment, case: &Case) -> Vec<Case> {
    let input = &case.input[..];
    let current = complexity(input);
    let mut kept: Vec<Vec<u8>> = Vec::new();
    let mut n_bytes = 0;
    for candidate in changed(assignment, input) {
        n_bytes += candidate.len();
        if n_bytes > MAX_BYTES {
            break;
        }
        if complexity(&candidate) < current && !kept.contains(&candidate) {
            kept.push(candidate);
        }
    }
    kept.into_iter().map(|input| case.with_input(input)).collect()
}

/// Returns an input with something left out or changed, in every way that is tried, one at a time.
fn changed(assignment: Assignment, input: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let lines = lines_of(input);
    let ends = lines.iter().scan(0, |end, line| {
        *end += line.len();
        Some(*end)
    });
    let lines_at = [0].into_iter().chain(ends).collect();
    let few_lines = if lines.len() <= MAX_LINES { lines } else { Vec::new() };
    let by_assignment: Box<dyn Iterator<Item = Vec<u8>>> = match assignment.course() {
        Some(CourseProgram::GameCheck) => Box::new(without_moves(few_lines)),
        Some(CourseProgram::Lab3) => Box::new(with_early_quit(few_lines)),
        None => Box::new(with_smaller_numbers(input).into_iter()),
        _ => Box::new(std::iter::empty()),
    };
    let newline = (!input.is_empty() && !input.ends_with(b"\n")).then(|| [input, b"\n"].concat());
    std::iter::once(Vec::new())
        .chain(without_pieces(input, lines_at, MAX_LINES))
        .chain(by_assignment)
        // A very long input would have too many small pieces.
        .chain(without_pieces(input, (0..=input.len()).collect(), 256))
        .chain(with_simpler_bytes(input))
        .chain(newline)
}

fn lines_of(input: &[u8]) -> Vec<&[u8]> {
    input.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Returns the input without half of its pieces, without a quarter of them, … without a single piece. `bounds` are the
/// positions between the pieces, from 0 to the end; steps with more than `max` inputs are left out.
fn without_pieces(input: &[u8], bounds: Vec<usize>, max: usize) -> impl Iterator<Item = Vec<u8>> {
    let n_pieces = bounds.len() - 1;
    let sizes = std::iter::successors(Some(n_pieces / 2), |size| Some(size / 2)).take_while(|&size| size > 0);
    sizes
        .filter(move |size| n_pieces / size <= max)
        .flat_map(move |size| {
            (0..n_pieces).step_by(size).map(move |start| (start, (start + size).min(n_pieces)))
        })
        .map(move |(start, end)| [&input[..bounds[start]], &input[bounds[end]..]].concat())
}

/// Returns the record without one move or two, and the moves after them renumbered.
fn without_moves(lines: Vec<&[u8]>) -> impl Iterator<Item = Vec<u8>> {
    let n_lines = lines.len();
    let removals = [2, 1].into_iter().flat_map(move |n_removed| {
        (0..n_lines.saturating_sub(n_removed - 1)).map(move |start| (start, n_removed))
    });
    removals.map(move |(start, n_removed)| {
        let renumbered = lines[start + n_removed..].iter().map(|line| match line {
            [number @ b'1'..=b'9', rest @ ..] => [&[(number - n_removed as u8).max(b'1')], rest].concat(),
            line => line.to_vec(),
        });
        [lines[..start].concat(), renumbered.collect::<Vec<_>>().concat()].concat()
    })
}

/// Returns the game with a `quit` after each of its moves but the last.
fn with_early_quit(lines: Vec<&[u8]>) -> impl Iterator<Item = Vec<u8>> {
    (0..lines.len()).map(move |n| [&lines[..n].concat()[..], b"quit\n"].concat())
}

/// Returns the input with one number replaced by a smaller one: half of it, or with one digit less by one. Other digits
/// stay, because a requirement may be about numbers that end with them.
fn with_smaller_numbers(input: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let mut start = 0;
    for part in input.chunk_by(|one, next| one.is_ascii_digit() == next.is_ascii_digit()) {
        let (before, after) = (&input[..start], &input[start + part.len()..]);
        start += part.len();
        let number = std::str::from_utf8(part).ok().and_then(|digits| digits.parse::<u64>().ok());
        let Some(number) = number.filter(|_| start <= MAX_CHANGED) else { continue };
        let steps =
            (0..part.len().min(18) as u32).rev().filter_map(|place| number.checked_sub(10_u64.pow(place)));
        all.extend(
            [number / 2]
                .into_iter()
                .chain(steps)
                .map(|smaller| [before, smaller.to_string().as_bytes(), after].concat()),
        );
    }
    all
}

/// Returns the input with one byte replaced by a simpler one.
fn with_simpler_bytes(input: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..input.len().min(MAX_CHANGED)).flat_map(move |at| {
        let simpler =
            SIMPLE.into_iter().filter(move |&byte| rank(byte) < rank(input[at]) && input[at] != b'\n');
        simpler.map(move |byte| [&input[..at], &[byte], &input[at + 1..]].concat())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simpler(assignment: Assignment, input: &str) -> Vec<String> {
        let case = Case::new(&assignment.requirements()[0], input);
        let text = |case: Case| String::from_utf8(case.input).unwrap();
        neighbours(assignment, &case).into_iter().map(text).collect()
    }

    #[track_caller]
    fn check_simpler(simple: &str, complicated: &str) {
        assert!(
            complexity(simple.as_bytes()) < complexity(complicated.as_bytes()),
            "{simple:?} {complicated:?}"
        );
    }

    #[test]
    fn the_neighbours_of_a_very_long_input_fit_into_memory() {
        for program in [CourseProgram::GameCheck, CourseProgram::Lab3, CourseProgram::MoveCheck] {
            for line in ["\n", "1 X A1\n", "x"] {
                let all = simpler(program.assignment(), &line.repeat(1024 * 1024 / line.len()));
                assert!(all.iter().map(String::len).sum::<usize>() <= MAX_BYTES);
                assert!(all.iter().any(|each| (500_000..600_000).contains(&each.len())), "{}", all.len());
            }
        }
    }

    #[test]
    fn an_input_is_simpler_if_it_is_shorter_ends_with_a_newline_or_has_plainer_bytes() {
        check_simpler("", "\n");
        check_simpler("1 X A1\n", "1 X A1");
        check_simpler("1 X A1", "1 X A1 \n");
        check_simpler("1 X A1\n", "2 X A1\n");
        check_simpler("1 X A1\n", "1\tX A1\n");
        check_simpler("1 X ~1\n", "1 X \x0b1\n");
    }

    #[test]
    fn a_missing_final_newline_is_added_and_never_removed() {
        assert!(simpler(CourseProgram::MoveCheck.assignment(), "1 X A1").contains(&"1 X A1\n".to_owned()));
        assert!(!simpler(CourseProgram::MoveCheck.assignment(), "1 X A1\n").contains(&"1 X A1".to_owned()));
    }

    #[test]
    fn a_game_of_lab3_is_shortened_by_a_quit() {
        let found = simpler(CourseProgram::Lab3.assignment(), "1,1\n2,1\n1,2\n2,2\n1,3\n");
        for input in ["quit\n", "1,1\nquit\n", "1,1\n2,1\n1,2\nquit\n"] {
            assert!(found.contains(&input.to_owned()), "{input:?} {found:?}");
        }
        assert!(
            !simpler(CourseProgram::Tictactoe.assignment(), "1 1\n2 1\n")
                .iter()
                .any(|input| input.contains("quit"))
        );
    }

    #[test]
    fn a_move_left_out_of_a_record_renumbers_the_rest() {
        let found = simpler(CourseProgram::GameCheck.assignment(), "1 X A1\n2 O B2\n3 X A2\n");
        assert!(found.contains(&"1 X A1\n2 X A2\n".to_owned()), "{found:?}");
        assert!(found.contains(&"1 O B2\n2 X A2\n".to_owned()), "{found:?}");
        assert!(found.contains(&"1 X A2\n".to_owned()), "{found:?}");
    }

    #[test]
    fn a_number_becomes_smaller_in_each_of_its_digits() {
        let found = with_smaller_numbers(b"a 601\n");
        let found: Vec<&str> = found.iter().map(|input| std::str::from_utf8(input).unwrap()).collect();
        assert_eq!(found, ["a 300\n", "a 501\n", "a 591\n", "a 600\n"]);
    }

    #[test]
    fn every_neighbour_is_simpler_and_comes_once() {
        for (assignment, input) in [
            (CourseProgram::GameCheck.assignment(), "1 x C3 # d\n2 O b2"),
            (CourseProgram::Lab3.assignment(), "3,3\n"),
        ] {
            let found = simpler(assignment, input);
            for each in &found {
                check_simpler(each, input);
            }
            assert!((1..found.len()).all(|at| !found[..at].contains(&found[at])), "{found:?}");
        }
    }
}
