//! The result of grading one program.

use std::fmt;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use tictac_grader::run::{Program, RunOutput};
use tictac_grader::{Case, Cause, Consistency, GradeSettings, Report, RequirementKind, grade};

use crate::{Assignment, Mutant, RightProgram, process};

/// The result of a wrong program.
#[derive(Clone, Debug)]
pub struct WrongRow {
    /// The program that was graded.
    pub mutant: Mutant,
    /// Ids of the blamed requirements, in the order of the document.
    pub blamed: Vec<&'static str>,
    /// The number of causes in the report.
    pub n_causes: usize,
    /// The smallest case of the requirement that must be blamed, if it was.
    pub smallest: Option<Smallest>,
    /// The number of cases.
    pub n_cases: usize,
    /// How long grading took.
    pub time: Duration,
}

/// The smallest case that shows a fault, and the results of running it without the grader.
#[derive(Clone, Debug)]
pub struct Smallest {
    /// The arguments and the input, with special characters escaped.
    pub shown: String,
    /// Whether the output of the wrong program differs from that of the correct one.
    pub fails_alone: bool,
    /// The number of simpler neighbours that the grader tried.
    pub n_neighbours: usize,
    /// The number of those that fail for another cause.
    pub n_bad_neighbours: usize,
    /// The number of inputs with a line or a byte less that were run without the grader, if it compares exactly.
    pub n_shorter: usize,
    /// The number of those that fail.
    pub n_bad_shorter: usize,
}

impl WrongRow {
    /// Grades a wrong program, and verifies its smallest case. `wrong` and `right` are the paths of the program and of the right
    /// one that it was made from.
    ///
    /// # Errors
    ///
    /// Returns why it could not be graded.
    pub fn grade(
        mutant: Mutant,
        wrong: &Path,
        right: &Path,
        settings: &GradeSettings,
    ) -> anyhow::Result<WrongRow> {
        let start = Instant::now();
        let report = grade(mutant.assignment, &Program::find(wrong, &[])?, settings, &mut |_| {})?;
        let time = start.elapsed();
        let blamed = report.blamed().collect();
        let smallest = smallest(&report, &mutant, wrong, right)?;
        let n_causes = report.findings.iter().map(|finding| finding.causes.len()).sum();
        Ok(WrongRow { mutant, blamed, n_causes, smallest, n_cases: report.n_cases, time })
    }

    /// Returns whether the right requirement was blamed, and the smallest case was confirmed.
    pub fn is_good(&self) -> bool {
        self.verdict() == "found"
    }

    /// Returns the result in a few words. If a mistake breaks several requirements, simpler cases may fail for another
    /// of them.
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
        let Mutant { name, assignment, .. } = self.mutant;
        let wanted = self.mutant.blamed();
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

/// The result of a correct program.
#[derive(Clone, Debug)]
pub struct RightRow {
    /// The program that was graded.
    pub program: RightProgram,
    /// Ids of the requirements that were blamed, although they are fulfilled.
    pub blamed: Vec<&'static str>,
    /// The causes that the grader reports for them.
    pub reasons: Vec<String>,
    /// Ids of broken requirements about bonus and robustness, which are not counted.
    pub remarks: Vec<&'static str>,
    /// The number of cases.
    pub n_cases: usize,
    /// How long grading took.
    pub time: Duration,
}

impl RightRow {
    /// Grades a correct program.
    ///
    /// # Errors
    ///
    /// Returns why it could not be graded.
    pub fn grade(
        program: RightProgram,
        command: &Program,
        settings: &GradeSettings,
    ) -> anyhow::Result<RightRow> {
        let start = Instant::now();
        let report = grade(program.assignment, command, settings, &mut |_| {})?;
        let time = start.elapsed();
        let of_kind = |wanted: bool| {
            let findings = report.findings.iter().filter(|finding| !finding.causes.is_empty());
            let chosen =
                findings.filter(|finding| (finding.requirement.kind == RequirementKind::Required) == wanted);
            chosen.map(|finding| finding.requirement.id).collect()
        };
        let required =
            report.findings.iter().filter(|finding| finding.requirement.kind == RequirementKind::Required);
        let reason = |cause: &Cause| {
            format!("{} ({:?}) on {}", cause.behaviour, cause.consistency, shown(&cause.smallest.case))
        };
        let reasons = required.flat_map(|finding| &finding.causes).map(reason).collect();
        let (blamed, remarks) = (of_kind(true), of_kind(false));
        Ok(RightRow { program, blamed, reasons, remarks, n_cases: report.n_cases, time })
    }

    /// Returns whether nothing was blamed.
    pub fn is_good(&self) -> bool {
        self.blamed.is_empty()
    }
}

impl fmt::Display for RightRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RightProgram { name, assignment, .. } = self.program;
        let verdict = if self.is_good() { "right" } else { "BLAMED" };
        write!(f, "{verdict} {assignment} {name}: {}", self.blamed.join(", "))?;
        write!(f, " | {} cases, {:.1} s", self.n_cases, self.time.as_secs_f64())?;
        if !self.reasons.is_empty() {
            write!(f, " | {}", self.reasons.join("; "))?;
        }
        if self.remarks.is_empty() { Ok(()) } else { write!(f, " | remarks: {}", self.remarks.join(", ")) }
    }
}

fn run(program: &Path, case: &Case) -> io::Result<RunOutput> {
    // Endless output is cut off early, so only a program that never exits takes this long.
    process::run(program, &case.arguments, &case.input, Duration::from_secs(3))
}

fn smallest(report: &Report, mutant: &Mutant, wrong: &Path, right: &Path) -> io::Result<Option<Smallest>> {
    let Some(found) = report.finding(&mutant.blamed()).and_then(|finding| finding.causes.first()) else {
        return Ok(None);
    };
    let case = &found.smallest.case;
    let fails = |case: &Case| -> io::Result<bool> { Ok(run(wrong, case)? != run(right, case)?) };
    // The output of one of the programs is random, so a case is tried several times.
    let mut fails_alone = false;
    for _ in 0..20 {
        fails_alone = fails_alone || fails(case)?;
    }
    // In lab3 and tictactoe, a correct output may differ from that of our program.
    let is_exact = !matches!(mutant.assignment, Assignment::Lab3 | Assignment::Tictactoe);
    let (mut n_shorter, mut n_bad_shorter) = (0, 0);
    for shorter in shorter(case).into_iter().filter(|_| is_exact && found.consistency == Consistency::Always)
    {
        if is_complete(right, mutant.assignment, &shorter)? {
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

/// Returns the case with each line or byte left out in turn; bytes of a very long input are not left out.
fn shorter(case: &Case) -> Vec<Case> {
    let lines: Vec<&[u8]> = case.input.split_inclusive(|&byte| byte == b'\n').collect();
    let without_line = (0..lines.len()).map(|at| [lines[..at].concat(), lines[at + 1..].concat()].concat());
    // An input without its final newline is shorter, but not simpler.
    let n_bytes = case.input.strip_suffix(b"\n").unwrap_or(&case.input).len();
    let n_bytes = if n_bytes > 200 { 0 } else { n_bytes };
    let without_byte = (0..n_bytes).map(|at| [&case.input[..at], &case.input[at + 1..]].concat());
    without_line.chain(without_byte).map(|input| Case { input, ..case.clone() }).collect()
}

/// Returns whether the input contains a whole game.
fn is_complete(right: &Path, assignment: Assignment, case: &Case) -> io::Result<bool> {
    if matches!(assignment, Assignment::MoveCheck | Assignment::GameCheck) {
        return Ok(true);
    }
    let longer = Case { input: [case.input.as_slice(), b"\nzz\n"].concat(), ..case.clone() };
    Ok(run(right, case)? == run(right, &longer)?)
}

/// Returns the arguments and the input, with special characters escaped.
fn shown(case: &Case) -> String {
    let arguments: Vec<_> = case.arguments.iter().map(|word| word.to_string_lossy()).collect();
    let input = case.input.escape_ascii().to_string();
    let input = if input.len() > 60 {
        format!("{}… ({} bytes)", input.chars().take(48).collect::<String>(), case.input.len())
    } else {
        input
    };
    // Nearly all cases of lab3 have this argument, so it is left out.
    match arguments.join(" ").as_str() {
        "" | "TicTacToeGame" => format!("`{input}`"),
        words => format!("`{words}` < `{input}`"),
    }
}
