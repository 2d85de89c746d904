//! What separates words.

/// Returns whether `byte` is one of the six of the C locale: space, `\t`, `\n`, `\v`, `\f`, `\r`.
///
/// `u8::is_ascii_whitespace` knows only five of them: it leaves out `\v`.
pub(crate) const fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}
