//! The configuration file of a teacher.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use toml::Spanned;

use crate::assignment::{Assignment, AssignmentError};
use crate::judge::Comparison;
use crate::points::Points;
use crate::report::{Feedback, Visibility};
use crate::requirement::{Requirement, RequirementKind};
use crate::run::{LimitChanges, RunLimits};
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
            assignments: Assignment::built_in().to_vec(),
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
    assignments: Vec<Spanned<String>>,
    build: Option<String>,
    #[serde(default)]
    feedback: Feedback,
    #[serde(default)]
    visibility: Visibility,
    comparison: Option<String>,
    seed: Option<u64>,
    #[serde(default)]
    limits: LimitChanges,
    #[serde(default)]
    points: BTreeMap<String, Points>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LimitFields {
    seconds: Option<f64>,
    cpu_seconds: Option<u64>,
    memory_mib: Option<u64>,
    output_kib: Option<usize>,
    file_mib: Option<u64>,
    open_files: Option<u64>,
    processes: Option<u64>,
}

impl Config {
    /// Parses a configuration file; `path` is where it is. Folders of assignments start from its folder.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with a setting, or with the folder of an assignment.
    pub fn parse(text: &str, path: &Path) -> Result<Config, AssignmentError> {
        let wrong = |message: &dyn fmt::Display| {
            AssignmentError::without_place(format!("{}: {message}", path.display()))
        };
        let file: ConfigFields = toml::from_str(text).map_err(|error| wrong(&error))?;
        let mut config = Config::default();
        if !file.assignments.is_empty() {
            let base = path.parent().unwrap_or(Path::new(""));
            let found = file.assignments.iter().map(|text| Assignment::find(text.get_ref(), base));
            config.assignments = found.collect::<Result<_, _>>()?;
        }
        config.build = file.build.filter(|command| !command.trim().is_empty());
        config.feedback = file.feedback;
        config.visibility = file.visibility;
        config.settings.comparison = match file.comparison.as_deref() {
            None | Some("usual") => None,
            Some("exact") => Some(Comparison::Exact),
            Some("lenient") => Some(Comparison::Lenient),
            Some(other) => {
                let message = format!("unknown comparison {other:?}; expected usual, exact or lenient");
                return Err(wrong(&message));
            }
        };
        config.settings.seed = file.seed.unwrap_or(config.settings.seed);
        config.settings.limits = file.limits;
        for (id, points) in file.points {
            let Some(requirement) = Requirement::with_id(&id) else {
                let message = format!("unknown requirement {id:?}; `tictac grade init` lists all of them");
                return Err(wrong(&message));
            };
            config.settings.points.push((requirement.id.to_owned(), points));
        }
        Ok(config)
    }

    /// Returns the text of a configuration file in which every folder of an assignment is replaced by the place that
    /// [`pack`](crate::pack) puts it in. The text was parsed before.
    pub(crate) fn with_packed_folders(text: &str, assignments: &[Assignment]) -> String {
        let mut packed = text.to_owned();
        let fields: Option<ConfigFields> = toml::from_str(text).ok();
        let named = fields.map(|fields| fields.assignments).unwrap_or_default();
        for (name, assignment) in named.iter().zip(assignments).rev() {
            if assignment.folder().is_some() {
                packed.replace_range(name.span(), &format!("\"./assignments/{assignment}\""));
            }
        }
        packed
    }

    /// Returns a configuration file for these assignments, with every setting at its default and a comment on each. `base`
    /// is the folder of the file: paths of assignments start from it if they are in it.
    pub fn template(assignments: &[Assignment], base: &Path) -> String {
        let name = |assignment: &Assignment| {
            let Some(folder) = assignment.folder() else { return format!("\"{assignment}\"") };
            let inside = folder.strip_prefix(base).map(|inside| Path::new(".").join(inside));
            format!("{:?}", inside.unwrap_or_else(|_| folder.to_owned()).to_string_lossy())
        };
        let names: Vec<String> = assignments.iter().map(name).collect();
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

impl TryFrom<LimitFields> for LimitChanges {
    type Error = String;

    fn try_from(fields: LimitFields) -> Result<LimitChanges, String> {
        let LimitFields { seconds, cpu_seconds, memory_mib, output_kib, file_mib, open_files, processes } =
            fields;
        let wall = |seconds: f64| {
            let wall = Duration::try_from_secs_f64(seconds).ok();
            wall.filter(|wall| !wall.is_zero() && seconds <= 3600.0)
                .ok_or_else(|| format!("limits.seconds must be more than 0 and at most 3600, not {seconds}"))
        };
        let numbers = [
            ("cpu_seconds", cpu_seconds),
            ("memory_mib", memory_mib),
            ("output_kib", output_kib.map(|kib| kib as u64)),
            ("file_mib", file_mib),
            ("open_files", open_files),
            ("processes", processes),
        ];
        if let Some((name, _)) = numbers.iter().find(|(_, number)| *number == Some(0)) {
            return Err(format!("limits.{name} must be at least 1"));
        }
        let mib = |mib: u64| mib.saturating_mul(MIB);
        Ok(LimitChanges {
            wall: seconds.map(wall).transpose()?,
            cpu_seconds,
            memory: memory_mib.map(mib),
            output: output_kib.map(|kib| kib.saturating_mul(1024)),
            file: file_mib.map(mib),
            open_files,
            processes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assignment::CourseProgram;

    #[test]
    fn the_template_contains_the_defaults() {
        let config = Config::parse(
            &Config::template(&[CourseProgram::GameCheck.assignment()], Path::new("/")),
            Path::new(""),
        )
        .unwrap();
        assert_eq!(config.assignments, [CourseProgram::GameCheck.assignment()]);
        assert_eq!(config.settings.limits, LimitChanges::default());
        assert_eq!((config.feedback, config.visibility), (Feedback::Full, Visibility::Visible));
        for requirement in CourseProgram::GameCheck.assignment().requirements() {
            assert_eq!(config.settings.points(requirement), requirement.points);
        }
    }

    #[test]
    fn limits_and_points_of_the_file_are_used() {
        let text = "seed = 7\n[limits]\nseconds = 0.5\nmemory_mib = 3\n[points]\n\"game-check/draw\" = 9\n";
        let settings = Config::parse(text, Path::new("")).unwrap().settings;
        assert_eq!((settings.seed, settings.limits.memory), (7, Some(3 * MIB)));
        assert_eq!(settings.limits.wall, Some(Duration::from_millis(500)));
        let points = |id| settings.points(CourseProgram::GameCheck.assignment().requirement(id));
        assert_eq!((points("draw"), points("turn")), (Points::from(9), Points::from(6)));
    }

    #[test]
    fn a_mistake_in_the_file_is_named() {
        let error = |text: &str| Config::parse(text, Path::new("")).unwrap_err().to_string();
        assert!(error("feedbak = \"hint\"").contains("feedbak"), "{}", error("feedbak = \"hint\""));
        assert!(error("feedback = \"some\"").contains("verdict, hint, input-only, full"));
        assert!(error("[points]\n\"game-check/nothing\" = 1").contains("game-check/nothing"));
        assert!(error("[limits]\nseconds = -1.0").contains("limits.seconds"));
        assert!(error("[limits]\nmemory_mib = 0").contains("limits.memory_mib must be at least 1"));
        assert!(error("assignments = [\"chess\"]").contains("move-check"));
    }
}
