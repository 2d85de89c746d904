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
        match self {
            Letters::Rows => mv,
            Letters::Columns => transposed(mv, from, to).expect("both grids have the same squares"),
        }
    }
}

/// Exchanges the row and the column of a move; `None` if `to` has no such square.
fn transposed(mv: Move, from: &Rules, to: &Rules) -> Option<Move> {
    let square = to.grid().square(from.grid().column(mv.square), from.grid().row(mv.square))?;
    Some(Move { square, ..mv })
}

/// Follows a game as if its letters named columns, to explain squares off the grid.
#[derive(Clone, Debug)]
pub(crate) struct ColumnReading {
    rules: Rules,
    naming: Rules,
    referee: Referee,
    is_legal: bool,
}

impl ColumnReading {
    /// Starts a game, or returns `None` on a square grid, where both readings are equally legal.
    pub(crate) fn new(rules: &Rules) -> Option<ColumnReading> {
        let is_square = rules.grid().rows() == rules.grid().columns();
        (!is_square).then(|| ColumnReading {
            rules: *rules,
            naming: Letters::Columns.naming_rules(rules),
            referee: Referee::new(rules),
            is_legal: true,
        })
    }

    /// Follows a line that is well formed if letters name rows.
    pub(crate) fn follow(&mut self, entry: Entry) {
        self.judge(entry, transposed(entry.mv, &self.rules, &self.rules));
    }

    /// Follows any other line.
    pub(crate) fn read_line(&mut self, text: &[u8]) {
        match LineReader::read(text, &self.naming) {
            Ok(entry) => self.judge(entry, transposed(entry.mv, &self.naming, &self.rules)),
            Err(_) => self.is_legal = false,
        }
    }

    fn judge(&mut self, entry: Entry, mv: Option<Move>) {
        self.is_legal =
            self.is_legal && mv.is_some_and(|mv| self.referee.judge(Entry { mv, ..entry }).is_ok());
    }

    /// Returns a help text if the game so far is legal in this reading.
    pub(crate) fn help(&self) -> Option<String> {
        (self.is_legal && self.referee.n_accepted() > 0)
            .then(|| "this game is legal if the letter is read as the column".to_owned())
    }
}
