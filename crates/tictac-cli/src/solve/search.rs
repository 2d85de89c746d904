//! Solving a position within limits, with a progress line, a checkpoint and a proof.

use std::mem;
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{anyhow, ensure};
use tictac::{State, Value};
use tictac_proof::Certificate;
use tictac_solver::{NoProof, NoQuotient, Question, Search, SearchLimits};

use super::checkpoint::Checkpoint;
use super::limits::{PROGRAM_BYTES, SolveLimits};
use super::progress;
use super::report::SolveReport;

/// One position to solve.
pub(super) struct SolveTask<'a> {
    pub(super) state: &'a State,
    pub(super) question: Question,
    pub(super) limits: &'a SolveLimits,
    pub(super) checkpoint: Option<Checkpoint>,
    /// Whether to construct a certificate with the tables of the search, if it finds the value.
    pub(super) proves: bool,
}

/// The certificate of a position whose value was found.
pub(super) type Proof = Option<Result<Certificate, NoProof>>;

/// Boards of up to this many squares are solved without a progress line.
const SMALL_SQUARES: usize = 12;

/// The memory of a quotient or of distances of several boards.
const BOARDS_BYTES: usize = 49_000_000;

/// Time limit for finding best play when all values are known.
const LINE_TIME: Duration = Duration::from_secs(2);

/// The most entries of a certificate, a file of gigabytes.
const MAX_ENTRIES: usize = 20_000_000;

impl SolveTask<'_> {
    /// Solves the position, or stops at a limit, and returns what was found.
    pub(super) fn run(mut self) -> anyhow::Result<(SolveReport, Proof)> {
        let (state, question, limits) = (self.state, self.question, self.limits);
        let search = Search::new(state, question, search_limits(state, limits)?);
        if let (Some(checkpoint), Some(tables)) = (&mut self.checkpoint, search.tables()) {
            search.record().set(checkpoint.load(tables)?);
        }
        let is_long = search.tables().is_some() && state.rules().grid().len() > SMALL_SQUARES;
        let progress = is_long.then(|| progress::start(&search, state));
        let stop = || limits.are_reached();
        let line_start = OnceLock::new();
        let stop_line = || limits.elapsed() >= *line_start.get_or_init(|| limits.elapsed()) + LINE_TIME;
        let work = || -> Result<_, NoQuotient> {
            let found = search.run(&stop, &stop_line)?;
            let value = found.answer.value().filter(|_| self.proves && search.tables().is_some());
            Ok((found, value.map(|value| search.prove(value, MAX_ENTRIES, &stop))))
        };
        let (found, proof) = match (&self.checkpoint, search.tables()) {
            (Some(checkpoint), Some(_)) => checkpoint.save_during(&search, limits, progress.as_deref(), work),
            _ => work(),
        }
        .map_err(|reason| anyhow!("several boards of {} cannot be solved: {reason}", state.rules()))?;
        let mut report = SolveReport::new(state.clone(), question, found);
        report.elapsed = limits.elapsed();
        if let (Some(checkpoint), Some(tables)) = (&self.checkpoint, search.tables()) {
            let totals = checkpoint.totals(report.found.nodes, report.elapsed);
            report.unsaved = checkpoint.save(tables, &search.record().known(), totals).err();
            report.all_runs = Some(totals);
        }
        keep_until_exit(search);
        Ok((report, proof))
    }
}

/// Constructs a certificate of a state whose value has been found by another search.
pub(super) fn prove(
    state: &State,
    value: Value,
    limits: &SolveLimits,
) -> anyhow::Result<Result<Certificate, NoProof>> {
    let search = Search::new(state, Question::Weak, search_limits(state, limits)?);
    let proof = search.prove(value, MAX_ENTRIES, &|| limits.are_reached());
    keep_until_exit(search);
    Ok(proof)
}

fn search_limits(state: &State, limits: &SolveLimits) -> anyhow::Result<SearchLimits> {
    let mut max_bytes = limits.memory;
    if matches!(state, State::Many(_)) {
        ensure!(
            max_bytes >= BOARDS_BYTES,
            "--memory must be at least {}MB for several boards",
            (BOARDS_BYTES + PROGRAM_BYTES) / 1_000_000
        );
        max_bytes -= BOARDS_BYTES;
    }
    Ok(SearchLimits { max_bytes, n_threads: limits.n_threads })
}

/// Leaves it to the end of the process to free memory: freeing a gigabyte takes a hundred milliseconds, and a stop ten.
fn keep_until_exit(search: Search) {
    mem::forget(search);
}
