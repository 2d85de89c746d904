//! What depends on the operating system is in `platform.rs` of its crate. The grader is only for Unix.

use super::Finding;
use super::source::code_lines;
use crate::tree::Tree;

const UNIX_ONLY: &str = "crates/tictac-grader/";
const WORDS: [&str; 6] =
    ["os::unix", "os::windows", "cfg(unix)", "cfg(windows)", "cfg(not(unix))", "cfg(not(windows))"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let files = tree.texts_with_extension("rs").filter(|(path, _)| {
        path.starts_with("crates/")
            && path.contains("/src/")
            && !path.starts_with(UNIX_ONLY)
            && !path.ends_with("/platform.rs")
    });
    let findings = files.flat_map(|(path, text)| {
        let lines = code_lines(text).filter(|(_, line)| WORDS.iter().any(|word| line.contains(word)));
        lines.map(move |(number, _)| {
            Finding::in_line(path, number, "what depends on the operating system belongs into platform.rs")
        })
    });
    findings.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let paths: Vec<String> = check(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, ["crates/a/src/file.rs", "crates/a/src/other.rs"]);
    }
}
