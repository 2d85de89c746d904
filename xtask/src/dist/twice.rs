//! Whether two builds in two folders are the same bytes.

use std::fs;
use std::io::Write;
use std::process::Command;

use anyhow::{bail, ensure};

use super::file_names;
use crate::cargo::{cargo, root, run, target_directory};
use crate::static_build::Quality;

/// Two folders whose names differ in length, which shows more than two names of one length would.
const FOLDERS: [&str; 2] = ["one", "the-other-one"];

/// Builds the last commit in two fresh copies of the repository, and compares all artefacts.
pub(crate) fn build_twice(quality: Quality, out: &mut impl Write) -> anyhow::Result<()> {
    let work = target_directory()?.join("twice");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    let folders = FOLDERS.map(|name| work.join(name));
    for folder in &folders {
        writeln!(out, "dist: building in {} …", folder.display())?;
        out.flush()?;
        run(Command::new("git").args(["clone", "--quiet"]).arg(root()).arg(folder))?;
        let mut build = cargo(["run", "--quiet", "--package", "xtask", "--", "dist"]);
        if quality == Quality::Quick {
            build.arg("--quick");
        }
        run(build.current_dir(folder).env_remove("CARGO_TARGET_DIR"))?;
    }
    let artefacts = folders.map(|folder| folder.join("target/artefacts"));
    let [names, others] = [file_names(&artefacts[0])?, file_names(&artefacts[1])?];
    ensure!(names == others, "one build has {names:?}, the other one {others:?}");
    for name in &names {
        let [bytes, others] = [fs::read(artefacts[0].join(name))?, fs::read(artefacts[1].join(name))?];
        if bytes != others {
            bail!("{name} is different in {} and {}", artefacts[0].display(), artefacts[1].display());
        }
    }
    writeln!(out, "dist: {} are the same bytes in two folders", names.join(", "))?;
    fs::remove_dir_all(&work)?;
    Ok(())
}
