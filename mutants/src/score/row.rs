//! What the examiner says of one program.

use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use tictac_grader::{Case, Cause, Constancy, Kind, Report, Settings, grade};

use super::command;
use crate::process::{Answer, Ending, answer};
use crate::right::{Ready, Style};
use crate::{Assignment, Mutant};

/// A wrong program that was examined.
#[derive(Clone, Debug)]
pub struct WrongRow {
    /// The program.
    pub mutant: Mutant,
    /// The requirements blamed, in the order of the document.
    pub blamed: Vec<&'static str>,
    /// How many causes were found in all.
    pub n_causes: usize,
    /// The smallest case for the requirement that should be blamed.
    pub smallest: Option<Smallest>,
    /// How many cases were tried.
    pub n_cases: usize,
    /// How long it took.
    pub time: Duration,
}

/// The smallest case that shows a fault, and what was found when it was run without the examiner.
#[derive(Clone, Debug)]
pub struct Smallest {
    /// Arguments and input as they would be typed.
    pub shown: String,
    /// Whether the wrong program fails on it again, alone, while the right one does something else.
    pub fails_alone: bool,
    /// How many simpler neighbours it has.
    pub n_neighbours: usize,
    /// How many of them fail as well, for another cause.
    pub n_bad_neighbours: usize,
    /// How many inputs with a line or a byte less were run without the examiner, where it compares byte for byte.
    pub n_shorter: usize,
    /// How many of those the wrong program answers wrongly.
    pub n_bad_shorter: usize,
}

impl WrongRow {
    /// Has a wrong program examined, and the smallest case verified.
    ///
    /// # Errors
    ///
    /// Returns why it could not be examined.
    pub fn examine(mutant: Mutant, mutants: &Path, settings: &Settings) -> anyhow::Result<WrongRow> {
        let start = Instant::now();
        let report = examined(mutant.assignment, &command(mutants, &mutant), settings)?;
        let time = start.elapsed();
        let blamed = report.blamed().collect();
        let smallest = smallest(&report, &mutant, mutants)?;
        let n_causes = report.findings.iter().map(|finding| finding.causes.len()).sum();
        Ok(WrongRow { mutant, blamed, n_causes, smallest, n_cases: report.n_cases, time })
    }

    /// Returns whether the right requirement was blamed, with a case that holds.
    ///
    /// A mistake that breaks several requirements leaves simpler cases that fail for another of them.
    pub fn is_good(&self) -> bool {
        self.verdict() == "found"
    }

    /// What went wrong, in a few words.
    fn verdict(&self) -> &'static str {
        match &self.smallest {
            None if self.blamed.is_empty() => "MISSED",
            None => "WRONG REQUIREMENT",
            Some(smallest) if !smallest.fails_alone => "DOES NOT FAIL ALONE",
            Some(smallest) if smallest.has_bad_neighbours() && self.n_causes == 1 => "NOT THE SMALLEST",
            Some(_) => "found",
        }
    }
}

impl fmt::Display for WrongRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mutant { name, assignment, blamed: wanted, .. } = self.mutant;
        let shown = self.smallest.as_ref().map_or("", |smallest| &smallest.shown);
        write!(f, "{} {assignment} {name}: {wanted} {shown}", self.verdict())?;
        write!(f, " | {} cases, {:.1} s", self.n_cases, self.time.as_secs_f64())?;
        if let Some(smallest) = &self.smallest {
            let Smallest { n_neighbours, n_bad_neighbours, n_shorter, n_bad_shorter, .. } = smallest;
            write!(
                f,
                ", {n_bad_neighbours} of {n_neighbours} neighbours and {n_bad_shorter} of {n_shorter} shorter fail"
            )?;
        }
        let others: Vec<_> = self.blamed.iter().filter(|&&id| id != wanted).copied().collect();
        if others.is_empty() { Ok(()) } else { write!(f, " | also {}", others.join(", ")) }
    }
}

impl Smallest {
    fn has_bad_neighbours(&self) -> bool {
        self.n_bad_neighbours > 0 || self.n_bad_shorter > 0
    }
}

/// A right program that was examined.
#[derive(Clone, Debug)]
pub struct RightRow {
    /// The program.
    pub style: Style,
    /// The requirements blamed although they are fulfilled.
    pub blamed: Vec<&'static str>,
    /// What it is said to do, and how often, for each of these.
    pub reasons: Vec<String>,
    /// What else was remarked: bonus and robustness, which change no verdict.
    pub remarks: Vec<&'static str>,
    /// How many cases were tried.
    pub n_cases: usize,
    /// How long it took.
    pub time: Duration,
}

impl RightRow {
    /// Has a right program examined.
    ///
    /// # Errors
    ///
    /// Returns why it could not be examined.
    pub fn examine(style: Style, ready: &Ready, settings: &Settings) -> anyhow::Result<RightRow> {
        let start = Instant::now();
        let words: Vec<OsString> =
            [ready.file.as_os_str().to_owned()].into_iter().chain(ready.arguments.iter().cloned()).collect();
        let report = examined(style.assignment, &words, settings)?;
        let time = start.elapsed();
        let of_kind = |wanted: bool| {
            let findings = report.findings.iter().filter(|finding| !finding.causes.is_empty());
            let chosen = findings.filter(|finding| (finding.requirement.kind == Kind::Required) == wanted);
            chosen.map(|finding| finding.requirement.id).collect()
        };
        let required = report.findings.iter().filter(|finding| finding.requirement.kind == Kind::Required);
        let reason = |cause: &Cause| {
            format!("{} ({:?}) on {}", cause.behaviour, cause.constancy, shown(&cause.smallest.case))
        };
        let reasons = required.flat_map(|finding| &finding.causes).map(reason).collect();
        let (blamed, remarks) = (of_kind(true), of_kind(false));
        Ok(RightRow { style, blamed, reasons, remarks, n_cases: report.n_cases, time })
    }

    /// Returns whether nothing was blamed.
    pub fn is_good(&self) -> bool {
        self.blamed.is_empty()
    }
}

impl fmt::Display for RightRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Style { name, assignment, .. } = self.style;
        let verdict = if self.is_good() { "right" } else { "BLAMED" };
        write!(f, "{verdict} {assignment} {name}: {}", self.blamed.join(", "))?;
        write!(f, " | {} cases, {:.1} s", self.n_cases, self.time.as_secs_f64())?;
        if !self.reasons.is_empty() {
            write!(f, " | {}", self.reasons.join("; "))?;
        }
        if self.remarks.is_empty() { Ok(()) } else { write!(f, " | remarks: {}", self.remarks.join(", ")) }
    }
}

fn examined(assignment: Assignment, words: &[OsString], settings: &Settings) -> anyhow::Result<Report> {
    let assignment = assignment.name().parse().context("the examiner knows the same assignments")?;
    Ok(grade(assignment, words, settings)?)
}

/// Runs a mistake or, if there is none, the right program.
fn run(mutants: &Path, assignment: Assignment, mistake: Option<&str>, case: &Case) -> anyhow::Result<Answer> {
    let choice = mistake.map_or(["--style", "plain"], |name| ["--mistake", name]);
    let options = ["--assignment", assignment.name(), choice[0], choice[1]].map(OsString::from);
    let arguments = options.into_iter().chain(case.arguments.iter().cloned());
    // A flood is cut off in no time; who sleeps that long on a busy machine waits for ever.
    Ok(answer(mutants, arguments, &case.input, Duration::from_secs(3))?)
}

fn smallest(report: &Report, mutant: &Mutant, mutants: &Path) -> anyhow::Result<Option<Smallest>> {
    let Some(found) = report.finding(mutant.blamed).and_then(|finding| finding.causes.first()) else {
        return Ok(None);
    };
    let case = &found.smallest.case;
    let fails = |case: &Case| -> anyhow::Result<bool> {
        let answer = run(mutants, mutant.assignment, Some(mutant.name), case)?;
        Ok(answer != run(mutants, mutant.assignment, None, case)? && answer.ending != Ending::Status(64))
    };
    // A program that answers by chance may have failed every time while it was examined; any other does the same each time.
    let mut fails_alone = false;
    for _ in 0..20 {
        fails_alone = fails_alone || fails(case)?;
    }
    // In lab3 and tictactoe an answer may differ from the right program's and still be right.
    let is_exact = !matches!(mutant.assignment, Assignment::Lab3 | Assignment::TicTacToe);
    let (mut n_shorter, mut n_bad_shorter) = (0, 0);
    for shorter in shorter(case).into_iter().filter(|_| is_exact && found.constancy == Constancy::Always) {
        if is_settled(mutants, mutant.assignment, &shorter)? {
            n_shorter += 1;
            n_bad_shorter += usize::from(fails(&shorter)?);
        }
    }
    Ok(Some(Smallest {
        n_shorter,
        n_bad_shorter,
        shown: shown(case),
        fails_alone,
        n_neighbours: found.n_neighbours,
        n_bad_neighbours: found.n_bad_neighbours,
    }))
}

/// Returns the case with one line or one byte less, in all ways; of a very long input only the lines.
fn shorter(case: &Case) -> Vec<Case> {
    let lines: Vec<&[u8]> = case.input.split_inclusive(|&byte| byte == b'\n').collect();
    let without_line = (0..lines.len()).map(|at| [lines[..at].concat(), lines[at + 1..].concat()].concat());
    // A text without its last newline is shorter, not simpler.
    let n_bytes = case.input.strip_suffix(b"\n").unwrap_or(&case.input).len();
    let n_bytes = if n_bytes > 200 { 0 } else { n_bytes };
    let without_byte = (0..n_bytes).map(|at| [&case.input[..at], &case.input[at + 1..]].concat());
    without_line.chain(without_byte).map(|input| Case { input, ..case.clone() }).collect()
}

/// Returns whether the game comes to its end within the input; what happens if it does not is another question.
fn is_settled(mutants: &Path, assignment: Assignment, case: &Case) -> anyhow::Result<bool> {
    if matches!(assignment, Assignment::MoveCheck | Assignment::GameCheck) {
        return Ok(true);
    }
    let longer = Case { input: [case.input.as_slice(), b"\nzz\n"].concat(), ..case.clone() };
    Ok(run(mutants, assignment, None, case)? == run(mutants, assignment, None, &longer)?)
}

/// Arguments and input with everything visible.
fn shown(case: &Case) -> String {
    let arguments: Vec<_> = case.arguments.iter().map(|word| word.to_string_lossy()).collect();
    let input = case.input.escape_ascii().to_string();
    let input = if input.len() > 60 {
        format!("{}… ({} bytes)", input.chars().take(48).collect::<String>(), case.input.len())
    } else {
        input
    };
    // All but a few cases of lab3 have the one right argument.
    match arguments.join(" ").as_str() {
        "" | "TicTacToeGame" => format!("`{input}`"),
        words => format!("`{words}` < `{input}`"),
    }
}
