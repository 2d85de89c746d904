//! What `tictac grade` adds to a workflow of GitHub Actions: a summary of the step, and annotations.

use std::fs::OpenOptions;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tictac_grader::report::github_annotations;
use tictac_grader::{RenderOptions, Report, ReportFormat, render};

/// The variable in which GitHub Actions names the file for the summary of a step.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Renders reports; programs' commands are relative to `folder`.
pub(super) fn render_in(
    folder: &Path,
    reports: &[Report],
    format: ReportFormat,
    options: RenderOptions,
) -> String {
    match format {
        ReportFormat::Github => github_annotations(reports, options.feedback, folder),
        _ => render(reports, format, options),
    }
}

/// In a workflow of GitHub Actions, appends a summary to the file that it names. Annotations go to standard error, which
/// GitHub reads too, unless the report on standard output has them.
pub(super) fn add_to_workflow(
    folder: &Path,
    reports: &[Report],
    format: ReportFormat,
    options: RenderOptions,
) -> anyhow::Result<()> {
    let Some(path) = std::env::var_os(SUMMARY).filter(|path| !path.is_empty()).map(PathBuf::from) else {
        return Ok(());
    };
    let cannot_write = || format!("cannot write {}, the file that {SUMMARY} names", path.display());
    let mut file = OpenOptions::new().append(true).create(true).open(&path).with_context(cannot_write)?;
    // A summary may have 1 MiB; this format has at most 60,000 characters.
    let summary = render(reports, ReportFormat::Comment, options) + "\n";
    file.write_all(summary.as_bytes()).with_context(cannot_write)?;
    if format != ReportFormat::Github {
        stderr().write_all(github_annotations(reports, options.feedback, folder).as_bytes())?;
    }
    Ok(())
}
