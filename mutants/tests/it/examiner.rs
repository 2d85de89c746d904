//! The short version of `cargo xtask mutants`: one wrong program an assignment, and all right ones.

use std::path::Path;

use mutants::score::Plan;

#[test]
fn a_few_wrong_programs_are_found_and_no_right_one_is_blamed() {
    let plan = Plan::short(Path::new(env!("CARGO_BIN_EXE_mutants")), Path::new(env!("CARGO_TARGET_TMPDIR")));
    let score = plan.run(&mut Vec::new()).expect("all programs can be examined");
    assert_eq!(score.failures(), [""; 0]);
    assert!(score.wrong.len() == 5 && score.right.len() > 15, "{score:?}");
}
