//! Several boards: nimbers where a line wins, misère quotients where it loses, and sums where neither applies.

pub(crate) mod boards_solver;
pub(crate) mod distances;
pub(crate) mod nimbers;
pub(crate) mod quotient;
