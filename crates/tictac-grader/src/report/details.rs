//! The details of a finding as text, shared by all formats that show text.

use super::bytes::{lacks_newline, printing_command, shell_word, to_text, visible, visible_line};
use super::diff::{DiffRow, diff};
use super::{Behaviour, Cause, Consistency, Example, Feedback, Finding, Report, RequirementStatus};
use crate::assignment::CourseProgram;
use crate::case::Criterion;
use crate::judge::Comparison;
use crate::unit::UnitForm;

/// The width of both sides of a comparison together.
const WIDTH: usize = 96;
/// How many causes, lines of input and characters of an output line are shown at most.
const MAX_CAUSES: usize = 5;
const MAX_INPUT_LINES: usize = 40;
const MAX_LINE_LENGTH: usize = 200;

/// The role of a piece of text, for formats that have colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextRole {
    Title,
    Plain,
    Expected,
    Actual,
    Command,
    Remark,
}

impl TextRole {
    /// Returns the class of such text in HTML, and its ANSI colour code.
    pub(super) const fn style(self) -> (&'static str, &'static str) {
        match self {
            TextRole::Title => ("title", "1"),
            TextRole::Plain => ("plain", ""),
            TextRole::Expected => ("expected", "32"),
            TextRole::Actual => ("actual", "31"),
            TextRole::Command => ("command", "36"),
            TextRole::Remark => ("remark", "2"),
        }
    }
}

/// A line of text in pieces.
pub(super) type StyledLine = Vec<(TextRole, String)>;

/// Returns the lines that a student may see of a finding; none if the requirement is not broken.
pub(super) fn details(report: &Report, finding: &Finding, feedback: Feedback) -> Vec<StyledLine> {
    let mut lines = Vec::new();
    if !feedback.shows_rule() {
        return lines;
    }
    let requirement = finding.requirement;
    if finding.causes.is_empty() {
        if finding.status() == RequirementStatus::Broken {
            lines.push(line(TextRole::Remark, format!("{} · {}", requirement.id, requirement.source)));
        }
        lines.extend(finding.remarks.iter().map(|remark| line(TextRole::Actual, remark.clone())));
        return lines;
    }
    lines.push(line(TextRole::Remark, format!("{} · {}", requirement.id, requirement.source)));
    lines.extend(requirement.hint.map(|hint| line(TextRole::Plain, format!("Hint: {hint}"))));
    let Some(cause) = feedback.cause(finding) else { return lines };
    if let (Some(tests), true) =
        (&report.tests, report.assignment.form().is_about_tests(requirement.short_id()))
    {
        lines.push(line(TextRole::Plain, behaviour_text(&cause.behaviour, feedback)));
        let is_about_tests =
            |each: &&Finding| report.assignment.form().is_about_tests(each.requirement.short_id());
        let first = report.broken().find(is_about_tests);
        // The others are about the same table.
        if first.is_some_and(|first| first.requirement == requirement) {
            lines.extend(tests.lines().into_iter().map(|text| line(TextRole::Plain, text)));
        }
        return lines;
    }
    lines.extend(causes(finding, feedback));
    lines.push(Vec::new());
    match &report.assignment.form().unit {
        Some(unit) => lines.extend(calls(unit, &cause.smallest)),
        None => lines.extend(input(&cause.smallest)),
    }
    lines.push(Vec::new());
    let has_calls = report.assignment.asks_for_functions();
    lines.extend(outputs(&cause.smallest, feedback, report.comparison, has_calls));
    lines.extend(stderr(&cause.smallest));
    if has_calls {
        return lines;
    }
    lines.push(Vec::new());
    lines.push(line(TextRole::Title, "Try it yourself:"));
    lines.push(line(TextRole::Command, format!("  {}", command(report, &cause.smallest))));
    lines
}

pub(super) fn plain_details(report: &Report, finding: &Finding, feedback: Feedback) -> String {
    let text = |line: StyledLine| {
        let text: String = line.into_iter().map(|(_, text)| text).collect();
        text.trim_end().to_owned() + "\n"
    };
    details(report, finding, feedback).into_iter().map(text).collect()
}

fn line(role: TextRole, text: impl Into<String>) -> StyledLine {
    vec![(role, text.into())]
}

/// Returns how many cases failed, and one line per cause.
fn causes(finding: &Finding, feedback: Feedback) -> Vec<StyledLine> {
    let (n_failed, n_cases) = (finding.n_failed(), finding.n_cases);
    let mut lines = vec![line(
        TextRole::Plain,
        format!("{n_failed} of {n_cases} {} failed. What the program does wrong:", plural(n_cases, "case")),
    )];
    // If the expected output is hidden, different causes may have the same text.
    let mut texts: Vec<(usize, String)> = Vec::new();
    for cause in &finding.causes {
        let note = match cause.consistency {
            Consistency::Always => String::new(),
            Consistency::Sometimes { failed, runs } => {
                format!(" — flaky: {failed} of {runs} runs with the same input failed")
            }
        };
        let text = format!("{}{note}", behaviour_text(&cause.behaviour, feedback));
        match texts.iter_mut().find(|(_, known)| *known == text) {
            Some((n_cases, _)) => *n_cases += cause.n_cases,
            None => texts.push((cause.n_cases, text)),
        }
    }
    let shown = texts.iter().take(MAX_CAUSES);
    lines.extend(shown.map(|(n_cases, text)| line(TextRole::Plain, format!("  {n_cases:>5} × {text}"))));
    if texts.len() > MAX_CAUSES {
        lines.push(line(TextRole::Plain, format!("  and {} other ways", texts.len() - MAX_CAUSES)));
    }
    lines
}

/// Returns what a program does, and what was expected only if students may see it.
pub(super) fn behaviour_text(behaviour: &Behaviour, feedback: Feedback) -> String {
    if feedback.shows_expected() { behaviour.to_string() } else { behaviour.actual.clone() }
}

pub(super) fn cause_text(cause: &Cause, feedback: Feedback) -> String {
    let behaviour = behaviour_text(&cause.behaviour, feedback);
    format!("{behaviour} ({} {})", cause.n_cases, plural(cause.n_cases, "case"))
}

/// Returns a noun in the form that fits a number.
pub(super) fn plural(n: usize, noun: &str) -> String {
    if n == 1 { noun.to_owned() } else { format!("{noun}s") }
}

/// Returns the input of a case in one line, or its calls as code.
pub(super) fn input_text(report: &Report, example: &Example) -> String {
    let lines = match &report.assignment.form().unit {
        Some(unit) => unit.code(&example.case.input).join("; "),
        None => visible(&example.case.input).lines().collect::<Vec<_>>().join(" "),
    };
    let arguments = example.case.arguments.iter().map(|word| word.to_string_lossy().into_owned() + " ");
    arguments.chain([if lines.is_empty() { "(no input)".to_owned() } else { lines }]).collect()
}

/// Returns the calls of a case as code.
fn calls(unit: &UnitForm, example: &Example) -> Vec<StyledLine> {
    let code = unit.code(&example.case.input);
    let title = format!("Smallest failing {}:", plural(code.len(), "call"));
    let lines = code.into_iter().map(|code| line(TextRole::Command, format!("  {code}")));
    [line(TextRole::Title, title)].into_iter().chain(lines).collect()
}

fn input(example: &Example) -> Vec<StyledLine> {
    let bytes = &example.case.input[..];
    if bytes.is_empty() {
        return vec![line(TextRole::Title, "Smallest input: none (0 bytes)")];
    }
    let n = bytes.len();
    let note = if lacks_newline(bytes) { ", no newline at the end" } else { "" };
    let mut lines = vec![line(TextRole::Title, format!("Smallest input ({n} {}{note}):", plural(n, "byte")))];
    let shown = visible(bytes);
    let all: Vec<&str> = shown.lines().collect();
    lines.extend(all.iter().take(MAX_INPUT_LINES).map(|text| line(TextRole::Plain, format!("  {text}"))));
    if all.len() > MAX_INPUT_LINES {
        lines.push(line(
            TextRole::Remark,
            format!("  … {} more lines not shown", all.len() - MAX_INPUT_LINES),
        ));
    }
    lines
}

/// Returns the expected and the actual output side by side, or only the actual one.
fn outputs(
    example: &Example,
    feedback: Feedback,
    comparison: Comparison,
    has_calls: bool,
) -> Vec<StyledLine> {
    let exit = example.actual.exit;
    let any_output = match example.case.criterion {
        Criterion::CleanExit => Some("the program exits by itself, with any output"),
        Criterion::NoOtherMove => Some("the program exits by itself, and plays no move that was not entered"),
        Criterion::Output | Criterion::BonusOutput => None,
    };
    if let Some(expected) = any_output {
        let mut lines = Vec::new();
        if feedback.shows_expected() {
            lines.push(line(TextRole::Expected, format!("Expected: {expected}")));
        }
        lines.push(line(TextRole::Actual, format!("Actual: {exit}")));
        lines.extend(tail(&example.actual.stdout));
        return lines;
    }
    if feedback.shows_expected() {
        let mut lines = side_by_side(example, comparison);
        if has_calls && example.actual.exit == example.expected.exit {
            lines.pop();
        }
        return lines;
    }
    let mut lines = vec![line(TextRole::Title, "Your output:")];
    let rows = diff(b"", &example.actual.stdout, Comparison::Exact);
    if rows.is_empty() {
        lines.push(line(TextRole::Remark, "  (nothing)"));
    }
    lines.extend(rows.into_iter().map(|row| match row {
        DiffRow::Different(_, Some(text)) => line(TextRole::Plain, format!("  {text}")),
        DiffRow::Remark(text) => line(TextRole::Remark, format!("  … {text}")),
        _ => Vec::new(),
    }));
    lines.push(line(TextRole::Plain, format!("  {exit}")));
    lines
}

fn side_by_side(example: &Example, comparison: Comparison) -> Vec<StyledLine> {
    let (expected, actual) = (&example.expected.stdout, &example.actual.stdout);
    let exits = (example.expected.exit.to_string(), example.actual.exit.to_string());
    let exits = if exits.0 == exits.1 {
        DiffRow::Same(exits.0, exits.1)
    } else {
        DiffRow::Different(Some(exits.0), Some(exits.1))
    };
    let rows = diff(expected, actual, comparison);
    let left_width = |row: &DiffRow| match row {
        DiffRow::Same(text, _) | DiffRow::Different(Some(text), _) => text.chars().count(),
        _ => 0,
    };
    let widest = rows.iter().chain([&exits]).map(left_width).max().unwrap_or(0);
    let width = widest.max("Expected".len()).min(WIDTH / 2);
    let mut lines = vec![line(TextRole::Title, format!("  {:width$}   Actual", "Expected"))];
    lines.extend(rows.into_iter().flat_map(|row| columns(row, width)));
    if expected.is_empty() && actual.is_empty() {
        lines.push(line(TextRole::Remark, "  (no output expected, none printed)"));
    } else if actual.is_empty() {
        lines.push(line(TextRole::Remark, "  (your program printed nothing)"));
    }
    lines.extend(columns(exits, width));
    lines
}

/// Returns a row as lines of two columns.
fn columns(row: DiffRow, width: usize) -> Vec<StyledLine> {
    let (left, right, bar, roles) = match row {
        DiffRow::Same(left, right) => (left, right, "│", (TextRole::Plain, TextRole::Plain)),
        DiffRow::Different(left, right) => {
            let (left, right) = (left.unwrap_or_default(), right.unwrap_or_default());
            (left, right, "≠", (TextRole::Expected, TextRole::Actual))
        }
        DiffRow::Omitted(n) => {
            return vec![line(TextRole::Remark, format!("  … {n} equal {} not shown", plural(n, "line")))];
        }
        DiffRow::Remark(text) => return vec![line(TextRole::Remark, format!("  … {text}"))],
    };
    let (left, right) = (wrap(&left, width), wrap(&right, WIDTH - width));
    let none = String::new();
    (0..left.len().max(right.len()))
        .map(|at| {
            let (left, right) = (left.get(at).unwrap_or(&none), right.get(at).unwrap_or(&none));
            let padding = " ".repeat(width.saturating_sub(left.chars().count()));
            vec![
                (roles.0, format!("  {left}{padding}")),
                (TextRole::Plain, format!(" {bar} ")),
                (roles.1, right.clone()),
            ]
        })
        .collect()
}

/// Cuts a line into pieces of at most `width` characters, after a space if possible.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let (mut rest, width) = (&chars[..], width.max(8));
    let mut pieces = Vec::new();
    while rest.len() > width {
        let end = rest[..width].iter().rposition(|&c| c == ' ').map_or(width, |space| space + 1);
        let (piece, after) = rest.split_at(end);
        pieces.push(piece.iter().collect());
        rest = after;
    }
    pieces.push(rest.iter().collect());
    pieces
}

/// Returns the last lines of an output that may be very long.
fn tail(output: &[u8]) -> Vec<StyledLine> {
    const N: usize = 8;
    let text = to_text(output);
    let all: Vec<&str> = text.lines().collect();
    let mut lines = Vec::new();
    let n_before = all.len().saturating_sub(N);
    if n_before > 0 {
        let text = format!("  … {n_before} earlier {} not shown", plural(n_before, "line"));
        lines.push(line(TextRole::Remark, text));
    }
    lines.extend(all[n_before..].iter().map(|text| {
        let shown: String = visible_line(text).chars().take(MAX_LINE_LENGTH).collect();
        let rest = text.chars().count().saturating_sub(MAX_LINE_LENGTH);
        let note = if rest > 0 { format!("… ({rest} more characters)") } else { String::new() };
        line(TextRole::Plain, format!("  {shown}{note}"))
    }));
    lines
}

fn stderr(example: &Example) -> Vec<StyledLine> {
    if example.actual.stderr.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Vec::new(), line(TextRole::Title, "Standard error:")];
    lines.extend(tail(&example.actual.stderr));
    lines
}

/// Returns a shell command that reproduces a fault.
pub(super) fn command(report: &Report, example: &Example) -> String {
    let arguments = example.case.arguments.iter().map(|word| word.to_string_lossy());
    let words = report.command.iter().map(|word| word.as_str().into()).chain(arguments);
    let program = words.map(|word| shell_word(&word)).collect::<Vec<_>>().join(" ");
    if report.assignment == CourseProgram::Lab3 && example.case.input.is_empty() {
        return format!("{program} < /dev/null; echo $?");
    }
    format!("{} | {program}; echo $?", printing_command(&example.case.input))
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn long_lines_are_cut_between_words_and_nothing_is_lost() {
        assert_eq!(wrap("Bad square, try again.", 18), ["Bad square, try ", "again."]);
        assert_eq!(wrap("0123456789abcdef", 10), ["0123456789", "abcdef"]);
        assert_eq!(wrap("", 10), [""]);
    }
}
