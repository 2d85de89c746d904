//! Saying something into the buffer of a dialogue.

use std::fmt::Display;
use std::io::Write;

/// Appends `text`.
pub(crate) fn say(out: &mut Vec<u8>, text: impl Display) {
    write!(out, "{text}").expect("memory can always be written to");
}

/// Appends `text` and a newline.
pub(crate) fn say_line(out: &mut Vec<u8>, text: impl Display) {
    writeln!(out, "{text}").expect("memory can always be written to");
}
