//! Grading: try all cases, group what fails into causes, confirm and shrink.

mod inquiry;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::assignment::Assignment;
use crate::case::Case;
use crate::crew::Crew;
use crate::evidence::Evidence;
use crate::expect::{Expected, expected};
use crate::fault::{Fault, Known};
use crate::report::Report;
use crate::requirement::Requirement;
use crate::run::{Answer, Ending, NoSandbox, Program, Runner, Sandbox};
use crate::settings::{Isolation, Settings};
use crate::shrink;
use crate::talk::Comparison;
use crate::{checker, generate, talk};

/// After so many time-outs, further cases about the same requirement are left out.
const TIME_OUTS_A_REQUIREMENT: usize = 3;
/// After so many, all further cases are.
const TIME_OUTS: usize = 24;
/// A case that ran out of time is tried again so often, alone: the machine may have been busy.
const SECOND_CHANCES: usize = 2;
/// After so many that ran out of time again and again, it is believed at once.
const SURE: usize = 2;
/// Cases are run in rounds; between two of them is decided what goes on. A round is small while time-outs happen.
const ROUND: std::ops::RangeInclusive<usize> = 8..=512;

/// Why a program could not be graded.
#[derive(Debug)]
pub enum CannotGrade {
    /// The file cannot be found, or is not executable.
    NoProgram(PathBuf, io::Error),
    /// A run could not be started or watched.
    Broken(io::Error),
    /// A sandbox was asked for, and there is none.
    NoSandbox(NoSandbox),
    /// Somebody set the switch that ends grading.
    Stopped,
}

impl From<io::Error> for CannotGrade {
    fn from(error: io::Error) -> CannotGrade {
        match error.kind() {
            io::ErrorKind::Interrupted => CannotGrade::Stopped,
            _ => CannotGrade::Broken(error),
        }
    }
}

impl fmt::Display for CannotGrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CannotGrade::NoProgram(path, error) => {
                write!(f, "cannot run {}: ", path.display())?;
                match error.kind() {
                    io::ErrorKind::NotFound => f.write_str("there is no such program"),
                    io::ErrorKind::PermissionDenied if path.is_dir() => f.write_str("it is a folder"),
                    io::ErrorKind::PermissionDenied => {
                        f.write_str("it is not executable (chmod +x makes it so)")
                    }
                    _ => error.fmt(f),
                }
            }
            CannotGrade::Broken(error) => write!(f, "the program could not be run: {error}"),
            CannotGrade::NoSandbox(error) => error.fmt(f),
            CannotGrade::Stopped => f.write_str("stopped before the end"),
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
    exam.try_all(tell)?;
    Ok(exam.report(tell)?)
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
    /// The command as it was given, for the report.
    command: Vec<String>,
    crew: Crew,
    /// Failing cases by requirement (its place in the list) and behaviour.
    suspicions: BTreeMap<(usize, String), Suspicion>,
    known: Known,
    evidence: Evidence,
    n_tried: BTreeMap<&'static str, usize>,
    n_skipped: usize,
    /// How many cases ran out of time whenever they were tried.
    n_hung: usize,
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
        let no_program = |error: io::Error| match error.kind() {
            io::ErrorKind::Interrupted => CannotGrade::Stopped,
            _ => CannotGrade::NoProgram(path.into(), error),
        };
        let absolute = find_program(path).map_err(no_program)?;
        let program = Program { path: absolute, arguments: arguments.to_vec() };
        let sandbox = match settings.isolation {
            Isolation::Limits => None,
            Isolation::Sandbox => Some(Sandbox::find().map_err(CannotGrade::NoSandbox)?),
        };
        let runner = || {
            Runner::new(program.clone(), settings.limits, settings.channel, sandbox.clone())
                .map(|runner| runner.until(settings.stop.clone()))
        };
        let mut runners = (0..settings.n_threads.max(1)).map(|_| runner()).collect::<io::Result<Vec<_>>>()?;
        // A program that cannot even be started is nobody's wrong answer.
        runners[0].run(&[], b"").map_err(no_program)?;
        Ok(Exam {
            assignment,
            comparison: settings.comparison.unwrap_or(Comparison::usual(assignment)),
            settings,
            program,
            command: command.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            crew: Crew::new(runners),
            suspicions: BTreeMap::new(),
            known: Known::default(),
            evidence: Evidence::default(),
            n_tried: BTreeMap::new(),
            n_skipped: 0,
            n_hung: 0,
        })
    }

    /// Returns all right answers to a case.
    fn expected(&self, case: &Case) -> Vec<Expected> {
        expected(self.assignment, &self.program.path.to_string_lossy(), case)
    }

    /// Returns what is wrong with an answer.
    fn judge(&self, case: &Case, answer: &Answer, known: &Known) -> Option<Fault> {
        let expected = self.expected(case);
        if self.assignment.is_interactive() {
            talk::judge(self.assignment, self.comparison, case, &expected, answer, known)
        } else {
            checker::judge(self.assignment, case, &expected[0], answer)
        }
    }

    fn try_all(&mut self, tell: &mut dyn FnMut(Progress)) -> io::Result<()> {
        let mut cases = generate::cases(self.assignment, self.settings.seed);
        self.evidence = Evidence::none_yet(&cases);
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
            let n_late = self.sort_out(&wanted, answers, &mut time_outs)?;
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
    ) -> io::Result<usize> {
        let mut n_late = 0;
        for (case, answer) in cases.iter().zip(answers) {
            let answer = self.with_second_chance(case, answer)?;
            let fault = self.judge(case, &answer, &self.known);
            if answer.ending == Ending::TimedOut {
                n_late += 1;
                *time_outs.entry(case.about.id).or_default() += 1;
            }
            *self.n_tried.entry(case.about.id).or_default() += 1;
            let (is_accepted, is_alike) = self.likeness(case, &answer);
            self.evidence.add(case, is_accepted, fault.is_none() || is_alike);
            if let Some(fault) = fault {
                self.suspect(fault.culprit(&self.known), fault.behaviour, case);
            }
        }
        Ok(n_late)
    }

    /// Returns whether the input is to be accepted, and whether the answer is right but for its words or its status.
    fn likeness(&self, case: &Case, answer: &Answer) -> (bool, bool) {
        let expected = self.expected(case);
        if self.assignment.is_interactive() {
            (true, expected.iter().any(|each| talk::is_alike(self.assignment, each, answer)))
        } else {
            (expected[0].status == 0, checker::is_alike(&expected[0], answer))
        }
    }

    /// Returns the answer, or a later one if this one did not come in time.
    fn with_second_chance(&mut self, case: &Case, mut answer: Answer) -> io::Result<Answer> {
        if answer.ending != Ending::TimedOut || self.n_hung >= SURE {
            return Ok(answer);
        }
        for _ in 0..SECOND_CHANCES {
            answer = self.crew.run_one(case)?;
            if answer.ending != Ending::TimedOut {
                return Ok(answer);
            }
        }
        self.n_hung += 1;
        Ok(answer)
    }

    fn suspect(&mut self, about: &'static Requirement, behaviour: String, case: &Case) {
        self.known.add(about, &behaviour);
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
