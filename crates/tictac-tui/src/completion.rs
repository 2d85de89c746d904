//! Completing file names that are being typed.

use std::fs;

use crate::record::{expand_home, printable};

/// The maximum number of files of a folder that are looked at.
const MAX_FILES: usize = 10_000;
/// The maximum number of names that are offered.
const MAX_OFFERED: usize = 100;

/// Returns the typed name with all that follows without a choice, and the names that it may become.
pub(crate) fn complete(typed: &str) -> (String, Vec<String>) {
    let (folder, start) = typed.rfind('/').map_or(("", typed), |slash| typed.split_at(slash + 1));
    let path = if folder.is_empty() { "." } else { folder };
    let Ok(entries) = fs::read_dir(expand_home(path)) else { return (typed.to_owned(), Vec::new()) };
    let mut names: Vec<String> = entries
        .take(MAX_FILES)
        .filter_map(|entry| {
            let entry = entry.ok()?;
            // Only names that can be typed are offered.
            let name = entry.file_name().into_string().ok().filter(|name| printable(name) == *name)?;
            let is_hidden = name.starts_with('.') && !start.starts_with('.');
            let slash = if entry.path().is_dir() { "/" } else { "" };
            (name.starts_with(start) && !is_hidden).then(|| format!("{folder}{name}{slash}"))
        })
        .collect();
    names.sort();
    let common = names.iter().skip(1).fold(names.first().cloned(), |common, name| {
        let n_same = common.as_ref()?.chars().zip(name.chars()).take_while(|(a, b)| a == b).count();
        common.map(|common| common.chars().take(n_same).collect())
    });
    names.truncate(MAX_OFFERED);
    (common.unwrap_or_else(|| typed.to_owned()), names)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn a_name_is_completed_as_far_as_there_is_no_choice() {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/screens");
        let complete = |start: &str| {
            let (text, names) = complete(&format!("{}/{start}", folder.display()));
            let short = |name: &str| name.rsplit_once('/').unwrap().1.to_owned();
            (short(&text), names.iter().map(|name| short(name)).collect::<Vec<_>>())
        };
        assert_eq!(complete("8x"), ("8x8.txt".to_owned(), vec!["8x8.txt".to_owned()]));
        let (text, names) = complete("notak");
        assert_eq!((text.as_str(), names.len()), ("notakto-", 2));
        assert_eq!(complete("nothing"), ("nothing".to_owned(), Vec::new()));
        let (parent, _) = super::complete(&format!("{}/../scree", folder.display()));
        assert!(parent.ends_with("/../screens/"), "{parent}");
        assert_eq!(super::complete("/no such folder/x").0, "/no such folder/x");
    }
}
