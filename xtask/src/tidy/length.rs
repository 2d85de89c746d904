//! No Rust file has too many lines before its tests.

use super::Finding;
use super::source::before_tests;
use crate::tree::Tree;

const MAX_LINES: usize = 600;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.texts_with_extension("rs")
        .map(|(path, text)| (path, before_tests(text).lines().count()))
        .filter(|&(_, n_lines)| n_lines > MAX_LINES)
        .map(|(path, n)| {
            Finding::in_file(path, format!("{n} lines before its tests; at most {MAX_LINES} are allowed"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_file_is_found_and_its_tests_do_not_count() {
        let full = "x\n".repeat(MAX_LINES);
        let with_tests = format!("{full}#[cfg(test)]\nmod tests {{\n{full}}}\n");
        let too_long = format!("{full}x\n");
        let tree =
            Tree::of(&[("a.rs", &full), ("b.rs", &with_tests), ("c.rs", &too_long), ("d.md", &too_long)]);
        let paths: Vec<String> = check(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, ["c.rs"]);
    }
}
