//! The files of the repository in memory, so that checks are pure functions.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;

/// Files by their path from the root, with `/` as separator.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    files: BTreeMap<String, Vec<u8>>,
}

impl Tree {
    /// Reads all files below `root` that `.gitignore` does not exclude.
    ///
    /// Does not use git, because a downloaded archive has no repository.
    pub(crate) fn read(root: &Path) -> anyhow::Result<Tree> {
        let ignored = fs::read_to_string(root.join(".gitignore")).unwrap_or_default();
        let mut tree = Tree::default();
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            let entries =
                fs::read_dir(root.join(&folder)).with_context(|| format!("cannot read {folder}"))?;
            for entry in entries {
                let entry = entry?;
                let path = format!("{folder}{}", entry.file_name().to_string_lossy());
                if path == ".git" || is_ignored(&path, &ignored) {
                    continue;
                }
                if entry.file_type()?.is_dir() {
                    folders.push(format!("{path}/"));
                } else {
                    let content = fs::read(entry.path()).with_context(|| format!("cannot read {path}"))?;
                    tree.files.insert(path, content);
                }
            }
        }
        Ok(tree)
    }

    /// Returns a tree of these files, for tests.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Tree {
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_owned())).collect();
        Tree { files }
    }

    /// Returns all paths in order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Returns all files with their paths.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, content)| (path.as_str(), content.as_slice()))
    }

    /// Returns the files that are valid UTF-8, with their paths.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter_map(|(path, content)| Some((path, str::from_utf8(content).ok()?)))
    }

    /// Returns the text of a file, if it exists and is valid UTF-8.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        str::from_utf8(self.files.get(path)?).ok()
    }

    /// Returns the text files with this extension.
    pub(crate) fn texts_with_extension(&self, extension: &str) -> impl Iterator<Item = (&str, &str)> {
        self.texts().filter(move |(path, _)| extension_of(path) == Some(extension))
    }

    /// Returns whether a file or folder exists; the root is the empty path.
    pub(crate) fn exists(&self, path: &str) -> bool {
        path.is_empty() || self.paths().any(|found| found == path || found.starts_with(&format!("{path}/")))
    }
}

/// Supports the patterns that this repository's `.gitignore` uses: `/path` at the root, and bare names anywhere.
fn is_ignored(path: &str, gitignore: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    gitignore.lines().map(|line| line.trim().trim_end_matches('/')).filter(|line| !line.is_empty()).any(
        |line| match line.strip_prefix('/') {
            Some(from_root) => path == from_root,
            None => name == line,
        },
    )
}

fn extension_of(path: &str) -> Option<&str> {
    Path::new(path).extension()?.to_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gitignore_patterns_are_applied() {
        let gitignore = "/target\n/fuzz/corpus/\n\nnode_modules\n";
        assert!(is_ignored("target", gitignore));
        assert!(is_ignored("fuzz/corpus", gitignore));
        assert!(is_ignored("page/node_modules", gitignore));
        assert!(!is_ignored("crates/target", gitignore));
        assert!(!is_ignored("fuzz", gitignore));
    }

    #[test]
    fn files_and_the_folders_that_hold_them_exist() {
        let tree = Tree::of(&[("docs/a.md", "")]);
        assert!(tree.exists("docs/a.md") && tree.exists("docs") && tree.exists(""));
        assert!(!tree.exists("doc") && !tree.exists("docs/b.md"));
    }
}
