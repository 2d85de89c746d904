//! The command `tictac perft`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;
use tictac::{Rules, State, perft};
use tictac_solver::Census;

use crate::paint::OutputStyle;
use crate::position::PositionArgs;
use crate::values::number;

/// Count move sequences, positions and games
///
/// Counts the sequences of 1, 2, 3, … legal moves. Programs whose counts agree very likely agree on the rules. Each depth
/// is printed as soon as it is counted, so a long count can be stopped at any time.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    start: PositionArgs,

    /// Count up to N moves [default: the whole game if that is quick, otherwise up to 5]
    #[arg(short, long, value_name = "N", value_parser = number(1_u32..))]
    depth: Option<u32>,

    /// Count positions and games instead, also up to symmetry
    #[arg(long, conflicts_with_all = ["position", "depth"])]
    census: bool,
}

const AFTER_LONG_HELP: &str = "\
Examples:
  tictac perft                                  tic-tac-toe, the whole game
  tictac perft --rules 4,4,4 --depth 6          four in a row on 4×4
  tictac perft --rules 'notakto boards=2'       several boards
  tictac perft 'X.O/.X./... O'                  from a position
  tictac perft --census --rules wild            positions and games";

pub(crate) fn run(args: &Args, _: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    if args.census {
        census(args.start.rules.unwrap_or(Rules::CLASSIC), out)?;
    } else {
        print_table(&args.start.state(args.start.rules)?, args.depth, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_table(state: &State, depth: Option<u32>, out: &mut impl Write) -> anyhow::Result<()> {
    let remaining = Remaining::new(state.rules(), state.n_moves());
    let depth = depth.unwrap_or_else(|| remaining.quick_depth());
    let heading = "sequences";
    // Beyond a full board there are no sequences.
    let largest = remaining.bound(depth.min(remaining.n_empty));
    let width = largest.to_string().len().max(heading.len());
    writeln!(out, "depth  {heading:>width$}")?;
    for depth in 1..=depth {
        let n_sequences = perft(state, depth);
        writeln!(out, "{depth:>5}  {n_sequences:>width$}")?;
        out.flush()?;
        if n_sequences == 0 {
            break;
        }
    }
    Ok(())
}

/// The empty squares and marks left, which bound every count.
#[derive(Clone, Copy)]
struct Remaining {
    n_empty: u32,
    n_marks: u128,
}

impl Remaining {
    fn new(rules: &Rules, n_moves: usize) -> Remaining {
        let n_empty = u32::try_from(rules.max_moves() - n_moves).unwrap_or(u32::MAX);
        Remaining { n_empty, n_marks: rules.marks().n_choices() as u128 }
    }

    /// Returns an upper bound on the number of sequences of `depth` moves: the number if no game ended before.
    fn bound(self, depth: u32) -> u128 {
        let mut bound = 1;
        for n_made in 0..depth {
            bound *= u128::from(self.n_empty.saturating_sub(n_made)) * self.n_marks;
            // Larger counts would never finish, so the bound need not be exact.
            if bound == 0 || bound > u128::from(u64::MAX) {
                return bound.min(u64::MAX.into());
            }
        }
        bound
    }

    /// Returns the length of the game if it is counted instantly, otherwise up to 5 moves that are counted in seconds.
    fn quick_depth(self) -> u32 {
        const INSTANT: u128 = 2_000_000;
        const SECONDS: u128 = 2_000_000_000;
        if self.n_empty > 0 && self.bound(self.n_empty) <= INSTANT {
            return self.n_empty;
        }
        (2..=5).take_while(|&depth| self.bound(depth) <= SECONDS).last().unwrap_or(1)
    }
}

fn census(rules: Rules, out: &mut impl Write) -> anyhow::Result<()> {
    if rules.n_boards() > 1 {
        bail!("--census needs one board, not {}", rules.n_boards());
    }
    if !rules.is_ordinary() {
        bail!(
            "--census counts ordinary boards only, without drop, joined edges, layers, shapes, exact and missing squares"
        );
    }
    let n_positions = Census::max_layer(&rules);
    if n_positions > MAX_LAYER {
        bail!(
            "--census of {rules} may need {n_positions} positions in memory at once, more than the limit of {MAX_LAYER}"
        );
    }
    let Some(census) = Census::new(&rules) else {
        bail!("--census needs at most {} squares, not {}", Census::MAX_SQUARES, rules.grid().len());
    };
    let rows = [
        ("positions", u128::from(census.positions), Some(u128::from(census.positions_up_to_symmetry))),
        ("  game over", u128::from(census.terminal), None),
        ("games", census.games, Some(census.games_up_to_symmetry)),
        ("  first player wins", census.games_first_wins, None),
        ("  second player wins", census.games_second_wins, None),
        ("  drawn", census.games_drawn, None),
    ];
    let width = census.games.to_string().len().max(9);
    writeln!(out, "{:20}  {:>width$}  up to symmetry", "", "all")?;
    for (name, all, up_to_symmetry) in rows {
        let symmetry = up_to_symmetry.map_or(String::new(), |n| format!("  {n:>14}"));
        writeln!(out, "{name:20}  {all:>width$}{symmetry}")?;
    }
    Ok(())
}

/// The maximum number of positions that a census keeps in memory for each number of marks: 3.2 GB on up to 20 squares, and less than
/// 8 GB on more.
const MAX_LAYER: u128 = 100_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_quick_depth(rules: &str, expected: u32) {
        let rules: Rules = rules.parse().unwrap();
        assert_eq!(Remaining::new(&rules, 0).quick_depth(), expected, "{rules}");
    }

    #[test]
    fn the_whole_game_is_counted_where_that_is_quick() {
        check_quick_depth("3,3,3", 9);
        check_quick_depth("notakto", 9);
        check_quick_depth("1,1,1", 1);
        check_quick_depth("wild", 5);
        check_quick_depth("8,8,5", 5);
        check_quick_depth("notakto boards=1000", 2);
        check_quick_depth("notakto boards=1000000", 1);
    }

    #[test]
    fn a_bound_is_never_too_small_and_never_overflows() {
        let remaining = Remaining::new(&Rules::CLASSIC, 0);
        assert_eq!(remaining.bound(0), 1);
        assert_eq!(remaining.bound(9), 362_880);
        assert_eq!(remaining.bound(10), 0);
        let huge = Remaining::new(&"notakto boards=1000000".parse().unwrap(), 0);
        assert_eq!(huge.bound(u32::MAX), u128::from(u64::MAX));
        assert_eq!(remaining.bound(2), 72);
    }

    #[test]
    fn a_census_that_would_not_fit_into_memory_is_refused() {
        let kept = |rules: &str| Census::max_layer(&rules.parse().unwrap());
        assert!(kept("4,4,4 wild") <= MAX_LAYER && kept("5,4,4") <= MAX_LAYER && kept("8,8,5") > MAX_LAYER);
    }
}
