//! What depends on the operating system.

#[cfg(unix)]
pub(crate) use self::unix::*;
#[cfg(not(unix))]
pub(crate) use self::windows::*;

#[cfg(unix)]
mod unix {
    use std::fs::{File, OpenOptions};
    use std::os::fd::AsFd;
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;
    use std::{env, fs, io};

    /// How a person ends what they type.
    pub(crate) const END_OF_INPUT: &str = "Ctrl-D ends";

    /// Returns the folder for the user's data.
    pub(crate) fn data_folder() -> Option<PathBuf> {
        let data = env::var_os("XDG_DATA_HOME").filter(|folder| !folder.is_empty()).map(PathBuf::from);
        data.or_else(|| env::home_dir().map(|home| home.join(".local/share")))
    }

    /// Creates a file that only the user can read; fails if there is one.
    pub(crate) fn create_private(path: &Path) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
    }

    /// Returns `true`: every terminal understands colours.
    pub(crate) fn enable_colours() -> bool {
        true
    }

    /// Returns whether standard output is closed, if it is asked before `main`.
    pub(crate) fn is_standard_output_closed() -> bool {
        io::stdout().as_fd().try_clone_to_owned().is_err()
    }

    /// Returns the memory of the machine or of the container in bytes, if the system has files that say so.
    pub(crate) fn machine_memory() -> Option<usize> {
        let total = fs::read_to_string("/proc/meminfo").ok()?;
        let total =
            total.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB"))?;
        let limit = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
        // A container without a limit has the word "max".
        let limit = limit.and_then(|limit| limit.trim().parse().ok()).unwrap_or(usize::MAX);
        Some(total.parse::<usize>().ok()?.saturating_mul(1024).min(limit))
    }

    /// Lets a write beyond the limit on the size of files (`ulimit -f`) fail with an error instead of ending the process.
    pub(crate) fn survive_large_files() -> io::Result<()> {
        signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).map(drop)
    }
}

#[cfg(not(unix))]
mod windows {
    use std::fs::File;
    use std::os::windows::io::AsRawHandle;
    use std::path::{Path, PathBuf};
    use std::{env, io};

    /// How a person ends what they type.
    pub(crate) const END_OF_INPUT: &str = "Ctrl-Z and Enter end it";

    /// Returns the folder for the user's data.
    pub(crate) fn data_folder() -> Option<PathBuf> {
        env::var_os("LOCALAPPDATA").filter(|folder| !folder.is_empty()).map(PathBuf::from)
    }

    /// Creates a file with the access rights of its folder; fails if there is one.
    pub(crate) fn create_private(path: &Path) -> io::Result<File> {
        File::create_new(path)
    }

    /// Asks the console to understand colours; returns whether it does.
    pub(crate) fn enable_colours() -> bool {
        anstyle_query::windows::enable_ansi_colors().unwrap_or(false)
    }

    /// Returns whether the program has no standard output.
    pub(crate) fn is_standard_output_closed() -> bool {
        io::stdout().as_raw_handle().is_null()
    }

    /// Returns `None`: only systems with `/proc` say how much memory they have without a further library.
    pub(crate) fn machine_memory() -> Option<usize> {
        None
    }

    /// Does nothing: a file that becomes too large is an error anyway.
    pub(crate) fn survive_large_files() -> io::Result<()> {
        Ok(())
    }
}
