//! The tables that the solvers of a team share, and their form outside of memory.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::answer::Question;
use crate::drop::memory::DropMemory;
use crate::one_board::general_solver::{GeneralSolver, drop_memory, map_bytes};
use crate::one_board::solver::{Solver, general_bytes, has_provers};
use crate::one_board::transposition::Transpositions;
use crate::plain::ProverTables;
use crate::tuning::SearchTuning;
use tictac::Rules;

/// The tables of several solvers for the same rules: what they have proved so far.
///
/// They can be saved while the solvers work, and loaded into the tables of another process before it starts. The answers of
/// solvers are only as right as what was loaded: saved tables deserve the same trust as the program. A certificate is a proof
/// that others can check.
///
/// ```
/// use tictac::{Position, Rules, Value};
/// use tictac_solver::{DamagedTables, Question, SearchTables};
///
/// let rules: Rules = "4,4,4".parse().unwrap();
/// let position = Position::start(&rules).unwrap();
/// let tables = SearchTables::new(&rules, 1 << 20, 1, Question::Weak);
/// let answer = tables.team()[0].solve(&position, Question::Weak, &|| false);
/// assert_eq!(answer.value(), Some(Value::Draw));
///
/// let mut saved = Vec::new();
/// tables.save(&mut |bytes| Ok::<(), DamagedTables>(saved.extend_from_slice(bytes)))?;
/// let mut rest = &saved[..];
/// let other = SearchTables::new(&rules, 1 << 20, 1, Question::Weak);
/// other.load(&mut |bytes| {
///     let (head, tail) = rest.split_at_checked(bytes.len()).ok_or(DamagedTables)?;
///     bytes.copy_from_slice(head);
///     rest = tail;
///     Ok::<(), DamagedTables>(())
/// })?;
/// # Ok::<(), DamagedTables>(())
/// ```
#[derive(Clone)]
pub struct SearchTables {
    rules: Rules,
    max_bytes: usize,
    n_solvers: usize,
    bounds: Arc<Transpositions>,
    provers: Option<Arc<ProverTables>>,
    // Not saved: a drop game of which the table is worth a file is searched for hours.
    drop: Option<Arc<DropMemory>>,
    pub(crate) tuning: SearchTuning,
}

/// The error for saved tables that are not those of these rules, or not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DamagedTables;

impl fmt::Display for DamagedTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the saved tables are damaged")
    }
}

impl Error for DamagedTables {}

debug_by_rules!(SearchTables, rules);

impl SearchTables {
    /// The number of the form in which tables are saved. It changes with the meaning of any entry.
    pub const FORMAT: u32 = 3;

    /// Returns empty tables for `n_solvers` solvers, which together use at most about `max_bytes` of memory.
    ///
    /// For [`Question::Weak`], the provers of plain games may use all of it.
    pub fn new(rules: &Rules, max_bytes: usize, n_solvers: usize, question: Question) -> SearchTables {
        let n_solvers = n_solvers.max(1);
        let general = general_bytes(rules, max_bytes);
        let prover_bytes = if question == Question::Weak { max_bytes } else { max_bytes - general };
        // With provers, a weak question leaves the other table empty.
        SearchTables {
            rules: *rules,
            max_bytes,
            n_solvers,
            bounds: Arc::new(Transpositions::new(map_bytes(rules, general), n_solvers)),
            provers: has_provers(rules).then(|| Arc::new(ProverTables::new(prover_bytes, n_solvers))),
            drop: drop_memory(rules, max_bytes, n_solvers),
            tuning: SearchTuning::default(),
        }
    }

    /// Returns solvers for one question, each for its own thread; when one of them has the answer, the caller stops the others.
    ///
    /// For boards that are solved by table look-up there is one solver.
    pub fn team(&self) -> Vec<Solver> {
        let n_solvers = if self.solver(0).solves_whole_board() { 1 } else { self.n_solvers };
        // A table of positions is filled by one of the threads, if at all.
        let table_bytes = self.table_bytes();
        (0..n_solvers).map(|index| self.solver(if index == 0 { table_bytes } else { 0 })).collect()
    }

    /// Returns solvers for different questions, each for its own thread.
    pub fn solvers(&self) -> Vec<Solver> {
        let table_bytes = self.table_bytes() / self.n_solvers;
        (0..self.n_solvers).map(|_| self.solver(table_bytes)).collect()
    }

    fn table_bytes(&self) -> usize {
        let general = general_bytes(&self.rules, self.max_bytes);
        general - map_bytes(&self.rules, general)
    }

    fn solver(&self, table_bytes: usize) -> Solver {
        let bounds = Arc::clone(&self.bounds);
        let drop = self.drop.clone();
        let general = GeneralSolver::with_bounds(self.rules, bounds, drop, table_bytes, self.tuning);
        Solver::with_general(&self.rules, self.max_bytes, general, self.provers.clone())
    }

    /// Returns the number of entries in use and the largest number of entries.
    pub fn fill(&self) -> (usize, usize) {
        let provers = self.provers.as_ref().map_or((0, 0), |tables| tables.fill());
        let drop = self.drop.as_ref().map_or((0, 0), |memory| memory.fill());
        let bounds = self.bounds.fill();
        (bounds.0 + provers.0 + drop.0, bounds.1 + provers.1 + drop.1)
    }

    /// Writes all entries by calls of `write`, in pieces of at most a few kilobytes.
    ///
    /// Entries that are stored meanwhile may be missing.
    ///
    /// # Errors
    ///
    /// Returns the first error of `write`.
    pub fn save<E>(&self, write: &mut dyn FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.bounds.table.save(write)?;
        self.provers.as_ref().map_or(Ok(()), |tables| tables.save(write))
    }

    /// Reads entries by calls of `read`, which fills the slice that it is given. The tables do not grow beyond their limit.
    ///
    /// # Errors
    ///
    /// Returns the first error of `read`, or [`DamagedTables`] for an entry that no search of these rules stores.
    pub fn load<E: From<DamagedTables>>(
        &self,
        read: &mut dyn FnMut(&mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let squares = self.rules.squares().bits();
        self.bounds.table.load(squares, read)?;
        self.provers.as_ref().map_or(Ok(()), |tables| tables.load(squares, read))
    }
}
