//! What comes after trying: failing cases are confirmed, shrunk and explained.

use std::io;

use super::{Exam, Progress, Suspicion};
use crate::assignment::Assignment;
use crate::case::Case;
use crate::checker;
use crate::expect::Expected;
use crate::report::{Cause, Constancy, Example, Finding, Report};
use crate::requirement::Requirement;
use crate::run::{Answer, Ending};
use crate::shrink::{self, Shrunk};
use crate::talk::{self, Comparison};

/// So often a fault is tried again before it is believed: of the programs that answer by the toss of a coin, one in 32 passes
/// for constant.
const CONFIRMATIONS: u32 = 5;
/// So often where each time costs the whole of the time limit.
const SLOW_CONFIRMATIONS: u32 = 2;
/// At most so many runs go into making one case smaller; fewer where each of them is a time-out.
const RUNS_A_CASE: usize = 4000;
const SLOW_RUNS_A_CASE: usize = 40;

impl Exam<'_> {
    pub(super) fn report(mut self, tell: &mut dyn FnMut(Progress)) -> io::Result<Report> {
        let mut findings = Vec::new();
        for requirement in self.assignment.requirements() {
            let own: Vec<(String, Suspicion)> = self
                .suspicions_of(requirement)
                .map(|(behaviour, suspicion)| (behaviour.clone(), suspicion.clone()))
                .collect();
            if !own.is_empty() {
                tell(Progress::Shrinking(requirement.id));
            }
            findings.push(Finding {
                requirement,
                points: self.settings.points(requirement),
                n_cases: self.n_tried_for(requirement),
                is_seen: self.evidence.has_seen(requirement),
                causes: self.causes(requirement, own)?,
            });
        }
        Ok(Report {
            assignment: self.assignment,
            command: self.command.clone(),
            seed: self.settings.seed,
            comparison: self.comparison,
            n_cases: self.n_tried.values().sum(),
            n_skipped: self.n_skipped,
            n_runs: self.crew.n_runs(),
            findings,
        })
    }

    fn suspicions_of(&self, requirement: &Requirement) -> impl Iterator<Item = (&String, &Suspicion)> {
        let place = self.place(requirement);
        let own = self.suspicions.iter().filter(move |((at, _), _)| *at == place);
        own.map(|((_, behaviour), suspicion)| (behaviour, suspicion))
    }

    /// Returns how many cases were about a requirement: its own, or all where it has none.
    fn n_tried_for(&self, requirement: &Requirement) -> usize {
        let is_left_out = requirement.id == "tictactoe/text" && self.comparison == Comparison::Lenient;
        let n_tried = if self.evidence.has_own_cases(requirement) {
            self.n_tried.get(requirement.id).copied().unwrap_or(0)
        } else if is_left_out {
            0
        } else {
            self.n_tried.values().sum()
        };
        let n_failed: usize = self.suspicions_of(requirement).map(|(_, suspicion)| suspicion.n_cases).sum();
        n_tried.max(n_failed)
    }

    fn causes(
        &mut self,
        requirement: &'static Requirement,
        own: Vec<(String, Suspicion)>,
    ) -> io::Result<Vec<Cause>> {
        // The cause with the smallest case is the one that is shown; only it needs the work of shrinking.
        let mut own = own;
        own.sort_by_key(|(_, suspicion)| (shrink::measure(&suspicion.case.input), suspicion.n_cases));
        let mut causes: Vec<Cause> = Vec::new();
        let mut shown = String::new();
        for (at, (behaviour, suspicion)) in own.into_iter().enumerate() {
            let (constancy, answer) = self.confirm(requirement, &suspicion.case)?;
            let is_constant = constancy == Constancy::Always;
            let (answer, shrunk) = match answer {
                Some(answer) => (answer, Shrunk::unchanged(&suspicion.case, &behaviour)),
                // It never failed again: what it said then is not known any more, what it says now is right.
                None => (self.crew.run_one(&suspicion.case)?, Shrunk::unchanged(&suspicion.case, &behaviour)),
            };
            let (answer, shrunk) = if at == 0 && is_constant {
                self.shrink(requirement, shrunk, answer)?
            } else {
                (answer, shrunk)
            };
            if at == 0 {
                shown.clone_from(&shrunk.behaviour);
            }
            causes.push(Cause {
                behaviour,
                n_cases: suspicion.n_cases,
                smallest: self.example(shrunk.case, answer),
                constancy,
                n_neighbours: shrunk.n_neighbours,
                n_bad_neighbours: shrunk.n_bad_neighbours,
            });
        }
        // On its way to its smallest form a case may have come to show another behaviour; then that one is told first.
        if let Some(at) = causes.iter().position(|cause| cause.behaviour == shown).filter(|&at| at > 0) {
            let (first, rest) = causes.split_at_mut(1);
            std::mem::swap(&mut first[0].behaviour, &mut rest[at - 1].behaviour);
            std::mem::swap(&mut first[0].n_cases, &mut rest[at - 1].n_cases);
        }
        Ok(causes)
    }

    /// Tries a failing case again and again.
    fn confirm(&mut self, requirement: &Requirement, case: &Case) -> io::Result<(Constancy, Option<Answer>)> {
        let known = self.known.without(requirement.id);
        let mut failing = None;
        let (mut failed, mut runs) = (1, 1);
        let mut wanted = CONFIRMATIONS;
        while runs <= wanted {
            let answer = self.crew.run_one(case)?;
            let answer = self.with_second_chance(case, answer)?;
            runs += 1;
            if answer.ending == Ending::TimedOut {
                wanted = SLOW_CONFIRMATIONS;
            }
            if self.judge(case, &answer, &known).is_some_and(|fault| fault.suspects.contains(&requirement)) {
                failed += 1;
                failing = Some(answer);
            }
        }
        let constancy =
            if failed == runs { Constancy::Always } else { Constancy::Sometimes { failed, runs } };
        Ok((constancy, failing))
    }

    /// Makes a failing case as small as it gets while its cause stays the same.
    fn shrink(
        &mut self,
        requirement: &'static Requirement,
        mut shrunk: Shrunk,
        mut answer: Answer,
    ) -> io::Result<(Answer, Shrunk)> {
        let is_slow = answer.ending == Ending::TimedOut;
        let mut budget = if is_slow { SLOW_RUNS_A_CASE } else { RUNS_A_CASE };
        loop {
            let all = shrink::neighbours(self.assignment, &shrunk.case);
            let is_pure = checker::is_nearly_right(self.assignment, &shrunk.case);
            let neighbours: Vec<Case> = all
                .into_iter()
                .filter(|case| self.is_settled(case))
                .filter(|case| !is_pure || checker::is_nearly_right(self.assignment, case))
                .take(budget)
                .collect();
            (shrunk.n_neighbours, shrunk.n_bad_neighbours) = (neighbours.len(), 0);
            let Some((case, found)) = self.first_alike(
                requirement,
                answer.ending.is_orderly(),
                &neighbours,
                &mut shrunk,
                &mut budget,
            )?
            else {
                return Ok((answer, shrunk));
            };
            shrunk.case = case;
            answer = found;
        }
    }

    /// Returns the first case that breaks the same requirement in the same manner, with a wrong answer or without any; counts those
    /// before it that fail otherwise.
    fn first_alike(
        &mut self,
        requirement: &'static Requirement,
        is_orderly: bool,
        cases: &[Case],
        shrunk: &mut Shrunk,
        budget: &mut usize,
    ) -> io::Result<Option<(Case, Answer)>> {
        let known = self.known.without(requirement.id);
        for chunk in cases.chunks(self.settings.n_threads.max(1) * 4) {
            *budget = budget.saturating_sub(chunk.len());
            let answers = self.crew.run(&chunk.iter().collect::<Vec<_>>())?;
            for (case, answer) in chunk.iter().zip(answers) {
                let Some(fault) = self.judge(case, &answer, &known) else { continue };
                let is_same_kind = answer.ending.is_orderly() == is_orderly;
                if fault.culprit(&self.known).id == requirement.id && is_same_kind {
                    shrunk.behaviour = fault.behaviour;
                    return Ok(Some((case.clone(), answer)));
                }
                shrunk.n_bad_neighbours += 1;
            }
        }
        Ok(None)
    }

    /// A game must come to its end within the input: what a program does when input ends early is another question.
    fn is_settled(&self, case: &Case) -> bool {
        if !self.assignment.is_interactive() {
            return true;
        }
        if case.about.short_id() == "end-of-input" || case.about.short_id() == "arguments" {
            return true;
        }
        if !self.keeps_its_subject(case) {
            return false;
        }
        let longer = case.with_input([&case.input[..], b"\nzz\n"].concat());
        self.expected(case) == self.expected(&longer)
    }

    /// A case about strange bytes, long lines or a draw must not be shrunk into one without any, and one that the document
    /// settles not into words or lines of which it says nothing.
    fn keeps_its_subject(&self, case: &Case) -> bool {
        let numbers_a_line = match self.assignment {
            Assignment::Tictactoe => 2,
            _ => 1,
        };
        let reads_numbers = self.assignment != Assignment::Lab3;
        if reads_numbers && !case.is_robustness() && !has_numbers(&case.input, numbers_a_line) {
            return false;
        }
        match case.about.short_id() {
            "bytes" => case.input.iter().any(|&byte| byte == 0 || byte >= 0x7f || byte == 0x1b),
            "long" => case.input.len() >= 100,
            "early-tie" => self.expected(case).iter().any(|each| talk::tells_a_draw(self.assignment, each)),
            _ => true,
        }
    }

    fn example(&self, case: Case, actual: Answer) -> Example {
        let mut all = self.expected(&case);
        let alike = |expected: &Expected| {
            expected.stdout.iter().zip(&actual.stdout).take_while(|(a, b)| a == b).count()
        };
        let best = (0..all.len()).rev().max_by_key(|&at| alike(&all[at])).unwrap_or(0);
        Example { expected: all.swap_remove(best), case, actual }
    }
}

/// Returns whether every line holds so many whole numbers, and nothing else.
fn has_numbers(input: &[u8], n: usize) -> bool {
    let is_number = |word: &str| word.parse::<i64>().is_ok();
    std::str::from_utf8(input).is_ok_and(|text| {
        text.lines()
            .all(|line| line.split_whitespace().count() == n && line.split_whitespace().all(is_number))
    })
}
