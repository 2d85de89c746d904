//! Every file in `games/` is used: its name or its folder appears in some Rust file.

use super::Finding;
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    // The tests below name files without using them.
    let sources: Vec<&str> = tree
        .texts_with_extension("rs")
        .filter(|(path, _)| !path.starts_with("xtask/"))
        .map(|(_, text)| text)
        .collect();
    let is_named = |name: &str| sources.iter().any(|source| source.contains(name));
    tree.paths()
        .filter(|path| {
            path.starts_with("games/") && path.rsplit_once('.').is_none_or(|(_, extension)| extension != "md")
        })
        .filter(|path| !names_of(path).any(|name| is_named(&name)))
        .map(|path| {
            Finding::in_file(path, "unused: name it, or its folder as games/…, in a test, or delete it")
        })
        .collect()
}

/// Returns the names by which a file can be used: its own, and each of its folders below `games`.
fn names_of(path: &str) -> impl Iterator<Item = String> {
    let name = path.rsplit('/').next().unwrap_or(path).to_owned();
    let folders = path.match_indices('/').skip(1).map(|(at, _)| path[..at].to_owned());
    [name].into_iter().chain(folders)
}

#[cfg(test)]
mod tests {
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
            ("xtask/src/tidy/corpus.rs", "forgotten.csv"),
        ]);
        let paths: Vec<String> = check(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, ["games/elsewhere/b.ttt", "games/forgotten.csv"]);
    }
}
