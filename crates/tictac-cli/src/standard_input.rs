//! Standard input that a person types.

use std::io::{self, IsTerminal, Write};

use crate::platform::END_OF_INPUT;

/// Says that the command waits for text and how to end it, if standard input is a terminal.
///
/// Without it, a forgotten file name would look like a program that hangs.
pub(crate) fn announce() {
    if io::stdin().is_terminal() {
        // If standard error is closed, there is nowhere left to say it.
        let _ = writeln!(io::stderr(), "tictac: reading standard input; {END_OF_INPUT}");
    }
}
