//! The formats of a report.
//!
//! To add a format, write a file in `format/` with a function `write`, and add it to [`ReportFormat`] and [`render`].

mod classroom50;
mod comment;
mod github;
mod gradescope;
mod html;
mod json;
mod junit;
mod markdown;
mod tap;
mod text;

use std::fmt;

pub use github::github_annotations;
pub use gradescope::Visibility;

use super::{Feedback, Report};
use crate::names::named_values;

/// A format of reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReportFormat {
    /// Text for a terminal.
    #[default]
    Text,
    /// JSON, for other programs.
    Json,
    /// The results file of a Gradescope autograder.
    Gradescope,
    /// The results file of an autograder of Classroom 50.
    Classroom50,
    /// `JUnit` XML, which most CI systems read.
    Junit,
    /// Test Anything Protocol.
    Tap,
    /// Markdown for an issue or a wiki.
    Markdown,
    /// A short Markdown summary for one comment on a pull request.
    Comment,
    /// Annotations of GitHub Actions.
    Github,
    /// A self-contained HTML page.
    Html,
}

named_values! { ReportFormat, "format",
    Text => "text",
    Json => "json",
    Gradescope => "gradescope",
    Classroom50 => "classroom50",
    Junit => "junit",
    Tap => "tap",
    Markdown => "markdown",
    Comment => "comment",
    Github => "github",
    Html => "html",
}

impl ReportFormat {
    /// Renders the reason why nothing could be graded, if readers of this format see only the report.
    pub fn render_error(self, message: &str, options: RenderOptions) -> Option<String> {
        match self {
            ReportFormat::Gradescope => Some(gradescope::render_error(message)),
            ReportFormat::Classroom50 => Some(classroom50::render_error(message, options)),
            ReportFormat::Github => Some(github::render_error(message)),
            _ => None,
        }
    }
}

/// How a report is rendered.
#[derive(Clone, Copy, Debug)]
pub struct RenderOptions {
    /// How much of each finding is shown.
    pub feedback: Feedback,
    /// Whether text is coloured.
    pub has_colour: bool,
    /// When students see the results on Gradescope.
    pub visibility: Visibility,
    /// The time of grading in seconds since 1970, for formats that state it.
    pub time: u64,
    /// Returns the value of an environment variable, for formats whose readers describe the submission in such variables.
    pub environment: fn(&str) -> Option<String>,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        RenderOptions {
            feedback: Feedback::default(),
            has_colour: false,
            visibility: Visibility::default(),
            time: 0,
            environment: |_| None,
        }
    }
}

/// Renders reports as one document.
pub fn render(reports: &[Report], format: ReportFormat, options: RenderOptions) -> String {
    let write: fn(&mut String, &[Report], RenderOptions) -> fmt::Result = match format {
        ReportFormat::Text => text::write,
        ReportFormat::Json => json::write,
        ReportFormat::Gradescope => gradescope::write,
        ReportFormat::Classroom50 => classroom50::write,
        ReportFormat::Junit => junit::write,
        ReportFormat::Tap => tap::write,
        ReportFormat::Markdown => markdown::write,
        ReportFormat::Comment => comment::write,
        ReportFormat::Github => github::write,
        ReportFormat::Html => html::write,
    };
    let mut out = String::new();
    write(&mut out, reports, options).expect("writing to a string cannot fail");
    out
}

/// Escapes text for HTML and XML. Control characters that XML does not allow are replaced.
pub(super) fn escape_xml(text: &str) -> String {
    let is_wrong =
        |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{fffe}' | '\u{ffff}');
    let text = text.replace(is_wrong, "\u{fffd}").replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
