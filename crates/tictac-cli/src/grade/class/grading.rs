//! Grades the submissions of a class, several at a time.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tictac_grader::report::SubmissionRow;
use tictac_grader::{Config, Report, ResultCache, find_program, grade, why_missing};

use crate::exit::io_reason;
use crate::grade::progress_bar;
use crate::progress::DelayedBar;

/// How many characters of the names of submissions fit beside the bar.
const NAMES_WIDTH: usize = 48;

/// The results of a class.
#[derive(Debug, Default)]
pub(super) struct GradedClass {
    /// The rows of the table, in the order of the submissions.
    pub(super) rows: Vec<SubmissionRow>,
    /// The number of submissions in the table.
    pub(super) n_submissions: usize,
    /// The number of submissions whose results were remembered.
    pub(super) n_remembered: usize,
    /// Why a result could not be stored.
    pub(super) cache_error: Option<String>,
}

/// Grades all submissions, `n_jobs` at the same time, until the stop flag is set. Results are taken from `known` and added to
/// `memory`.
pub(super) fn grade_all(
    submissions: &[PathBuf],
    config: &Config,
    known: Option<&ResultCache>,
    memory: Option<&ResultCache>,
    n_jobs: usize,
) -> GradedClass {
    let next = AtomicUsize::new(0);
    let bar = ClassBar::start(submissions.len());
    let results: Mutex<Vec<(usize, GradedSubmission)>> = Mutex::default();
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(folder) = submissions.get(at) else { return };
            bar.start_submission(&name(folder));
            let graded = GradedSubmission::new(folder, config, known, memory);
            if config.settings.stop.load(Ordering::Relaxed) {
                return;
            }
            bar.end_submission(&name(folder));
            results.lock().unwrap_or_else(PoisonError::into_inner).push((at, graded));
        }
    };
    thread::scope(|scope| (0..n_jobs).for_each(|_| drop(scope.spawn(work))));
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    let mut class = GradedClass::default();
    for (_, graded) in results {
        class.n_submissions += 1;
        class.n_remembered += usize::from(graded.is_remembered);
        class.cache_error = class.cache_error.or(graded.cache_error);
        class.rows.extend(graded.rows);
    }
    class
}

/// Returns the name of a submission.
fn name(folder: &Path) -> String {
    folder
        .file_name()
        .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned())
}

struct GradedSubmission {
    rows: Vec<SubmissionRow>,
    is_remembered: bool,
    cache_error: Option<String>,
}

impl GradedSubmission {
    fn new(
        folder: &Path,
        config: &Config,
        known: Option<&ResultCache>,
        memory: Option<&ResultCache>,
    ) -> GradedSubmission {
        let key = || memory.and_then(|memory| memory.key(folder).ok());
        let before = key();
        if let Some(reports) = known.zip(before.as_ref()).and_then(|(known, key)| known.load(key)) {
            let row = |report: Report| SubmissionRow {
                submission: name(folder),
                assignment: report.assignment,
                result: Ok(report),
            };
            let rows = reports.into_iter().map(row).collect();
            return GradedSubmission { rows, is_remembered: true, cache_error: None };
        }
        let rows = grade_one(folder, config);
        // What could not be graded may have failed because of the machine, for example without a compiler.
        let reports: Option<Vec<Report>> = rows.iter().map(|row| row.result.clone().ok()).collect();
        let mut cache_error = None;
        // A result with fewer cases is not worth remembering.
        let reports = reports.filter(|reports| reports.iter().all(|report| report.n_left_out == 0));
        if let (Some(memory), Some(reports)) = (memory, reports) {
            // A build changes the folder; what it was and what it has become are the same submission.
            for key in before.into_iter().chain(key()) {
                let stored = memory.store(&key, &reports);
                cache_error = cache_error.or(stored.err().map(|error| io_reason(&error)));
            }
        }
        GradedSubmission { rows, is_remembered: false, cache_error }
    }
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
        match find_program(assignment, folder, &config.settings) {
            Some(program) => {
                let report =
                    program.and_then(|program| grade(assignment, &program, &config.settings, &mut |_| {}));
                rows.push(row(assignment, report.map_err(|error| io_reason(&error))));
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

/// A progress bar with the names of the submissions that are being graded.
struct ClassBar {
    bar: DelayedBar,
    names: Mutex<BTreeSet<String>>,
}

impl ClassBar {
    fn start(n_submissions: usize) -> ClassBar {
        let bar = progress_bar("class", "submissions");
        bar.set_length(n_submissions as u64);
        ClassBar { bar, names: Mutex::default() }
    }

    fn start_submission(&self, name: &str) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.insert(name.to_owned());
        self.bar.set_message(shown_names(&names));
    }

    fn end_submission(&self, name: &str) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.remove(name);
        self.bar.set_message(shown_names(&names));
        self.bar.inc(1);
    }
}

/// Returns the names that fit, and how many others there are. Control characters in a name must not reach the terminal.
fn shown_names(names: &BTreeSet<String>) -> String {
    let mut shown = String::new();
    for (at, name) in names.iter().enumerate() {
        let name = name.replace(char::is_control, "?");
        let separator = if at > 0 { ", " } else { "" };
        let width = shown.chars().count() + separator.len() + name.chars().count();
        if at > 0 && width > NAMES_WIDTH {
            return format!("{shown} and {} more", names.len() - at);
        }
        shown.extend([separator, &name]);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_do_not_fit_are_counted() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(shown_names(&names(&["ben", "ada\u{1b}"])), "ada?, ben");
        let long = "x".repeat(40);
        assert_eq!(shown_names(&names(&["ada", &long, "zoe"])), format!("ada, {long} and 1 more"));
        assert_eq!(shown_names(&names(&[])), "");
    }
}
