//! Bits are shifted and rotated in only a few files, which document their layout; all other code uses sets.

use super::Finding;
use super::source::code_lines;
use crate::tree::Tree;

const ALLOWED: [&str; 4] = [
    "crates/tictac/src/bag.rs",
    "crates/tictac/src/census.rs",
    "crates/tictac/src/playout.rs",
    "crates/tictac/src/square.rs",
];
const ALLOWED_BELOW: &str = "crates/tictac/src/solve/";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts_with_extension("rs").filter(|(path, _)| is_bound(path)) {
        let lines = code_lines(text).filter(|(_, line)| shifts(line));
        findings.extend(lines.map(|(number, _)| {
            Finding::in_line(
                path,
                number,
                "shifts bits: only square.rs and its few friends do, others read sets",
            )
        }));
    }
    findings
}

fn is_bound(path: &str) -> bool {
    path.starts_with("crates/")
        && path.contains("/src/")
        && !ALLOWED.contains(&path)
        && !path.starts_with(ALLOWED_BELOW)
}

/// Formatted code has blanks around operators, and none before the `>>` that closes generics.
fn shifts(line: &str) -> bool {
    let line = format!(" {} ", line.trim());
    let methods = ["_shl(", "_shr(", ".rotate_left(", ".rotate_right("];
    let mut operators =
        [" << ", " >> ", " <<= ", " >>= "].into_iter().filter_map(|sign| line.split_once(sign));
    methods.iter().any(|sign| line.contains(sign)) || operators.any(|(left, right)| !is_number(left, right))
}

/// Returns whether both operands are literals, as in `1 << 20` for a size: that is a number and not a set.
fn is_number(left: &str, right: &str) -> bool {
    let starts_with_digit =
        |word: Option<&str>| word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    starts_with_digit(left.split([' ', '(']).next_back()) && starts_with_digit(right.split(' ').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_line(path: &str, line: &str, n_expected: usize) {
        assert_eq!(check(&Tree::of(&[(path, line)])).len(), n_expected, "{path}: {line}");
    }

    #[test]
    fn a_shift_outside_the_few_files_is_found() {
        check_line("crates/tictac/src/line.rs", "let bit = 1 << n;", 1);
        check_line("crates/tictac-tui/src/app.rs", "    >> 3;", 1);
        check_line("crates/tictac/src/line.rs", "x <<= 1;", 1);
        check_line("crates/tictac/src/line.rs", "let next = set << 1;", 1);
        check_line("crates/tictac/src/line.rs", "x.rotate_left(1)", 1);
    }

    #[test]
    fn the_few_files_tests_and_generics_are_left_alone() {
        check_line("crates/tictac/src/square.rs", "let bit = 1 << n;", 0);
        check_line("crates/tictac/src/solve/table.rs", "let bit = 1 << n;", 0);
        check_line("crates/tictac/tests/it/main.rs", "let bit = 1 << n;", 0);
        check_line("crates/tictac/src/line.rs", "fn f() -> Option<Vec<u8>> {", 0);
        check_line("crates/tictac/src/line.rs", "// 1 << n", 0);
        check_line("crates/tictac/src/line.rs", "const MAX_BYTES: usize = 1 << 28;", 0);
    }
}
