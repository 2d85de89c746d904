//! The configuration file of a teacher.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use serde::Deserialize;

use crate::assignment::Assignment;
use crate::judge::Comparison;
use crate::report::{Feedback, Visibility};
use crate::requirement::{Requirement, RequirementKind};
use crate::run::RunLimits;
use crate::settings::GradeSettings;

/// The contents of a configuration file.
#[derive(Clone, Debug)]
pub struct Config {
    /// The assignments to grade.
    pub assignments: Vec<Assignment>,
    /// A shell command that builds the programs, run in the folder of the submission.
    pub build: Option<String>,
    /// How much students see.
    pub feedback: Feedback,
    /// When students see the results on Gradescope.
    pub visibility: Visibility,
    /// How the programs are graded.
    pub settings: GradeSettings,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            assignments: Assignment::ALL.to_vec(),
            build: None,
            feedback: Feedback::default(),
            visibility: Visibility::default(),
            settings: GradeSettings::default(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConfigFields {
    #[serde(default)]
    assignments: Vec<String>,
    build: Option<String>,
    feedback: Option<String>,
    visibility: Option<String>,
    comparison: Option<String>,
    seed: Option<u64>,
    #[serde(default)]
    limits: LimitFields,
    #[serde(default)]
    points: BTreeMap<String, u32>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitFields {
    seconds: Option<f64>,
    cpu_seconds: Option<u64>,
    memory_mib: Option<u64>,
    output_kib: Option<usize>,
    file_mib: Option<u64>,
    open_files: Option<u64>,
    processes: Option<u64>,
}

impl Config {
    /// Parses a configuration file.
    ///
    /// # Errors
    ///
    /// Returns a message that says what is wrong, and where.
    pub fn parse(text: &str) -> Result<Config, String> {
        let file: ConfigFields = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut config = Config::default();
        if !file.assignments.is_empty() {
            let named = file.assignments.iter().map(|name| name.parse::<Assignment>());
            config.assignments = named.collect::<Result<_, _>>()?;
        }
        config.build = file.build.filter(|command| !command.trim().is_empty());
        config.feedback = file.feedback.map_or(Ok(config.feedback), |name| name.parse())?;
        config.visibility = file.visibility.map_or(Ok(config.visibility), |name| name.parse())?;
        config.settings.comparison = match file.comparison.as_deref() {
            None | Some("usual") => None,
            Some("exact") => Some(Comparison::Exact),
            Some("lenient") => Some(Comparison::Lenient),
            Some(other) => {
                return Err(format!("unknown comparison {other:?}; expected usual, exact or lenient"));
            }
        };
        config.settings.seed = file.seed.unwrap_or(config.settings.seed);
        config.settings.limits = file.limits.limits()?;
        for (id, points) in file.points {
            let Some(requirement) = Requirement::with_id(&id) else {
                return Err(format!("unknown requirement {id:?}; `tictac grade init` lists all of them"));
            };
            config.settings.points.push((requirement.id.to_owned(), points));
        }
        Ok(config)
    }

    /// Returns a configuration file for these assignments, with every setting at its default and a comment on each.
    pub fn template(assignments: &[Assignment]) -> String {
        let names: Vec<String> = assignments.iter().map(|assignment| format!("\"{assignment}\"")).collect();
        let limits = RunLimits::default();
        let mut text = format!(
            include_str!("config/template.toml"),
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
        for requirement in requirements.filter(|requirement| requirement.kind != RequirementKind::Robustness)
        {
            let _ = writeln!(text, "\"{}\" = {}", requirement.id, requirement.points);
        }
        text
    }
}

const MIB: u64 = 1024 * 1024;

impl LimitFields {
    fn limits(&self) -> Result<RunLimits, String> {
        let usual = RunLimits::default();
        let seconds = self.seconds.unwrap_or(usual.wall.as_secs_f64());
        let wall =
            Duration::try_from_secs_f64(seconds).ok().filter(|wall| !wall.is_zero() && seconds <= 3600.0);
        let mib = |own: Option<u64>, usual: u64| own.map_or(usual, |own| own.saturating_mul(MIB));
        Ok(RunLimits {
            wall: wall.ok_or_else(|| {
                format!("limits.seconds must be more than 0 and at most 3600, not {seconds}")
            })?,
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
    fn the_template_contains_the_defaults() {
        let config = Config::parse(&Config::template(&[Assignment::GameCheck])).unwrap();
        assert_eq!(config.assignments, [Assignment::GameCheck]);
        assert_eq!(config.settings.limits, RunLimits::default());
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
    fn a_mistake_in_the_file_is_named() {
        let error = |text: &str| Config::parse(text).unwrap_err();
        assert!(error("feedbak = \"hint\"").contains("feedbak"), "{}", error("feedbak = \"hint\""));
        assert!(error("feedback = \"some\"").contains("verdict, hint, input-only, full"));
        assert!(error("[points]\n\"game-check/nothing\" = 1").contains("game-check/nothing"));
        assert!(error("[limits]\nseconds = -1.0").contains("limits.seconds"));
        assert!(error("assignments = [\"chess\"]").contains("move-check"));
    }
}
