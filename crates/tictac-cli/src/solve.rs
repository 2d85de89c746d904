//! `tictac solve`.

mod findings;
mod inquiry;
mod json;
mod limits;
mod many;
mod progress;
mod proof;
mod words;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use tictac::solve::Question;
use tictac::{Rules, State};

use self::inquiry::Inquiry;
use self::limits::Limits;
use crate::diagnostic::Diagnostic;
use crate::paint::Paint;
use crate::state;
use crate::values::{self, Threads, number};

/// Say who wins under perfect play, and how soon
///
/// Prints the board, the verdict, the value of every move with its distance in plies, and a line of best play. Every
/// answer is proved; on a limit, what is known so far is printed, and the exit status is 2.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The position, such as 'X.O/.X./... O' [default: the empty board]
    position: Option<String>,

    /// The rules, such as 3,3,3 or '4,4,4 misere' [default: 3,3,3; of several boards: notakto]
    #[arg(short, long, value_name = "RULES")]
    rules: Option<Rules>,

    /// Play on so many boards at once; only where both players write X
    #[arg(short, long, value_name = "N", value_parser = number(1_u32..))]
    boards: Option<u32>,

    /// Moves to make first, such as 'X B2, O A1'
    #[arg(short, long, value_name = "MOVES")]
    moves: Option<String>,

    /// Ask only who wins: no distances, no list of moves
    #[arg(short, long)]
    weak: bool,

    /// Print one JSON object (with --all one a line)
    #[arg(long)]
    json: bool,

    /// Answer one position a line from standard input, one line each: value and distance
    #[arg(short, long, conflicts_with_all = ["position", "moves"])]
    all: bool,

    /// Stop after so long, such as 60s or 5min, and say what is known
    #[arg(short, long, value_name = "TIME", value_parser = humantime::parse_duration)]
    limit: Option<Duration>,

    /// Use at most about so much memory
    #[arg(long, value_name = "BYTES", default_value = "1GB", value_parser = values::bytes)]
    memory: usize,

    #[command(flatten)]
    threads: Threads,

    /// Write a proof of the value to FILE, which `tictac verify` checks
    #[arg(long, value_name = "FILE", conflicts_with = "all")]
    certificate: Option<PathBuf>,
}

const AFTER_LONG_HELP: &str = "\
A value is the mover's: win, draw or loss. A distance counts plies to the end, the move itself included; the
winner shortens and the loser lengthens, and a draw has none.

Exit status: 0 everything that was asked is proved, 1 the position is not right, 2 a limit was reached first.

Examples:
  tictac solve                                      tic-tac-toe from the start
  tictac solve 'X.O/.X./... O'                      from a position
  tictac solve --moves 'X B2, O A1'                 after these moves
  tictac solve --rules 7,7,5 --weak --limit 60s     only who wins
  tictac solve --rules notakto --boards 7           several boards, and why
  tictac solve --all < positions.txt                one answer a line
  tictac solve --json 'X.O/.X./... O'               for a program
  tictac solve --rules 4,3,3 --certificate p.cert   and a proof, for tictac verify";

/// Answers what the arguments ask.
pub(crate) fn run(args: &Args, paint: Paint, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let limits = args.limits()?;
    let question = if args.weak { Question::Weak } else { Question::Strong };
    if args.all {
        let request = many::Request { rules: args.rules()?, question, json: args.json, limits: &limits };
        return many::run(&request, out);
    }
    let state = args.state()?;
    let inquiry = Inquiry { state: &state, question, limits: &limits };
    let findings = if args.json {
        let findings = inquiry.run()?;
        serde_json::to_writer(&mut *out, &json::Object::of(&findings))?;
        writeln!(out)?;
        findings
    } else {
        words::draw(&state, paint, out)?;
        out.flush()?;
        let findings = inquiry.run()?;
        words::tell(&findings, paint, out)?;
        findings
    };
    out.flush()?;
    if let Some(path) = &args.certificate {
        proof::write(&state, &limits, path)?;
    }
    Ok(findings.exit_code())
}

impl Args {
    fn limits(&self) -> anyhow::Result<Limits> {
        Limits::new(self.limit, self.memory, self.threads.count())
    }

    fn rules(&self) -> anyhow::Result<Option<Rules>> {
        let Some(n_boards) = self.boards else { return Ok(self.rules) };
        let rules = self.rules.unwrap_or(Rules::NOTAKTO);
        Ok(Some(rules.with_boards(n_boards).with_context(|| format!("--boards {n_boards}"))?))
    }

    fn state(&self) -> anyhow::Result<State> {
        let rules = self.rules()?;
        let state = match &self.position {
            Some(text) => state::parse(rules, text)?,
            None => State::start(&rules.unwrap_or(Rules::CLASSIC)),
        };
        match &self.moves {
            Some(moves) => after(state, moves),
            None => Ok(state),
        }
    }
}

/// Returns the state after moves that are separated by commas.
fn after(state: State, moves: &str) -> anyhow::Result<State> {
    moves.split(',').filter(|text| !text.trim().is_empty()).try_fold(state, |state, text| {
        let rules = *state.rules();
        let origin = format!("<move {:?}>", text.trim());
        let mv = rules.parse_move(text).map_err(|error| Diagnostic::of_argument(&origin, &error))?;
        Ok(state.after(mv).map_err(|illegal| Diagnostic::of_argument(&origin, &illegal))?)
    })
}
