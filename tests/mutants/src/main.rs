//! Runs one of the right programs that are part of this crate: `mutants --assignment game-check --style sums-to-fifteen`.
//! Further arguments are passed to the program.

use std::env;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use mutants::{Assignment, Console, right};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    match run(&arguments) {
        Ok(status) => ExitCode::from(status),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing can be done if standard error is closed.
            let _ = writeln!(io::stderr(), "mutants: {error}");
            ExitCode::from(64)
        }
    }
}

fn run(words: &[String]) -> io::Result<u8> {
    let [program, first, assignment, second, style, arguments @ ..] = words else { return list() };
    if [first, second] != ["--assignment", "--style"] {
        return list();
    }
    let assignment: Assignment = assignment.parse().map_err(io::Error::other)?;
    let found = right::find(assignment, style);
    let found = found.ok_or_else(|| io::Error::other(format!("{assignment} has no style {style}")))?;
    let program = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
    let (input, output) = (&mut io::stdin().lock(), &mut io::stdout().lock());
    found.run(&mut Console { input, output, program: &program, arguments })
}

/// Prints the usage and all programs.
fn list() -> io::Result<u8> {
    let out = &mut io::stdout().lock();
    writeln!(out, "Usage: mutants --assignment NAME --style NAME [ARGUMENTS]")?;
    for program in right::all() {
        writeln!(
            out,
            "  --assignment {:10} --style {:16} {}",
            program.assignment, program.name, program.style
        )?;
    }
    Ok(2)
}
