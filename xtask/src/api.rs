//! `cargo xtask api`: the public interface of each library as a list, so that a review sees every change of it.

use std::fs;
use std::io::Write;

use anyhow::{Context, bail};

use crate::cargo::{cargo_line, has_subcommand, output, root};

const LIBRARIES: [&str; 3] = ["tictac", "tictac-proof", "tictac-solver"];
/// The form of the listing depends on the tool, so everyone uses the same one.
const TOOL: &str = "cargo-public-api 0.52";

/// What to do with the listing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listing {
    /// Fail if the committed listing is not the current interface.
    Check,
    /// Replace the committed listing.
    Write,
}

/// The step of CI: compares the listing if the tool is installed, which takes minutes to build.
pub(crate) fn run_in_ci(out: &mut impl Write) -> anyhow::Result<()> {
    if has_subcommand("public-api") {
        return run(Listing::Check, out);
    }
    writeln!(
        out,
        "interface: SKIPPED, because {TOOL} is not installed; changes of the interface are not seen"
    )?;
    Ok(())
}

/// Compares the listings with the interfaces, or writes them.
pub(crate) fn run(listing: Listing, out: &mut impl Write) -> anyhow::Result<()> {
    for library in LIBRARIES {
        let current = current(library)?;
        let path = format!("crates/{library}/public-api.txt");
        if listing == Listing::Write {
            fs::write(root().join(&path), &current)?;
        } else {
            let committed =
                fs::read_to_string(root().join(&path)).with_context(|| format!("cannot read {path}"))?;
            let changes = changes(&committed, &current);
            if !changes.is_empty() {
                bail!(
                    "the public interface of {library} has changed; if that is meant, run `cargo xtask api --write` and see CONTRIBUTING.md, Versions:\n{}",
                    changes.join("\n")
                );
            }
        }
        writeln!(out, "{path}: {} items", current.lines().count())?;
    }
    Ok(())
}

fn current(library: &str) -> anyhow::Result<String> {
    if !has_subcommand("public-api") {
        bail!("this needs {TOOL}: cargo install 'cargo-public-api@^0.52' --locked");
    }
    // The JSON of rustdoc is unstable. The tool uses a nightly toolchain if there is one; this variable lets a stable one write it.
    let list = "public-api --all-features --simplified --omit blanket-impls,auto-trait-impls -p";
    String::from_utf8(output(cargo_line(list).arg(library).env("RUSTC_BOOTSTRAP", "1"))?)
        .context("the listing is not UTF-8")
}

/// Returns the lines that were removed and those that were added, in the form of a diff.
fn changes(old: &str, new: &str) -> Vec<String> {
    let only_in = |text: &str, other: &str, sign: char| -> Vec<String> {
        let other: std::collections::BTreeSet<&str> = other.lines().collect();
        text.lines().filter(|line| !other.contains(line)).map(|line| format!("{sign}{line}")).collect()
    };
    [only_in(old, new, '-'), only_in(new, old, '+')].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_as_what_was_and_what_is() {
        assert_eq!(
            changes("fn a()\nfn b()\n", "fn a()\nfn b(x: u8)\nfn c()\n"),
            ["-fn b()", "+fn b(x: u8)", "+fn c()"]
        );
        assert_eq!(changes("fn a()\n", "fn a()\n"), [""; 0]);
    }
}
