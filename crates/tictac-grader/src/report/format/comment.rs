//! A short Markdown summary that fits into one comment on a pull request.

use std::fmt::{self, Write as _};

use super::RenderOptions;
use super::markdown::{fence, sentence};
use crate::report::csv::{lost_points, notes};
use crate::report::details::{plain_details, plural};
use crate::report::{Finding, Report};
use crate::requirement::RequirementKind;

/// GitHub accepts comments of up to 65,536 characters; some are left for what others write around the summary.
const MAX_LENGTH: usize = 60_000;
/// How many characters of one finding are shown.
const MAX_DETAILS: usize = 6_000;
/// How many characters the sentence about findings that do not fit may take.
const RESERVED: usize = 200;

pub(super) fn write(out: &mut String, reports: &[Report], options: RenderOptions) -> fmt::Result {
    for report in reports {
        write_summary(out, report)?;
    }
    let all = reports.iter().flat_map(|report| report.broken().map(move |finding| (report, finding)));
    let mut blocks: Vec<(RequirementKind, String)> = all
        .map(|(report, finding)| (finding.requirement.kind, block(report, finding, options)))
        .filter(|(_, block)| !block.is_empty())
        .collect();
    // If there is not enough space, robustness is left out first.
    blocks.sort_by_key(|(kind, _)| *kind);
    let mut n_left_out = 0;
    for (_, block) in blocks {
        if out.len() + block.len() + RESERVED <= MAX_LENGTH {
            out.push_str(&block);
        } else {
            n_left_out += 1;
        }
    }
    if n_left_out > 0 {
        let findings = plural(n_left_out, "finding");
        writeln!(out, "\n{n_left_out} more {findings} not shown here; the full report has all of them.")?;
    }
    Ok(())
}

fn write_summary(out: &mut String, report: &Report) -> fmt::Result {
    let symbol = if report.has_fault() { "❌" } else { "✅" };
    writeln!(out, "### {symbol} {}: {}\n", report.assignment, report.score_text())?;
    let lost = lost_points(report);
    if !lost.is_empty() {
        writeln!(out, "Points lost: {}.\n", lost.join("; "))?;
    }
    for note in notes(report) {
        writeln!(out, "_{}_\n", sentence(&note))?;
    }
    Ok(())
}

/// Returns a broken requirement with its smallest case, folded; nothing if the student may not see it.
fn block(report: &Report, finding: &Finding, options: RenderOptions) -> String {
    let details = plain_details(report, finding, options.feedback);
    if details.is_empty() {
        return String::new();
    }
    let end =
        details.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|&end| end <= MAX_DETAILS).last();
    let mut shown = details[..end.unwrap_or(0)].to_owned();
    if shown.len() < details.len() {
        shown.push_str("…\n");
    }
    let fence = fence(&shown);
    let id = finding.requirement.id;
    let rule = finding.requirement.rule.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<details><summary>✗ <code>{id}</code> {rule}</summary>\n\n{fence}text\n{shown}{fence}\n\n</details>\n"
    )
}
