//! Confirms and shrinks the failing cases, and makes the report.

use std::io;

use super::{Exam, GradeProgress};
use crate::assignment::CourseProgram;
use crate::case::Case;
use crate::generate::described;
use crate::judge::games::{common_prefix, has_huge_number};
use crate::judge::{Behaviour, Comparison, FailureGroup, KnownFaults, checkers};
use crate::report::{Cause, Consistency, Example, Finding, Report};
use crate::requirement::{Requirement, RequirementKind};
use crate::run::{RunExit, RunOutput};
use crate::{shrink, style};

/// How often a failing case is run again. A program that fails at random half of the time is taken for a consistent one
/// once in 32 times.
const CONFIRMATIONS: u32 = 5;
/// The same for a case that times out.
const SLOW_CONFIRMATIONS: u32 = 2;
/// How many runs may be spent on shrinking one case.
const RUNS_PER_CASE: usize = 4000;
/// The same for a case that times out.
const SLOW_RUNS_PER_CASE: usize = 40;

/// The result of running a failing case again.
struct RepeatedCase {
    consistency: Consistency,
    /// The last output that failed, or a correct one if none did.
    output: RunOutput,
}

impl Exam {
    /// Makes the report on the faults that were found.
    pub(super) fn into_report(
        mut self,
        faults: &KnownFaults,
        on_progress: &mut dyn FnMut(GradeProgress),
    ) -> io::Result<Report> {
        let mut findings = Vec::new();
        for (requirement, style) in self.assignment.requirements().iter().zip(&self.assignment.form().styles)
        {
            if !requirement.kind.has_cases() {
                let files = self.program.files.as_ref();
                findings.push(style::finding(requirement, style.as_ref(), files, &self.settings));
                continue;
            }
            if faults.is_broken(requirement.id) {
                on_progress(GradeProgress::Shrinking(requirement.id));
            }
            findings.push(Finding {
                requirement,
                points: self.settings.points(requirement),
                n_cases: self.n_tried_for(requirement, faults),
                has_passed: self.passed.has_passed(requirement),
                causes: self.causes(requirement, faults)?,
                remarks: Vec::new(),
            });
        }
        Ok(Report {
            assignment: self.assignment,
            command: self.program.shown.clone(),
            seed: self.settings.seed,
            comparison: self.comparison,
            n_cases: self.n_tried.values().sum(),
            positions: self.positions.coverage(self.assignment),
            n_skipped: self.n_skipped,
            n_left_out: self.n_left_out,
            n_runs: self.pool.n_runs,
            n_busy: self.n_busy(),
            findings,
            tests: None,
        })
    }

    /// Returns the id of a required task that failed, and failed again each time its case was repeated.
    pub(super) fn certain_fault(&mut self, faults: &KnownFaults) -> io::Result<Option<&'static str>> {
        for requirement in self.assignment.requirements() {
            if requirement.kind != RequirementKind::Required {
                continue;
            }
            for (_, group) in faults.of(requirement.id) {
                if self.confirm(requirement, faults, &group.case)?.consistency == Consistency::Always {
                    return Ok(Some(requirement.id));
                }
            }
        }
        Ok(None)
    }

    /// Returns how many cases tested a requirement: its own, or all of them if it has none.
    fn n_tried_for(&self, requirement: &Requirement, faults: &KnownFaults) -> usize {
        let is_left_out = requirement.id == "tictactoe/text" && self.comparison == Comparison::Lenient;
        let n_tried = if self.passed.has_own_cases(requirement) {
            self.n_tried.get(requirement.id).copied().unwrap_or(0)
        } else if is_left_out {
            0
        } else {
            self.n_tried.values().sum()
        };
        let n_failed: usize = faults.of(requirement.id).map(|(_, group)| group.n_cases).sum();
        n_tried.max(n_failed)
    }

    fn causes(&mut self, requirement: &'static Requirement, faults: &KnownFaults) -> io::Result<Vec<Cause>> {
        let mut groups: Vec<(&Behaviour, &FailureGroup)> = faults.of(requirement.id).collect();
        let is_described = self.assignment.course().is_none();
        groups.sort_by_key(|(_, group)| {
            let is_of_another = is_described && group.case.about != requirement;
            (is_of_another, shrink::complexity(&group.case.input), group.n_cases)
        });
        let mut causes: Vec<Cause> = Vec::new();
        let mut shown = None;
        for (behaviour, &FailureGroup { n_cases, ref case }) in groups {
            let RepeatedCase { consistency, output } = self.confirm(requirement, faults, case)?;
            // A time-out that passes again says something about the machine, not about the program.
            let passes_again = match consistency {
                Consistency::Always => false,
                Consistency::Sometimes { failed, .. } => failed == 1 || output.exit == RunExit::TimedOut,
            };
            if passes_again && self.timed_out.contains(case) {
                self.n_repeated += n_cases;
                continue;
            }
            let mut cause = Cause {
                behaviour: behaviour.clone(),
                n_cases,
                smallest: self.example(case.clone(), output)?,
                consistency,
                n_neighbours: 0,
                n_bad_neighbours: 0,
            };
            // Only the first cause is shown with its case, so only that one is worth shrinking.
            if causes.is_empty() && consistency == Consistency::Always {
                shown = self.shrink(requirement, faults, &mut cause)?;
            }
            causes.push(cause);
        }
        // Shrinking may have led to a case that shows another behaviour; that behaviour then comes first.
        let at = causes.iter().position(|cause| Some(&cause.behaviour) == shown.as_ref());
        if let Some(at) = at.filter(|&at| at > 0) {
            let (first, rest) = causes.split_at_mut(1);
            std::mem::swap(&mut first[0].behaviour, &mut rest[at - 1].behaviour);
            std::mem::swap(&mut first[0].n_cases, &mut rest[at - 1].n_cases);
        }
        Ok(causes)
    }

    /// Runs a failing case again several times.
    fn confirm(
        &mut self,
        requirement: &Requirement,
        faults: &KnownFaults,
        case: &Case,
    ) -> io::Result<RepeatedCase> {
        self.reference.confirm(case)?;
        let known = faults.without(requirement.id);
        let mut shown = None;
        let (mut failed, mut runs) = (1, 1);
        let mut wanted = CONFIRMATIONS;
        while runs <= wanted {
            let output = self.pool.run_one(case)?;
            let output = self.retry_time_out(case, output)?;
            runs += 1;
            if output.exit == RunExit::TimedOut {
                wanted = SLOW_CONFIRMATIONS;
            }
            let mismatch = self.judge(case, &output, &known)?;
            let has_failed = mismatch.is_some_and(|mismatch| mismatch.suspects.contains(&requirement));
            failed += u32::from(has_failed);
            if has_failed || failed == 1 {
                shown = Some(output);
            }
        }
        let consistency =
            if failed == runs { Consistency::Always } else { Consistency::Sometimes { failed, runs } };
        Ok(RepeatedCase { consistency, output: shown.expect("the case was run") })
    }

    /// Makes a failing case as small as possible while its cause stays the same. Returns the behaviour that the smallest
    /// case shows, unless no smaller one was found.
    fn shrink(
        &mut self,
        requirement: &'static Requirement,
        faults: &KnownFaults,
        cause: &mut Cause,
    ) -> io::Result<Option<Behaviour>> {
        let mut budget = match cause.smallest.actual.exit {
            RunExit::TimedOut => SLOW_RUNS_PER_CASE,
            _ => RUNS_PER_CASE,
        };
        let mut shown = None;
        loop {
            let smallest = &cause.smallest.case;
            let neighbours = self.neighbours(smallest, budget)?;
            (cause.n_neighbours, cause.n_bad_neighbours) = (neighbours.len(), 0);
            match self.shrink_once(requirement, faults, &neighbours, cause, &mut budget)? {
                None => return Ok(shown),
                behaviour => shown = behaviour,
            }
        }
    }

    /// Returns simpler cases that still test something the assignment specifies.
    fn neighbours(&self, case: &Case, max: usize) -> io::Result<Vec<Case>> {
        let all = shrink::neighbours(self.assignment, case).into_iter();
        if self.assignment.course().is_none() {
            let smaller = all.filter_map(|smaller| described::smaller(self.assignment, case, smaller));
            return Ok(smaller.take(max).collect());
        }
        let is_nearly_valid = checkers::is_nearly_valid(self.assignment, case);
        let mut kept = Vec::new();
        for smaller in all {
            if kept.len() < max
                && self.is_complete(&smaller)?
                && (!is_nearly_valid || checkers::is_nearly_valid(self.assignment, &smaller))
            {
                kept.push(smaller);
            }
        }
        Ok(kept)
    }

    /// Replaces the case by the first neighbour that breaks the same requirement in the same manner: with a wrong output,
    /// or without a clean exit. Counts those before it that fail otherwise. Returns its behaviour, if there was one.
    fn shrink_once(
        &mut self,
        requirement: &'static Requirement,
        faults: &KnownFaults,
        neighbours: &[Case],
        cause: &mut Cause,
        budget: &mut usize,
    ) -> io::Result<Option<Behaviour>> {
        let known = faults.without(requirement.id);
        for chunk in neighbours.chunks(self.settings.n_threads.max(1) * 4) {
            *budget = budget.saturating_sub(chunk.len());
            let cases: Vec<&Case> = chunk.iter().collect();
            self.reference.prepare(&cases)?;
            let outputs = self.pool.run(&cases)?;
            for (case, output) in chunk.iter().zip(outputs) {
                let output = self.retry_time_out(case, output)?;
                let Some(mismatch) = self.judge(case, &output, &known)? else { continue };
                let is_same_manner = output.exit.is_clean() == cause.smallest.actual.exit.is_clean();
                if mismatch.blamed(faults).id == requirement.id && is_same_manner {
                    cause.smallest = self.example(case.clone(), output)?;
                    return Ok(Some(mismatch.behaviour));
                }
                cause.n_bad_neighbours += 1;
            }
        }
        Ok(None)
    }

    /// Returns whether the input contains a whole game: what a program does when its input ends early is another
    /// requirement.
    fn is_complete(&self, case: &Case) -> io::Result<bool> {
        if !self.assignment.is_interactive() || matches!(case.about.short_id(), "end-of-input" | "arguments")
        {
            return Ok(true);
        }
        let longer = case.with_input([&case.input[..], b"\nzz\n"].concat());
        let outputs = |case| -> io::Result<Vec<RunOutput>> {
            Ok(self.expected(case)?.into_iter().map(|each| each.output).collect())
        };
        Ok(self.keeps_topic(case)? && outputs(case)? == outputs(&longer)?)
    }

    /// Returns whether a shrunk case still tests what it was made for, and contains only what the document specifies.
    fn keeps_topic(&self, case: &Case) -> io::Result<bool> {
        let numbers_per_line = match self.assignment.course() {
            Some(CourseProgram::Tictactoe) => 2,
            _ => 1,
        };
        let reads_numbers = self.assignment != CourseProgram::Lab3;
        if reads_numbers && !case.is_robustness() && !has_numbers(&case.input, numbers_per_line) {
            return Ok(false);
        }
        Ok(match case.about.short_id() {
            "bytes" => case.input.iter().any(|&byte| byte == 0 || byte >= 0x7f || byte == 0x1b),
            "long" => case.input.len() >= 100 || has_huge_number(&case.input),
            "early-tie" => {
                self.expected(case)?.iter().any(|each| each.parsed(self.assignment).announces_draw())
            }
            _ => true,
        })
    }

    /// Returns a case with the expected output that is most like the actual one.
    fn example(&self, case: Case, actual: RunOutput) -> io::Result<Example> {
        let outputs = self.expected(&case)?.into_iter().map(|each| each.output).rev();
        let nearest = outputs.max_by_key(|expected| common_prefix(&expected.stdout, &actual.stdout));
        Ok(Example { expected: nearest.expect("there is at least one expected output"), case, actual })
    }
}

/// Returns whether every line consists of `n` integers.
fn has_numbers(input: &[u8], n: usize) -> bool {
    let is_number = |word: &str| word.parse::<i64>().is_ok();
    std::str::from_utf8(input).is_ok_and(|text| {
        text.lines()
            .all(|line| line.split_whitespace().count() == n && line.split_whitespace().all(is_number))
    })
}
