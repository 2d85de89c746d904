//! No file contains a path of the machine it was written on.

use super::Finding;
use crate::tree::Tree;

/// Top-level folders of such paths, written without slashes so that this file is not reported.
const FOLDERS: [&str; 3] = ["home", "root", "work"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let paths = FOLDERS.map(|folder| format!("/{folder}/"));
    let mut findings = Vec::new();
    for (file, text) in tree.texts() {
        for (number, line) in (1..).zip(text.lines()) {
            let found = paths.iter().filter(|path| starts_a_path(line, path));
            findings.extend(found.map(|path| {
                Finding::in_line(file, number, format!("contains {path}, a path of one machine"))
            }));
        }
    }
    findings
}

/// Returns whether `path` occurs in the line other than inside a longer path, such as a web address.
fn starts_a_path(line: &str, path: &str) -> bool {
    line.match_indices(path)
        .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || ".-_~".contains(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_a_machine_is_found() {
        for folder in FOLDERS {
            let text = format!("fine\nsee /{folder}/me/file\n");
            let found = check(&Tree::of(&[("docs/a.md", &text)]));
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].line, Some(2));
        }
    }

    #[test]
    fn part_of_a_longer_path_is_accepted() {
        let text = format!("https://example.org/{0}/x and ../{0}/x and ~/{0}/x", "home");
        assert_eq!(check(&Tree::of(&[("a.md", &text)])), []);
    }
}
