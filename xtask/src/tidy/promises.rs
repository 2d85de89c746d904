//! Every promise of docs/security.md is checked by a test that exists.

use std::collections::BTreeSet;

use super::Finding;
use crate::tree::Tree;

const PAGE: &str = "docs/security.md";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let tests: BTreeSet<&str> = tree.texts_with_extension("rs").flat_map(|(_, text)| tests(text)).collect();
    let Some((_, page)) = tree.texts().find(|(path, _)| *path == PAGE) else { return Vec::new() };
    promises(page).flat_map(|(number, cell)| findings(number, cell, &tests)).collect()
}

fn findings(number: usize, cell: &str, tests: &BTreeSet<&str>) -> Vec<Finding> {
    let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
    if names.is_empty() {
        return vec![Finding::in_line(PAGE, number, "this promise names no test")];
    }
    let missing = names.into_iter().filter(|name| !tests.contains(name));
    missing.map(|name| Finding::in_line(PAGE, number, format!("there is no test {name}"))).collect()
}

/// Returns the second column of every table whose columns are called `promise` and `test`, with line numbers.
fn promises(page: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    (1..).zip(page.lines()).filter_map(move |(number, line)| {
        if !line.starts_with('|') || line == "| promise | test |" {
            inside = line.starts_with('|');
            return None;
        }
        let (_, cell) = line.trim_end_matches(['|', ' ']).rsplit_once('|')?;
        (inside && !cell.starts_with("---")).then_some((number, cell))
    })
}

/// Returns the names of the functions with the attribute `#[test]` or `#[tokio::test]`.
fn tests(text: &str) -> impl Iterator<Item = &str> {
    let mut follows_attribute = false;
    text.lines().map(str::trim_start).filter_map(move |line| {
        if line.starts_with("#[") {
            follows_attribute |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
            return None;
        }
        let function = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ");
        let is_test = std::mem::take(&mut follows_attribute);
        function.filter(|_| is_test)?.split('(').next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "#[test]\nfn it_works() {}\n#[tokio::test(start_paused)]\n#[ignore]\nasync fn so_does_this() {}\nfn plain() {}\n";

    #[track_caller]
    fn check_page(rows: &str, expected: &[&str]) {
        let page =
            format!("| attacker | can |\n|---|---|\n| a | `x` |\n\n| promise | test |\n|---|---|\n{rows}");
        let found = check(&Tree::of(&[(PAGE, &page), ("a.rs", CODE)]));
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected, "{rows}");
    }

    #[test]
    fn a_promise_with_its_tests_is_accepted() {
        check_page("| a `b` | `it_works`, `so_does_this` |\n", &[]);
    }

    #[test]
    fn a_promise_without_a_test_is_found() {
        check_page("| a | trust us |\n", &["docs/security.md:7: this promise names no test"]);
        check_page("| a | `it_works`, `plain` |\n", &["docs/security.md:7: there is no test plain"]);
    }

    #[test]
    fn the_next_table_is_another_one() {
        check_page("| a | `it_works` |\n\n| b | c |\n|---|---|\n| d | `e` |\n", &[]);
    }
}
