//! What depends on the operating system: folders, signals, and standard output without its lock.

use std::env;
use std::path::PathBuf;

#[cfg(unix)]
pub(crate) use self::unix::{
    CaughtSignals, ScreenOutput, catch_signals, config_folder, end_by, for_each_event, screen_output, suspend,
};
#[cfg(not(unix))]
pub(crate) use self::windows::{
    CaughtSignals, ScreenOutput, catch_signals, config_folder, end_by, for_each_event, screen_output, suspend,
};

/// What the system tells the program. On Windows, only the terminal reports something.
#[cfg_attr(not(unix), expect(dead_code, reason = "there are no signals"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SystemEvent {
    /// The user wants the shell back for a while.
    Suspend,
    /// The program runs again after it was suspended; other programs may have changed the terminal.
    Resume,
    /// The window has another size.
    Resize,
    /// The process must end in the default way of this signal.
    End(i32),
}

/// Returns a path from the environment, unless it depends on the current folder.
fn absolute(name: &str) -> Option<PathBuf> {
    env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd;
    use std::path::PathBuf;

    use signal_hook::consts::signal::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::{SystemEvent, absolute};

    /// Returns the folder for the user's settings, if it is known.
    pub(crate) fn config_folder() -> Option<PathBuf> {
        absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")))
    }

    /// Signals that are kept from now on, until [`for_each_event`] reports them.
    pub(crate) type CaughtSignals = Signals;

    /// Catches signals: from now on, none of them ends the process.
    pub(crate) fn catch_signals() -> io::Result<CaughtSignals> {
        Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT, SIGWINCH])
    }

    /// Waits for signals and reports them, until `report` returns `false`.
    pub(crate) fn for_each_event(mut signals: CaughtSignals, mut report: impl FnMut(SystemEvent) -> bool) {
        for signal in signals.forever() {
            let event = match signal {
                SIGTSTP => SystemEvent::Suspend,
                SIGCONT => SystemEvent::Resume,
                SIGWINCH => SystemEvent::Resize,
                signal => SystemEvent::End(signal),
            };
            if !report(event) {
                return;
            }
        }
    }

    /// Stops the process until the shell continues it. If that is impossible, nothing happens.
    pub(crate) fn suspend() {
        let _ = emulate_default_handler(SIGTSTP);
    }

    /// Ends the process as this signal would have done.
    pub(crate) fn end_by(signal: i32) -> io::Result<()> {
        emulate_default_handler(signal)
    }

    /// The type of [`screen_output`].
    pub(crate) type ScreenOutput = File;

    /// Returns standard output without its lock: a panic must not wait for another thread that holds it.
    pub(crate) fn screen_output() -> io::Result<ScreenOutput> {
        Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
    }
}

#[cfg(not(unix))]
mod windows {
    use std::io::{self, ErrorKind, Stdout};
    use std::path::PathBuf;
    use std::sync::OnceLock;
    use std::thread::{self, ThreadId};

    use super::{SystemEvent, absolute};

    /// Returns the folder for the user's settings, if it is known.
    pub(crate) fn config_folder() -> Option<PathBuf> {
        absolute("APPDATA")
    }

    /// Nothing: Ctrl-C and new sizes arrive as events of the terminal.
    pub(crate) type CaughtSignals = ();

    /// Returns at once, as there are no signals here.
    #[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
    pub(crate) fn catch_signals() -> io::Result<CaughtSignals> {
        Ok(())
    }

    /// Returns at once, as there are no signals here.
    pub(crate) fn for_each_event((): CaughtSignals, _: impl FnMut(SystemEvent) -> bool) {}

    /// Does nothing: programs are not suspended here.
    pub(crate) fn suspend() {}

    /// Fails, as there are no signals here.
    pub(crate) fn end_by(_: i32) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    /// The type of [`screen_output`].
    pub(crate) type ScreenOutput = Stdout;

    /// The thread that draws, and that may hold the lock of standard output all the time.
    static DRAWING_THREAD: OnceLock<ThreadId> = OnceLock::new();

    /// Returns standard output, which converts text to what the console wants; a file would not. Fails on other threads than
    /// the first one that draws: a panic must not wait for the lock.
    pub(crate) fn screen_output() -> io::Result<ScreenOutput> {
        let this_thread = thread::current().id();
        if *DRAWING_THREAD.get_or_init(|| this_thread) != this_thread {
            return Err(ErrorKind::WouldBlock.into());
        }
        Ok(io::stdout())
    }
}
