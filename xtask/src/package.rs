//! `cargo xtask package`: checks which files each crate publishes, and that it has the description that a registry shows.

use std::io::Write;

use anyhow::{Context, bail};
use serde_json::Value;

use crate::cargo::{cargo, metadata, printed, run};

/// The crates in the order in which they can be published: each after those it depends on.
pub(crate) const PUBLISHED: [&str; 9] = [
    "tictac",
    "tictac-proof",
    "tictac-solver",
    "tictac-archive",
    "tictac-programs",
    "tictac-grader",
    "tictac-tui",
    "tictac-server",
    "tictac-cli",
];

/// Files that every package has; cargo generates the first two.
const REQUIRED: [&str; 6] =
    ["Cargo.toml", "Cargo.lock", "Cargo.toml.orig", "README.md", "LICENSE-APACHE", "LICENSE-MIT"];
/// Folders and files that some packages have: code, and data that it embeds.
const OPTIONAL: [&str; 6] =
    ["src/", "examples/", "page/", "assignments/", "openapi.json", ".cargo_vcs_info.json"];
/// The registry accepts at most this many keywords and this many categories.
const MAX_WORDS: usize = 5;

/// How much is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    /// The list of files and the description of each package (seconds).
    Contents,
    /// Also that each package builds from its files alone, as `cargo publish --dry-run` does (minutes).
    Build,
}

/// Checks all packages.
pub(crate) fn check(check: Check, out: &mut impl Write) -> anyhow::Result<()> {
    let metadata = metadata()?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        // `publish = false` is an empty list of registries.
        let is_published = package["publish"].is_null();
        if is_published != PUBLISHED.contains(&name) {
            bail!("{name}: package.rs and `publish` in its Cargo.toml disagree");
        }
        if is_published {
            let files = printed(&mut cargo(["package", "--list", "--allow-dirty", "-p", name]))?;
            let problems = [described_badly(package), listed_badly(&files)].concat();
            if !problems.is_empty() {
                bail!("{name}: {}", problems.join("; "));
            }
            writeln!(out, "{name}: {} files", files.lines().count())?;
        }
    }
    if check == Check::Build {
        let names = PUBLISHED.iter().flat_map(|name| ["-p", name]);
        run(&mut cargo(["package", "--allow-dirty"].into_iter().chain(names)))?;
    }
    Ok(())
}

/// Returns what is missing in the description of a package, as `cargo metadata` gives it.
fn described_badly(package: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    for field in ["description", "license", "readme", "repository", "rust_version"] {
        if package[field].as_str().is_none_or(str::is_empty) {
            problems.push(format!("{field} is missing"));
        }
    }
    for field in ["keywords", "categories"] {
        let n_words = package[field].as_array().map_or(0, Vec::len);
        if !(1..=MAX_WORDS).contains(&n_words) {
            problems.push(format!("{n_words} {field}: a registry accepts 1 to {MAX_WORDS}"));
        }
    }
    if package["metadata"]["docs"]["rs"].is_null() {
        problems.push("[package.metadata.docs.rs] is missing".to_owned());
    }
    problems
}

/// Returns what is missing or superfluous in the list of files of a package.
fn listed_badly(files: &str) -> Vec<String> {
    let has = |wanted: &str| files.lines().any(|file| file == wanted);
    let missing = REQUIRED.iter().filter(|wanted| !has(wanted)).map(|wanted| format!("{wanted} is missing"));
    let is_expected = |file: &str| {
        REQUIRED.contains(&file) || OPTIONAL.iter().any(|part| file == *part || file.starts_with(part))
    };
    let superfluous = files.lines().filter(|file| !is_expected(file));
    missing.chain(superfluous.map(|file| format!("{file} should not be published"))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn data_for_tests_are_not_published() {
        let files = REQUIRED.join("\n");
        assert_eq!(listed_badly(&format!("{files}\nsrc/lib.rs\npage/app.js\n")), [""; 0]);
        let found = listed_badly(&format!("{files}\ntests/it/main.rs\nsrc/lib.rs"));
        assert_eq!(found, ["tests/it/main.rs should not be published"]);
        assert_eq!(listed_badly(&files.replace("LICENSE-MIT", "src/main.rs")), ["LICENSE-MIT is missing"]);
    }

    #[test]
    fn a_package_describes_itself() {
        let mut package = json!({
            "description": "a", "license": "MIT", "readme": "README.md", "repository": "b", "rust_version": "1",
            "keywords": ["a"], "categories": ["b"], "metadata": { "docs": { "rs": {} } },
        });
        assert_eq!(described_badly(&package), [""; 0]);
        package["keywords"] = json!([]);
        package["readme"] = Value::Null;
        assert_eq!(described_badly(&package), ["readme is missing", "0 keywords: a registry accepts 1 to 5"]);
    }
}
