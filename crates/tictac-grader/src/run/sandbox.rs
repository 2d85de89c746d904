//! Runs the program inside bubblewrap.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A working bubblewrap: no network, a read-only file system, and no process survives the run.
#[derive(Clone, Debug)]
pub struct Sandbox {
    bwrap: PathBuf,
}

/// Why bubblewrap cannot be used.
#[derive(Debug)]
pub enum NoSandbox {
    /// It cannot be started.
    NotInstalled(io::Error),
    /// It is installed, but the system does not let it create its namespaces.
    NotAllowed(String),
}

impl fmt::Display for NoSandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSandbox::NotInstalled(error) => {
                write!(f, "cannot start bwrap ({error}); install bubblewrap, or grade without --sandbox")
            }
            NoSandbox::NotAllowed(why) => {
                write!(f, "bwrap does not work on this system ({why}); grade without --sandbox")
            }
        }
    }
}

impl std::error::Error for NoSandbox {}

impl Sandbox {
    /// Checks that bubblewrap works.
    ///
    /// # Errors
    ///
    /// Returns why it cannot be used.
    pub fn find() -> Result<Sandbox, NoSandbox> {
        let sandbox = Sandbox { bwrap: "bwrap".into() };
        let trial = sandbox
            .command(Path::new("/bin/true"), &std::env::temp_dir())
            .stdin(Stdio::null())
            .output()
            .map_err(NoSandbox::NotInstalled)?;
        if trial.status.success() {
            return Ok(sandbox);
        }
        let why = String::from_utf8_lossy(&trial.stderr).trim().to_owned();
        Err(NoSandbox::NotAllowed(if why.is_empty() { trial.status.to_string() } else { why }))
    }

    /// Returns a command that runs `program` inside the sandbox, where only `folder` is writable.
    pub(super) fn command(&self, program: &Path, folder: &Path) -> Command {
        let mut command = Command::new(&self.bwrap);
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
}
