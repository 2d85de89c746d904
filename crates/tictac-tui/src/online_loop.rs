//! The event loop of a game on a server.

use std::env;
use std::io;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use crossterm::event;

use crate::background::Background;
use crate::draw::draw_online;
use crate::online::{OnlineGame, OnlineReply, OnlineReport, OnlineScreen};
use crate::platform::{CaughtSignals, SystemEvent, catch_signals, end_by, for_each_event, suspend};
use crate::screen::{ExitReason, INTERRUPTED};
use crate::settings::PlaySettings;
use crate::terminal::{FullScreen, restore};
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
    System(SystemEvent),
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
    let signals = catch_signals()?;
    let full_screen = FullScreen::enter().context("cannot use this terminal")?;
    let size = full_screen.terminal.size()?;
    let mut screen = OnlineScreen::new(game, (size.width, size.height));
    screen.motion.is_on = options.has_motion && env::var_os("SSH_CONNECTION").is_none();
    screen.motion.follow(Some(&screen.view));
    screen.motion.finish();
    let (sender, events) = mpsc::channel();
    start_threads(signals, reports, &sender)?;
    let event_loop =
        OnlineLoop { screen, full_screen, theme: options.theme(), clock_read_at: Instant::now() };
    match event_loop.run(&events, say)? {
        ExitReason::Status(status) => Ok(status),
        ExitReason::Signal(signal) => {
            end_by(signal)?;
            bail!("signal {signal} did not end the process")
        }
    }
}

/// Everything that the loop changes. It owns the screen, so that the terminal is restored before a signal ends the process.
struct OnlineLoop {
    screen: OnlineScreen,
    full_screen: FullScreen,
    theme: Theme,
    clock_read_at: Instant,
}

impl OnlineLoop {
    fn run(mut self, events: &Receiver<OnlineLoopEvent>, say: impl Fn(String)) -> anyhow::Result<ExitReason> {
        loop {
            self.full_screen.terminal.draw(|frame| draw_online(&self.screen, self.theme, frame))?;
            let wait = self.screen.until_next_picture().unwrap_or(Duration::MAX);
            let event = events.recv_timeout(wait);
            let elapsed = self.clock_read_at.elapsed();
            self.clock_read_at += elapsed;
            self.screen.run_clock(elapsed);
            let event = match event {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => {
                    if self.screen.motion.is_running() {
                        self.screen.motion.tick();
                    }
                    continue;
                }
                Err(error) => return Err(error).context("all event threads have ended"),
            };
            if let Some(reason) = self.handle(event, &say)? {
                return Ok(reason);
            }
        }
    }

    /// Handles an event; returns why the loop ends, if it does.
    fn handle(&mut self, event: OnlineLoopEvent, say: impl Fn(String)) -> anyhow::Result<Option<ExitReason>> {
        let reply = match event {
            OnlineLoopEvent::Report(OnlineReport::Failed(reason)) => bail!(reason),
            OnlineLoopEvent::Report(report) => {
                self.screen.report(report);
                None
            }
            OnlineLoopEvent::Terminal(Ok(event)) => self.screen.handle(&event),
            OnlineLoopEvent::Terminal(Err(error)) if error.kind() == io::ErrorKind::Interrupted => None,
            OnlineLoopEvent::Terminal(Err(error)) => return Err(error).context("cannot read the terminal"),
            OnlineLoopEvent::System(SystemEvent::End(signal)) => return Ok(Some(ExitReason::Signal(signal))),
            OnlineLoopEvent::System(SystemEvent::Suspend) => Some(OnlineReply::Suspend),
            // While the process was stopped, other programs may have changed the terminal.
            OnlineLoopEvent::System(SystemEvent::Resume) => {
                self.leave_during(|| ())?;
                None
            }
            OnlineLoopEvent::System(SystemEvent::Resize) => {
                self.resize()?;
                None
            }
        };
        match reply {
            None => {}
            Some(OnlineReply::Say(text)) => say(text),
            // If the process cannot be stopped, the game simply continues.
            Some(OnlineReply::Suspend) => self.leave_during(suspend)?,
            Some(OnlineReply::Quit) => return Ok(Some(ExitReason::Status(ExitCode::SUCCESS))),
            Some(OnlineReply::Interrupt) => {
                return Ok(Some(ExitReason::Status(ExitCode::from(INTERRUPTED))));
            }
        }
        Ok(None)
    }

    fn leave_during(&mut self, interlude: impl FnOnce()) -> io::Result<()> {
        self.full_screen.leave_during(interlude)?;
        self.resize()
    }

    fn resize(&mut self) -> io::Result<()> {
        let size = self.full_screen.terminal.size()?;
        self.screen.size = (size.width, size.height);
        Ok(())
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
    signals: CaughtSignals,
    reports: Receiver<OnlineReport>,
    events: &Sender<OnlineLoopEvent>,
) -> io::Result<()> {
    let for_signals = events.clone();
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for_each_event(signals, |event| {
            let is_sent = for_signals.send(OnlineLoopEvent::System(event)).is_ok();
            if !is_sent {
                // The loop has ended, possibly by an error.
                restore();
            }
            is_sent
        });
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
