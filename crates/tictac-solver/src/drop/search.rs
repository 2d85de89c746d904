//! The search of drop games: null windows, from the point of view of the player to move.
//!
//! A score counts the moves that the winner has left when the game ends, so that earlier wins are greater. The parity of the last
//! ply follows from who wins, so that half of the plies are enough.

use crate::drop::bits::DropBits;
use crate::drop::grid::DropGrid;
use crate::drop::memory::{DropBounds, DropMemory};
use crate::meter::Meter;
use tictac::Goal;

/// A position from the point of view of the player to move, and what that player knows about lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct DropNode<B> {
    /// The stones of the player to move.
    pub(super) mine: B,
    /// The stones of the other player.
    pub(super) theirs: B,
    /// The squares that complete a line of the player to move.
    pub(super) my_lines: B,
    /// The squares that complete a line of the other player.
    pub(super) their_lines: B,
}

/// A move with the squares that then complete a line of its player, the replies worth searching, and its place in the order.
#[derive(Clone, Copy, Debug)]
struct DropChild<B> {
    square: B,
    lines: B,
    replies: B,
    order: i32,
}

/// The search of one thread.
pub(super) struct DropSearch<'a, B, const STEP: u32, const K: u32> {
    pub(super) grid: DropGrid<B, STEP, K>,
    pub(super) goal: Goal,
    pub(super) memory: &'a DropMemory,
    pub(super) meter: &'a Meter,
    pub(super) stop: &'a dyn Fn() -> bool,
    pub(super) nodes: u64,
    pub(super) is_stopped: bool,
    /// The number of squares.
    n_squares: i32,
    /// The children of all nodes of the path.
    children: Vec<DropChild<B>>,
    /// How often a square was the best move of either player.
    history: [Vec<i32>; 2],
}

/// Positions with fewer empty squares are searched again instead of being stored: a look-up would cost more.
const MIN_STORED: i32 = 13;
/// The number of nodes between two calls of `stop`, a power of two.
const NODES_PER_POLL: u64 = 1 << 12;
/// The weight of one completing square in the order of moves, in units of the history.
const LINE_WEIGHT: i32 = 16;
/// Put after all other moves.
const PUT_OFF: i32 = 1 << 24;

impl<'a, B: DropBits, const STEP: u32, const K: u32> DropSearch<'a, B, STEP, K> {
    pub(super) fn new(
        grid: DropGrid<B, STEP, K>,
        goal: Goal,
        memory: &'a DropMemory,
        meter: &'a Meter,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        let n_squares = grid.n_squares() as i32;
        let history = grid.central_weights();
        let history = [history.clone(), history];
        Self {
            grid,
            goal,
            memory,
            meter,
            stop,
            nodes: 0,
            is_stopped: false,
            n_squares,
            children: Vec::new(),
            history,
        }
    }

    /// Returns the score of a win that ends the game with `ply` stones on the board; zero beyond the last stone.
    pub(super) const fn win_at(&self, ply: i32) -> i32 {
        (self.n_squares + 2 - ply) / 2
    }

    /// Narrows the bounds of the score of a position until they meet, or until they have the same sign if only the value is asked for.
    pub(super) fn narrow(
        &mut self,
        [mine, theirs]: [B; 2],
        is_met: impl Fn(DropBounds) -> bool,
    ) -> DropBounds {
        let grid = &self.grid;
        let ply = (mine | theirs).len() as i32;
        let [my_lines, their_lines] = [mine, theirs].map(|stones| grid.completing(stones));
        let node = DropNode { mine, theirs, my_lines, their_lines };
        let (moves, mut bounds) = match self.prospects(node, ply) {
            Ok(searched) => searched,
            Err(score) => return DropBounds::exact(score),
        };
        let mut round = 0;
        while !is_met(bounds) && bounds.worst < bounds.best {
            let alpha = bounds.next_window(round);
            round += 1;
            let score = self.search(node, moves, ply, alpha);
            if self.is_stopped {
                break;
            }
            if score > alpha {
                bounds.worst = bounds.worst.max(score as i8);
            } else {
                bounds.best = bounds.best.min(score as i8);
            }
        }
        self.meter.report(self.nodes % NODES_PER_POLL, self.memory.fill().0, self.memory.fill().1);
        bounds
    }

    /// Returns the moves worth searching and bounds of the score, or the score if it is known at once.
    fn prospects(&self, node: DropNode<B>, ply: i32) -> Result<(B, DropBounds), i32> {
        let playable = self.grid.playable(node.mine | node.theirs);
        if playable.is_empty() {
            return Err(0);
        }
        match self.goal {
            Goal::Complete if !(node.my_lines & playable).is_empty() => return Err(self.win_at(ply + 1)),
            _ => {}
        }
        let moves = self.moves(node, playable);
        if moves.is_empty() {
            return Err(-self.win_at(ply + self.last_loss()));
        }
        Ok((moves, self.first_bounds(ply)))
    }

    /// Returns after how many plies a player without a move worth searching has lost.
    const fn last_loss(&self) -> i32 {
        match self.goal {
            Goal::Complete => 2,
            Goal::Avoid => 1,
        }
    }

    /// Returns the bounds of a position with a move worth searching: the game is not decided at once.
    const fn first_bounds(&self, ply: i32) -> DropBounds {
        let loss = self.last_loss();
        DropBounds { worst: -self.win_at(ply + loss + 2) as i8, best: self.win_at(ply + loss + 1) as i8 }
    }

    /// Returns the moves that do not lose at once, given that none wins at once.
    #[inline(always)]
    fn moves(&self, node: DropNode<B>, playable: B) -> B {
        match self.goal {
            Goal::Complete => {
                let forced = node.their_lines & playable;
                let moves = if forced.is_empty() {
                    playable
                } else if forced.has_two() {
                    return B::EMPTY;
                } else {
                    forced
                };
                // The other player must not be able to complete a line on top of the move.
                moves & !(node.their_lines >> 1)
            }
            Goal::Avoid => playable & !node.my_lines,
        }
    }

    /// Returns a number by which positions are stored: equal numbers are positions with equal scores.
    #[inline(always)]
    fn key(&self, mine: B, stones: B, ply: i32) -> [u64; 2] {
        let key = mine.plus(stones);
        // Later, mirrored positions hardly ever meet.
        if 2 * ply <= self.n_squares { key.min(self.grid.mirrored(key)).halves() } else { key.halves() }
    }

    /// Returns a score greater than `alpha` that is a lower bound, or another one that is an upper bound.
    ///
    /// `moves` are not empty, and no player wins or loses at once.
    fn search(&mut self, node: DropNode<B>, moves: B, ply: i32, alpha: i32) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_POLL) {
            self.poll();
        }
        let mut bounds = self.first_bounds(ply);
        if let Some(score) = bounds.beyond(alpha) {
            return score;
        }
        if self.goal == Goal::Complete && self.grid.is_held_to(node, alpha) {
            return alpha.min(0);
        }
        let stones = node.mine | node.theirs;
        let key = self.key(node.mine, stones, ply);
        let is_stored = self.n_squares - ply >= MIN_STORED;
        if is_stored && let Some(found) = self.memory.find(key) {
            bounds = bounds.and(found);
            if let Some(score) = bounds.beyond(alpha) {
                return score;
            }
        }
        let start = self.nodes;
        let base = self.children.len();
        let score = match self.push_children(node, moves, ply, alpha) {
            Some(score) => score,
            None => self.search_children(base, node, ply, alpha),
        };
        self.children.truncate(base);
        if is_stored && !self.is_stopped {
            let found = if score > alpha {
                DropBounds { worst: score as i8, ..bounds }
            } else {
                DropBounds { best: score as i8, ..bounds }
            };
            self.memory.store(key, found, self.nodes - start);
        }
        score
    }

    /// Adds all moves to the children, or returns a lower bound greater than `alpha` that is known without searching them.
    #[inline(always)]
    fn push_children(&mut self, node: DropNode<B>, moves: B, ply: i32, alpha: i32) -> Option<i32> {
        let stones = node.mine | node.theirs;
        let best = i32::from(self.first_bounds(ply).best);
        let base = self.children.len();
        let mut rest = moves;
        while !rest.is_empty() {
            let square = rest & !rest.without_first();
            rest = rest.without_first();
            let after = stones | square;
            let lines = self.grid.completing(node.mine | square);
            let child = child_of(node, square, lines);
            let playable = self.grid.playable(after);
            let replies = self.moves(child, playable);
            if replies.is_empty() && !playable.is_empty() {
                return Some(best);
            }
            let weight = LINE_WEIGHT * (lines & !after).len() as i32;
            let weight = if self.goal == Goal::Complete { weight } else { -weight };
            let order = weight + self.history[(ply & 1) as usize][square.first() as usize];
            self.children.push(DropChild { square, lines, replies, order });
        }
        if self.n_squares - ply < MIN_STORED {
            return None;
        }
        // A stored position after any of the moves may settle this one.
        let stored =
            |child: &DropChild<B>| self.memory.find(self.key(node.theirs, stones | child.square, ply + 1));
        let best =
            self.children[base..].iter().filter_map(stored).map(|found| -i32::from(found.best)).max()?;
        (best > alpha).then_some(best)
    }

    /// Searches the children from `base` on, the most promising first, until one is better than `alpha`.
    #[inline(always)]
    fn search_children(&mut self, base: usize, node: DropNode<B>, ply: i32, alpha: i32) -> i32 {
        let mut found = i32::from(self.first_bounds(ply).worst);
        let end = self.children.len();
        let busy = self.memory.busy().filter(|_| self.n_squares - ply >= MIN_STORED);
        for index in base..end {
            let mut guard = None;
            loop {
                let first = (index..end).fold(index, |first, other| {
                    if self.children[other].order > self.children[first].order { other } else { first }
                });
                self.children.swap(index, first);
                let child = &mut self.children[index];
                let Some(busy) = busy else { break };
                let key = (node.theirs.plus(node.mine | node.theirs | child.square)).halves();
                if child.order > -PUT_OFF / 2 && busy.is_busy(key, 0) {
                    child.order -= PUT_OFF;
                    continue;
                }
                guard = Some(busy.enter(key, 0));
                break;
            }
            let DropChild { square, lines, replies, .. } = self.children[index];
            // Without replies, the board is full.
            let score = if replies.is_empty() {
                0
            } else {
                -self.search(child_of(node, square, lines), replies, ply + 1, -alpha - 1)
            };
            drop(guard);
            if self.is_stopped {
                return found;
            }
            found = found.max(score);
            if score > alpha {
                self.learn(base, index, ply);
                break;
            }
        }
        found
    }

    /// Prefers the move `best` to those that were tried before it in vain.
    #[inline(always)]
    fn learn(&mut self, base: usize, best: usize, ply: i32) {
        let history = &mut self.history[(ply & 1) as usize];
        for child in &self.children[base..best] {
            history[child.square.first() as usize] -= 1;
        }
        history[self.children[best].square.first() as usize] += (best - base) as i32;
    }

    /// Reports progress and asks whether to stop.
    #[cold]
    fn poll(&mut self) {
        let (used, capacity) = self.memory.fill();
        self.meter.report(NODES_PER_POLL, used, capacity);
        self.is_stopped = self.is_stopped || (self.stop)();
    }
}

/// Returns the position after a move, with the squares that then complete a line of its player.
#[inline(always)]
fn child_of<B: DropBits>(node: DropNode<B>, square: B, lines: B) -> DropNode<B> {
    DropNode { mine: node.theirs, theirs: node.mine | square, my_lines: node.their_lines, their_lines: lines }
}
