//! Running cargo and other programs at the root of the repository.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, bail};

/// Returns the root of the repository, where every task runs.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the repository")
}

/// Returns a command for the cargo that started this task.
pub(crate) fn cargo<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(arguments);
    command
}

/// Returns a command for cargo from its arguments, separated by spaces.
pub(crate) fn cargo_line(line: &str) -> Command {
    cargo(line.split(' '))
}

/// Runs cargo with arguments that are separated by spaces.
pub(crate) fn run_cargo(line: &str) -> anyhow::Result<()> {
    run(&mut cargo_line(line))
}

/// Runs a command and fails unless it exits with status 0.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let line = command_line(command);
    let status = command.status().with_context(|| format!("cannot run `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Runs a command and returns its standard output.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let line = command_line(command);
    let output = command.output().with_context(|| format!("cannot run `{line}`"))?;
    if !output.status.success() {
        bail!("`{line}` failed ({}): {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(output.stdout)
}

/// Runs a command and returns its standard output as text, without blanks at the ends.
pub(crate) fn printed(command: &mut Command) -> anyhow::Result<String> {
    Ok(String::from_utf8(output(command)?)?.trim().to_owned())
}

/// Builds `packages` with the `dist` profile, which users get and benchmarks measure, and returns the folder of the programs.
pub(crate) fn build_dist(packages: &[&str]) -> anyhow::Result<PathBuf> {
    let packages = packages.iter().flat_map(|package| ["-p", package]);
    run(&mut cargo(["build", "--quiet", "--profile", "dist"].into_iter().chain(packages)))?;
    Ok(target_directory()?.join("dist"))
}

/// Where the programs under test come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Programs {
    /// Build them first.
    Build,
    /// Use those that `cargo test --workspace` has built. Building them alone would select other features of their dependencies
    /// and compile many of those again.
    BuiltByTests,
}

impl Programs {
    /// Returns the folder of the command and of the course programs.
    pub(crate) fn folder(self) -> anyhow::Result<PathBuf> {
        if self == Programs::Build {
            run_cargo("build --quiet -p tictac-cli -p tictac-programs --bins")?;
        }
        Ok(target_directory()?.join("debug"))
    }
}

/// Returns `cargo metadata` for the workspace.
pub(crate) fn metadata() -> anyhow::Result<serde_json::Value> {
    metadata_in(root())
}

/// Returns `cargo metadata` for the workspace in another folder.
pub(crate) fn metadata_in(folder: &Path) -> anyhow::Result<serde_json::Value> {
    let mut command = cargo(["metadata", "--format-version", "1", "--no-deps"]);
    let json = output(command.current_dir(folder))?;
    serde_json::from_slice(&json).context("cargo metadata printed no JSON")
}

/// Returns the build folder.
pub(crate) fn target_directory() -> anyhow::Result<PathBuf> {
    let metadata = metadata()?;
    let folder = metadata["target_directory"].as_str().context("cargo metadata names no target directory")?;
    Ok(folder.into())
}

/// Returns a folder below the build folder, without anything in it.
pub(crate) fn empty_folder(name: &str) -> anyhow::Result<PathBuf> {
    let folder = target_directory()?.join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Returns the path of the first of these programs that is installed.
pub(crate) fn find_program(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let mut paths = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    paths.find(|path| path.is_file())
}

pub(crate) fn is_installed(program: &str) -> bool {
    find_program(&[program]).is_some()
}

/// Returns whether cargo has a subcommand, such as `deny`.
pub(crate) fn has_subcommand(name: &str) -> bool {
    output(&mut cargo([name, "--version"])).is_ok()
}

/// Returns a command as the user would type it.
fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = [program].into_iter().chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
