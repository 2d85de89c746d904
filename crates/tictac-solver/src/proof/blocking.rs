//! Construction of blocking strategies from the answers of a solver.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::{NoProof, ProofLimits, ProofSource};
use tictac::{Player, Square, State, Status};
use tictac_proof::{Aim, BlockingAnswers, BlockingBoard, BlockingPlan, BlockingPosition};

/// The number of nodes that are searched to find out whether a player can block at all: if the solver has not found that out
/// before, the game is probably not decided by blocking.
const FIRST_EFFORT: u64 = 100_000;

/// The number of positions for which answers are asked at once.
const BATCH: usize = 4096;

/// Returns a strategy that prevents all lines of the opponent, or `None` if the source does not know one.
pub(crate) fn prove_blocking(
    start: &State,
    (owner, aim): (Player, Aim),
    source: &mut dyn ProofSource,
    limits: ProofLimits<'_>,
) -> Result<Option<BlockingPlan>, NoProof> {
    let Some(position) = start.position().filter(|position| position.rules().is_mnk() && aim == Aim::Hold)
    else {
        return Ok(None);
    };
    let (Status::ToMove(mover), Some(opponent)) = (position.status(), start.mark_of(!owner)) else {
        return Ok(None);
    };
    let rules = position.rules();
    let whole =
        BlockingPosition { marks: position.board().squares(opponent), empty: position.empty_squares() };
    let board = BlockingBoard::new(rules, opponent);
    let firsts = if mover == owner { first_moves(&board, whole) } else { vec![None] };
    let after = |first: &Option<Square>| {
        first.map_or(whole, |square| BlockingPosition { empty: whole.empty.without(square), ..whole })
    };
    let mut blocks = |first: &Option<Square>| {
        let position = board.normal(after(first));
        position.empty.is_empty() || source.blocking_answers(&[position], FIRST_EFFORT).is_some()
    };
    let Some(first) = firsts.into_iter().find(&mut blocks) else { return Ok(None) };
    let mut builder = BlockingBuilder { board, pending: BTreeMap::new(), entries: vec![] };
    builder.reach(after(&first));
    while let Some(level) = builder.next_level() {
        for positions in level.chunks(BATCH) {
            if builder.entries.len() + positions.len() > limits.max_entries {
                return Err(NoProof::TooLarge(limits.max_entries));
            }
            let answers = source.blocking_answers(positions, u64::MAX).filter(|_| !(limits.stop)());
            let answers = answers.ok_or_else(|| {
                if (limits.stop)() {
                    NoProof::Stopped
                } else {
                    NoProof::Unknown(positions[0].text(rules, opponent))
                }
            })?;
            for (&position, answers) in positions.iter().zip(answers) {
                answers.moves.iter().for_each(|&mv| builder.reach(position.after(mv)));
                builder.entries.push((position, answers));
            }
        }
    }
    Ok(Some(BlockingPlan::new(first, builder.entries)))
}

/// Returns some first moves of the owner, those on most of the opponent's lines first.
fn first_moves(board: &BlockingBoard, position: BlockingPosition) -> Vec<Option<Square>> {
    const MAX_MOVES: usize = 4;
    let mut squares: Vec<Square> = position.empty.iter().collect();
    squares.sort_by_cached_key(|&square| Reverse(board.n_edges_through(position, square)));
    squares.into_iter().take(MAX_MOVES).map(Some).collect()
}

/// A blocking strategy under construction.
struct BlockingBuilder {
    board: BlockingBoard,
    /// The positions that need an entry, by their number of empty squares.
    pending: BTreeMap<usize, BTreeSet<BlockingPosition>>,
    entries: Vec<(BlockingPosition, BlockingAnswers)>,
}

impl BlockingBuilder {
    fn reach(&mut self, position: BlockingPosition) {
        let position = self.board.normal(position);
        if !position.empty.is_empty() {
            self.pending.entry(position.empty.len()).or_default().insert(position);
        }
    }

    /// Takes the positions with the most empty squares.
    fn next_level(&mut self) -> Option<Vec<BlockingPosition>> {
        Some(self.pending.pop_last()?.1.into_iter().collect())
    }
}
