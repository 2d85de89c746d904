//! Notakto on any number of boards, by its misère quotient.
//!
//! Both players write X on living boards, a board with a line is finished, and the player who completes the last line loses.
//! Each board has an element of a finite commutative monoid. The product of the elements of all boards determines who wins.
//! The monoid is derived from the rules (see `learner`) and proved for any number of boards (see `proof`).

pub(crate) mod games;
mod learner;
mod names;
mod proof;
mod simplest;
pub(crate) mod sum_search;
mod sums;
mod table;
mod tree;

use std::fmt;

use crate::geometry::Geometry;
use crate::several_boards::quotient::games::DistinctGames;
use crate::several_boards::quotient::learner::Learner;
use crate::several_boards::quotient::proof::{Unproved, prove};
use crate::several_boards::quotient::simplest::SimplestForms;
use crate::several_boards::quotient::table::QuotientTable;
use tictac::{Move, Rules, SquareSet};

pub use crate::several_boards::quotient::table::Element;

/// The number of sums that are searched for a quotient before giving up; this takes less than a second.
const MAX_SUMS: usize = 300_000;

/// The largest number of pairs in a proof.
const MAX_PAIRS: usize = 100_000;

/// The number of independent products that [`Quotient::total`] computes in parallel, to hide the latency of look-ups.
const LANES: usize = 4;

/// The largest number of boards that are explained one by one; for more, the occurrences of each element are counted.
const MAX_LISTED: usize = 9;

/// The limit that was reached before a quotient was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoQuotient(&'static str);

impl NoQuotient {
    pub(crate) const GRID_TOO_LARGE: NoQuotient = NoQuotient("the grid is too large");
    /// Boards on which marks drop, or with other lines than ordinary ones, are not solved together.
    pub(crate) const NOT_ORDINARY: NoQuotient = NoQuotient("the boards are not ordinary");
    const TOO_MANY_ELEMENTS: NoQuotient = NoQuotient("more than 256 elements");
    const TOO_MANY_SUMS: NoQuotient = NoQuotient("too many sums to search");
    /// The caller has stopped the derivation.
    pub(crate) const STOPPED: NoQuotient = NoQuotient("stopped");
    const PROOF_TOO_LONG: NoQuotient = NoQuotient("the proof is too long");
}

/// The proved misère quotient of a grid's boards.
#[derive(Clone, Debug)]
pub struct Quotient {
    geometry: Geometry,
    table: QuotientTable,
    /// The element of every set of squares.
    of_board: Vec<Element>,
    names: Vec<String>,
    n_games: usize,
    n_pairs: usize,
}

impl Quotient {
    /// Derives the quotient from the rules and proves it for any number of boards.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached.
    pub fn derive(rules: &Rules) -> Result<Quotient, NoQuotient> {
        Quotient::derive_until(rules, &|| false)
    }

    /// Derives the quotient; gives up as soon as `stop` returns true.
    pub(crate) fn derive_until(rules: &Rules, stop: &dyn Fn() -> bool) -> Result<Quotient, NoQuotient> {
        if !rules.is_ordinary() {
            return Err(NoQuotient::NOT_ORDINARY);
        }
        let geometry = Geometry::new(*rules);
        let games = DistinctGames::new(&geometry, stop)?;
        let simplest = SimplestForms::new(&games, stop)?;
        let table = learn(&simplest.games, stop)?;
        let values = simplest.of_game.iter().map(|&game| table.value(game)).collect();
        let table = QuotientTable { values, ..table };
        // The table was learned for the simplest forms and is now proved for the original games.
        let n_pairs = prove(&games, &table, MAX_PAIRS, stop).map_err(|unproved| match unproved {
            Unproved::Stopped => NoQuotient::STOPPED,
            Unproved::TooManyPairs => NoQuotient::PROOF_TOO_LONG,
            Unproved::NoMonoid | Unproved::Refuted(_) => {
                unreachable!("the simplest forms have the same values")
            }
        })?;
        let generators = names::generators(&table, games.living().map(|game| table.value(game)));
        let names = names::names(&table, &generators);
        let of_board = games.of_board.iter().map(|&game| table.value(game)).collect();
        Ok(Quotient { geometry, table, of_board, names, n_games: games.n_living(), n_pairs })
    }

    /// Returns the number of elements.
    #[expect(clippy::len_without_is_empty, reason = "a quotient always has its identity")]
    pub fn len(&self) -> usize {
        self.table.n_elements()
    }

    /// Returns all elements, the identity first.
    pub fn elements(&self) -> impl Iterator<Item = Element> + use<> {
        self.table.elements()
    }

    /// Returns the elements in which the player to move loses.
    pub fn losses(&self) -> impl Iterator<Item = Element> + use<'_> {
        self.table.losses.iter()
    }

    /// Returns whether the player to move loses.
    pub fn is_loss(&self, element: Element) -> bool {
        self.table.is_loss(element)
    }

    /// Returns the element's name: a product of generators such as `ab²`, or `1`.
    pub fn name(&self, element: Element) -> &str {
        &self.names[element.index()]
    }

    /// Returns the number of distinct living games among the boards of the grid.
    pub fn n_games(&self) -> usize {
        self.n_games
    }

    /// Returns the number of pairs (value, values of the options) in the proof.
    pub fn n_pairs(&self) -> usize {
        self.n_pairs
    }

    /// Returns the element of a board; that of a finished board is the identity.
    #[inline]
    pub fn element_of(&self, board: SquareSet) -> Element {
        self.of_board[board.bits() as usize]
    }

    /// Returns the product of two elements: the element of two groups of boards together.
    #[inline]
    pub fn product(&self, one: Element, other: Element) -> Element {
        self.table.product(one, other)
    }

    /// Returns the element of `n` copies, in time logarithmic in `n`.
    pub fn power(&self, element: Element, mut n: u64) -> Element {
        let mut power = Element::ONE;
        let mut square = element;
        while n > 0 {
            if n % 2 == 1 {
                power = self.product(power, square);
            }
            square = self.product(square, square);
            n /= 2;
        }
        power
    }

    /// Returns the element of all `boards` together.
    pub fn total(&self, boards: &[SquareSet]) -> Element {
        let (chunks, rest) = boards.as_chunks::<LANES>();
        let mut lanes = [Element::ONE; LANES];
        for chunk in chunks {
            for (lane, &board) in lanes.iter_mut().zip(chunk) {
                *lane = self.product(*lane, self.element_of(board));
            }
        }
        let rest = rest.iter().map(|&board| self.element_of(board));
        rest.chain(lanes).fold(Element::ONE, |product, element| self.product(product, element))
    }

    /// Returns every move that leaves the opponent a loss, board by board.
    pub fn winning_moves<'a>(&'a self, boards: &'a [SquareSet]) -> impl Iterator<Item = Move> + use<'a> {
        let others = self.products_of_others(boards);
        let is_winning = move |&(mv, after): &(Move, SquareSet)| {
            self.is_loss(self.product(others[mv.board as usize], self.element_of(after)))
        };
        self.geometry.moves(boards).filter(is_winning).map(|(mv, _)| mv)
    }

    /// Returns why a position is won or lost, such as `c · c² · 1 = ac²: a win for the player to move`.
    pub fn explain(&self, boards: &[SquareSet]) -> String {
        let elements: Vec<Element> = boards.iter().map(|&board| self.element_of(board)).collect();
        let factors: Vec<String> = if elements.len() <= MAX_LISTED {
            elements.iter().map(|&element| self.name(element).to_owned()).collect()
        } else {
            let count = |element| elements.iter().filter(|&&other| other == element).count();
            let occurring = self.elements().filter(|element| elements.contains(element));
            occurring.map(|element| format!("{} ({} times)", self.name(element), count(element))).collect()
        };
        let sign = if elements.is_empty() { "" } else { " = " };
        let total = self.total(boards);
        let value = if self.is_loss(total) { "loss" } else { "win" };
        format!("{}{sign}{}: a {value} for the player to move", factors.join(" · "), self.name(total))
    }

    /// Returns, for each board, the product of all other boards.
    fn products_of_others(&self, boards: &[SquareSet]) -> Vec<Element> {
        let mut others = vec![Element::ONE; boards.len()];
        let mut after = Element::ONE;
        for (others, &board) in others.iter_mut().zip(boards).rev() {
            *others = after;
            after = self.product(after, self.element_of(board));
        }
        let mut before = Element::ONE;
        for (others, &board) in others.iter_mut().zip(boards) {
            *others = self.product(*others, before);
            before = self.product(before, self.element_of(board));
        }
        others
    }
}

/// Learns a table and proves it for all sums of `games`.
fn learn(games: &DistinctGames, stop: &dyn Fn() -> bool) -> Result<QuotientTable, NoQuotient> {
    let mut learner = Learner::new(games, MAX_SUMS, stop)?;
    loop {
        let table = learner.table()?;
        match prove(games, &table, MAX_PAIRS, stop) {
            Ok(_) => return Ok(table),
            Err(Unproved::Refuted(sum)) => learner.refute(&sum)?,
            Err(Unproved::Stopped) => return Err(NoQuotient::STOPPED),
            Err(Unproved::TooManyPairs) => return Err(NoQuotient::PROOF_TOO_LONG),
            Err(Unproved::NoMonoid) => {
                unreachable!("the products of a settled learner are those of a monoid")
            }
        }
    }
}

impl fmt::Display for NoQuotient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no finite quotient found within limits: {}", self.0)
    }
}

impl std::error::Error for NoQuotient {}
