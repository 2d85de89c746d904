//! Making a right program ready to run.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Program, Style};

/// A program that can be started: its file, and the arguments that come before its own.
#[derive(Clone, Debug)]
pub struct Ready {
    /// The file.
    pub file: PathBuf,
    /// The first arguments.
    pub arguments: Vec<OsString>,
}

/// What keeps a program from being started.
#[derive(Debug)]
pub enum NotReady {
    /// This machine lacks the command.
    Missing(&'static str),
    /// Something went wrong.
    Broken(io::Error),
}

impl From<io::Error> for NotReady {
    fn from(error: io::Error) -> NotReady {
        NotReady::Broken(error)
    }
}

impl Style {
    /// Makes the program ready: one in C is compiled into `folder`, a script is copied there.
    ///
    /// `mutants` is this package's own program.
    ///
    /// # Errors
    ///
    /// Returns which command is missing, or what went wrong.
    pub fn ready(&self, mutants: &Path, folder: &Path) -> Result<Ready, NotReady> {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
        match self.program {
            Program::Here(_) => Ok(Ready {
                file: mutants.to_owned(),
                arguments: ["--assignment", self.assignment.name(), "--style", self.name]
                    .map(OsString::from)
                    .to_vec(),
            }),
            Program::C(name) => {
                if !is_present("cc") {
                    return Err(NotReady::Missing("cc"));
                }
                fs::create_dir_all(folder)?;
                let file = folder.join(name.trim_end_matches(".c"));
                // Two tests may want the same file: each makes its own, and the last one stays.
                let own = folder.join(format!("{}.{}", name, std::process::id()));
                let status = Command::new("cc")
                    .args(["-std=c99", "-O1", "-o"])
                    .args([&own, &sources.join(name)])
                    .status()?;
                if !status.success() {
                    return Err(io::Error::other(format!("cc could not compile programs/{name}")).into());
                }
                fs::rename(&own, &file)?;
                Ok(Ready { file, arguments: Vec::new() })
            }
            Program::Shell(name, command) => {
                if !is_present(command) {
                    return Err(NotReady::Missing(command));
                }
                fs::create_dir_all(folder)?;
                let file = folder.join(name);
                let own = folder.join(format!("{}.{}", name, std::process::id()));
                fs::write(&own, fs::read(sources.join(name))?)?;
                fs::set_permissions(&own, fs::Permissions::from_mode(0o755))?;
                fs::rename(&own, &file)?;
                Ok(Ready { file, arguments: Vec::new() })
            }
        }
    }
}

/// Returns whether a command of this name can be found.
fn is_present(command: &str) -> bool {
    let found =
        Command::new("sh").arg("-c").arg(format!("command -v {command}")).stdout(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}
