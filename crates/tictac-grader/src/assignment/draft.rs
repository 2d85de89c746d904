//! Drafts an assignment from a reference.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::path::Path;

use crate::run::{Program, RunExit, RunOutput, Runner};
use crate::settings::GradeSettings;

/// The inputs that a reference is tried on.
const PROBES: [&str; 14] = [
    "",
    "\n",
    "1\n",
    "2\n",
    "10\n",
    "0\n",
    "-1\n",
    "1 2\n",
    "2000 2024\n",
    "1,2\n",
    "1 2\n3 4\n",
    "hello\n",
    "a b c\n",
    "x",
];
/// How many examples a draft has.
const MAX_EXAMPLES: usize = 8;

/// Runs a reference on a few inputs; returns the text of an `assignment.toml` that describes what it did. `name` is that of the
/// assignment, `file` that of the reference in its folder. What a teacher has to write is marked with `TODO`.
///
/// # Errors
///
/// Returns an error if the reference cannot be run, or never exits by itself.
pub fn draft_assignment(
    reference: &Path,
    name: &str,
    file: &str,
    settings: &GradeSettings,
) -> io::Result<String> {
    let program = Program::find(reference, &[])?;
    let mut runner = Runner::new(program, settings.clone())?;
    let mut tried: Vec<(&str, RunOutput)> = Vec::new();
    for probe in PROBES {
        let output = runner.run(&[] as &[OsString], probe.as_bytes())?;
        if output.exit.is_clean() {
            tried.push((probe, output));
        }
    }
    if tried.is_empty() {
        return Err(io::Error::other("it never exits by itself on any input"));
    }
    let kind = if tried.iter().any(|(probe, output)| probe.is_empty() && asks(output)) {
        "dialogue"
    } else {
        "checker"
    };
    let mut statuses: Vec<i32> = tried.iter().filter_map(|(_, output)| status(output)).collect();
    statuses.sort_unstable();
    statuses.dedup();
    let statuses: Vec<String> = statuses.iter().map(ToString::to_string).collect();
    // One input for each different output.
    let mut seen = HashSet::new();
    let distinct = tried.iter().filter(|(_, output)| seen.insert((&output.stdout, output.exit)));
    let examples: String = distinct.take(MAX_EXAMPLES).map(example).collect();
    Ok(format!(
        include_str!("draft.toml"),
        name = toml_string(name),
        kind = kind,
        command = toml_string(&format!("./{file}")),
        statuses = statuses.join(", "),
        examples = examples,
    ))
}

fn status(output: &RunOutput) -> Option<i32> {
    match output.exit {
        RunExit::Status(status) => Some(status),
        _ => None,
    }
}

/// Returns whether an output that was printed before any input looks like a question.
fn asks(output: &RunOutput) -> bool {
    let text = String::from_utf8_lossy(&output.stdout);
    !text.is_empty()
        && (!text.ends_with('\n') || text.lines().any(|line| line.trim_end().ends_with([':', '?', '>'])))
}

/// Returns an example with a comment that shows the answer.
fn example((input, output): &(&str, RunOutput)) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let answer: String = text.chars().take(50).flat_map(char::escape_debug).collect();
    format!("    {{ input = {} }}, # {} and prints {answer:?}\n", toml_string(input), output.exit)
        .replace("\\\\", "\\")
}

/// Returns a text as a string in a TOML file.
fn toml_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
