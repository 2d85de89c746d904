//! `tictac play`.

mod contest;
mod record;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use clap::ColorChoice;
use tictac::{Rules, State};
use tictac_tui::{Asking, Host, MAX_BOARDS, Options, Seat, Settings, Start, Theme};

use self::contest::Contest;
use crate::charset::Charset;
use crate::diagnostic::Diagnostic;
use crate::paint::Paint;
use crate::state::{self, position_in};
use crate::values::number;

/// Play on the full screen, or line by line
///
/// Without arguments it offers what there is: play the computer or a friend, Notakto on several boards, any other rules,
/// open a record, learn. With rules or players it begins at once.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// A record to step through and take over (FILE#2: its second game), or a position such as 'X.O/.X./... O'
    #[arg(value_name = "FILE|POSITION")]
    subject: Option<OsString>,

    /// The rules, such as 3,3,3, '4,4,4 misere' or notakto [default: 3,3,3; of several boards: notakto]
    #[arg(short, long, value_name = "RULES")]
    rules: Option<Rules>,

    /// Play on so many boards at once, 1 to 9; only where both players write X
    #[arg(short, long, value_name = "N", value_parser = number(1_u32..))]
    boards: Option<u32>,

    /// Who plays X, or first: person, beginner, casual, club, expert or perfect [default: person]
    #[arg(short, long, value_name = "WHO")]
    x: Option<Seat>,

    /// Who plays O, or second [default: the level last chosen, at first casual]
    #[arg(short, long, value_name = "WHO")]
    o: Option<Seat>,

    /// How long the computer may think where it cannot answer at once, in seconds
    #[arg(short, long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    think: Option<Duration>,

    /// How long a move takes at least where the computer plays both sides, such as 300ms [default: 600ms; with --games
    /// the boards are shown only if this is given]
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    delay: Option<Duration>,

    /// Let the computer play so many games against itself, each side opening every other one, and print the tally
    #[arg(short, long, value_name = "N", conflicts_with_all = ["subject", "learn", "plain"],
          value_parser = number(1_u64..))]
    games: Option<u64>,

    /// Print the tally as JSON
    #[arg(long, requires = "games")]
    json: bool,

    /// Make the same choices again: all the chance there is comes from this number
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Begin with the lessons
    #[arg(short, long, conflicts_with_all = ["subject", "rules", "boards", "x", "o"])]
    learn: bool,

    /// Line mode: plain lines, for screen readers and scripts; the default without a terminal
    #[arg(short, long)]
    plain: bool,
}

const AFTER_LONG_HELP: &str = "\
Keys: arrows or j k l move, Enter or Space places, B2 or 1 to 9 place at once, the mouse too; u undo, U redo, h hint,
v values of all squares, p players, n new, s save, r resign, w swap sides, Esc first screen, ? help, q quit.

Line mode takes squares and words: help lists them.

The last choice on the first screen is remembered in $XDG_CONFIG_HOME/tictac/play.conf (else ~/.config/tictac/play.conf).
Nothing else is written unless you save.

Examples:
  tictac play                                   the first screen
  tictac play --o perfect                       you are X, the computer never errs
  tictac play --x expert --o person             the computer begins
  tictac play --rules notakto --boards 3        Notakto on three boards
  tictac play --rules 8,8,5 --o perfect -t 5    five in a row; five seconds a move
  tictac play --x club --o expert               watch
  tictac play --x perfect --o beginner -g 100   a match, and its tally
  tictac play game.ttt                          step through a record, take over
  tictac play --learn                           the lessons
  tictac play --plain                           line by line";

/// Reads seconds, such as 2 or 0.5.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 =
        text.parse().map_err(|_| "expected a number of seconds, such as 2 or 0.5".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if time <= MAX_THINK => Ok(time),
        _ => Err(format!("expected 0 to {} seconds", MAX_THINK.as_secs())),
    }
}

/// Refuses more boards than there is room for.
pub(crate) fn has_room(rules: &Rules) -> anyhow::Result<()> {
    let n_boards = rules.n_boards();
    ensure!(n_boards <= MAX_BOARDS, "there is room to play on {MAX_BOARDS} boards, not on {n_boards}");
    Ok(())
}

/// Nobody waits longer for a move.
const MAX_THINK: Duration = Duration::from_hours(24);

/// Plays until the user has had enough.
pub(crate) fn run(
    args: &Args,
    color: ColorChoice,
    charset: Charset,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    if let Some(n_games) = args.games {
        return args.contest(n_games)?.run(Paint::new(color, &io::stdout()), charset, out);
    }
    let on_screen = !args.plain && io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb();
    let has_colour = Paint::new(color, &io::stdout()) == Paint::On;
    let options = args.options(Theme { has_colour, is_ascii: charset == Charset::Ascii })?;
    let host = Host {
        open: &|name| record::open(name).map_err(|error| format!("{error:#}")),
        holdings: &record::holdings,
    };
    if on_screen {
        return tictac_tui::play_on_screen(&options, &host);
    }
    let asking = if io::stdin().is_terminal() { Asking::Prompt } else { Asking::Silent };
    tictac_tui::play_in_lines(&options, &host, asking, &mut io::stdin().lock(), out)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns whether plain `tictac` should start a game: only where somebody can see it.
pub(crate) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb()
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

impl Args {
    fn options(&self, theme: Theme) -> anyhow::Result<Options> {
        let settings_file = tictac_tui::settings_file();
        let settings = settings_file.as_deref().map(tictac_tui::read_settings).unwrap_or_default();
        Ok(Options {
            start: self.start(&settings)?,
            think: self.think.unwrap_or(Duration::from_secs(2)),
            delay: self.delay.unwrap_or(Duration::from_millis(600)),
            theme,
            seed: self.seed.unwrap_or_else(|| fastrand::u64(..)),
            settings,
            settings_file,
        })
    }

    fn start(&self, settings: &Settings) -> anyhow::Result<Start> {
        if self.learn {
            return Ok(Start::Learn);
        }
        let rules = self.rules()?;
        rules.as_ref().map_or(Ok(()), has_room)?;
        let grid = rules.unwrap_or(Rules::CLASSIC).grid();
        let state = match &self.subject {
            None => None,
            Some(subject) => match position_in(subject, grid) {
                Some(text) => {
                    let state = state::parse(rules, text)?;
                    has_room(state.rules())?;
                    Some(state)
                }
                None => return self.replay(subject),
            },
        };
        if state.is_none() && rules.is_none() && self.x.is_none() && self.o.is_none() {
            return Ok(Start::Menu);
        }
        let state = state.unwrap_or_else(|| State::start(&rules.unwrap_or(Rules::CLASSIC)));
        let computer = Seat::Computer(settings.level);
        let x = self.x.unwrap_or(Seat::Person);
        // Whoever gives X to the computer plays the other side himself.
        let o = self.o.unwrap_or(if x == Seat::Person { computer } else { Seat::Person });
        Ok(Start::Game { state, seats: [x, o] })
    }

    fn replay(&self, subject: &OsString) -> anyhow::Result<Start> {
        if self.rules.is_some() || self.boards.is_some() || self.x.is_some() || self.o.is_some() {
            bail!("a record says its rules itself, and players are chosen with p once it is open");
        }
        let name = subject.to_str().context("the name of the record is not UTF-8")?;
        let opened = record::open(name).map_err(|error| match error.downcast::<Diagnostic>() {
            // Unlike `check` and `show`, this command was not asked whether the record is correct: the status is 2.
            Ok(diagnostic) => anyhow!(diagnostic.render(Paint::Off, Charset::Unicode)),
            Err(error) => error,
        });
        Ok(Start::Replay(Box::new(opened?)))
    }

    fn contest(&self, n_games: u64) -> anyhow::Result<Contest> {
        let (Some(Seat::Computer(x)), Some(Seat::Computer(o))) = (self.x, self.o) else {
            bail!("--games lets the computer play against itself: give both --x and --o a level");
        };
        let rules = self.rules()?.unwrap_or(Rules::CLASSIC);
        has_room(&rules)?;
        Ok(Contest {
            rules,
            levels: [x, o],
            n_games,
            delay: self.delay,
            think: self.think.unwrap_or(Duration::from_secs(2)),
            seed: self.seed.unwrap_or_else(|| fastrand::u64(..)),
            is_json: self.json,
        })
    }

    fn rules(&self) -> anyhow::Result<Option<Rules>> {
        let Some(n_boards) = self.boards else { return Ok(self.rules) };
        let rules = self.rules.unwrap_or(Rules::NOTAKTO);
        Ok(Some(rules.with_boards(n_boards).with_context(|| format!("--boards {n_boards}"))?))
    }
}
