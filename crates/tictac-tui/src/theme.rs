//! Every colour of the screen, and the text attributes that replace colour.
//!
//! All other files name the [`Theme`]'s styles, never a colour. Most text has no colour at all: it is drawn in the terminal's
//! own foreground, which can be read on the terminal's own background. The other colours are those of the 256-colour cube,
//! which look the same in every terminal, so that a test can check their contrast.

use std::fmt;
use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};
use serde::{Deserialize, Serialize};
use tictac::{Mark, Value};

use crate::background::Background;

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
    /// Colours that can be read on a dark and on a light background, for terminals that do not tell which they have.
    Neutral,
    /// Colours for a dark background.
    Dark,
    /// Colours for a light background.
    Light,
    /// Bright colours on black, with a background of their own.
    HighContrast,
    /// Bold and dim text only.
    Monochrome,
}

/// The player's choice of colours, which is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeChoice {
    /// Colours for the background that the terminal reports.
    Auto,
    /// Colours for a dark background.
    Dark,
    /// Colours for a light background.
    Light,
    /// Bright colours on black.
    HighContrast,
    /// No colours at all.
    Mono,
}

impl ThemeChoice {
    /// All choices with their names.
    pub const ALL: [(ThemeChoice, &'static str); 5] = [
        (ThemeChoice::Auto, "auto"),
        (ThemeChoice::Dark, "dark"),
        (ThemeChoice::Light, "light"),
        (ThemeChoice::HighContrast, "high-contrast"),
        (ThemeChoice::Mono, "mono"),
    ];

    /// Returns the choice after this one; the first one follows the last.
    #[must_use]
    pub const fn next(self) -> ThemeChoice {
        ThemeChoice::ALL[(self as usize + 1) % ThemeChoice::ALL.len()].0
    }

    /// Returns the colours for a terminal with this background, if it is known.
    pub const fn palette(self, background: Option<Background>) -> Palette {
        match (self, background) {
            (ThemeChoice::Auto, None) => Palette::Neutral,
            (ThemeChoice::Auto, Some(Background::Dark)) | (ThemeChoice::Dark, _) => Palette::Dark,
            (ThemeChoice::Auto, Some(Background::Light)) | (ThemeChoice::Light, _) => Palette::Light,
            (ThemeChoice::HighContrast, _) => Palette::HighContrast,
            (ThemeChoice::Mono, _) => Palette::Monochrome,
        }
    }
}

impl fmt::Display for ThemeChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(ThemeChoice::ALL[*self as usize].1)
    }
}

impl FromStr for ThemeChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<ThemeChoice, String> {
        let found = ThemeChoice::ALL.into_iter().find(|(_, name)| *name == text);
        let names = ThemeChoice::ALL.map(|(_, name)| name).join(", ");
        found.map(|(choice, _)| choice).ok_or_else(|| format!("there is no theme {text:?}, only {names}"))
    }
}

/// What a colour is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColourRole {
    X,
    O,
    /// A completed line, a success, a winning square.
    Success,
    /// A losing square.
    Loss,
    Selection,
    Key,
    Message,
    /// Secondary text, which is dim where it has no colour.
    Faint,
}

impl Palette {
    /// Returns the number of a colour of the 256-colour cube, in the order of [`ColourRole`]; `None` is the foreground.
    const fn colour(self, role: ColourRole) -> Option<u8> {
        let colours = match self {
            Palette::Neutral => [68, 166, 65, 167, 134, 66, 166, 244],
            Palette::Dark => [75, 221, 114, 210, 213, 80, 222, 248],
            Palette::Light => [25, 94, 22, 124, 90, 23, 94, 240],
            Palette::HighContrast => [123, 226, 118, 217, 219, 159, 226, 252],
            Palette::Monochrome => return None,
        };
        Some(colours[role as usize])
    }
}

/// The foreground and the background of [`Palette::HighContrast`].
const WHITE_ON_BLACK: (u8, u8) = (231, 16);

impl Theme {
    /// The theme for a terminal with colours and Unicode.
    pub const FULL: Theme = Theme { palette: Palette::Neutral, is_ascii: false };

    fn plain(self, role: ColourRole) -> Style {
        match (self.palette.colour(role), self.palette) {
            // These colours are not strong enough for thin letters on every background.
            (Some(colour), Palette::Neutral) => Style::new().fg(Color::Indexed(colour)).bold(),
            (Some(colour), _) => Style::new().fg(Color::Indexed(colour)),
            (None, _) => Style::new(),
        }
    }

    fn bold(self, role: ColourRole) -> Style {
        self.plain(role).add_modifier(Modifier::BOLD)
    }

    /// Returns the style of the whole window, which all other styles are drawn over.
    pub fn base(self) -> Style {
        let (foreground, background) = WHITE_ON_BLACK;
        match self.palette {
            Palette::HighContrast => {
                Style::new().fg(Color::Indexed(foreground)).bg(Color::Indexed(background))
            }
            _ => Style::new(),
        }
    }

    /// Returns the style of a mark on the board.
    pub fn mark(self, mark: Mark) -> Style {
        self.bold(match mark {
            Mark::X => ColourRole::X,
            Mark::O => ColourRole::O,
        })
    }

    /// Returns the style of a mark in a completed line, and of a success such as a solved lesson.
    pub fn line(self) -> Style {
        self.bold(ColourRole::Success)
    }

    /// Returns the style of what is not in play: finished boards, undone moves, secondary text.
    pub fn faint(self) -> Style {
        match self.palette {
            Palette::Neutral | Palette::Monochrome => Style::new().add_modifier(Modifier::DIM),
            _ => self.plain(ColourRole::Faint),
        }
    }

    /// Returns the style of the lines between the squares, and of borders.
    pub fn grid(self) -> Style {
        self.faint()
    }

    /// Returns the style of the letters and numbers around the board, and of details in lists.
    pub fn label(self) -> Style {
        Style::new()
    }

    /// Returns the style of the cursor on the board, and of the selected entry of a list.
    pub fn selected(self) -> Style {
        self.bold(ColourRole::Selection)
    }

    /// Returns the style of the brackets around the last move.
    pub fn last_move(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Returns the style of the value of a square; `None` is unknown.
    pub fn value(self, value: Option<Value>) -> Style {
        match value {
            Some(Value::Win) => self.plain(ColourRole::Success),
            Some(Value::Draw) => Style::new(),
            Some(Value::Loss) => self.plain(ColourRole::Loss),
            None => self.faint(),
        }
    }

    /// Returns the style of a key in the key help.
    pub fn key(self) -> Style {
        self.bold(ColourRole::Key)
    }

    /// Returns the style of a heading.
    pub fn heading(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Returns the style of a message to the player, such as a hint or an error.
    pub fn message(self) -> Style {
        self.plain(ColourRole::Message)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::TerminalColour;

    const ROLES: [ColourRole; 8] = [
        ColourRole::X,
        ColourRole::O,
        ColourRole::Success,
        ColourRole::Loss,
        ColourRole::Selection,
        ColourRole::Key,
        ColourRole::Message,
        ColourRole::Faint,
    ];

    /// Backgrounds of terminals and editors: black, VS Code, One Dark, Nord, Solarized, Ubuntu.
    const DARK: [[u8; 3]; 6] =
        [[0; 3], [0x1e; 3], [0x28, 0x2c, 0x34], [0x2e, 0x34, 0x40], [0, 0x2b, 0x36], [0x30, 0x0a, 0x24]];
    /// White, GNOME, Solarized, One Light, a light grey.
    const LIGHT: [[u8; 3]; 5] = [[0xff; 3], [0xfa; 3], [0xfd, 0xf6, 0xe3], [0xf5; 3], [0xee; 3]];

    /// Returns a colour of the cube or of the ramp of greys as xterm defines them.
    fn rgb(index: u8) -> TerminalColour {
        let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
        match index {
            16..=231 => {
                let place = index - 16;
                TerminalColour([level(place / 36), level(place / 6 % 6), level(place % 6)])
            }
            232.. => TerminalColour([8 + 10 * (index - 232); 3]),
            ..16 => panic!("every terminal has its own idea of colour {index}"),
        }
    }

    /// Returns the contrast ratio of two colours, from 1 to 21, as the Web Content Accessibility Guidelines define it.
    fn contrast(one: TerminalColour, other: TerminalColour) -> f64 {
        let (one, other) = (one.luminance() + 0.05, other.luminance() + 0.05);
        one.max(other) / one.min(other)
    }

    #[track_caller]
    fn check(palette: Palette, backgrounds: &[TerminalColour], least: f64) {
        for role in ROLES {
            for &background in backgrounds {
                let colour = palette.colour(role).unwrap();
                let ratio = contrast(rgb(colour), background);
                assert!(ratio >= least, "{palette:?} {role:?} {colour} on {background:?}: {ratio:.2}");
            }
        }
    }

    #[test]
    fn every_colour_of_every_theme_can_be_read() {
        let dark = DARK.map(TerminalColour);
        let light = LIGHT.map(TerminalColour);
        check(Palette::Dark, &dark, 4.5);
        check(Palette::Light, &light, 4.5);
        // No colour has 4.5 on all of these backgrounds; 3 is the ratio asked for bold text.
        check(Palette::Neutral, &[&dark[..], &light].concat(), 3.0);
        let (white, black) = WHITE_ON_BLACK;
        check(Palette::HighContrast, &[rgb(black)], 7.0);
        assert!(contrast(rgb(white), rgb(black)) > 20.9);
    }

    #[test]
    fn the_backgrounds_are_taken_for_what_they_are() {
        assert!(DARK.iter().all(|&colour| Background::of(TerminalColour(colour)) == Background::Dark));
        assert!(LIGHT.iter().all(|&colour| Background::of(TerminalColour(colour)) == Background::Light));
    }

    #[test]
    fn coloured_text_is_bold_where_the_background_is_not_known() {
        for style in [Theme::FULL.message(), Theme::FULL.value(Some(Value::Win)), Theme::FULL.key()] {
            assert!(style.add_modifier.contains(Modifier::BOLD), "{style:?}");
        }
        for palette in [Palette::Neutral, Palette::Dark, Palette::Light] {
            let theme = Theme { palette, is_ascii: false };
            let foreground = [theme.base(), theme.label(), theme.last_move(), theme.heading()];
            assert!(foreground.iter().all(|style| style.fg.is_none() && style.bg.is_none()));
        }
    }

    #[test]
    fn theme_names_parse_back() {
        for (choice, name) in ThemeChoice::ALL {
            assert_eq!((name.parse(), choice.to_string().as_str()), (Ok(choice), name));
        }
        assert!("pink".parse::<ThemeChoice>().unwrap_err().contains("high-contrast"));
        assert_eq!(ThemeChoice::Mono.next(), ThemeChoice::Auto);
    }
}
