//! Records whose letters name columns instead of rows.

use tictac::notation::{Entry, LineReader, Referee};
use tictac::{Grid, Rules};

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
    /// Returns a reader of lines in which squares are written in this way.
    pub(crate) fn line_reader(self, rules: &Rules) -> LineReader {
        match self {
            Letters::Rows => LineReader::new(rules),
            Letters::Columns => LineReader::new(&transposed(rules)),
        }
    }

    /// Converts an entry from [`line_reader`](Letters::line_reader) into an entry of a game of `rules`.
    pub(crate) fn convert(self, mut entry: Entry, rules: &Rules) -> Entry {
        if self == Letters::Columns {
            let grid = transposed(rules).grid();
            let (row, column) = (grid.row(entry.mv.square), grid.column(entry.mv.square));
            entry.mv.square = rules.grid().square(column, row).expect("both grids have the same squares");
        }
        entry
    }
}

/// Returns rules with rows and columns exchanged, for reading lines only.
fn transposed(rules: &Rules) -> Rules {
    let grid = rules.grid();
    Grid::new(grid.columns(), grid.rows())
        .and_then(|grid| Rules::new(grid, rules.line_length()).ok())
        .and_then(|transposed| transposed.with_marks(rules.marks()).with_boards(rules.n_boards()).ok())
        .expect("transposed rules are valid")
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
            && entry
                .is_ok_and(|entry| self.referee.judge(Letters::Columns.convert(entry, &self.rules)).is_ok());
    }

    /// Returns a help text if the game so far is legal in this reading.
    pub(crate) fn help(&self) -> Option<String> {
        (self.is_legal && self.referee.n_accepted() > 0)
            .then(|| "this game is legal if the letter is read as the column".to_owned())
    }
}
