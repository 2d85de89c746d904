//! How a run ends: signals, the message on standard error, the exit status.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use signal_hook::flag;

use crate::diagnostic::Diagnostic;
use crate::paint::OutputStyle;

pub(crate) use tictac_archive::io_reason;

/// The status for a record or position that is wrong: the answer is no.
const NO: u8 = 1;
/// The status for wrong usage or a failing system: there is no answer.
const NO_ANSWER: u8 = 2;

/// Makes the first of these signals set `interrupted`, so that work can end cleanly, and the second one end the process.
pub(crate) fn stop_on_signals(signals: &[i32], interrupted: &Arc<AtomicBool>) -> anyhow::Result<()> {
    for &signal in signals {
        // The order matters: the first signal finds the flag unset and only sets it.
        flag::register_conditional_shutdown(signal, 2, Arc::clone(interrupted))
            .and_then(|_| flag::register(signal, Arc::clone(interrupted)))
            .context("cannot listen for signals")?;
    }
    Ok(())
}

/// Writes the error, if there is one, to standard error and returns the exit status.
///
/// A closed pipe is not a failure: the reader has seen enough.
pub(crate) fn exit_code(result: anyhow::Result<ExitCode>, style: OutputStyle) -> ExitCode {
    let error = match result {
        Ok(code) => return code,
        Err(error) if is_closed_pipe(&error) => return ExitCode::SUCCESS,
        Err(error) => error,
    };
    let (text, code) = match error.downcast_ref::<Diagnostic>() {
        Some(diagnostic) => {
            let code = if diagnostic.leaves_open() { NO_ANSWER } else { NO };
            (diagnostic.render(style.error_paint, style.charset), code)
        }
        None => (format!("{} {}\n", style.error_paint.error("tictac:"), message(&error)), NO_ANSWER),
    };
    // If standard error is closed too, there is nowhere left to report to.
    let _ = style.stderr().write_all(text.as_bytes());
    ExitCode::from(code)
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// Returns the text of an error and its causes in one line, without the numbers of the operating system.
pub(crate) fn message(error: &anyhow::Error) -> String {
    error.chain().map(io_reason).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operating_system_error_is_shown_without_its_number() {
        let reason = |number| io_reason(&io::Error::from_raw_os_error(number));
        assert_eq!((reason(2).as_str(), reason(13).as_str()), ("no such file", "permission denied"));
        assert_eq!(reason(28), "no space left on device");
        assert_eq!(io_reason(&io::Error::other("The log is broken")), "The log is broken");
        let nested = format!("cannot start bwrap ({}); install it", io::Error::from_raw_os_error(2));
        assert!(nested.contains("(os error 2)"));
        let shown = message(&anyhow::Error::new(io::Error::other(nested)));
        assert_eq!(shown, "cannot start bwrap (No such file or directory); install it");
    }

    #[test]
    fn causes_follow_the_context_in_one_line() {
        let error = anyhow::Error::new(io::Error::from_raw_os_error(2)).context("cannot read a.ttt");
        assert_eq!(message(&error), "cannot read a.ttt: no such file");
    }
}
