//! Runs the program inside bubblewrap: no network, a read-only file system, and no process survives the run.

use std::path::Path;
use std::process::{Command, Stdio};

use super::os_reason;

/// Checks that bubblewrap works; returns why it cannot be used.
pub(crate) fn check_sandbox() -> Result<(), String> {
    let trial = command(Path::new("/bin/true"), &std::env::temp_dir()).stdin(Stdio::null()).output();
    let trial = trial.map_err(|error| {
        let why = os_reason(&error);
        format!("cannot start bwrap ({why}); install bubblewrap, or grade without --sandbox")
    })?;
    if trial.status.success() {
        return Ok(());
    }
    // The system may not let it create its namespaces.
    let message = String::from_utf8_lossy(&trial.stderr);
    let why = Some(message.trim()).filter(|why| !why.is_empty()).map(str::to_owned);
    let why = why.unwrap_or_else(|| trial.status.to_string());
    Err(format!("bwrap does not work on this system ({why}); grade without --sandbox"))
}

/// Returns a command that runs `program` inside the sandbox, where only `folder` is writable.
pub(super) fn command(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new("bwrap");
    command
        .args(["--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/", "/"])
        .args(["--proc", "/proc", "--dev", "/dev", "--bind"])
        .args([folder, folder])
        .arg("--chdir")
        .arg(folder)
        .arg("--")
        .arg(program);
    command
}
