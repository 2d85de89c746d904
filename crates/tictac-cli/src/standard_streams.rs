//! Standard input that a person types, and standard output with errors that name it.

use std::io::{self, IsTerminal, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::io_reason;
use crate::platform::{END_OF_INPUT, is_standard_output_closed};

/// Says that the command waits for text and how to end it, if standard input is a terminal.
///
/// Without it, a forgotten file name would look like a program that hangs.
pub(crate) fn announce_stdin() {
    if io::stdin().is_terminal() {
        // If standard error is closed, there is nowhere left to say it.
        let _ = writeln!(io::stderr(), "tictac: reading standard input; {END_OF_INPUT}");
    }
}

/// Whether standard output was closed when the process started, as by `tictac check >&-`.
static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Looks at standard output before `main`: by then the runtime of Rust has replaced a closed one with `/dev/null`, and every
/// write would succeed and be lost. Afterwards that cannot be told from a `/dev/null` that the caller has chosen.
#[ctor::ctor]
fn look_at_standard_output() {
    WAS_CLOSED.store(is_standard_output_closed(), Ordering::Relaxed);
}

/// Standard output; its errors say what could not be written.
///
/// It is not locked, so that a thread that checks games can write its report.
pub(crate) struct StandardOutput(Stdout);

impl StandardOutput {
    pub(crate) fn new() -> StandardOutput {
        StandardOutput(io::stdout())
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if WAS_CLOSED.load(Ordering::Relaxed) {
            return Err(io::Error::other("cannot write standard output: it is closed"));
        }
        self.0.write(bytes).map_err(|error| named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| named(&error))
    }
}

/// Returns the error with the name of the stream; its kind, such as a closed pipe, stays.
fn named(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write standard output: {}", io_reason(error)))
}
