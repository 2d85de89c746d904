//! The formats of a report.
//!
//! To add a format, write a file in `format/` with a [`ReportFormat`], and add it to [`FORMATS`].

mod gradescope;
mod html;
mod json;
mod junit;
mod markdown;
mod tap;
mod text;

use std::fmt;
use std::str::FromStr;

pub use gradescope::Visibility;

use super::{Feedback, Report};
use crate::names::find;

/// All formats, the default first.
pub const FORMATS: &[ReportFormat] = &[
    text::FORMAT,
    json::FORMAT,
    gradescope::FORMAT,
    junit::FORMAT,
    tap::FORMAT,
    markdown::FORMAT,
    html::FORMAT,
];

/// A format of reports.
#[derive(Clone, Copy, Debug)]
pub struct ReportFormat {
    /// The name on the command line.
    pub name: &'static str,
    /// Writes reports as one document.
    write: fn(&mut String, &[Report], RenderOptions) -> fmt::Result,
    /// Renders the reason why nothing could be graded, if readers of this format see only the report.
    pub render_error: Option<fn(&str) -> String>,
}

/// How a report is rendered.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenderOptions {
    /// How much of each finding is shown.
    pub feedback: Feedback,
    /// Whether text is coloured.
    pub has_colour: bool,
    /// When students see the results on Gradescope.
    pub visibility: Visibility,
}

impl Default for ReportFormat {
    fn default() -> ReportFormat {
        FORMATS[0]
    }
}

impl fmt::Display for ReportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

impl FromStr for ReportFormat {
    type Err = String;

    fn from_str(name: &str) -> Result<ReportFormat, String> {
        find("format", FORMATS, |format| format.name, name)
    }
}

/// Renders reports as one document.
pub fn render(reports: &[Report], format: ReportFormat, options: RenderOptions) -> String {
    let mut out = String::new();
    (format.write)(&mut out, reports, options).expect("writing to a string cannot fail");
    out
}

/// Escapes text for HTML and XML. Control characters that XML does not allow are replaced.
fn escape_xml(text: &str) -> String {
    let is_wrong =
        |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{fffe}' | '\u{ffff}');
    let text = text.replace(is_wrong, "\u{fffd}").replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
