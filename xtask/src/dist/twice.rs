//! Whether two builds in two folders are the same bytes.

use std::fs;
use std::io::Write;
use std::process::Command;

use anyhow::ensure;

use super::{build, file_names, git};
use crate::cargo::{cargo, root, run, target_directory};
use crate::static_build::Quality;

/// Builds the last commit here and in a fresh copy of the repository, whose folder has a name of another length, and compares all artefacts.
pub(crate) fn build_twice(quality: Quality, out: &mut impl Write) -> anyhow::Result<()> {
    let changes = git(&["status", "--porcelain"])?;
    ensure!(changes.is_empty(), "the copy would not contain what is not committed:\n{changes}");
    let folder = target_directory()?.join("twice");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let artefacts = [build(quality, out)?, folder.join("target/artefacts")];
    writeln!(out, "dist: building again in {} …", folder.display())?;
    out.flush()?;
    run(Command::new("git").args(["clone", "--quiet"]).arg(root()).arg(&folder))?;
    let mut again = cargo(["run", "--quiet", "--package", "xtask", "--", "dist"]);
    if quality == Quality::Quick {
        again.arg("--quick");
    }
    run(again.current_dir(&folder).env_remove("CARGO_TARGET_DIR"))?;
    let [names, others] = [file_names(&artefacts[0])?, file_names(&artefacts[1])?];
    ensure!(names == others, "one build has {names:?}, the other one {others:?}");
    for name in &names {
        let [bytes, others] = [fs::read(artefacts[0].join(name))?, fs::read(artefacts[1].join(name))?];
        ensure!(
            bytes == others,
            "{name} is different in {} and {}",
            artefacts[0].display(),
            artefacts[1].display()
        );
    }
    writeln!(out, "dist: {} are the same bytes in two folders", names.join(", "))?;
    fs::remove_dir_all(&folder)?;
    Ok(())
}
