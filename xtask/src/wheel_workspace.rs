//! A copy of the Python package and the crates that it uses as one workspace, so that the wheel of a release is the same
//! bytes whatever folder it is built in.
//!
//! `python/` is a workspace of its own, and the crates that it uses lie outside of it. Cargo hashes the absolute path of
//! such a crate into its symbols; inside of a workspace, it hashes the path from there.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cargo::{cargo, output, root, target_directory};
use crate::tree::Tree;

/// Added to `pyproject.toml`: the bill of materials that maturin writes contains the folder of the build.
const WITHOUT_BILL: &str = "\n[tool.maturin.sbom]\nrust = false\n";

/// Writes the workspace below the build folder and returns its folder. It has no bill of materials yet.
pub(crate) fn create() -> anyhow::Result<PathBuf> {
    create_in("wheel")
}

fn create_in(name: &str) -> anyhow::Result<PathBuf> {
    let folder = target_directory()?.join(name);
    write(&Tree::read(root())?, &folder)?;
    Ok(folder)
}

/// Checks without building anything that the workspace can be built with exactly the crates of `python/Cargo.lock`.
pub(crate) fn check() -> anyhow::Result<()> {
    let mut command = cargo(["tree", "--locked"]);
    // A release may be built at the same time.
    output(command.current_dir(create_in("wheel-check")?))
        .context("the wheel of a release cannot be built")
        .map(drop)
}

fn write(tree: &Tree, folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let shared = tree.text("Cargo.toml").context("Cargo.toml is missing")?;
    for (path, content) in tree.files() {
        let Some(copy) = path.strip_prefix("python/").or(path.starts_with("crates/").then_some(path)) else {
            continue;
        };
        let content = match str::from_utf8(content) {
            Ok(text) if path == "python/Cargo.toml" => Cow::Owned(package_manifest(text, shared).into()),
            Ok(text) if path == "python/pyproject.toml" => Cow::Owned([text, WITHOUT_BILL].concat().into()),
            Ok(text) if path.ends_with("/Cargo.toml") => Cow::Owned(crate_manifest(text).into()),
            _ => Cow::Borrowed(content),
        };
        let copy = folder.join(copy);
        fs::create_dir_all(copy.parent().context("a file lies in a folder")?)?;
        fs::write(&copy, content).with_context(|| format!("cannot write {}", copy.display()))?;
    }
    Ok(())
}

/// Returns the manifest of the Python package at the root of the workspace, with what the crates inherit from `shared`, the
/// manifest of the repository. The profile stays that of the package.
fn package_manifest(package: &str, shared: &str) -> String {
    let inherited = sections(shared).filter(|section| section.starts_with("[workspace."));
    package.replace("\"../crates/", "\"crates/") + "\n" + &inherited.collect::<String>()
}

/// Returns the manifest of a crate without what only its tests need, which `python/Cargo.lock` does not name.
fn crate_manifest(manifest: &str) -> String {
    sections(manifest).filter(|section| !section.starts_with("[dev-dependencies")).collect()
}

/// Returns the parts of a manifest, each with its heading.
fn sections(manifest: &str) -> impl Iterator<Item = &str> {
    let starts = manifest.match_indices("\n[").map(|(at, _)| at + 1).chain([manifest.len()]);
    starts.scan(0, |start, end| Some(&manifest[std::mem::replace(start, end)..end]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::metadata_in;

    #[test]
    fn a_manifest_is_split_at_its_headings() {
        let manifest = "[package]\nkeywords = [\n\"a\"]\n\n# Why.\n[[test]]\nname = \"b\"\n[lints]\n";
        let parts: Vec<&str> = sections(manifest).collect();
        assert_eq!(
            parts,
            ["[package]\nkeywords = [\n\"a\"]\n\n# Why.\n", "[[test]]\nname = \"b\"\n", "[lints]\n"]
        );
    }

    /// The lock file is checked by [`check`], which needs the crates of the Python package.
    #[test]
    fn cargo_finds_all_our_crates_inside_of_the_workspace_and_nothing_for_tests() {
        let folder = std::env::temp_dir().join(format!("tictac-wheel-{}", std::process::id()));
        write(&Tree::read(root()).unwrap(), &folder).unwrap();
        let metadata = metadata_in(&folder);
        fs::remove_dir_all(&folder).unwrap();
        let metadata = metadata.unwrap();
        // Not `folder`, which may be a symbolic link.
        let workspace = Path::new(metadata["workspace_root"].as_str().unwrap());
        let mut names = Vec::new();
        for package in metadata["packages"].as_array().unwrap() {
            names.push(package["name"].as_str().unwrap());
            for dependency in package["dependencies"].as_array().unwrap() {
                assert_ne!(dependency["kind"], "dev", "{dependency}");
                let path = dependency["path"].as_str().map_or(workspace, Path::new);
                assert!(path.starts_with(workspace), "{dependency}");
            }
        }
        names.sort_unstable();
        assert_eq!(names, ["tictac", "tictac-archive", "tictac-proof", "tictac-python", "tictac-solver"]);
    }
}
