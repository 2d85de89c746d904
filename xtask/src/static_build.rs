//! The programs that we distribute: linked statically, and the same bytes whatever folder they are built in.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::cargo::{cargo, printed, root, run, target_directory};

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
fn replaced_paths() -> anyhow::Result<[(PathBuf, String); 3]> {
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let default = || env::home_dir().map(|home| home.join(".cargo"));
    let cargo_home = cargo_home.or_else(default).context("cargo has no home folder")?;
    // Rustc gives the files of the standard library this name itself, unless their sources are installed.
    let library = format!("/rustc/{}", rustc_field("commit-hash")?);
    let sysroot = printed(Command::new("rustc").args(["--print", "sysroot"]))?;
    let sources = Path::new(&sysroot).join("lib/rustlib/src/rust");
    Ok([(cargo_home, "/cargo".to_owned()), (root().to_owned(), "/tictac".to_owned()), (sources, library)])
}

/// Returns the target that this machine builds for.
pub(crate) fn host_target() -> anyhow::Result<String> {
    let host = rustc_field("host")?;
    ensure!(
        host.starts_with("x86_64") && host.ends_with("linux-gnu"),
        "static programs are built on x86-64 Linux with glibc, not on {host}"
    );
    Ok(host)
}

/// Returns what rustc says about itself under this name.
fn rustc_field(name: &str) -> anyhow::Result<String> {
    let version = printed(Command::new("rustc").arg("-vV"))?;
    let field = version.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    Ok(field.with_context(|| format!("rustc names no {name}"))?.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Sources of the standard library are an optional part of the toolchain; where they are missing, this always holds.
    #[test]
    fn a_program_does_not_contain_the_folder_of_the_toolchain() {
        let folder = env::temp_dir().join(format!("tictac-flags-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let source = "pub fn insert(map: &mut std::collections::BTreeMap<u8, u8>) { map.insert(1, 2); }";
        fs::write(folder.join("a.rs"), source).unwrap();
        let flags = encoded_flags(&["--crate-type=lib", "--emit=obj"]).unwrap();
        let flags = flags.split('\u{1f}');
        let compiled = run(Command::new("rustc").current_dir(&folder).arg("a.rs").args(flags));
        let object = fs::read(folder.join("a.o"));
        fs::remove_dir_all(&folder).unwrap();
        compiled.unwrap();
        let object = String::from_utf8_lossy(&object.unwrap()).into_owned();
        assert!(object.contains("entry.rs"), "the program contains no path");
        assert!(!object.contains("rustlib"));
    }
}
