//! Faults with what an archive knows beyond the line: earlier moves, free squares, the line that ended the game.

use tictac::notation::{Code, Entry, Expected, Fault, LineName, LineReader, ParseError, Referee};
use tictac::{Grid, IllegalMove, Mark, Rules, Square, SquareSet};

/// How many names of squares a person reads before giving up.
const MAX_NAMES: usize = 12;

/// Which move took which square, as far as it is remembered.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    // By board and square; 0 for none. Empty where there are too many boards to remember.
    numbers: Vec<u32>,
}

/// Squares of all boards up to which moves are remembered: a million boards would take more memory than they are worth.
const MAX_REMEMBERED: usize = 65_536;

impl History {
    /// Remembers an accepted move.
    pub(crate) fn remember(&mut self, entry: Entry, rules: &Rules) {
        if self.numbers.is_empty() && rules.max_moves() <= MAX_REMEMBERED {
            self.numbers.resize(rules.max_moves(), 0);
        }
        if let Some(number) = self.numbers.get_mut(place(entry, rules)) {
            *number = entry.number;
        }
    }

    fn number(&self, entry: Entry, rules: &Rules) -> Option<u32> {
        self.numbers.get(place(entry, rules)).copied().filter(|&number| number > 0)
    }
}

fn place(entry: Entry, rules: &Rules) -> usize {
    entry.mv.board as usize * rules.grid().len() + entry.mv.square.index()
}

/// Returns the fault of a line that is not well formed.
pub(crate) fn of_syntax(error: ParseError) -> Fault {
    let mut fault = Fault::from(error);
    if (error.expected, error.found) == (Expected::BlankOrEnd, Some(b'#')) {
        "expected a blank before #".clone_into(&mut fault.message);
    }
    fault
}

/// Returns the fault of a move that breaks a rule.
pub(crate) fn of_illegal(
    reason: IllegalMove,
    entry: Entry,
    rules: &Rules,
    referee: &Referee,
    history: &History,
) -> Fault {
    let mut fault = Fault::from(reason);
    match reason {
        IllegalMove::Occupied { square, .. } => {
            let (mark, free) = look_at(referee, rules, entry.mv.board, square);
            if let Some(number) = history.number(entry, rules) {
                fault.message = format!("{} ({mark} played it at move {number})", fault.message);
            }
            fault.help = Some(format!("free squares: {}", names(rules, free)));
        }
        IllegalMove::GameOver { .. } => {
            let number = referee.n_accepted();
            let lines: Vec<String> = referee.position().map_or(Vec::new(), |position| {
                position.lines().map(|line| LineName { grid: rules.grid(), line }.to_string()).collect()
            });
            let end = if lines.is_empty() {
                format!("move {number} was the last one")
            } else {
                format!("move {number} completed {}", lines.join(" and "))
            };
            fault.help = Some(format!("{end}; a blank line would start another game"));
        }
        IllegalMove::WrongNumber { expected, found } if found < expected => {
            fault.help = Some(format!(
                "move {found} stands above; if another game starts here, put a blank line before it"
            ));
        }
        IllegalMove::WrongMark { expected } if rules.marks_name_players() => {
            fault.help = Some(format!("{} moved just before, and the players take turns", !expected));
        }
        _ => {}
    }
    fault
}

/// Returns the mark on a taken square, and the free squares of its board.
fn look_at(referee: &Referee, rules: &Rules, board: u32, square: Square) -> (Mark, SquareSet) {
    match (referee.position(), referee.boards()) {
        (Some(position), _) => (position.board().mark(square).unwrap_or(Mark::X), position.empty_squares()),
        (None, Some(boards)) => {
            let taken = boards.boards().get(board as usize).copied().unwrap_or_default();
            (Mark::X, rules.squares() - taken)
        }
        (None, None) => (Mark::X, rules.squares()),
    }
}

fn names(rules: &Rules, squares: SquareSet) -> String {
    let shown: Vec<String> =
        squares.iter().take(MAX_NAMES).map(|square| rules.grid().name(square).to_string()).collect();
    let n_more = squares.len().saturating_sub(MAX_NAMES);
    let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
    shown.join(", ") + &more
}

/// Follows a game as if the letters named the columns, which is how chess and gomoku write squares.
///
/// On a square grid that changes nothing but the picture; on others it can be the reason for a square off the grid.
#[derive(Clone, Debug)]
pub(crate) struct OtherReading {
    rules: Rules,
    referee: Referee,
    is_legal: bool,
}

impl OtherReading {
    /// Returns the other reading at the start of a game, or `None` on a square grid.
    pub(crate) fn new(rules: &Rules) -> Option<OtherReading> {
        let grid = rules.grid();
        if grid.rows() == grid.columns() {
            return None;
        }
        let turned = Grid::new(grid.columns(), grid.rows())?;
        let turned = Rules::new(turned, rules.line_length()).ok()?;
        let turned = turned.with_marks(rules.marks()).with_goal(rules.goal());
        let turned = turned.with_boards(rules.n_boards()).ok()?;
        Some(OtherReading { rules: turned, referee: Referee::new(&turned), is_legal: true })
    }

    /// Reads a line.
    pub(crate) fn read_line(&mut self, text: &[u8]) {
        let judged = LineReader::read(&self.rules, text).ok().map(|entry| self.referee.judge(entry));
        self.is_legal &= judged.is_some_and(|judged| judged.is_ok());
    }

    /// Returns the word of help, if the game that has been read is legal in this reading.
    pub(crate) fn help(&self) -> Option<String> {
        (self.is_legal && self.referee.n_accepted() > 0)
            .then(|| "this game is legal if the letter is read as the column".to_owned())
    }
}

/// Returns whether a fault may come from reading letters and digits the wrong way round.
pub(crate) fn may_be_the_other_reading(fault: &Fault) -> bool {
    matches!(fault.code, Code::NotARow | Code::NotAColumn | Code::TextAfterSquare)
}
