//! `tictac grade class`.

use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, bail};
use tictac_grader::report::{CsvRow, csv};
use tictac_grader::{
    Assignment, Config, Format, Progress, Report, Style, find_program, grade, render, why_missing,
};

use super::options::Options;
use super::progress::Bar;
use super::watch::watch;

/// Grade many submissions in parallel and make a table of them
///
/// Every folder is a submission; a single folder that holds only folders stands for all of them. Each line of the table is one program of
/// one submission.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The submissions
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,

    /// Grade only this assignment [default: every program that is found]
    #[arg(short, long, value_name = "NAME")]
    assignment: Option<Assignment>,

    /// Write the table to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Also write one page a submission to DIR
    #[arg(long, value_name = "DIR")]
    pages: Option<PathBuf>,

    #[command(flatten)]
    options: Options,
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 no fault found, 1 at least one fault, 2 a submission could not be graded. Ctrl-C ends with a table of what is done.

Examples:
  tictac grade class submissions/ --csv results.csv
  tictac grade class --assignment game-check --build make --pages pages/ ada/ ben/ cy/";

/// Grades a class.
pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut config = args.options.config()?;
    if let Some(assignment) = args.assignment {
        config.assignments = vec![assignment];
    }
    let submissions = submissions(&args.folders)?;
    if let Some(pages) = &args.pages {
        fs::create_dir_all(pages).with_context(|| format!("cannot make {}", pages.display()))?;
    }
    let n_workers = config.settings.n_threads.min(submissions.len()).max(1);
    // The threads are shared out: many submissions at once, each with few.
    config.settings.n_threads = (config.settings.n_threads / n_workers).max(1);
    let rows =
        watch(&config.settings, || grade_all(&submissions, &config, args.pages.as_deref(), n_workers))??;
    let table = csv(&rows);
    match &args.csv {
        None => out.write_all(table.as_bytes())?,
        Some(path) => fs::write(path, table).with_context(|| format!("cannot write {}", path.display()))?,
    }
    let is_complete = !config.settings.stop.is_set() && rows.iter().all(|row| row.result.is_ok());
    Ok(ExitCode::from(if is_complete {
        u8::from(rows.iter().any(|row| row.result.as_ref().is_ok_and(Report::has_fault)))
    } else {
        2
    }))
}

/// Returns the folders that are submissions, in the order of their names where one folder stands for many.
fn submissions(folders: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for folder in folders {
        if !folder.is_dir() {
            bail!("{} is not a folder", folder.display());
        }
        let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let mut inside: Vec<PathBuf> =
            entries.flatten().map(|entry| entry.path()).filter(|path| !is_hidden(path)).collect();
        inside.sort();
        if folders.len() == 1 && !inside.is_empty() && inside.iter().all(|path| path.is_dir()) {
            all.append(&mut inside);
        } else {
            all.push(folder.clone());
        }
    }
    Ok(all)
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

fn grade_all(
    submissions: &[PathBuf],
    config: &Config,
    pages: Option<&Path>,
    n_workers: usize,
) -> anyhow::Result<Vec<CsvRow>> {
    let next = AtomicUsize::new(0);
    let rows: Mutex<Vec<(usize, Vec<CsvRow>)>> = Mutex::new(Vec::new());
    let bar = Bar::new("class", "submissions");
    let work = || -> anyhow::Result<()> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(folder) = submissions.get(at) else { return Ok(()) };
            let own = grade_one(folder, config);
            if config.settings.stop.is_set() {
                return Ok(());
            }
            if let Some(pages) = pages {
                write_page(folder, &own, config, pages)?;
            }
            let mut rows = rows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            rows.push((at, own));
            bar.show(Progress::Trying { done: rows.len(), all: submissions.len() });
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..n_workers).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    drop(bar);
    let mut rows = rows.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if rows.len() < submissions.len() {
        writeln!(stderr(), "stopped: {} of {} submissions are in the table", rows.len(), submissions.len())?;
    }
    rows.sort_by_key(|(at, _)| *at);
    Ok(rows.into_iter().flat_map(|(_, own)| own).collect())
}

fn name(folder: &Path) -> String {
    folder
        .file_name()
        .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn grade_one(folder: &Path, config: &Config) -> Vec<CsvRow> {
    let row = |assignment, result| CsvRow { submission: name(folder), assignment, result };
    if let Some(Err(failure)) =
        config.build.as_deref().map(|command| tictac_grader::build(command, folder, &config.settings.stop))
    {
        let note = failure.to_string();
        return config.assignments.iter().map(|&assignment| row(assignment, Err(note.clone()))).collect();
    }
    let mut rows = Vec::new();
    for &assignment in &config.assignments {
        match find_program(assignment, folder) {
            Some(path) => {
                let report = grade(assignment, &[path.into_os_string()], &config.settings);
                rows.push(row(assignment, report.map_err(|error| error.to_string())));
            }
            // Who looks for one program misses it; who looks for all takes what is there.
            None if config.assignments.len() == 1 => {
                rows.push(row(assignment, Err(why_missing(assignment, folder))));
            }
            None => {}
        }
    }
    if rows.is_empty() {
        rows.push(row(config.assignments[0], Err("no executable in the submission".to_owned())));
    }
    rows
}

fn write_page(folder: &Path, rows: &[CsvRow], config: &Config, pages: &Path) -> anyhow::Result<()> {
    let reports: Vec<Report> = rows.iter().filter_map(|row| row.result.clone().ok()).collect();
    let style = Style { feedback: config.feedback, ..Style::default() };
    let path = pages.join(format!("{}.html", name(folder)));
    fs::write(&path, render(&reports, Format::Html, style))
        .with_context(|| format!("cannot write {}", path.display()))
}
