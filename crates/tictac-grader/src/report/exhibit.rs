//! A failing case as plain text: the same block in every format that shows text.

use super::sides::{Row, rows};
use super::visible::{lacks_newline, producer, readable, shell_word, visible};
use super::{Cause, Constancy, Example, Feedback, Finding, Report};
use crate::assignment::Assignment;
use crate::case::Demand;
use crate::talk::Comparison;

/// How wide the two sides of a comparison are together, unless there is a reason for more.
const WIDTH: usize = 96;
/// What is shown at most; where there is more, that is said.
const MAX_CAUSES: usize = 5;
const MAX_LINES: usize = 40;
const MAX_LINE: usize = 200;

/// A part of the text, so that a format may colour it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A heading.
    Title,
    /// Anything else.
    Plain,
    /// What would have been right.
    Expected,
    /// What came.
    Actual,
    /// Something to copy.
    Command,
    /// What is only said on the side.
    Remark,
}

/// A line of pieces.
pub(super) type Line = Vec<(Part, String)>;

/// Returns what may be shown of a finding, line by line, without indentation.
pub(super) fn exhibit(report: &Report, finding: &Finding, feedback: Feedback) -> Vec<Line> {
    let mut lines = Vec::new();
    if finding.causes.is_empty() || !feedback.names_rule() {
        return lines;
    }
    lines.push(one(Part::Remark, format!("{} · {}", finding.requirement.id, finding.requirement.source)));
    let Some(cause) = feedback.cause(finding) else { return lines };
    lines.extend(causes(finding, feedback));
    lines.push(Vec::new());
    lines.extend(input(&cause.smallest));
    lines.push(Vec::new());
    lines.extend(outcome(&cause.smallest, feedback, report.comparison));
    lines.extend(stderr(&cause.smallest));
    lines.push(Vec::new());
    lines.push(one(Part::Title, "Try it yourself:"));
    lines.push(one(Part::Command, format!("  {}", command(report, &cause.smallest))));
    lines
}

/// Returns the same as one text.
pub(super) fn plain(report: &Report, finding: &Finding, feedback: Feedback) -> String {
    let lines = exhibit(report, finding, feedback);
    let text =
        |line: Line| line.into_iter().map(|(_, text)| text).collect::<String>().trim_end().to_owned() + "\n";
    lines.into_iter().map(text).collect()
}

fn one(part: Part, text: impl Into<String>) -> Line {
    vec![(part, text.into())]
}

/// Says what fails how often: one line a cause.
fn causes(finding: &Finding, feedback: Feedback) -> Vec<Line> {
    let n_failed = finding.n_failed();
    let mut lines = vec![one(
        Part::Plain,
        format!(
            "{n_failed} of {} {} failed. What the program does wrong:",
            finding.n_cases,
            cases(finding.n_cases)
        ),
    )];
    // Where the right answer is not told, causes may look the same.
    let mut told_causes: Vec<(usize, String)> = Vec::new();
    for cause in &finding.causes {
        let note = match cause.constancy {
            Constancy::Always => String::new(),
            Constancy::Sometimes { failed, runs } => {
                format!(" — flaky: {failed} of {runs} runs of the same input failed")
            }
        };
        let text = format!("{}{note}", told(cause, feedback));
        match told_causes.iter_mut().find(|(_, known)| *known == text) {
            Some((n_cases, _)) => *n_cases += cause.n_cases,
            None => told_causes.push((cause.n_cases, text)),
        }
    }
    let shown = told_causes.iter().take(MAX_CAUSES);
    lines.extend(shown.map(|(n_cases, text)| one(Part::Plain, format!("  {n_cases:>5} × {text}"))));
    if told_causes.len() > MAX_CAUSES {
        lines.push(one(Part::Plain, format!("  and {} other ways", told_causes.len() - MAX_CAUSES)));
    }
    lines
}

/// What the program does; what it should have done only where that may be told.
pub(super) fn told(cause: &Cause, feedback: Feedback) -> &str {
    let all = &cause.behaviour[..];
    if feedback.shows_answer() {
        return all;
    }
    let end = [" instead of ", " where "].into_iter().filter_map(|word| all.find(word)).min();
    end.map_or(all, |end| &all[..end])
}

pub(super) fn cases(n: usize) -> &'static str {
    if n == 1 { "case" } else { "cases" }
}

fn input(example: &Example) -> Vec<Line> {
    let bytes = &example.case.input[..];
    if bytes.is_empty() {
        return vec![one(Part::Title, "Smallest input: nothing at all (0 bytes)")];
    }
    let n = bytes.len();
    let note = if lacks_newline(bytes) { ", no newline at the end" } else { "" };
    let mut lines = vec![one(
        Part::Title,
        format!("Smallest input ({n} {}{note}):", if n == 1 { "byte" } else { "bytes" }),
    )];
    let shown = visible(bytes);
    let all: Vec<&str> = shown.lines().collect();
    lines.extend(all.iter().take(MAX_LINES).map(|line| one(Part::Plain, format!("  {line}"))));
    if all.len() > MAX_LINES {
        lines.push(one(Part::Remark, format!("  … {} more lines are not shown", all.len() - MAX_LINES)));
    }
    lines
}

/// Shows what came beside what should have come, or alone.
fn outcome(example: &Example, feedback: Feedback, comparison: Comparison) -> Vec<Line> {
    let status = example.actual.ending.to_string();
    if example.case.demand == Demand::Survival {
        let tail = tail(&example.actual.stdout);
        let mut lines = vec![one(Part::Actual, format!("Actual: {status}"))];
        if feedback.shows_answer() {
            lines.insert(0, one(Part::Expected, "Expected: the program ends by itself, whatever it says"));
        }
        lines.extend(tail);
        return lines;
    }
    if !feedback.shows_answer() {
        let mut lines = vec![one(Part::Title, "Your output:")];
        let shown = rows(b"", &example.actual.stdout, Comparison::Exact);
        if shown.is_empty() {
            lines.push(one(Part::Remark, "  (nothing)"));
        }
        lines.extend(shown.into_iter().map(|row| match row {
            Row::Different(_, Some(line)) => one(Part::Plain, format!("  {line}")),
            Row::Remark(text) => one(Part::Remark, format!("  … {text}")),
            _ => Vec::new(),
        }));
        lines.push(one(Part::Plain, format!("  {status}")));
        return lines;
    }
    side_by_side(example, &status, comparison)
}

fn side_by_side(example: &Example, status: &str, comparison: Comparison) -> Vec<Line> {
    let rows = rows(&example.expected.stdout, &example.actual.stdout, comparison);
    let expected_status = format!("exit status {}", example.expected.status);
    let longest = |row: &Row| match row {
        Row::Same(text, _) => text.chars().count(),
        Row::Different(a, _) => a.as_ref().map_or(0, |text| text.chars().count()),
        _ => 0,
    };
    let widest = rows.iter().map(longest).chain([expected_status.len(), 8]).max().unwrap_or(0);
    let width = widest.min(WIDTH / 2);
    let mut lines = vec![vec![(Part::Title, format!("  {:width$}   Actual", "Expected"))]];
    for row in rows {
        match row {
            Row::Same(a, b) => lines.extend(wrapped(&a, &b, width, false)),
            Row::Different(a, b) => {
                lines.extend(wrapped(a.as_deref().unwrap_or(""), b.as_deref().unwrap_or(""), width, true));
            }
            Row::LeftOut(n) => {
                let what = if n == 1 { "line that is" } else { "lines that are" };
                lines.push(one(Part::Remark, format!("  … {n} {what} equal not shown")));
            }
            Row::Remark(text) => lines.push(one(Part::Remark, format!("  … {text}"))),
        }
    }
    if example.expected.stdout.is_empty() && example.actual.stdout.is_empty() {
        lines.push(one(Part::Remark, "  (no output on either side)"));
    } else if example.actual.stdout.is_empty() {
        lines.push(one(Part::Remark, "  (your program printed nothing)"));
    }
    let is_same = expected_status == status;
    lines.extend(wrapped(&expected_status, status, width, !is_same));
    lines
}

/// One row of two columns; what does not fit goes on in the next line.
fn wrapped(left: &str, right: &str, width: usize, is_different: bool) -> Vec<Line> {
    let (left, right) = (pieces(left, width), pieces(right, WIDTH - width));
    let (bar, a, b) =
        if is_different { ("≠", Part::Expected, Part::Actual) } else { ("│", Part::Plain, Part::Plain) };
    let none = String::new();
    (0..left.len().max(right.len()))
        .map(|at| {
            let (left, right) = (left.get(at).unwrap_or(&none), right.get(at).unwrap_or(&none));
            let padding = " ".repeat(width.saturating_sub(left.chars().count()));
            vec![(a, format!("  {left}{padding}")), (Part::Plain, format!(" {bar} ")), (b, right.clone())]
        })
        .collect()
}

/// Cuts a line into pieces of at most `width` characters, after a blank where there is one.
fn pieces(text: &str, width: usize) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let (mut rest, width) = (&chars[..], width.max(8));
    let mut pieces = Vec::new();
    while rest.len() > width {
        let end = rest[..width].iter().rposition(|&c| c == ' ').map_or(width, |blank| blank + 1);
        let (piece, after) = rest.split_at(end);
        pieces.push(piece.iter().collect());
        rest = after;
    }
    pieces.push(rest.iter().collect());
    pieces
}

/// The last lines of an output that may be very long.
fn tail(stdout: &[u8]) -> Vec<Line> {
    const N: usize = 8;
    let text = readable(stdout);
    let all: Vec<&str> = text.lines().collect();
    let mut lines = Vec::new();
    if all.len() > N {
        lines.push(one(
            Part::Remark,
            format!("  … {} lines of output before these are not shown", all.len() - N),
        ));
    }
    let last = all.iter().skip(all.len().saturating_sub(N));
    lines.extend(last.map(|line| {
        let shown: String = super::visible::visible_line(line).chars().take(MAX_LINE).collect();
        let rest = line.chars().count().saturating_sub(MAX_LINE);
        let note = if rest > 0 { format!("… ({rest} more characters)") } else { String::new() };
        one(Part::Plain, format!("  {shown}{note}"))
    }));
    lines
}

fn stderr(example: &Example) -> Vec<Line> {
    if example.actual.stderr.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Vec::new(), one(Part::Title, "On standard error:")];
    lines.extend(tail(&example.actual.stderr));
    lines
}

/// Returns a line to copy that shows the fault again.
pub(super) fn command(report: &Report, example: &Example) -> String {
    let words = report.command.iter().map(String::as_str);
    let arguments: Vec<String> =
        example.case.arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<String> = words.chain(arguments.iter().map(String::as_str)).map(shell_word).collect();
    let mut program = words.join(" ");
    if !program.contains('/') {
        program = format!("./{program}");
    }
    if report.assignment == Assignment::Lab3 && example.case.input.is_empty() {
        return format!("{program} < /dev/null; echo $?");
    }
    format!("{} | {program}; echo $?", producer(&example.case.input))
}

/// Returns the cause in one line.
pub(super) fn in_one_line(cause: &Cause, feedback: Feedback) -> String {
    format!("{} ({} {})", told(cause, feedback), cause.n_cases, cases(cause.n_cases))
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn long_lines_are_cut_between_words_and_nothing_is_lost() {
        assert_eq!(pieces("Bad square, try again.", 18), ["Bad square, try ", "again."]);
        assert_eq!(pieces("0123456789abcdef", 10), ["0123456789", "abcdef"]);
        assert_eq!(pieces("", 10), [""]);
    }
}
