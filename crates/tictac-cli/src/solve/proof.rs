//! Certificates, constructed with the tables of the search that finds the value.

use std::sync::Arc;

use anyhow::Context;
use tictac::certificate::{Certificate, NoProof, ProofLimits};
use tictac::solve::{Answer, Oracle, Question, Solver, Value};
use tictac::{Position, State};

use super::findings::Findings;
use super::limits::SolveLimits;
use super::progress;

/// The most entries of a certificate, a file of hundreds of megabytes.
const MAX_ENTRIES: usize = 4_000_000;

/// Finds who wins and constructs a certificate from the tables of that search, so that little is solved twice.
pub(super) fn solve_and_prove(
    position: &Position,
    limits: &SolveLimits,
) -> (Findings, Option<Result<Certificate, NoProof>>) {
    let _progress = progress::start(&limits.meter);
    let state = State::One(*position);
    let stop = || limits.are_reached();
    let mut solver = Solver::new(position.rules(), limits.memory).with_meter(Arc::clone(&limits.meter));
    let (value, elapsed, certificate) = solver.with_tables(&stop, |ask| {
        let mut has_value = |value| ask(position, value, u64::MAX);
        let value = match has_value(Value::Win) {
            Some(true) => Some(Value::Win),
            Some(false) => {
                has_value(Value::Loss).map(|is_lost| if is_lost { Value::Loss } else { Value::Draw })
            }
            None => None,
        };
        let elapsed = limits.elapsed();
        let ask = |state: &State, value, max_nodes| ask(state.position()?, value, max_nodes);
        let proof_limits = ProofLimits { max_entries: MAX_ENTRIES, stop: &stop };
        (value, elapsed, value.map(|value| Certificate::prove_value(&state, value, ask, proof_limits)))
    });
    let answer = value.map_or(Answer::UNKNOWN, |value| Answer {
        worst: value,
        best: value,
        distance: None,
        proven: true,
    });
    let findings = Findings::of_answer(state, Question::Weak, answer);
    (Findings { method: solver.method(), nodes: solver.nodes(), elapsed, ..findings }, certificate)
}

/// Constructs a certificate of a state whose value has been found in another way.
pub(super) fn prove(
    state: &State,
    value: Option<Value>,
    limits: &SolveLimits,
) -> anyhow::Result<Certificate> {
    let stop = || limits.are_reached();
    let value = value.context("no certificate: the value is not known")?;
    Oracle::new(state.rules(), limits.memory)
        .with_tables(&stop, |ask| {
            let proof_limits = ProofLimits { max_entries: MAX_ENTRIES, stop: &stop };
            Certificate::prove_value(state, value, ask, proof_limits)
        })
        .context("no certificate")
}
