//! Text in CSV files, which people open in spreadsheets.

use std::borrow::Cow;

/// Returns a text that a spreadsheet does not take for a formula: one that begins like one gets an apostrophe.
pub fn without_formula(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}
