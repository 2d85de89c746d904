//! The files of the screen: the settings, and records that are saved.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::action::SaveError;
use crate::host::Host;
use crate::settings::{MAX_BYTES, Settings};

/// Where settings are kept: below `$XDG_CONFIG_HOME` or `~/.config`; nowhere if there is neither.
pub fn settings_file() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")))?;
    Some(folder.join("tictac").join("play.conf"))
}

/// Reads the settings, or the default ones where there are none.
pub fn read_settings(path: &Path) -> Settings {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES as u64).read_to_end(&mut bytes));
    match read {
        Ok(_) => Settings::parse(&String::from_utf8_lossy(&bytes)),
        Err(_) => Settings::default(),
    }
}

/// Writes the settings; a half-written file never takes their place.
///
/// # Errors
///
/// Fails where the folder cannot be made or written to.
pub fn write_settings(path: &Path, settings: &Settings) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let draft = path.with_extension(format!("conf.{}", std::process::id()));
    fs::write(&draft, settings.to_text())?;
    fs::rename(&draft, path).inspect_err(|_| {
        // What could not take its place should not stay either.
        let _ = fs::remove_file(&draft);
    })
}

/// Writes a record to a file; another one is replaced only where that is said. Returns the name as it is shown.
///
/// # Errors
///
/// Says that there is such a file, or why it cannot be written.
pub(crate) fn save(host: &Host<'_>, name: &str, text: &str, replace: bool) -> Result<String, SaveError> {
    let path = path_of(name);
    let mut options = OpenOptions::new();
    options.write(true);
    if replace {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    let written = options.open(&path).and_then(|mut file| file.write_all(text.as_bytes()));
    match written {
        Ok(()) => Ok(name.to_owned()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(SaveError::Exists { name: name.to_owned(), holds: (host.holdings)(name) })
        }
        Err(error) => Err(SaveError::Failed(format!("cannot write {name}: {error}"))),
    }
}

/// The path that somebody typed; `~/` is the home folder, as in a shell.
pub fn path_of(name: &str) -> PathBuf {
    match (name.strip_prefix("~/"), env::var_os("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(name),
    }
}
