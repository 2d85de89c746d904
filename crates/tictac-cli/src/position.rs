//! Positions as arguments.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::Context;
use tictac::notation::{Code, Fault, PositionError};
use tictac::{Grid, ImpossiblePosition, InvalidRules, Rules, State};

use crate::completions;
use crate::diagnostic::Diagnostic;
use crate::show;

/// A position and its rules.
#[derive(clap::Args)]
pub(crate) struct PositionArgs {
    /// The position, such as 'X.O/.X./... O', or a record whose last position is meant [default: the empty board]
    position: Option<String>,

    /// Rules such as 3,3,3, '4,4,4 misere' or notakto [default: 3,3,3, or notakto for several boards]
    #[arg(short, long, value_name = "RULES", add = completions::rules())]
    pub(crate) rules: Option<Rules>,
}

impl PositionArgs {
    /// Returns the position, or the start of a game by `rules` if there is none.
    pub(crate) fn state(&self, rules: Option<Rules>) -> anyhow::Result<State> {
        match &self.position {
            Some(text) => {
                let grid = rules.map_or(Grid::THREE, |rules| rules.grid());
                let is_file = position_in(OsStr::new(text), grid).is_none();
                if is_file && Path::new(show::split_number(text).0).is_file() {
                    let (referee, rules) =
                        show::read(OsStr::new(text), &rules.unwrap_or(Rules::CLASSIC), None)?;
                    return Ok(referee.state().cloned().unwrap_or_else(|| State::start(&rules)));
                }
                parse(rules, text)
            }
            None => Ok(State::start(&rules.unwrap_or(Rules::CLASSIC))),
        }
    }
}

/// Returns the rules for `--rules` and `--boards`; with `--boards` alone they are those of Notakto.
pub(crate) fn rules_on_boards(rules: Option<Rules>, n_boards: Option<u32>) -> anyhow::Result<Option<Rules>> {
    let Some(n_boards) = n_boards else { return Ok(rules) };
    let rules = rules.unwrap_or(Rules::NOTAKTO);
    Ok(Some(rules.with_boards(n_boards).with_context(|| format!("--boards {n_boards}"))?))
}

/// Parses a position. The default rules are 3,3,3, or Notakto for several boards.
pub(crate) fn parse(rules: Option<Rules>, text: &str) -> anyhow::Result<State> {
    let default = if text.contains('+') { Rules::NOTAKTO } else { Rules::CLASSIC };
    let assumed = rules.unwrap_or(default);
    let state = parse_with_side(text, &assumed).map_err(|error| {
        let diagnostic = Diagnostic::of_position(text, &error);
        match error {
            _ if !sides(text, &assumed).is_empty() => {
                let sides: Vec<String> =
                    sides(text, &assumed).iter().map(|side| format!("'{text} {side}'")).collect();
                diagnostic.with_help(format!("add the player to move: {}", sides.join(" or ")))
            }
            PositionError::Syntax { .. } if rules.is_none() => {
                diagnostic.with_help(format!("the rules are {assumed}; choose others with --rules"))
            }
            PositionError::Impossible {
                reason: ImpossiblePosition::Boards(InvalidRules::BoardsNeedOneMark),
                ..
            } => diagnostic.with_help("use --rules notakto or, for example, --rules '4,4,4 x-only'"),
            _ => diagnostic,
        }
    })?;
    let (n_expected, n_found) = (assumed.n_boards(), state.rules().n_boards());
    if n_expected > 1 && n_expected != n_found {
        let reason = format!("the rules require {n_expected} boards, but the position has {n_found}");
        let fault = Fault::new(Code::ImpossiblePosition, reason);
        return Err(Diagnostic::of_argument("<position>", fault).into());
    }
    Ok(state)
}

/// Parses a position. If it does not say who is to move and the marks allow one player only, it is that one.
fn parse_with_side(text: &str, rules: &Rules) -> Result<State, PositionError> {
    State::parse(text, rules).or_else(|error| match sides(text, rules)[..] {
        [side] => State::parse(&format!("{} {side}", text.trim_end()), rules),
        _ => Err(error),
    })
}

/// Returns the players who may be to move in a position that does not say it; none if that is not all that is missing.
fn sides(text: &str, rules: &Rules) -> Vec<&'static str> {
    let is_side = |side: &&str| State::parse(&format!("{} {side}", text.trim_end()), rules).is_ok();
    ["X", "O", "1", "2"].into_iter().filter(is_side).collect()
}

/// Returns the argument if it is a position, or `None` if it is the name of a file.
///
/// A position contains only the characters used in positions, and at least one `/` unless the grid has a single row. An argument
/// that starts with `./` is a file, except on a grid of one column, where `.` is an empty square.
pub(crate) fn position_in(argument: &OsStr, grid: Grid) -> Option<&str> {
    let text = argument.to_str()?;
    let is_allowed = |c: char| matches!(c, 'X' | 'O' | 'x' | 'o' | '.' | '/' | '+' | '1' | '2' | ' ');
    let is_position = text.chars().all(is_allowed)
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
    fn positions_and_file_names_are_told_apart() {
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
