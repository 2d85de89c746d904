//! A state of play given as an argument.

use std::ffi::OsStr;

use tictac::notation::PositionError;
use tictac::{Grid, ImpossiblePosition, InvalidRules, Rules, State};

use crate::diagnostic::Diagnostic;

/// Reads a position of `rules`; where nothing is said of them, of 3,3,3 or, with several boards, of Notakto.
pub(crate) fn parse(rules: Option<Rules>, text: &str) -> anyhow::Result<State> {
    let default = if text.contains('+') { Rules::NOTAKTO } else { Rules::CLASSIC };
    let meant = rules.unwrap_or(default);
    let state =
        State::parse(text, &meant).map_err(|error| diagnostic(text, error, rules.is_none(), &meant))?;
    let (n_said, n_found) = (meant.n_boards(), state.rules().n_boards());
    if n_said > 1 && n_said != n_found {
        let reason = format_args!("the rules say {n_said} boards, the position has {n_found}");
        return Err(Diagnostic::of_argument("<position>", &reason).into());
    }
    Ok(state)
}

fn diagnostic(text: &str, error: PositionError, by_default: bool, meant: &Rules) -> Diagnostic {
    let diagnostic = Diagnostic::of_position(text, error);
    match error {
        PositionError::Syntax { .. } if by_default => {
            diagnostic.with_help(format!("the rules are {meant}; choose others with --rules"))
        }
        PositionError::Impossible {
            reason: ImpossiblePosition::Boards(InvalidRules::BoardsNeedOnlyX),
            ..
        } => diagnostic.with_help("use --rules notakto or, for example, --rules '4,4,4 x-only'"),
        _ => diagnostic,
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
