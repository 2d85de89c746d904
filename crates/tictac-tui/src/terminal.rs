//! The terminal: taken over, and given back whatever happens.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd;
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::backend::CrosstermBackend;
use ratatui::{Frame, Terminal};

/// Whether the terminal is ours at the moment.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
static PANIC_HOOK: Once = Once::new();

/// The terminal while it shows the app; dropping it gives it back.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<File>>>,
}

impl Screen {
    /// Takes the terminal over: raw keys, another screen, no cursor, the mouse.
    ///
    /// # Errors
    ///
    /// Fails where standard output is no terminal, or one that does not play along; then it is as it was.
    pub fn enter() -> io::Result<Screen> {
        PANIC_HOOK.call_once(restore_before_panicking);
        let terminal = new_terminal()?;
        take()?;
        Ok(Screen { terminal })
    }

    /// The columns and rows of the window.
    ///
    /// # Errors
    ///
    /// Fails where the terminal does not tell.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok((size.width, size.height))
    }

    /// Draws a frame.
    ///
    /// # Errors
    ///
    /// Fails where the terminal is gone.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.terminal.draw(draw)?;
        Ok(())
    }

    /// Gives the terminal back, lets `interlude` run, and takes it over again.
    ///
    /// # Errors
    ///
    /// Fails where the terminal does not play along.
    pub fn lend(&mut self, interlude: impl FnOnce()) -> io::Result<()> {
        restore();
        interlude();
        // A new one knows nothing of the old picture. To clear the old one would ask the terminal where its cursor is,
        // and the answer would reach whoever reads the keys.
        self.terminal = new_terminal()?;
        take()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn new_terminal() -> io::Result<Terminal<CrosstermBackend<BufWriter<File>>>> {
    Terminal::new(CrosstermBackend::new(BufWriter::with_capacity(1 << 16, unlocked_stdout()?)))
}

fn take() -> io::Result<()> {
    IS_TAKEN.store(true, Ordering::SeqCst);
    let taken = enable_raw_mode().and_then(|()| {
        execute!(unlocked_stdout()?, EnterAlternateScreen, Clear(ClearType::All), EnableMouseCapture, Hide)
    });
    if taken.is_err() {
        restore();
    }
    taken
}

/// Gives the terminal back as it was; does nothing where it is not taken.
pub fn restore() {
    if !IS_TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // If the terminal is gone, there is nothing to give back and nobody to tell.
    let _ = unlocked_stdout()
        .and_then(|mut out| execute!(out, DisableMouseCapture, LeaveAlternateScreen, Show).and(out.flush()));
    let _ = disable_raw_mode();
}

/// Standard output past its lock: a panic on another thread must not wait for whoever holds it.
fn unlocked_stdout() -> io::Result<File> {
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

/// What a panic says belongs on the screen of the user, not on ours.
fn restore_before_panicking() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        restore();
        usual(info);
    }));
}
