//! The command `tictac convert`.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tictac_archive::{Conversion, FoundGame, Letters, Losses, Notation};

use crate::diagnostic::Diagnostic;
use crate::faults::Faults;
use crate::output_file::{cannot_write, open_folder};
use crate::paint::OutputStyle;
use crate::values::{MaxErrors, Sources};

/// Convert games to another notation
///
/// Reads games in one notation and writes them to stdout in another. A game that the new notation cannot hold completely
/// is reported as an error, with the reason and an alternative; the other games are still written.
///
/// In .ttt files the letter of a square is its row; in PGN, FEN and AT3 it is the column. Conversion takes care of this.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,

    /// Notation to write
    #[arg(long, value_name = "NOTATION", value_parser = notation(|_| true))]
    to: Notation,

    /// Notation to read [default: detected from the content]
    #[arg(short, long, value_name = "NOTATION", value_parser = notation(Notation::is_readable))]
    from: Option<Notation>,

    /// What the letters of squares mean in the input, if not what its notation says (ttt and at3)
    #[arg(long, value_name = "WHAT", value_parser = letters())]
    letters: Option<Letters>,

    /// Drop what the new notation cannot hold, such as comments
    #[arg(long)]
    lossy: bool,

    /// Write one picture per game to this folder (svg only)
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    max_errors: MaxErrors,
}

const AFTER_LONG_HELP: &str = "\
Notations: ttt (records and archives), pgn (drop moves, as written by Fairy-Stockfish), at3, xfen (3×3 only), \
fen (a position with pieces in hand), json (one object per game), svg (a picture, write only).

Exit status: 0 all games are written, 1 a game has an error or does not fit, 2 an input could not be read or written.

Examples:
  tictac convert --to pgn game.ttt                 for a chess program
  tictac convert --to json archive.ttt.gz          one object per game
  tictac convert --to ttt game.pgn                 back again
  tictac convert --to fen --lossy game.ttt         only the last position
  tictac convert --to svg --out pictures games/    one picture per game
  tictac convert --to ttt --letters column x.ttt   letters that name columns";

fn notation(is_allowed: impl Fn(Notation) -> bool) -> impl TypedValueParser<Value = Notation> {
    let allowed = Notation::ALL.into_iter().filter(|&notation| is_allowed(notation));
    PossibleValuesParser::new(allowed.map(Notation::name)).map(|name| {
        let mut all = Notation::ALL.into_iter();
        all.find(|notation| notation.name() == name).expect("the name is a possible value")
    })
}

fn letters() -> impl TypedValueParser<Value = Letters> {
    PossibleValuesParser::new(["row", "column"])
        .map(|name| if name == "row" { Letters::Rows } else { Letters::Columns })
}

pub(crate) fn run(args: &Args, style: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    if args.out.is_some() && args.to != Notation::Svg {
        bail!("--out is for svg only; other notations are written to stdout");
    }
    args.out.as_deref().map_or(Ok(()), open_folder)?;
    let conversion = args.conversion();
    let mut output = GameOutput { args, conversion, out, n_written: 0, last: Vec::new(), picture: None };
    let mut faults = Faults::new(style, args.max_errors.max_errors);
    for input in Faults::inputs(&args.sources.paths, style) {
        let name = input.name();
        let read = input.reader().and_then(|reader| output.conversion.games(reader));
        let (games, unreadable) =
            read.map_or_else(|error| (None, Some(Err(error))), |games| (Some(games), None));
        for found in games.into_iter().flatten().chain(unreadable) {
            match found {
                Ok(found) => output.convert(&name, &found, &mut faults)?,
                Err(error) => {
                    output.out.flush()?;
                    faults.print_unreadable("read", &name, &error)?;
                    break;
                }
            }
        }
    }
    if let Some(picture) = output.picture {
        output.out.write_all(&picture)?;
    }
    Ok(faults.finish(0)?)
}

impl Args {
    fn conversion(&self) -> Conversion {
        Conversion {
            from: self.from,
            to: self.to,
            rules: self.sources.rules,
            letters: self.letters,
            losses: if self.lossy { Losses::Accepted } else { Losses::Refused },
        }
    }
}

struct GameOutput<'a, W> {
    args: &'a Args,
    conversion: Conversion,
    out: &'a mut W,
    n_written: u64,
    // The game that was written last.
    last: Vec<u8>,
    // The picture for stdout, held back until it is known to be the only one.
    picture: Option<Vec<u8>>,
}

impl<W: Write> GameOutput<'_, W> {
    fn convert(&mut self, name: &str, found: &FoundGame, faults: &mut Faults) -> anyhow::Result<()> {
        let mut text = Vec::new();
        match self.conversion.write(found, &mut text) {
            Ok(()) => self.write(name, found, text)?,
            Err(_) if found.game().is_none() => {
                self.out.flush()?;
                faults.print_game(name, &found.report)?;
            }
            Err(unfit) => {
                self.out.flush()?;
                unfit.iter().try_for_each(|fault| faults.print(&Diagnostic::of_fault(name, fault)))?;
            }
        }
        Ok(())
    }

    fn write(&mut self, name: &str, found: &FoundGame, text: Vec<u8>) -> anyhow::Result<()> {
        self.n_written += 1;
        match (self.args.to, &self.args.out) {
            (Notation::Svg, Some(folder)) => return save(folder, name, found.report.game, &text),
            (Notation::Svg, None) if self.n_written > 1 => {
                bail!("there are several games; use --out DIR to write one picture per game")
            }
            (Notation::Svg, None) => self.picture = Some(text),
            (notation, _) => {
                if self.n_written > 1 {
                    self.out.write_all(notation.separator(&self.last, &text).as_bytes())?;
                }
                self.out.write_all(&text)?;
                self.last = text;
            }
        }
        Ok(())
    }
}

/// Saves a picture as `folder/game-7.svg`, without overwriting an existing file.
fn save(folder: &Path, name: &str, number: u64, picture: &[u8]) -> anyhow::Result<()> {
    let stem = Path::new(name).file_stem().map_or("game".into(), |stem| stem.to_string_lossy());
    let stem = if name == "<stdin>" { "stdin".into() } else { stem };
    let path = folder.join(format!("{stem}-{number}.svg"));
    let written = File::create_new(&path).and_then(|mut file| file.write_all(picture));
    written.with_context(|| cannot_write(&path))
}
