//! `tictac play`.

mod clock;
mod history;
mod level_match;
#[cfg(feature = "serve")]
mod online;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::ValueHint;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tictac::{Rules, State};
use tictac_solver::level::Level;
use tictac_tui::{
    InvalidRecord, LinePrompt, Palette, PlayFolder, PlayOptions, PlaySettings, Seat, Start, Theme,
    ThemeChoice, check_n_boards, open_record,
};

use self::clock::PlayClock;
use self::level_match::LevelMatch;
use crate::charset::Charset;
use crate::cli::can_play;
use crate::completions;
use crate::diagnostic::Diagnostic;
use crate::paint::{OutputStyle, Paint};
use crate::position::{self, position_in, rules_on_boards};
use crate::values::{number, time};

/// Play on the full screen, or line by line
///
/// Without arguments it shows a menu: play the computer or a friend, play Notakto, choose other rules, open a record or
/// solve the lessons. With rules or players it starts a game at once.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(crate) struct Args {
    /// A record to replay and take over (FILE#2 for its second game), or a position such as 'X.O/.X./... O'
    #[arg(value_name = "FILE|POSITION", value_hint = ValueHint::FilePath)]
    subject: Option<OsString>,

    /// Rules such as 3,3,3, '4,4,4 misere' or notakto [default: 3,3,3, or notakto with --boards]
    #[arg(short, long, value_name = "RULES", add = completions::rules())]
    rules: Option<Rules>,

    /// Number of boards, 1 to 9; only for rules under which both players write X
    #[arg(short, long, value_name = "N", value_parser = number(1_u32..))]
    boards: Option<u32>,

    /// Who plays X (or first): person, beginner, casual, club, expert or perfect [default: person]
    #[arg(short, long, value_name = "WHO", add = completions::names(seats()))]
    x: Option<Seat>,

    /// Who plays O (or second) [default: the level chosen last, initially casual]
    #[arg(short, long, value_name = "WHO", add = completions::names(seats()))]
    o: Option<Seat>,

    /// Time limit of the computer per move, such as 5s or 500ms
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = time(Duration::ZERO..=MAX_TIME_LIMIT))]
    think: Duration,

    /// Minimum time per move if the computer plays both sides, such as 300ms [default: 600ms]
    ///
    /// With --games, the boards are shown only if this option is given.
    #[arg(long, value_name = "TIME", value_parser = time(Duration::ZERO..=MAX_TIME_LIMIT))]
    delay: Option<Duration>,

    /// Play with a clock: the time of each player for the whole game, such as 3min; a player who runs out of time loses
    ///
    /// With --invite also 5+3, for minutes per side and seconds per move, or 2d, for days per move.
    #[arg(long, value_name = "TIME", value_parser = PlayClock::parse,
          conflicts_with_all = ["games", "history", "learn"])]
    clock: Option<PlayClock>,

    /// Let the computer play this many games against itself and print the results; the sides take turns to go first
    #[arg(short, long, value_name = "N", conflicts_with_all = ["subject", "learn", "plain"],
          value_parser = number(1_u64..))]
    games: Option<u64>,

    /// Print the results of --games as JSON
    #[arg(long, requires = "games")]
    json: bool,

    /// Seed for the random number generator; the same seed gives the same games
    #[arg(long, value_name = "N", value_parser = number(0_u64..))]
    seed: Option<u64>,

    /// Start with the lessons
    #[arg(short, long, conflicts_with_all = ["subject", "rules", "boards", "x", "o"])]
    learn: bool,

    /// Print the games that you have finished against the computer, by rules and level, and exit
    #[arg(long, conflicts_with_all = ["subject", "learn", "plain", "games", "x", "o", "rules", "boards"])]
    history: bool,

    /// Let the level of the computer adapt to you: it changes after two games won or lost in a row
    #[arg(long, conflicts_with_all = ["subject", "learn", "plain", "games", "history"])]
    adaptive: bool,

    /// Play over the network: take the seat of a link that `tictac serve` has made, or watch its game
    #[arg(long, value_name = "LINK", conflicts_with_all = ["subject", "learn", "games", "history", "x", "o", "rules", "boards", "clock", "adaptive"])]
    join: Option<String>,

    /// Open a game on the server with this address, print a link for a friend, and play it
    #[arg(long, value_name = "SERVER", conflicts_with_all = ["join", "subject", "learn", "games", "history", "x", "o", "adaptive"])]
    invite: Option<String>,

    /// Your name in a game over the network; needs --join or --invite
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Colours of the screen; auto asks the terminal for its background, and the choice is remembered
    #[arg(long, value_name = "THEME", value_parser = theme_parser(), conflicts_with_all = ["plain", "games"])]
    theme: Option<ThemeChoice>,

    /// Use line mode: plain lines for screen readers and scripts; the default without a terminal
    #[arg(short, long)]
    plain: bool,
}

const AFTER_LONG_HELP: &str = "\
Keys: arrows or j k l move the cursor; Enter, Space, B2, 1 to 9 or a click play a square; u undo, U redo, [ and ] step, h hint, \
v values of all squares, y why, m mistakes, p players, n new game, s save, r resign, w swap sides, t theme, Esc menu, ? help, q quit.

In line mode, type squares and words; help lists them.

The last choices, an unfinished game and the results of your games are remembered in $XDG_CONFIG_HOME/tictac (or \
~/.config/tictac). Nothing else is written unless you save.

Examples:
  tictac play                                   show the menu
  tictac play --o perfect                       you are X against the computer
  tictac play --x expert --o person             the computer goes first
  tictac play --rules notakto --boards 3        Notakto on three boards
  tictac play --rules 8,8,5 --think 5s          five in a row, 5 s per move
  tictac play --x club --o expert               watch the computer play itself
  tictac play --x perfect --o beginner -g 100   the results of 100 games
  tictac play game.ttt                          replay and take over
  tictac play --learn                           the lessons
  tictac play --history                         your games so far
  tictac play --plain                           line by line
  tictac play --invite https://example.org      a game on a server
  tictac play --invite https://example.org --clock 5+3
                                                with five minutes each, and three seconds more per move
  tictac play --join https://…/join/…           play the game of a link";

fn theme_parser() -> impl TypedValueParser<Value = ThemeChoice> {
    PossibleValuesParser::new(ThemeChoice::ALL.map(|(_, name)| name)).try_map(|name| name.parse())
}

/// Returns the players that can be chosen.
fn seats() -> [Seat; 1 + Level::ALL.len()] {
    let [beginner, casual, club, expert, perfect] = Level::ALL.map(Seat::Computer);
    [Seat::Person, beginner, casual, club, expert, perfect]
}

/// The longest time that the computer may take for a move, and the longest pause between two of its moves.
const MAX_TIME_LIMIT: Duration = Duration::from_hours(24);

pub(crate) fn run(args: &Args, style: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    if args.history {
        history::write(&PlayFolder::of_user().map(|folder| folder.history()).unwrap_or_default(), out)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(n_games) = args.games {
        args.level_match(n_games)?.run(style, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let is_online = args.join.is_some() || args.invite.is_some();
    if args.name.is_some() && !is_online {
        bail!("--name needs --join or --invite");
    }
    let has_screen = !args.plain && can_play();
    if is_online {
        #[cfg(feature = "serve")]
        return online::run(args, style, has_screen, out);
        #[cfg(not(feature = "serve"))]
        bail!("--join and --invite are not part of this build; build tictac-cli with the feature \"serve\"");
    }
    if !has_screen && (args.clock.is_some() || args.adaptive) {
        let option = if args.adaptive { "--adaptive" } else { "--clock" };
        let reason = if args.plain { "with --plain" } else { "without one" };
        bail!("{option} needs a terminal: {reason}, the game is played line by line");
    }
    let mut options = args.options(theme(style));
    options.start = args.start(&options.settings)?;
    options.clock = args.clock.as_ref().map(PlayClock::time).transpose()?;
    if has_screen {
        return tictac_tui::play_on_screen(&options, None);
    }
    let prompt = if io::stdin().is_terminal() { LinePrompt::Shown } else { LinePrompt::Hidden };
    tictac_tui::play_in_lines(&options, prompt, &mut io::stdin().lock(), out)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the characters of the screen, and whether it has colours.
fn theme(style: OutputStyle) -> Theme {
    let palette = if style.paint == Paint::On { Palette::Neutral } else { Palette::Monochrome };
    Theme { palette, is_ascii: style.charset == Charset::Ascii }
}

fn has_motion() -> bool {
    std::env::var_os("NO_MOTION").is_none_or(|value| value.is_empty())
}

impl Args {
    /// Returns the options of the screen and of line mode, which start with the menu.
    fn options(&self, theme: Theme) -> PlayOptions {
        let folder = PlayFolder::of_user();
        let settings = self.settings(folder.as_ref());
        PlayOptions {
            start: Start::Menu,
            adapts: self.adaptive,
            time_limit: self.think,
            clock: None,
            min_move_time: self.delay.unwrap_or(Duration::from_millis(600)),
            theme,
            has_motion: has_motion(),
            seed: self.seed.unwrap_or_else(|| fastrand::u64(..)),
            settings,
            kept_game: folder.as_ref().and_then(PlayFolder::kept_game),
            folder,
        }
    }

    /// Returns the settings with the theme of the command line, which is remembered.
    fn settings(&self, folder: Option<&PlayFolder>) -> PlaySettings {
        let mut settings = folder.map(PlayFolder::settings).unwrap_or_default();
        if let Some(theme) = self.theme.filter(|theme| *theme != settings.theme) {
            settings.theme = theme;
            // A theme that cannot be remembered can still be used.
            let _ = folder.map(|folder| folder.write_settings(&settings));
        }
        settings
    }

    fn start(&self, settings: &PlaySettings) -> anyhow::Result<Start> {
        if self.learn {
            return Ok(Start::Learn);
        }
        let rules = self.rules()?;
        rules.as_ref().map_or(Ok(()), check_n_boards)?;
        let grid = rules.unwrap_or(Rules::CLASSIC).grid();
        let state = match &self.subject {
            None => None,
            Some(subject) => match position_in(subject, grid) {
                Some(text) => {
                    let state = position::parse(rules, text)?;
                    check_n_boards(state.rules())?;
                    Some(state)
                }
                None => return self.replay(subject),
            },
        };
        if state.is_none() && rules.is_none() && self.x.is_none() && self.o.is_none() && !self.adaptive {
            return Ok(Start::Menu);
        }
        let state = state.unwrap_or_else(|| State::start(&rules.unwrap_or(Rules::CLASSIC)));
        let computer = Seat::Computer(settings.level);
        let x = self.x.unwrap_or(Seat::Person);
        // If only X is given to the computer, the person plays O.
        let o = self.o.unwrap_or(if x == Seat::Person { computer } else { Seat::Person });
        Ok(Start::Game { state, seats: [x, o] })
    }

    fn replay(&self, subject: &OsString) -> anyhow::Result<Start> {
        if self.rules.is_some() || self.boards.is_some() || self.x.is_some() || self.o.is_some() {
            bail!("a record contains its rules; to choose the players, open it and press p");
        }
        let name = subject.to_str().context("the file name is not valid UTF-8")?;
        let opened = open_record(name).map_err(|error| match error.downcast::<InvalidRecord>() {
            // Opening a record is not a check: the exit status is 2, so only the text of the first fault is kept.
            Ok(invalid) => {
                let fault = Diagnostic::of_report(&invalid.file, &invalid.report).next();
                anyhow!(fault.expect("an invalid game has a fault").render(Paint::Off, Charset::Unicode))
            }
            Err(error) => error,
        });
        Ok(Start::Replay(Box::new(opened?)))
    }

    fn level_match(&self, n_games: u64) -> anyhow::Result<LevelMatch> {
        let (Some(Seat::Computer(x)), Some(Seat::Computer(o))) = (self.x, self.o) else {
            bail!("--games lets the computer play itself: set both --x and --o to a level");
        };
        let rules = self.rules()?.unwrap_or(Rules::CLASSIC);
        check_n_boards(&rules)?;
        Ok(LevelMatch {
            rules,
            levels: [x, o],
            n_games,
            delay: self.delay,
            time_limit: self.think,
            seed: self.seed.unwrap_or_else(|| fastrand::u64(..)),
            json: self.json,
        })
    }

    fn rules(&self) -> anyhow::Result<Option<Rules>> {
        rules_on_boards(self.rules, self.boards)
    }
}
