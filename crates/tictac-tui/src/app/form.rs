//! The form on which other rules are put together.

use tictac::{Goal, Grid, Marks, Rules};

use crate::seat::Seat;
use crate::settings::{MAX_BOARDS, Settings};

/// Rules being put together, and who plays by them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The rules so far; always some that can be played.
    pub rules: Rules,
    /// Who plays, the first player first.
    pub seats: [Seat; 2],
    /// The field that is being changed, from 0.
    pub field: usize,
}

/// A line of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// How many rows.
    Rows,
    /// How many columns.
    Columns,
    /// How many in a row make a line.
    InARow,
    /// What a line means.
    Goal,
    /// Which marks may be written.
    Marks,
    /// How many boards.
    Boards,
    /// Who begins.
    First,
    /// Who answers.
    Second,
}

impl Field {
    /// All of them, from the top.
    pub const ALL: [Field; 8] = [
        Field::Rows,
        Field::Columns,
        Field::InARow,
        Field::Goal,
        Field::Marks,
        Field::Boards,
        Field::First,
        Field::Second,
    ];

    /// What it asks.
    pub const fn title(self) -> &'static str {
        match self {
            Field::Rows => "Rows",
            Field::Columns => "Columns",
            Field::InARow => "In a row",
            Field::Goal => "A line",
            Field::Marks => "Marks",
            Field::Boards => "Boards",
            Field::First => "First player",
            Field::Second => "Second player",
        }
    }
}

impl Form {
    /// Returns the form as it was last filled in.
    pub fn new(settings: &Settings) -> Form {
        Form { rules: settings.rules, seats: settings.seats, field: 0 }
    }

    /// What stands in a field.
    pub fn value(&self, field: Field) -> String {
        let rules = &self.rules;
        match field {
            Field::Rows => rules.grid().rows().to_string(),
            Field::Columns => rules.grid().columns().to_string(),
            Field::InARow => rules.line_length().to_string(),
            Field::Goal => match rules.goal() {
                Goal::Complete => "wins".to_owned(),
                Goal::Avoid => "loses (misère)".to_owned(),
            },
            Field::Marks => match rules.marks() {
                Marks::Own => "each his own".to_owned(),
                Marks::Either => "either (wild)".to_owned(),
                Marks::OnlyX => "X only (Notakto)".to_owned(),
            },
            Field::Boards if rules.marks() == Marks::OnlyX => rules.n_boards().to_string(),
            Field::Boards => "1 (more with X only)".to_owned(),
            Field::First => self.seats[0].to_string(),
            Field::Second => self.seats[1].to_string(),
        }
    }

    /// Goes to the field so many lines away.
    pub fn go(&mut self, by: isize) {
        self.field = self.field.saturating_add_signed(by).min(Field::ALL.len() - 1);
    }

    /// Changes the field at hand, up or down by one.
    pub fn change(&mut self, by: isize) {
        let grid = self.rules.grid();
        let moved = |number: usize| number.saturating_add_signed(by);
        let seat = |seat: Seat| if by > 0 { seat.next() } else { seat.previous() };
        match Field::ALL[self.field] {
            Field::Rows => self.resize(moved(grid.rows()), grid.columns(), self.rules.line_length()),
            Field::Columns => self.resize(grid.rows(), moved(grid.columns()), self.rules.line_length()),
            Field::InARow => self.resize(grid.rows(), grid.columns(), moved(self.rules.line_length())),
            Field::Goal => {
                let goal = match self.rules.goal() {
                    Goal::Complete => Goal::Avoid,
                    Goal::Avoid => Goal::Complete,
                };
                self.rules = self.rules.with_goal(goal);
            }
            Field::Marks => {
                let order = [Marks::Own, Marks::Either, Marks::OnlyX];
                let place = order.iter().position(|&marks| marks == self.rules.marks()).unwrap_or(0);
                let place = (place + order.len()).saturating_add_signed(by) % order.len();
                self.rules = self.rules.with_marks(order[place]);
            }
            Field::Boards => {
                let n_boards = self.rules.n_boards().saturating_add_signed(by as i32).min(MAX_BOARDS);
                // Where there can be only one board, one it stays.
                self.rules = self.rules.with_boards(n_boards).unwrap_or(self.rules);
            }
            Field::First => self.seats[0] = seat(self.seats[0]),
            Field::Second => self.seats[1] = seat(self.seats[1]),
        }
    }

    /// Takes another size if there are such rules; a line that became too long is made shorter.
    fn resize(&mut self, rows: usize, columns: usize, line_length: usize) {
        let is_new_line = line_length != self.rules.line_length();
        let longest = rows.max(columns);
        let line_length = if is_new_line { line_length } else { line_length.min(longest) };
        let rules = Grid::new(rows, columns).and_then(|grid| Rules::new(grid, line_length).ok());
        let Some(rules) = rules else { return };
        let rules = rules.with_goal(self.rules.goal()).with_marks(self.rules.marks());
        self.rules = rules.with_boards(self.rules.n_boards()).unwrap_or(rules);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(rules: &str) -> Form {
        Form { rules: rules.parse().unwrap(), ..Form::new(&Settings::default()) }
    }

    #[track_caller]
    fn check(rules: &str, field: Field, by: isize, expected: &str) {
        let mut form = form(rules);
        form.field = Field::ALL.iter().position(|&other| other == field).unwrap();
        form.change(by);
        assert_eq!(form.rules.to_string(), expected, "{rules}, {field:?} by {by}");
    }

    #[test]
    fn whatever_is_changed_there_are_such_rules() {
        check("4,4,4", Field::Rows, 1, "5,4,4");
        check("4,4,4", Field::InARow, 1, "4,4,4");
        check("5,4,5", Field::Rows, -1, "4,4,4");
        check("8,8,5", Field::Columns, 1, "8,8,5");
        check("1,1,1", Field::Rows, -1, "1,1,1");
        check("4,4,4", Field::Boards, 1, "4,4,4");
        check("notakto boards=9", Field::Boards, 1, "notakto boards=9");
        check("notakto boards=3", Field::Boards, -1, "notakto boards=2");
        check("notakto boards=3", Field::Rows, 1, "4,3,3 x-only misere boards=3");
        check("notakto boards=3", Field::Marks, 1, "3,3,3 misere");
        check("3,3,3", Field::Marks, -1, "3,3,3 x-only");
        check("3,3,3", Field::Goal, 1, "3,3,3 misere");
    }
}
