//! Every wrong program differs from the correct one on some input.

use std::path::Path;
use std::time::Duration;

use fastrand::Rng;
use mutants::{Assignment, Mutant, inputs, process, wrong};

const N_INPUTS: usize = 2000;
const TIME_LIMIT: Duration = Duration::from_secs(2);

/// Inputs that are hardly ever generated at random.
const SPECIAL: [&str; 14] = [
    "",
    "\n",
    " 1 X A1\n",
    "+1 X A1\n",
    "01 X A1\n",
    "0 X A1\n",
    "1 X A4\n",
    "1 X D1\n",
    "1 X A 1\n",
    "1 X A1#\n",
    "1 X A1 x\n",
    "1                                                                                X A1\n",
    "1 X A2\n2 O B2\n3 X A3\n4 O B3\n5 X B1\n6 O C3\n7 X C1\n8 O C2\n9 X A1\n",
    "1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\nx\n",
];

/// Checks that each wrong program of an assignment differs from the right one on some input.
#[track_caller]
fn check(assignment: Assignment) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrongness");
    let right = wrong::build_right(assignment, &folder).expect("the right program can be built");
    let is_never_wrong = |mutant: &Mutant| {
        let wrong = mutant.build(&folder).expect("the wrong program can be built");
        !differ(assignment, &wrong, &right)
    };
    let mutants = wrong::all().filter(|mutant| mutant.assignment == assignment);
    let never_wrong: Vec<&str> = mutants.filter(is_never_wrong).map(|mutant| mutant.name).collect();
    assert_eq!(never_wrong, [""; 0]);
}

#[test]
fn each_wrong_move_check_differs_from_the_right_one_on_some_input() {
    check(Assignment::MoveCheck);
}

#[test]
fn each_wrong_game_check_differs_from_the_right_one_on_some_input() {
    check(Assignment::GameCheck);
}

#[test]
fn each_wrong_lab3_differs_from_the_right_one_on_some_input() {
    check(Assignment::Lab3);
}

#[test]
fn each_wrong_tictactoe_differs_from_the_right_one_on_some_input() {
    check(Assignment::Tictactoe);
}

#[test]
fn each_wrong_notakto_differs_from_the_right_one_on_some_input() {
    check(Assignment::Notakto);
}

fn differ(assignment: Assignment, wrong: &Path, right: &Path) -> bool {
    let mut rng = Rng::with_seed(7);
    let random = (0..N_INPUTS).map(|_| match assignment {
        Assignment::MoveCheck | Assignment::GameCheck => inputs::record(&mut rng),
        Assignment::Lab3 => inputs::lab3(&mut rng),
        Assignment::Tictactoe => inputs::tictactoe(&mut rng),
        Assignment::Notakto => inputs::notakto(&mut rng),
    });
    let differ_on = |arguments: &[&str], input: &[u8]| {
        let run = |program| process::run(program, arguments, input, TIME_LIMIT).expect("it can be started");
        run(wrong) != run(right)
    };
    if assignment == Assignment::Lab3 {
        let commands: [&[&str]; 4] = [&[], &["tictactoegame"], &["TicTacToeGame", "x"], &["game"]];
        if commands.iter().any(|arguments| differ_on(arguments, b"")) {
            return true;
        }
    }
    let arguments: &[&str] = if assignment == Assignment::Lab3 { &["TicTacToeGame"] } else { &[] };
    let special = SPECIAL.iter().map(|text| text.as_bytes().to_vec());
    special.chain(random).any(|input| differ_on(arguments, &input))
}
