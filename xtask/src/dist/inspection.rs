//! Using the artefacts as a user would: unpacking them, and running each program where there is nothing else.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, ensure};

use super::debian::PACKAGE;
use crate::cargo::{empty_folder, run};
use crate::empty_root::RootChanger;
use crate::soak::gradescope::pack;
use crate::static_build::PROGRAMS;
use crate::trial::{TRIALS, Trial};

/// The grader starts a program in its own root, where it needs a folder for temporary files.
const GRADING: Trial =
    Trial::new(&["tictac", "grade", "game-check", "/bin/game-check"], "", "100 of 100 points");

/// Unpacks the archive and runs every program in an empty root. Also packs an autograder.
pub(super) fn check_archive(archive: &Path, name: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let folder = empty_folder("dist-trial")?;
    run(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&folder))?;
    let unpacked = folder.join(name);
    check_scripts(&unpacked, out)?;
    pack(&unpacked.join("bin/tictac"), &folder.join("autograder.zip"))?;
    fs::create_dir(unpacked.join("tmp"))?;
    let Some(enter) = RootChanger::find(&unpacked) else {
        writeln!(out, "dist: SKIPPED the empty root, because this user may not change the root folder")?;
        return Ok(());
    };
    for trial in TRIALS.iter().chain([&GRADING]) {
        let start = |program: &str, arguments: &[&str]| {
            let program = format!("/bin/{program}");
            let words: Vec<&str> = [program.as_str()].into_iter().chain(arguments.iter().copied()).collect();
            let mut command = enter.command(&unpacked, &words);
            // The path is only for the program that changes the root.
            command.env_clear().env("PATH", env::var_os("PATH").unwrap_or_default());
            command
        };
        trial.run(start).context("in an empty root")?;
    }
    writeln!(out, "dist: all {} programs work in an empty root", PROGRAMS.len())?;
    fs::remove_dir_all(&folder)?;
    Ok(())
}

/// Asks the shells that are installed whether they can read their completions.
fn check_scripts(unpacked: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    for (shell, path) in super::COMPLETIONS {
        match Command::new(shell).arg("-n").arg(unpacked.join(path)).status() {
            Ok(status) => ensure!(status.success(), "{shell} cannot read {path}"),
            Err(_) => {
                writeln!(out, "dist: the completions for {shell} were not read, because it is missing")?;
            }
        }
    }
    Ok(())
}

/// Unpacks the Debian package with Debian's own tool, where there is one.
pub(super) fn check_package(package: &Path, programs: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let folder = empty_folder("dist-package")?;
    let unpacked = Command::new("dpkg-deb").arg("--extract").arg(package).arg(&folder).status();
    let Ok(unpacked) = unpacked else {
        writeln!(out, "dist: SKIPPED the test of the Debian package, because dpkg-deb is missing")?;
        return Ok(());
    };
    ensure!(unpacked.success(), "dpkg-deb cannot read {}", package.display());
    for name in PROGRAMS {
        let installed = fs::read(folder.join("usr/bin").join(name)).context(name)?;
        ensure!(installed == fs::read(programs.join(name))?, "{name} in the package is another program");
    }
    check_service(&folder, out)?;
    let documents = folder.join("usr/share/doc").join(PACKAGE);
    ensure!(documents.join("copyright").exists(), "the package has no file of licences");
    fs::remove_dir_all(&folder)?;
    Ok(())
}

/// Lets systemd check the service of the package, and the paths in it.
fn check_service(folder: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let verify = ["verify", "--man=no", "--recursive-errors=no", "--root"];
    let checked = Command::new("systemd-analyze").args(verify).arg(folder).arg("tictac.service").output();
    let Ok(checked) = checked else {
        writeln!(out, "dist: SKIPPED the test of the service, because systemd-analyze is missing")?;
        return Ok(());
    };
    let complaints = String::from_utf8_lossy(&checked.stderr);
    ensure!(checked.status.success() && complaints.is_empty(), "systemd-analyze: {complaints}");
    Ok(())
}
