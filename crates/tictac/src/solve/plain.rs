//! Who wins plain m,n,k games: provers of yes-or-no questions, each good at something else.

mod battle;
mod breaker;
mod duel;
mod effort;
mod field;
mod hypergraph;
mod proof_number;
mod question;
mod table;
mod team;
mod zone;

pub(crate) use field::Field;
pub(crate) use question::{Contest, Prover, Verdict};
pub(crate) use team::{Specialty, Team};
