//! Every wrong program differs from the correct one on some input.

use std::path::Path;
use std::time::Duration;

use fastrand::Rng;
use mutants::process;
use mutants::{Assignment, Console, Mutant, wrong};
use tictac_grader::run::{RunExit, RunOutput};

use mutants::inputs;

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

#[test]
fn each_wrong_program_differs_from_the_correct_one_on_some_input() {
    let is_never_wrong = |mutant: &Mutant| !differs(mutant.assignment, mutant.name);
    let never_wrong: Vec<&str> = wrong::all().filter(is_never_wrong).map(|mutant| mutant.name).collect();
    assert_eq!(never_wrong, [""; 0]);
}

fn differs(assignment: Assignment, mistake: &str) -> bool {
    let mut rng = Rng::with_seed(7);
    let random = (0..N_INPUTS).map(|_| match assignment {
        Assignment::MoveCheck | Assignment::GameCheck => inputs::record(&mut rng),
        Assignment::Lab3 => inputs::lab3(&mut rng),
        Assignment::Tictactoe => inputs::tictactoe(&mut rng),
        Assignment::Notakto => inputs::notakto(&mut rng),
    });
    // Programs that crash or never exit need their own process.
    let needs_process = ["crashes", "floods", "waits-forever", "has-no", "plays-on"]
        .iter()
        .any(|word| mistake.contains(word));
    let run = if needs_process { in_child_process } else { in_this_process };
    let differs_on = |arguments: &[&str], input: &[u8]| {
        run(assignment, mistake, arguments, input) != in_this_process(assignment, "", arguments, input)
    };
    if assignment == Assignment::Lab3 {
        let commands: [&[&str]; 4] = [&[], &["tictactoegame"], &["TicTacToeGame", "x"], &["game"]];
        if commands.iter().any(|arguments| differs_on(arguments, b"")) {
            return true;
        }
    }
    let arguments: &[&str] = if assignment == Assignment::Lab3 { &["TicTacToeGame"] } else { &[] };
    SPECIAL
        .iter()
        .map(|text| text.as_bytes().to_vec())
        .chain(random)
        .any(|input| differs_on(arguments, &input))
}

fn in_this_process(assignment: Assignment, mistake: &str, arguments: &[&str], mut input: &[u8]) -> RunOutput {
    let (mut output, mut error) = (Vec::new(), Vec::new());
    let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
    let mut console = Console {
        input: &mut input,
        output: &mut output,
        error: &mut error,
        program: "mutants",
        arguments: &arguments,
    };
    let status = wrong::run(assignment, mistake, &mut console).expect("memory can be read and written");
    RunOutput { stdout: output, stderr: Vec::new(), exit: RunExit::Status(status.into()) }
}

fn in_child_process(assignment: Assignment, mistake: &str, arguments: &[&str], input: &[u8]) -> RunOutput {
    let options = ["--assignment", assignment.name(), "--mistake", mistake];
    let arguments = options.iter().chain(arguments);
    process::run(Path::new(env!("CARGO_BIN_EXE_mutants")), arguments, input, TIME_LIMIT)
        .expect("the program can be started")
}
