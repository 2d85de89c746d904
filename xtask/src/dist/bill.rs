//! Bills of materials: every crate in the programs, or in the wheel, with its version, licence and check sum, in the JSON of
//! `CycloneDX`.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use crate::cargo::{cargo, has_subcommand, metadata, output, root};
use crate::static_build::{Quality, host_target};

/// The crate of the command. It depends on all others, the course programs included.
pub(super) const COMMAND: &str = "tictac-cli";

/// Crates that a bill without a fault contains.
const IN_PROGRAMS: [&str; 3] = ["tictac", "tictac-programs", "rusqlite"];
const IN_WHEEL: [&str; 3] = ["tictac-solver", "tictac-archive", "pyo3"];

/// Returns whether cargo-cyclonedx is there; without it, only a quick build goes on.
pub(super) fn check_tool(quality: Quality, out: &mut impl Write) -> anyhow::Result<bool> {
    let is_there = has_subcommand("cyclonedx");
    if !is_there && quality == Quality::Dist {
        bail!("cargo-cyclonedx is missing: cargo install cargo-cyclonedx --locked");
    }
    if !is_there {
        writeln!(out, "dist: SKIPPED the bill of materials, because cargo-cyclonedx is missing")?;
    }
    Ok(is_there)
}

/// Writes the bill of all programs to `path`.
pub(super) fn write(path: &Path, time: u64) -> anyhow::Result<()> {
    let name = "bill-of-materials";
    let written = write_all(root(), name, time);
    let mut bill = None;
    for package in metadata()?["packages"].as_array().context("cargo metadata names no packages")? {
        let manifest = package["manifest_path"].as_str().context("a package without a manifest")?;
        let file = Path::new(manifest).with_file_name(format!("{name}.json"));
        if package["name"] == COMMAND {
            bill = fs::read_to_string(&file).ok();
        }
        let _ = fs::remove_file(&file);
    }
    written?;
    let bill = bill.context("cargo-cyclonedx wrote no bill")?;
    Ok(fs::write(path, finished(&bill, root(), &IN_PROGRAMS)?)?)
}

/// Writes the bill of the wheel into the folder of its sources, and names it in `pyproject.toml`, so that maturin packs it.
pub(super) fn add_to_wheel(sources: &Path, time: u64) -> anyhow::Result<()> {
    let name = "tictac-python.cyclonedx";
    write_all(sources, name, time)?;
    let path = sources.join(format!("{name}.json"));
    let bill = fs::read_to_string(&path).context("cargo-cyclonedx wrote no bill of the wheel")?;
    fs::write(&path, finished(&bill, sources, &IN_WHEEL)?)?;
    // The last section is the one about bills.
    let mut project = OpenOptions::new().append(true).open(sources.join("pyproject.toml"))?;
    Ok(writeln!(project, "include = [\"{name}.json\"]")?)
}

/// Lets the tool write a file `name.json` into the folder of every crate of a workspace.
fn write_all(workspace: &Path, name: &str, time: u64) -> anyhow::Result<()> {
    let mut command = cargo(["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5"]);
    command.args(["--override-filename", name, "--target", &host_target()?]);
    output(command.current_dir(workspace).env("SOURCE_DATE_EPOCH", time.to_string())).map(drop)
}

/// Returns a bill without the folder that it was written in, after checking it.
fn finished(bill: &str, folder: &Path, expected: &[&str]) -> anyhow::Result<String> {
    let bill = without_folder(bill, folder);
    check(&serde_json::from_str(&bill).context("the bill is not JSON")?, expected)?;
    Ok(bill)
}

/// Replaces the folder of the workspace, with which the identifiers of our own crates begin.
fn without_folder(bill: &str, folder: &Path) -> String {
    bill.replace(&folder.display().to_string(), "/tictac")
}

/// Checks that the bill has what its readers need: components with versions and licences.
fn check(bill: &Value, expected: &[&str]) -> anyhow::Result<()> {
    ensure!(bill["bomFormat"] == "CycloneDX", "the bill has another format");
    let components = bill["components"].as_array().context("the bill has no components")?;
    for component in components {
        let name = &component["name"];
        ensure!(component["version"].is_string(), "{name} has no version");
        ensure!(component["licenses"].is_array(), "{name} has no licence");
    }
    for name in expected {
        ensure!(
            components.iter().any(|component| component["name"] == *name),
            "{name} is missing in the bill"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bill_does_not_name_the_folder_of_the_build() {
        let bill = r#"{"bom-ref":"path+file:///somewhere/tictac/crates/tictac-cli#0.1.0"}"#;
        let expected = r#"{"bom-ref":"path+file:///tictac/crates/tictac-cli#0.1.0"}"#;
        assert_eq!(without_folder(bill, Path::new("/somewhere/tictac")), expected);
    }

    #[test]
    fn a_component_without_a_licence_is_found() {
        let component = |name: &str| serde_json::json!({"name": name, "version": "1.0.0", "licenses": []});
        let mut bill =
            serde_json::json!({"bomFormat": "CycloneDX", "components": IN_PROGRAMS.map(component).to_vec()});
        check(&bill, &IN_PROGRAMS).unwrap();
        bill["components"][1]["licenses"] = Value::Null;
        assert_eq!(check(&bill, &IN_PROGRAMS).unwrap_err().to_string(), "\"tictac-programs\" has no licence");
        bill["components"] = serde_json::json!([component("tictac")]);
        assert_eq!(
            check(&bill, &IN_PROGRAMS).unwrap_err().to_string(),
            "tictac-programs is missing in the bill"
        );
    }
}
