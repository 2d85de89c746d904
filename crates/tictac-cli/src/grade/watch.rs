//! Grading so that it can be ended at any moment and leaves nothing behind.

use std::panic::resume_unwind;
use std::thread;

use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use tictac_grader::Settings;
use tictac_grader::run::{adopt_strays, end_strays};

use crate::exit;

/// Does work that starts programs. A signal sets the switch of `settings`, a second one ends the process; whoever a program
/// left behind is ended.
pub(crate) fn watch<T: Send>(settings: &Settings, work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
    exit::stop_on_signals(&[SIGINT, SIGTERM, SIGHUP], &settings.stop.flag())?;
    adopt_strays().context("cannot look after processes that lose their parents")?;
    // Strays become children of the first thread, which therefore starts nothing itself.
    let result = thread::scope(|scope| scope.spawn(work).join());
    end_strays();
    result.map_err(|panic| resume_unwind(panic))
}
