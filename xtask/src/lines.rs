//! `cargo xtask lines`: how much code there is to read, without comments, blank lines and tests.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::ensure;

use crate::cargo::root;
use crate::tidy::source::code_lines;
use crate::tree::Tree;

/// The limits: how the paths of the counted files start, and how many lines of code they may have together.
const LIMITS: [(&str, usize); 3] = [("crates/", 46_000), ("xtask/", 5_500), ("tests/mutants/", 2_500)];
/// The Rust part of the Python package is counted, and has no limit.
const PYTHON: &str = "python/";

/// Prints the lines of code of each crate, and fails if a limit is exceeded.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    let counts = count(&Tree::read(root())?);
    for (folder, n_lines) in &counts {
        writeln!(out, "{n_lines:>6}  {folder}")?;
    }
    let mut exceeded = Vec::new();
    for (prefix, limit) in LIMITS {
        let n_lines: usize =
            counts.iter().filter(|(folder, _)| folder.starts_with(prefix)).map(|(_, n)| n).sum();
        writeln!(out, "{n_lines:>6}  of at most {limit} in {prefix}")?;
        if n_lines > limit {
            exceeded.push(prefix);
        }
    }
    ensure!(exceeded.is_empty(), "too many lines of code in {}", exceeded.join(" and "));
    Ok(())
}

/// Returns the lines of code by the folder that holds `src/`.
fn count(tree: &Tree) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (path, text) in tree.texts_with_extension("rs").filter(|(path, _)| !path.ends_with("tests.rs")) {
        let Some((folder, _)) = path.split_once("src/") else { continue };
        if folder == PYTHON || LIMITS.iter().any(|(prefix, _)| folder.starts_with(prefix)) {
            *counts.entry(folder.to_owned()).or_default() +=
                code_lines(text).filter(|(_, line)| !line.trim().is_empty()).count();
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_is_counted_and_by_crate() {
        let code = "//! About.\n\nuse a; // b\nfn c() {\n}\n#[cfg(test)]\nmod tests {\n    use d;\n}\n";
        let tree = Tree::of(&[
            ("crates/a/src/lib.rs", code),
            ("crates/a/src/b/c.rs", code),
            ("crates/a/src/b/tests.rs", code),
            ("crates/a/tests/it/main.rs", code),
            ("tests/mutants/src/main.rs", code),
            ("tests/fuzz/src/lib.rs", code),
        ]);
        let expected = [("crates/a/", 6), ("tests/mutants/", 3)];
        assert_eq!(count(&tree), expected.map(|(folder, n)| (folder.to_owned(), n)).into());
    }
}
