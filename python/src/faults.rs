//! The exceptions of the package.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tictac::IllegalMove;
use tictac::notation::{
    EntryError, Fault, ParseError as LibraryParseError, PositionError, RecordError, RulesError,
};

mod exception {
    #![allow(missing_docs, unreachable_pub, reason = "written by a macro")]

    use pyo3::create_exception;
    use pyo3::exceptions::PyValueError;

    create_exception!(
        tictac,
        ParseError,
        PyValueError,
        "A text that is not well formed, or a position that no legal game reaches.\n\nThe attributes `line` and `column` count from 1; either is None where it has no meaning. `code` is the stable code of the fault, such as \"E0207\", and `help` is advice; both may be None."
    );
    create_exception!(
        tictac,
        IllegalMoveError,
        PyValueError,
        "A move that breaks a rule.\n\nThe attributes are those of ParseError; in a record, `line` and `column` name the place."
    );
}

pub(crate) use exception::{IllegalMoveError, ParseError};

/// The place of an error in a text, counted from 1.
#[derive(Clone, Copy, Default)]
struct Place {
    line: Option<usize>,
    column: Option<usize>,
}

/// Sets the attributes that every exception of the package has.
fn with_place(py: Python<'_>, error: PyErr, place: Place, fault: Option<&Fault>) -> PyErr {
    let value = error.value(py);
    let set = value
        .setattr("line", place.line)
        .and_then(|()| value.setattr("column", place.column))
        .and_then(|()| value.setattr("code", fault.map(|fault| fault.code.name())))
        .and_then(|()| value.setattr("help", fault.and_then(|fault| fault.help.as_deref())));
    set.err().unwrap_or(error)
}

/// Returns the exception for rules that cannot be read.
pub(crate) fn invalid_rules(py: Python<'_>, text: &str, error: &RulesError) -> PyErr {
    let before = text.get(..error.at()).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let place = Place {
        line: Some(1 + before.matches('\n').count()),
        column: Some(1 + before[line_start..].chars().count()),
    };
    with_place(py, ParseError::new_err(format!("rules: {error}")), place, None)
}

/// Returns the exception for a text that is not a position.
pub(crate) fn invalid_position(py: Python<'_>, error: &PositionError) -> PyErr {
    let column = match error {
        PositionError::Syntax { at, .. } => Some(at + 1),
        _ => None,
    };
    let place = Place { line: column.map(|_| 1), column };
    with_place(py, ParseError::new_err(format!("position: {error}")), place, None)
}

/// Returns the exception for a text that is not a move.
pub(crate) fn invalid_move(py: Python<'_>, error: LibraryParseError) -> PyErr {
    let place = Place { line: Some(1), column: Some(error.at + 1) };
    let message = format!("move: column {}: {error}", error.at + 1);
    with_place(py, ParseError::new_err(message), place, Some(&error.into()))
}

/// Returns the exception for a move that breaks a rule.
pub(crate) fn illegal_move(py: Python<'_>, illegal: IllegalMove) -> PyErr {
    let error = IllegalMoveError::new_err(illegal.to_string());
    with_place(py, error, Place::default(), Some(&illegal.into()))
}

/// Returns the exception for a record.
pub(crate) fn invalid_record(py: Python<'_>, error: RecordError) -> PyErr {
    let place = Place { line: Some(error.line), column: Some(error.at + 1) };
    let exception = match error.reason {
        EntryError::Syntax(_) => ParseError::new_err(error.to_string()),
        EntryError::Illegal(_) => IllegalMoveError::new_err(error.to_string()),
    };
    with_place(py, exception, place, Some(&error.reason.into()))
}

/// Returns the exception for another text with a line and a column, such as a certificate.
pub(crate) fn invalid_text(py: Python<'_>, message: String, line: usize, column: Option<usize>) -> PyErr {
    with_place(py, ParseError::new_err(message), Place { line: Some(line), column }, None)
}

/// Returns a `ValueError` with this message.
pub(crate) fn value_error(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}
