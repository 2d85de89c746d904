//! `tictac` does no I/O, reads no clock, starts no thread and uses no random numbers.

use super::Finding;
use super::source::code_lines;
use crate::tree::Tree;

const MODULES: [&str; 8] = ["env", "fs", "io", "net", "os", "process", "thread", "time"];
const WORDS: [&str; 7] = ["println!", "print!", "eprintln!", "eprint!", "dbg!", "fastrand", "getrandom"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let files = tree.texts_with_extension("rs").filter(|(path, _)| path.starts_with("crates/tictac/src/"));
    let findings = files.flat_map(|(path, text)| {
        impurities(text).into_iter().map(move |(line, word)| {
            Finding::in_line(
                path,
                line,
                format!("{word}: the library must not do I/O or use time or randomness"),
            )
        })
    });
    findings.collect()
}

/// Returns the forbidden macros, crates and modules used in a Rust file, each with its line number.
fn impurities(text: &str) -> Vec<(usize, String)> {
    // Lines are joined, because a `use` may list its paths over several of them.
    let (mut code, mut ends) = (String::new(), Vec::new());
    for (_, line) in code_lines(text) {
        code.push_str(line);
        code.push('\n');
        ends.push(code.len());
    }
    let words = WORDS.iter().flat_map(|&word| word_starts(&code, word).map(move |at| (at, word.to_owned())));
    let modules = code.match_indices("std::").flat_map(|(at, prefix)| {
        let start = at + prefix.len();
        imported_paths(&code[start..])
            .filter(|(_, path)| MODULES.contains(&first_word(path)))
            .map(move |(offset, path)| (start + offset, format!("std::{}", first_word(path))))
    });
    let mut found: Vec<(usize, String)> = words.chain(modules).collect();
    found.sort();
    found.into_iter().map(|(at, word)| (ends.partition_point(|&end| end <= at) + 1, word)).collect()
}

/// Returns the paths that follow `std::`, with their offsets: one path, or those in braces.
fn imported_paths(rest: &str) -> impl Iterator<Item = (usize, &str)> {
    let list = rest.strip_prefix('{').map_or(rest, |list| list.split(';').next().unwrap_or(list));
    let n_paths = if rest.starts_with('{') { usize::MAX } else { 1 };
    list.split(',').take(n_paths).map(move |path| {
        let path = path.trim_start();
        (path.as_ptr() as usize - rest.as_ptr() as usize, path)
    })
}

fn first_word(path: &str) -> &str {
    path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(path)
}

/// Returns where `word` occurs other than as the end of a longer word.
fn word_starts<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_start = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    code.match_indices(word).map(|(at, _)| at).filter(move |&at| is_start(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_text(text: &str, expected: &[(usize, &str)]) {
        let found = impurities(text);
        let found: Vec<(usize, &str)> = found.iter().map(|(line, word)| (*line, word.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn io_clocks_threads_and_randomness_are_found() {
        check_text("use std::io;", &[(1, "std::io")]);
        check_text("use std::time::Instant;", &[(1, "std::time")]);
        check_text(
            "use std::{collections::HashMap, thread, fs::File};",
            &[(1, "std::thread"), (1, "std::fs")],
        );
        check_text("    println!(\"{x}\");", &[(1, "println!")]);
        check_text("let x = std::env::args();", &[(1, "std::env")]);
        check_text("fastrand::u64(..)", &[(1, "fastrand")]);
    }

    #[test]
    fn an_import_over_several_lines_is_found() {
        check_text("use std::{\n    fmt,\n    io,\n};\nuse a::fs;", &[(3, "std::io")]);
    }

    #[test]
    fn pure_code_is_allowed() {
        check_text("use std::fmt;", &[]);
        check_text("use std::iter;", &[]);
        check_text("let io = 1;", &[]);
        check_text("let a = std::mem::take(&mut b), io;", &[]);
        check_text("my_println!()", &[]);
    }

    #[test]
    fn only_the_library_is_checked() {
        let tree = Tree::of(&[
            ("crates/tictac/src/deep/file.rs", "use std::io;"),
            ("crates/tictac-cli/src/main.rs", "use std::io;"),
            ("crates/tictac/tests/it/main.rs", "use std::io;"),
        ]);
        let paths: Vec<String> = check(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, ["crates/tictac/src/deep/file.rs"]);
    }
}
