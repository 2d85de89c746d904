//! The class `Rules`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use tictac::{Goal, Rules, State};

use crate::action;
use crate::faults;
use crate::position::PyPosition;

/// The rules of a variant: `m,n,k [wild | x-only] [misere] [boards=N]`, or `classic`, `misere`, `wild`, `notakto`.
///
/// >>> from tictac import Rules
/// >>> rules = Rules("4,4,3 misere")
/// >>> rules.rows, rules.columns, rules.line_length, rules.misere
/// (4, 4, 3, True)
/// >>> rules
/// Rules('4,4,3 misere')
/// >>> Rules("3,3,3 x-only misere") == Rules("notakto")
/// True
#[pyclass(name = "Rules", module = "tictac", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyRules(pub(crate) Rules);

#[pymethods]
impl PyRules {
    #[new]
    #[pyo3(signature = (text = None))]
    fn new(text: Option<RulesArgument>) -> PyRules {
        PyRules(text.map_or(Rules::CLASSIC, |rules| rules.0))
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.0.grid().rows()
    }

    /// The number of columns.
    #[getter]
    fn columns(&self) -> usize {
        self.0.grid().columns()
    }

    /// The number of equal marks in a row that make a line.
    #[getter]
    fn line_length(&self) -> usize {
        self.0.line_length()
    }

    /// Whether completing a line loses.
    #[getter]
    fn misere(&self) -> bool {
        self.0.goal() == Goal::Avoid
    }

    /// Which marks the players write: "own", "wild" or "x-only".
    #[getter]
    fn marks(&self) -> &'static str {
        self.0.marks().word().unwrap_or("own")
    }

    /// The number of different marks that can be on a board: 1 or 2.
    #[getter]
    fn n_marks(&self) -> usize {
        self.0.marks().n_kinds()
    }

    /// The number of boards.
    #[getter]
    fn boards(&self) -> u32 {
        self.0.n_boards()
    }

    /// The number of squares of one board.
    #[getter]
    fn n_squares(&self) -> usize {
        self.0.grid().len()
    }

    /// The number of actions: squares, times the marks to choose from or the boards.
    #[getter]
    fn n_actions(&self) -> usize {
        action::n_actions(&self.0)
    }

    /// The largest number of moves in a game.
    #[getter]
    fn max_moves(&self) -> usize {
        self.0.max_moves()
    }

    /// Returns the position before the first move.
    fn start(&self) -> PyPosition {
        PyPosition(State::start(&self.0))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Rules('{}')", self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().0.to_string(),))
    }
}

/// Rules as an argument: a `Rules` object or its text.
#[derive(Clone, Copy)]
pub(crate) struct RulesArgument(pub(crate) Rules);

impl Default for RulesArgument {
    fn default() -> RulesArgument {
        RulesArgument(Rules::CLASSIC)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for RulesArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<RulesArgument> {
        if let Ok(rules) = object.cast::<PyRules>() {
            return Ok(RulesArgument(rules.get().0));
        }
        let Ok(text) = object.cast::<PyString>() else {
            let message = format!(
                "rules must be Rules or a text such as '4,4,3 misere', not {}",
                object.get_type().name()?
            );
            return Err(PyTypeError::new_err(message));
        };
        let text = text.to_str()?;
        let rules = text.parse::<Rules>();
        rules.map(RulesArgument).map_err(|error| faults::invalid_rules(object.py(), text, &error))
    }
}
