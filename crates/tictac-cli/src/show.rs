//! The command `tictac show`.

use std::ffi::{OsStr, OsString};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueHint;
use tictac::notation::{Picture, Referee, Style};
use tictac::{Grid, Rules, State, Status};
use tictac_archive::{FollowedGame, Input, follow_game};

use crate::completions;
use crate::diagnostic::{Diagnostic, escape};
use crate::output_file::OutputFile;
use crate::paint::OutputStyle;
use crate::position::{self, position_in};
use crate::standard_streams::announce_stdin;
use crate::values::number;

/// Draw the board of a record or position
///
/// Draws the board after the last move of a record, or a position, and prints whose turn it is or who has won.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// A record (a file, FILE#2 for its second game, or - for stdin) or a position such as 'X.O/.X./... O'
    ///
    /// A record has one move per line: `1 X B2 # comment`. The letter is the row, A at the top; the digit is the column.
    /// Tags such as [Rules "4,4,4"] may come before the moves. An empty line ends the game. Files compressed with gzip or
    /// Zstandard are detected by their content.
    ///
    /// A position lists the rows from the top, separated by /, with . for an empty square, then the player to move: X or
    /// O, or in wild and X-only games 1 or 2, which may be omitted. Several boards are joined with +. An argument with a /
    /// that holds only the characters XO./+12 and spaces is a position; put ./ in front of a file with such a name.
    #[arg(value_name = "FILE|-|POSITION", default_value = "-", hide_default_value = true,
          value_hint = ValueHint::FilePath)]
    subject: OsString,

    /// Rules of games without a Rules tag, such as '4,4,4 misere' [default: 3,3,3, or notakto for several boards]
    #[arg(short, long, value_name = "RULES", add = completions::rules())]
    rules: Option<Rules>,

    /// Draw the board after the first N moves; the rest is not read
    #[arg(short = 'm', long = "move", value_name = "N", value_parser = number(0_u32..))]
    n_moves: Option<u32>,

    /// Draw with box-drawing characters
    #[arg(short, long, conflicts_with = "svg")]
    unicode: bool,

    /// Write an SVG picture to FILE (- for stdout) instead
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw only the board
    #[arg(short, long)]
    quiet: bool,
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 drawn, 1 the record or position is wrong, 2 it could not be read.

Examples:
  tictac show game.ttt                          after the last move
  tictac show --move 3 game.ttt                 after the first three moves
  tictac show 'XOX/.O./... X'                   a position
  tictac show --rules 4,4,4 --unicode big.ttt   box-drawing characters
  tictac show 'X../.../...+.../.X./... 1'       two boards of Notakto
  tictac show --svg board.svg game.ttt          an SVG picture";

pub(crate) fn run(args: &Args, style: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let paint = style.paint;
    let path = args.svg.as_deref().filter(|path| path.as_os_str() != "-");
    let file = path.map(open_picture).transpose()?;
    let (state, status) = args.subject()?;
    let picture = || Picture::new(state.rules(), state.boards());
    match (file, &args.svg) {
        (Some(file), _) => file.write(|out| write!(out, "{}", picture()))?,
        (None, Some(_)) => write!(out, "{}", picture())?,
        (None, None) => {
            let style = if args.unicode { Style::Unicode } else { Style::Plain };
            write!(out, "{}", paint.boards(&state, style))?;
            if !args.quiet {
                writeln!(out, "\n{}", paint.strong(status))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// Returns the state to draw, and its description.
    fn subject(&self) -> anyhow::Result<(State, String)> {
        let grid = self.rules.map_or(Grid::THREE, |rules| rules.grid());
        if let Some(text) = position_in(&self.subject, grid) {
            if self.n_moves.is_some() {
                bail!("--move needs a record, not a position");
            }
            let state = position::parse(self.rules, text)?;
            let status = status_text(&state);
            return Ok((state, status));
        }
        let rules = self.rules.unwrap_or(Rules::CLASSIC);
        let (referee, rules) = read(&self.subject, &rules, self.n_moves)?;
        let state = referee.state().cloned().unwrap_or_else(|| State::start(&rules));
        // If marks name players, a record without moves does not show whose turn it is.
        let is_new = referee.state().is_none() && rules.marks_name_players();
        let status = if is_new { "new game".to_owned() } else { status_text(&state) };
        Ok((state, status))
    }
}

/// Reads a game, up to move `n_moves` if that is given; returns its rules and the referee after the last move.
///
/// `-` is stdin, and `FILE#2` the second game of a file. Games without a `Rules` tag are played by `rules`. Takes constant
/// memory, however long the input is.
pub(crate) fn read(name: &OsStr, rules: &Rules, n_moves: Option<u32>) -> anyhow::Result<(Referee, Rules)> {
    let (input, number) = match name.to_str().map(split_number) {
        Some(("-", number)) => (Input::Stdin, number),
        Some((file, number)) => (Input::File(PathBuf::from(file)), number),
        None => (Input::File(PathBuf::from(name)), 1),
    };
    if matches!(input, Input::Stdin) {
        announce_stdin();
    }
    let file = input.name();
    let name = escape(&file);
    let followed =
        input.reader().and_then(|reader| follow_game(BufReader::new(reader), rules, number, n_moves));
    match followed.with_context(|| format!("cannot read {name}"))? {
        FollowedGame::Faulty(fault) => Err(Diagnostic::of_fault(&file, &fault).into()),
        FollowedGame::Missing { n_games } => {
            let games = if n_games == 1 { "game" } else { "games" };
            bail!("there is no game {number}: {name} has {n_games} {games}")
        }
        FollowedGame::Legal { rules, referee } => {
            let n_found = referee.n_accepted();
            if let Some(n_moves) = n_moves.filter(|&n_moves| n_moves > n_found) {
                let moves = if n_found == 1 { "move" } else { "moves" };
                bail!("there is no move {n_moves}: {name} has {n_found} {moves}");
            }
            Ok((*referee, rules))
        }
    }
}

/// Splits `FILE#2` into the file and the number of a game, unless a file has that name.
pub(crate) fn split_number(name: &str) -> (&str, u64) {
    match name.rsplit_once('#') {
        Some((file, number)) if !Path::new(name).exists() => number.parse().map_or((name, 1), |n| (file, n)),
        _ => (name, 1),
    }
}

/// Returns the status in one line, with a second one if the position is dead.
fn status_text(state: &State) -> String {
    match (state.status(), state.dead()) {
        (Status::ToMove(_), Some(dead)) => format!("{}\ndead: {dead}", state.status_line()),
        _ => state.status_line(),
    }
}

fn open_picture(path: &Path) -> anyhow::Result<OutputFile> {
    // `--svg game.ttt` lacks the name of the picture and must not overwrite the record.
    let is_picture = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    if path.is_file() && !is_picture {
        let name = escape(path);
        bail!("{name} already exists and does not end in .svg; not overwritten");
    }
    OutputFile::open(path)
}
