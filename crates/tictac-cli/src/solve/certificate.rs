//! `tictac solve --certificate FILE`: writes a proof that `tictac verify` checks.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use tictac::State;
use tictac::certificate::{Certificate, ProofLimits};
use tictac::solve::{Oracle, Question};

use super::limits::SolveLimits;
use crate::diagnostic::escape;

/// The maximum number of entries of a certificate, whose file then has hundreds of megabytes.
const MAX_ENTRIES: usize = 4_000_000;

/// Proves the value of `state` and writes the certificate; without a proof no file is written.
pub(super) fn write(state: &State, limits: &SolveLimits, path: &Path) -> anyhow::Result<()> {
    let stop = || limits.are_reached();
    let mut oracle = Oracle::new(state.rules(), limits.memory);
    let value_of = |state: &State| oracle.solve(state, Question::Weak, &stop).value();
    let proof_limits = ProofLimits { max_entries: MAX_ENTRIES, stop: &stop };
    let certificate = Certificate::prove(state, value_of, proof_limits).context("no certificate")?;
    let name = escape(path.as_os_str().as_encoded_bytes());
    let mut file = BufWriter::new(File::create(path).with_context(|| format!("cannot write {name}"))?);
    write!(file, "{certificate}").and_then(|()| file.flush()).with_context(|| format!("cannot write {name}"))
}
