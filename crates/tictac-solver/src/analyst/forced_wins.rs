//! Short forced wins on a board of any size on which each player has a mark and a line wins.

use crate::bit_position::squares_of;
use tictac::{Position, Rules};

/// A search for wins that the opponent cannot prevent.
///
/// Wins within [`MAX_QUIET`] plies are all found. Longer ones are found if every move but the last two threatens to complete a line.
pub(crate) struct ForcedWins<'a> {
    lines: Vec<u64>,
    squares: u64,
    /// The number of positions that may still be looked at.
    nodes_left: u64,
    /// Returns true when the search has to end.
    stop: &'a dyn Fn() -> bool,
    is_stopped: bool,
}

/// A win that the opponent cannot prevent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ForcedWin {
    /// The squares of both players in turn, the winner's first, with a reply that lasts as long as any.
    pub(crate) line: Vec<u32>,
    /// Whether no win is shorter.
    pub(crate) is_shortest: bool,
}

/// The marks of the player to move and of the opponent.
#[derive(Clone, Copy)]
struct AttackSides {
    mine: u64,
    theirs: u64,
}

/// The squares that matter to a player who could move now.
struct Chances {
    /// The squares that complete a line.
    completing: u64,
    /// The squares that threaten to complete one.
    threatening: u64,
    /// The squares that threaten to complete a line on two squares or more.
    forking: u64,
}

/// The moves that a search tries before the last two of the winner.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attacks {
    All,
    /// Only moves that threaten to complete a line at once.
    Threats,
}

/// All wins of up to this many plies are found.
const MAX_QUIET: u32 = 5;
/// The largest number of plies of a win by threats.
const MAX_PLIES: u32 = 25;
/// How many positions are looked at between two checks of the time: about a millisecond.
const NODES_PER_CHECK: u64 = 4096;
/// The number of positions that a search for one win may look at: about ten milliseconds.
const MAX_NODES: u64 = 5 * NODES_PER_CHECK - 1;

impl<'a> ForcedWins<'a> {
    /// Returns a search for positions of `rules`.
    pub(crate) fn new(rules: &Rules, stop: &'a dyn Fn() -> bool) -> ForcedWins<'a> {
        let lines = rules.lines().all_in(rules.squares()).map(|line| line.squares().bits()).collect();
        ForcedWins { lines, squares: rules.squares().bits(), nodes_left: 0, stop, is_stopped: stop() }
    }

    /// Returns a shortest win of the player to move that was found.
    pub(crate) fn find(&mut self, position: &Position) -> Option<ForcedWin> {
        self.find_for(AttackSides::of(position))
    }

    /// Returns a shortest win that the opponent would have after a pass of the player to move.
    pub(crate) fn threat(&mut self, position: &Position) -> Option<ForcedWin> {
        self.find_for(AttackSides::of(position).exchanged())
    }

    fn find_for(&mut self, sides: AttackSides) -> Option<ForcedWin> {
        self.allow(MAX_NODES);
        let short = (1..=MAX_QUIET).step_by(2).find_map(|plies| self.win(sides, plies, Attacks::All));
        if let Some(line) = short {
            // A search that ran out of nodes may have missed a shorter win.
            return Some(ForcedWin { line, is_shortest: self.nodes_left > 0 });
        }
        self.allow(MAX_NODES);
        let mut lengths = (MAX_QUIET + 2..=MAX_PLIES).step_by(2);
        let line = lengths.find_map(|plies| self.win(sides, plies, Attacks::Threats))?;
        Some(ForcedWin { line, is_shortest: false })
    }

    /// Returns the number of plies of a shortest win that starts with a move on `square`, if it has at most [`MAX_QUIET`].
    pub(crate) fn plies_after(&mut self, position: &Position, square: u32) -> Option<u32> {
        let sides = AttackSides::of(position);
        self.allow(MAX_NODES);
        if self.is_stopped {
            return None;
        }
        let completing = self.chances(sides).completing;
        if completing >> square & 1 != 0 {
            return Some(1);
        }
        // An opponent who completes a line comes first.
        let after = AttackSides { mine: sides.mine | 1 << square, ..sides };
        if self.chances(after.exchanged()).completing != 0 {
            return None;
        }
        let plies = (3..=MAX_QUIET)
            .step_by(2)
            .find(|&plies| self.attack(sides, square, plies, Attacks::All).is_some());
        plies.filter(|_| self.nodes_left > 0)
    }

    /// Returns a win of the player to move within `plies`.
    fn win(&mut self, sides: AttackSides, plies: u32, attacks: Attacks) -> Option<Vec<u32>> {
        if self.nodes_left == 0 {
            return None;
        }
        let own = self.chances(sides);
        if own.completing != 0 {
            return Some(vec![own.completing.trailing_zeros()]);
        }
        let danger = self.chances(sides.exchanged()).completing;
        if plies < 3 || danger & danger.wrapping_sub(1) != 0 {
            return None;
        }
        let allowed = if danger == 0 { self.squares & !sides.occupied() } else { danger };
        if let Some(fork) = squares_of(own.forking & allowed).next() {
            return self.attack(sides, fork, 3, attacks);
        }
        if plies < 5 {
            return None;
        }
        let quiet_moves = if attacks == Attacks::All { allowed & !own.threatening } else { 0 };
        squares_of(own.threatening & allowed)
            .chain(squares_of(quiet_moves))
            .find_map(|square| self.attack(sides, square, plies, attacks))
    }

    /// Returns a win within `plies` that starts with a move on `square`, after which the opponent cannot complete a line.
    fn attack(&mut self, sides: AttackSides, square: u32, plies: u32, attacks: Attacks) -> Option<Vec<u32>> {
        let after = AttackSides { mine: sides.mine | 1 << square, ..sides };
        let completing = self.chances(after).completing;
        let replies = match completing.count_ones() {
            0 if attacks == Attacks::Threats || plies < 5 => return None,
            0 => {
                // A reply never helps the attacker, so there must be a win against none.
                let threat = self.win(after, plies - 2, attacks)?;
                let first = threat.iter().fold(0, |squares, square| squares | 1_u64 << square);
                let empty = self.squares & !after.occupied();
                squares_of(empty & first).chain(squares_of(empty & !first)).collect()
            }
            1 if plies < 5 => return None,
            1 => vec![completing.trailing_zeros()],
            _ => {
                let mut two = squares_of(completing);
                return Some(vec![square, two.next()?, two.next()?]);
            }
        };
        let mut longest: Vec<u32> = Vec::new();
        for reply in replies {
            let next = AttackSides { theirs: after.theirs | 1 << reply, ..after };
            let line = self.win(next, plies - 2, attacks)?;
            if line.len() + 2 > longest.len() {
                longest = [square, reply].into_iter().chain(line).collect();
            }
        }
        (!longest.is_empty()).then_some(longest)
    }

    /// Allows a search to look at this many positions, unless it was stopped.
    const fn allow(&mut self, nodes: u64) {
        self.nodes_left = if self.is_stopped { 0 } else { nodes };
    }

    fn chances(&mut self, sides: AttackSides) -> Chances {
        self.nodes_left = self.nodes_left.saturating_sub(1);
        if self.nodes_left.is_multiple_of(NODES_PER_CHECK) && !self.is_stopped && (self.stop)() {
            (self.is_stopped, self.nodes_left) = (true, 0);
        }
        let mut chances = Chances { completing: 0, threatening: 0, forking: 0 };
        let mut pairs: Vec<u64> = Vec::new();
        for line in self.lines.iter().filter(|line| *line & sides.theirs == 0) {
            let missing = line & !sides.mine;
            match missing.count_ones() {
                1 => chances.completing |= missing,
                // Two lines that lack the same two squares are one threat.
                2 if missing & !chances.threatening != 0 || !pairs.contains(&missing) => {
                    chances.forking |= missing & chances.threatening;
                    chances.threatening |= missing;
                    pairs.push(missing);
                }
                _ => {}
            }
        }
        chances
    }
}

impl AttackSides {
    fn of(position: &Position) -> AttackSides {
        let mark = position.marks()[0];
        AttackSides {
            mine: position.board().squares(mark).bits(),
            theirs: position.board().squares(!mark).bits(),
        }
    }

    const fn exchanged(self) -> AttackSides {
        AttackSides { mine: self.theirs, theirs: self.mine }
    }

    const fn occupied(self) -> u64 {
        self.mine | self.theirs
    }
}
