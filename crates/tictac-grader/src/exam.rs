//! Grades a program: tries all cases, groups the failures by cause, then confirms and shrinks each group.

mod budget;
mod causes;
mod passed;
mod positions;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::time::Instant;

use crate::assignment::Assignment;
use crate::case::Case;
use crate::expect::{ExpectedOutput, ReferenceFailure, ReferenceRunner};
use crate::generate;
use crate::judge::difference::OTHER_DIAGONAL;
use crate::judge::{Attempt, Behaviour, Comparison, KnownFaults, Mismatch, checkers, games};
use crate::report::Report;
use crate::run::{
    Channel, Program, RunExit, RunOutput, RunnerPool, check_sandbox, os_reason, why_not_started,
};
use crate::settings::GradeSettings;
use crate::shrink;
use crate::suite::grade_tests;
use budget::CaseCosts;
use passed::{CaseResult, InputKind, PassedCases};
use positions::AskedPositions;

/// After this many time-outs, further cases about the same requirement are skipped.
const MAX_TIME_OUTS_PER_REQUIREMENT: usize = 3;
/// After this many time-outs, all further cases are skipped.
const MAX_TIME_OUTS: usize = 24;
/// How often a case that timed out is tried again, alone: the machine may have been busy.
const RETRIES: usize = 2;
/// After this many cases that timed out in every retry, time-outs are retried only if the machine has been seen to be busy.
const MAX_RETRIED_CASES: usize = 2;
/// The number of cases per round. Skipping is decided between rounds; rounds are small while there are time-outs.
const ROUND: std::ops::RangeInclusive<usize> = 8..=512;
/// The same for inputs that share runs: starting an interpreter takes as long as thousands of calls.
const MAX_SHARED_ROUND: usize = 8192;

/// How many wrong outputs of shared runs are confirmed by a run of their own.
const MAX_CONFIRMED: usize = 24;

/// The number of cases after which [`find_fault`] looks for a fault.
const CASES_BETWEEN_LOOKS: usize = 128;

/// The progress of grading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradeProgress {
    /// Cases are being tried.
    Trying {
        /// The number of cases tried so far.
        done: usize,
        /// The number of all cases.
        all: usize,
    },
    /// A failing case of the requirement with this id is being made smaller.
    Shrinking(&'static str),
}

/// Grades a program, and calls `on_progress` from time to time.
///
/// # Errors
///
/// Returns why the program could not be graded; the kind is `Interrupted` if the stop flag was set. Faults of the program are
/// in the report.
pub fn grade(
    assignment: impl Into<Assignment>,
    program: &Program,
    settings: &GradeSettings,
    on_progress: &mut dyn FnMut(GradeProgress),
) -> io::Result<Report> {
    let assignment = assignment.into();
    let mut exam = Exam::new(assignment, program, settings)?;
    let cases = exam.cases()?;
    exam.try_cases(&cases, on_progress).map_err(could_not_run)?;
    let faults = exam.faults();
    let mut report = exam.into_report(&faults, on_progress).map_err(could_not_run)?;
    grade_tests(assignment, program, settings, &mut report)?;
    Ok(report)
}

/// Returns the id of a requirement that a program certainly breaks, or `None` if no case fails. Requirements on robustness and
/// for a bonus do not count. This stops at the first fault and shrinks nothing, so it is much faster than [`grade`].
///
/// # Errors
///
/// Returns why the program could not be graded.
pub fn find_fault(
    assignment: impl Into<Assignment>,
    program: &Program,
    settings: &GradeSettings,
) -> io::Result<Option<&'static str>> {
    let mut exam = Exam::new(assignment.into(), program, settings)?;
    for cases in exam.cases()?.chunks(CASES_BETWEEN_LOOKS) {
        exam.try_cases(cases, &mut |_| {}).map_err(could_not_run)?;
        let faults = exam.faults();
        if let Some(id) = exam.certain_fault(&faults).map_err(could_not_run)? {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Returns the error of a program that could not be run, or that of the reference as it is.
pub(crate) fn could_not_run(error: io::Error) -> io::Error {
    if error.kind() == ErrorKind::Interrupted || ReferenceFailure::is_in(&error) {
        return error;
    }
    io::Error::other(format!("the program could not be run: {}", os_reason(&error)))
}

/// A program that is being graded, and what its cases have shown so far.
struct Exam {
    assignment: Assignment,
    comparison: Comparison,
    settings: GradeSettings,
    program: Program,
    reference: ReferenceRunner,
    pool: RunnerPool,
    failures: Vec<FailedCase>,
    /// What the judge looks past, so that one fault does not hide the others. Which requirement is blamed in the end may be
    /// another.
    seen: KnownFaults,
    /// Whether a win on a diagonal was announced with the number that the reference gives it.
    names_diagonals_as_expected: bool,
    passed: PassedCases,
    positions: AskedPositions,
    n_tried: BTreeMap<&'static str, usize>,
    n_skipped: usize,
    /// The number of cases that were left out because the machine was busy.
    n_left_out: usize,
    /// The number of cases that timed out in every retry.
    n_hung: usize,
    /// The cases that timed out, also when they were repeated.
    timed_out: Vec<Case>,
    /// The number of time-outs that passed when they were repeated.
    n_repeated: usize,
    shared_runs: SharedRuns,
}

/// Whether the outputs of inputs that shared a run can be trusted: a function may remember earlier calls.
#[derive(Clone, Copy, Debug, Default)]
struct SharedRuns {
    /// How many wrong outputs were the same when the input was run alone.
    n_same: usize,
    has_differed: bool,
}

/// A case that failed.
#[derive(Clone)]
struct FailedCase {
    case: Case,
    input: InputKind,
    mismatch: Mismatch,
}

impl Exam {
    fn new(assignment: Assignment, program: &Program, settings: &GradeSettings) -> io::Result<Exam> {
        let limits = settings.limits.or(assignment.form().limits);
        let settings = GradeSettings { limits, ..settings.clone() };
        if settings.has_sandbox {
            check_sandbox().map_err(io::Error::other)?;
        }
        let mut pool = RunnerPool::new(program, &settings)?;
        // A program that cannot be started has no faults to report.
        pool.runners[0].run(&[], b"").map_err(|error| cannot_run(program, error))?;
        Ok(Exam {
            assignment,
            comparison: settings.comparison.unwrap_or(assignment.form().comparison),
            reference: ReferenceRunner::new(assignment, &settings)?,
            settings,
            program: program.clone(),
            pool,
            failures: Vec::new(),
            seen: KnownFaults::default(),
            names_diagonals_as_expected: false,
            passed: PassedCases::default(),
            positions: AskedPositions::default(),
            n_tried: BTreeMap::new(),
            n_skipped: 0,
            n_left_out: 0,
            n_hung: 0,
            timed_out: Vec::new(),
            n_repeated: 0,
            shared_runs: SharedRuns::default(),
        })
    }

    fn expected(&self, case: &Case) -> io::Result<Vec<ExpectedOutput>> {
        self.reference.outputs(&self.program.path.to_string_lossy(), case)
    }

    fn judge(&self, case: &Case, output: &RunOutput, known: &KnownFaults) -> io::Result<Option<Mismatch>> {
        let expected = &self.expected(case)?;
        let attempt = Attempt { assignment: self.assignment, case, expected, output };
        let mut mismatch = attempt.judge(self.comparison, known);
        if let Some(mismatch) = &mut mismatch {
            self.passed.narrow(self.input_kind(expected), mismatch);
        }
        Ok(mismatch)
    }

    fn input_kind(&self, expected: &[ExpectedOutput]) -> InputKind {
        let is_valid = self.assignment.is_interactive() || expected[0].output.exit == RunExit::Status(0);
        if is_valid { InputKind::Valid } else { InputKind::Invalid }
    }

    /// Returns the cases to try.
    fn cases(&mut self) -> io::Result<Vec<Case>> {
        let mut cases = generate::cases(self.assignment, &self.settings)?;
        self.passed = PassedCases::new(&cases);
        cases.truncate(self.settings.max_cases);
        if self.settings.channel == Channel::Terminal {
            cases.retain(can_be_typed);
        }
        Ok(cases)
    }

    fn try_cases(&mut self, cases: &[Case], on_progress: &mut dyn FnMut(GradeProgress)) -> io::Result<()> {
        let start = Instant::now();
        let mut all = cases.len();
        on_progress(GradeProgress::Trying { done: 0, all });
        let mut time_outs: BTreeMap<&'static str, usize> = BTreeMap::new();
        let mut rest: Vec<&Case> = cases.iter().collect();
        let mut round = *ROUND.start();
        let max_round = if self.pool.reads_batches() { MAX_SHARED_ROUND } else { *ROUND.end() };
        while !rest.is_empty() {
            let later = rest.split_off(round.min(rest.len()));
            let now = std::mem::replace(&mut rest, later);
            let n_time_outs: usize = time_outs.values().sum();
            let is_wanted = |case: &&Case| {
                let own = time_outs.get(case.about.id).copied().unwrap_or(0);
                n_time_outs < MAX_TIME_OUTS && own < MAX_TIME_OUTS_PER_REQUIREMENT
            };
            let n_now = now.len();
            let wanted: Vec<&Case> = now.into_iter().filter(is_wanted).collect();
            self.n_skipped += n_now - wanted.len();
            self.reference.prepare(&wanted)?;
            let outputs = self.pool.run(&wanted)?;
            for (case, output) in wanted.into_iter().zip(outputs) {
                if self.add_output(case, output)? == RunExit::TimedOut {
                    *time_outs.entry(case.about.id).or_default() += 1;
                }
            }
            let has_timed_out = time_outs.values().sum::<usize>() > n_time_outs;
            round = if has_timed_out { *ROUND.start() } else { (round * 2).min(max_round) };
            if let Some(budget) = self.settings.budget {
                let costs =
                    CaseCosts { elapsed: start.elapsed(), n_done: all - rest.len(), n_left: rest.len() };
                let n_affordable = costs.n_affordable(budget, budget::load());
                self.n_left_out += rest.len() - n_affordable;
                all -= rest.len() - n_affordable;
                rest = budget::thinned(rest, n_affordable);
            }
            on_progress(GradeProgress::Trying { done: all - rest.len(), all });
        }
        Ok(())
    }

    /// Judges the output of a case, and returns how the program exited.
    fn add_output(&mut self, case: &Case, output: RunOutput) -> io::Result<RunExit> {
        let output = self.retry_time_out(case, output)?;
        if output.exit == RunExit::TimedOut {
            self.timed_out.push(case.clone());
        }
        let expected = self.expected(case)?;
        let output = self.confirm_alone(case, &expected, output)?;
        let attempt = Attempt { assignment: self.assignment, case, expected: &expected, output: &output };
        let mismatch = attempt.judge(self.comparison, &self.seen);
        *self.n_tried.entry(case.about.id).or_default() += 1;
        self.positions.add(self.assignment, case, &expected);
        let input = self.input_kind(&expected);
        let has_passed = mismatch.is_none() || attempt.has_right_content();
        self.passed.record(case, input, if has_passed { CaseResult::Passed } else { CaseResult::Failed });
        let is_course = self.assignment.course().is_some();
        self.names_diagonals_as_expected |=
            mismatch.is_none() && games::names_a_diagonal(&expected[0].output);
        match mismatch {
            Some(mismatch) => {
                // The judge of games looks past what is already known, and that of a described program past its wording.
                let blamed = mismatch.blamed(&self.seen);
                let is_wording =
                    self.assignment.form().wording_requirement.as_deref() == Some(blamed.short_id());
                if is_wording || (is_course && self.assignment.is_interactive()) {
                    self.seen.add(blamed, mismatch.behaviour.clone(), case);
                }
                self.passed.record_failure(input, &mismatch);
                self.failures.push(FailedCase { case: case.clone(), input, mismatch });
            }
            None if is_course && !self.assignment.is_interactive() => {
                self.passed.record_tested(input, &checkers::suspects(self.assignment, &case.input));
            }
            None => {}
        }
        Ok(output.exit)
    }

    /// Blames each failure on one requirement. This waits until all cases were tried, because the others show which
    /// requirements are not to blame.
    fn faults(&self) -> KnownFaults {
        let mut failures = self.failures.clone();
        if !self.names_diagonals_as_expected {
            failures.retain(|failure| failure.mismatch.behaviour != Behaviour::new(OTHER_DIAGONAL));
        }
        for failure in &mut failures {
            self.passed.narrow(failure.input, &mut failure.mismatch);
        }
        self.forgive_missing(&mut failures);
        let is_described = self.assignment.course().is_none();
        // A failure with one suspect is certain; it may explain others. In a described assignment the one that builds on less comes
        // first.
        failures.sort_by_cached_key(|FailedCase { case, mismatch, .. }| {
            let n_suspects = mismatch.suspects.len();
            (if is_described { n_suspects } else { n_suspects.min(2) }, shrink::complexity(&case.input))
        });
        let mut faults = KnownFaults::default();
        for FailedCase { case, mismatch, .. } in failures {
            let blamed = mismatch.blamed(&faults);
            if is_described && case.about != blamed {
                // The cases of another requirement do not explain this one.
                faults.count(blamed, mismatch.behaviour, &case);
            } else {
                faults.add(blamed, mismatch.behaviour, &case);
            }
        }
        faults
    }

    /// Removes the failures because of a missing function from requirements that are about others: those with cases that pass, if
    /// there is a requirement without.
    fn forgive_missing(&self, failures: &mut Vec<FailedCase>) {
        let n_failed = |id: &str| self.failures.iter().filter(|failure| failure.case.about.id == id).count();
        let mut about: BTreeMap<&str, bool> = BTreeMap::new();
        for FailedCase { case, .. } in &self.failures {
            let id = case.about.id;
            about.entry(id).or_insert_with(|| n_failed(id) == self.n_tried.get(id).copied().unwrap_or(0));
        }
        let is_missing = |failure: &FailedCase| failure.mismatch.behaviour.actual.ends_with(" is missing");
        let own: BTreeSet<String> = failures
            .iter()
            .filter(|failure| is_missing(failure) && about.get(failure.case.about.id) == Some(&true))
            .map(|failure| failure.mismatch.behaviour.actual.clone())
            .collect();
        failures.retain(|failure| {
            !is_missing(failure)
                || about.get(failure.case.about.id) == Some(&true)
                || !own.contains(&failure.mismatch.behaviour.actual)
        });
    }

    /// Runs a case again alone if its output is wrong and came from a run with others. After enough wrong outputs that were the
    /// same alone, the others are believed.
    fn confirm_alone(
        &mut self,
        case: &Case,
        expected: &[ExpectedOutput],
        output: RunOutput,
    ) -> io::Result<RunOutput> {
        let SharedRuns { n_same, has_differed } = self.shared_runs;
        let is_believed = n_same >= MAX_CONFIRMED && !has_differed;
        let attempt = Attempt { assignment: self.assignment, case, expected, output: &output };
        if !self.pool.reads_batches() || is_believed || attempt.judge(self.comparison, &self.seen).is_none() {
            return Ok(output);
        }
        let alone = self.pool.run_one(case)?;
        let alone = self.retry_time_out(case, alone)?;
        let is_same = alone.stdout == output.stdout;
        self.shared_runs.n_same += usize::from(is_same);
        self.shared_runs.has_differed |= !is_same;
        Ok(alone)
    }

    /// Runs a case again if it timed out; returns its first output that did not, or the last.
    fn retry_time_out(&mut self, case: &Case, mut output: RunOutput) -> io::Result<RunOutput> {
        let n_retries = match self.n_hung {
            _ if output.exit != RunExit::TimedOut => 0,
            ..MAX_RETRIED_CASES => RETRIES,
            _ => usize::from(self.n_busy() > 0),
        };
        for _ in 0..n_retries {
            output = self.pool.run_one(case)?;
            if output.exit != RunExit::TimedOut {
                self.n_repeated += 1;
                return Ok(output);
            }
        }
        self.n_hung += usize::from(n_retries > 0);
        Ok(output)
    }

    /// Returns how many runs took too long only because the machine was busy.
    fn n_busy(&self) -> usize {
        self.pool.n_delayed() + self.n_repeated
    }
}

fn cannot_run(program: &Program, error: io::Error) -> io::Error {
    if error.kind() == ErrorKind::Interrupted {
        return error;
    }
    let reason = why_not_started(&error, &program.path);
    io::Error::other(format!("cannot run {}: {reason}", program.shown[0]))
}

/// Returns whether a terminal passes the input on unchanged: it interprets control characters, and its lines are short.
fn can_be_typed(case: &Case) -> bool {
    case.input.len() < 4000 && case.input.iter().all(|&byte| byte == b'\n' || (b' '..0x7f).contains(&byte))
}
