//! A finite commutative monoid with a set of losing elements, and a value for every game.

use crate::solve::quotient::games::Game;

/// The most elements a quotient may have here; an element fits a byte.
pub(crate) const MAX_ELEMENTS: usize = 256;

/// An element of a misère quotient: all that a sum of boards can mean for who wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Element(u8);

impl Element {
    /// The identity: the element of a finished board and of no board at all.
    pub const ONE: Element = Element(0);

    /// Returns the element's number; the identity is 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(crate) fn new(index: usize) -> Element {
        Element(u8::try_from(index).expect("a quotient has at most 256 elements"))
    }
}

/// A set of elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Elements([u64; MAX_ELEMENTS / 64]);

impl Elements {
    /// Returns whether the set contains `element`.
    pub(crate) fn contains(&self, element: Element) -> bool {
        self.0[element.index() / 64] >> (element.index() % 64) & 1 != 0
    }

    /// Returns whether the two sets have an element in common.
    pub(crate) fn intersects(&self, other: &Elements) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }

    /// Returns the elements in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Element> + use<'_> {
        self.0.iter().enumerate().flat_map(|(place, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let lowest = left.trailing_zeros() as usize;
                let found = left != 0;
                left &= left.wrapping_sub(1);
                found.then(|| Element::new(place * 64 + lowest))
            })
        })
    }

    pub(crate) fn insert(&mut self, element: Element) {
        self.0[element.index() / 64] |= 1 << (element.index() % 64);
    }
}

impl FromIterator<Element> for Elements {
    fn from_iter<I: IntoIterator<Item = Element>>(elements: I) -> Self {
        let mut set = Elements::default();
        for element in elements {
            set.insert(element);
        }
        set
    }
}

/// A multiplication table, its losing elements, and the value of every game. Whether it is right is for
/// `proof` to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// A row per element, wide enough for any `u8`, so that looking up a column cannot fail.
    products: Vec<[Element; MAX_ELEMENTS]>,
    losses: Elements,
    /// The value of every game; a finished one stands first and is the identity.
    values: Vec<Element>,
}

impl Table {
    pub(crate) fn new(
        n_elements: usize,
        product: impl Fn(usize, usize) -> usize,
        losses: Elements,
        values: Vec<Element>,
    ) -> Table {
        let row = |one| {
            let mut row = [Element::ONE; MAX_ELEMENTS];
            for (other, entry) in row.iter_mut().enumerate().take(n_elements) {
                *entry = Element::new(product(one, other));
            }
            row
        };
        Table { products: (0..n_elements).map(row).collect(), losses, values }
    }

    pub(crate) fn with_values(self, values: Vec<Element>) -> Table {
        Table { values, ..self }
    }

    #[cfg(test)]
    pub(crate) fn with_product(mut self, one: Element, other: Element, product: Element) -> Table {
        self.products[one.index()][other.index()] = product;
        self
    }

    #[cfg(test)]
    pub(crate) fn with_losses(self, losses: Elements) -> Table {
        Table { losses, ..self }
    }

    /// Returns the number of elements.
    pub(crate) fn n_elements(&self) -> usize {
        self.products.len()
    }

    /// Returns all elements, the identity first.
    pub(crate) fn elements(&self) -> impl Iterator<Item = Element> + use<> {
        (0..self.products.len()).map(Element::new)
    }

    /// Returns the product of two elements: the element of two sums played together.
    #[inline]
    pub(crate) fn product(&self, one: Element, other: Element) -> Element {
        self.products[one.index()][other.index()]
    }

    /// Returns whether the player to move loses.
    pub(crate) fn is_loss(&self, element: Element) -> bool {
        self.losses.contains(element)
    }

    /// Returns the losing elements.
    pub(crate) fn losses(&self) -> &Elements {
        &self.losses
    }

    /// Returns the value of `game`.
    pub(crate) fn value(&self, game: Game) -> Element {
        self.values[usize::from(game)]
    }

    /// Returns whether products commute and are associative, with element 0 as the identity and all elements
    /// products of values.
    pub(crate) fn is_commutative_monoid(&self) -> bool {
        let values: Elements = self.values.iter().copied().collect();
        let commutes = self.elements().all(|one| {
            self.product(one, Element::ONE) == one
                && self.elements().all(|other| self.product(one, other) == self.product(other, one))
        });
        // It is enough that factors from a generating set may be moved over (Light's test).
        let associates = |factor| {
            self.elements().all(|one| {
                let with_factor = self.product(one, factor);
                self.elements().all(|other| {
                    self.product(with_factor, other) == self.product(one, self.product(factor, other))
                })
            })
        };
        commutes
            && self.generated_by(&values).iter().count() == self.n_elements()
            && values.iter().all(associates)
    }

    /// Returns all products of elements of `generators`, the empty product among them.
    pub(crate) fn generated_by(&self, generators: &Elements) -> Elements {
        let mut found = vec![Element::ONE];
        let mut known: Elements = found.iter().copied().collect();
        let mut place = 0;
        while place < found.len() {
            for generator in generators.iter() {
                let product = self.product(found[place], generator);
                if !known.contains(product) {
                    known.insert(product);
                    found.push(product);
                }
            }
            place += 1;
        }
        known
    }
}
