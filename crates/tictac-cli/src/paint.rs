//! Colours and other text styles.

use std::env;
use std::fmt::{self, Write};
use std::io::IsTerminal;

use clap::ColorChoice;
use clap::builder::styling::{AnsiColor, Style};
use tictac::State;
use tictac::notation::{self, Diagram};

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
const CULPRIT: Style = AnsiColor::Red.on_default().bold();
const REMOVED: Style = AnsiColor::Red.on_default();
const ADDED: Style = AnsiColor::Green.on_default();
const PRAISE: Style = AnsiColor::Green.on_default();
const DOUBT: Style = AnsiColor::Magenta.on_default();
const STRONG: Style = Style::new().bold();

impl Paint {
    /// Resolves the user's choice for `stream`.
    pub(crate) fn new(choice: ColorChoice, stream: &impl IsTerminal) -> Paint {
        let refused = || env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = || env::var_os("TERM").is_some_and(|value| value == "dumb");
        match choice {
            ColorChoice::Always => Paint::On,
            ColorChoice::Auto if stream.is_terminal() && !refused() && !dumb() => Paint::On,
            ColorChoice::Auto | ColorChoice::Never => Paint::Off,
        }
    }

    /// Returns `text` in bold.
    pub(crate) fn strong(self, text: impl fmt::Display) -> String {
        self.styled(STRONG, text)
    }

    /// Returns `text` in the style of an error.
    pub(crate) fn culprit(self, text: impl fmt::Display) -> String {
        self.styled(CULPRIT, text)
    }

    /// Returns `text` in the style of a removed line.
    pub(crate) fn removed(self, text: impl fmt::Display) -> String {
        self.styled(REMOVED, text)
    }

    /// Returns `text` in the style of an added line.
    pub(crate) fn added(self, text: impl fmt::Display) -> String {
        self.styled(ADDED, text)
    }

    /// Returns `text` in the style of something good.
    pub(crate) fn praise(self, text: impl fmt::Display) -> String {
        self.styled(PRAISE, text)
    }

    /// Returns `text` in the style of a warning.
    pub(crate) fn doubt(self, text: impl fmt::Display) -> String {
        self.styled(DOUBT, text)
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
