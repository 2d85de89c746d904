//! `tictac` does no I/O, reads no clock, starts no thread and draws no random number.

use super::Finding;
use super::source::code_lines;
use crate::tree::Tree;

const MODULES: [&str; 8] = ["env", "fs", "io", "net", "os", "process", "thread", "time"];
const WORDS: [&str; 7] = ["println!", "print!", "eprintln!", "eprint!", "dbg!", "fastrand", "getrandom"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let files = tree.texts_with_extension("rs").filter(|(path, _)| path.starts_with("crates/tictac/src/"));
    for (path, text) in files {
        for (number, line) in code_lines(text) {
            findings.extend(impurities(line).into_iter().map(|word| {
                Finding::in_line(
                    path,
                    number,
                    format!("{word}: the library does no I/O, reads no clock, knows no chance"),
                )
            }));
        }
    }
    findings
}

fn impurities(line: &str) -> Vec<String> {
    let macros = WORDS.iter().filter(|&&word| has_word(line, word)).map(|&word| word.to_owned());
    let modules = line.match_indices("std::").flat_map(|(at, std)| {
        let rest = &line[at + std.len()..];
        // Either one path, or the first words of the paths in braces.
        let paths = rest.strip_prefix('{').map_or(vec![rest], |list| list.split(',').collect());
        paths
            .into_iter()
            .map(first_word)
            .filter(|word| MODULES.contains(word))
            .map(|word| format!("std::{word}"))
    });
    macros.chain(modules).collect()
}

fn first_word(path: &str) -> &str {
    let path = path.trim_start();
    path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(path)
}

/// Returns whether `word` stands in the line and is not the end of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_line(line: &str, expected: &[&str]) {
        assert_eq!(impurities(line), expected, "{line}");
    }

    #[test]
    fn whatever_touches_the_world_is_found() {
        check_line("use std::io;", &["std::io"]);
        check_line("use std::time::Instant;", &["std::time"]);
        check_line("use std::{collections::HashMap, thread, fs::File};", &["std::thread", "std::fs"]);
        check_line("    println!(\"{x}\");", &["println!"]);
        check_line("let x = std::env::args();", &["std::env"]);
        check_line("fastrand::u64(..)", &["fastrand"]);
    }

    #[test]
    fn thinking_is_allowed() {
        check_line("use std::fmt;", &[]);
        check_line("use std::iter;", &[]);
        check_line("let io = 1;", &[]);
        check_line("my_println!()", &[]);
    }

    #[test]
    fn only_the_library_is_bound() {
        let tree = Tree::of(&[
            ("crates/tictac/src/deep/file.rs", "use std::io;"),
            ("crates/tictac-cli/src/main.rs", "use std::io;"),
            ("crates/tictac/tests/it/main.rs", "use std::io;"),
        ]);
        let paths: Vec<String> = check(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, ["crates/tictac/src/deep/file.rs"]);
    }
}
