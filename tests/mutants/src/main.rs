//! Runs one of the programs: `mutants --assignment game-check --mistake accepts-taken-squares`, or `--style
//! sums-to-fifteen`. Further arguments are passed to the program.

use std::env;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use mutants::{Assignment, Console, right, wrong};

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
    let [program, assignment_option, assignment, kind, name, arguments @ ..] = words else {
        return list();
    };
    let program = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
    let assignment: Assignment = assignment.parse().map_err(io::Error::other)?;
    let (input, output) = (&mut io::stdin().lock(), &mut io::stdout().lock());
    let mut console = Console { input, output, error: &mut io::stderr(), program: &program, arguments };
    match (assignment_option.as_str(), kind.as_str()) {
        ("--assignment", "--mistake") if is_mistake(assignment, name) => {
            wrong::run(assignment, name, &mut console)
        }
        ("--assignment", "--style") => match right::find(assignment, name) {
            Some(program) => program.run(&mut console),
            None => Err(io::Error::other(format!("{assignment} has no style {name}"))),
        },
        ("--assignment", "--mistake") => Err(io::Error::other(format!("{assignment} has no mistake {name}"))),
        _ => list(),
    }
}

fn is_mistake(assignment: Assignment, name: &str) -> bool {
    wrong::all().any(|mutant| mutant.assignment == assignment && mutant.name == name)
}

/// Prints the usage and all programs.
fn list() -> io::Result<u8> {
    let out = &mut io::stdout().lock();
    writeln!(out, "Usage: mutants --assignment NAME --mistake NAME [ARGUMENTS]")?;
    writeln!(out, "       mutants --assignment NAME --style NAME [ARGUMENTS]")?;
    for assignment in Assignment::ALL {
        writeln!(out, "\n{assignment}")?;
        for mutant in wrong::all().filter(|mutant| mutant.assignment == assignment) {
            writeln!(out, "  --mistake {:42} {}", mutant.name, mutant.mistake)?;
        }
        for program in right::all().filter(|program| program.assignment == assignment) {
            writeln!(out, "  --style   {:42} {}", program.name, program.style)?;
        }
    }
    Ok(2)
}
