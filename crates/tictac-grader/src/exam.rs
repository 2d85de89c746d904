//! Grading: try all cases, group what fails into causes, confirm and shrink.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::assignment::Assignment;
use crate::case::Case;
use crate::crew::Crew;
use crate::expect::{Expected, expected};
use crate::fault::Fault;
use crate::report::{Cause, Constancy, Example, Finding, Report};
use crate::requirement::Requirement;
use crate::run::{Answer, Ending, NoSandbox, Program, Runner, Sandbox};
use crate::settings::{Isolation, Settings};
use crate::shrink::{self, Shrunk};
use crate::talk::Comparison;
use crate::{checker, generate, talk};

/// After so many time-outs, further cases about the same requirement are left out.
const TIME_OUTS_A_REQUIREMENT: usize = 3;
/// After so many, all further cases are.
const TIME_OUTS: usize = 24;
/// Cases are run in rounds; between two of them is decided what goes on. A round is small while time-outs happen.
const ROUND: std::ops::RangeInclusive<usize> = 8..=512;
/// So often a fault is tried again before it is believed.
const CONFIRMATIONS: u32 = 2;

/// Why a program could not be graded.
#[derive(Debug)]
pub enum CannotGrade {
    /// The file cannot be found, or is not executable.
    NoProgram(PathBuf, io::Error),
    /// A run could not be started or watched.
    Broken(io::Error),
    /// A sandbox was asked for, and there is none.
    NoSandbox(NoSandbox),
}

impl fmt::Display for CannotGrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CannotGrade::NoProgram(path, error) => write!(f, "cannot run {}: {error}", path.display()),
            CannotGrade::Broken(error) => write!(f, "the program could not be run: {error}"),
            CannotGrade::NoSandbox(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CannotGrade {}

/// What is told while grading goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// So many of so many cases have been tried.
    Trying {
        /// Tried.
        done: usize,
        /// In all.
        all: usize,
    },
    /// A failing case of this requirement is being made smaller.
    Shrinking(&'static str),
}

/// Grades a program: `command` is its path, followed by arguments that it always gets.
///
/// # Errors
///
/// Returns why the program could not be graded; whatever the program itself does wrong is in the report.
pub fn grade(
    assignment: Assignment,
    command: &[OsString],
    settings: &Settings,
) -> Result<Report, CannotGrade> {
    grade_with_progress(assignment, command, settings, &mut |_| {})
}

/// Grades a program and tells how far it has come.
///
/// # Errors
///
/// Returns why the program could not be graded.
pub fn grade_with_progress(
    assignment: Assignment,
    command: &[OsString],
    settings: &Settings,
    tell: &mut dyn FnMut(Progress),
) -> Result<Report, CannotGrade> {
    let mut exam = Exam::new(assignment, command, settings)?;
    exam.try_all(tell).map_err(CannotGrade::Broken)?;
    exam.report(tell).map_err(CannotGrade::Broken)
}

/// A failing case before it was looked at closely.
#[derive(Clone, Debug)]
struct Suspicion {
    n_cases: usize,
    case: Case,
}

/// The exam of one program.
pub(crate) struct Exam<'a> {
    assignment: Assignment,
    comparison: Comparison,
    settings: &'a Settings,
    program: Program,
    crew: Crew,
    /// Failing cases by requirement (its place in the list) and behaviour.
    suspicions: BTreeMap<(usize, String), Suspicion>,
    broken: BTreeSet<&'static str>,
    n_tried: BTreeMap<&'static str, usize>,
    n_skipped: usize,
}

impl<'a> Exam<'a> {
    fn new(
        assignment: Assignment,
        command: &[OsString],
        settings: &'a Settings,
    ) -> Result<Exam<'a>, CannotGrade> {
        let (path, arguments) = command.split_first().ok_or_else(|| {
            CannotGrade::NoProgram(PathBuf::new(), io::Error::from(io::ErrorKind::NotFound))
        })?;
        let no_program = |error| CannotGrade::NoProgram(path.into(), error);
        let absolute = find_program(path).map_err(no_program)?;
        let program = Program { path: absolute, arguments: arguments.to_vec() };
        let sandbox = match settings.isolation {
            Isolation::Limits => None,
            Isolation::Sandbox => Some(Sandbox::find().map_err(CannotGrade::NoSandbox)?),
        };
        let runner = || Runner::new(program.clone(), settings.limits, settings.channel, sandbox.clone());
        let mut runners = (0..settings.n_threads.max(1))
            .map(|_| runner())
            .collect::<io::Result<Vec<_>>>()
            .map_err(CannotGrade::Broken)?;
        // A program that cannot even be started is nobody's wrong answer.
        runners[0].run(&[], b"").map_err(no_program)?;
        Ok(Exam {
            assignment,
            comparison: settings.comparison.unwrap_or(Comparison::usual(assignment)),
            settings,
            program,
            crew: Crew::new(runners),
            suspicions: BTreeMap::new(),
            broken: BTreeSet::new(),
            n_tried: BTreeMap::new(),
            n_skipped: 0,
        })
    }

    /// Returns all right answers to a case.
    fn expected(&self, case: &Case) -> Vec<Expected> {
        expected(self.assignment, &self.program.path.to_string_lossy(), case)
    }

    /// Returns what is wrong with an answer.
    fn judge(&self, case: &Case, answer: &Answer) -> Option<Fault> {
        let expected = self.expected(case);
        if self.assignment.is_interactive() {
            talk::judge(self.assignment, self.comparison, case, &expected, answer)
        } else {
            checker::judge(self.assignment, case, &expected[0], answer)
        }
    }

    fn culprit(&self, fault: &Fault) -> &'static Requirement {
        fault.culprit(|requirement| self.broken.contains(requirement.id))
    }

    fn try_all(&mut self, tell: &mut dyn FnMut(Progress)) -> io::Result<()> {
        let mut cases = generate::cases(self.assignment, self.settings.seed);
        cases.truncate(self.settings.max_cases);
        if self.settings.channel == crate::run::Channel::Terminal {
            // A terminal gives control characters a meaning of its own, and holds only short lines.
            cases.retain(|case| {
                case.input.len() < 4000
                    && case.input.iter().all(|&byte| byte == b'\n' || (b' '..0x7f).contains(&byte))
            });
        }
        let all = cases.len();
        let mut time_outs: BTreeMap<&'static str, usize> = BTreeMap::new();
        let mut rest = &cases[..];
        let mut round = *ROUND.start();
        while !rest.is_empty() {
            let (now, later) = rest.split_at(round.min(rest.len()));
            rest = later;
            let is_hopeless = time_outs.values().sum::<usize>() >= TIME_OUTS;
            let is_wanted = |case: &&Case| {
                !is_hopeless && time_outs.get(case.about.id).is_none_or(|&n| n < TIME_OUTS_A_REQUIREMENT)
            };
            let wanted: Vec<&Case> = now.iter().filter(is_wanted).collect();
            self.n_skipped += now.len() - wanted.len();
            let answers = self.crew.run(&wanted)?;
            let n_late = self.sort_out(&wanted, answers, &mut time_outs);
            round = if n_late > 0 { *ROUND.start() } else { (round * 2).min(*ROUND.end()) };
            tell(Progress::Trying { done: all - rest.len(), all });
        }
        Ok(())
    }

    /// Judges a round of answers in the order of the cases; returns how many were time-outs.
    fn sort_out(
        &mut self,
        cases: &[&Case],
        answers: Vec<Answer>,
        time_outs: &mut BTreeMap<&'static str, usize>,
    ) -> usize {
        let mut n_late = 0;
        for (case, answer) in cases.iter().zip(answers) {
            let fault = self.judge(case, &answer);
            if answer.ending == Ending::TimedOut {
                n_late += 1;
                *time_outs.entry(case.about.id).or_default() += 1;
            }
            let about = match &fault {
                None => case.about,
                Some(fault) => self.culprit(fault),
            };
            *self.n_tried.entry(about.id).or_default() += 1;
            if let Some(fault) = fault {
                self.suspect(about, fault.behaviour, case);
            }
        }
        n_late
    }

    fn suspect(&mut self, about: &'static Requirement, behaviour: String, case: &Case) {
        self.broken.insert(about.id);
        let suspicion = self
            .suspicions
            .entry((self.place(about), behaviour))
            .or_insert_with(|| Suspicion { n_cases: 0, case: case.clone() });
        suspicion.n_cases += 1;
        if shrink::measure(&case.input) < shrink::measure(&suspicion.case.input) {
            suspicion.case = case.clone();
        }
    }

    fn place(&self, requirement: &Requirement) -> usize {
        let all = self.assignment.requirements();
        all.iter().position(|each| each.id == requirement.id).expect("a requirement of this assignment")
    }

    fn report(mut self, tell: &mut dyn FnMut(Progress)) -> io::Result<Report> {
        let mut findings = Vec::new();
        for (place, requirement) in self.assignment.requirements().iter().enumerate() {
            let own: Vec<(String, Suspicion)> = self
                .suspicions
                .iter()
                .filter(|((at, _), _)| *at == place)
                .map(|((_, behaviour), suspicion)| (behaviour.clone(), suspicion.clone()))
                .collect();
            if !own.is_empty() {
                tell(Progress::Shrinking(requirement.id));
            }
            findings.push(Finding {
                requirement,
                points: self.settings.points(requirement),
                n_cases: self.n_tried_for(requirement),
                causes: self.causes(requirement, own)?,
            });
        }
        Ok(Report {
            assignment: self.assignment,
            program: self.program.path.to_string_lossy().into_owned(),
            seed: self.settings.seed,
            n_cases: self.n_tried.values().sum(),
            n_skipped: self.n_skipped,
            n_runs: self.crew.n_runs(),
            findings,
        })
    }

    /// Some requirements have cases of their own; the others, such as that of the exit status, are tried by every case.
    fn n_tried_for(&self, requirement: &Requirement) -> usize {
        let is_left_out = requirement.id == "tictactoe/text" && self.comparison == Comparison::Lenient;
        let everywhere = if is_left_out { 0 } else { self.n_tried.values().sum() };
        self.n_tried.get(requirement.id).copied().unwrap_or(everywhere)
    }

    fn causes(
        &mut self,
        requirement: &'static Requirement,
        own: Vec<(String, Suspicion)>,
    ) -> io::Result<Vec<Cause>> {
        // The cause with the smallest case is the one that is shown; only it needs the work of shrinking.
        let mut own = own;
        own.sort_by_key(|(_, suspicion)| (shrink::measure(&suspicion.case.input), suspicion.n_cases));
        let mut causes = Vec::new();
        for (at, (behaviour, suspicion)) in own.into_iter().enumerate() {
            let (constancy, answer) = self.confirm(requirement, &suspicion.case)?;
            let is_constant = constancy == Constancy::Always;
            let (answer, shrunk) = match answer {
                Some(answer) => (answer, Shrunk::unchanged(&suspicion.case)),
                // It never failed again: what it said then is not known any more, what it says now is right.
                None => (self.crew.run_one(&suspicion.case)?, Shrunk::unchanged(&suspicion.case)),
            };
            let (answer, shrunk) = if at == 0 && is_constant {
                self.shrink(requirement, &behaviour, shrunk, answer)?
            } else {
                (answer, shrunk)
            };
            causes.push(Cause {
                behaviour,
                n_cases: suspicion.n_cases,
                smallest: self.example(shrunk.case, answer),
                constancy,
                n_neighbours: shrunk.n_neighbours,
                n_bad_neighbours: shrunk.n_bad_neighbours,
            });
        }
        Ok(causes)
    }

    /// Tries a failing case again; a time-out gets more time, for the machine may have been busy.
    fn confirm(&mut self, requirement: &Requirement, case: &Case) -> io::Result<(Constancy, Option<Answer>)> {
        let mut failing = None;
        let mut failed = 1;
        for _ in 0..CONFIRMATIONS {
            let answer = self.crew.run_patiently(case)?;
            if self.judge(case, &answer).is_some_and(|fault| self.culprit(&fault).id == requirement.id) {
                failed += 1;
                failing = Some(answer);
            }
        }
        let runs = CONFIRMATIONS + 1;
        let constancy =
            if failed == runs { Constancy::Always } else { Constancy::Sometimes { failed, runs } };
        Ok((constancy, failing))
    }

    /// Makes a failing case as small as it gets while its cause stays the same.
    fn shrink(
        &mut self,
        requirement: &'static Requirement,
        behaviour: &str,
        mut shrunk: Shrunk,
        mut answer: Answer,
    ) -> io::Result<(Answer, Shrunk)> {
        let mut budget: usize = if answer.ending == Ending::TimedOut { 40 } else { 4000 };
        loop {
            let neighbours: Vec<Case> = shrink::neighbours(self.assignment, &shrunk.case)
                .into_iter()
                .filter(|case| self.is_settled(case))
                .collect();
            let mut n_bad = 0;
            let mut better = None;
            for chunk in neighbours.chunks(self.settings.n_threads.max(1) * 4) {
                if budget == 0 {
                    break;
                }
                budget = budget.saturating_sub(chunk.len());
                let answers = self.crew.run(&chunk.iter().collect::<Vec<_>>())?;
                for (case, found) in chunk.iter().zip(answers) {
                    let Some(fault) = self.judge(case, &found) else { continue };
                    if self.culprit(&fault).id == requirement.id
                        && fault.behaviour == behaviour
                        && better.is_none()
                    {
                        better = Some((case.clone(), found));
                    } else {
                        n_bad += 1;
                    }
                }
                if better.is_some() {
                    break;
                }
            }
            let Some((case, found)) = better else {
                shrunk.n_neighbours = neighbours.len();
                shrunk.n_bad_neighbours = n_bad;
                return Ok((answer, shrunk));
            };
            shrunk.case = case;
            answer = found;
        }
    }

    /// A game must come to its end within the input: what a program does when input ends early is another question.
    fn is_settled(&self, case: &Case) -> bool {
        if !self.assignment.is_interactive()
            || case.about.short_id() == "end-of-input"
            || case.about.short_id() == "arguments"
        {
            return true;
        }
        let longer = case.with_input([&case.input[..], b"\nzz\n"].concat());
        self.expected(case) == self.expected(&longer)
    }

    fn example(&self, case: Case, actual: Answer) -> Example {
        let mut all = self.expected(&case);
        let alike = |expected: &Expected| {
            expected.stdout.iter().zip(&actual.stdout).take_while(|(a, b)| a == b).count()
        };
        let best = (0..all.len()).rev().max_by_key(|&at| alike(&all[at])).unwrap_or(0);
        Example { expected: all.swap_remove(best), case, actual }
    }
}

/// Returns the absolute path of a program: a name without a slash is looked for here before it is looked for on the path.
fn find_program(path: &OsString) -> io::Result<PathBuf> {
    let path = PathBuf::from(path);
    if let Ok(here) = path.canonicalize() {
        return Ok(here);
    }
    let is_name = path.components().count() == 1;
    let folders = std::env::var_os("PATH").filter(|_| is_name).unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(&path)).find(|file| file.is_file());
    found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
}
