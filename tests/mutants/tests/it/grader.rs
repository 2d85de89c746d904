//! The short version of `cargo xtask mutants`: one wrong program per assignment, and all correct programs.

use std::path::Path;

use mutants::score::Plan;

#[test]
fn the_grader_finds_a_few_wrong_programs_and_no_fault_in_correct_ones() {
    let plan = Plan::short(Path::new(env!("CARGO_BIN_EXE_mutants")), Path::new(env!("CARGO_TARGET_TMPDIR")));
    let score = plan.run(&mut Vec::new()).expect("all programs can be graded");
    assert_eq!(score.failures(), [""; 0]);
    assert!(score.wrong.len() == 5 && score.right.len() > 15, "{score:?}");
}
