//! `tictac convert`.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use tictac_archive::{Conversion, FoundGame, GameReader, Letters, Losses, Notation};

use crate::charset::Charset;
use crate::diagnostic::{Diagnostic, escape};
use crate::faults::Faults;
use crate::paint::Paint;
use crate::sources::Sources;

/// Write games in another notation
///
/// Reads games in one notation and writes them to stdout in another. Nothing is lost silently: what the other notation
/// cannot hold is an error that says which game, why, and what would do instead, and the other games are written all the
/// same.
///
/// Take care: in .ttt the letter of a square is its row, in PGN, FEN and AT3 it is the column. This command knows.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,

    /// The notation to write
    #[arg(short, long, value_name = "NOTATION")]
    to: NotationName,

    /// The notation to read [default: recognised by content]
    #[arg(short, long, value_name = "NOTATION")]
    from: Option<NotationName>,

    /// What letters of squares mean in the input, where that is not what its notation says (ttt and at3)
    #[arg(long, value_name = "WHAT")]
    letters: Option<LettersName>,

    /// Leave out what the other notation cannot hold, such as comments
    #[arg(long)]
    lossy: bool,

    /// Write one picture a game into this folder (svg only)
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const AFTER_LONG_HELP: &str = "\
Notations: ttt (records of the course, archives), pgn (drop moves, as Fairy-Stockfish writes them), at3, xfen (3×3 only),
fen (a position with pieces in hand), json (one object a game), svg (a picture, cannot be read).

Exit status: 0 all is written, 1 a game is wrong or does not fit, 2 something could not be read or written.

Examples:
  tictac convert --to pgn game.ttt                 for a chess program
  tictac convert --to json archive.ttt.gz          one object a game
  tictac convert --to ttt game.pgn                 back again
  tictac convert --to fen --lossy game.ttt         the last position, without comments
  tictac convert --to svg --out pictures games/    a picture of each game
  tictac convert --to ttt --letters column x.ttt   a record whose letters name columns";

/// A notation by its name.
#[derive(Clone, Copy)]
struct NotationName(Notation);

impl ValueEnum for NotationName {
    fn value_variants<'a>() -> &'a [NotationName] {
        const ALL: [NotationName; Notation::ALL.len()] = {
            let mut all = [NotationName(Notation::Ttt); Notation::ALL.len()];
            let mut at = 0;
            while at < all.len() {
                all[at] = NotationName(Notation::ALL[at]);
                at += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

/// What letters of squares mean.
#[derive(Clone, Copy, ValueEnum)]
enum LettersName {
    Row,
    Column,
}

/// Converts what the arguments name.
pub(crate) fn run(
    args: &Args,
    error_paint: Paint,
    charset: Charset,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let is_svg = args.to.0 == Notation::Svg;
    if args.out.is_some() && !is_svg {
        bail!("--out is for pictures; other notations hold several games, and go to stdout");
    }
    let mut output = Output { args, out, n_written: 0, picture: None };
    let mut faults = Faults::new(error_paint, charset);
    for input in Faults::inputs(&args.sources.paths)? {
        let name = input.name();
        let read = input.reader().and_then(|reader| args.conversion().reader(reader));
        let converted = match read {
            Ok(mut games) => output.convert(&name, games.as_mut(), &mut faults)?,
            Err(error) => Err(error),
        };
        if let Err(error) = converted {
            output.out.flush()?;
            faults.print_unreadable("read", &name, &error)?;
        }
    }
    output.finish()?;
    faults.finish()?;
    Ok(match (faults.n_unreadable(), faults.n_faults()) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(1),
        _ => ExitCode::from(2),
    })
}

impl Args {
    fn conversion(&self) -> Conversion {
        Conversion {
            from: self.from.map(|name| name.0),
            to: self.to.0,
            rules: self.sources.rules,
            letters: self.letters.map(|letters| match letters {
                LettersName::Row => Letters::Rows,
                LettersName::Column => Letters::Columns,
            }),
            losses: if self.lossy { Losses::Accepted } else { Losses::Refused },
        }
    }
}

/// Where games go.
struct Output<'a, W> {
    args: &'a Args,
    out: &'a mut W,
    n_written: u64,
    // The only picture so far, where there is one place for one.
    picture: Option<Vec<u8>>,
}

impl<W: Write> Output<'_, W> {
    /// Converts the games of an input; the inner error is that of the input.
    fn convert(
        &mut self,
        name: &str,
        games: &mut dyn GameReader,
        faults: &mut Faults,
    ) -> anyhow::Result<io::Result<()>> {
        let conversion = self.args.conversion();
        let mut text = Vec::new();
        loop {
            let found = match games.next_game() {
                Ok(Some(found)) => found,
                Ok(None) => return Ok(Ok(())),
                Err(error) => return Ok(Err(error)),
            };
            text.clear();
            match conversion.write(&found, &mut text) {
                Ok(()) => self.write(name, &found, &text)?,
                Err(_) if found.game().is_none() => {
                    self.out.flush()?;
                    faults.print_game(name, &found.report)?;
                }
                Err(unfit) => {
                    self.out.flush()?;
                    unfit.iter().try_for_each(|fault| faults.print(&Diagnostic::of_fault(name, fault)))?;
                }
            }
        }
    }

    fn write(&mut self, name: &str, found: &FoundGame, text: &[u8]) -> anyhow::Result<()> {
        self.n_written += 1;
        match (self.args.to.0, &self.args.out) {
            (Notation::Svg, Some(folder)) => return save(folder, name, found.report.game, text),
            (Notation::Svg, None) if self.n_written > 1 => {
                bail!("there are several games, and a picture shows one: say --out DIR for a picture each")
            }
            (Notation::Svg, None) => self.picture = Some(text.to_owned()),
            (notation, _) => {
                if self.n_written > 1 {
                    self.out.write_all(notation.separator().as_bytes())?;
                }
                self.out.write_all(text)?;
            }
        }
        Ok(())
    }

    /// Writes the picture that was kept until it was known to be the only one.
    fn finish(&mut self) -> io::Result<()> {
        self.picture.take().map_or(Ok(()), |picture| self.out.write_all(&picture))
    }
}

/// Saves a picture as `folder/game-7.svg`; never over another file.
fn save(folder: &Path, name: &str, number: u64, picture: &[u8]) -> anyhow::Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot make {}", escape(folder.as_os_str().as_encoded_bytes())))?;
    let stem = Path::new(name).file_stem().map_or("game".into(), |stem| stem.to_string_lossy());
    let stem = if name == "<stdin>" { "stdin".into() } else { stem };
    let path = folder.join(format!("{stem}-{number}.svg"));
    let context = || format!("cannot write {}", escape(path.as_os_str().as_encoded_bytes()));
    let mut file = File::create_new(&path).with_context(context)?;
    file.write_all(picture).with_context(context)
}
