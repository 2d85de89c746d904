//! The command `tictac solve`.

mod batch;
mod checkpoint;
mod json;
mod limits;
mod progress;
mod record;
mod report;
mod search;
mod text;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, ensure};
use tictac::{Rules, State};
use tictac_solver::Question;

use self::batch::Batch;
use self::checkpoint::Checkpoint;
use self::limits::SolveLimits;
use self::search::SolveTask;
use crate::diagnostic::Diagnostic;
use crate::output_file::OutputFile;
use crate::paint::OutputStyle;
use crate::position::{PositionArgs, rules_on_boards};
use crate::values::{MAX_TIME, Threads, number, time};

/// Find out who wins with perfect play, and how fast
///
/// Prints the board, the result, the value of every move with its distance in plies, and best play to the end. All values
/// are proven. If a limit is reached first, prints what is known so far and exits with status 2.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    start: PositionArgs,

    /// Number of boards, for rules by which both players write X
    #[arg(short, long, value_name = "N", value_parser = number(1_u32..))]
    boards: Option<u32>,

    /// Moves to play first, such as 'X B2, O A1'
    #[arg(short, long, value_name = "MOVES")]
    moves: Option<String>,

    /// Find only who wins, without distances and the list of moves
    #[arg(short, long)]
    weak: bool,

    /// Print one JSON object (one per line with --all)
    #[arg(long)]
    json: bool,

    /// Read one position per line from stdin, and print its value and distance on one line
    #[arg(short, long, conflicts_with_all = ["position", "moves"])]
    all: bool,

    /// Time limit, such as 60s or 5min [default: none]
    #[arg(short, long, value_name = "TIME", value_parser = time(Duration::ZERO..=MAX_TIME))]
    limit: Option<Duration>,

    /// Memory limit of the whole program, such as 500MB, 2GB or 1GiB; at least 20MB [default: 1GB]
    #[arg(long, value_name = "BYTES", value_parser = limits::memory)]
    memory: Option<usize>,

    #[command(flatten)]
    threads: Threads,

    /// Write a proof of the value to FILE, for `tictac verify`; compressed if its name ends in .zst
    #[arg(long, value_name = "FILE", conflicts_with = "all")]
    certificate: Option<PathBuf>,

    /// Save the search to FILE from time to time and at its end, and continue from FILE if it exists
    ///
    /// A search that was stopped or killed continues from where it was last saved, if the rules, the position and the question
    /// are the same. FILE is as large as the memory in use, and is kept at the end. Use only files that
    /// you trust as much as this program; to convince others, write a certificate.
    #[arg(long, value_name = "FILE", conflicts_with = "all")]
    checkpoint: Option<PathBuf>,

    /// Time between two saves of --checkpoint
    #[arg(long, value_name = "TIME", default_value = "1min", requires = "checkpoint",
          value_parser = time(Duration::from_millis(10)..=MAX_TIME))]
    checkpoint_every: Duration,
}

const AFTER_LONG_HELP: &str = "\
Values are for the player to move: win, draw or loss. Distances count plies to the end of the game, \
including the move itself: the winner plays for a short game, the loser for a long one. A draw has no distance.

Exit status: 0 all values are proven, 1 the position is wrong, 2 a limit was reached first.

Examples:
  tictac solve                                      tic-tac-toe from the start
  tictac solve 'X.O/.X./... O'                      from a position
  tictac solve --moves 'X B2, O A1'                 after these moves
  tictac solve --rules 7,7,5 --weak --limit 60s     find only who wins
  tictac solve --rules notakto --boards 7           several boards
  tictac solve --all < positions.txt                one answer per line
  tictac solve --json 'X.O/.X./... O'               one JSON object
  tictac solve --rules 4,3,3 --certificate p.cert   with a proof
  tictac solve -w --rules 8,8,5 --checkpoint c885   a long search that can be killed";

pub(crate) fn run(args: &Args, style: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let limits = SolveLimits::new(args.limit, args.memory, args.threads.count())?;
    let question = if args.weak { Question::Weak } else { Question::Strong };
    if args.all {
        let (rules, json) = (args.rules()?, args.json);
        return batch::run(Batch { rules, question, json, limits: &limits, one: None, many: None }, out);
    }
    let state = args.state()?;
    args.check_files()?;
    let certificate = args.certificate.as_deref().map(OutputFile::open).transpose()?;
    let checkpoint = args.checkpoint(&state, question)?;
    if !args.json {
        text::write_boards(&state, style.paint, out)?;
        out.flush()?;
    }
    let proves = certificate.is_some() && args.weak;
    let (report, proof) = SolveTask { state: &state, question, limits: &limits, checkpoint, proves }.run()?;
    if args.json {
        writeln!(out, "{}", json::object(&report))?;
    } else {
        text::write(&report, style.paint, out)?;
    }
    out.flush()?;
    let is_proven = report.found.are_proven();
    if let Some(file) = certificate {
        let certificate = if let Some(proof) = proof {
            proof
        } else {
            let value = report.found.answer.value().context("no certificate: the value is not known")?;
            search::prove(&state, value, &limits)?
        }
        .context("no certificate")?;
        file.write(|out| write!(out, "{certificate}"))?;
    }
    match report.unsaved {
        Some(error) => Err(error),
        None if is_proven => Ok(ExitCode::SUCCESS),
        None => Ok(ExitCode::from(2)),
    }
}

impl Args {
    fn rules(&self) -> anyhow::Result<Option<Rules>> {
        rules_on_boards(self.start.rules, self.boards)
    }

    /// Refuses a name of the certificate that the checkpoint uses too.
    fn check_files(&self) -> anyhow::Result<()> {
        if let (Some(checkpoint), Some(certificate)) = (&self.checkpoint, &self.certificate) {
            let [checkpoint, certificate] = [checkpoint, certificate].map(std::path::absolute);
            let (checkpoint, certificate) = (checkpoint?, certificate?);
            ensure!(
                certificate != checkpoint && certificate != checkpoint::beside(&checkpoint),
                "--checkpoint FILE also writes FILE.new: give --certificate another name"
            );
        }
        Ok(())
    }

    fn checkpoint(&self, state: &State, question: Question) -> anyhow::Result<Option<Checkpoint>> {
        let Some(path) = &self.checkpoint else { return Ok(None) };
        ensure!(
            matches!(state, State::One(_)),
            "--checkpoint saves a search of one board, and this is one of several"
        );
        Checkpoint::open(path, self.checkpoint_every, state, question).map(Some)
    }

    fn state(&self) -> anyhow::Result<State> {
        let state = self.start.state(self.rules()?)?;
        match &self.moves {
            Some(moves) => after(state, moves),
            None => Ok(state),
        }
    }
}

/// Returns the state after a comma-separated list of moves.
fn after(state: State, moves: &str) -> anyhow::Result<State> {
    moves.split(',').filter(|text| !text.trim().is_empty()).try_fold(state, |state, text| {
        let rules = *state.rules();
        let origin = format!("<move {:?}>", text.trim());
        let mv = rules.parse_move(text).map_err(|error| Diagnostic::of_argument(&origin, error.into()))?;
        Ok(state.after(mv).map_err(|illegal| Diagnostic::of_argument(&origin, illegal.into()))?)
    })
}
