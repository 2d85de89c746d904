//! Where a report goes, and in which format.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use tictac_grader::{Config, Format, Report, Style, render};

use crate::paint::Paint;

/// How the report is written.
#[derive(clap::Args)]
pub(crate) struct Delivery {
    /// The format: text, json, gradescope, junit, tap, markdown, html
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,

    /// Write the report to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

impl Delivery {
    /// Hands the reports over; returns the exit status that they mean.
    pub(crate) fn deliver(
        &self,
        reports: &[Report],
        config: &Config,
        paint: Paint,
        out: &mut impl Write,
    ) -> anyhow::Result<ExitCode> {
        let has_colour = paint == Paint::On && self.out.is_none();
        let style = Style { feedback: config.feedback, has_colour, visibility: config.visibility };
        self.write(&render(reports, self.format, style), out)?;
        Ok(ExitCode::from(u8::from(reports.iter().any(Report::has_fault))))
    }

    /// Writes a text to where reports go.
    pub(crate) fn write(&self, text: &str, out: &mut impl Write) -> anyhow::Result<()> {
        match &self.out {
            None => Ok(out.write_all(text.as_bytes())?),
            Some(path) => fs::write(path, text).with_context(|| format!("cannot write {}", path.display())),
        }
    }
}
