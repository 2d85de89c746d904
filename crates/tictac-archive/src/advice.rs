//! Messages and help that refer to the rest of the game: earlier moves, free squares, the line that ended it.

use tictac::notation::{Entry, Fault, Referee};
use tictac::{IllegalMove, Mark, Rules, SquareSet, State};

const MAX_NAMES: usize = 12;
/// Boards with more squares in total have no history: a million boards would take too much memory.
const MAX_REMEMBERED: usize = 65_536;

/// The number of the move that took each square.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    // By board and square; 0 for a free square. Empty if there are too many squares.
    numbers: Vec<u32>,
}

impl History {
    pub(crate) fn remember(&mut self, entry: Entry, rules: &Rules) {
        if self.numbers.is_empty() && rules.max_moves() <= MAX_REMEMBERED {
            self.numbers.resize(rules.max_moves(), 0);
        }
        if let Some(number) = self.numbers.get_mut(index_of(entry, rules)) {
            *number = entry.number;
        }
    }

    fn number(&self, entry: Entry, rules: &Rules) -> Option<u32> {
        self.numbers.get(index_of(entry, rules)).copied().filter(|&number| number > 0)
    }
}

fn index_of(entry: Entry, rules: &Rules) -> usize {
    entry.mv.board as usize * rules.grid().len() + entry.mv.square.index()
}

pub(crate) fn for_illegal_move(
    reason: IllegalMove,
    entry: Entry,
    rules: &Rules,
    referee: &Referee,
    history: &History,
) -> Fault {
    let fault = Fault::from(reason);
    match reason {
        IllegalMove::Occupied { square, .. } => {
            let board = referee.state().and_then(|state| state.boards().nth(entry.mv.board as usize));
            let board = board.unwrap_or_default();
            let (mark, free) = (board.mark(square).unwrap_or(Mark::X), rules.squares() - board.occupied());
            let message = match history.number(entry, rules) {
                Some(number) => format!("{} ({mark} played it at move {number})", fault.message),
                None => fault.message,
            };
            Fault::new(fault.code, message).with_help(format!("free squares: {}", names(rules, free)))
        }
        IllegalMove::GameOver { .. } => {
            let number = referee.n_accepted();
            let lines: Vec<String> = match referee.state() {
                Some(State::One(position)) => {
                    position.lines().map(|line| rules.grid().line_name(line)).collect()
                }
                _ => Vec::new(),
            };
            let end = if lines.is_empty() {
                format!("move {number} was the last one")
            } else {
                format!("move {number} completed {}", lines.join(" and "))
            };
            fault.with_help(format!("{end}; put a blank line here to start another game"))
        }
        IllegalMove::WrongNumber { expected, found } if found < expected => fault.with_help(format!(
            "there is a move {found} above; if another game starts here, put a blank line before it"
        )),
        IllegalMove::WrongMark { expected } if rules.marks_name_players() => {
            fault.with_help(format!("{} made the previous move, and the players take turns", !expected))
        }
        _ => fault,
    }
}

fn names(rules: &Rules, squares: SquareSet) -> String {
    let shown: Vec<String> =
        squares.iter().take(MAX_NAMES).map(|square| rules.grid().name(square).to_string()).collect();
    let n_more = squares.len().saturating_sub(MAX_NAMES);
    let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
    shown.join(", ") + &more
}
