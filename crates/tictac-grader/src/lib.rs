//! The examiner: runs anybody's program against one of the five assignments and finds the smallest input that shows each
//! fault.

mod assignment;
mod case;
mod checker;
mod crew;
mod dialects;
mod exam;
mod expect;
mod fault;
mod features;
mod generate;
mod report;
mod requirement;
pub mod run;
mod settings;
mod shrink;
mod talk;

pub use assignment::{Assignment, UnknownAssignment};
pub use case::{Case, Demand};
pub use exam::{CannotGrade, Progress, grade, grade_with_progress};
pub use expect::Expected;
pub use report::{Cause, Constancy, Example, Finding, Report, Verdict};
pub use requirement::{Kind, Requirement};
pub use settings::{Isolation, Settings};
pub use talk::Comparison;
