//! Expected and actual output side by side.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::visible::{lacks_newline, readable, visible_line};
use crate::talk::Comparison;

/// Equal lines further than this from a difference are left out, and it is said how many.
const CONTEXT: usize = 2;
/// Outputs longer than this are shown up to here, and it is said how much is missing.
const MAX_LINES: usize = 400;
/// So many more lines than expected are shown.
const BEYOND: usize = 12;

/// One row of the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// The same on both sides, if need be but for blanks and case.
    Same(String, String),
    /// Not the same; a side without a line is `None`.
    Different(Option<String>, Option<String>),
    /// So many equal lines are not shown.
    LeftOut(usize),
    /// Something to say about the rows.
    Remark(String),
}

/// Compares two outputs line by line.
pub(super) fn rows(expected: &[u8], actual: &[u8], comparison: Comparison) -> Vec<Row> {
    let (mut left, left_rest) = lines(expected, MAX_LINES);
    // A flood tells no more in its thousandth line than in its tenth.
    let (mut right, right_rest) =
        lines(actual, if left.is_empty() { MAX_LINES } else { left.len() + BEYOND });
    if comparison == Comparison::Lenient {
        // Empty lines are nobody's business here.
        left.retain(|line| !line.trim().is_empty());
        right.retain(|line| !line.trim().is_empty());
    }
    let key = |line: &String| match comparison {
        Comparison::Exact => line.clone(),
        Comparison::Lenient => line.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase(),
    };
    let (left_keys, right_keys): (Vec<String>, Vec<String>) =
        (left.iter().map(key).collect(), right.iter().map(key).collect());
    let mut rows = Vec::new();
    for operation in capture_diff_slices(Algorithm::Myers, &left_keys, &right_keys) {
        let (old, new) = (&left[operation.old_range()], &right[operation.new_range()]);
        let side = |lines: &[String], at: usize| lines.get(at).cloned();
        match operation.tag() {
            DiffTag::Equal => rows.extend(old.iter().zip(new).map(|(a, b)| Row::Same(a.clone(), b.clone()))),
            _ => rows
                .extend((0..old.len().max(new.len())).map(|at| Row::Different(side(old, at), side(new, at)))),
        }
    }
    let mut rows = near_differences(rows);
    for (side, rest) in [("expected", left_rest), ("actual", right_rest)] {
        if rest > 0 {
            rows.push(Row::Remark(format!("{rest} more lines of the {side} output are not shown")));
        }
    }
    rows
}

/// Returns the lines of an output, and how many were cut off.
fn lines(bytes: &[u8], max: usize) -> (Vec<String>, usize) {
    let text = readable(bytes);
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

fn near_differences(rows: Vec<Row>) -> Vec<Row> {
    let is_near = |at: usize| {
        let from = at.saturating_sub(CONTEXT);
        rows[from..rows.len().min(at + CONTEXT + 1)].iter().any(|row| matches!(row, Row::Different(..)))
    };
    let kept: Vec<bool> = (0..rows.len()).map(is_near).collect();
    let has_difference = kept.contains(&true);
    let mut shown: Vec<Row> = Vec::new();
    for (row, is_kept) in rows.into_iter().zip(kept) {
        match (is_kept || !has_difference, shown.last_mut()) {
            (true, _) => shown.push(row),
            (false, Some(Row::LeftOut(n))) => *n += 1,
            (false, _) => shown.push(Row::LeftOut(1)),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(text: &str) -> Row {
        Row::Same(text.to_owned(), text.to_owned())
    }

    #[test]
    fn only_what_is_near_a_difference_is_shown_and_the_rest_is_counted() {
        let found = rows(b"1\n2\n3\n4\n5\n6\n", b"1\n2\n3\n4\n5\nsix \n", Comparison::Exact);
        let different = Row::Different(Some("6".to_owned()), Some("six␠".to_owned()));
        assert_eq!(found, [Row::LeftOut(3), same("4"), same("5"), different]);
    }

    #[test]
    fn a_missing_newline_is_a_difference() {
        let found = rows(b"a\n", b"a", Comparison::Exact);
        assert_eq!(found, [Row::Different(Some("a".to_owned()), Some("a⟨no newline⟩".to_owned()))]);
    }
}
