//! Certificates, constructed with the tables of the search that finds the value.

use std::thread;

use anyhow::Context;
use indicatif::ProgressBar;
use tictac::{State, Value};
use tictac_proof::{BlockingAnswers, BlockingPosition, Certificate};
use tictac_solver::{NoProof, Oracle, ProofLimits, ProofSource, SearchTables, Solver};

use super::limits::SolveLimits;
use super::search::keep_until_exit;

/// The most entries of a certificate, a file of gigabytes.
const MAX_ENTRIES: usize = 20_000_000;

/// The certificate of a position whose value was found.
pub(super) type Proof = Option<Result<Certificate, NoProof>>;

/// Constructs a certificate from the tables of the search that has found the value, so that little is solved twice.
pub(super) fn prove_with(
    tables: &SearchTables,
    state: &State,
    value: Value,
    limits: &SolveLimits,
    progress: Option<&ProgressBar>,
) -> Result<Certificate, NoProof> {
    let stop = || limits.are_reached();
    let mut team = tables.team();
    let mut first = team.remove(0);
    let proof = first.with_tables(&stop, |source| {
        let mut team = TeamSource { source, others: team, limits, progress, n_positions: 0 };
        tictac_solver::prove_value(
            state,
            value,
            &mut team,
            ProofLimits { max_entries: MAX_ENTRIES, stop: &stop },
        )
    });
    keep_until_exit(first);
    proof
}

/// Solvers that share their tables; many positions are answered by all of them, and a single question by the first.
struct TeamSource<'a> {
    source: &'a mut dyn ProofSource,
    others: Vec<Solver>,
    limits: &'a SolveLimits,
    progress: Option<&'a ProgressBar>,
    /// The number of positions of blocking strategies so far.
    n_positions: usize,
}

impl ProofSource for TeamSource<'_> {
    fn has_value(&mut self, state: &State, value: Value, max_nodes: u64) -> Option<bool> {
        self.source.has_value(state, value, max_nodes)
    }

    fn blocking_answers(
        &mut self,
        positions: &[BlockingPosition],
        max_nodes: u64,
    ) -> Option<Vec<BlockingAnswers>> {
        self.n_positions += positions.len();
        if let Some(progress) = self.progress {
            progress.set_prefix(format!("{} positions of the proof", self.n_positions));
        }
        let stop = || self.limits.are_reached();
        let length = positions.len().div_ceil(self.others.len() + 1).max(1);
        let (mine, rest) = positions.split_at(length.min(positions.len()));
        thread::scope(|scope| {
            let mut others = Vec::new();
            for (solver, positions) in self.others.iter_mut().zip(rest.chunks(length)) {
                let answer =
                    move || solver.with_tables(&stop, |source| source.blocking_answers(positions, max_nodes));
                others.push(scope.spawn(answer));
            }
            let mut answers = self.source.blocking_answers(mine, max_nodes);
            for other in others {
                let more = other.join().ok().flatten();
                answers = answers.zip(more).map(|(answers, more)| [answers, more].concat());
            }
            answers
        })
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
        .with_tables(&stop, |source| {
            let proof_limits = ProofLimits { max_entries: MAX_ENTRIES, stop: &stop };
            tictac_solver::prove_value(state, value, source, proof_limits)
        })
        .context("no certificate")
}
