//! Words that the page, its script and its table share.

use tictac::{Goal, Marks, Rules};

/// Which marks may be written, as the script calls it.
pub(super) const fn marks(rules: &Rules) -> &'static str {
    match rules.marks() {
        Marks::Own => "own",
        Marks::Either => "either",
        Marks::OnlyX => "x-only",
    }
}

/// What a line means, as the script calls it.
pub(super) const fn goal(rules: &Rules) -> &'static str {
    match rules.goal() {
        Goal::Complete => "complete",
        Goal::Avoid => "avoid",
    }
}

/// The rules in everyday words.
pub(super) fn rules(rules: &Rules) -> String {
    let (grid, line) = (rules.grid(), rules.line_length());
    let verb = if rules.goal() == Goal::Complete { "wins" } else { "loses" };
    let marks = match rules.marks() {
        Marks::Own => "",
        Marks::Either => ", either mark",
        Marks::OnlyX => ", both write X",
    };
    let boards =
        if rules.n_boards() > 1 { format!(" on {} boards", rules.n_boards()) } else { String::new() };
    format!("{}×{}, {line} in a row {verb}{marks}{boards}", grid.rows(), grid.columns())
}
