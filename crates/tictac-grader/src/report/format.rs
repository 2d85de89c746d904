//! The formats of a report.

use std::fmt;
use std::str::FromStr;

use super::{Feedback, Report, Visibility, gradescope, html, json, junit, markdown, tap, text};

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For a person in a terminal.
    #[default]
    Text,
    /// For a program.
    Json,
    /// `results.json` of Gradescope.
    Gradescope,
    /// `JUnit` XML, which most CI systems show.
    Junit,
    /// Test Anything Protocol, version 14.
    Tap,
    /// For an issue or a pull request.
    Markdown,
    /// One page without anything from outside, boards drawn.
    Html,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 7] = [
        Format::Text,
        Format::Json,
        Format::Gradescope,
        Format::Junit,
        Format::Tap,
        Format::Markdown,
        Format::Html,
    ];

    /// Returns the name of the format.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Gradescope => "gradescope",
            Format::Junit => "junit",
            Format::Tap => "tap",
            Format::Markdown => "markdown",
            Format::Html => "html",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no format is called {:?}; there are {}", self.0, Format::ALL.map(Format::name).join(", "))
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        let found = Format::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// What is told, and how it looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// How much is told.
    pub feedback: Feedback,
    /// Whether text is coloured.
    pub has_colour: bool,
    /// Who sees the tests on Gradescope.
    pub visibility: Visibility,
}

/// Writes reports in a format; several reports make one document.
pub fn render(reports: &[Report], format: Format, style: Style) -> String {
    match format {
        Format::Text => text::render(reports, style),
        Format::Json => json::render(reports, style.feedback),
        Format::Gradescope => gradescope::render(reports, style),
        Format::Junit => junit::render(reports, style.feedback),
        Format::Tap => tap::render(reports, style.feedback),
        Format::Markdown => markdown::render(reports, style.feedback),
        Format::Html => html::render(reports, style.feedback),
    }
}
