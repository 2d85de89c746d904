//! Mutants that are made by changing the text of a right program in one place, and whether the grader finds them.
//!
//! Whether a mutant is wrong at all is decided without the grader: it is run on random inputs beside the program that it was
//! made from. Mutants that never differ are not counted; nor are those that differ only in what their document leaves open:
//! in lab3 and tictactoe case, punctuation and layout, in tictactoe and notakto the exit status and inputs that are no numbers.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use fastrand::Rng;
use tictac_grader::run::{LimitChanges, Program, RunOutput};
use tictac_grader::{GradeSettings, find_fault};

use crate::source::{self, SourceLanguage};
use crate::{Assignment, inputs, process};
pub use tictac_grader::{SourceMutant, mutants};

/// The programs whose text is changed, in `programs/`.
const SOURCES: [(Assignment, &str); 7] = [
    (Assignment::MoveCheck, "move_check.c"),
    (Assignment::MoveCheck, "move_check.sh"),
    (Assignment::GameCheck, "game_check.c"),
    (Assignment::GameCheck, "game_check.sh"),
    (Assignment::Lab3, "lab3.c"),
    (Assignment::Tictactoe, "tictactoe.c"),
    (Assignment::Notakto, "notakto.c"),
];

/// The number of random inputs on which a mutant is compared with the right program.
const N_INPUTS: usize = 400;
/// A mutant that runs longer than this hangs.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// How the grader does on generated mutants.
#[derive(Clone, Debug, Default)]
pub struct GeneratedScore {
    /// The number of mutants that did not compile.
    pub n_broken: usize,
    /// The number of mutants that behave like the right program on all random inputs.
    pub n_equal: usize,
    /// The number of mutants that differ, and that the grader finds.
    pub n_found: usize,
    /// The mutants that differ, and that the grader does not find.
    pub missed: Vec<Missed>,
}

/// A mutant that the grader does not find.
#[derive(Clone, Debug)]
pub struct Missed {
    /// The changed program.
    pub file: &'static str,
    /// The line and the change.
    pub mutant: SourceMutant,
    /// An input on which it differs from the right program.
    pub input: Vec<u8>,
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SourceMutant { line, change, .. } = &self.mutant;
        let input = String::from_utf8_lossy(&self.input);
        write!(f, "MISSED {}:{line}: {change}, differs on {input:?}", self.file)
    }
}

/// Tries every `step`-th mutant of the programs whose assignment and file contain `filter`, and writes a line about each that
/// is missed.
///
/// # Errors
///
/// Returns an error if a right program cannot be built, or if a program cannot be run.
pub fn score(
    folder: &Path,
    filter: &str,
    step: usize,
    out: &mut impl Write,
) -> anyhow::Result<GeneratedScore> {
    let mut total = GeneratedScore::default();
    for (assignment, file) in SOURCES {
        if !format!("{assignment} {file}").contains(filter) {
            continue;
        }
        let source = source::read(file).with_context(|| format!("cannot read programs/{file}"))?;
        let language = SourceLanguage::of(file);
        // The files have the same name, which lab3 prints.
        let [right, changed] = ["right", "mutant"].map(|name| folder.join(name).join("program"));
        if !source::build(&right, &source, language)? {
            bail!("cannot build {file}");
        }
        let trial = Trial::new(assignment, &right)?;
        let mut score = GeneratedScore::default();
        for mutant in mutants(&source, language).into_iter().step_by(step) {
            if source::build(&changed, &mutant.source, language)? {
                trial.add(file, &changed, mutant, &mut score, out)?;
            } else {
                score.n_broken += 1;
            }
        }
        writeln!(out, "{assignment} {file}: {score}")?;
        out.flush()?;
        total.n_broken += score.n_broken;
        total.n_equal += score.n_equal;
        total.n_found += score.n_found;
        total.missed.append(&mut score.missed);
    }
    Ok(total)
}

impl fmt::Display for GeneratedScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_differing = self.n_found + self.missed.len();
        let percent = 100.0 * self.n_found as f64 / n_differing.max(1) as f64;
        write!(f, "{} of {n_differing} mutants that differ found ({percent:.1} %)", self.n_found)?;
        write!(f, "; {} never differ, {} do not compile", self.n_equal, self.n_broken)
    }
}

/// The outputs of the right program on random inputs.
struct Trial {
    assignment: Assignment,
    right_outputs: Vec<(Vec<u8>, RunOutput)>,
}

impl Trial {
    fn new(assignment: Assignment, right: &Path) -> io::Result<Trial> {
        let random_input = match assignment {
            Assignment::MoveCheck | Assignment::GameCheck => inputs::record,
            Assignment::Lab3 => inputs::lab3_plain,
            Assignment::Tictactoe => inputs::tictactoe_plain,
            Assignment::Notakto => inputs::notakto_plain,
        };
        let mut rng = Rng::with_seed(11);
        let mut trial = Trial { assignment, right_outputs: Vec::new() };
        while trial.right_outputs.len() < N_INPUTS {
            let input = random_input(&mut rng);
            let output = trial.run(right, &input)?;
            if trial.is_specified(&input, &output) {
                trial.right_outputs.push((input, output));
            }
        }
        Ok(trial)
    }

    /// Returns whether the document says what happens: those of tictactoe and notakto speak only of numbers, and of games
    /// that are played to their end.
    fn is_specified(&self, input: &[u8], output: &RunOutput) -> bool {
        let end: &[u8] = match self.assignment {
            Assignment::Tictactoe => b"Goodbye!\n",
            Assignment::Notakto => b" wins!\n",
            _ => return true,
        };
        let is_number = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_whitespace() || *byte == b'-';
        input.iter().all(is_number) && output.stdout.ends_with(end)
    }

    fn run(&self, program: &Path, input: &[u8]) -> io::Result<RunOutput> {
        let arguments = (self.assignment == Assignment::Lab3).then_some("TicTacToeGame");
        process::run(program, arguments, input, TIME_LIMIT)
    }

    /// Returns whether two outputs differ in more than the document leaves free.
    fn differ(&self, one: &RunOutput, two: &RunOutput) -> bool {
        let has_same_exit = match self.assignment {
            // Their documents say nothing about the exit status.
            Assignment::Tictactoe | Assignment::Notakto => one.exit.is_clean() == two.exit.is_clean(),
            _ => one.exit == two.exit,
        };
        let has_free_wording = matches!(self.assignment, Assignment::Lab3 | Assignment::Tictactoe);
        let has_same_text = if has_free_wording {
            content(&one.stdout) == content(&two.stdout)
        } else {
            (&one.stdout, &one.stderr) == (&two.stdout, &two.stderr)
        };
        !has_same_exit || !has_same_text
    }

    /// Returns an input on which a mutant differs from the right program.
    fn difference(&self, mutant: &Path) -> io::Result<Option<&[u8]>> {
        for (input, right_output) in &self.right_outputs {
            if self.differ(&self.run(mutant, input)?, right_output) {
                return Ok(Some(input));
            }
        }
        Ok(None)
    }

    /// Counts a mutant, and writes a line about it if the grader misses it.
    fn add(
        &self,
        file: &'static str,
        program: &Path,
        mutant: SourceMutant,
        score: &mut GeneratedScore,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let Some(input) = self.difference(program)? else {
            score.n_equal += 1;
            return Ok(());
        };
        let limits = LimitChanges { wall: Some(TIME_LIMIT), ..LimitChanges::default() };
        let settings = GradeSettings { limits, ..GradeSettings::default() };
        if find_fault(self.assignment, &Program::find(program, &[])?, &settings)?.is_some() {
            score.n_found += 1;
        } else {
            let missed = Missed { file, mutant, input: input.to_vec() };
            writeln!(out, "{missed}")?;
            out.flush()?;
            score.missed.push(missed);
        }
        Ok(())
    }
}

/// Returns the rows of all boards in an output, and the letters and digits between boards. Case, punctuation and layout are
/// left out.
fn content(stdout: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(stdout).to_lowercase();
    let mut parts = Vec::new();
    let mut between = String::new();
    for line in text.lines().map(str::trim_end) {
        if line.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
            parts.push(std::mem::take(&mut between));
            parts.push(line.to_owned());
        } else {
            between.extend(line.chars().filter(|c| c.is_alphanumeric()));
        }
    }
    parts.push(between);
    parts
}
