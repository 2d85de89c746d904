//! Text in CSV files, which people open in spreadsheets.

use std::borrow::Cow;

/// Returns the text, with an apostrophe in front if a spreadsheet would take it for a formula.
pub fn without_formula(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}
