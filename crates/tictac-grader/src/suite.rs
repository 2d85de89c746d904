//! Tests that students write: whether they pass on right implementations, and how many wrong ones they catch.

mod bugs;
mod build;

use std::collections::BTreeMap;
use std::io;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::assignment::form::{FormMistake, FormResult};
use crate::assignment::{Assignment, AssignmentForm};
use crate::case::Case;
use crate::judge::Behaviour;
use crate::report::{Cause, Consistency, Example, Finding, Report};
use crate::run::{Program, RunExit, RunOutput};
use crate::settings::GradeSettings;
use crate::unit::{CodeLanguage, UnitForm};

use bugs::SuiteBugs;
use build::{SuiteBuilder, TestResult};

/// The number of mutants if the file of the assignment does not say it, and the highest that it may say.
const USUAL_MUTANTS: usize = 20;
const MAX_MUTANTS: usize = 200;

/// The library in which students write tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TestFramework {
    Googletest,
    Catch2,
    Pytest,
    Unittest,
}

impl TestFramework {
    fn language(self) -> CodeLanguage {
        match self {
            TestFramework::Googletest | TestFramework::Catch2 => CodeLanguage::Cpp,
            TestFramework::Pytest | TestFramework::Unittest => CodeLanguage::Python,
        }
    }
}

/// What students are shown about a bug that their tests do not catch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SurvivorHint {
    /// Only that there is one.
    Nothing,
    /// The rule that it breaks, or the words of the teacher.
    #[default]
    Rule,
    /// Also a call that tells it from a right implementation, without its result.
    Call,
}

/// What `[tests]` says.
#[derive(Debug)]
pub(crate) struct SuiteForm {
    pub(crate) framework: TestFramework,
    /// The names of the student's files. The first exists; the others are used if they do.
    pub(crate) files: Vec<String>,
    n_mutants: usize,
    hint: SurvivorHint,
    /// Hints of the teacher, by the names of files in `wrong/`.
    hints: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SuiteFields {
    framework: Spanned<TestFramework>,
    files: Spanned<Vec<String>>,
    mutants: Option<Spanned<usize>>,
    #[serde(default)]
    survivors: SurvivorHint,
    #[serde(default)]
    hints: BTreeMap<String, String>,
}

/// What a requirement asks of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SuiteGoal {
    /// Every test passes on every right implementation.
    Valid,
    /// The valid tests together catch at least this percentage of the bugs.
    Catches(u32),
}

/// What a requirement asks of every test.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TestsQuality {
    Valid,
}

impl SuiteGoal {
    /// Returns what a requirement asks, by its fields `tests` and `catches`.
    #[expect(clippy::ref_option, reason = "the fields are passed as the table has them")]
    pub(crate) fn of(
        tests: &Option<Spanned<TestsQuality>>,
        catches: &Option<Spanned<u32>>,
        suite: Option<&SuiteForm>,
    ) -> FormResult<Option<SuiteGoal>> {
        let (span, goal) = match (tests, catches) {
            (None, None) => return Ok(None),
            (Some(_), Some(catches)) => {
                return Err(FormMistake::new(catches.span(), "expected either `tests` or `catches`"));
            }
            (Some(tests), None) => (tests.span(), SuiteGoal::Valid),
            (None, Some(catches)) => (catches.span(), SuiteGoal::Catches(*catches.get_ref())),
        };
        match goal {
            _ if suite.is_none() => Err(FormMistake::new(span, "this needs the table [tests]")),
            SuiteGoal::Catches(percent) if percent > 100 => {
                Err(FormMistake::new(span, "expected a percentage of the wrong implementations, 0 to 100"))
            }
            _ => Ok(Some(goal)),
        }
    }
}

impl AssignmentForm {
    /// Returns whether a requirement asks something of the tests that students write.
    pub(crate) fn is_about_tests(&self, short_id: &str) -> bool {
        let mut goals = self.requirements.iter().zip(&self.goals);
        goals.any(|(requirement, goal)| requirement.short_id() == short_id && goal.is_some())
    }

    /// Returns whether a requirement asks something of the program, and not only of tests.
    pub(crate) fn has_cases(&self) -> bool {
        let mut goals = self.requirements.iter().zip(&self.goals);
        goals.any(|(requirement, goal)| goal.is_none() && requirement.kind.has_cases())
    }
}

impl SuiteFields {
    pub(crate) fn check(&self, unit: Option<&UnitForm>) -> FormResult<SuiteForm> {
        let framework = *self.framework.get_ref();
        let fits = unit.is_some_and(|unit| unit.language == framework.language());
        if !fits {
            let message = "the table [unit] must declare functions in the language of the tests";
            return Err(FormMistake::new(self.framework.span(), message));
        }
        let files = self.files.get_ref();
        let is_name = |name: &String| !name.is_empty() && !name.contains('/') && !name.starts_with('.');
        if files.is_empty() || !files.iter().all(is_name) {
            let message = "expected names of files, such as [\"notakto_test.cpp\"]";
            return Err(FormMistake::new(self.files.span(), message));
        }
        if let Some(mutants) = self.mutants.as_ref().filter(|mutants| *mutants.get_ref() > MAX_MUTANTS) {
            return Err(FormMistake::new(mutants.span(), format!("at most {MAX_MUTANTS} mutants are made")));
        }
        Ok(SuiteForm {
            framework,
            files: files.clone(),
            n_mutants: self.mutants.as_ref().map_or(USUAL_MUTANTS, |mutants| *mutants.get_ref()),
            hint: self.survivors,
            hints: self.hints.clone(),
        })
    }
}

/// What the tests of a student are worth.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteReport {
    /// Why no test could be run, such as the messages of the compiler.
    pub problem: Option<String>,
    /// The tests, in their own order.
    pub tests: Vec<StudentTest>,
    /// For each wrong implementation, what a student may know about it if no test catches it.
    pub bugs: Vec<String>,
    /// The number of right implementations.
    pub n_right: usize,
}

/// One test of a student.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudentTest {
    /// The name that the student gave it.
    pub name: String,
    /// Why it fails on a right implementation; `None` if it does not.
    pub problem: Option<String>,
    /// The places of the bugs that it catches. A test that fails on a right implementation catches none.
    pub caught: Vec<usize>,
}

impl SuiteReport {
    /// Returns the places of the bugs that no test catches.
    pub fn survivors(&self) -> Vec<usize> {
        let is_caught = |at: &usize| self.tests.iter().any(|test| test.caught.contains(at));
        (0..self.bugs.len()).filter(|at| !is_caught(at)).collect()
    }

    fn invalid(&self) -> impl Iterator<Item = &StudentTest> {
        self.tests.iter().filter(|test| test.problem.is_some())
    }

    /// Returns the lines of a report: tests that fail on right implementations, the table of tests and bugs, and hints.
    pub(crate) fn lines(&self) -> Vec<String> {
        if let Some(problem) = &self.problem {
            return problem.lines().map(str::to_owned).collect();
        }
        let mut lines = Vec::new();
        for test in self.invalid() {
            let problem = test.problem.as_deref().unwrap_or_default();
            lines.push(format!("{} fails on a right implementation: {problem}", test.name));
        }
        let width = self.tests.iter().map(|test| test.name.chars().count()).max().unwrap_or(0).min(40);
        let row = |name: &str, is_caught: &dyn Fn(usize) -> bool| {
            let cells: String = (0..self.bugs.len())
                .map(|at| match (is_caught(at), at % 5) {
                    (true, 4) => "x ",
                    (true, _) => "x",
                    (false, 4) => ". ",
                    (false, _) => ".",
                })
                .collect();
            format!("  {:width$}  {}", name.chars().take(width).collect::<String>(), cells.trim_end())
        };
        if !self.bugs.is_empty() && !self.tests.is_empty() {
            lines.push("Each column is a wrong implementation; x: the test catches it.".to_owned());
            lines.extend(self.tests.iter().map(|test| row(&test.name, &|at| test.caught.contains(&at))));
        }
        let survivors = self.survivors();
        if !survivors.is_empty() {
            lines.push(format!(
                "{} of {} wrong implementations are not caught:",
                survivors.len(),
                self.bugs.len()
            ));
        }
        let mut hints: Vec<(&str, Vec<String>)> = Vec::new();
        for at in survivors {
            let number = (at + 1).to_string();
            match hints.iter_mut().find(|(hint, _)| *hint == self.bugs[at]) {
                Some((_, numbers)) => numbers.push(number),
                None => hints.push((&self.bugs[at], vec![number])),
            }
        }
        let shown = hints.iter().filter(|(hint, _)| !hint.is_empty());
        lines.extend(shown.map(|(hint, numbers)| format!("  {}: {hint}", numbers.join(", "))));
        lines
    }
}

/// Runs the tests of a submission, and adds what they are worth to its report.
pub(crate) fn grade_tests(
    assignment: Assignment,
    program: &Program,
    settings: &GradeSettings,
    report: &mut Report,
) -> io::Result<()> {
    let form = assignment.form();
    let (Some(suite), Some(unit)) = (&form.suite, &form.unit) else { return Ok(()) };
    let found = match &program.tests {
        None => None,
        Some(files) if files.is_empty() => {
            let problem = format!("there is no file {} with tests", suite.files[0]);
            Some(SuiteReport { problem: Some(problem), ..SuiteReport::default() })
        }
        Some(files) => {
            let limits = settings.limits.or(form.limits);
            let settings = &GradeSettings { limits, ..settings.clone() };
            let bugs = SuiteBugs::of(assignment, settings)?;
            Some(SuiteBuilder::new(unit, suite, files, settings)?.run(&bugs)?)
        }
    };
    for (finding, goal) in report.findings.iter_mut().zip(&form.goals) {
        if let Some(goal) = goal {
            judge_goal(*goal, found.as_ref(), finding);
        }
    }
    report.tests = found;
    Ok(())
}

fn judge_goal(goal: SuiteGoal, found: Option<&SuiteReport>, finding: &mut Finding) {
    finding.causes.clear();
    let Some(found) = found else {
        finding.n_cases = 0;
        return;
    };
    let n_invalid = found.invalid().count();
    let n_caught = found.bugs.len() - found.survivors().len();
    let fault = match goal {
        _ if found.problem.is_some() => Some((1, "the tests cannot be run".to_owned())),
        _ if found.tests.is_empty() => Some((1, "there is no test".to_owned())),
        SuiteGoal::Valid if n_invalid > 0 => Some((
            n_invalid,
            format!("{n_invalid} of {} tests fail on a right implementation", found.tests.len()),
        )),
        SuiteGoal::Catches(percent) if n_caught * 100 < found.bugs.len() * percent as usize => {
            let n = found.bugs.len();
            Some((n - n_caught, format!("the tests catch {n_caught} of {n} wrong implementations")))
        }
        _ => None,
    };
    finding.n_cases = match goal {
        SuiteGoal::Valid => found.tests.len().max(1),
        SuiteGoal::Catches(_) => found.bugs.len().max(1),
    };
    finding.has_passed = true;
    finding.causes.extend(fault.map(|(n_cases, text)| cause(finding, n_cases, text)));
}

fn cause(finding: &Finding, n_cases: usize, text: String) -> Cause {
    let none = RunOutput { stdout: Vec::new(), stderr: Vec::new(), exit: RunExit::Status(0) };
    let case = Case::new(finding.requirement, "");
    Cause {
        behaviour: Behaviour::new(text),
        n_cases,
        smallest: Example { case, expected: none.clone(), actual: none },
        consistency: Consistency::Always,
        n_neighbours: 0,
        n_bad_neighbours: 0,
    }
}

/// Combines the results of the tests on all implementations.
fn combined(right: &[Vec<TestResult>], wrong: &[Vec<TestResult>], hints: Vec<String>) -> SuiteReport {
    let names = right.first().into_iter().flatten().map(|result| &result.name);
    let of = |results: &[TestResult], name: &str| {
        results.iter().find(|result| result.name == name).map(|result| result.problem.clone())
    };
    let test = |name: &String| {
        let on_right = |results: &Vec<TestResult>| match of(results, name) {
            Some(problem) => problem,
            None => Some("it does not always run".to_owned()),
        };
        let problem = right.iter().find_map(on_right);
        let is_caught = |at: &usize| matches!(of(&wrong[*at], name), Some(Some(_)));
        let caught = (0..wrong.len()).filter(|at| problem.is_none() && is_caught(at)).collect();
        StudentTest { name: name.clone(), problem, caught }
    };
    SuiteReport { problem: None, tests: names.map(test).collect(), bugs: hints, n_right: right.len() }
}
