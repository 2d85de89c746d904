//! Colours and other text styles.

use std::env;
use std::fmt::{self, Write};
use std::io::{self, IsTerminal};

use clap::ColorChoice;
use clap::builder::styling::{AnsiColor, Style};
use tictac::State;
use tictac::notation::{self, Diagram};

use crate::charset::{Charset, CharsetWriter};
use crate::platform::enable_colours;

/// Whether text is written in colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Plain text without colours.
    Off,
    /// Text with ANSI escape codes.
    On,
}

const X: Style = AnsiColor::Blue.on_default().bold();
const O: Style = AnsiColor::Yellow.on_default().bold();

/// The colours and characters of everything that a command writes.
#[derive(Clone, Copy)]
pub(crate) struct OutputStyle {
    pub(crate) paint: Paint,
    pub(crate) error_paint: Paint,
    pub(crate) charset: Charset,
}

impl OutputStyle {
    /// Resolves the user's choice for both streams.
    pub(crate) fn new(color: ColorChoice, charset: Charset) -> OutputStyle {
        let (paint, error_paint) = (Paint::new(color, &io::stdout()), Paint::new(color, &io::stderr()));
        OutputStyle { paint, error_paint, charset }
    }

    /// Returns standard error, which converts what is written to the charset.
    pub(crate) fn stderr(self) -> CharsetWriter<io::Stderr> {
        self.charset.writer(io::stderr())
    }
}

/// Defines a method of [`Paint`] for each style of text.
macro_rules! text_styles {
    ($($(#[$doc:meta])* $name:ident: $style:expr;)*) => {
        impl Paint {
            $($(#[$doc])* pub(crate) fn $name(self, text: impl fmt::Display) -> String {
                self.styled($style, text)
            })*
        }
    };
}

text_styles! {
    /// Returns `text` in bold.
    strong: Style::new().bold();
    /// Returns `text` in the style of an error.
    error: AnsiColor::Red.on_default().bold();
    /// Returns `text` in the style of a removed line.
    removed: AnsiColor::Red.on_default();
    /// Returns `text` in the style of an added line, or of something good.
    added: AnsiColor::Green.on_default();
    /// Returns `text` in the style of a warning.
    warning: AnsiColor::Magenta.on_default();
}

impl Paint {
    /// Resolves the user's choice for `stream`.
    pub(crate) fn new(choice: ColorChoice, stream: &impl IsTerminal) -> Paint {
        let refused = || env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = || env::var_os("TERM").is_some_and(|value| value == "dumb");
        match choice {
            ColorChoice::Always => Paint::On,
            ColorChoice::Auto if stream.is_terminal() && !refused() && !dumb() && enable_colours() => {
                Paint::On
            }
            ColorChoice::Auto | ColorChoice::Never => Paint::Off,
        }
    }

    /// Returns the boards of `state` with coloured marks, one below the other; several have headings.
    pub(crate) fn boards(self, state: &State, style: notation::Style) -> String {
        let mut text = String::new();
        for (number, board) in state.boards().enumerate() {
            if state.n_boards() > 1 {
                let gap = if number > 0 { "\n" } else { "" };
                let finished = if state.lines(number).is_empty() { "" } else { " (finished)" };
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{gap}Board {}{finished}", number + 1);
            }
            text += &self.diagram(&Diagram::new(state.rules().grid(), board, style).to_string());
        }
        text
    }

    /// Returns a diagram with coloured marks.
    ///
    /// A row's label, which may itself be an X or an O, ends at the first space and stays plain.
    pub(crate) fn diagram(self, diagram: &str) -> String {
        if self == Paint::Off {
            return diagram.to_owned();
        }
        diagram.split_inclusive('\n').map(|line| self.row(line)).collect()
    }

    fn row(self, line: &str) -> String {
        let (label, cells) = line.split_at(line.find(' ').unwrap_or(0));
        let cells = cells.chars().map(|c| match c {
            'X' | '╳' => self.styled(X, c),
            'O' | '◯' => self.styled(O, c),
            _ => c.to_string(),
        });
        label.to_owned() + &cells.collect::<String>()
    }

    fn styled(self, style: Style, text: impl fmt::Display) -> String {
        match self {
            Paint::Off => text.to_string(),
            Paint::On => format!("{style}{text}{style:#}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_coloured_and_labels_are_not() {
        let plain = "   1   2\nO  X | O\n  ---+---\nX    |\n";
        assert_eq!(Paint::Off.diagram(plain), plain);
        let painted = Paint::On.diagram(plain);
        assert_eq!(painted.matches("\x1b[0m").count(), 2, "{painted:?}");
        assert!(painted.contains("\nO  \x1b["), "{painted:?}");
    }
}
