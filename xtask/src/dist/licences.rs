//! The licences of everything that is linked into the programs or the wheel. Most of them ask that copies contain their text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use serde_json::Value;

use super::bill::COMMAND;
use crate::cargo::{cargo, output, root};
use crate::static_build::host_target;

/// The name of the file in the archive and the wheel.
pub(crate) const FILE: &str = "LICENSES-THIRD-PARTY.txt";

/// How the names of files with licences begin, in lower case.
const PREFIXES: [&str; 6] = ["licence", "license", "copying", "copyright", "notice", "unlicense"];

/// What is linked into the programs besides crates.
const IN_PROGRAMS: &str = "\
The programs of tictac contain the crates below, each under the licence stated with it; the texts follow, and each one names the
crates that come with it. They also contain

- the standard library of Rust, under MIT or Apache-2.0;
- SQLite, which is in the public domain;
- if they are linked statically, the GNU C library, under the LGPL 2.1 or later. To replace it, build the programs from their
  source: `cargo build --release` links it dynamically.
";

/// What is linked into the wheel besides crates.
const IN_WHEEL: &str = "\
The Python package tictac contains the standard library of Rust, under MIT or Apache-2.0, and the crates below, each under the
licence stated with it; the texts follow, and each one names the crates that come with it.
";

/// Returns the licences of all crates in the programs.
pub(crate) fn of_programs() -> anyhow::Result<String> {
    text(root(), COMMAND, IN_PROGRAMS)
}

/// Writes the licences of all crates in the wheel into the folder of its sources, and names them in `pyproject.toml`.
pub(super) fn add_to_wheel(sources: &Path) -> anyhow::Result<()> {
    fs::write(sources.join(FILE), text(sources, "tictac-python", IN_WHEEL)?)?;
    let path = sources.join("pyproject.toml");
    let project = fs::read_to_string(&path)?;
    let named = project.replace("license-files = [", &format!("license-files = [\"{FILE}\", "));
    ensure!(named != project, "pyproject.toml names no licences");
    Ok(fs::write(&path, named)?)
}

/// Returns the licences of all crates that one crate of a workspace is linked with, as text. Every text occurs once.
fn text(workspace: &Path, linked_into: &str, introduction: &str) -> anyhow::Result<String> {
    let target = host_target()?;
    let arguments = ["metadata", "--format-version", "1", "--locked", "--filter-platform", &target];
    let metadata = serde_json::from_slice(&output(cargo(arguments).current_dir(workspace))?)?;
    let mut crates = String::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in linked(&metadata, linked_into)? {
        let field = |name: &str| package[name].as_str().unwrap_or_default();
        // Our own licences are files of their own.
        if package["source"].is_null() {
            continue;
        }
        let name = format!("{} {}", field("name"), field("version"));
        let _ = writeln!(crates, "{name}: {}, {}", field("license"), field("repository"));
        let folder = Path::new(field("manifest_path")).parent().context("a manifest without a folder")?;
        for text in texts_in(folder)? {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let mut all = format!("{introduction}\n{crates}");
    let mut texts: Vec<(String, String)> =
        texts.into_iter().map(|(text, names)| (names.join(", "), text)).collect();
    texts.sort();
    for (names, text) in texts {
        let _ = write!(all, "\n{}\n{names}:\n\n{text}\n", "=".repeat(100));
    }
    Ok(all)
}

/// Returns the packages that a crate depends on, except for building and testing, by name and version.
fn linked<'a>(metadata: &'a Value, linked_into: &str) -> anyhow::Result<Vec<&'a Value>> {
    let packages = metadata["packages"].as_array().context("no packages")?;
    let nodes = metadata["resolve"]["nodes"].as_array().context("no dependencies")?;
    let start = packages.iter().find(|package| package["name"] == linked_into).context("no such crate")?;
    let mut waiting = vec![start["id"].as_str().context("no id")?];
    let mut found: BTreeSet<&str> = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !found.insert(id) {
            continue;
        }
        let node = nodes.iter().find(|node| node["id"] == id).context("a package without a node")?;
        let is_linked = |dependency: &&Value| {
            let kinds = dependency["dep_kinds"].as_array();
            kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
        };
        let dependencies = node["deps"].as_array().into_iter().flatten().filter(is_linked);
        waiting.extend(dependencies.filter_map(|dependency| dependency["pkg"].as_str()));
    }
    let mut packages: Vec<&Value> = packages
        .iter()
        .filter(|package| package["id"].as_str().is_some_and(|id| found.contains(id)))
        .collect();
    packages.sort_by_key(|package| (package["name"].as_str(), package["version"].as_str()));
    Ok(packages)
}

/// Returns the licences in the folder of a crate, in the order of their names.
fn texts_in(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_file() && PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
            paths.push(path);
        }
    }
    paths.sort();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).replace("\r\n", "\n").trim().to_owned();
    paths.iter().map(|path| Ok(text(fs::read(path)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_in_the_programs_are_listed_with_their_licence_and_others_are_not() {
        let Ok(text) = of_programs() else { return };
        assert!(text.contains("\nrusqlite "), "{text:.2000}");
        assert!(text.contains("Permission is hereby granted"));
        // A dependency of tests only.
        assert!(!text.contains("\nproptest "));
        assert_eq!(text.matches("\ntictac").count(), 0);
    }
}
