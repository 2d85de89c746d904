//! Files are named after what they hold: no `utils`, `helpers` or `common`.

use super::Finding;
use crate::tree::Tree;

const DRAWERS: [&str; 9] =
    ["common", "helper", "helpers", "misc", "shared", "types", "util", "utilities", "utils"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.paths()
        .filter(|path| path.strip_suffix(".rs").is_some_and(|path| path.split('/').any(is_drawer)))
        .map(|path| Finding::in_file(path, "name the file after what it holds"))
        .collect()
}

fn is_drawer(name: &str) -> bool {
    DRAWERS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_with_catch_all_names_are_found() {
        let tree = Tree::of(&[
            ("crates/a/src/utils.rs", ""),
            ("crates/a/tests/common/mod.rs", ""),
            ("crates/a/src/board.rs", ""),
            ("docs/misc.md", ""),
        ]);
        let paths: Vec<String> = check(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, ["crates/a/src/utils.rs", "crates/a/tests/common/mod.rs"]);
    }
}
