//! The terminal in full-screen mode, restored in every case.

use std::io::{self, BufWriter, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use crate::platform::{ScreenOutput, screen_output};

static IS_FULL_SCREEN: AtomicBool = AtomicBool::new(false);
static PANIC_HOOK: Once = Once::new();

/// The terminal in full-screen mode; dropping it restores the terminal.
#[derive(Debug)]
pub struct FullScreen {
    pub(crate) terminal: Terminal<CrosstermBackend<BufWriter<ScreenOutput>>>,
}

impl FullScreen {
    /// Enters full-screen mode: raw keys, the alternate screen, no cursor, mouse events.
    ///
    /// # Errors
    ///
    /// Fails if standard output is not a terminal that supports this; the terminal is then unchanged.
    pub fn enter() -> io::Result<FullScreen> {
        // A panic restores the terminal first, so that its message stays visible.
        PANIC_HOOK.call_once(|| {
            let default_hook = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                restore();
                default_hook(info);
            }));
        });
        let terminal = new_terminal()?;
        enter()?;
        Ok(FullScreen { terminal })
    }

    /// Restores the terminal, calls `interlude`, and enters full-screen mode again.
    pub(crate) fn leave_during(&mut self, interlude: impl FnOnce()) -> io::Result<()> {
        restore();
        interlude();
        // A new `Terminal` redraws everything. Clearing the old one would query the cursor position, and the thread
        // that reads keys would receive the reply.
        self.terminal = new_terminal()?;
        enter()
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        restore();
    }
}

fn new_terminal() -> io::Result<Terminal<CrosstermBackend<BufWriter<ScreenOutput>>>> {
    Terminal::new(CrosstermBackend::new(BufWriter::with_capacity(1 << 16, screen_output()?)))
}

fn enter() -> io::Result<()> {
    IS_FULL_SCREEN.store(true, Ordering::SeqCst);
    let entered = enable_raw_mode().and_then(|()| {
        execute!(screen_output()?, EnterAlternateScreen, Clear(ClearType::All), EnableMouseCapture, Hide)
    });
    if entered.is_err() {
        restore();
    }
    entered
}

/// Restores the terminal; does nothing if it is not in full-screen mode.
pub(crate) fn restore() {
    if !IS_FULL_SCREEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // Errors are ignored: a terminal that cannot be written to needs no restoring.
    let _ = screen_output()
        .and_then(|mut out| execute!(out, DisableMouseCapture, LeaveAlternateScreen, Show).and(out.flush()));
    let _ = disable_raw_mode();
}
