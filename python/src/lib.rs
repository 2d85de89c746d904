//! The extension module of the Python package `tictac`: the library's types in Python's customs.
//!
//! # Layout
//!
//! | module | contents |
//! |---|---|
//! | `faults` | the exceptions |
//! | `rules`, `position`, `game`, `record` | the classes of the same names |
//! | `action` | moves as numbers |
//! | `solution`, `interrupt` | the oracle for one position, and Ctrl-C |
//! | `dense`, `batch` | the values of all positions of small rules, and look-ups of many boards at once |
//! | `vector`, `batch_games`, `vector_rules`, `single` | environments: many games that are stepped together, and one game |
//! | `opponent`, `random` | who plays the other side, and the random numbers |
//! | `archive`, `proof` | archives of records, and certificates |

mod action;
mod archive;
mod batch;
mod batch_games;
mod dense;
mod faults;
mod game;
mod interrupt;
mod opponent;
mod position;
mod proof;
mod random;
mod record;
mod rules;
mod single;
mod solution;
mod vector;
mod vector_rules;

use pyo3::prelude::*;

#[pymodule]
fn _tictac(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("ParseError", module.py().get_type::<faults::ParseError>())?;
    module.add("IllegalMoveError", module.py().get_type::<faults::IllegalMoveError>())?;
    module.add_class::<rules::PyRules>()?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<game::PyGame>()?;
    module.add_class::<record::PyRecord>()?;
    module.add_class::<solution::Solution>()?;
    module.add_class::<solution::JudgedPly>()?;
    module.add_class::<vector::VectorCore>()?;
    module.add_class::<single::EnvCore>()?;
    for function in [
        wrap_pyfunction!(solution::solve, module)?,
        wrap_pyfunction!(solution::best_moves, module)?,
        wrap_pyfunction!(solution::judge, module)?,
        wrap_pyfunction!(batch::look_up, module)?,
        wrap_pyfunction!(batch::table_arrays, module)?,
        wrap_pyfunction!(archive::check_archive, module)?,
        wrap_pyfunction!(proof::certificate, module)?,
        wrap_pyfunction!(proof::verify, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
