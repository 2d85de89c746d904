//! Provers of plain m,n,k games: each answers whether a player can force a line, by a different method.

mod blocking_answers;
mod breaker;
mod coverage;
mod depth_first;
mod edge_node;
mod estimates;
mod hypergraph;
mod line_tables;
pub(crate) mod pair_search;
mod partial_pairing;
mod portfolio;
mod proof_number;
mod prover;
mod prover_grid;
mod prover_tables;
mod reply_choice;
mod saved_results;
mod weights;
mod zone;

pub(crate) use portfolio::Portfolio;
pub(crate) use prover::{LineQuestion, NODES_PER_TURN, Prover, StopCheck};
pub(crate) use prover_grid::ProverGrid;
pub(crate) use prover_tables::ProverTables;
pub(crate) use weights::SquareWeights;
