//! Words and doc comments that make a reader stumble. STYLE.md says what to write instead.

use super::Finding;
use crate::tree::Tree;

const EXTENSIONS: [&str; 5] = ["rs", "md", "js", "mjs", "css"];

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
const EXEMPT: [&str; 2] = ["xtask/src/tidy/prose.rs", "crates/tictac-server/tests/it/postgres_server.rs"];

/// A doc comment of fewer words says nothing.
const MIN_WORDS: usize = 3;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    EXTENSIONS.iter().flat_map(|&extension| check_files(tree, extension)).collect()
}

fn check_files(tree: &Tree, extension: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts_with_extension(extension).filter(|(path, _)| !EXEMPT.contains(path)) {
        for (number, line) in (1..).zip(text.lines()) {
            let words = unwanted_words(line).map(|(word, better)| format!("\"{word}\": write {better}"));
            findings.extend(words.map(|message| Finding::in_line(path, number, message)));
        }
        if extension == "rs" {
            let message = format!("a doc comment needs at least {MIN_WORDS} words");
            findings.extend(short_docs(text).map(|number| Finding::in_line(path, number, message.as_str())));
        }
    }
    findings
}

fn unwanted_words(line: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let line = line.to_lowercase();
    let is_used = move |word: &str| line.split(|c| !is_letter(c)).any(|found| found == word);
    WORDS.into_iter().filter(move |(word, _)| is_used(word))
}

/// Returns the numbers of the lines that are a whole doc comment of one or two words.
fn short_docs(text: &str) -> impl Iterator<Item = usize> {
    let docs: Vec<Option<&str>> = text.lines().map(doc_text).collect();
    let is_short = |doc: &str| !doc.contains('`') && doc.split_whitespace().count() < MIN_WORDS;
    let is_alone = move |at: usize| {
        let neighbours = [at.checked_sub(1), Some(at + 1)];
        neighbours.into_iter().flatten().all(|at| docs.get(at).copied().flatten().is_none())
            && docs[at].is_some_and(is_short)
    };
    (0..text.lines().count()).filter(move |&at| is_alone(at)).map(|at| at + 1)
}

/// Returns the text of a doc comment of an item.
fn doc_text(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("///")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_text(path: &str, text: &str, lines: &[usize]) {
        let found: Vec<usize> =
            check(&Tree::of(&[(path, text)])).iter().filter_map(|finding| finding.line).collect();
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
