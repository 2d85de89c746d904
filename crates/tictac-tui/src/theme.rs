//! Every colour of the screen, and the text attributes that replace colour.
//!
//! All other files name the [`Theme`]'s styles, never a colour.

use ratatui::style::{Color, Modifier, Style};
use tictac::Mark;
use tictac::solve::Value;

/// The colours and characters that the screen is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// The colours in use.
    pub palette: Palette,
    /// Whether only ASCII characters are used.
    pub is_ascii: bool,
}

/// A set of colours; bold, underlined and dim text is used with all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// The colours of the terminal, for a dark or a light background.
    Colour,
    /// Bold and dim text only.
    Monochrome,
}

impl Theme {
    /// The theme for a terminal with colours and Unicode.
    pub const FULL: Theme = Theme { palette: Palette::Colour, is_ascii: false };

    fn plain(self, colour: Color) -> Style {
        match self.palette {
            Palette::Colour => Style::new().fg(colour),
            Palette::Monochrome => Style::new(),
        }
    }

    fn bold(self, colour: Color) -> Style {
        self.plain(colour).add_modifier(Modifier::BOLD)
    }

    /// Returns the style of a mark on the board.
    pub fn mark(self, mark: Mark) -> Style {
        self.bold(match mark {
            Mark::X => Color::LightBlue,
            Mark::O => Color::LightYellow,
        })
    }

    /// Returns the style of a mark in a completed line, and of a success such as a solved lesson.
    pub fn line(self) -> Style {
        self.bold(Color::LightGreen)
    }

    /// Returns the style of what is not in play: finished boards, undone moves, secondary text.
    pub fn faint(self) -> Style {
        match self.palette {
            Palette::Colour => Style::new().fg(Color::DarkGray),
            Palette::Monochrome => Style::new().add_modifier(Modifier::DIM),
        }
    }

    /// Returns the style of the lines between the squares, and of borders.
    pub fn grid(self) -> Style {
        self.plain(Color::DarkGray)
    }

    /// Returns the style of the letters and numbers around the board, and of details in lists.
    pub fn label(self) -> Style {
        self.plain(Color::Gray)
    }

    /// Returns the style of the cursor on the board, and of the selected entry of a list.
    pub fn selected(self) -> Style {
        self.bold(Color::LightMagenta)
    }

    /// Returns the style of the brackets around the last move.
    pub fn last_move(self) -> Style {
        self.bold(Color::White)
    }

    /// Returns the style of the value of a square; `None` is unknown.
    pub fn value(self, value: Option<Value>) -> Style {
        self.plain(match value {
            Some(Value::Win) => Color::Green,
            Some(Value::Draw) => Color::Gray,
            Some(Value::Loss) => Color::Red,
            None => Color::DarkGray,
        })
    }

    /// Returns the style of a key in the key help.
    pub fn key(self) -> Style {
        self.bold(Color::LightCyan)
    }

    /// Returns the style of a heading.
    pub fn heading(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Returns the style of a message to the player, such as a hint or an error.
    pub fn message(self) -> Style {
        self.plain(Color::LightYellow)
    }

    /// Returns a text without accents if only ASCII is used.
    pub fn text(self, text: &str) -> String {
        if self.is_ascii { text.replace('è', "e") } else { text.to_owned() }
    }

    /// Returns `ascii` if only ASCII is used, `unicode` otherwise.
    pub const fn pick<'a>(self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.is_ascii { ascii } else { unicode }
    }
}
