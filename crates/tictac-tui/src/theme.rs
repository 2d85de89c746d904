//! Every colour of the screen, and what stands for it without colour.

use ratatui::style::{Color, Modifier, Style};
use tictac::Mark;
use tictac::solve::Value;

/// The colours and characters that the screen is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Whether there are colours; bold, underlined and reversed text there is in any case.
    pub has_colour: bool,
    /// Whether there are characters beyond ASCII.
    pub is_ascii: bool,
}

impl Theme {
    /// Colours and box-drawing characters.
    pub const FULL: Theme = Theme { has_colour: true, is_ascii: false };

    fn coloured(self, colour: Color) -> Style {
        if self.has_colour { Style::new().fg(colour) } else { Style::new() }
    }

    /// A mark on the board.
    pub fn mark(self, mark: Mark) -> Style {
        let colour = match mark {
            Mark::X => Color::LightBlue,
            Mark::O => Color::LightYellow,
        };
        self.coloured(colour).add_modifier(Modifier::BOLD)
    }

    /// A mark of a completed line.
    pub fn line(self) -> Style {
        self.coloured(Color::LightGreen).add_modifier(Modifier::BOLD)
    }

    /// The same where a mark is a single letter.
    pub fn line_letter(self) -> Style {
        self.line().add_modifier(Modifier::UNDERLINED)
    }

    /// A board that is finished, what was taken back, and other things that are over.
    pub fn faint(self) -> Style {
        if self.has_colour {
            Style::new().fg(Color::DarkGray)
        } else {
            Style::new().add_modifier(Modifier::DIM)
        }
    }

    /// The rules between the squares, and the letters and numbers around them.
    pub fn grid(self) -> Style {
        self.coloured(Color::DarkGray)
    }

    /// Letters and numbers around the board.
    pub fn label(self) -> Style {
        self.coloured(Color::Gray)
    }

    /// The corners of the cursor.
    pub fn cursor(self) -> Style {
        self.coloured(Color::LightMagenta).add_modifier(Modifier::BOLD)
    }

    /// The brackets of the last move.
    pub fn last(self) -> Style {
        self.coloured(Color::White).add_modifier(Modifier::BOLD)
    }

    /// What a square is worth.
    pub fn value(self, value: Option<Value>) -> Style {
        self.coloured(match value {
            Some(Value::Win) => Color::Green,
            Some(Value::Draw) => Color::Gray,
            Some(Value::Loss) => Color::Red,
            None => Color::DarkGray,
        })
    }

    /// A line of a list that is chosen.
    pub fn chosen(self) -> Style {
        self.coloured(Color::LightMagenta).add_modifier(Modifier::BOLD)
    }

    /// A key that can be pressed.
    pub fn key(self) -> Style {
        self.coloured(Color::LightCyan).add_modifier(Modifier::BOLD)
    }

    /// A heading.
    pub fn heading(self) -> Style {
        self.coloured(Color::Reset).add_modifier(Modifier::BOLD)
    }

    /// Something good: a lesson solved.
    pub fn good(self) -> Style {
        self.coloured(Color::LightGreen).add_modifier(Modifier::BOLD)
    }

    /// Something to be heard: a refusal, a hint.
    pub fn note(self) -> Style {
        self.coloured(Color::LightYellow)
    }

    /// Returns a text as it can be shown: in ASCII without accents.
    pub fn text(self, text: &str) -> String {
        if self.is_ascii { text.replace('è', "e") } else { text.to_owned() }
    }

    /// Returns the first in Unicode, the second in ASCII.
    pub const fn pick<'a>(self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.is_ascii { ascii } else { unicode }
    }
}
