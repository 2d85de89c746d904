//! The `tictac grade class` command.

use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, bail};
use tictac_grader::report::{SubmissionRow, csv};
use tictac_grader::{
    Assignment, Config, RenderOptions, Report, ReportFormat, find_program, grade, render, why_missing,
};

use super::options::{GradeOptions, write_file};
use super::{progress_bar, with_cleanup};

/// Grade many submissions in parallel and write a table
///
/// Each folder is a submission. A single folder that contains only folders is a folder of submissions. The table has one line
/// per program of a submission.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// Folders of submissions
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,

    /// Grade only this assignment [default: every program that is found]
    #[arg(short, long, value_name = "NAME")]
    assignment: Option<Assignment>,

    /// Write the table to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Also write one HTML page per submission to DIR
    #[arg(long, value_name = "DIR")]
    pages: Option<PathBuf>,

    #[command(flatten)]
    options: GradeOptions,
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 no fault found, 1 at least one fault, 2 a submission could not be graded. After Ctrl-C the table
contains the submissions graded so far.

Examples:
  tictac grade class submissions/ --csv results.csv
  tictac grade class --assignment game-check --build make --pages pages/ ada/ ben/ cy/";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut config = args.options.config()?;
    if let Some(assignment) = args.assignment {
        config.assignments = vec![assignment];
    }
    let submissions = submissions(&args.folders)?;
    if let Some(pages) = &args.pages {
        fs::create_dir_all(pages).with_context(|| format!("cannot create {}", pages.display()))?;
    }
    let n_workers = config.settings.n_threads.min(submissions.len()).max(1);
    // Grade many submissions at the same time, each with few threads.
    config.settings.n_threads = (config.settings.n_threads / n_workers).max(1);
    let rows = with_cleanup(&config.settings, || {
        grade_all(&submissions, &config, args.pages.as_deref(), n_workers)
    })??;
    let table = csv(&rows);
    match &args.csv {
        None => out.write_all(table.as_bytes())?,
        Some(path) => write_file(path, &table)?,
    }
    let is_complete = !config.settings.stop.is_set() && rows.iter().all(|row| row.result.is_ok());
    Ok(ExitCode::from(if is_complete {
        u8::from(rows.iter().any(|row| row.result.as_ref().is_ok_and(Report::has_fault)))
    } else {
        2
    }))
}

/// Returns the submissions, sorted by name if they are in one folder.
fn submissions(folders: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
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
            all.push(folder.clone());
        }
    }
    Ok(all)
}

fn grade_all(
    submissions: &[PathBuf],
    config: &Config,
    pages: Option<&Path>,
    n_workers: usize,
) -> anyhow::Result<Vec<SubmissionRow>> {
    let next = AtomicUsize::new(0);
    let bar = progress_bar("class", "submissions");
    bar.set_length(submissions.len() as u64);
    let work = || -> anyhow::Result<Vec<(usize, Vec<SubmissionRow>)>> {
        let mut rows = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(folder) = submissions.get(at) else { return Ok(rows) };
            let own = grade_one(folder, config);
            if config.settings.stop.is_set() {
                return Ok(rows);
            }
            if let Some(pages) = pages {
                write_page(folder, &own, config, pages)?;
            }
            rows.push((at, own));
            bar.inc(1);
        }
    };
    let mut rows = Vec::new();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..n_workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            rows.extend(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            anyhow::Ok(())
        })
    })?;
    drop(bar);
    if rows.len() < submissions.len() {
        let (n_rows, n_all) = (rows.len(), submissions.len());
        writeln!(stderr(), "stopped: the table contains {n_rows} of {n_all} submissions")?;
    }
    rows.sort_by_key(|(at, _)| *at);
    Ok(rows.into_iter().flat_map(|(_, own)| own).collect())
}

fn name(folder: &Path) -> String {
    folder
        .file_name()
        .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn grade_one(folder: &Path, config: &Config) -> Vec<SubmissionRow> {
    let row = |assignment, result| SubmissionRow { submission: name(folder), assignment, result };
    if let Some(command) = &config.build
        && let Err(note) = tictac_grader::build(command, folder, &config.settings.stop)
    {
        return config.assignments.iter().map(|&assignment| row(assignment, Err(note.clone()))).collect();
    }
    let mut rows = Vec::new();
    for &assignment in &config.assignments {
        match find_program(assignment, folder) {
            Some(path) => {
                let report = grade(assignment, &[path.into_os_string()], &config.settings);
                rows.push(row(assignment, report.map_err(|error| error.to_string())));
            }
            // A missing program is an error only if it is the only one to grade.
            None if config.assignments.len() == 1 => {
                rows.push(row(assignment, Err(why_missing(assignment, folder))));
            }
            None => {}
        }
    }
    if rows.is_empty() {
        rows.push(row(config.assignments[0], Err("no program found in the submission".to_owned())));
    }
    rows
}

fn write_page(folder: &Path, rows: &[SubmissionRow], config: &Config, pages: &Path) -> anyhow::Result<()> {
    let reports: Vec<Report> = rows.iter().filter_map(|row| row.result.clone().ok()).collect();
    let html: ReportFormat = "html".parse().map_err(anyhow::Error::msg)?;
    let options = RenderOptions { feedback: config.feedback, ..RenderOptions::default() };
    let path = pages.join(format!("{}.html", name(folder)));
    write_file(&path, &render(&reports, html, options))
}
