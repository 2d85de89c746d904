//! Every wrong program is wrong: there is an input on which it and the right one differ.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use fastrand::Rng;
use mutants::{Assignment, Console, Mutant, wrong};

use crate::inputs;

const N_INPUTS: usize = 2000;
const PATIENCE: Duration = Duration::from_secs(2);

/// What came back: at most so many bytes, and the status unless it had to be killed.
type Answer = (Vec<u8>, Option<i32>);

const MAX_BYTES: u64 = 1 << 18;

/// What chance would take long to find: blanks before the number, a long line, two lines with one move.
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
fn each_differs_from_the_right_one_on_some_input() {
    let is_never_wrong = |mutant: &Mutant| !differs(mutant.assignment, mutant.name);
    let never_wrong: Vec<&str> = wrong::all().filter(is_never_wrong).map(|mutant| mutant.name).collect();
    assert_eq!(never_wrong, [""; 0]);
}

fn differs(assignment: Assignment, mistake: &str) -> bool {
    let mut rng = Rng::with_seed(7);
    let random = (0..N_INPUTS).map(|_| match assignment {
        Assignment::MoveCheck | Assignment::GameCheck => inputs::record(&mut rng),
        Assignment::Lab3 => inputs::lab3(&mut rng),
        Assignment::TicTacToe => inputs::tictactoe(&mut rng),
        Assignment::Notakto => inputs::notakto(&mut rng),
    });
    // Those that crash or never end need a process of their own.
    let needs_process = ["crashes", "floods", "waits-for-ever", "knows-no", "plays-on"]
        .iter()
        .any(|word| mistake.contains(word));
    let run = if needs_process { in_a_process } else { here };
    let differs_on = |arguments: &[&str], input: &[u8]| {
        run(assignment, mistake, arguments, input) != here(assignment, "", arguments, input)
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

fn here(assignment: Assignment, mistake: &str, arguments: &[&str], mut input: &[u8]) -> Answer {
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
    (output, Some(status.into()))
}

fn in_a_process(assignment: Assignment, mistake: &str, arguments: &[&str], input: &[u8]) -> Answer {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mutants"))
        .args(["--assignment", assignment.name(), "--mistake", mistake])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program can be started");
    let mut stdin = child.stdin.take().expect("it is piped");
    let stdout = child.stdout.take().expect("it is piped");
    let input = input.to_vec();
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let (sender, receiver) = mpsc::channel();
    let reader = thread::spawn(move || {
        let mut said = Vec::new();
        // What comes after the limit is a flood, and nobody reads it.
        let _ = stdout.take(MAX_BYTES).read_to_end(&mut said);
        let _ = sender.send(said);
    });
    let said = receiver.recv_timeout(PATIENCE).unwrap_or_default();
    let status = status_of(&mut child, said.len() as u64 == MAX_BYTES);
    reader.join().expect("the reader does not panic");
    writer.join().expect("the writer does not panic");
    (said, status)
}

/// Waits a little, then kills it.
fn status_of(child: &mut Child, is_flooding: bool) -> Option<i32> {
    for _ in 0..if is_flooding { 0 } else { 400 } {
        if let Some(status) = child.try_wait().expect("the child can be asked") {
            return status.code();
        }
        thread::sleep(Duration::from_micros(500));
    }
    child.kill().expect("it is ours");
    child.wait().expect("it was killed");
    None
}
