//! The rules about documents, data and everything else that is text.

use std::collections::BTreeSet;

use super::{Finding, findings_in_lines};
use crate::tree::Tree;

/// Returns the numbered lines of texts.
fn numbered<'a>(
    texts: impl Iterator<Item = (&'a str, &'a str)>,
) -> impl Iterator<Item = (&'a str, usize, &'a str)> {
    texts.flat_map(|(path, text)| (1..).zip(text.lines()).map(move |(number, line)| (path, number, line)))
}

/// Every file in `games/` is used: its name or its folder appears in some Rust file.
pub(super) fn corpus(tree: &Tree) -> Vec<Finding> {
    // The tests below name files without using them.
    let sources: Vec<&str> = tree
        .texts_with_extension("rs")
        .filter_map(|(path, text)| (!path.starts_with("xtask/")).then_some(text))
        .collect();
    let is_named = |name: &str| sources.iter().any(|source| source.contains(name));
    // A file can be used by its own name, and by each of its folders below `games`.
    let is_used = |path: &str| {
        let mut folders = path.match_indices('/').skip(1);
        is_named(path.rsplit('/').next().unwrap_or(path)) || folders.any(|(at, _)| is_named(&path[..at]))
    };
    let is_page = |path: &str| path.rsplit_once('.').is_some_and(|(_, extension)| extension == "md");
    let data = tree.paths().filter(|path| path.starts_with("games/") && !is_page(path));
    let message = "unused: name it, or its folder as games/…, in a test, or delete it";
    data.filter(|path| !is_used(path)).map(|path| Finding::in_file(path, message)).collect()
}

/// Top-level folders of a machine, written without slashes so that this file is not reported.
const FOLDERS: [&str; 3] = ["home", "root", "work"];

/// No file contains a path of the machine it was written on, other than inside a longer path such as a web address.
pub(super) fn machine_paths(tree: &Tree) -> Vec<Finding> {
    let paths = FOLDERS.map(|folder| format!("/{folder}/"));
    let is_inside = |before: &str| before.ends_with(|c: char| c.is_alphanumeric() || ".-_~".contains(c));
    findings_in_lines(numbered(tree.texts()), |line| {
        let starts_in = |path: &&String| line.match_indices(*path).any(|(at, _)| !is_inside(&line[..at]));
        let path = paths.iter().find(starts_in)?;
        Some(format!("contains {path}, a path of one machine"))
    })
}

/// Workflows use actions of others by the hash of a commit, because a tag can be moved.
pub(super) fn workflows(tree: &Tree) -> Vec<Finding> {
    let workflows = tree.texts().filter(|(path, _)| path.starts_with(".github/workflows/"));
    findings_in_lines(numbered(workflows), |line| {
        let action = line.trim_start().trim_start_matches("- ").strip_prefix("uses: ")?;
        (!is_pinned(action)).then(|| format!("{action} is not pinned: write @HASH # VERSION"))
    })
}

/// Returns whether an action is a part of this repository or has the form `owner/name@HASH # VERSION`.
fn is_pinned(action: &str) -> bool {
    let is_hash = |hash: &str| hash.len() == 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let pinned = action.split_once('@').and_then(|(_, version)| version.split_once(" # v"));
    action.starts_with("./") || pinned.is_some_and(|(hash, _)| is_hash(hash))
}

/// The page whose promises are checked.
const SECURITY: &str = "docs/security.md";

/// Every promise of docs/security.md is checked by a test that exists.
pub(super) fn promises(tree: &Tree) -> Vec<Finding> {
    let tests: BTreeSet<&str> =
        tree.texts_with_extension("rs").flat_map(|(_, text)| tests_in(text)).collect();
    let mut findings = Vec::new();
    for (number, cell) in tree.text(SECURITY).into_iter().flat_map(promises_in) {
        let mut names = cell.split('`').skip(1).step_by(2).peekable();
        if names.peek().is_none() {
            findings.push(Finding::in_line(SECURITY, number, "this promise names no test"));
        }
        let missing = names.filter(|name| !tests.contains(name));
        findings.extend(
            missing.map(|name| Finding::in_line(SECURITY, number, format!("there is no test {name}"))),
        );
    }
    findings
}

/// Returns the second column of every table whose columns are called `promise` and `test`, with line numbers.
fn promises_in(page: &str) -> impl Iterator<Item = (usize, &str)> {
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
fn tests_in(text: &str) -> impl Iterator<Item = &str> {
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

/// Words that we do not use, in lower case, each with a better one.
const WORDS: [(&str, &str); 7] = [
    ("whoever", "name who: the player, the caller"),
    ("somebody", "name who: a player, a client"),
    ("nobody", "\"no one\", or name who"),
    ("his", "they, their"),
    ("him", "they, them"),
    ("he", "they"),
    ("lest", "\"so that ... not\""),
];

/// This file lists the words, and `nobody` is also the name of a system user.
const EXEMPT: [&str; 2] = ["xtask/src/tidy/text.rs", "crates/tictac-server/tests/it/postgres_server.rs"];

/// A doc comment of fewer words says nothing.
const MIN_WORDS: usize = 3;

/// Our English is plain: STYLE.md says what to write instead of some words.
pub(super) fn prose(tree: &Tree) -> Vec<Finding> {
    let extensions = ["rs", "md", "js", "mjs", "css"];
    let texts = extensions.iter().flat_map(|extension| tree.texts_with_extension(extension));
    findings_in_lines(numbered(texts.filter(|(path, _)| !EXEMPT.contains(path))), |line| {
        let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        let line = line.to_lowercase();
        let is_used = |word: &str| line.split(|c| !is_letter(c)).any(|found| found == word);
        let (word, better) = WORDS.iter().find(|(word, _)| is_used(word))?;
        Some(format!("\"{word}\": write {better}"))
    })
}

/// A doc comment of an item is not just one or two words.
pub(super) fn doc_comments(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts_with_extension("rs") {
        let docs: Vec<Option<&str>> =
            text.lines().map(|line| line.trim_start().strip_prefix("///")).collect();
        let is_short = |doc: &str| !doc.contains('`') && doc.split_whitespace().count() < MIN_WORDS;
        for (number, window) in (1..).zip([&[None], docs.as_slice(), &[None]].concat().windows(3)) {
            if window[0].is_none() && window[2].is_none() && window[1].is_some_and(is_short) {
                let message = format!("a doc comment needs at least {MIN_WORDS} words");
                findings.push(Finding::in_line(path, number, message));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::paths_of;
    use super::*;

    #[test]
    fn an_unused_file_is_found() {
        let tree = Tree::of(&[
            ("games/README.md", ""),
            ("games/counts.csv", ""),
            ("games/forgotten.csv", ""),
            ("games/records/deep/a.ttt", ""),
            ("games/elsewhere/b.ttt", ""),
            ("crates/a/tests/it/main.rs", r#"["counts.csv", "../../games/records"]"#),
            ("xtask/src/tidy/text.rs", "forgotten.csv"),
        ]);
        assert_eq!(paths_of(corpus(&tree)), ["games/elsewhere/b.ttt", "games/forgotten.csv"]);
    }

    #[test]
    fn a_path_of_a_machine_is_found() {
        for folder in FOLDERS {
            let text = format!("fine\nsee /{folder}/me/file\n");
            let found = machine_paths(&Tree::of(&[("docs/a.md", &text)]));
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].line, Some(2));
        }
    }

    #[test]
    fn part_of_a_longer_path_is_accepted() {
        let text = format!("https://example.org/{0}/x and ../{0}/x and ~/{0}/x", "home");
        assert_eq!(machine_paths(&Tree::of(&[("a.md", &text)])), []);
    }

    #[test]
    fn an_action_without_a_hash_is_found() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        let text = format!(
            "steps:\n  - uses: a/b@{hash} # v1.2\n  - uses: a/b@v1\n  - name: x\n    uses: a/b@{hash}\n  - uses: ./c\n"
        );
        let tree = Tree::of(&[(".github/workflows/ci.yml", &text), ("docs/ci.yml", &text)]);
        let found: Vec<Option<usize>> = workflows(&tree).iter().map(|finding| finding.line).collect();
        assert_eq!(found, [Some(3), Some(5)]);
    }

    const CODE: &str = "#[test]\nfn it_works() {}\n#[tokio::test(start_paused)]\n#[ignore]\nasync fn so_does_this() {}\nfn plain() {}\n";

    #[track_caller]
    fn check_page(rows: &str, expected: &[&str]) {
        let page =
            format!("| attacker | can |\n|---|---|\n| a | `x` |\n\n| promise | test |\n|---|---|\n{rows}");
        let found = promises(&Tree::of(&[(SECURITY, &page), ("a.rs", CODE)]));
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

    #[track_caller]
    fn check_text(path: &str, text: &str, lines: &[usize]) {
        let tree = Tree::of(&[(path, text)]);
        let found: Vec<usize> =
            [prose(&tree), doc_comments(&tree)].concat().iter().filter_map(|finding| finding.line).collect();
        assert_eq!(found, lines, "{text}");
    }

    #[test]
    fn unwanted_words_are_found_in_code_and_documents() {
        check_text("docs/a.md", "fine\nWhoever reads this\n", &[2]);
        check_text("crates/a/src/b.rs", "// and nobody else\nlet his = 1; // he's fine\n", &[1, 2]);
        check_text("page.js", "// this, the, help, hist, leste\n", &[]);
        check_text("LICENSE", "somebody", &[]);
    }

    #[test]
    fn a_doc_comment_of_one_or_two_words_is_found() {
        check_text("a.rs", "    /// The rows.\n    rows: u8,\n", &[1]);
        check_text("a.rs", "/// The number of rows.\n/// Rows.\nrows: u8,\n", &[]);
        check_text("a.rs", "/// See `Rows`.\n// Rows.\n", &[]);
        check_text("a.md", "/// Rows.\n", &[]);
    }
}
