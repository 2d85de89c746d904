//! The second checker of certificates, `verify/verify.py`, on the certificates of the repository.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use crate::cargo::{output, root, run};

/// The step of CI: the second checker on every certificate of the repository, or a clear word where there is no Python.
pub(crate) fn run_in_ci(out: &mut impl Write) -> anyhow::Result<()> {
    if output(Command::new("python3").arg("--version")).is_err() {
        writeln!(out, "certificates: SKIPPED, because there is no python3; the second checker was not run")?;
        return Ok(());
    }
    run(second_checker().args(small_certificates()?))
}

/// Returns the command that starts the second checker.
fn second_checker() -> Command {
    let mut command = Command::new("python3");
    command.current_dir(root()).arg("verify/verify.py");
    command
}

/// Returns the certificates that are part of the repository, in the order of their names.
fn small_certificates() -> anyhow::Result<Vec<PathBuf>> {
    let folder = PathBuf::from("games/certificates");
    let mut files: Vec<PathBuf> = fs::read_dir(root().join(&folder))?
        .map(|entry| Ok(folder.join(entry?.file_name())))
        .collect::<anyhow::Result<_>>()?;
    files.sort();
    Ok(files)
}
