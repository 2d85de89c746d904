//! `tictac engine`.

mod gomocup;
mod lines;
mod ugi;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Subcommand;
use tictac::Rules;
use tictac::level::Level;

use self::lines::Lines;
use crate::computer_player::ComputerPlayer;

/// Play for a tournament manager, by the Gomocup protocol or UGI
///
/// Reads commands from standard input and answers on standard output, one a line, until it is told to end.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    protocol: Protocol,

    /// How well to play: beginner, casual, club, expert or perfect
    #[arg(long, global = true, value_name = "LEVEL", default_value = "perfect")]
    level: Level,

    /// How long to think about a move, such as 2s or 300ms, where the manager sets no time
    #[arg(long, global = true, value_name = "TIME", default_value = "5s", value_parser = humantime::parse_duration)]
    think: Duration,

    /// Where chance begins; the same seed and the same moves give the same game [default: another one each time]
    #[arg(long, global = true, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Subcommand)]
enum Protocol {
    /// The line protocol of Gomocup and Piskvork: START, TURN, BOARD …
    ///
    /// The manager sets the size of the board, which may have up to 64 squares; coordinates are column,row from 0. Five in
    /// a row win, or as many as a smaller board is wide, unless --line says otherwise.
    Gomocup {
        /// How many in a row make a line
        #[arg(long, value_name = "K")]
        line: Option<usize>,

        /// A line loses
        #[arg(long)]
        misere: bool,
    },
    /// The Universal Game Interface: UCI with `query gameover`, `query p1turn` and `query result`
    ///
    /// Moves are squares as in our records (the letter is the row), unless `setoption name Letters value column` is sent;
    /// with several boards 2.B2, in wild games X@B2. A `fen` is a position such as `X.O/.X./... O`.
    Ugi {
        /// The rules, such as 4,4,4 or notakto; `setoption name Rules value …` changes them
        #[arg(long, value_name = "RULES", default_value = "3,3,3")]
        rules: Rules,
    },
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 the manager said END or quit, or closed the input.

Examples:
  tictac engine gomocup --line 5
  tictac engine --level club ugi --rules 4,4,4";

/// Speaks the protocol until the end.
pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let player = ComputerPlayer::new(args.level, args.think, args.seed);
    let lines = Lines::of_stdin();
    let spoken = match args.protocol {
        Protocol::Gomocup { line, misere } => gomocup::speak(player, line, misere, &lines, out),
        Protocol::Ugi { rules } => ugi::speak(player, rules, &lines, out),
    };
    match spoken {
        // A manager that has gone needs no answer.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        spoken => Ok(spoken.map(|()| ExitCode::SUCCESS)?),
    }
}
