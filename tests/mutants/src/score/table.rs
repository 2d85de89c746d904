//! The results as Markdown tables.

use super::{RightRow, Score, WrongRow};
use crate::Assignment;

/// Returns the tables of an assignment as Markdown.
pub fn markdown(score: &Score, assignment: Assignment) -> String {
    let wrong: Vec<_> = score.wrong.iter().filter(|row| row.mutant.assignment == assignment).collect();
    let right: Vec<_> = score.right.iter().filter(|row| row.program.assignment == assignment).collect();
    let n_found = wrong.iter().filter(|row| row.is_good()).count();
    let n_cleared = right.iter().filter(|row| row.is_good()).count();
    let mut page = format!(
        "**{n_found} of {}** wrong programs found with the right requirement; no fault reported in **{n_cleared} of {}** right \
         programs.\n\n",
        wrong.len(),
        right.len()
    );
    page += "| wrong program | mistake | blamed | smallest case | neighbours | cases | seconds |\n";
    page += "|---|---|---|---|---:|---:|---:|\n";
    page.extend(wrong.into_iter().map(wrong_line));
    page += "\n| right program | style | remarks | cases | seconds |\n|---|---|---|---:|---:|\n";
    page.extend(right.into_iter().map(right_line));
    page
}

fn wrong_line(row: &WrongRow) -> String {
    let (shown, neighbours) = match &row.smallest {
        None => (String::new(), String::new()),
        Some(smallest) if smallest.n_bad_neighbours == 0 => {
            (smallest.shown.clone(), smallest.n_neighbours.to_string())
        }
        Some(smallest) => {
            let counts =
                format!("{}, {} fail for another cause", smallest.n_neighbours, smallest.n_bad_neighbours);
            (smallest.shown.clone(), counts)
        }
    };
    let n_others = row.blamed.iter().filter(|&&id| id != row.mutant.blamed()).count();
    let others = if n_others == 0 { String::new() } else { format!(" and {n_others} more") };
    let mark = if row.is_good() { "" } else { "✗ " };
    let requirement = row.mutant.requirement;
    let mistake = row.mutant.mistake.replace('|', "\\|");
    format!(
        "| {mark}{} | {mistake} | {requirement}{others} | {} | {neighbours} | {} | {:.1} |\n",
        row.mutant.name,
        shown.replace('|', "\\|"),
        row.n_cases,
        row.time.as_secs_f64()
    )
}

fn right_line(row: &RightRow) -> String {
    let mark = if row.is_good() { "" } else { "✗ " };
    let short =
        |ids: &[&str]| ids.iter().filter_map(|id| id.split('/').next_back()).collect::<Vec<_>>().join(", ");
    let remarks = short(&row.remarks);
    let blamed = if row.is_good() { String::new() } else { format!("blamed: {}; ", short(&row.blamed)) };
    format!(
        "| {mark}{} | {} | {blamed}{remarks} | {} | {:.1} |\n",
        row.program.name,
        row.program.style,
        row.n_cases,
        row.time.as_secs_f64()
    )
}
