//! One board under any rules: a search that proves bounds, and tables of all positions where they fit.

pub(crate) mod fillings;
pub(crate) mod general_solver;
pub(crate) mod images;
pub(crate) mod position_table;
pub(crate) mod rules_search;
pub(crate) mod safe_board;
pub(crate) mod safe_moves;
pub(crate) mod safe_sums;
pub(crate) mod score_table;
pub(crate) mod search;
pub(crate) mod solver;
pub(crate) mod static_eval;
pub(crate) mod transposition;
pub(crate) mod x_only;
