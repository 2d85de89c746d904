//! The rules about Rust code.

use std::collections::BTreeMap;

use super::source::{before_tests, code_lines};
use super::{Finding, findings_in_lines};
use crate::tree::Tree;

/// Returns the lines of code of the files that `applies` selects.
fn code(tree: &Tree, applies: impl Fn(&str) -> bool) -> impl Iterator<Item = (&str, usize, &str)> {
    let files = tree.texts_with_extension("rs").filter(move |(path, _)| applies(path));
    files.flat_map(|(path, text)| code_lines(text).map(move |(number, line)| (path, number, line)))
}

fn is_source(path: &str) -> bool {
    path.starts_with("crates/") && path.contains("/src/")
}

/// The files that define a layout of bits.
const SHIFTING: [&str; 4] = [
    "crates/tictac/src/bag.rs",
    "crates/tictac/src/playout.rs",
    "crates/tictac/src/square.rs",
    "crates/tictac-solver/src/",
];

/// Bits are shifted and rotated in only a few files, which document their layout; all other code uses sets.
pub(super) fn bits(tree: &Tree) -> Vec<Finding> {
    let applies = |path: &str| is_source(path) && !SHIFTING.iter().any(|allowed| path.starts_with(allowed));
    let message = "shifts bits: only square.rs and the few files that tidy names do, others read sets";
    findings_in_lines(code(tree, applies), |line| shifts(line).then(|| message.to_owned()))
}

/// Formatted code has blanks around operators, and none before the `>>` that closes generics. `1 << 20` is a size.
fn shifts(line: &str) -> bool {
    let line = format!(" {} ", line.trim());
    let starts_with_digit =
        |word: Option<&str>| word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let is_number = |(left, right): (&str, &str)| {
        starts_with_digit(left.split([' ', '(']).next_back()) && starts_with_digit(right.split(' ').next())
    };
    let operators = [" << ", " >> ", " <<= ", " >>= "];
    ["_shl(", "_shr(", ".rotate_left(", ".rotate_right("].iter().any(|method| line.contains(method))
        || operators.iter().any(|sign| line.split_once(sign).is_some_and(|operands| !is_number(operands)))
}

const LIBRARIES: [&str; 3] = ["crates/tictac/src/", "crates/tictac-proof/src/", "crates/tictac-solver/src/"];
const IMPURE_MODULES: [&str; 8] = ["env", "fs", "io", "net", "os", "process", "thread", "time"];
const IMPURE_WORDS: [&str; 7] =
    ["println!", "print!", "eprintln!", "eprint!", "dbg!", "fastrand", "getrandom"];

/// The one file of the libraries that starts threads, if its caller asks for them.
const STARTS_THREADS: &str = "crates/tictac-solver/src/search.rs";

/// `tictac`, `tictac-proof` and `tictac-solver` do no I/O, read no clock and use no random numbers, and but for one file, they start no
/// thread.
pub(super) fn purity(tree: &Tree) -> Vec<Finding> {
    let files = tree
        .texts_with_extension("rs")
        .filter(|(path, _)| LIBRARIES.iter().any(|library| path.starts_with(library)));
    let findings = files.flat_map(|(path, text)| {
        let found = impurities(text).into_iter();
        let found = found.filter(move |(_, word)| path != STARTS_THREADS || word != "std::thread");
        found.map(move |(line, word)| {
            let message = format!("{word}: the library must not do I/O or use time or randomness");
            Finding::in_line(path, line, message)
        })
    });
    findings.collect()
}

/// Returns the forbidden macros, crates and modules used in a Rust file, each with its line number.
fn impurities(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    // Whether this line is part of `use std::{…};`, which may list its paths over several lines.
    let mut in_list = false;
    for (number, line) in code_lines(text) {
        let words = words(line);
        in_list |= line.contains("std::{");
        for (&before, &word) in [""].iter().chain(&words).zip(&words) {
            if IMPURE_MODULES.contains(&word) && (in_list || before == "std::") {
                found.push((number, format!("std::{word}")));
            } else if IMPURE_WORDS.contains(&word) {
                found.push((number, word.to_owned()));
            }
        }
        in_list &= !line.contains(';');
    }
    found
}

/// Splits a line into words; `!` and `::` belong to the word before.
fn words(line: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || "_!:".contains(c);
    let words = line.split(|c: char| !is_part(c)).flat_map(|word| word.split_inclusive("::"));
    words.map(|word| if word == "std::" { word } else { word.trim_end_matches(':') }).collect()
}

/// The grader is only for Unix.
const UNIX_ONLY: &str = "crates/tictac-grader/";

/// What depends on the operating system is in `platform.rs` of its crate.
pub(super) fn portability(tree: &Tree) -> Vec<Finding> {
    let systems =
        ["os::unix", "os::windows", "cfg(unix)", "cfg(windows)", "cfg(not(unix))", "cfg(not(windows))"];
    let applies =
        |path: &str| is_source(path) && !path.starts_with(UNIX_ONLY) && !path.ends_with("/platform.rs");
    findings_in_lines(code(tree, applies), |line| {
        let found = systems.iter().any(|system| line.contains(system));
        found.then(|| "what depends on the operating system belongs into platform.rs".to_owned())
    })
}

/// Names that may be defined several times: each subcommand has its own `Args`.
const REPEATED: [&str; 1] = ["Args"];

/// A type name has one meaning: it is defined once in the whole workspace.
pub(super) fn type_names(tree: &Tree) -> Vec<Finding> {
    let mut definitions: BTreeMap<&str, &str> = BTreeMap::new();
    let mut findings = Vec::new();
    for (path, number, line) in code(tree, is_source) {
        let Some(name) = defined_type(line).filter(|name| !REPEATED.contains(name)) else { continue };
        if let Some(first) = definitions.get(name) {
            let message = format!("{name} is already defined in {first}: say which one this is");
            findings.push(Finding::in_line(path, number, message));
        } else {
            definitions.insert(name, path);
        }
    }
    findings
}

/// Returns the name of the type that a line defines. An indented `type` is an associated type and does not count.
fn defined_type(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
    let keyword = words.next().filter(|word| ["struct", "enum", "trait", "union", "type"].contains(word))?;
    let name = words.next()?.split(|c: char| !c.is_alphanumeric()).next()?;
    let is_associated = line.starts_with(' ') && keyword == "type";
    (name.starts_with(char::is_uppercase) && !is_associated).then_some(name)
}

const MAX_LINES: usize = 600;

/// No Rust file has too many lines before its tests.
pub(super) fn length(tree: &Tree) -> Vec<Finding> {
    let lengths =
        tree.texts_with_extension("rs").map(|(path, text)| (path, before_tests(text).lines().count()));
    let message = |n| format!("{n} lines before its tests; at most {MAX_LINES} are allowed");
    lengths.filter(|&(_, n)| n > MAX_LINES).map(|(path, n)| Finding::in_file(path, message(n))).collect()
}

const CATCH_ALL: [&str; 9] =
    ["common", "helper", "helpers", "misc", "shared", "types", "util", "utilities", "utils"];

/// Files are named after what they hold: no `utils`, `helpers` or `common`.
pub(super) fn file_names(tree: &Tree) -> Vec<Finding> {
    let is_catch_all = |path: &str| path.split('/').any(|name| CATCH_ALL.contains(&name));
    let paths = tree.paths().filter(|path| path.strip_suffix(".rs").is_some_and(is_catch_all));
    paths.map(|path| Finding::in_file(path, "name the file after what it holds")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::paths_of;
    use super::*;

    #[track_caller]
    fn check_shift(path: &str, line: &str, n_expected: usize) {
        assert_eq!(bits(&Tree::of(&[(path, line)])).len(), n_expected, "{path}: {line}");
    }

    #[test]
    fn a_shift_outside_the_few_files_is_found() {
        check_shift("crates/tictac/src/line.rs", "let bit = 1 << n;", 1);
        check_shift("crates/tictac-tui/src/app.rs", "    >> 3;", 1);
        check_shift("crates/tictac/src/line.rs", "x <<= 1;", 1);
        check_shift("crates/tictac/src/line.rs", "let next = set << 1;", 1);
        check_shift("crates/tictac/src/line.rs", "x.rotate_left(1)", 1);
    }

    #[test]
    fn the_few_files_tests_and_generics_are_left_alone() {
        check_shift("crates/tictac/src/square.rs", "let bit = 1 << n;", 0);
        check_shift("crates/tictac-solver/src/one_board/table.rs", "let bit = 1 << n;", 0);
        check_shift("crates/tictac/tests/it/main.rs", "let bit = 1 << n;", 0);
        check_shift("crates/tictac/src/line.rs", "fn f() -> Option<Vec<u8>> {", 0);
        check_shift("crates/tictac/src/line.rs", "// 1 << n", 0);
        check_shift("crates/tictac/src/line.rs", "const MAX_BYTES: usize = 1 << 28;", 0);
    }

    #[track_caller]
    fn check_impure(text: &str, expected: &[(usize, &str)]) {
        let found = impurities(text);
        let found: Vec<(usize, &str)> = found.iter().map(|(line, word)| (*line, word.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn io_clocks_threads_and_randomness_are_found() {
        check_impure("use std::io;", &[(1, "std::io")]);
        check_impure("use std::time::Instant;", &[(1, "std::time")]);
        check_impure(
            "use std::{collections::HashMap, thread, fs::File};",
            &[(1, "std::thread"), (1, "std::fs")],
        );
        check_impure("    println!(\"{x}\");", &[(1, "println!")]);
        check_impure("let x = std::env::args();", &[(1, "std::env")]);
        check_impure("fastrand::u64(..)", &[(1, "fastrand")]);
    }

    #[test]
    fn an_import_over_several_lines_is_found() {
        check_impure("use std::{\n    fmt,\n    io,\n};\nuse a::fs;", &[(3, "std::io")]);
    }

    #[test]
    fn pure_code_is_allowed() {
        check_impure("use std::fmt;", &[]);
        check_impure("use std::iter;", &[]);
        check_impure("let io = 1;", &[]);
        check_impure("let a = std::mem::take(&mut b), io;", &[]);
        check_impure("my_println!()", &[]);
    }

    #[test]
    fn only_the_library_is_checked() {
        let tree = Tree::of(&[
            ("crates/tictac/src/deep/file.rs", "use std::io;"),
            ("crates/tictac-cli/src/main.rs", "use std::io;"),
            ("crates/tictac/tests/it/main.rs", "use std::io;"),
        ]);
        assert_eq!(paths_of(purity(&tree)), ["crates/tictac/src/deep/file.rs"]);
    }

    #[test]
    fn code_for_one_system_is_found_outside_of_its_module() {
        let line = "use std::os::unix::fs::OpenOptionsExt;\n";
        let tree = Tree::of(&[
            ("crates/a/src/file.rs", line),
            ("crates/a/src/other.rs", "#[cfg(not(unix))]\nfn f() {}\n"),
            ("crates/a/src/platform.rs", line),
            (
                "crates/a/src/right.rs",
                "#[cfg(not(test))]\nfn f() {}\n#[cfg(test)]\nmod tests {\n    use std::os::unix;\n}\n",
            ),
            ("crates/a/tests/it/main.rs", line),
            ("crates/tictac-grader/src/run.rs", line),
        ]);
        assert_eq!(paths_of(portability(&tree)), ["crates/a/src/file.rs", "crates/a/src/other.rs"]);
    }

    #[test]
    fn a_second_definition_is_found_in_any_crate() {
        let tree = Tree::of(&[
            ("crates/a/src/board.rs", "pub struct Board<T> {\n}\nstruct Args;\n"),
            ("crates/b/src/lib.rs", "use a::Board;\npub(crate) enum Board { A }\nstruct Args;\n"),
            ("crates/b/tests/it/main.rs", "struct Board;\n"),
        ]);
        let found: Vec<String> = type_names(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "crates/b/src/lib.rs:2: Board is already defined in crates/a/src/board.rs: say which one this is"
            ]
        );
    }

    #[test]
    fn types_of_every_kind_are_recognised() {
        assert_eq!(defined_type("pub(super) struct Line(u8);"), Some("Line"));
        assert_eq!(defined_type("    enum Inner {"), Some("Inner"));
        assert_eq!(defined_type("trait Store: Send {"), Some("Store"));
        assert_eq!(defined_type("type Id = u64;"), Some("Id"));
        assert_eq!(defined_type("    type Err = ParseError;"), None);
        assert_eq!(defined_type("let kind = type_of(x);"), None);
        assert_eq!(defined_type("impl Line {"), None);
    }

    #[test]
    fn a_long_file_is_found_and_its_tests_do_not_count() {
        let full = "x\n".repeat(MAX_LINES);
        let with_tests = format!("{full}#[cfg(test)]\nmod tests {{\n{full}}}\n");
        let too_long = format!("{full}x\n");
        let tree =
            Tree::of(&[("a.rs", &full), ("b.rs", &with_tests), ("c.rs", &too_long), ("d.md", &too_long)]);
        assert_eq!(paths_of(length(&tree)), ["c.rs"]);
    }

    #[test]
    fn files_and_folders_with_catch_all_names_are_found() {
        let tree = Tree::of(&[
            ("crates/a/src/utils.rs", ""),
            ("crates/a/tests/common/mod.rs", ""),
            ("crates/a/src/board.rs", ""),
            ("docs/misc.md", ""),
        ]);
        assert_eq!(paths_of(file_names(&tree)), ["crates/a/src/utils.rs", "crates/a/tests/common/mod.rs"]);
    }
}
