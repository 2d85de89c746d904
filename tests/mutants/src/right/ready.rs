//! Builds right programs that are not part of this crate.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{ProgramSource, RightProgram};

/// A program that can be started.
#[derive(Clone, Debug)]
pub struct Ready {
    /// The executable file.
    pub file: PathBuf,
    /// Arguments that come before those of a case.
    pub arguments: Vec<OsString>,
}

/// Why a program cannot be started.
#[derive(Debug)]
pub enum NotReady {
    /// A command that it needs is not installed.
    Missing(&'static str),
    /// It could not be built.
    Broken(io::Error),
}

impl From<io::Error> for NotReady {
    fn from(error: io::Error) -> NotReady {
        NotReady::Broken(error)
    }
}

impl RightProgram {
    /// Compiles a C program into `folder`, or copies a script there. `mutants` is the path of the main program of this
    /// package.
    ///
    /// # Errors
    ///
    /// Returns the command that is missing, or what went wrong.
    pub fn ready(&self, mutants: &Path, folder: &Path) -> Result<Ready, NotReady> {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
        match self.source {
            ProgramSource::Here(_) => Ok(Ready {
                file: mutants.to_owned(),
                arguments: ["--assignment", self.assignment.name(), "--style", self.name]
                    .map(OsString::from)
                    .to_vec(),
            }),
            ProgramSource::C(name) => {
                if !is_present("cc") {
                    return Err(NotReady::Missing("cc"));
                }
                fs::create_dir_all(folder)?;
                let file = folder.join(name.trim_end_matches(".c"));
                // Tests run in parallel, so each writes its own file and renames it.
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
            ProgramSource::Shell(name, command) => {
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

/// Returns whether a command is installed.
fn is_present(command: &str) -> bool {
    let found =
        Command::new("sh").arg("-c").arg(format!("command -v {command}")).stdout(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}
