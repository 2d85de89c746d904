//! Relative links in documents point to existing files.

use super::Finding;
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts_with_extension("md") {
        for (line, target) in links(text) {
            let target_path = target.split('#').next().unwrap_or(target);
            let exists = resolve(path, target_path).is_some_and(|path| tree.exists(&path));
            if !target_path.is_empty() && !exists {
                findings.push(Finding::in_line(path, line, format!("broken link to {target}")));
            }
        }
    }
    findings
}

/// Returns the relative links outside code, both inline links and definitions, with their line numbers.
pub(crate) fn links(text: &str) -> Vec<(usize, &str)> {
    let mut in_fence = false;
    let mut links = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            in_fence = !in_fence;
        } else if !in_fence {
            let prose = line.split('`').step_by(2);
            let targets =
                prose.flat_map(|prose| prose.split("](").skip(1)).filter_map(|rest| rest.split(')').next());
            links.extend(targets.chain(definition(line)).map(|target| (number, target)));
        }
    }
    // A title may follow the target, and angle brackets may enclose it.
    let bare = |target: &'_ str| -> Option<usize> { target.find(char::is_whitespace) };
    links
        .into_iter()
        .map(|(number, target)| (number, &target[..bare(target).unwrap_or(target.len())]))
        .map(|(number, target)| (number, target.trim_matches(['<', '>'])))
        .filter(|(_, target)| !target.contains("://") && !target.starts_with("mailto:"))
        .collect()
}

/// Parses `[name]: target`.
fn definition(line: &str) -> Option<&str> {
    let (_, target) = line.strip_prefix('[')?.split_once("]: ")?;
    Some(target.trim())
}

/// Returns the path from the root, or `None` if it leaves the repository.
pub(crate) fn resolve(document: &str, target: &str) -> Option<String> {
    let mut folders: Vec<&str> = document.split('/').collect();
    folders.pop();
    if target.starts_with('/') {
        return None;
    }
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(folders.pop()?),
            name => folders.push(name),
        }
    }
    Some(folders.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_document(text: &str, expected: &[&str]) {
        let tree =
            Tree::of(&[("docs/a.md", text), ("docs/b.md", ""), ("README.md", ""), ("games/x.ttt", "")]);
        let found: Vec<String> = check(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn valid_links_are_accepted() {
        check_document("[b](b.md) [top](../README.md#top) [here](#x) [games](../games/) [r](..)", &[]);
        check_document("[w](https://example.org/x.md) [m](mailto:a@b.c)", &[]);
        check_document("[b]: b.md \"title\"\n[b](<b.md>)", &[]);
    }

    #[test]
    fn broken_links_are_found() {
        check_document("\n[c](c.md)", &["docs/a.md:2: broken link to c.md"]);
        check_document("[c]: c.md", &["docs/a.md:1: broken link to c.md"]);
        check_document("[c](../../c.md)", &["docs/a.md:1: broken link to ../../c.md"]);
        check_document("[c](/b.md)", &["docs/a.md:1: broken link to /b.md"]);
    }

    #[test]
    fn code_is_not_a_link() {
        check_document("`[c](c.md)`\n```\n[c](c.md)\n```\n", &[]);
    }
}
