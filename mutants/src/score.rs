//! How the examiner does: every wrong program must be found, and no right one blamed.

mod row;
mod table;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use tictac_grader::Settings;
use tictac_grader::run::Limits;

pub use row::{RightRow, Smallest, WrongRow};
pub use table::markdown;

use crate::right::{self, NotReady};
use crate::{Assignment, Mutant, wrong};

/// What is scored, and with what.
#[derive(Clone, Debug)]
pub struct Plan {
    /// This package's program.
    pub mutants: PathBuf,
    /// Where programs in C and scripts go.
    pub folder: PathBuf,
    /// How the examiner is set for wrong programs.
    pub settings: Settings,
    /// How many wrong programs are tried of each assignment.
    pub n_mutants: usize,
    /// Only programs whose assignment and name, with a blank between, contain this are tried.
    pub filter: String,
}

/// All rows.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// The wrong programs.
    pub wrong: Vec<WrongRow>,
    /// The right programs.
    pub right: Vec<RightRow>,
    /// What could not be tried, and why.
    pub skipped: Vec<String>,
}

impl Plan {
    /// Returns a plan for everything.
    pub fn full(mutants: &Path, folder: &Path) -> Plan {
        // Enough for programs that answer at once; those that never end are many here.
        let limits = Limits { wall: Duration::from_secs(1), ..Limits::default() };
        Plan {
            mutants: mutants.to_owned(),
            folder: folder.to_owned(),
            settings: Settings { limits, ..Settings::default() },
            n_mutants: usize::MAX,
            filter: String::new(),
        }
    }

    /// Returns a plan that takes seconds: one wrong program an assignment, all right ones, and the first few cases.
    pub fn short(mutants: &Path, folder: &Path) -> Plan {
        let settings = patient(&Settings { max_cases: 300, ..Settings::default() });
        Plan { settings, n_mutants: 1, ..Plan::full(mutants, folder) }
    }

    /// Has all programs examined, and writes a line about each.
    ///
    /// # Errors
    ///
    /// Returns what could not be built, run or written.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<Score> {
        let mut score = Score::default();
        for assignment in Assignment::ALL {
            for style in right::all()
                .filter(|style| style.assignment == assignment && self.wants(assignment, style.name))
            {
                match style.ready(&self.mutants, &self.folder) {
                    Ok(ready) => {
                        let row = RightRow::examine(style, &ready, &patient(&self.settings))?;
                        writeln!(out, "{row}")?;
                        score.right.push(row);
                    }
                    Err(NotReady::Missing(command)) => {
                        let reason = format!("{assignment} {}: there is no {command} here", style.name);
                        writeln!(out, "skipped {reason}")?;
                        score.skipped.push(reason);
                    }
                    Err(NotReady::Broken(error)) => bail!("{assignment} {}: {error}", style.name),
                }
                out.flush()?;
            }
            let mutants = wrong::all()
                .filter(|mutant| mutant.assignment == assignment && self.wants(assignment, mutant.name));
            for mutant in mutants.take(self.n_mutants) {
                let row = WrongRow::examine(mutant, &self.mutants, &self.settings)?;
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
    /// Returns what the examiner got wrong, a line each.
    pub fn failures(&self) -> Vec<String> {
        let wrong = self.wrong.iter().filter(|row| !row.is_good()).map(WrongRow::to_string);
        let right = self.right.iter().filter(|row| !row.is_good()).map(RightRow::to_string);
        wrong.chain(right).collect()
    }
}

/// Settings for programs that never wait for ever: on a busy machine a right one may be slow.
fn patient(settings: &Settings) -> Settings {
    let limits = Limits { wall: Duration::from_secs(20), cpu_seconds: 20, ..settings.limits };
    Settings { limits, ..settings.clone() }
}

/// The words that start a wrong program.
fn command(mutants: &Path, mutant: &Mutant) -> Vec<OsString> {
    let options = ["--assignment", mutant.assignment.name(), "--mistake", mutant.name];
    [mutants.as_os_str().to_owned()].into_iter().chain(options.map(OsString::from)).collect()
}
