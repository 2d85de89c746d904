//! `cargo xtask fuzz --only grader`: the grader reads any output of a student's program without a panic, in bounded time, and accepts
//! what the programs of this repository print.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tictac_grader::run::{RunExit, RunOutput};
use tictac_grader::{Comparison, CourseProgram, judge_output};

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let program = CourseProgram::ALL[usize::from(choice) % CourseProgram::ALL.len()];
    let comparison = if choice < 128 { Comparison::Exact } else { Comparison::Lenient };
    // A byte that is in no sensible text separates the input from the output.
    let mut parts = rest.splitn(3, |&byte| byte == 0xFF);
    let mut part = || parts.next().unwrap_or_default().to_vec();
    let (input, stdout, stderr) = (part(), part(), part());
    let output = RunOutput { stdout, stderr, exit: RunExit::Status(i32::from(choice & 1)) };
    judge_output(program, &input, &output, comparison);
});
