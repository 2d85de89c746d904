//! Certificates: proofs of a value that can be checked without the solver.

use pyo3::prelude::*;
use tictac_proof::CertificateReader;
use tictac_solver::{NoProof, ProofLimits, Question};

use crate::faults;
use crate::interrupt;
use crate::position::PositionArgument;
use crate::rules::RulesArgument;
use crate::solution::{timeout, with_oracle};

/// The largest number of entries of a certificate: about a gigabyte of text.
const MAX_ENTRIES: usize = 20_000_000;

/// Returns a proof of the value of a position, as a text that `verify` and `tictac verify` check.
///
/// Raises TimeoutError if it is not finished within `seconds`.
///
/// >>> import tictac
/// >>> text = tictac.certificate("X.O/.X./... O")
/// >>> tictac.verify(text)
/// '3,3,3 from X.O/.X./... O: draw (first player blocks: 0 positions; second player holds: 2 positions)'
#[pyfunction]
#[pyo3(signature = (position, rules = None, *, seconds = None))]
pub(crate) fn certificate(
    py: Python<'_>,
    position: PositionArgument<'_, '_>,
    rules: Option<RulesArgument>,
    seconds: Option<f64>,
) -> PyResult<String> {
    let state = position.resolve(py, rules)?;
    let proof = interrupt::run(py, seconds, |interrupt| {
        let stop = || interrupt.is_set();
        with_oracle(&state, |oracle| {
            let limits = ProofLimits { max_entries: MAX_ENTRIES, stop: &stop };
            tictac_solver::prove(&state, |state| oracle.solve(state, Question::Weak, &stop).value(), limits)
                .map(|certificate| certificate.to_string())
        })
    })?;
    proof.map_err(|error| match error {
        NoProof::Stopped | NoProof::Unknown(_) => timeout("certificate was not finished"),
        NoProof::TooLarge(n) => {
            faults::value_error(format!("position: no certificate: it would have more than {n} entries"))
        }
        other => faults::value_error(format!("position: no certificate: {other}")),
    })
}

/// Checks a certificate and returns its summary; raises ParseError with the place of the first flaw.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, text: &str) -> PyResult<String> {
    let lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    let certificate = interrupt::run(py, None, |interrupt| {
        let mut reader = CertificateReader::default();
        let mut lines = lines.take_while(|_| !interrupt.is_set());
        lines.try_for_each(|line| reader.push(line.as_bytes())).and_then(|()| reader.finish())
    })?;
    let certificate = certificate
        .map_err(|error| faults::invalid_text(py, error.to_string(), error.line, Some(error.column)))?;
    let verified = interrupt::run(py, None, |interrupt| certificate.verify_until(&|| interrupt.is_set()))?;
    verified.map_err(|flaw| faults::invalid_text(py, flaw.to_string(), flaw.line, None))?;
    Ok(certificate.summary())
}
