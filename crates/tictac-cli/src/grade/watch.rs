//! Grading so that it can be ended at any moment and leaves nothing behind.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use tictac_grader::Settings;
use tictac_grader::run::{adopt_strays, end_strays};

/// Does work that starts programs. A signal sets the switch of `settings`, a second one ends the process; whoever a program
/// left behind is ended.
pub(crate) fn watch<T: Send>(settings: &Settings, work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // The order matters: the first signal finds the flag unset and only sets it.
        flag::register_conditional_shutdown(signal, 2, settings.stop.flag())
            .and_then(|_| flag::register(signal, Arc::clone(&settings.stop.flag())))
            .context("cannot listen for signals")?;
    }
    adopt_strays().context("cannot look after processes that lose their parents")?;
    // Strays become children of the first thread, which therefore starts nothing itself.
    let result = thread::scope(|scope| scope.spawn(work).join());
    end_strays();
    result.map_err(|panic| resume_unwind(panic))
}
