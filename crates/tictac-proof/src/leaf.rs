//! The theorems by which the owner of a strategy does not lose.
//!
//! The theorems apply if each player has a mark and a line wins. Then the owner does not lose if the opponent completes no
//! line: the game ends with a line of the owner or with a full board.
//!
//! A line is *open* for the opponent if the opponent can still complete it: it holds no mark of the owner, and the opponent
//! has at least as many turns left as the line has empty squares. A line that is not open never becomes open again.

use crate::{Leaf, State};
use tictac::{Goal, Line, Outcome, Player, Position, Square, SquareSet, Status};

/// Returns whether `owner` cannot lose, whatever moves are made.
///
/// If each player has a mark, the owner loses only if a certain player completes a line: the opponent if lines win, the owner
/// if lines lose. If that player can complete no line, the owner is safe. If either mark may be written, either player may
/// complete any line, so the position must be dead. If both players write the same mark, every game has a loser.
pub fn is_safe(state: &State, owner: Player) -> bool {
    let State::One(position) = state else { return false };
    let rules = position.rules();
    match rules.goal() {
        Goal::Complete if rules.marks_name_players() => open_lines(position, !owner).next().is_none(),
        Goal::Avoid if rules.marks_name_players() => open_lines(position, owner).next().is_none(),
        _ => rules.only_mark().is_none() && position.is_dead(),
    }
}

/// Returns whether `player`, who is to move, has a move that wins immediately.
pub(crate) fn wins_at_once(state: &State, player: Player) -> bool {
    let won = Ok(Status::Over(Outcome::Win(player)));
    state.moves().any(|mv| state.after(mv).map(|after| after.status()) == won)
}

impl Leaf {
    /// Checks that `owner` does not lose by this leaf.
    ///
    /// # Errors
    ///
    /// Returns the flaw, as a sentence.
    pub fn check(&self, state: &State, owner: Player) -> Result<(), String> {
        let position = match state {
            State::One(position) if position.rules().is_mnk() => position,
            _ => {
                return Err(
                    "pairs and weight require one board, a different mark for each player, and lines that win"
                        .into(),
                );
            }
        };
        if let Status::Over(_) = position.status() {
            return Err("the game is over after this move: remove pairs or weight".into());
        }
        match self {
            Leaf::Pairs(pairs) => check_pairs(pairs, position, owner),
            Leaf::Weight if Weight::new(position, owner).is_light() => Ok(()),
            Leaf::Weight => Err("the weight of the lines that can still be completed is 1 or more".into()),
        }
    }
}

/// Checks the condition of this theorem:
///
/// **Theorem.** If the pairs are disjoint, their squares are empty, and every open line of the opponent contains a pair, then
/// the owner does not lose, whichever player is to move.
///
/// *Proof.* When the opponent takes a square of a pair, the owner takes the other square of that pair. Otherwise the owner
/// moves anywhere; a square of a pair that the owner takes this way only blocks more lines. The opponent therefore never has
/// both squares of a pair, but every open line requires them. ∎
fn check_pairs(pairs: &[[Square; 2]], position: &Position, owner: Player) -> Result<(), String> {
    let grid = position.rules().grid();
    let mut free = position.empty_squares();
    for &square in pairs.iter().flatten() {
        if !free.contains(square) {
            let square = grid.name(square);
            return Err(format!(
                "{square} holds a mark or belongs to an earlier pair: pairs must be empty and disjoint"
            ));
        }
        free = free.without(square);
    }
    let has_pair =
        |empty: SquareSet| pairs.iter().any(|pair| pair.iter().all(|&square| empty.contains(square)));
    match open_lines(position, !owner).find(|&(_, empty)| !has_pair(empty)) {
        Some((line, _)) => {
            let line = grid.line_name(line);
            Err(format!("the line {line} can still be completed and contains no pair"))
        }
        None => Ok(()),
    }
}

/// The weight of the open lines of an opponent, in units of 2⁻⁶⁴. It is exact, because there are at most 256 lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Weight(u128);

impl Weight {
    const ONE: u128 = 2_u128.pow(64);

    /// Returns the weight of the open lines of the opponent of `owner`, plus the heaviest square if the opponent is to move.
    pub fn new(position: &Position, owner: Player) -> Weight {
        let mut squares = [0; SquareSet::CAPACITY];
        let mut sum = 0;
        for (_, empty) in open_lines(position, !owner) {
            let weight = Weight::ONE / 2_u128.pow(empty.len() as u32);
            sum += weight;
            empty.iter().for_each(|square| squares[square.index()] += weight);
        }
        let heaviest = squares.into_iter().max().unwrap_or(0);
        Weight(if position.next_player() == owner { sum } else { sum + heaviest })
    }

    /// Checks the condition of this theorem:
    ///
    /// **Theorem** (Erdős and Selfridge). Let an open line of the opponent with `e` empty squares weigh 2⁻ᵉ, and let a square
    /// weigh as much as all open lines through it. If the owner is to move and all open lines weigh less than 1, the owner
    /// does not lose. If the opponent is to move and all open lines plus the heaviest square weigh less than 1, the owner does
    /// not lose either.
    ///
    /// *Proof.* The owner always takes a heaviest square, which removes its lines. The opponent's next move doubles the weight
    /// of the lines through its square, which was no heavier. The sum at the owner's turns therefore never grows and stays
    /// below 1, but a completed line would weigh 1. If the opponent is to move, that move adds the weight of its square before
    /// the owner's turn. ∎
    pub const fn is_light(self) -> bool {
        self.0 < Weight::ONE
    }
}

/// Returns the lines that `player` can still complete, each with its empty squares, if each player has a mark.
pub fn open_lines(position: &Position, player: Player) -> impl Iterator<Item = (Line, SquareSet)> + use<'_> {
    position.mark_of(player).into_iter().flat_map(move |mark| {
        let n_turns = position.turns_left(mark);
        position.unblocked_lines(mark).filter(move |(_, empty)| empty.len() <= n_turns)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_of_exactly_one_is_not_light() {
        let is_light = |rules: &str, text: &str| {
            Weight::new(&Position::parse(text, &rules.parse().unwrap()).unwrap(), Player::Second).is_light()
        };
        // Two lines with one empty square each weigh 1/2 + 1/2, and X wins.
        assert!(!is_light("1,3,2", ".X. O"));
        // One such line weighs 1/2, which is light for the player to move but not for the other player.
        assert!(is_light("1,2,2", "X. O"));
        assert!(!is_light("1,4,2", "OX.. X"));
    }
}
