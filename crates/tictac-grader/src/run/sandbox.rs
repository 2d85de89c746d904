//! Bubblewrap around the program, where it is installed.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A working bubblewrap: no network, a read-only root, and no process survives the run.
#[derive(Clone, Debug)]
pub struct Sandbox {
    bwrap: PathBuf,
}

/// Why there is no sandbox on this machine.
#[derive(Debug)]
pub enum NoSandbox {
    /// Bubblewrap cannot be started.
    NotInstalled(io::Error),
    /// It is there, but the machine does not let it make its namespaces.
    NotAllowed(String),
}

impl fmt::Display for NoSandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSandbox::NotInstalled(error) => {
                write!(
                    f,
                    "no sandbox: bwrap cannot be started ({error}); install bubblewrap, or leave out --sandbox"
                )
            }
            NoSandbox::NotAllowed(why) => {
                write!(
                    f,
                    "no sandbox: bwrap is installed, but does not work here ({why}); leave out --sandbox to go on without"
                )
            }
        }
    }
}

impl std::error::Error for NoSandbox {}

impl Sandbox {
    /// Looks for bubblewrap and tries it.
    ///
    /// # Errors
    ///
    /// Returns why it cannot be used.
    pub fn find() -> Result<Sandbox, NoSandbox> {
        let sandbox = Sandbox { bwrap: "bwrap".into() };
        let folder = std::env::temp_dir();
        let trial = sandbox
            .command(Path::new("/bin/true"), &folder)
            .stdin(Stdio::null())
            .output()
            .map_err(NoSandbox::NotInstalled)?;
        if trial.status.success() {
            return Ok(sandbox);
        }
        let why = String::from_utf8_lossy(&trial.stderr).trim().to_owned();
        Err(NoSandbox::NotAllowed(if why.is_empty() { trial.status.to_string() } else { why }))
    }

    /// Returns a command that runs `program` inside, where only `folder` can be written.
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
