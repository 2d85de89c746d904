//! The first proof and disproof numbers of a position, by its weight.

use crate::plain::hypergraph::{Hypergraph, Threats, surplus};
use crate::plain::line_tables::LineTables;
use crate::plain::proof_number::ProofNumbers;
use crate::plain::weights::ONE;

/// Estimates the numbers of a new position with the attacker to move: the greater the surplus of weight, the harder a win
/// is to disprove and the easier to prove.
pub(crate) fn estimate_attack<const N: usize>(
    tables: &LineTables<N>,
    attack: &Hypergraph<N>,
) -> ProofNumbers {
    match surplus(&attack.weights(tables), attack.total(), attack.empty_squares(tables)) {
        0 => ProofNumbers::held(),
        surplus => ProofNumbers::open(1 + surplus_halvings(surplus) / 3, 1 + surplus / ONE / 2),
    }
}

/// Estimates the numbers of a new position with the defender to move by the surplus after the heaviest reply.
///
/// The fewer replies there are to an immediate threat, the easier a win is to prove.
pub(crate) fn estimate_defence<const N: usize>(
    tables: &LineTables<N>,
    attack: &Hypergraph<N>,
) -> ProofNumbers {
    let total = attack.total();
    if total < ONE {
        return ProofNumbers::held();
    }
    let weights = attack.weights(tables);
    let surplus = surplus(&weights, total - weights.greatest(), attack.empty_squares(tables));
    let Threats { singles, forks } = attack.threats(tables);
    let answers = match (singles, forks) {
        (0, 0) => 8,
        (0, _) => 3,
        _ => 1,
    };
    ProofNumbers::open(answers + surplus_halvings(surplus), 1 + surplus / ONE / 2)
}

/// Returns how often the surplus has been halved since the start of a game.
fn surplus_halvings(surplus: u32) -> u32 {
    10u32.saturating_sub((1 + surplus / (ONE / 16)).ilog2())
}
