//! A state of play given as an argument: one board or several.

use std::ffi::OsStr;

use tictac::notation::PositionError;
use tictac::{Boards, Grid, Marks, Position, Rules};

use crate::complaint::Complaint;

/// One board or several.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// One board.
    One(Position),
    /// Several boards, on which both players write X.
    Many(Boards),
}

impl State {
    /// Returns the start of a game of `rules`.
    pub(crate) fn start(rules: &Rules) -> State {
        match Boards::start(*rules) {
            Some(boards) if rules.n_boards() > 1 => State::Many(boards),
            _ => State::One(Position::start(*rules)),
        }
    }

    /// Reads a position of `rules`; where nothing is said of them, of 3,3,3 or, with several boards, of Notakto.
    pub(crate) fn parse(rules: Option<Rules>, text: &str) -> anyhow::Result<State> {
        let several = text.contains('+');
        let meant = rules.unwrap_or(if several { Rules::NOTAKTO } else { Rules::CLASSIC });
        if several && meant.marks() != Marks::OnlyX {
            anyhow::bail!(
                "several boards can be played only where both players write X: say --rules notakto or, for example, \
                 --rules '4,4,4 x-only'"
            );
        }
        let state = if several || meant.n_boards() > 1 {
            Boards::parse(&meant, text).map(State::Many)
        } else {
            Position::parse(&meant, text).map(State::One)
        };
        let state = state.map_err(|error| complaint(text, error, rules.is_none(), &meant))?;
        match &state {
            State::Many(boards)
                if meant.n_boards() > 1 && boards.boards().len() != meant.n_boards() as usize =>
            {
                let n_found = boards.boards().len();
                anyhow::bail!("the rules say {} boards, the position has {n_found}", meant.n_boards())
            }
            _ => Ok(state),
        }
    }
}

fn complaint(text: &str, error: PositionError, by_default: bool, meant: &Rules) -> Complaint {
    let complaint = Complaint::position(text, error);
    match error {
        PositionError::Syntax { .. } if by_default => {
            complaint.or_help(|| format!("the position was read by the rules {meant}; --rules says others"))
        }
        _ => complaint,
    }
}

/// Returns the position that an argument writes, or `None` where it is the name of a file.
///
/// A position holds only what positions are made of, and at least one `/` unless the grid has a single row. `./` in
/// front makes it a file, except on a grid of one column, where it is an empty square.
pub(crate) fn position_in(argument: &OsStr, grid: Grid) -> Option<&str> {
    let text = argument.to_str()?;
    let made_of = |c: char| matches!(c, 'X' | 'O' | 'x' | 'o' | '.' | '/' | '+' | '1' | '2' | ' ');
    let is_position = text.chars().all(made_of)
        && (text.contains('/') || (grid.rows() == 1 && !text.is_empty()))
        && (!text.starts_with("./") || grid.columns() == 1);
    is_position.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(argument: &str, (rows, columns): (usize, usize), expected: bool) {
        let grid = Grid::new(rows, columns).unwrap();
        assert_eq!(position_in(OsStr::new(argument), grid).is_some(), expected, "{argument:?}");
    }

    #[test]
    fn a_position_is_told_from_the_name_of_a_file() {
        check("X.O/.X./... O", (3, 3), true);
        check("x.o/.x./...", (3, 3), true);
        check(".../.../...+XXX/.../... 2", (3, 3), true);
        check("game.ttt", (3, 3), false);
        check("games/x.ttt", (3, 3), false);
        check("-", (3, 3), false);
        check("", (3, 3), false);
        check("XO", (3, 3), false);
        check("./XO", (3, 3), false);
        check("X.O X", (1, 3), true);
        check("./X/O X", (3, 1), true);
    }
}
