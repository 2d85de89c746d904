//! Names for the elements of a quotient: the shortest products of its generators.

use crate::solve::quotient::table::{Element, Elements, Table};

/// How many times each generator occurs in a product.
type Exponents = Vec<u32>;

/// The relations by which Plambeck and Whitehead present the quotient of 3×3, as exponents of a, b, c and d.
/// They choose no element and no product; they only decide which of our generators gets which letter, if it
/// has these relations at all.
const PUBLISHED: [([u32; 4], [u32; 4]); 7] = [
    ([2, 0, 0, 0], [0, 0, 0, 0]), // a² = 1
    ([0, 3, 0, 0], [0, 1, 0, 0]), // b³ = b
    ([0, 2, 1, 0], [0, 0, 1, 0]), // b²c = c
    ([0, 0, 3, 0], [1, 0, 2, 0]), // c³ = ac²
    ([0, 2, 0, 1], [0, 0, 0, 1]), // b²d = d
    ([0, 0, 1, 1], [1, 0, 0, 1]), // cd = ad
    ([0, 0, 0, 2], [0, 0, 2, 0]), // d² = c²
];

/// Returns generators of the table: those values, in the order given, that are no products of values before
/// them.
///
/// Four generators that have the published relations in some order are returned in that order.
pub(crate) fn generators(table: &Table, values: impl IntoIterator<Item = Element>) -> Vec<Element> {
    let mut found = Vec::new();
    let mut products = table.generated_by(&Elements::default());
    for value in values {
        if !products.contains(value) {
            found.push(value);
            products = table.generated_by(&found.iter().copied().collect());
        }
    }
    published_order(table, &found).unwrap_or(found)
}

/// Returns the name of every element in the letters a, b, c, … of the generators; the identity is `1`.
pub(crate) fn names(table: &Table, generators: &[Element]) -> Vec<String> {
    let mut names = vec![String::new(); table.n_elements()];
    let one: Exponents = vec![0; generators.len()];
    names[Element::ONE.index()] = name(&one);
    let mut found = vec![(Element::ONE, one)];
    let mut place = 0;
    // Products are met by length and then in the order of the alphabet, so the first to reach an element
    // names it.
    while place < found.len() {
        let (element, exponents) = found[place].clone();
        let last = exponents.iter().rposition(|&exponent| exponent > 0).unwrap_or(0);
        for (letter, &generator) in generators.iter().enumerate().skip(last) {
            let product = table.product(element, generator);
            if names[product.index()].is_empty() {
                let mut exponents = exponents.clone();
                exponents[letter] += 1;
                names[product.index()] = name(&exponents);
                found.push((product, exponents));
            }
        }
        place += 1;
    }
    names
}

fn name(exponents: &[u32]) -> String {
    let powers = exponents.iter().zip(letters()).filter(|(exponent, _)| **exponent > 0);
    let name: String = powers.map(|(&exponent, letter)| letter + &superscript(exponent)).collect();
    if name.is_empty() { "1".to_owned() } else { name }
}

/// Returns a, b, …, z, a′, b′, … without end.
fn letters() -> impl Iterator<Item = String> {
    (0..).flat_map(|primes| ('a'..='z').map(move |letter| format!("{letter}{}", "′".repeat(primes))))
}

fn superscript(exponent: u32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |digit: char| DIGITS[digit.to_digit(10).expect("numbers print as digits") as usize];
    if exponent == 1 { String::new() } else { exponent.to_string().chars().map(digit).collect() }
}

/// Returns the four generators in an order that satisfies the published relations, if there is one.
fn published_order(table: &Table, generators: &[Element]) -> Option<Vec<Element>> {
    let holds = |&order: &[Element; 4]| {
        PUBLISHED.iter().all(|(left, right)| monomial(table, order, left) == monomial(table, order, right))
    };
    let generators: [Element; 4] = generators.try_into().ok()?;
    // Every order is a choice of four places that happens to repeat none.
    let orders =
        (0..4_u32.pow(4)).map(|choice| [0, 2, 4, 6].map(|shift| generators[(choice >> shift) as usize % 4]));
    let is_order = |order: &[Element; 4]| generators.iter().all(|generator| order.contains(generator));
    orders.filter(is_order).find(holds).map(Vec::from)
}

fn monomial(table: &Table, generators: [Element; 4], exponents: &[u32; 4]) -> Element {
    let powers = generators
        .into_iter()
        .zip(exponents)
        .flat_map(|(generator, &n)| std::iter::repeat_n(generator, n as usize));
    powers.fold(Element::ONE, |product, generator| table.product(product, generator))
}
