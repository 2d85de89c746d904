//! Tests the grader: it must find the fault of every wrong program, and none in correct ones.

mod row;
mod table;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tictac_grader::GradeSettings;
use tictac_grader::run::LimitChanges;

pub use row::{RightRow, Smallest, WrongRow};
pub use table::markdown;

use crate::{Assignment, right, wrong};

/// Which programs are graded, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The path of the main program of this package.
    pub mutants: PathBuf,
    /// The folder for compiled C programs and scripts.
    pub folder: PathBuf,
    /// How wrong programs are graded.
    pub settings: GradeSettings,
    /// How many wrong programs of each assignment are graded.
    pub n_mutants: usize,
    /// Only programs whose assignment and name, separated by a space, contain this text are graded.
    pub filter: String,
}

/// The results of all programs.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Results of the wrong programs.
    pub wrong: Vec<WrongRow>,
    /// Results of the correct programs.
    pub right: Vec<RightRow>,
    /// Programs that could not be graded, with the reason.
    pub skipped: Vec<String>,
}

impl Plan {
    /// Returns a plan for all programs.
    pub fn full(mutants: &Path, folder: &Path) -> Plan {
        // The programs respond immediately, and many of them never exit.
        let limits = LimitChanges { wall: Some(Duration::from_secs(1)), ..LimitChanges::default() };
        Plan {
            mutants: mutants.to_owned(),
            folder: folder.to_owned(),
            settings: GradeSettings { limits, ..GradeSettings::default() },
            n_mutants: usize::MAX,
            filter: String::new(),
        }
    }

    /// Returns a plan that takes seconds: one wrong program per assignment, all correct ones, and few cases.
    pub fn short(mutants: &Path, folder: &Path) -> Plan {
        let settings = with_long_limits(&GradeSettings { max_cases: 300, ..GradeSettings::default() });
        Plan { settings, n_mutants: 1, ..Plan::full(mutants, folder) }
    }

    /// Grades all programs, and writes a line about each.
    ///
    /// # Errors
    ///
    /// Returns an error if a program cannot be built or run, or if writing fails.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<Score> {
        let mut score = Score::default();
        for assignment in Assignment::ALL {
            for program in right::all()
                .filter(|program| program.assignment == assignment && self.wants(assignment, program.name))
            {
                if let Some(command) = program.missing_command() {
                    let reason = format!("{assignment} {}: {command} is not installed", program.name);
                    writeln!(out, "skipped {reason}")?;
                    score.skipped.push(reason);
                    continue;
                }
                let built = program.build(&self.mutants, &self.folder)?;
                let row = RightRow::grade(program, &built, &with_long_limits(&self.settings))?;
                writeln!(out, "{row}")?;
                out.flush()?;
                score.right.push(row);
            }
            let mutants = wrong::all()
                .filter(|mutant| mutant.assignment == assignment && self.wants(assignment, mutant.name));
            let right = wrong::build_right(assignment, &self.folder)?;
            for mutant in mutants.take(self.n_mutants) {
                let wrong = mutant.build(&self.folder)?;
                let row = WrongRow::grade(mutant, &wrong, &right, &self.settings)?;
                writeln!(out, "{row}")?;
                out.flush()?;
                score.wrong.push(row);
            }
        }
        Ok(score)
    }

    fn wants(&self, assignment: Assignment, name: &str) -> bool {
        format!("{assignment} {name}").contains(&self.filter)
    }
}

impl Score {
    /// Returns the results in which the grader is wrong, one line each.
    pub fn failures(&self) -> Vec<String> {
        let wrong = self.wrong.iter().filter(|row| !row.is_good()).map(WrongRow::to_string);
        let right = self.right.iter().filter(|row| !row.is_good()).map(RightRow::to_string);
        wrong.chain(right).collect()
    }
}

/// Returns settings for correct programs, which may be slow on a busy machine.
fn with_long_limits(settings: &GradeSettings) -> GradeSettings {
    let limits =
        LimitChanges { wall: Some(Duration::from_secs(20)), cpu_seconds: Some(20), ..settings.limits };
    GradeSettings { limits, ..settings.clone() }
}
