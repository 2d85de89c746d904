//! Judges programs of assignments that a teacher described, by their texts or by the phrases of the teacher.

use super::checkers::wrong_exit;
use super::phrases::{PhraseBook, Statement};
use super::{Attempt, Behaviour, Comparison, KnownFaults, Mismatch};
use crate::assignment::form::OutputReader;
use crate::case::Criterion;
use crate::expect::ExpectedOutput;

/// A result of a call that is no longer than this is part of the behaviour.
const SHORT_RESULT: usize = 12;

/// Returns what is wrong with an output, or `None` if it is correct.
pub(super) fn judge(attempt: Attempt<'_>, comparison: Comparison, known: &KnownFaults) -> Option<Mismatch> {
    let Attempt { assignment, case, expected, output } = attempt;
    let form = assignment.form();
    let expected = &expected[0].output;
    if !output.exit.is_clean() {
        return Some(mismatch(attempt, None, Behaviour::new(output.exit.to_string())));
    }
    if case.criterion == Criterion::CleanExit {
        return None;
    }
    let difference = match &form.reader {
        OutputReader::Phrases(book) if comparison == Comparison::Lenient => {
            statement_difference(attempt, book)
        }
        _ => text_difference(attempt, comparison),
    };
    let has_right_status = !form.compares_status || output.exit == expected.exit;
    let about = form.status_requirement.as_deref();
    let wrong_status =
        (!has_right_status).then(|| mismatch(attempt, about, wrong_exit(expected.exit, output.exit)));
    // A wrong status that has a requirement of its own is not hidden by a fault that is already known.
    let is_known = |difference: &Mismatch| known.is_broken(difference.suspects[0].id);
    match (difference, wrong_status) {
        (Some(difference), Some(status)) if about.is_some() && is_known(&difference) => Some(status),
        (difference, status) => difference.or(status),
    }
}

/// Returns a mismatch that is blamed on the requirement with this short id, or on the one that the case is about. Those that
/// it builds on are suspected too: one of them is blamed if its own cases fail.
fn mismatch(attempt: Attempt<'_>, short_id: Option<&str>, behaviour: Behaviour) -> Mismatch {
    let Attempt { assignment, case, .. } = attempt;
    let ids = assignment.form().with_bases(short_id.unwrap_or(case.about.short_id()));
    let suspects = ids.into_iter().map(|short_id| assignment.requirement(short_id)).collect();
    Mismatch { suspects, behaviour }
}

fn text_difference(attempt: Attempt<'_>, comparison: Comparison) -> Option<Mismatch> {
    let Attempt { assignment, expected, output, .. } = attempt;
    let (wanted, found) = (&expected[0].output.stdout[..], &output.stdout[..]);
    let is_same = |expected: &ExpectedOutput| match comparison {
        Comparison::Exact => expected.output.stdout == found,
        Comparison::Lenient => tokens(&expected.output.stdout).eq(tokens(found)),
    };
    if expected.iter().any(is_same) {
        return None;
    }
    let wording = assignment.form().wording_requirement.as_deref();
    if wording.is_some() && has_same_words(wanted, found) {
        let behaviour = Behaviour::new("right answer in another form");
        return Some(mismatch(attempt, wording, behaviour));
    }
    if assignment.form().unit.is_some() {
        return Some(mismatch(attempt, None, call_behaviour(wanted, found)));
    }
    let behaviour = match (tokens(wanted).next(), tokens(found).next()) {
        (_, None) => "prints nothing",
        (None, _) => "prints something where nothing is expected",
        _ if is_start(found, wanted) => "stops before the whole answer is printed",
        _ if is_start(wanted, found) => "prints more than the answer",
        _ => "prints another answer",
    };
    Some(mismatch(attempt, None, Behaviour::new(behaviour)))
}

/// Returns what the first call with a wrong result did, in the words of the driver.
fn call_behaviour(wanted: &[u8], found: &[u8]) -> Behaviour {
    let (wanted, found) = (String::from_utf8_lossy(wanted), String::from_utf8_lossy(found));
    let differs = |(wanted, found): &(&str, &str)| wanted != found;
    let Some((wanted, found)) = wanted.lines().zip(found.lines().chain([""])).find(differs) else {
        return Behaviour::new("does more than it should");
    };
    // Longer texts, such as changed boards, would make every failure one of its own.
    let is_short = |text: &str| text.len() <= SHORT_RESULT && !text.starts_with("> ");
    match found {
        "" => Behaviour::new("ends the program before the function returns"),
        _ if found.ends_with(" is missing") || found.starts_with("throws ") => Behaviour::new(found),
        _ if wanted.starts_with("> ") || found.starts_with("> ") => Behaviour::new("prints something else"),
        _ if wanted.starts_with("throws ") => Behaviour::new("returns").instead_of("an exception"),
        _ if is_short(wanted) && is_short(found) => {
            Behaviour::new(format!("returns {found}")).instead_of(wanted)
        }
        _ => Behaviour::new("returns or changes something else"),
    }
}

fn tokens(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Returns whether two texts have the same words and numbers, apart from upper and lower case and from punctuation around
/// words. A sign or a decimal point is part of its number.
fn has_same_words(one: &[u8], other: &[u8]) -> bool {
    let words = |text: &[u8]| -> Vec<Vec<u8>> {
        let words = tokens(text).map(|word| without_punctuation(word).to_ascii_lowercase());
        words.filter(|word| !word.is_empty()).collect()
    };
    let wanted = words(one);
    !wanted.is_empty() && wanted == words(other)
}

fn without_punctuation(mut word: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = word
        && first.is_ascii_punctuation()
        && !(matches!(first, b'-' | b'+' | b'.') && rest.first().is_some_and(u8::is_ascii_digit))
    {
        word = rest;
    }
    while let [rest @ .., last] = word
        && last.is_ascii_punctuation()
    {
        word = rest;
    }
    word
}

/// Returns whether the words of a text are the first words of another.
fn is_start(start: &[u8], text: &[u8]) -> bool {
    let mut words = tokens(text);
    tokens(start).all(|word| words.next() == Some(word))
}

fn statement_difference(attempt: Attempt<'_>, book: &PhraseBook) -> Option<Mismatch> {
    let (all, found) = (book.read(&attempt.expected[0].output.stdout), book.read(&attempt.output.stdout));
    let at = (0..all.len().max(found.len())).find(|&at| all.get(at) != found.get(at))?;
    let (wanted, found) = (all.get(at), found.get(at));
    let about = match (wanted, found) {
        // A result that comes too early is the mistake, not the turn that is missing.
        (Some(wanted), Some(found))
            if PhraseBook::count(&all, found) * 2 < PhraseBook::count(&all, wanted) =>
        {
            Some(found)
        }
        (wanted, found) => wanted.or(found),
    };
    let about = about.and_then(|statement| book.requirement(statement));
    let describe = |statement: Option<&Statement>| {
        statement.map_or_else(|| "the end".to_owned(), |statement| book.describe(statement))
    };
    let behaviour = match (wanted, found) {
        (Some(Statement::Board(_)), Some(Statement::Board(_))) => {
            Behaviour::new("draws a board that does not match the moves")
        }
        (wanted, found) => Behaviour::new(describe(found)).instead_of(describe(wanted)),
    };
    Some(mismatch(attempt, about, behaviour))
}

/// Returns whether the statements about the requirement that a case tests are right, or all of them if none is about it. A
/// program that draws its boards wrongly may still say correctly who has won.
fn has_right_statements(attempt: Attempt<'_>, book: &PhraseBook) -> bool {
    let about = attempt.case.about.short_id();
    let own = |output: &[u8]| -> Vec<Statement> {
        let statements = book.read(output).into_iter();
        statements.filter(|statement| book.requirement(statement) == Some(about)).collect()
    };
    let wanted = own(&attempt.expected[0].output.stdout);
    if wanted.is_empty() {
        return statement_difference(attempt, book).is_none();
    }
    wanted == own(&attempt.output.stdout)
}

/// Returns whether an output has the right content, even if its wording or its exit status is wrong.
pub(super) fn has_right_content(attempt: Attempt<'_>) -> bool {
    if !attempt.output.exit.is_clean() {
        return false;
    }
    match &attempt.assignment.form().reader {
        OutputReader::Phrases(book) => has_right_statements(attempt, book),
        _ => has_same_words(&attempt.expected[0].output.stdout, &attempt.output.stdout),
    }
}

#[cfg(test)]
mod tests {
    use super::has_same_words;

    #[test]
    fn punctuation_and_case_are_wording_but_signs_and_points_are_not() {
        for (one, other, expected) in [
            ("Sum: 3.", "sum = 3", true),
            ("\"Yes\"", "yes!", true),
            ("-1 1.5 3", "-1, 1.5, 3", true),
            ("-1 1.5 3", "1 1.5 3", false),
            ("-1 1.5 3", "-1 15 3", false),
            ("-1 1.5 3", "-11.53", false),
            ("", "", false),
        ] {
            assert_eq!(has_same_words(one.as_bytes(), other.as_bytes()), expected, "{one:?} and {other:?}");
        }
    }
}
