//! Archives of records: `check`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use tictac_archive::{
    CheckEvent, CheckOptions, Ending, GameReport, ReadMeter, ReportedGames, check, check_text_until, inputs,
    io_reason,
};

use crate::interrupt;
use crate::rules::RulesArgument;

/// The columns of the games of an archive.
#[derive(Default)]
struct GameColumns {
    endings: Vec<u8>,
    moves: Vec<u32>,
    lines: Vec<u64>,
    faults: Vec<FaultRow>,
    unreadable: Vec<String>,
}

/// A fault: file, game, line, column, code, message, help.
type FaultRow = (String, u64, u64, u64, &'static str, String, Option<String>);

/// The arrays of the endings, the numbers of moves and the first lines of all games, then faults and totals.
type CheckedArchive<'py> = (
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u64>>,
    Vec<FaultRow>,
    Bound<'py, PyDict>,
);

impl GameColumns {
    fn push(&mut self, name: &str, report: GameReport) {
        let place = Ending::ALL.iter().position(|&ending| ending == report.ending);
        self.endings.push(place.unwrap_or_default() as u8);
        self.moves.push(u32::try_from(report.moves).unwrap_or(u32::MAX));
        self.lines.push(report.line);
        for placed in report.faults {
            let fault = placed.fault;
            self.faults.push((
                name.to_owned(),
                report.game,
                placed.line,
                placed.column,
                fault.code.name(),
                fault.message,
                fault.help,
            ));
        }
    }
}

/// Checks the games of a text (bytes) or of a file or folder (a path).
#[pyfunction]
#[pyo3(signature = (source, rules, threads))]
pub(crate) fn check_archive<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    rules: RulesArgument,
    threads: usize,
) -> PyResult<CheckedArchive<'py>> {
    let n_threads = threads.clamp(1, 64);
    let options =
        CheckOptions { rules: rules.0, n_threads, reported: ReportedGames::All, ..CheckOptions::default() };
    let (columns, totals) = if let Ok(bytes) = source.cast::<PyBytes>() {
        let text = bytes.as_bytes();
        let checked =
            interrupt::run(py, None, |interrupt| check_text_until(text, &options, &|| interrupt.is_set()))?;
        let (reports, totals) = checked.unwrap_or_default();
        let mut columns = GameColumns::default();
        for report in reports {
            columns.push("<bytes>", report);
        }
        (columns, totals)
    } else {
        let path: PathBuf = source.extract()?;
        interrupt::run_aside(py, |stop| check_path(path, &options, stop))?
            .map_err(|error| pyo3::exceptions::PyOSError::new_err(io_reason(&error)))?
    };
    if let Some(reason) = columns.unreadable.first() {
        return Err(pyo3::exceptions::PyOSError::new_err(reason.clone()));
    }
    let counts = PyDict::new(py);
    counts.set_item("games", totals.games())?;
    for ending in Ending::ALL {
        counts.set_item(ending.name(), totals.of(ending))?;
    }
    counts.set_item("moves", totals.moves)?;
    Ok((
        columns.endings.into_pyarray(py),
        columns.moves.into_pyarray(py),
        columns.lines.into_pyarray(py),
        columns.faults,
        counts,
    ))
}

fn check_path(
    path: PathBuf,
    options: &CheckOptions,
    stop: &AtomicBool,
) -> std::io::Result<(GameColumns, tictac_archive::Totals)> {
    let mut columns = GameColumns::default();
    let summary = check(inputs(&[path], |_, _| ()), options, &ReadMeter::default(), |event| {
        if stop.load(Ordering::Relaxed) {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        match event {
            CheckEvent::Game(name, report) => columns.push(name, report),
            CheckEvent::Unreadable(name, error) => {
                columns.unreadable.push(format!("{name}: {}", io_reason(&error)));
            }
        }
        Ok(())
    })?;
    Ok((columns, summary.totals))
}
