//! Checks that an assignment is complete, and that it tells right programs from wrong ones.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use crate::assignment::Assignment;
use crate::assignment::form::{OutputReader, Reference};
use crate::assignment::grammar::InputGenerator;
use crate::case::Case;
use crate::exam::{GradeProgress, grade};
use crate::expect::{ExpectedOutput, ReferenceRunner};
use crate::generate;
use crate::points::Points;
use crate::report::{Finding, Report, RequirementStatus};
use crate::requirement::{Requirement, RequirementKind};
use crate::run::Program;
use crate::settings::GradeSettings;
use crate::unit::build_unit;

/// The reference is run twice on this many cases.
const N_REPEATED: usize = 40;

/// What is known about an assignment after its programs have been graded.
#[derive(Clone, Debug)]
pub struct AssignmentCheck {
    /// The number of inputs.
    pub n_cases: usize,
    /// What must be added or changed; empty if the assignment can be used.
    pub problems: Vec<String>,
    /// Short ids of the requirements that no program in `wrong/` breaks.
    pub untested: Vec<&'static str>,
    /// The programs in `right/` and `wrong/`.
    pub programs: Vec<CheckedProgram>,
}

/// A program in `right/` or `wrong/`.
#[derive(Clone, Debug)]
pub struct CheckedProgram {
    /// The path in the folder of the assignment, such as `wrong/off-by-one.py`.
    pub name: String,
    /// Whether the program was judged as it should be.
    pub is_as_expected: bool,
    /// What was found, in words.
    pub result: String,
}

/// Checks an assignment: what is missing in its file, whether its reference works, and whether the programs in its folder are
/// judged as they should be. Nothing in the folder is changed.
///
/// # Errors
///
/// Returns why a program could not be graded; the kind is `Interrupted` if the stop flag was set.
pub fn check_assignment(
    assignment: Assignment,
    settings: &GradeSettings,
    on_program: &mut dyn FnMut(&str),
) -> io::Result<AssignmentCheck> {
    let mut check =
        AssignmentCheck { n_cases: 0, problems: Vec::new(), untested: Vec::new(), programs: Vec::new() };
    check.find_missing_words(assignment);
    check.find_files_elsewhere(assignment);
    check.find_long_inputs(assignment);
    let cases = match check.try_reference(assignment, settings) {
        Ok(cases) => cases,
        Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
        Err(error) => {
            check.problems.push(error.to_string());
            return Ok(check);
        }
    };
    check.n_cases = cases.len();
    check.find_untested(assignment, &cases);
    let mut broken = BTreeSet::new();
    for (subfolder, is_right) in [("right", true), ("wrong", false)] {
        let programs = assignment.programs_in(subfolder);
        if programs.is_empty() {
            let purpose = if is_right { "is cleared" } else { "is found" };
            check.problems.push(format!("{subfolder}/ has no program, so nothing shows that one {purpose}"));
        }
        for path in programs {
            let name = format!("{subfolder}/{}", file_name(&path));
            on_program(&name);
            let program = if assignment.asks_for_functions() {
                build_unit(assignment, &path, settings)
            } else {
                Program::find(&path, &[])
            };
            let report =
                program.and_then(|program| grade(assignment, &program, settings, &mut |_: GradeProgress| {}));
            let (is_as_expected, result) = match report {
                Ok(report) => {
                    broken.extend(report.blamed());
                    if is_right { right_result(&report) } else { wrong_result(assignment, &path, &report) }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
                Err(error) => (false, error.to_string()),
            };
            check.programs.push(CheckedProgram { name, is_as_expected, result });
        }
    }
    let form = assignment.form();
    let is_unbroken =
        |each: &&Requirement| !broken.contains(each.id) && !form.is_about_tests(each.short_id());
    let required = assignment.requirements().iter().filter(|each| each.kind == RequirementKind::Required);
    check.untested = required.filter(is_unbroken).map(Requirement::short_id).collect();
    Ok(check)
}

/// Returns every input of an assignment with the short id of the requirement that it tests.
///
/// # Errors
///
/// Returns why a generator could not be run.
pub fn assignment_inputs(
    assignment: Assignment,
    settings: &GradeSettings,
) -> io::Result<Vec<(&'static str, Vec<u8>)>> {
    let cases = generate::cases(assignment, settings)?;
    Ok(cases.into_iter().map(|case| (case.about.short_id(), case.input)).collect())
}

impl AssignmentCheck {
    /// Returns whether nothing is missing and every program was judged as it should be.
    pub fn is_complete(&self) -> bool {
        self.problems.is_empty() && self.programs.iter().all(|program| program.is_as_expected)
    }

    fn find_missing_words(&mut self, assignment: Assignment) {
        let mut add = |is_missing: bool, message: String| {
            if is_missing {
                self.problems.push(message);
            }
        };
        let is_open = |text: &str| text.trim().is_empty() || text.contains("TODO");
        add(is_open(assignment.title()), "`title` is still to be written".to_owned());
        for requirement in assignment.requirements() {
            let id = requirement.short_id();
            add(
                is_open(requirement.rule),
                format!("{id}: `rule` is still to be written: what is asked for?"),
            );
            add(
                is_open(requirement.source),
                format!("{id}: `source` is still to be written: where does the handout say it?"),
            );
        }
        let points: Points = assignment.requirements().iter().map(|each| each.points).sum();
        add(points == Points::ZERO, "no requirement is worth any points".to_owned());
        let programs: Vec<String> =
            assignment.programs_in("wrong").iter().map(|path| file_name(path)).collect();
        for name in assignment.form().wrong.keys() {
            add(!programs.contains(name), format!("[wrong] names {name}, but wrong/ has no such file"));
        }
    }

    /// Runs the reference on every case, and on some of them twice.
    fn try_reference(&mut self, assignment: Assignment, settings: &GradeSettings) -> io::Result<Vec<Case>> {
        let limits = settings.limits.or(assignment.form().limits);
        let settings = GradeSettings { limits, ..settings.clone() };
        let mut cases = generate::cases(assignment, &settings)?;
        cases.truncate(settings.max_cases);
        let reference = ReferenceRunner::new(assignment, &settings)?;
        reference.prepare(&cases.iter().collect::<Vec<_>>())?;
        cases.iter().take(N_REPEATED).try_for_each(|case| reference.confirm(case))?;
        let outputs = cases.iter().map(|case| reference.outputs("program", case));
        let outputs = outputs.collect::<io::Result<Vec<Vec<ExpectedOutput>>>>()?;
        let is_same = outputs.windows(2).all(|pair| pair[0][0].output.stdout == pair[1][0].output.stdout);
        if is_same && outputs.len() > 1 {
            self.problems.push(format!("the reference prints the same for all {} inputs", outputs.len()));
        }
        if let OutputReader::Phrases(book) = &assignment.form().reader {
            let never = book.never_said(outputs.iter().map(|each| each[0].output.stdout.as_slice()));
            let problem = |what| format!("the reference never shows {what}, so nothing is compared with it");
            self.problems.extend(never.into_iter().map(problem));
        }
        Ok(cases)
    }

    /// A reference outside the folder is missing where the assignment is copied to.
    fn find_files_elsewhere(&mut self, assignment: Assignment) {
        let form = assignment.form();
        let (Reference::Command(command), Some(folder)) = (&form.reference, &form.folder) else { return };
        for file in command.iter().map(Path::new).filter(|file| file.starts_with(folder)) {
            if file.canonicalize().is_ok_and(|real| !real.starts_with(folder)) {
                let name = file.strip_prefix(folder).unwrap_or(file).display();
                self.problems.push(format!("the reference {name} is not in the folder; put a copy there"));
            }
        }
    }

    /// Inputs that would be too long are left out.
    fn find_long_inputs(&mut self, assignment: Assignment) {
        for (requirement, inputs) in assignment.requirements().iter().zip(&assignment.form().inputs) {
            let mut rng = fastrand::Rng::with_seed(1);
            let mut generator = InputGenerator::new(&assignment.form().grammar, &mut rng);
            let n_long = |pattern| (0..20).filter(|_| generator.generate(pattern).is_none()).count();
            let n: usize = inputs.patterns.iter().map(n_long).sum();
            if n > 0 && inputs.games.is_none() {
                let id = requirement.short_id();
                let n_all = inputs.patterns.len() * 20;
                self.problems.push(format!(
                    "{id}: {n} of {n_all} generated inputs had more than 64 KiB and were left out; make them shorter"
                ));
            }
        }
    }

    fn find_untested(&mut self, assignment: Assignment, cases: &[Case]) {
        let form = assignment.form();
        for requirement in assignment.requirements() {
            let id = requirement.short_id();
            let is_covered =
                form.covers(id) || assignment.course().is_some() || !requirement.kind.has_cases();
            if !is_covered && !cases.iter().any(|case| case.about == requirement) {
                self.problems.push(format!(
                    "{id}: no input tests it; add `inputs`, `examples`, `games` or `generator`, or let it cover the \
                     status or the wording"
                ));
            }
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn right_result(report: &Report) -> (bool, String) {
    let counts = |finding: &&Finding| finding.requirement.kind != RequirementKind::Robustness;
    match report.broken().find(counts) {
        None => (true, "no fault".to_owned()),
        Some(finding) => (false, format!("is blamed for {}", described(finding))),
    }
}

fn wrong_result(assignment: Assignment, path: &Path, report: &Report) -> (bool, String) {
    let wanted = assignment.form().wrong.get(&file_name(path));
    let is_wanted = |finding: &&Finding| wanted.is_none_or(|id| finding.requirement.short_id() == id);
    match (report.broken().find(is_wanted), report.broken().next(), wanted) {
        (Some(finding), ..) => {
            (true, format!("breaks {}{}", described(finding), others_lost(report, finding)))
        }
        (None, Some(other), Some(id)) => (false, format!("breaks {} instead of {id}", described(other))),
        _ => (false, "no fault found".to_owned()),
    }
}

/// Returns for which other requirements a program loses points, because they are broken too or no case about them passed.
fn others_lost(report: &Report, finding: &Finding) -> String {
    let is_lost = |other: &&Finding| {
        let status = other.status();
        other.requirement != finding.requirement
            && other.requirement.kind == RequirementKind::Required
            && !matches!(status, RequirementStatus::Fulfilled | RequirementStatus::Untried)
    };
    let others: Vec<&Finding> = report.findings.iter().filter(is_lost).collect();
    if others.is_empty() {
        return String::new();
    }
    let points: Points = others.iter().map(|other| other.points).sum();
    let ids: Vec<&str> = others.iter().map(|other| other.requirement.short_id()).collect();
    format!(", and also loses {points} points for {}", ids.join(", "))
}

/// Returns the requirement and the smallest input that breaks it.
fn described(finding: &Finding) -> String {
    let id = finding.requirement.short_id();
    let Some(cause) = finding.causes.first() else { return id.to_owned() };
    let input = String::from_utf8_lossy(&cause.smallest.case.input).into_owned();
    let shown: String = input.chars().take(60).collect();
    let dots = if shown.len() < input.len() { "…" } else { "" };
    format!("{id} with the input {shown:?}{dots}")
}
