//! Errors in records, positions and moves, shown like those of a compiler: the place, the line, a caret, help.

use std::ffi::OsStr;
use std::fmt;
use std::ops::Range;

use tictac::notation::{Code, Fault, PositionError};
use tictac_archive::{GameReport, PlacedFault};
use unicode_width::UnicodeWidthStr;

use crate::charset::Charset;
use crate::paint::Paint;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    // The file, line and column, or a name for an argument.
    origin: String,
    fault: Fault,
    excerpt: Option<Excerpt>,
    note: Option<String>,
    // Whether the error leaves the question open, so that the exit status is 2 and not 1.
    leaves_open: bool,
}

impl Diagnostic {
    /// Returns the diagnostics of a game, one per fault.
    pub(crate) fn of_report(file: &str, report: &GameReport) -> impl Iterator<Item = Diagnostic> {
        let n_faults = report.faults.len();
        report.faults.iter().enumerate().map(move |(index, fault)| {
            let n_unjudged = if index + 1 == n_faults { report.unjudged_lines } else { 0 };
            let note = match n_unjudged {
                0 => None,
                1 => Some("the next line of this game was not checked".to_owned()),
                n => Some(format!("the next {n} lines of this game were not checked")),
            };
            Diagnostic { note, ..Diagnostic::of_fault(file, fault) }
        })
    }

    pub(crate) fn of_fault(file: &str, placed: &PlacedFault) -> Diagnostic {
        let PlacedFault { line, column, ref fault, ref text, n_cut } = *placed;
        let origin = format!("{}:{line}:{column}", escape(file));
        let excerpt = placed.range().map(|range| Excerpt { line, text: text.clone(), range, n_cut });
        Diagnostic { excerpt, ..Diagnostic::of_argument(&origin, fault.clone()) }
    }

    /// Returns the diagnostic of a position that was given as an argument; the message names the column.
    pub(crate) fn of_position(text: &str, error: &PositionError) -> Diagnostic {
        let of_code = |code| Diagnostic::of_argument("<position>", Fault::new(code, error.to_string()));
        match *error {
            PositionError::Syntax { at, .. } => {
                let text = text.trim().as_bytes().to_owned();
                let range = at..(at + 1).min(text.len()).max(at);
                of_code(Code::MalformedPosition).with_excerpt(1, text, range)
            }
            _ => of_code(Code::ImpossiblePosition),
        }
    }

    /// Returns the diagnostic of a fault without an excerpt; `origin` is a place, or a name for an argument.
    pub(crate) fn of_argument(origin: &str, fault: Fault) -> Diagnostic {
        Diagnostic { origin: origin.to_owned(), fault, excerpt: None, note: None, leaves_open: false }
    }

    /// Adds the line with this number and text, in which `range` is wrong.
    pub(crate) fn with_excerpt(self, line: u64, text: Vec<u8>, range: Range<usize>) -> Diagnostic {
        Diagnostic { excerpt: Some(Excerpt { line, text, range, n_cut: 0 }), ..self }
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> Diagnostic {
        Diagnostic { fault: self.fault.with_help(help), ..self }
    }

    pub(crate) fn with_note(self, note: impl Into<String>) -> Diagnostic {
        Diagnostic { note: Some(note.into()), ..self }
    }

    /// Returns the same diagnostic for an error that leaves the question of the command open.
    pub(crate) fn without_answer(self) -> Diagnostic {
        Diagnostic { leaves_open: true, ..self }
    }

    /// Returns whether the error leaves the question of the command open.
    pub(crate) const fn leaves_open(&self) -> bool {
        self.leaves_open
    }

    /// Returns the message and its code, for an answer that says itself where the error is.
    pub(crate) fn reason(&self) -> String {
        format!("{} ({})", self.fault.message, self.fault.code)
    }

    /// Returns several lines with the place, the message, the line and the help.
    ///
    /// Of these, only the excerpt is in the charset of the output, because the carets below it depend on its width; a
    /// [`CharsetWriter`](crate::charset::CharsetWriter) converts the rest.
    pub(crate) fn render(&self, paint: Paint, charset: Charset) -> String {
        let origin = paint.strong(format_args!("{}:", self.origin));
        let mut lines = vec![format!("{origin} {} {}", paint.error(self.label()), self.fault.message)];
        let gutter = self.excerpt.as_ref().map_or(1, |excerpt| excerpt.line.to_string().len());
        lines.extend(self.excerpt.iter().flat_map(|excerpt| excerpt.render(gutter, paint, charset)));
        if self.excerpt.is_some() && (self.fault.help.is_some() || self.note.is_some()) {
            lines.push(format!("{:gutter$} |", ""));
        }
        for (name, text) in [("help", &self.fault.help), ("note", &self.note)] {
            lines.extend(text.iter().map(|text| format!("{:gutter$} = {}: {text}", "", paint.strong(name))));
        }
        lines.join("\n") + "\n"
    }

    fn label(&self) -> String {
        format!("error[{}]:", self.fault.code)
    }
}

/// Formats the diagnostic as a single line.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {}", self.origin, self.label(), self.fault.message)
    }
}

impl std::error::Error for Diagnostic {}

/// A line of the text and the part of it that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Excerpt {
    line: u64,
    text: Vec<u8>,
    range: Range<usize>,
    // The number of bytes of the line before `text`.
    n_cut: usize,
}

/// The number of bytes of a long line that are shown before and after the start of the error.
const BEFORE: usize = 60;
const AFTER: usize = 60;

impl Excerpt {
    /// Returns an empty line, the line of the text, and the carets, each after a gutter of this width.
    fn render(&self, gutter: usize, paint: Paint, charset: Charset) -> [String; 3] {
        let Range { start, end } = self.range;
        // A character is never cut.
        let is_inside = |at: &usize| self.text.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
        let from = (start.saturating_sub(BEFORE)..start).find(|at| !is_inside(at)).unwrap_or(start);
        let to = (end + AFTER..self.text.len()).find(|at| !is_inside(at)).unwrap_or(self.text.len());
        let cut_before = if from + self.n_cut > 0 { "..." } else { "" };
        let cut_after = if to < self.text.len() { "..." } else { "" };
        // The width is measured after escaping.
        let escaped = |range: Range<usize>| charset.convert(escape_bytes(&self.text[range]));
        let (before, wrong, after) = (escaped(from..start), escaped(start..end), escaped(end..to));
        let indent = " ".repeat(cut_before.len() + before.width());
        let carets = paint.error("^".repeat(wrong.width().max(1)));
        [
            format!("{:gutter$} |", ""),
            format!("{} | {cut_before}{before}{wrong}{after}{cut_after}", self.line),
            format!("{:gutter$} | {indent}{carets}", ""),
        ]
    }
}

/// Escapes everything but printable characters, so that the name of a file cannot control the terminal.
pub(crate) fn escape(name: impl AsRef<OsStr>) -> String {
    escape_bytes(name.as_ref().as_encoded_bytes())
}

/// Escapes everything but printable characters, so that a file cannot control the terminal.
pub(crate) fn escape_bytes(bytes: &[u8]) -> String {
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
    fn control_characters_are_escaped() {
        assert_eq!(escape_bytes(b"1\tX\x1b[2J\r\0\xff"), r"1\tX\u{1b}[2J\r\0\xff");
        assert_eq!(escape("a\u{202e}b ä 'q' \\"), "a\\u{202e}b ä 'q' \\");
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides_of_the_error() {
        let mut text = vec![b' '; 500];
        text[200] = b'!';
        let excerpt = Excerpt { line: 12, text, range: 200..201, n_cut: 0 };
        let lines = excerpt.render(2, Paint::Off, Charset::Unicode);
        let column = |line: &str, c| line.chars().position(|found| found == c);
        assert_eq!(column(&lines[1], '!'), column(&lines[2], '^'));
        assert!(lines[1].starts_with("12 | ... ") && lines[1].ends_with(" ..."), "{lines:?}");
        assert_eq!(lines[1].len(), 5 + 3 + BEFORE + 1 + AFTER + 3);
    }

    #[test]
    fn a_line_whose_start_is_missing_has_an_ellipsis_and_the_caret_below_the_culprit() {
        let text = "äöü!äöü".as_bytes().to_vec();
        let excerpt = Excerpt { line: 1, text, range: 6..7, n_cut: 900 };
        let lines = excerpt.render(1, Paint::Off, Charset::Unicode);
        assert_eq!(&lines[1..], ["1 | ...äöü!äöü", "  |       ^"]);
    }

    #[test]
    fn a_long_line_is_not_cut_inside_a_character() {
        let text = format!("x{}!{}", "ä".repeat(100), "ä".repeat(100)).into_bytes();
        let excerpt = Excerpt { line: 1, text, range: 201..202, n_cut: 0 };
        let lines = excerpt.render(1, Paint::Off, Charset::Unicode);
        assert_eq!(lines[1], format!("1 | ...{}!{}...", "ä".repeat(30), "ä".repeat(30)));
        assert_eq!(lines[2], format!("  | {}^", " ".repeat(33)));
    }

    #[test]
    fn help_and_note_follow_the_line() {
        let fault = Fault::new(Code::SquareTaken, "B2 is already taken").with_help("try A1");
        let placed = PlacedFault { line: 9, column: 5, fault, text: b"2 O B2 # no".to_vec(), n_cut: 0 };
        let diagnostic =
            Diagnostic { note: Some("two".to_owned()), ..Diagnostic::of_fault("a.ttt", &placed) };
        assert_eq!(
            diagnostic.render(Paint::Off, Charset::Unicode),
            "a.ttt:9:5: error[E0207]: B2 is already taken\n  |\n9 | 2 O B2 # no\n  |     ^^\n  |\n  \
             = help: try A1\n  = note: two\n"
        );
        assert_eq!(diagnostic.to_string(), "a.ttt:9:5: error[E0207]: B2 is already taken");
    }

    #[test]
    fn an_error_beyond_the_kept_part_of_a_line_has_no_excerpt() {
        let fault = Fault::new(Code::NotAColumn, "expected a column");
        let placed = PlacedFault { line: 1, column: 900, fault, text: b"1 X".to_vec(), n_cut: 0 };
        let rendered = Diagnostic::of_fault("a", &placed).render(Paint::Off, Charset::Unicode);
        assert_eq!(rendered, "a:1:900: error[E0107]: expected a column\n");
    }
}
