//! The examiner: runs anybody's program against one of the five assignments and finds the smallest input that shows each
//! fault.

mod assignment;
mod case;
mod checker;
mod config;
mod crew;
mod dialects;
mod evidence;
mod exam;
mod expect;
mod fault;
mod features;
mod generate;
mod pack;
pub mod report;
mod requirement;
pub mod run;
mod settings;
mod shrink;
mod submission;
mod talk;

pub use assignment::{Assignment, UnknownAssignment};
pub use case::{Case, Demand};
pub use config::Config;
pub use exam::{CannotGrade, Progress, grade, grade_with_progress};
pub use expect::Expected;
pub use pack::pack;
pub use report::{Cause, Constancy, Example, Feedback, Finding, Format, Report, Style, Verdict, render};
pub use requirement::{Kind, Requirement};
pub use settings::{Isolation, Settings};
pub use submission::{BuildFailure, build, find_program, why_missing};
pub use talk::Comparison;
