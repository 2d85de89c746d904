//! A state of play given as an argument: one board or several.

use std::ffi::OsStr;
use std::fmt;

use tictac::notation::PositionError;
use tictac::{Boards, Grid, ImpossiblePosition, InvalidRules, Mark, Player, Position, Rules, Status};

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

    /// The rules.
    pub(crate) const fn rules(&self) -> &Rules {
        match self {
            State::One(position) => position.rules(),
            State::Many(boards) => boards.rules(),
        }
    }

    /// Where the game stands.
    pub(crate) fn status(&self) -> Status {
        match self {
            State::One(position) => position.status(),
            State::Many(boards) => boards.status(),
        }
    }

    /// The player who moves, or would move if the game were not over.
    pub(crate) fn next_player(&self) -> Player {
        match self {
            State::One(position) => position.next_player(),
            State::Many(boards) => boards.next_player(),
        }
    }

    /// The mark with which `player` plays, where marks name players.
    pub(crate) fn mark_of(&self, player: Player) -> Option<Mark> {
        match self {
            State::One(position) => position.mark_of(player),
            State::Many(_) => None,
        }
    }

    /// What a player is called: by his mark, else by his number.
    pub(crate) fn name(&self, player: Player) -> String {
        self.mark_of(player).map_or_else(|| format!("player {player}"), |mark| mark.to_string())
    }

    /// Reads a position of `rules`; where nothing is said of them, of 3,3,3 or, with several boards, of Notakto.
    pub(crate) fn parse(rules: Option<Rules>, text: &str) -> anyhow::Result<State> {
        let several = text.contains('+');
        let meant = rules.unwrap_or(if several { Rules::NOTAKTO } else { Rules::CLASSIC });
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
                let (n_said, n_found) = (meant.n_boards(), boards.boards().len());
                let reason = format_args!("the rules say {n_said} boards, the position has {n_found}");
                Err(Complaint::misfit(&reason).into())
            }
            _ => Ok(state),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::One(position) => position.fmt(f),
            State::Many(boards) => boards.fmt(f),
        }
    }
}

fn complaint(text: &str, error: PositionError, by_default: bool, meant: &Rules) -> Complaint {
    let complaint = Complaint::position(text, error);
    match error {
        PositionError::Syntax { .. } if by_default => {
            complaint.or_help(|| format!("the position was read by the rules {meant}; --rules says others"))
        }
        PositionError::Impossible {
            reason: ImpossiblePosition::Boards(InvalidRules::BoardsNeedOnlyX),
            ..
        } => complaint.or_help(|| "say --rules notakto or, for example, --rules '4,4,4 x-only'".to_owned()),
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
