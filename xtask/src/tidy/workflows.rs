//! Workflows use actions of others by the hash of a commit, because a tag can be moved.

use super::Finding;
use crate::tree::Tree;

const FOLDER: &str = ".github/workflows/";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let workflows = tree.texts().filter(|(path, _)| path.starts_with(FOLDER));
    workflows.flat_map(|(path, text)| check_workflow(path, text)).collect()
}

fn check_workflow(path: &str, text: &str) -> Vec<Finding> {
    let lines = (1..).zip(text.lines().map(|line| line.trim_start().trim_start_matches("- ")));
    let actions = lines.filter_map(|(number, line)| Some((number, line.strip_prefix("uses: ")?)));
    actions
        .filter(|(_, action)| !is_pinned(action))
        .map(|(number, action)| {
            Finding::in_line(path, number, format!("{action} is not pinned: write @HASH # VERSION"))
        })
        .collect()
}

/// Returns whether an action is a part of this repository or has the form `owner/name@HASH # VERSION`.
fn is_pinned(action: &str) -> bool {
    let is_hash = |hash: &str| hash.len() == 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let pinned = action.split_once('@').and_then(|(_, version)| version.split_once(" # v"));
    action.starts_with("./") || pinned.is_some_and(|(hash, _)| is_hash(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_without_a_hash_is_found() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        let text = format!(
            "steps:\n  - uses: a/b@{hash} # v1.2\n  - uses: a/b@v1\n  - name: x\n    uses: a/b@{hash}\n  - uses: ./c\n"
        );
        let tree = Tree::of(&[(".github/workflows/ci.yml", &text), ("docs/ci.yml", &text)]);
        let found: Vec<Option<usize>> = check(&tree).iter().map(|finding| finding.line).collect();
        assert_eq!(found, [Some(3), Some(5)]);
    }
}
