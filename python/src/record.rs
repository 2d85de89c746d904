//! The class `Record`.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use tictac::Rules;
use tictac::notation::Record;

use crate::faults;
use crate::game::PyGame;
use crate::rules::{PyRules, RulesArgument};

/// A well-formed record, one move per line, whose moves need not be legal.
///
/// >>> from tictac import Record
/// >>> record = Record("1 X B2\n2 O A1 # a comment\n")
/// >>> list(record)
/// [(1, 'X B2'), (2, 'O A1')]
/// >>> record.game().position
/// Position('O../.X./... X')
/// >>> Record("1 X B4")
/// Traceback (most recent call last):
/// tictac.ParseError: line 1, column 6: expected a column number from 1 to 3, found '4'
#[pyclass(name = "Record", module = "tictac", frozen, eq)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyRecord(pub(crate) Record);

#[pymethods]
impl PyRecord {
    #[new]
    #[pyo3(signature = (text, rules = None))]
    fn new(py: Python<'_>, text: &str, rules: Option<RulesArgument>) -> PyResult<PyRecord> {
        let record = Record::parse(text, &rules.unwrap_or_default().0);
        record.map(PyRecord).map_err(|error| faults::invalid_record(py, error))
    }

    /// The rules of the record.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.0.rules())
    }

    /// The entries in order, as pairs of a number and a move such as (1, "X B2").
    #[getter]
    fn entries(&self) -> Vec<(u32, String)> {
        let rules = self.0.rules();
        let pair = |entry: &tictac::notation::Entry| (entry.number, entry.mv.display(rules).to_string());
        self.0.entries().iter().map(pair).collect()
    }

    /// Plays the moves and returns the game; raises IllegalMoveError at the first move that breaks a rule.
    fn game(&self, py: Python<'_>) -> PyResult<PyGame> {
        self.0.game().map(PyGame).map_err(|error| faults::invalid_record(py, error))
    }

    fn __len__(&self) -> usize {
        self.0.entries().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.entries())?.try_iter()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let text = self.0.to_string().replace('\n', "\\n");
        if *self.0.rules() == Rules::CLASSIC {
            format!("Record('{text}')")
        } else {
            format!("Record('{text}', '{}')", self.0.rules())
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String, String)) {
        let record = &slf.get().0;
        (slf.get_type().into_any(), (record.to_string(), record.rules().to_string()))
    }
}
