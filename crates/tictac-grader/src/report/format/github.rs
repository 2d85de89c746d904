//! Annotations of GitHub Actions: one workflow command per finding, which GitHub shows beside the source.

use std::fmt::{self, Write as _};
use std::fs;
use std::path::{Path, PathBuf};

use super::RenderOptions;
use crate::report::csv::notes;
use crate::report::details::plain_details;
use crate::report::{Feedback, Finding, Report, RequirementStatus};

/// How many bytes of the details of a finding an annotation shows; GitHub cuts off messages that are much longer.
const MAX_DETAILS: usize = 3_000;
/// What the names of sources end with, for a program that has the same name without the ending.
const EXTENSIONS: [&str; 14] =
    ["c", "cc", "cpp", "cxx", "rs", "go", "py", "java", "hs", "ml", "swift", "pas", "f90", "zig"];

pub(super) fn write(out: &mut String, reports: &[Report], options: RenderOptions) -> fmt::Result {
    reports.iter().try_for_each(|report| write_report(out, report, options.feedback, None))
}

/// Returns the annotations for what fails in these reports, with the source of each program if it is found in `folder`, the
/// folder that the programs' commands are relative to.
pub fn github_annotations(reports: &[Report], feedback: Feedback, folder: &Path) -> String {
    let mut out = String::new();
    for report in reports {
        let source = source_file(&report.command, folder);
        write_report(&mut out, report, feedback, source.as_deref()).expect("writing to a string cannot fail");
    }
    out
}

/// Renders the reason why nothing could be graded.
pub(super) fn render_error(message: &str) -> String {
    format!("::error title=tictac grade::{}\n", escape_message(message))
}

fn write_report(out: &mut String, report: &Report, feedback: Feedback, source: Option<&Path>) -> fmt::Result {
    for finding in &report.findings {
        let Some(level) = level(finding) else { continue };
        let place = source.map(|path| {
            let file = path.strip_prefix(".").unwrap_or(path).to_string_lossy();
            let line = feedback.cause(finding).and_then(|cause| {
                failing_line(&String::from_utf8_lossy(&cause.smallest.actual.stderr), path)
            });
            format!("file={},line={},", escape_property(&file), line.unwrap_or(1))
        });
        let title = format!("{}{}", finding.requirement.id, finding.note());
        writeln!(
            out,
            "::{level} {}title={}::{}",
            place.unwrap_or_default(),
            escape_property(&title),
            escape_message(&message(report, finding, feedback))
        )?;
    }
    let title = escape_property(&report.assignment.to_string());
    notes(report)
        .iter()
        .try_for_each(|note| writeln!(out, "::notice title={title}::{}", escape_message(note)))
}

/// Returns the kind of the annotation: an error if points are lost, a warning for a bonus or robustness that fails.
fn level(finding: &Finding) -> Option<&'static str> {
    let is_required = finding.requirement.kind.is_part_of_total();
    match finding.status() {
        RequirementStatus::Broken | RequirementStatus::Flaky | RequirementStatus::Unseen if is_required => {
            Some("error")
        }
        RequirementStatus::Broken | RequirementStatus::Flaky => Some("warning"),
        RequirementStatus::Unseen
        | RequirementStatus::Fulfilled
        | RequirementStatus::Untried
        | RequirementStatus::ByHand => None,
    }
}

fn message(report: &Report, finding: &Finding, feedback: Feedback) -> String {
    if !feedback.shows_rule() {
        return format!("{}: {}", finding.requirement.short_id(), finding.status().words());
    }
    let details = plain_details(report, finding, feedback);
    let end = details.floor_char_boundary(MAX_DETAILS);
    let dots = if end < details.len() { "…" } else { "" };
    let rule = finding.requirement.rule;
    format!("{rule}\n{}{dots}", details[..end].trim_end()).trim_end().to_owned()
}

/// Escapes the message of a workflow command.
fn escape_message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property of a workflow command.
fn escape_property(text: &str) -> String {
    escape_message(text).replace(':', "%3A").replace(',', "%2C")
}

/// Returns the source of a program: a script among the words of its command, or a file beside the program with its name and
/// the ending of a language.
fn source_file(command: &[String], folder: &Path) -> Option<PathBuf> {
    let files: Vec<PathBuf> =
        command.iter().map(|word| folder.join(word)).filter(|path| path.is_file()).collect();
    let is_source = |path: &&PathBuf| has_extension(path) || is_script(path);
    if let Some(script) = files.iter().find(is_source) {
        return Some(script.clone());
    }
    let program = files.first()?;
    EXTENSIONS.iter().map(|extension| program.with_extension(extension)).find(|path| path.is_file())
}

fn has_extension(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension) || extension == "sh")
}

fn is_script(path: &Path) -> bool {
    use std::io::Read as _;

    let mut start = [0; 2];
    fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok() && start == *b"#!")
}

/// Returns the last line of the source that an error message names, as Python (`"x.py", line 7`) and most other languages
/// (`x.rs:7:3`) do.
fn failing_line(stderr: &str, source: &Path) -> Option<u32> {
    let name = source.file_name()?.to_str()?;
    let number = |(at, _): (usize, &str)| {
        let rest = &stderr[at + name.len()..];
        let rest = rest.strip_prefix("\", line ").or_else(|| rest.strip_prefix(':'))?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).map_or(rest, |end| &rest[..end]);
        digits.parse().ok().filter(|&line| line > 0)
    };
    stderr.rmatch_indices(name).find_map(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_students_cannot_end_a_command_or_start_another() {
        assert_eq!(
            escape_message("100 %\r\n::stop-commands::x"),
            "100 %25%0D%0A::stop-commands::x",
            "a command starts at the beginning of a line"
        );
        assert_eq!(escape_property("a,b:c%\n"), "a%2Cb%3Ac%25%0A");
    }

    #[test]
    fn the_source_is_a_script_or_has_the_name_of_the_program() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in
            [("game-check", "\x7fELF"), ("game-check.c", ""), ("run", "#!/bin/sh"), ("a.py", "")]
        {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let source = |words: &[&str]| {
            let command: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            let found = source_file(&command, folder.path())?;
            Some(found.file_name()?.to_str()?.to_owned())
        };
        assert_eq!(source(&["./game-check"]).as_deref(), Some("game-check.c"));
        assert_eq!(source(&["./run"]).as_deref(), Some("run"));
        assert_eq!(source(&["python3", "a.py", "--fast"]).as_deref(), Some("a.py"));
        assert_eq!(source(&["./nothing"]), None);
    }

    #[test]
    fn the_line_is_the_last_one_that_the_error_names() {
        let traceback = "  File \"/srv/a.py\", line 12, in <module>\n  File \"/srv/a.py\", line 7, in f\n";
        assert_eq!(failing_line(traceback, Path::new("x/a.py")), Some(7));
        assert_eq!(failing_line("panicked at src/main.rs:31:5:\n", Path::new("main.rs")), Some(31));
        assert_eq!(failing_line("a.py: something\n", Path::new("a.py")), None);
    }
}
