//! Whether a requirement was ever seen to work.
//!
//! A failing case is laid to one requirement, and the others that it is about have nothing to answer for. But who never answers
//! rightly has shown nothing of them either, and must not earn their points by silence.

use std::collections::{BTreeMap, BTreeSet};

use crate::case::{Case, Demand};
use crate::requirement::{Kind, Requirement};

/// What the cases have shown so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evidence {
    /// Requirements that have cases of their own; the others, such as that of the exit status, are tried by every case.
    owners: BTreeSet<&'static str>,
    /// By requirement, and by whether the input is to be accepted: whether one of the cases was answered rightly.
    seen: BTreeMap<(&'static str, bool), bool>,
}

impl Evidence {
    /// Returns none yet; `cases` are all that could be tried.
    pub(crate) fn none_yet(cases: &[Case]) -> Evidence {
        Evidence { owners: cases.iter().map(|case| case.about.id).collect(), seen: BTreeMap::new() }
    }

    /// Returns whether there are cases about just this requirement.
    pub(crate) fn has_own_cases(&self, requirement: &Requirement) -> bool {
        self.owners.contains(requirement.id)
    }

    /// Takes note of a case. Who refuses everything is right about all that must be refused: the two kinds count apart.
    pub(crate) fn add(&mut self, case: &Case, is_accepted: bool, is_right: bool) {
        if case.demand == Demand::Survival {
            // Nothing was asked for, so nothing was shown.
            return;
        }
        *self.seen.entry((case.about.id, is_accepted)).or_default() |= is_right;
    }

    /// Returns whether each kind of case about a requirement was answered rightly at least once.
    pub(crate) fn has_seen(&self, requirement: &Requirement) -> bool {
        if requirement.kind == Kind::Robustness {
            return true;
        }
        let is_own = |id: &str| id == requirement.id || !self.has_own_cases(requirement);
        let mut kinds: BTreeMap<bool, bool> = BTreeMap::new();
        for ((id, is_accepted), is_right) in &self.seen {
            if is_own(id) {
                *kinds.entry(*is_accepted).or_default() |= is_right;
            }
        }
        kinds.values().all(|is_right| *is_right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assignment::Assignment;

    fn case(short_id: &str) -> Case {
        Case::new(Assignment::GameCheck.requirement(short_id), "")
    }

    #[track_caller]
    fn check(answers: &[(&str, bool, bool)], short_id: &str, expected: bool) {
        let mut evidence = Evidence::none_yet(&[case("number"), case("comment")]);
        for &(about, is_accepted, is_right) in answers {
            evidence.add(&case(about), is_accepted, is_right);
        }
        assert_eq!(evidence.has_seen(Assignment::GameCheck.requirement(short_id)), expected, "{answers:?}");
    }

    #[test]
    fn only_a_right_answer_shows_that_a_requirement_works() {
        check(&[("number", true, false)], "number", false);
        check(&[("number", true, false), ("number", true, true)], "number", true);
        check(&[("number", true, false), ("comment", true, true)], "number", false);
    }

    #[test]
    fn refusing_everything_does_not_show_that_good_input_is_accepted() {
        check(&[("number", false, true), ("number", true, false)], "number", false);
        check(&[("number", false, true), ("number", true, true)], "number", true);
    }

    #[test]
    fn a_requirement_without_cases_of_its_own_is_shown_by_every_case() {
        check(&[("number", true, false), ("comment", true, false)], "status", false);
        check(&[("number", true, false), ("comment", true, true)], "status", true);
    }

    #[test]
    fn a_case_that_demands_only_survival_shows_nothing_and_robustness_needs_no_proof() {
        let mut evidence = Evidence::none_yet(&[case("number")]);
        evidence.add(&case("number"), true, false);
        evidence.add(&case("number").with_demand(Demand::Survival), true, true);
        assert!(!evidence.has_seen(Assignment::GameCheck.requirement("number")));
        assert!(evidence.has_seen(Assignment::GameCheck.requirement("bytes")));
    }
}
