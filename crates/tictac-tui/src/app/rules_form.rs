//! The form in which rules are put together.

use tictac::{Goal, Grid, Marks, Rules};

use crate::seat::Seat;
use crate::settings::{MAX_BOARDS, PlaySettings};

/// Rules being put together, and who plays by them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesForm {
    /// The rules so far, which can always be played.
    pub rules: Rules,
    /// The players, the first player first.
    pub seats: [Seat; 2],
    /// The index of the selected field, from the top.
    pub selected: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RulesField {
    Rows,
    Columns,
    LineLength,
    Goal,
    Marks,
    Boards,
    First,
    Second,
}

/// The fields with their labels, from top to bottom.
pub(crate) const RULES_FIELDS: [(RulesField, &str); 8] = [
    (RulesField::Rows, "Rows"),
    (RulesField::Columns, "Columns"),
    (RulesField::LineLength, "In a row"),
    (RulesField::Goal, "A line"),
    (RulesField::Marks, "Marks"),
    (RulesField::Boards, "Boards"),
    (RulesField::First, "First player"),
    (RulesField::Second, "Second player"),
];

impl RulesForm {
    /// Returns the form with the values of the settings.
    pub fn new(settings: &PlaySettings) -> RulesForm {
        RulesForm { rules: settings.rules, seats: settings.seats, selected: 0 }
    }

    pub(crate) fn value(&self, field: RulesField) -> String {
        let rules = &self.rules;
        match field {
            RulesField::Rows => rules.grid().rows().to_string(),
            RulesField::Columns => rules.grid().columns().to_string(),
            RulesField::LineLength => rules.line_length().to_string(),
            RulesField::Goal => match rules.goal() {
                Goal::Complete => "wins".to_owned(),
                Goal::Avoid => "loses (misère)".to_owned(),
            },
            RulesField::Marks => rules.marks().description().to_owned(),
            RulesField::Boards if rules.n_boards() == 1 && rules.with_boards(2).is_err() => {
                "1 (more with a shared mark)".to_owned()
            }
            RulesField::Boards => rules.n_boards().to_string(),
            RulesField::First => self.seats[0].to_string(),
            RulesField::Second => self.seats[1].to_string(),
        }
    }

    /// Changes the selected field, up or down by one; keeps the value if there are no such rules.
    pub fn change(&mut self, by: isize) {
        let (grid, length) = (self.rules.grid(), self.rules.line_length());
        let (rows, columns) = (grid.rows(), grid.columns());
        let moved = |number: usize| number.saturating_add_signed(by);
        match RULES_FIELDS[self.selected].0 {
            RulesField::Rows => self.resize(moved(rows), columns, length),
            RulesField::Columns => self.resize(rows, moved(columns), length),
            RulesField::LineLength => self.resize(rows, columns, moved(length)),
            RulesField::Goal => {
                self.rules =
                    self.rules.with_goal(cycled(&[Goal::Complete, Goal::Avoid], self.rules.goal(), by));
            }
            RulesField::Marks => {
                self.rules = self.rules.with_marks(cycled(&Marks::ALL, self.rules.marks(), by));
            }
            RulesField::Boards => {
                let n_boards = self.rules.n_boards().saturating_add_signed(by as i32).min(MAX_BOARDS);
                self.rules = self.rules.with_boards(n_boards).unwrap_or(self.rules);
            }
            RulesField::First => self.seats[0] = cycled(&Seat::all(), self.seats[0], by),
            RulesField::Second => self.seats[1] = cycled(&Seat::all(), self.seats[1], by),
        }
    }

    /// Changes the size of the grid and shortens a line that no longer fits; does nothing if there are no such rules.
    fn resize(&mut self, rows: usize, columns: usize, line_length: usize) {
        let line_length = line_length.min(rows.max(columns));
        let rules = Grid::new(rows, columns).and_then(|grid| Rules::new(grid, line_length).ok());
        let Some(rules) = rules else { return };
        let rules = rules.with_goal(self.rules.goal()).with_marks(self.rules.marks());
        self.rules = rules.with_boards(self.rules.n_boards()).unwrap_or(rules);
    }
}

/// Returns the value `by` places after `current`; the first one follows the last.
pub(super) fn cycled<T: Copy + PartialEq>(all: &[T], current: T, by: isize) -> T {
    let index = all.iter().position(|&value| value == current).unwrap_or(0);
    all[(index + all.len()).saturating_add_signed(by) % all.len()]
}

#[cfg(test)]
mod tests {
    use tictac_solver::level::Level;

    use super::*;

    #[track_caller]
    fn check(rules: &str, field: RulesField, by: isize, expected: &str) {
        let rules = rules.parse().unwrap();
        let selected = RULES_FIELDS.iter().position(|&(other, _)| other == field).unwrap();
        let mut form = RulesForm { rules, selected, ..RulesForm::new(&PlaySettings::default()) };
        form.change(by);
        assert_eq!(form.rules.to_string(), expected, "{rules}, {field:?} by {by}");
    }

    #[test]
    fn every_change_gives_valid_rules() {
        check("4,4,4", RulesField::Rows, 1, "5,4,4");
        check("4,4,4", RulesField::LineLength, 1, "4,4,4");
        check("5,4,5", RulesField::Rows, -1, "4,4,4");
        check("8,8,5", RulesField::Columns, 1, "8,8,5");
        check("1,1,1", RulesField::Rows, -1, "1,1,1");
        check("4,4,4", RulesField::Boards, 1, "4,4,4");
        check("notakto boards=9", RulesField::Boards, 1, "notakto boards=9");
        check("notakto boards=3", RulesField::Boards, -1, "notakto boards=2");
        check("notakto boards=3", RulesField::Rows, 1, "4,3,3 x-only misere boards=3");
        check("notakto boards=3", RulesField::Marks, 1, "3,3,3 misere");
        check("3,3,3", RulesField::Marks, -1, "3,3,3 x-only");
        check("3,3,3", RulesField::Goal, 1, "3,3,3 misere");
    }

    #[test]
    fn seats_cycle() {
        for seat in Seat::all() {
            assert_eq!(cycled(&Seat::all(), cycled(&Seat::all(), seat, 1), -1), seat);
        }
        assert_eq!(cycled(&Seat::all(), Seat::Computer(Level::Perfect), 1), Seat::Person);
    }
}
