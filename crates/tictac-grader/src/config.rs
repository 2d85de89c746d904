//! The small TOML file with a teacher's choices.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use serde::Deserialize;

use crate::assignment::Assignment;
use crate::report::{Feedback, Visibility};
use crate::requirement::{Kind, Requirement};
use crate::run::Limits;
use crate::settings::Settings;
use crate::talk::Comparison;

/// A teacher's choices.
#[derive(Clone, Debug)]
pub struct Config {
    /// What is graded; all five where none is named.
    pub assignments: Vec<Assignment>,
    /// A shell command that makes the programs, run in the folder of the submission.
    pub build: Option<String>,
    /// How much students are told.
    pub feedback: Feedback,
    /// When they see it on Gradescope.
    pub visibility: Visibility,
    /// Everything else.
    pub settings: Settings,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            assignments: Assignment::ALL.to_vec(),
            build: None,
            feedback: Feedback::default(),
            visibility: Visibility::default(),
            settings: Settings::default(),
        }
    }
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    assignments: Vec<String>,
    build: Option<String>,
    feedback: Option<String>,
    visibility: Option<String>,
    comparison: Option<String>,
    seed: Option<u64>,
    #[serde(default)]
    limits: LimitsOfFile,
    #[serde(default)]
    points: BTreeMap<String, u32>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitsOfFile {
    seconds: Option<f64>,
    cpu_seconds: Option<u64>,
    memory_mib: Option<u64>,
    output_kib: Option<usize>,
    file_mib: Option<u64>,
    open_files: Option<u64>,
    processes: Option<u64>,
}

impl Config {
    /// Reads a configuration file.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it, and where.
    pub fn parse(text: &str) -> Result<Config, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut config = Config::default();
        if !file.assignments.is_empty() {
            let named = file.assignments.iter().map(|name| name.parse::<Assignment>());
            config.assignments = named.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        }
        config.build = file.build.filter(|command| !command.trim().is_empty());
        if let Some(feedback) = file.feedback {
            config.feedback = feedback.parse()?;
        }
        if let Some(visibility) = file.visibility {
            config.visibility = visibility.parse()?;
        }
        config.settings.comparison = match file.comparison.as_deref() {
            None | Some("usual") => None,
            Some("exact") => Some(Comparison::Exact),
            Some("lenient") => Some(Comparison::Lenient),
            Some(other) => {
                return Err(format!("no such comparison: {other:?}; there are usual, exact, lenient"));
            }
        };
        config.settings.seed = file.seed.unwrap_or(config.settings.seed);
        config.settings.limits = file.limits.limits()?;
        for (id, points) in file.points {
            let Some(requirement) = Requirement::with_id(&id) else {
                return Err(format!("no requirement is called {id:?}; `tictac grade init` lists them all"));
            };
            config.settings.points.push((requirement.id.to_owned(), points));
        }
        Ok(config)
    }

    /// Returns a file with every choice in it and what it means, for these assignments.
    pub fn template(assignments: &[Assignment]) -> String {
        let names: Vec<String> = assignments.iter().map(|assignment| format!("\"{assignment}\"")).collect();
        let limits = Limits::default();
        let mut text = format!(
            "# How `tictac grade` grades; see docs/grading.md. A line that is missing means what it says here.\n\n\
             # Which programs are looked for in a submission.\nassignments = [{}]\n\n\
             # A shell command that builds them, run in the folder of the submission; \"\" for none.\nbuild = \"\"\n\n\
             # How much students are told: verdict, hint, input-only or full.\nfeedback = \"full\"\n\n\
             # When they see it on Gradescope: visible, hidden, after_due_date or after_published.\nvisibility = \"visible\"\n\n\
             # How closely answers are compared: usual (as closely as the document fixes its words), exact or lenient.\n\
             comparison = \"usual\"\n\n\
             # Where chance starts; the same seed tries the same inputs.\nseed = 1\n\n\
             # What one run may take.\n[limits]\nseconds = {:?}\ncpu_seconds = {}\nmemory_mib = {}\noutput_kib = {}\nfile_mib = {}\n\
             open_files = {}\nprocesses = {}\n\n\
             # What each requirement is worth; those of robustness never give points.\n[points]\n",
            names.join(", "),
            limits.wall.as_secs_f64(),
            limits.cpu_seconds,
            limits.memory / MIB,
            limits.output / 1024,
            limits.file / MIB,
            limits.open_files,
            limits.processes,
        );
        let requirements = assignments.iter().flat_map(|assignment| assignment.requirements());
        for requirement in requirements.filter(|requirement| requirement.kind != Kind::Robustness) {
            let _ = writeln!(text, "\"{}\" = {}", requirement.id, requirement.points);
        }
        text
    }
}

const MIB: u64 = 1024 * 1024;

impl LimitsOfFile {
    fn limits(&self) -> Result<Limits, String> {
        let usual = Limits::default();
        let seconds = self.seconds.unwrap_or(usual.wall.as_secs_f64());
        let wall =
            Duration::try_from_secs_f64(seconds).ok().filter(|wall| !wall.is_zero() && seconds <= 3600.0);
        let mib = |own: Option<u64>, usual: u64| own.map_or(usual, |own| own.saturating_mul(MIB));
        Ok(Limits {
            wall: wall
                .ok_or_else(|| format!("limits.seconds must be over 0 and at most 3600, not {seconds}"))?,
            cpu_seconds: self.cpu_seconds.unwrap_or(usual.cpu_seconds).max(1),
            memory: mib(self.memory_mib, usual.memory),
            output: self.output_kib.map_or(usual.output, |own| own.saturating_mul(1024)),
            file: mib(self.file_mib, usual.file),
            open_files: self.open_files.unwrap_or(usual.open_files),
            processes: self.processes.unwrap_or(usual.processes),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_says_what_is_usual() {
        let config = Config::parse(&Config::template(&[Assignment::GameCheck])).unwrap();
        assert_eq!(config.assignments, [Assignment::GameCheck]);
        assert_eq!(config.settings.limits, Limits::default());
        assert_eq!((config.feedback, config.visibility), (Feedback::Full, Visibility::Visible));
        for requirement in Assignment::GameCheck.requirements() {
            assert_eq!(config.settings.points(requirement), requirement.points);
        }
    }

    #[test]
    fn limits_and_points_of_the_file_are_used() {
        let text = "seed = 7\n[limits]\nseconds = 0.5\nmemory_mib = 3\n[points]\n\"game-check/draw\" = 9\n";
        let settings = Config::parse(text).unwrap().settings;
        assert_eq!((settings.seed, settings.limits.memory), (7, 3 * MIB));
        assert_eq!(settings.limits.wall, Duration::from_millis(500));
        let points = |id| settings.points(Assignment::GameCheck.requirement(id));
        assert_eq!((points("draw"), points("turn")), (9, 6));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        let error = |text: &str| Config::parse(text).unwrap_err();
        assert!(error("feedbak = \"hint\"").contains("feedbak"), "{}", error("feedbak = \"hint\""));
        assert!(error("feedback = \"some\"").contains("verdict, hint, input-only, full"));
        assert!(error("[points]\n\"game-check/nothing\" = 1").contains("game-check/nothing"));
        assert!(error("[limits]\nseconds = -1.0").contains("limits.seconds"));
        assert!(error("assignments = [\"chess\"]").contains("move-check"));
    }
}
