//! Compares expected and actual output line by line.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::bytes::{lacks_newline, to_text, visible_line};
use crate::judge::Comparison;

/// How many equal lines are shown around a difference.
const CONTEXT: usize = 2;
/// How many lines of an output are shown at most.
const MAX_LINES: usize = 400;
/// How many lines more than expected are shown.
const EXTRA_LINES: usize = 12;

/// A row of the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DiffRow {
    /// The same line on both sides; in a lenient comparison spaces and case may differ.
    Same(String, String),
    /// Different lines; `None` if a side has no line.
    Different(Option<String>, Option<String>),
    /// This many equal lines are not shown.
    Omitted(usize),
    /// A remark about the outputs.
    Remark(String),
}

/// Compares two outputs line by line.
pub(super) fn diff(expected: &[u8], actual: &[u8], comparison: Comparison) -> Vec<DiffRow> {
    let (mut left, left_rest) = lines(expected, MAX_LINES);
    let (mut right, right_rest) =
        lines(actual, if left.is_empty() { MAX_LINES } else { left.len() + EXTRA_LINES });
    if comparison == Comparison::Lenient {
        left.retain(|line| !line.trim().is_empty());
        right.retain(|line| !line.trim().is_empty());
    }
    let words = |line: &String| match comparison {
        Comparison::Exact => line.clone(),
        Comparison::Lenient => line.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    let mut left_keys: Vec<String> = left.iter().map(words).collect();
    let mut right_keys: Vec<String> = right.iter().map(words).collect();
    let in_lower_case = |keys: &[String]| keys.iter().map(|key| key.to_lowercase()).collect::<Vec<_>>();
    let (lower_left, lower_right) = (in_lower_case(&left_keys), in_lower_case(&right_keys));
    // If nothing else differs, upper and lower case are the difference.
    if comparison == Comparison::Lenient && lower_left != lower_right {
        (left_keys, right_keys) = (lower_left, lower_right);
    }
    let mut rows = Vec::new();
    for operation in capture_diff_slices(Algorithm::Myers, &left_keys, &right_keys) {
        let (old, new) = (&left[operation.old_range()], &right[operation.new_range()]);
        let side = |lines: &[String], at: usize| lines.get(at).cloned();
        match operation.tag() {
            DiffTag::Equal => {
                rows.extend(old.iter().zip(new).map(|(a, b)| DiffRow::Same(a.clone(), b.clone())));
            }
            _ => rows.extend(
                (0..old.len().max(new.len())).map(|at| DiffRow::Different(side(old, at), side(new, at))),
            ),
        }
    }
    let mut rows = near_differences(rows);
    for (side, rest) in [("expected", left_rest), ("actual", right_rest)] {
        if rest > 0 {
            rows.push(DiffRow::Remark(format!("{rest} more lines of the {side} output are not shown")));
        }
    }
    rows
}

/// Returns at most `max` lines of an output, and how many more there are.
fn lines(bytes: &[u8], max: usize) -> (Vec<String>, usize) {
    let text = to_text(bytes);
    let mut all: Vec<String> = text.split('\n').map(visible_line).collect();
    if all.last().is_some_and(String::is_empty) {
        all.pop();
    } else if let Some(last) = all.last_mut().filter(|_| lacks_newline(bytes)) {
        last.push_str("⟨no newline⟩");
    }
    let rest = all.len().saturating_sub(max);
    all.truncate(max);
    (all, rest)
}

/// Omits equal lines that are far from a difference.
fn near_differences(rows: Vec<DiffRow>) -> Vec<DiffRow> {
    let is_near = |at: usize| {
        let from = at.saturating_sub(CONTEXT);
        rows[from..rows.len().min(at + CONTEXT + 1)].iter().any(|row| matches!(row, DiffRow::Different(..)))
    };
    let kept: Vec<bool> = (0..rows.len()).map(is_near).collect();
    let has_difference = kept.contains(&true);
    let mut shown: Vec<DiffRow> = Vec::new();
    for (row, is_kept) in rows.into_iter().zip(kept) {
        match (is_kept || !has_difference, shown.last_mut()) {
            (true, _) => shown.push(row),
            (false, Some(DiffRow::Omitted(n))) => *n += 1,
            (false, _) => shown.push(DiffRow::Omitted(1)),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(text: &str) -> DiffRow {
        DiffRow::Same(text.to_owned(), text.to_owned())
    }

    #[test]
    fn only_lines_near_a_difference_are_shown_and_the_others_are_counted() {
        let found = diff(b"1\n2\n3\n4\n5\n6\n", b"1\n2\n3\n4\n5\nsix \n", Comparison::Exact);
        let different = DiffRow::Different(Some("6".to_owned()), Some("six␠".to_owned()));
        assert_eq!(found, [DiffRow::Omitted(3), same("4"), same("5"), different]);
    }

    #[test]
    fn a_missing_newline_is_a_difference() {
        let found = diff(b"Sum 1\n", b"sum  1\n", Comparison::Lenient);
        assert!(matches!(found[..], [DiffRow::Different(..)]), "{found:?}");
        let found = diff(b"Sum 1\n2\n", b"sum 1\n3\n", Comparison::Lenient);
        assert!(matches!(found[..], [DiffRow::Same(..), DiffRow::Different(..)]), "{found:?}");
        let found = diff(b"a\n", b"a", Comparison::Exact);
        assert_eq!(found, [DiffRow::Different(Some("a".to_owned()), Some("a⟨no newline⟩".to_owned()))]);
    }
}
