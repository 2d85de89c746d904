//! `tictac engine`.

mod gomocup;
mod lines;
mod ugi;

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::Subcommand;
use tictac::{Goal, Rules};
use tictac_solver::level::Level;

use self::lines::CommandLines;
use crate::completions;
use crate::computer_player::ComputerPlayer;
use crate::paint::OutputStyle;
use crate::values::{MAX_TIME, number, time};

/// Play for a tournament manager, with the Gomocup protocol or UGI
///
/// Reads commands from standard input and writes replies to standard output, one per line, until the manager ends it.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    protocol: Protocol,

    /// Level: beginner, casual, club, expert or perfect
    #[arg(long, global = true, value_name = "LEVEL", default_value = "perfect", add = completions::names(Level::ALL))]
    level: Level,

    /// Time limit per move, such as 2s or 300ms, unless the manager sets one
    #[arg(long, global = true, value_name = "TIME", default_value = "5s", value_parser = time(Duration::ZERO..=MAX_TIME))]
    think: Duration,

    /// Seed for the random number generator; the same seed and moves give the same game [default: random]
    #[arg(long, global = true, value_name = "N", value_parser = number(0_u64..))]
    seed: Option<u64>,
}

#[derive(Subcommand)]
enum Protocol {
    /// The line protocol of Gomocup and Piskvork: START, TURN, BOARD …
    ///
    /// The manager sets the size of the board, up to 64 squares; coordinates are column,row from 0. Five in a row win, or
    /// the length of the longer side on a smaller board, unless --line sets another length.
    Gomocup {
        /// Length of a line
        #[arg(long, value_name = "K", value_parser = number(1_usize..))]
        line: Option<usize>,

        /// Let a line lose instead of win
        #[arg(long)]
        misere: bool,
    },
    /// The Universal Game Interface: UCI with `query gameover`, `query p1turn` and `query result`; `uci` works as well
    ///
    /// Moves are squares as in records (the letter is the row), unless the manager sends `setoption name Letters value
    /// column`; with several boards 2.B2, in wild games X@B2. A `fen` is a position such as `X.O/.X./... O`.
    Ugi {
        /// Rules such as 4,4,4 or notakto; `setoption name Rules value …` changes them
        #[arg(short, long, value_name = "RULES", default_value = "3,3,3", add = completions::rules())]
        rules: Rules,
    },
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 when the manager sends END or quit, or closes the input.

Examples:
  tictac engine gomocup --line 5
  tictac engine --level club ugi --rules 4,4,4";

pub(crate) fn run(args: &Args, _: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let player = ComputerPlayer::new(args.level, args.think, args.seed);
    let lines = CommandLines::from_stdin();
    match args.protocol {
        Protocol::Gomocup { line, misere } => {
            let goal = if misere { Goal::Avoid } else { Goal::Complete };
            gomocup::run(player, line, goal, &lines, out)?;
        }
        Protocol::Ugi { rules } => ugi::run(player, rules, &lines, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The reply to a command, if any, or the line that reports why it failed.
type EngineReply = Result<Option<String>, String>;

/// Returns a part of a command for an error message: escaped, and at most 40 characters of it.
fn shown(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_default).collect()
}
