//! Known words that are close to an unknown one.

use alloc::vec;
use alloc::vec::Vec;

/// Returns the word of `known` that is closest to `word`, if it is close enough to be what was meant.
///
/// Upper and lower case are the same. An exchanged pair of letters, and a missing, additional or wrong letter, each count as
/// one mistake; one mistake is accepted in words of up to five letters, two in longer ones.
///
/// ```
/// use tictac::notation::nearest;
///
/// assert_eq!(nearest("mizere", ["classic", "misere"]), Some("misere"));
/// assert_eq!(nearest("shwo", ["show", "solve"]), Some("show"));
/// assert_eq!(nearest("chess", ["classic", "misere"]), None);
/// ```
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A long word is not a near miss, and the comparison takes time for every pair of letters.
    const MAX_LETTERS: usize = 32;
    let letters = |text: &str| -> Vec<char> { text.to_lowercase().chars().take(MAX_LETTERS + 1).collect() };
    let word = letters(word);
    if word.is_empty() || word.len() > MAX_LETTERS {
        return None;
    }
    let max_mistakes = if word.len() <= 5 { 1 } else { 2 };
    let distances = known.into_iter().map(|name| (n_mistakes(&word, &letters(name)), name));
    let (n_mistakes, name) = distances.min_by_key(|&(n_mistakes, _)| n_mistakes)?;
    (n_mistakes <= max_mistakes).then_some(name)
}

/// Returns the number of mistakes that turn `b` into `a`: the distance of Damerau and Levenshtein between adjacent letters.
fn n_mistakes(a: &[char], b: &[char]) -> usize {
    let width = b.len() + 1;
    let mut table: Vec<usize> = vec![0; (a.len() + 1) * width];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            let at = |i: usize, j: usize| table[i * width + j];
            table[i * width + j] = match (i, j) {
                (0, n) | (n, 0) => n,
                _ => {
                    let replaced = at(i - 1, j - 1) + usize::from(a[i - 1] != b[j - 1]);
                    let best = replaced.min(at(i - 1, j) + 1).min(at(i, j - 1) + 1);
                    let is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    if is_swapped { best.min(at(i - 2, j - 2) + 1) } else { best }
                }
            };
        }
    }
    table[a.len() * width + b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_counted_by_letter() {
        let check = |a: &str, b: &str, expected: usize| {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            assert_eq!(n_mistakes(&letters(a), &letters(b)), expected, "{a} {b}");
            assert_eq!(n_mistakes(&letters(b), &letters(a)), expected, "{b} {a}");
        };
        check("", "", 0);
        check("", "abc", 3);
        check("wild", "wild", 0);
        check("wlid", "wild", 1);
        check("mizere", "misere", 1);
        check("perfct", "perfect", 1);
        check("kitten", "sitting", 3);
    }

    #[test]
    fn a_word_that_is_far_from_all_has_no_suggestion() {
        assert_eq!(nearest("", ["a"]), None);
        assert_eq!(nearest("E9999", ["E0101", "E0504"]), None);
        assert_eq!(nearest(&"wild".repeat(100_000), ["wild"]), None);
        assert_eq!(nearest("PERFEKT", ["expert", "perfect"]), Some("perfect"));
    }
}
