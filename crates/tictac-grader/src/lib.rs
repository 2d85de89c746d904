//! Grades a program against an assignment, and finds the smallest input that shows each fault.
//!
//! | step | module |
//! |---|---|
//! | what a document asks for | `assignment`, `requirement`, the files in `assignments/` |
//! | the inputs to try | `case`, `generate` |
//! | the correct outputs for an input | `expect` |
//! | functions and classes in place of a program | `unit` |
//! | the style of its source, without running it | `style` |
//! | tests that students write | `suite`, with bugs made by `mutation` |
//! | running the program | [`run`] |
//! | comparing its output, and naming the requirement that it breaks | `judge` |
//! | making a failing input smaller | `shrink` |
//! | all of these in order | `exam` |
//! | what was found, in every format | [`report`] |
//! | whether an assignment tells right programs from wrong ones | `assignment_check` |
//! | questions to students about their own programs | `questions` |
//! | remembering it until a submission changes | `result_cache`, `stored` |

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod assignment;
mod assignment_check;
mod case;
mod config;
mod exam;
mod expect;
mod generate;
mod judge;
mod mutation;
mod names;
mod pack;
mod points;
mod questions;
pub mod report;
mod requirement;
mod result_cache;
pub mod run;
mod settings;
mod shrink;
mod stored;
mod style;
mod submission;
mod suite;
mod unit;

pub use assignment::{Assignment, AssignmentError, CourseProgram, FormPlace, draft_assignment};
pub use assignment_check::{AssignmentCheck, CheckedProgram, assignment_inputs, check_assignment};
pub use case::{Case, Criterion};
pub use config::Config;
pub use exam::{GradeProgress, find_fault, grade};
pub use judge::{Behaviour, Comparison, judge_output};
pub use mutation::{SourceLanguage, SourceMutant, mutants};
pub use pack::{pack, why_not_portable};
pub use points::Points;
pub use questions::{ProgramQuestion, program_questions, question_key, question_sheet};
pub use report::{
    Cause, Consistency, Example, Feedback, Finding, PositionCoverage, RenderOptions, Report, ReportFormat,
    RequirementStatus, render,
};
pub use requirement::{Requirement, RequirementKind};
pub use result_cache::ResultCache;
pub use settings::GradeSettings;
pub use submission::{build, find_program, why_missing};
pub use suite::{StudentTest, SuiteReport};
pub use unit::build_unit;
