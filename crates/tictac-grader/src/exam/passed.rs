//! Which requirements the program has been seen to fulfil.
//!
//! A failing case is blamed on one requirement only. The others that it tests are not blamed, but a program that never
//! gives a right answer must not earn their points either.

use std::collections::{BTreeMap, BTreeSet};

use crate::case::{Case, Criterion};
use crate::judge::Mismatch;
use crate::requirement::{Requirement, RequirementKind};

/// The cases that were tried, by requirement, and whether one of them passed.
#[derive(Clone, Debug, Default)]
pub(super) struct PassedCases {
    /// Ids of the requirements that have cases of their own. The others, such as the exit status, are tested by every
    /// case.
    with_own_cases: BTreeSet<&'static str>,
    results: BTreeMap<(&'static str, InputKind), CaseResult>,
    /// How many cases passed and failed, by what they test: the ids of all requirements that each of them could break.
    tested_together: BTreeMap<(InputKind, BTreeSet<&'static str>), CaseCounts>,
    /// The requirements that failed in a case which tests nothing else, and what was expected there.
    failed_alone: BTreeSet<(&'static str, Option<String>)>,
}

/// How many cases passed and failed.
#[derive(Clone, Copy, Debug, Default)]
struct CaseCounts {
    n_passed: usize,
    n_failed: usize,
}

/// Whether a case passed; of several results, the best one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CaseResult {
    Failed,
    Passed,
}

/// Whether a program must accept an input. A program that refuses everything is right about all invalid input, so the
/// two kinds are counted separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum InputKind {
    Valid,
    Invalid,
}

impl PassedCases {
    /// Returns an empty record for all cases that may be tried.
    pub(super) fn new(cases: &[Case]) -> PassedCases {
        let with_own_cases = cases.iter().map(|case| case.about.id).collect();
        PassedCases { with_own_cases, ..PassedCases::default() }
    }

    /// Returns whether there are cases about just this requirement.
    pub(super) fn has_own_cases(&self, requirement: &Requirement) -> bool {
        self.with_own_cases.contains(requirement.id)
    }

    /// Records the result of a case. A clean exit proves nothing about the output.
    pub(super) fn record(&mut self, case: &Case, input: InputKind, result: CaseResult) {
        if matches!(case.criterion, Criterion::Output | Criterion::BonusOutput) {
            let best = self.results.entry((case.about.id, input)).or_insert(result);
            *best = result.max(*best);
        }
    }

    /// Records that a case passed which could have broken any of these requirements.
    pub(super) fn record_tested(&mut self, input: InputKind, tested: &[&'static Requirement]) {
        self.tested_together.entry((input, ids(tested))).or_default().n_passed += 1;
    }

    /// Records a failure.
    pub(super) fn record_failure(&mut self, input: InputKind, Mismatch { suspects, behaviour }: &Mismatch) {
        self.tested_together.entry((input, ids(suspects))).or_default().n_failed += 1;
        if let [suspect] = suspects[..] {
            self.failed_alone.insert((suspect.id, behaviour.expected.clone()));
        }
    }

    /// Drops suspects of a failing case that a simpler case has cleared: one that tests them, tests less in all, and
    /// passed. If all suspects would be dropped, they all remain.
    ///
    /// A program that refuses the number 9 passes with other numbers, and yet the number is to blame, also for a case that
    /// tests white space. So a requirement that also fails alone, where the same output is expected, is not cleared if most
    /// of the cases that test the same requirements together passed.
    pub(super) fn narrow(&self, input: InputKind, Mismatch { suspects, behaviour }: &mut Mismatch) {
        let key = (input, ids(suspects));
        let CaseCounts { n_passed, n_failed } = self.tested_together.get(&key).copied().unwrap_or_default();
        let all = key.1;
        let fails_alone = |id: &&'static str| {
            n_passed > n_failed && self.failed_alone.contains(&(*id, behaviour.expected.clone()))
        };
        let passed = self.tested_together.iter().filter(|(_, counts)| counts.n_passed > 0);
        let simpler = passed.filter(|((kind, tested), _)| {
            *kind == input && tested.len() < all.len() && tested.is_subset(&all)
        });
        let tested = simpler.flat_map(|((_, tested), _)| tested).copied();
        let cleared: BTreeSet<&str> = tested.filter(|id| !fails_alone(id)).collect();
        if cleared.len() < all.len() {
            suspects.retain(|suspect| !cleared.contains(suspect.id));
        }
    }

    /// Returns whether a case of each input kind that was tried about a requirement has passed.
    pub(super) fn has_passed(&self, requirement: &Requirement) -> bool {
        if requirement.kind == RequirementKind::Robustness {
            return true;
        }
        let is_relevant = |id: &str| id == requirement.id || !self.has_own_cases(requirement);
        let relevant = || self.results.iter().filter(|((id, _), _)| is_relevant(id));
        relevant().all(|((_, kind), _)| {
            relevant().any(|((_, other), result)| other == kind && *result == CaseResult::Passed)
        })
    }
}

fn ids(requirements: &[&'static Requirement]) -> BTreeSet<&'static str> {
    requirements.iter().map(|requirement| requirement.id).collect()
}

#[cfg(test)]
mod tests {
    use super::CaseResult::{Failed, Passed};
    use super::InputKind::{Invalid, Valid};
    use super::*;
    use crate::assignment::CourseProgram;
    use crate::judge::Behaviour;

    fn case(short_id: &str) -> Case {
        Case::new(CourseProgram::GameCheck.assignment().requirement(short_id), "")
    }

    #[track_caller]
    fn check(results: &[(&str, InputKind, CaseResult)], short_id: &str, expected: bool) {
        let mut cases = PassedCases::new(&[case("number"), case("comment")]);
        for &(about, input, result) in results {
            cases.record(&case(about), input, result);
        }
        assert_eq!(
            cases.has_passed(CourseProgram::GameCheck.assignment().requirement(short_id)),
            expected,
            "{results:?}"
        );
    }

    #[test]
    fn only_a_right_answer_shows_that_a_requirement_works() {
        check(&[("number", Valid, Failed)], "number", false);
        check(&[("number", Valid, Failed), ("number", Valid, Passed)], "number", true);
        check(&[("number", Valid, Passed), ("number", Valid, Failed)], "number", true);
        check(&[("number", Valid, Failed), ("comment", Valid, Passed)], "number", false);
    }

    #[test]
    fn refusing_everything_does_not_show_that_valid_input_is_accepted() {
        check(&[("number", Invalid, Passed), ("number", Valid, Failed)], "number", false);
        check(&[("number", Invalid, Passed), ("number", Valid, Passed)], "number", true);
        check(&[("number", Invalid, Failed), ("number", Valid, Passed)], "number", false);
    }

    #[test]
    fn a_requirement_without_cases_of_its_own_is_tested_by_every_case() {
        check(&[("number", Valid, Failed), ("comment", Valid, Failed)], "status", false);
        check(&[("number", Valid, Failed), ("comment", Valid, Passed)], "status", true);
    }

    #[test]
    fn a_clean_exit_shows_nothing_and_robustness_needs_no_proof() {
        let mut cases = PassedCases::new(&[case("number")]);
        cases.record(&case("number"), Valid, Failed);
        cases.record(&case("number").with_criterion(Criterion::CleanExit), Valid, Passed);
        assert!(!cases.has_passed(CourseProgram::GameCheck.assignment().requirement("number")));
        assert!(cases.has_passed(CourseProgram::GameCheck.assignment().requirement("bytes")));
    }

    #[test]
    fn a_suspect_is_cleared_by_a_simpler_case_that_passed() {
        let requirements = |short_ids: &[&str]| -> Vec<&'static Requirement> {
            short_ids
                .iter()
                .map(|short_id| CourseProgram::GameCheck.assignment().requirement(short_id))
                .collect()
        };
        let failure = |short_ids: &[&str], expected: &str| Mismatch {
            suspects: requirements(short_ids),
            behaviour: Behaviour::new("nothing").instead_of(expected),
        };
        let mut cases = PassedCases::default();
        cases.record_tested(Valid, &requirements(&["trailing", "turn"]));
        cases.record_tested(Valid, &requirements(&["turn"]));
        let narrowed = |cases: &PassedCases, input, short_ids: &[&str]| -> Vec<&str> {
            let mut mismatch = failure(short_ids, "a win");
            cases.narrow(input, &mut mismatch);
            mismatch.suspects.iter().map(|suspect| suspect.short_id()).collect()
        };
        assert_eq!(narrowed(&cases, Valid, &["trailing", "separators", "turn"]), ["separators"]);
        assert_eq!(narrowed(&cases, Valid, &["trailing", "turn"]), ["trailing"]);
        assert_eq!(narrowed(&cases, Valid, &["turn"]), ["turn"]);
        assert_eq!(narrowed(&cases, Invalid, &["trailing", "turn"]), ["trailing", "turn"]);
        cases.record_failure(Valid, &failure(&["turn"], "a win"));
        assert_eq!(narrowed(&cases, Valid, &["trailing", "separators", "turn"]), ["separators"]);
        cases.record_tested(Valid, &requirements(&["trailing", "separators", "turn"]));
        for (expected, left) in [("a win", &["separators", "turn"][..]), ("a draw", &["separators"])] {
            let mut mismatch = failure(&["trailing", "separators", "turn"], expected);
            cases.narrow(Valid, &mut mismatch);
            assert_eq!(mismatch.suspects, requirements(left), "{expected} was expected");
        }
    }
}
