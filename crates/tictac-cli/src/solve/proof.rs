//! Certificates, constructed with the tables of the search that finds the value.

use std::sync::Arc;

use anyhow::Context;
use tictac::certificate::{Certificate, NoProof, ProofLimits};
use tictac::solve::{Answer, Oracle, Question, SearchTables, Value};
use tictac::{Position, State};

use super::checkpoint::Checkpoint;
use super::findings::Findings;
use super::limits::SolveLimits;
use super::progress;
use super::record::SearchRecord;
use super::search::keep_until_exit;

/// The most entries of a certificate, a file of hundreds of megabytes.
const MAX_ENTRIES: usize = 4_000_000;

/// The certificate of a position whose value was found.
pub(super) type Proof = Option<Result<Certificate, NoProof>>;

/// Finds who wins and constructs a certificate from the tables of that search, so that little is solved twice.
pub(super) fn solve_and_prove(
    position: &Position,
    limits: &SolveLimits,
    mut checkpoint: Option<Checkpoint>,
) -> anyhow::Result<(Findings, Proof)> {
    let tables = SearchTables::new(position.rules(), limits.memory, 1, Question::Weak);
    let record = match &mut checkpoint {
        Some(checkpoint) => SearchRecord::new(checkpoint.load(&tables)?),
        None => SearchRecord::default(),
    };
    let progress = progress::start(&limits.meter, &State::One(*position), &record);
    let mut proof = None;
    let mut work = || prove_with(&tables, &record, position, limits, &mut proof);
    let found = match &checkpoint {
        Some(checkpoint) => checkpoint.keep(&tables, &record, limits, Some(&progress), work),
        None => work(),
    };
    drop(progress);
    keep_until_exit(tables);
    Ok((found, proof))
}

fn prove_with(
    tables: &SearchTables,
    record: &SearchRecord,
    position: &Position,
    limits: &SolveLimits,
    proof: &mut Proof,
) -> Findings {
    let state = State::One(*position);
    let stop = || limits.are_reached();
    let mut solver = tables.team().remove(0).with_meter(Arc::clone(&limits.meter));
    let elapsed = solver.with_tables(&stop, |ask| {
        if record.root().value().is_none() {
            record.add_root(value_of(position, ask));
        }
        let elapsed = limits.elapsed();
        let ask = |state: &State, value, max_nodes| ask(state.position()?, value, max_nodes);
        let proof_limits = ProofLimits { max_entries: MAX_ENTRIES, stop: &stop };
        let value = record.root().value();
        *proof = value.map(|value| Certificate::prove_value(&state, value, ask, proof_limits));
        elapsed
    });
    let findings = Findings::of_answer(state, Question::Weak, record.root());
    let found = Findings { method: solver.method(), nodes: solver.nodes(), elapsed, ..findings };
    keep_until_exit(solver);
    found
}

/// Returns what `ask` finds out about the value of a position.
fn value_of(position: &Position, ask: &mut dyn FnMut(&Position, Value, u64) -> Option<bool>) -> Answer {
    match ask(position, Value::Win, u64::MAX) {
        Some(true) => Answer::proving(Value::Win),
        Some(false) => match ask(position, Value::Loss, u64::MAX) {
            Some(true) => Answer::proving(Value::Loss),
            Some(false) => Answer::proving(Value::Draw),
            None => Answer { best: Value::Draw, ..Answer::UNKNOWN },
        },
        None => Answer::UNKNOWN,
    }
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
