//! The programs that we distribute: linked statically, and the same bytes whatever folder they are built in.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::cargo::{cargo, output, root, run, target_directory};

/// All programs of the repository that users run.
pub(crate) const PROGRAMS: [&str; 6] = ["game-check", "lab3", "move-check", "notakto", "tictac", "tictactoe"];

/// How much the programs are optimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quality {
    /// Not at all, to test how the programs are packed.
    Quick,
    /// The profile `dist`, which takes minutes.
    Dist,
}

/// Builds [`PROGRAMS`] and returns the folder that they are in.
pub(crate) fn build(quality: Quality) -> anyhow::Result<PathBuf> {
    let (profile, folder) = match quality {
        Quality::Quick => ("dev", "debug"),
        Quality::Dist => ("dist", "dist"),
    };
    let target = host_target()?;
    // The flag for static programs applies only to programs if a target is named; otherwise it would also apply to macros,
    // which are dynamic libraries.
    run(cargo(["build", "--quiet", "--locked", "--profile", profile, "--target", &target])
        .args(["-p", "tictac-cli", "-p", "tictac-programs", "--bins"])
        .env("CARGO_ENCODED_RUSTFLAGS", encoded_flags(&["-C", "target-feature=+crt-static"])?)
        .env(format!("CFLAGS_{}", target.replace('-', "_")), c_flags()?))?;
    Ok(target_directory()?.join(&target).join(folder))
}

/// Returns flags for rustc, in the form that cargo takes from its environment, that keep the paths of this machine out of
/// the programs.
pub(crate) fn encoded_flags(others: &[&str]) -> anyhow::Result<String> {
    let remapped = replaced_paths()?
        .map(|(path, name)| format!("--remap-path-prefix={}={name}", path.display()))
        .into_iter();
    let flags: Vec<String> = others.iter().map(|&flag| flag.to_owned()).chain(remapped).collect();
    Ok(flags.join("\u{1f}"))
}

/// Returns the same for the C compiler, which builds SQLite.
fn c_flags() -> anyhow::Result<String> {
    let flags = replaced_paths()?.map(|(path, name)| format!("-ffile-prefix-map={}={name}", path.display()));
    Ok(flags.join(" "))
}

/// Returns the folders whose names depend on the machine, and what they are called in a program.
pub(crate) fn replaced_paths() -> anyhow::Result<[(PathBuf, &'static str); 2]> {
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let default = || env::home_dir().map(|home| home.join(".cargo"));
    let cargo_home = cargo_home.or_else(default).context("cargo has no home folder")?;
    Ok([(cargo_home, "/cargo"), (Path::to_path_buf(root()), "/tictac")])
}

/// Returns the target that this machine builds for.
pub(crate) fn host_target() -> anyhow::Result<String> {
    let version = output(Command::new("rustc").arg("-vV"))?;
    let version = String::from_utf8_lossy(&version);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    ensure!(
        host.starts_with("x86_64") && host.ends_with("linux-gnu"),
        "static programs are built on x86-64 Linux with glibc, not on {host}"
    );
    Ok(host.to_owned())
}
