//! The score as a page.

use std::fmt::Write as _;

use super::{RightRow, Score, WrongRow};
use crate::Assignment;

/// Returns the tables in Markdown.
pub fn markdown(score: &Score) -> String {
    let mut page = String::new();
    let (n_wrong, n_right) = (score.wrong.len(), score.right.len());
    let n_found = score.wrong.iter().filter(|row| row.is_good()).count();
    let n_cleared = score.right.iter().filter(|row| row.is_good()).count();
    let _ = writeln!(
        page,
        "**{n_found} of {n_wrong}** wrong programs found, each with the requirement that it breaks; **{n_cleared} of \
         {n_right}** right programs cleared.\n"
    );
    for assignment in Assignment::ALL {
        let _ = writeln!(page, "### {assignment}\n");
        let _ =
            writeln!(page, "| wrong program | its mistake | blamed | smallest case | neighbours | cases |");
        let _ = writeln!(page, "|---|---|---|---|---:|---:|");
        for row in score.wrong.iter().filter(|row| row.mutant.assignment == assignment) {
            page += &wrong_line(row);
        }
        let _ = writeln!(page, "\n| right program | how it is written | remarks | cases |");
        let _ = writeln!(page, "|---|---|---|---:|");
        for row in score.right.iter().filter(|row| row.style.assignment == assignment) {
            page += &right_line(row);
        }
        page.push('\n');
    }
    page.trim_end().to_owned() + "\n"
}

fn wrong_line(row: &WrongRow) -> String {
    let (shown, neighbours) = match &row.smallest {
        None => (String::new(), String::new()),
        Some(smallest) if smallest.n_bad_neighbours == 0 => {
            (smallest.shown.clone(), smallest.n_neighbours.to_string())
        }
        Some(smallest) => {
            let counts = format!("{}, {} fail otherwise", smallest.n_neighbours, smallest.n_bad_neighbours);
            (smallest.shown.clone(), counts)
        }
    };
    let n_others = row.blamed.iter().filter(|&&id| id != row.mutant.blamed).count();
    let others = if n_others == 0 { String::new() } else { format!(" and {n_others} more") };
    let mark = if row.is_good() { "" } else { "✗ " };
    let requirement = row.mutant.blamed.split('/').next_back().unwrap_or_default();
    let mistake = row.mutant.mistake.replace('|', "\\|");
    format!(
        "| {mark}{} | {mistake} | {requirement}{others} | {} | {neighbours} | {} |\n",
        row.mutant.name,
        shown.replace('|', "\\|"),
        row.n_cases
    )
}

fn right_line(row: &RightRow) -> String {
    let mark = if row.is_good() { "" } else { "✗ " };
    let short =
        |ids: &[&str]| ids.iter().filter_map(|id| id.split('/').next_back()).collect::<Vec<_>>().join(", ");
    let remarks = short(&row.remarks);
    let blamed = if row.is_good() { String::new() } else { format!("blamed: {}; ", short(&row.blamed)) };
    format!("| {mark}{} | {} | {blamed}{remarks} | {} |\n", row.style.name, row.style.manner, row.n_cases)
}
