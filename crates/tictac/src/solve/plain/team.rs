//! Several provers that take turns on one thread.

use std::cell::Cell;

use super::breaker::Breaker;
use super::duel::{Depth, Duel};
use super::field::Field;
use super::proof_number::ProofNumber;
use super::question::{Contest, Prover, Stop, Verdict};

/// Provers that take turns with growing budgets, until one of them has the answer.
///
/// Each keeps what it has found out between its turns, so little is done twice. One team is
/// enough; two, one of each kind, can race on two threads, and the first answer is the answer.
pub(crate) struct Team<'a> {
    members: Vec<Member<'a>>,
}

struct Member<'a> {
    prover: Box<dyn Prover + Send + 'a>,
    /// How many polls of the caller's wish it may use in the first round.
    share: u64,
    /// By how much its share grows from round to round.
    growth: u64,
    is_stuck: bool,
}

/// Few long turns are better than many short ones: a stopped search has to find its way back.
const GROWTH: u64 = 8;

/// For a prover that has its answer soon or not at all.
const SLOW_GROWTH: u64 = 4;

/// Which provers a [`Team`] consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Specialty {
    /// Provers that are good where the defender holds.
    Draws,
    /// Provers that are good where the attacker wins.
    Wins,
    /// All of them.
    Both,
}

impl<'a> Team<'a> {
    /// Makes a team for a grid, with tables of at most `bytes` bytes in all.
    pub(crate) fn new(field: &'a Field, bytes: usize, specialty: Specialty) -> Self {
        let mut members = Vec::new();
        // Who is not in the team needs no memory.
        let bytes = if specialty == Specialty::Both { bytes } else { 2 * bytes };
        if specialty != Specialty::Wins {
            add(&mut members, Box::new(Breaker::new(field, bytes / 4)), 8, GROWTH);
            add(&mut members, Box::new(Duel::new(field, bytes / 4, Depth::Unlimited)), 2, GROWTH);
        }
        if specialty != Specialty::Draws {
            add(&mut members, Box::new(Duel::new(field, bytes / 8, Depth::Deepening)), 8, SLOW_GROWTH);
            add(&mut members, Box::new(ProofNumber::new(field, bytes * 3 / 8)), 16, GROWTH);
        }
        Self { members }
    }

    /// Asks every member in turn, with budgets that grow from round to round.
    fn take_turns(&mut self, contest: Contest, stop: Stop<'_>) -> Verdict {
        for member in &mut self.members {
            member.is_stuck = false;
        }
        for round in 0.. {
            for member in self.members.iter_mut().filter(|member| !member.is_stuck) {
                let polls_left = Cell::new(member.share.saturating_mul(member.growth.saturating_pow(round)));
                let turn_is_over = || {
                    polls_left.set(polls_left.get().saturating_sub(1));
                    polls_left.get() == 0 || stop()
                };
                let verdict = member.prover.prove(contest, &turn_is_over);
                if verdict != Verdict::Unknown {
                    return verdict;
                }
                member.is_stuck = !member.prover.can_go_on();
            }
            if stop() || !self.can_go_on() {
                break;
            }
        }
        Verdict::Unknown
    }
}

fn add<'a>(members: &mut Vec<Member<'a>>, prover: Box<dyn Prover + Send + 'a>, share: u64, growth: u64) {
    members.push(Member { prover, share, growth, is_stuck: false });
}

impl Prover for Team<'_> {
    fn prove(&mut self, contest: Contest, stop: Stop<'_>) -> Verdict {
        self.take_turns(contest, stop)
    }

    fn can_go_on(&self) -> bool {
        self.members.iter().any(|member| !member.is_stuck)
    }

    fn nodes(&self) -> u64 {
        self.members.iter().map(|member| member.prover.nodes()).sum()
    }
}
