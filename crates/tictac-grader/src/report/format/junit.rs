//! `JUnit` XML, which most CI systems read.

use std::fmt::{self, Write as _};

use super::{RenderOptions, escape_xml};
use crate::report::details::{cause_text, plain_details};
use crate::report::{Feedback, Finding, Report, RequirementStatus};

pub(super) fn write(out: &mut String, reports: &[Report], options: RenderOptions) -> fmt::Result {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tictac grade\">")?;
    reports.iter().try_for_each(|report| write_suite(out, report, options.feedback))?;
    writeln!(out, "</testsuites>")
}

/// Returns the element for the result of a test, or `None` if it passed. Bonus and robustness must not fail a build, so
/// their faults are reported as skipped.
fn element(finding: &Finding) -> Option<&'static str> {
    match finding.status() {
        RequirementStatus::Fulfilled => None,
        RequirementStatus::Broken | RequirementStatus::Flaky | RequirementStatus::Unseen
            if finding.requirement.kind.is_part_of_total() =>
        {
            Some("failure")
        }
        _ => Some("skipped"),
    }
}

fn write_suite(out: &mut String, report: &Report, feedback: Feedback) -> fmt::Result {
    let count = |name| report.findings.iter().filter(|finding| element(finding) == Some(name)).count();
    writeln!(
        out,
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">",
        report.assignment,
        report.findings.len(),
        count("failure"),
        count("skipped"),
    )?;
    write!(out, "    <properties><property name=\"seed\" value=\"{}\"/>", report.seed)?;
    for each in report.circumstances() {
        write!(out, "<property name=\"note\" value=\"{}\"/>", escape_xml(&each))?;
    }
    writeln!(out, "</properties>")?;
    report.findings.iter().try_for_each(|finding| write_case(out, report, finding, feedback))?;
    writeln!(out, "  </testsuite>")
}

fn write_case(out: &mut String, report: &Report, finding: &Finding, feedback: Feedback) -> fmt::Result {
    let requirement = finding.requirement;
    let name = if feedback.shows_rule() { requirement.rule } else { requirement.short_id() };
    write!(out, "    <testcase classname=\"{}\" name=\"{}\"", escape_xml(requirement.id), escape_xml(name))?;
    let (Some(element), cause) = (element(finding), finding.causes.first()) else {
        return writeln!(out, "/>");
    };
    let Some(cause) = cause else {
        let points = match finding.status() {
            RequirementStatus::ByHand => format!("{} points ", finding.points),
            _ => String::new(),
        };
        let remarks = if feedback.shows_rule() { &finding.remarks[..] } else { &[] };
        let remarks: String = remarks.iter().flat_map(|remark| ["; ", remark]).collect();
        let message = format!("{points}{}{remarks}", finding.status().words());
        return writeln!(out, "><{element} message=\"{}\"/></testcase>", escape_xml(&message));
    };
    let message = match feedback.cause(finding) {
        Some(_) => cause_text(cause, feedback),
        None => "failed".to_owned(),
    };
    writeln!(
        out,
        ">\n      <{element} message=\"{}\">{}</{element}>\n    </testcase>",
        escape_xml(&message),
        escape_xml(&plain_details(report, finding, feedback))
    )
}
