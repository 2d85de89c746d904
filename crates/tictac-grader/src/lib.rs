//! The examiner: runs anybody's program against one of the five assignments and finds the smallest input that shows each
//! fault.

mod assignment;
mod requirement;

pub use assignment::{Assignment, UnknownAssignment};
pub use requirement::{Kind, Requirement};
