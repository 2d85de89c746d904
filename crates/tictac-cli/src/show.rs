//! `tictac show`.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use tictac::notation::Style;
use tictac::{Grid, Rules};

use crate::diagnostic::escape;
use crate::paint::Paint;
use crate::record;
use crate::scene::Scene;
use crate::state::{self, position_in};
use crate::values::number;

/// Draw a record or a position
///
/// Draws the board after the last move of a record, or a position, and says how it stands.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// A record (a file, or - for stdin; FILE#2: its second game) or a position such as 'X.O/.X./... O'
    ///
    /// A record has one move a line: `1 X B2 # comment`. The letter is the row, A on top, and the digit the column. Tags
    /// may stand before the moves; [Rules "4,4,4"] says the rules. A blank line ends the game. gzip and Zstandard are
    /// recognised by content.
    ///
    /// A position has its rows from the top with / between them, . for an empty square, then the side to move: X or O;
    /// in wild and X-only games 1 or 2, which may be left out. Several boards are joined by +. What holds a / and
    /// nothing but XO./+12 and blanks is taken for a position; with ./ in front it is a file.
    #[arg(value_name = "FILE|-|POSITION", default_value = "-", hide_default_value = true)]
    subject: OsString,

    /// The rules, unless a tag says them, such as 3,3,3 or '4,4,4 misere' [default: 3,3,3; of several boards: notakto]
    #[arg(short, long, value_name = "RULES")]
    rules: Option<Rules>,

    /// Draw the record after its first N moves; the rest is not read
    #[arg(short = 'm', long = "move", value_name = "N", value_parser = number(0_u32..))]
    n_moves: Option<u32>,

    /// Draw with box-drawing characters
    #[arg(short, long, conflicts_with = "svg")]
    unicode: bool,

    /// Write a picture to FILE (- for stdout) instead of drawing with characters
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw the board only, without saying how it stands
    #[arg(short, long)]
    quiet: bool,
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 drawn, 1 the record or position is not right, 2 it could not be read.

Examples:
  tictac show game.ttt                          after the last move
  tictac show --move 3 game.ttt                 after the first three moves
  tictac show 'XOX/.O./... X'                   a position
  tictac show --rules 4,4,4 --unicode big.ttt   another game, other characters
  tictac show 'X../.../...+.../.X./... 1'       two boards of Notakto
  tictac show --svg board.svg game.ttt          a picture for a browser";

/// Draws what the arguments name.
pub(crate) fn run(args: &Args, paint: Paint, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let scene = args.scene()?;
    match &args.svg {
        Some(path) if path.as_os_str() == "-" => write!(out, "{}", scene.picture())?,
        Some(path) => save_picture(path, &scene)?,
        None => {
            let style = if args.unicode { Style::Unicode } else { Style::Plain };
            write!(out, "{}", scene.diagram(style, paint))?;
            if !args.quiet {
                writeln!(out, "\n{}", paint.strong(scene.standing()))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn scene(&self) -> anyhow::Result<Scene> {
        let grid = self.rules.map_or(Grid::THREE, |rules| rules.grid());
        if let Some(text) = position_in(&self.subject, grid) {
            if self.n_moves.is_some() {
                bail!("--move counts the moves of a record, and this is a position");
            }
            return Ok(Scene::of_state(&state::parse(self.rules, text)?));
        }
        let rules = self.rules.unwrap_or(Rules::CLASSIC);
        let (referee, rules) = record::read(&self.subject, &rules, self.n_moves)?;
        Ok(Scene::of_record(&referee, &rules))
    }
}

fn save_picture(path: &Path, scene: &Scene) -> anyhow::Result<()> {
    let name = escape(path.as_os_str().as_encoded_bytes());
    // `--svg game.ttt` forgets the name of the picture; the record must not pay for it.
    let is_picture = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    if path.is_file() && !is_picture {
        bail!("{name} exists and is not called .svg: it is left alone");
    }
    fs::write(path, scene.picture().to_string()).with_context(|| format!("cannot write {name}"))
}
