//! The `tictac grade class` command.

mod grading;

use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use clap::ValueHint;
use tictac_grader::report::{Gradebook, SubmissionRow, class_page, csv, gradebook};
use tictac_grader::{Config, CourseProgram, Report, ReportFormat, ResultCache, render};

use super::options::{GradeOptions, find_assignment, open_file, render_options, write_file, write_text};
use super::with_cleanup;
use crate::completions;
use crate::output_file::{OutputFile, open_folder};
use crate::values::{MAX_THREADS, number};
use grading::{GradedClass, grade_all};

/// Grade many submissions in parallel and write a table
///
/// Each folder is a submission. A single folder that contains only folders is a folder of submissions. The table has one line
/// per program of a submission.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// Folders of submissions
    #[arg(value_name = "DIR", required = true, value_hint = ValueHint::DirPath)]
    folders: Vec<PathBuf>,

    /// Grade only this assignment, given by name or by its folder [default: every program that is found]
    #[arg(short, long, value_name = "NAME", add = completions::names(CourseProgram::ALL))]
    assignment: Option<String>,

    /// Write the table to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the table with the columns that a gradebook imports: canvas, moodle
    #[arg(long, value_name = "NAME", add = completions::names(Gradebook::ALL))]
    gradebook: Option<Gradebook>,

    /// Also write the table as an HTML page that can be sorted
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Also write one HTML page per submission to DIR
    #[arg(long, value_name = "DIR")]
    pages: Option<PathBuf>,

    /// How many submissions are graded at the same time, 1 to 256 [default: as many as there are threads]
    #[arg(short, long, value_name = "N", value_parser = number(1..=MAX_THREADS))]
    jobs: Option<usize>,

    /// Grade every submission again, even if nothing has changed
    #[arg(long)]
    fresh: bool,

    /// Where results are remembered [default: the user's cache folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,

    #[command(flatten)]
    options: GradeOptions,
}

const AFTER_LONG_HELP: &str = "\
A submission is graded again only if its files, the settings or this program have changed; --fresh grades all of them.

Exit status: 0 no fault found, 1 at least one fault, 2 a submission could not be graded. After Ctrl-C the table \
contains the submissions graded so far; the next call continues with the others.

Examples:
  tictac grade class submissions/ --csv results.csv --html results.html
  tictac grade class submissions/ --gradebook canvas --csv canvas.csv
  tictac grade class --assignment game-check --build make --jobs 2 ada/ ben/ cy/";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut config = args.options.config()?;
    if let Some(assignment) = &args.assignment {
        config.assignments = vec![find_assignment(assignment)?];
    }
    let submissions = submissions(&args.folders)?;
    args.pages.as_deref().map_or(Ok(()), open_folder)?;
    let (csv, html) = (open_file(args.csv.as_deref())?, open_file(args.html.as_deref())?);
    let n_jobs = args.jobs.unwrap_or(config.settings.n_threads).min(submissions.len()).max(1);
    // Grade many submissions at the same time, each with few threads.
    config.settings.n_threads = (config.settings.n_threads / n_jobs).max(1);
    let cache = args.result_cache(&config)?;
    let class = with_cleanup(&config.settings, || {
        grade_all(&submissions, &config, cache.as_ref().filter(|_| !args.fresh), cache.as_ref(), n_jobs)
    })?;
    let table = args.write_pages(&class, &config, html)?;
    write_text(csv, &table, out)?;
    report_progress(&class, submissions.len())?;
    let rows = &class.rows;
    let is_complete =
        !config.settings.stop.load(Ordering::Relaxed) && rows.iter().all(|row| row.result.is_ok());
    Ok(ExitCode::from(if is_complete {
        u8::from(rows.iter().any(|row| row.result.as_ref().is_ok_and(Report::has_fault)))
    } else {
        2
    }))
}

impl Args {
    /// Returns where results are remembered, if there is such a place.
    fn result_cache(&self, config: &Config) -> anyhow::Result<Option<ResultCache>> {
        let folder = self.cache.clone().or_else(|| Some(cache_folder()?.join("tictac").join("grade")));
        let grader = std::env::current_exe().context("cannot find the path of this program")?;
        Ok(folder.map(|folder| ResultCache::new(folder, &grader, config)))
    }

    /// Writes the HTML pages, and returns the table.
    fn write_pages(
        &self,
        class: &GradedClass,
        config: &Config,
        html: Option<OutputFile>,
    ) -> anyhow::Result<String> {
        let rows = &class.rows;
        if let Some(pages) = &self.pages {
            rows.chunk_by(|one, next| one.submission == next.submission)
                .try_for_each(|own| write_page(own, config, pages))?;
        }
        if let (Some(file), Some(path)) = (html, &self.html) {
            let link = |name: &str| Some(page_address(self.pages.as_ref()?, path, name));
            file.write(|out| out.write_all(class_page(rows, link).as_bytes()))?;
        }
        Ok(self.gradebook.map_or_else(|| csv(rows), |columns| gradebook(rows, columns)))
    }
}

/// Says how many submissions are missing, and how many were not graded again.
fn report_progress(class: &GradedClass, n_all: usize) -> anyhow::Result<()> {
    if class.n_remembered > 0 {
        let n = class.n_remembered;
        writeln!(stderr(), "{n} of {n_all} submissions have not changed and were not graded again")?;
    }
    if class.n_submissions < n_all {
        let n = class.n_submissions;
        writeln!(stderr(), "stopped: the table contains {n} of {n_all} submissions")?;
    }
    if let Some(error) = &class.cache_error {
        writeln!(stderr(), "the results could not be remembered: {error}")?;
    }
    Ok(())
}

/// Returns the folder for files that can be made again.
fn cache_folder() -> Option<PathBuf> {
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))
}

/// Returns the submissions, sorted by name if they are in one folder.
pub(super) fn submissions(folders: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for folder in folders {
        if !folder.is_dir() {
            bail!("{} is not a folder", folder.display());
        }
        let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let is_hidden = |entry: &fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
        let mut inside: Vec<PathBuf> =
            entries.flatten().filter(|entry| !is_hidden(entry)).map(|entry| entry.path()).collect();
        inside.sort();
        if folders.len() == 1 && !inside.is_empty() && inside.iter().all(|path| path.is_dir()) {
            all.append(&mut inside);
        } else {
            let is_file = |path: &&PathBuf| path.is_file();
            if let Some(file) =
                inside.iter().find(is_file).filter(|_| inside.iter().any(|path| path.is_dir()))
                && folders.len() == 1
            {
                writeln!(
                    stderr(),
                    "{} is graded as one submission, because it contains the file {}; to grade each folder in it, \
                     list them: {}/*/",
                    folder.display(),
                    file.file_name().unwrap_or_default().to_string_lossy(),
                    folder.display()
                )?;
            }
            all.push(folder.clone());
        }
    }
    Ok(all)
}

fn write_page(rows: &[SubmissionRow], config: &Config, pages: &Path) -> anyhow::Result<()> {
    let Some(first) = rows.first() else { return Ok(()) };
    let reports: Vec<Report> = rows.iter().filter_map(|row| row.result.clone().ok()).collect();
    let path = pages.join(format!("{}.html", first.submission));
    let page = match &reports[..] {
        // Nothing was graded, but the reason is worth a page.
        [] => class_page(rows, |_| None),
        reports => render(reports, ReportFormat::Html, render_options(config)),
    };
    write_file(&path, &page)
}

/// Returns the address of the page of a submission, relative to the page with the table if possible.
fn page_address(pages: &Path, html: &Path, name: &str) -> String {
    let path = pages.join(format!("{name}.html"));
    let folder = html.parent().unwrap_or(Path::new(""));
    let relative = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./~".contains(&byte);
    let address: String = relative
        .bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_linked_relative_to_the_table() {
        let address = |pages: &str, html: &str, name| page_address(Path::new(pages), Path::new(html), name);
        assert_eq!(address("pages", "results.html", "ada"), "pages/ada.html");
        assert_eq!(address("out/pages", "out/results.html", "ben, jr"), "pages/ben%2C%20jr.html");
        assert_eq!(address("/a/pages", "/b/results.html", "#1"), "/a/pages/%231.html");
    }
}
