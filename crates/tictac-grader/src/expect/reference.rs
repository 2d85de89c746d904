//! Runs the reference of a teacher, under the same limits as a student's program.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use super::{ExpectedOutput, expected};
use crate::assignment::Assignment;
use crate::assignment::form::Reference;
use crate::case::Case;
use crate::run::{Channel, Program, RunExit, RunOutput, RunnerPool, why_not_started};
use crate::settings::GradeSettings;
use crate::unit::build_source;

/// How often the reference is tried again after a time-out: the machine may have been busy.
const RETRIES: usize = 2;
/// All remembered outputs together have at most this many bytes.
const MAX_REMEMBERED: usize = 256 * 1024 * 1024;

/// Why the reference of an assignment cannot be used. This is a problem of the teacher, never a fault of a student.
#[derive(Clone, Debug)]
pub(crate) struct ReferenceFailure(String);

impl fmt::Display for ReferenceFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReferenceFailure {}

impl ReferenceFailure {
    /// Returns whether an error is of this kind.
    pub(crate) fn is_in(error: &io::Error) -> bool {
        error.get_ref().and_then(|inner| inner.downcast_ref::<ReferenceFailure>()).is_some()
    }
}

/// An assignment, the arguments and the input of a case.
type OutputKey = (&'static str, Vec<OsString>, Vec<u8>);

/// The outputs of references. All programs of a class are compared with the same ones.
static REMEMBERED: LazyLock<Mutex<RememberedOutputs>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct RememberedOutputs {
    outputs: HashMap<OutputKey, RunOutput>,
    n_bytes: usize,
}

impl RememberedOutputs {
    fn add(&mut self, key: OutputKey, output: RunOutput) {
        if self.n_bytes > MAX_REMEMBERED {
            *self = RememberedOutputs::default();
        }
        self.n_bytes += key.2.len() + output.stdout.len() + output.stderr.len();
        self.outputs.insert(key, output);
    }
}

fn remembered(key: &OutputKey) -> Option<RunOutput> {
    REMEMBERED.lock().unwrap_or_else(PoisonError::into_inner).outputs.get(key).cloned()
}

/// Finds the correct outputs of an assignment.
pub(crate) struct ReferenceRunner {
    assignment: Assignment,
    time_limit: Duration,
    /// Empty if the reference runs in this process.
    pool: Mutex<RunnerPool>,
}

impl ReferenceRunner {
    /// Returns a runner; the error says why the reference cannot be run.
    pub(crate) fn new(assignment: Assignment, settings: &GradeSettings) -> io::Result<ReferenceRunner> {
        let pool = match &assignment.form().reference {
            Reference::Course { .. } | Reference::Game => RunnerPool::default(),
            Reference::Source(path) => {
                let unit = assignment.form().unit.as_ref().expect("a form with a source has a unit");
                let program = build_source(unit, path, settings)
                    .map_err(|error| failure(format!("the reference of {assignment}: {error}")))?;
                RunnerPool::new(&program, &GradeSettings { channel: Channel::Pipe, ..settings.clone() })?
            }
            Reference::Command(command) => {
                let arguments: Vec<OsString> = command[1..].iter().map(OsString::from).collect();
                let path = Path::new(&command[0]);
                let program = Program::find(path, &arguments).map_err(|error| {
                    let reason = why_not_started(&error, path);
                    failure(format!("cannot run {}, the reference of {assignment}: {reason}", command[0]))
                })?;
                let settings = GradeSettings { channel: Channel::Pipe, ..settings.clone() };
                RunnerPool::new(&program, &settings)?
            }
        };
        let time_limit = settings.limits.limits().wall;
        Ok(ReferenceRunner { assignment, time_limit, pool: Mutex::new(pool) })
    }

    fn key(&self, case: &Case) -> OutputKey {
        (self.assignment.name(), case.arguments.clone(), case.input.clone())
    }

    /// Finds the outputs of several cases at the same time, so that they are known when they are asked for.
    pub(crate) fn prepare(&self, cases: &[&Case]) -> io::Result<()> {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if pool.runners.is_empty() {
            return Ok(());
        }
        let new = |case: &&&Case| remembered(&self.key(case)).is_none();
        let cases: Vec<&Case> = cases.iter().filter(new).copied().collect();
        let outputs = pool.run(&cases).map_err(|error| self.could_not_run(error))?;
        for (case, output) in cases.into_iter().zip(outputs) {
            let output = self.checked(&mut pool, case, output)?;
            let mut remembered = REMEMBERED.lock().unwrap_or_else(PoisonError::into_inner);
            remembered.add(self.key(case), output);
        }
        Ok(())
    }

    /// Returns every correct output for a case, the most usual first. `path` is that of the graded program.
    pub(crate) fn outputs(&self, path: &str, case: &Case) -> io::Result<Vec<ExpectedOutput>> {
        if let Some(outputs) = expected(self.assignment, path, case) {
            return Ok(outputs);
        }
        let unit = self.assignment.form().unit.as_ref();
        if let Some(results) = unit.and_then(|unit| unit.best_moves(&case.input)) {
            let output = |stdout: String| RunOutput {
                stdout: stdout.into_bytes(),
                stderr: Vec::new(),
                exit: RunExit::Status(0),
            };
            return Ok(results.into_iter().map(|result| ExpectedOutput::new(output(result))).collect());
        }
        // What was just prepared may have been dropped for another thread.
        self.prepare(&[case])?;
        let output = remembered(&self.key(case)).ok_or_else(|| failure("the memory is full".to_owned()))?;
        Ok(vec![ExpectedOutput::new(output)])
    }

    /// Runs the reference once more on a case, and checks that it prints the same as before.
    pub(crate) fn confirm(&self, case: &Case) -> io::Result<()> {
        let Some(before) = remembered(&self.key(case)) else { return Ok(()) };
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let output = pool.run_one(case).map_err(|error| self.could_not_run(error))?;
        let output = self.checked(&mut pool, case, output)?;
        if (&output.stdout, output.exit) == (&before.stdout, before.exit) {
            return Ok(());
        }
        Err(self.failure_on(case, "does not always print the same"))
    }

    /// Returns the output if the reference exited as it may.
    fn checked(&self, pool: &mut RunnerPool, case: &Case, mut output: RunOutput) -> io::Result<RunOutput> {
        for _ in 0..RETRIES {
            if output.exit == RunExit::TimedOut {
                output = pool.run_one(case)?;
            }
        }
        let statuses = &self.assignment.form().statuses;
        match output.exit {
            RunExit::Status(status) if statuses.contains(&status) => Ok(output),
            RunExit::Status(status) => {
                let last =
                    String::from_utf8_lossy(&output.stderr).trim_end().lines().last().map(str::to_owned);
                let said = last.map(|line| format!(" and says {line:?}")).unwrap_or_default();
                let allowed: Vec<String> = statuses.iter().map(ToString::to_string).collect();
                let allowed = allowed.join(", ");
                Err(self.failure_on(
                    case,
                    &format!(
                        "exits with status {status}{said}, but `statuses` in [comparison] allows {allowed}"
                    ),
                ))
            }
            RunExit::TimedOut => {
                let seconds = self.time_limit.as_secs_f64();
                let what = format!("did not exit within {seconds} s (`seconds` in [limits] allows more)");
                Err(self.failure_on(case, &what))
            }
            exit => Err(self.failure_on(case, &format!("fails: {exit}"))),
        }
    }

    fn failure_on(&self, case: &Case, what: &str) -> io::Error {
        let input = String::from_utf8_lossy(&case.input);
        let shown: String = input.chars().take(60).collect();
        let dots = if shown.len() < input.len() { "…" } else { "" };
        failure(format!("the reference of {} {what}; its input was {shown:?}{dots}", self.assignment))
    }

    fn could_not_run(&self, error: io::Error) -> io::Error {
        if error.kind() == io::ErrorKind::Interrupted {
            return error;
        }
        let reason = why_not_started(&error, Path::new(""));
        failure(format!("the reference of {} could not be run: {reason}", self.assignment))
    }
}

fn failure(message: String) -> io::Error {
    io::Error::other(ReferenceFailure(message))
}
