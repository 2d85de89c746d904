//! The implementations that tests of students are run on: right ones, and wrong ones with one bug each.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use fastrand::Rng;

use super::{SuiteForm, SurvivorHint};
use crate::assignment::Assignment;
use crate::assignment::form::Reference;
use crate::case::Case;
use crate::expect::ReferenceRunner;
use crate::generate;
use crate::judge::{Attempt, KnownFaults};
use crate::mutation::{SourceLanguage, mutants};
use crate::run::{LimitChanges, RunExit, RunnerPool};
use crate::settings::GradeSettings;
use crate::shrink;
use crate::unit::{UnitFile, UnitForm, build_source, in_parallel};

/// How many mutants are tried for each that is wanted: some do not compile, and some behave like the reference.
const TRIES_PER_MUTANT: usize = 4;
/// A mutant that takes longer on one input is left out: tests of students would have to wait for it.
const MUTANT_TIME: Duration = Duration::from_secs(1);

/// A file with the functions or the class.
#[derive(Clone, Debug)]
pub(super) struct Implementation {
    pub(super) source: String,
    /// What a student may know about its bug.
    pub(super) hint: String,
}

/// The implementations of an assignment.
#[derive(Debug)]
pub(super) struct SuiteBugs {
    pub(super) right: Vec<Implementation>,
    pub(super) wrong: Vec<Implementation>,
}

/// The implementations by the name and digest of the assignment: to find out which mutants differ takes a while.
static KNOWN: LazyLock<Mutex<HashMap<String, Arc<SuiteBugs>>>> = LazyLock::new(Mutex::default);

impl SuiteBugs {
    /// Returns the implementations of an assignment that has the tables `[unit]` and `[tests]`.
    pub(super) fn of(assignment: Assignment, settings: &GradeSettings) -> io::Result<Arc<SuiteBugs>> {
        let key = format!("{assignment:?} {}", settings.seed);
        // Submissions that are graded at the same time wait for the first of them.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bugs) = known.get(&key) {
            return Ok(Arc::clone(bugs));
        }
        let bugs = Arc::new(SuiteBugs::new(assignment, settings)?);
        known.insert(key, Arc::clone(&bugs));
        Ok(bugs)
    }

    fn new(assignment: Assignment, settings: &GradeSettings) -> io::Result<SuiteBugs> {
        let form = assignment.form();
        let (Some(suite), Some(unit)) = (&form.suite, &form.unit) else {
            return Err(io::Error::other("the assignment asks for no tests"));
        };
        let trial = Trial::new(assignment, unit, suite, settings)?;
        let mut right = Vec::new();
        if let Reference::Source(file) = &form.reference
            && trial.has_language(file)
        {
            right.push(file.clone());
        }
        right.extend(assignment.sources_in("right"));
        let Some(first) = right.first().cloned() else {
            return Err(io::Error::other(
                "tests need a right implementation in the language of the students",
            ));
        };
        let wrong = assignment.sources_in("wrong");
        let mut bugs: Vec<Implementation> =
            trial.differing(&wrong, settings.n_threads)?.into_iter().flatten().collect();
        let text = String::from_utf8_lossy(&first.bytes).into_owned();
        let mut changed: Vec<UnitFile> = mutants(&text, SourceLanguage::of(&first.name))
            .into_iter()
            .map(|mutant| UnitFile { name: first.name.clone(), bytes: mutant.source.into_bytes() })
            .collect();
        Rng::with_seed(settings.seed).shuffle(&mut changed);
        changed.truncate(suite.n_mutants * TRIES_PER_MUTANT);
        let mut n_missing = suite.n_mutants;
        for some in changed.chunks(suite.n_mutants.max(1)) {
            if n_missing == 0 {
                break;
            }
            let differing = trial.differing(some, settings.n_threads)?.into_iter().flatten();
            let before = bugs.len();
            bugs.extend(differing.take(n_missing));
            n_missing -= bugs.len() - before;
        }
        let right = right.into_iter().map(|file| Implementation {
            source: String::from_utf8_lossy(&file.bytes).into_owned(),
            hint: String::new(),
        });
        Ok(SuiteBugs { right: right.collect(), wrong: bugs })
    }
}

/// The generated inputs of an assignment, on which wrong implementations differ from the reference.
struct Trial<'a> {
    assignment: Assignment,
    unit: &'a UnitForm,
    suite: &'a SuiteForm,
    settings: GradeSettings,
    cases: Vec<Case>,
    reference: ReferenceRunner,
}

impl<'a> Trial<'a> {
    fn new(
        assignment: Assignment,
        unit: &'a UnitForm,
        suite: &'a SuiteForm,
        settings: &GradeSettings,
    ) -> io::Result<Trial<'a>> {
        let limits = LimitChanges { wall: Some(MUTANT_TIME), cpu_seconds: Some(1), ..settings.limits };
        let mut cases = generate::cases(assignment, settings)?;
        cases.truncate(settings.max_cases);
        let reference = ReferenceRunner::new(assignment, settings)?;
        reference.prepare(&cases.iter().collect::<Vec<_>>())?;
        let settings = GradeSettings { limits, n_threads: 1, ..settings.clone() };
        Ok(Trial { assignment, unit, suite, settings, cases, reference })
    }

    fn has_language(&self, file: &UnitFile) -> bool {
        crate::unit::CodeLanguage::of(std::path::Path::new(&file.name)) == Some(self.unit.language)
    }

    /// Returns those implementations that differ from the reference, each with its hint.
    fn differing(&self, files: &[UnitFile], n_threads: usize) -> io::Result<Vec<Option<Implementation>>> {
        in_parallel(n_threads, files, |file| self.difference(file)).into_iter().collect()
    }

    fn difference(&self, file: &UnitFile) -> io::Result<Option<Implementation>> {
        let Ok(program) = build_source(self.unit, file, &self.settings) else {
            self.settings.check_stop()?;
            return Ok(None);
        };
        let mut pool = RunnerPool::new(&program, &self.settings)?;
        let mut smallest: Option<&Case> = None;
        let (mut rest, mut round) = (&self.cases[..], 8);
        while !rest.is_empty() {
            let (now, later) = rest.split_at(round.min(rest.len()));
            let cases: Vec<&Case> = now.iter().collect();
            for (case, output) in cases.iter().zip(pool.run(&cases)?) {
                if output.exit == RunExit::TimedOut || output.stdout.ends_with(b" is missing\n") {
                    return Ok(None);
                }
                let expected = self.reference.outputs("program", case)?;
                let attempt =
                    Attempt { assignment: self.assignment, case, expected: &expected, output: &output };
                let comparison = self.assignment.form().comparison;
                let is_smaller =
                    |known: &Case| shrink::complexity(&case.input) < shrink::complexity(&known.input);
                let is_wrong =
                    !case.is_robustness() && attempt.judge(comparison, &KnownFaults::default()).is_some();
                if is_wrong && smallest.is_none_or(is_smaller) {
                    smallest = Some(case);
                }
            }
            rest = later;
            round = (round * 8).min(8192);
        }
        let source = String::from_utf8_lossy(&file.bytes).into_owned();
        Ok(smallest.map(|case| Implementation { source, hint: self.hint(file, case) }))
    }

    /// Returns what a student may know about a bug that a case shows.
    fn hint(&self, file: &UnitFile, case: &Case) -> String {
        let own = self.suite.hints.get(&file.name).map(String::as_str);
        let rule = own.unwrap_or(case.about.rule);
        match self.suite.hint {
            SurvivorHint::Nothing => String::new(),
            SurvivorHint::Rule => rule.to_owned(),
            SurvivorHint::Call => format!("{rule}: try {}", self.unit.code(&case.input).join(" ")),
        }
    }
}
