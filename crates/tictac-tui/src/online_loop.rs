//! The event loop of a game on a server.

use std::env;
use std::io;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use crossterm::event;
use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::background::Background;
use crate::draw::draw_online;
use crate::online::{OnlineGame, OnlineReply, OnlineReport, OnlineScreen};
use crate::screen::{FRAME_TIME, INTERRUPTED};
use crate::settings::PlaySettings;
use crate::terminal::FullScreen;
use crate::theme::{Palette, Theme};

/// How a game on a server is shown.
#[derive(Clone, Debug)]
pub struct OnlineOptions {
    /// The characters of the screen, and whether it has colours; which ones, the settings tell.
    pub theme: Theme,
    /// The settings, of which only the theme matters.
    pub settings: PlaySettings,
    /// Whether moves are animated.
    pub has_motion: bool,
}

/// An event for the loop, sent by one of the threads.
enum OnlineLoopEvent {
    Terminal(io::Result<event::Event>),
    Report(OnlineReport),
    Signal(i32),
}

/// Plays a game on the full screen until the player leaves; `say` passes on what the player wants.
///
/// # Errors
///
/// Fails if the terminal cannot be used or the game cannot go on; the terminal is restored in any case.
pub fn play_online(
    options: &OnlineOptions,
    game: OnlineGame,
    reports: Receiver<OnlineReport>,
    say: impl Fn(String),
) -> anyhow::Result<ExitCode> {
    // Registered first: a signal that comes while the screen is being set up must still restore the terminal.
    let signals = Signals::new([SIGTERM, SIGHUP, SIGINT])?;
    let mut full_screen = FullScreen::enter().context("cannot use this terminal")?;
    let size = full_screen.terminal.size()?;
    let mut screen = OnlineScreen::new(game, (size.width, size.height));
    screen.motion.is_on = options.has_motion && env::var_os("SSH_CONNECTION").is_none();
    screen.motion.follow(Some(&screen.view));
    screen.motion.finish();
    let theme = options.theme();
    let (sender, events) = mpsc::channel();
    start_threads(signals, reports, &sender)?;
    loop {
        full_screen.terminal.draw(|frame| draw_online(&screen, theme, frame))?;
        let wait = if screen.motion.is_running() { FRAME_TIME } else { Duration::MAX };
        match events.recv_timeout(wait) {
            Err(RecvTimeoutError::Timeout) => screen.motion.tick(),
            Err(error) => return Err(error).context("all event threads have ended"),
            Ok(OnlineLoopEvent::Report(OnlineReport::Failed(reason))) => bail!(reason),
            Ok(OnlineLoopEvent::Report(report)) => screen.report(report),
            Ok(OnlineLoopEvent::Signal(signal)) => {
                drop(full_screen);
                emulate_default_handler(signal)?;
                bail!("signal {signal} did not end the process")
            }
            Ok(OnlineLoopEvent::Terminal(event)) => match screen.handle(&event?) {
                None => {}
                Some(OnlineReply::Say(text)) => say(text),
                Some(OnlineReply::Quit) => return Ok(ExitCode::SUCCESS),
                Some(OnlineReply::Interrupt) => return Ok(ExitCode::from(INTERRUPTED)),
            },
        }
    }
}

impl OnlineOptions {
    /// Returns the theme that the player has chosen, for a terminal with this background if it tells.
    fn theme(&self) -> Theme {
        let background = env::var("COLORFGBG").ok().and_then(|value| Background::from_colorfgbg(&value));
        match self.theme.palette {
            Palette::Monochrome => self.theme,
            _ => Theme { palette: self.settings.theme.palette(background), ..self.theme },
        }
    }
}

fn start_threads(
    mut signals: Signals,
    reports: Receiver<OnlineReport>,
    events: &Sender<OnlineLoopEvent>,
) -> io::Result<()> {
    let for_signals = events.clone();
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        // Sending fails once the loop has ended.
        signals.forever().all(|signal| for_signals.send(OnlineLoopEvent::Signal(signal)).is_ok());
    })?;
    let for_reports = events.clone();
    thread::Builder::new().name("reports".to_owned()).spawn(move || {
        reports.into_iter().all(|report| for_reports.send(OnlineLoopEvent::Report(report)).is_ok());
    })?;
    let for_terminal = events.clone();
    thread::Builder::new()
        .name("keys".to_owned())
        .spawn(move || while for_terminal.send(OnlineLoopEvent::Terminal(event::read())).is_ok() {})?;
    Ok(())
}
