//! Records whose letters name columns instead of rows.

use tictac::notation::{Entry, LineReader, Referee};
use tictac::{Grid, Move, Rules};

/// The coordinate that the letter of a square names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letters {
    /// The row, A on top, as in the course's records.
    #[default]
    Rows,
    /// The column, A on the left, as in chess and gomoku.
    Columns,
}

impl Letters {
    /// Returns the rules whose grid gives squares their names: if letters name columns, those of the transposed grid.
    pub fn naming_rules(self, rules: &Rules) -> Rules {
        if self == Letters::Rows {
            return *rules;
        }
        let grid = rules.grid();
        Grid::new(grid.columns(), grid.rows())
            .and_then(|grid| Rules::new(grid, rules.line_length()).ok())
            .and_then(|transposed| transposed.with_marks(rules.marks()).with_boards(rules.n_boards()).ok())
            .expect("transposed rules are valid")
    }

    /// Converts a move from the grid of `from` to that of `to`; one of the two must be the [naming rules](Letters::naming_rules)
    /// of the other.
    #[must_use]
    pub fn convert(self, mv: Move, from: &Rules, to: &Rules) -> Move {
        if self == Letters::Rows {
            return mv;
        }
        let (row, column) = (from.grid().row(mv.square), from.grid().column(mv.square));
        let square = to.grid().square(column, row).expect("both grids have the same squares");
        Move { square, ..mv }
    }

    /// Returns a reader of lines in which squares are written in this way.
    pub(crate) fn line_reader(self, rules: &Rules) -> LineReader {
        LineReader::new(&self.naming_rules(rules))
    }

    /// Converts an entry from [`line_reader`](Letters::line_reader) into an entry of a game of `rules`.
    pub(crate) fn convert_entry(self, entry: Entry, rules: &Rules) -> Entry {
        Entry { mv: self.convert(entry.mv, &self.naming_rules(rules), rules), ..entry }
    }
}

/// Follows a game as if its letters named columns, to explain squares off the grid.
#[derive(Clone, Debug)]
pub(crate) struct ColumnReading {
    rules: Rules,
    referee: Referee,
    is_legal: bool,
}

impl ColumnReading {
    /// Starts a game, or returns `None` on a square grid, where both readings are equally legal.
    pub(crate) fn new(rules: &Rules) -> Option<ColumnReading> {
        let is_square = rules.grid().rows() == rules.grid().columns();
        (!is_square).then(|| ColumnReading { rules: *rules, referee: Referee::new(rules), is_legal: true })
    }

    pub(crate) fn read_line(&mut self, text: &[u8]) {
        let mut reader = Letters::Columns.line_reader(&self.rules);
        let entry = text.iter().try_for_each(|&byte| reader.push(byte)).and_then(|()| reader.finish());
        self.is_legal = self.is_legal
            && entry.is_ok_and(|entry| {
                self.referee.judge(Letters::Columns.convert_entry(entry, &self.rules)).is_ok()
            });
    }

    /// Returns a help text if the game so far is legal in this reading.
    pub(crate) fn help(&self) -> Option<String> {
        (self.is_legal && self.referee.n_accepted() > 0)
            .then(|| "this game is legal if the letter is read as the column".to_owned())
    }
}
