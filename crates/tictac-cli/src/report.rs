//! How a run ends: what is said on stderr, and the exit status.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use crate::charset::Charset;
use crate::diagnostic::Diagnostic;
use crate::paint::Paint;

/// A record or position that is not right: the answer is no.
const NO: u8 = 1;
/// Wrong usage or a machine that does not play along: there is no answer.
const COULD_NOT_TELL: u8 = 2;

/// Reports an error, if there is one, and returns the exit status.
///
/// The one place that knows what a closed pipe means: whoever read us has seen enough, and that is no failure.
pub(crate) fn exit_code(result: anyhow::Result<ExitCode>, paint: Paint, charset: Charset) -> ExitCode {
    let error = match result {
        Ok(code) => return code,
        Err(error) if is_closed_pipe(&error) => return ExitCode::SUCCESS,
        Err(error) => error,
    };
    let (text, code) = match error.downcast_ref::<Diagnostic>() {
        Some(diagnostic) => (diagnostic.render(paint, charset), NO),
        None => (format!("{} {error:#}\n", paint.culprit("tictac:")), COULD_NOT_TELL),
    };
    // There is nowhere left to say that stderr is closed too.
    let _ = io::stderr().lock().write_all(charset.spell(text).as_bytes());
    ExitCode::from(code)
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}
