//! What is wrong with a record or a position, and where: `file:line:column: message`, the line, a caret.

use std::fmt;

use tictac::notation::{Fault, IllegalEntry, Located, ParseError, PositionError};

use crate::charset::Charset;
use crate::paint::Paint;

/// A text that is not right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// The file, or what stands for it, and the place in it.
    heading: String,
    place: Option<Place>,
    message: String,
    help: Option<String>,
}

/// A place in a text, and the line that it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    line: usize,
    /// In bytes from 0.
    at: usize,
    text: Vec<u8>,
}

impl Complaint {
    /// A line of a record that is not well formed; `text` is the line, or as much of it as was kept.
    pub(crate) fn syntax(name: &str, text: &[u8], error: Located<ParseError>) -> Complaint {
        let place = Place { line: error.line, at: error.error.at, text: text.to_owned() };
        Complaint::from_fault(name, place, error.error.into())
    }

    /// A line of a record that breaks a rule; `text` is the line, or as much of it as was kept.
    pub(crate) fn illegal(name: &str, text: &[u8], refused: IllegalEntry) -> Complaint {
        let place = Place { line: refused.line, at: refused.at(), text: text.to_owned() };
        Complaint::from_fault(name, place, refused.reason.into())
    }

    /// A position given as an argument. It is a single line, and the error itself names the column.
    pub(crate) fn position(text: &str, error: PositionError) -> Complaint {
        let place = match error {
            PositionError::Syntax { at, .. } => {
                Some(Place { line: 1, at, text: text.trim().as_bytes().to_owned() })
            }
            _ => None,
        };
        Complaint { place, ..Complaint::misfit(&error) }
    }

    /// A position given as an argument that does not fit the rules.
    pub(crate) fn misfit(reason: &impl fmt::Display) -> Complaint {
        Complaint { heading: "<position>".to_owned(), place: None, message: reason.to_string(), help: None }
    }

    /// A move given as an argument.
    pub(crate) fn of_move(text: &str, reason: &impl fmt::Display) -> Complaint {
        let heading = format!("<move {:?}>", text.trim());
        Complaint { heading, place: None, message: reason.to_string(), help: None }
    }

    /// Returns the complaint with a word of help, unless it has one.
    pub(crate) fn or_help(self, help: impl FnOnce() -> String) -> Complaint {
        Complaint { help: self.help.or_else(|| Some(help())), ..self }
    }

    fn from_fault(name: &str, place: Place, fault: Fault) -> Complaint {
        let heading = format!("{}:{}:{}", shown(name.as_bytes()), place.line, place.at + 1);
        Complaint { heading, place: Some(place), message: fault.message, help: fault.help }
    }

    /// Returns the complaint as it is shown, several lines.
    pub(crate) fn painted(&self, paint: Paint, charset: Charset) -> String {
        let excerpt = self.place.as_ref().map_or(String::new(), |place| place.excerpt(paint, charset));
        let heading = paint.strong(format_args!("{}:", self.heading));
        let mut text = format!("{heading} {}\n{excerpt}", self.message);
        if let Some(help) = &self.help {
            text.extend(["help: ", help, "\n"]);
        }
        text
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.painted(Paint::Off, Charset::Unicode).trim_end())
    }
}

impl std::error::Error for Complaint {}

/// How much of a line is shown before and after the culprit, in bytes.
const BEFORE: usize = 40;
const AFTER: usize = 35;

impl Place {
    /// Returns the line with a caret under the culprit, or nothing where that part of the line was not kept.
    fn excerpt(&self, paint: Paint, charset: Charset) -> String {
        if self.at > self.text.len() {
            return String::new();
        }
        let from = self.at.saturating_sub(BEFORE);
        let to = self.text.len().min(self.at + AFTER);
        // Spelled before the caret is placed.
        let before = charset.convert(shown(&self.text[from..self.at]));
        let after = shown(&self.text[self.at..to]);
        let (cut_before, cut_after) =
            (if from > 0 { "..." } else { "" }, if to < self.text.len() { "..." } else { "" });
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        let indent = " ".repeat(cut_before.len() + before.chars().count());
        format!(
            " {number} | {cut_before}{before}{after}{cut_after}\n {margin} | {indent}{}\n",
            paint.culprit("^")
        )
    }
}

/// Returns text from outside so that it can be shown: whatever is not a printable character is spelled out, lest a
/// file drive the terminal.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\'' | '"' | '\\' => text.push(c),
                _ => text.extend(c.escape_debug()),
            }
        }
        text += &chunk.invalid().escape_ascii().to_string();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_drive_a_terminal_is_spelled_out() {
        assert_eq!(shown(b"1\tX\x1b[2J\r\0\xff"), r"1\tX\u{1b}[2J\r\0\xff");
        assert_eq!(shown("a\u{202e}b ä 'q' \\".as_bytes()), "a\\u{202e}b ä 'q' \\");
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides_and_the_caret_stays_under_the_culprit() {
        let mut text = vec![b' '; 500];
        text[200] = b'!';
        let place = Place { line: 12, at: 200, text };
        let excerpt = place.excerpt(Paint::Off, Charset::Unicode);
        let lines: Vec<&str> = excerpt.lines().collect();
        let column = |line: &str, c| line.chars().position(|found| found == c);
        assert_eq!(column(lines[0], '!'), column(lines[1], '^'));
        assert!(lines[0].ends_with("...") && lines[0].chars().count() < 90, "{excerpt}");
    }

    #[test]
    fn a_culprit_beyond_what_was_kept_has_a_place_but_no_picture() {
        let place = Place { line: 1, at: 11, text: vec![b' '; 10] };
        assert_eq!(place.excerpt(Paint::Off, Charset::Unicode), "");
    }
}
