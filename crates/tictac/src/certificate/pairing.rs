//! Search for a pairing: disjoint pairs of squares such that every line contains a pair.

use crate::square::{Square, SquareSet};

/// The number of pairs to try before giving up; most pairings are found after a few.
const MAX_TRIES: u32 = 400;

/// Returns disjoint pairs such that each line, given by its empty squares, contains a pair, or `None` if the search gives up.
pub(super) fn find(lines: &[SquareSet]) -> Option<Vec<[Square; 2]>> {
    let mut search = PairingSearch { pairs: Vec::new(), tries_left: MAX_TRIES };
    search.cover(lines, SquareSet::EMPTY).then_some(search.pairs)
}

struct PairingSearch {
    pairs: Vec<[Square; 2]>,
    tries_left: u32,
}

impl PairingSearch {
    /// Finds pairs for `lines` outside `used` and returns whether it succeeded; if not, the pairs are unchanged.
    fn cover(&mut self, lines: &[SquareSet], used: SquareSet) -> bool {
        // The line with the fewest free squares has the fewest possible pairs.
        let Some(&hardest) = lines.iter().min_by_key(|&&line| (line - used).len()) else { return true };
        let mut candidates = pairs_in(hardest - used);
        candidates.sort_by_cached_key(|&pair| rank(pair, lines));
        for pair in candidates {
            if self.tries_left == 0 {
                return false;
            }
            self.tries_left -= 1;
            let squares: SquareSet = pair.into_iter().collect();
            let rest: Vec<SquareSet> =
                lines.iter().copied().filter(|&line| !squares.is_subset(line)).collect();
            self.pairs.push(pair);
            if self.cover(&rest, used | squares) {
                return true;
            }
            self.pairs.pop();
        }
        false
    }
}

fn pairs_in(squares: SquareSet) -> Vec<[Square; 2]> {
    let mut rest = squares;
    let mut pairs = Vec::new();
    for one in squares {
        rest = rest.without(one);
        pairs.extend(rest.iter().map(|other| [one, other]));
    }
    pairs
}

/// Returns the sort key of a pair: pairs within many lines come first, then those with squares on few other lines.
fn rank(pair: [Square; 2], lines: &[SquareSet]) -> (usize, usize) {
    let n_squares = |line: &SquareSet| pair.iter().filter(|&&square| line.contains(square)).count();
    let n_lines = |n| lines.iter().filter(|line| n_squares(line) == n).count();
    (lines.len() - n_lines(2), n_lines(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    fn lines(rules: &str) -> Vec<SquareSet> {
        let rules: Rules = rules.parse().unwrap();
        rules.lines().all_in(rules.squares()).map(crate::Line::squares).collect()
    }

    #[test]
    fn a_pairing_is_found_where_one_is_known() {
        for rules in ["5,5,5", "6,6,6", "1,8,4"] {
            let lines = lines(rules);
            let pairs = find(&lines).unwrap();
            let all: SquareSet = pairs.iter().flatten().copied().collect();
            assert_eq!(all.len(), 2 * pairs.len(), "{rules}: the pairs are disjoint");
            let has_pair =
                |line: &SquareSet| pairs.iter().any(|pair| pair.iter().all(|&square| line.contains(square)));
            assert!(lines.iter().all(has_pair), "{rules}");
        }
    }

    #[test]
    fn no_pairing_is_found_where_there_are_too_few_squares() {
        for rules in ["3,3,3", "4,4,4", "4,4,3", "1,1,1"] {
            assert_eq!(find(&lines(rules)), None, "{rules}");
        }
    }
}
