//! The full screen: the event loop, and the effects that the app asks for.

use std::collections::VecDeque;
use std::env;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use crossterm::event;

use crate::action::{Action, Effect};
use crate::app::App;
use crate::background::{BACKGROUND_QUERY, Background, FilteredEvent, ReplyFilter};
use crate::completion;
use crate::draw::draw;
use crate::engine::{EngineReport, EngineTask, EngineThread};
use crate::keys;
use crate::online::{OnlineConnection, OnlineReport, OnlineRequest};
use crate::options::PlayOptions;
use crate::platform::{CaughtSignals, SystemEvent, catch_signals, end_by, for_each_event, suspend};
use crate::record;
use crate::seat::Seat;
use crate::terminal::{FullScreen, restore};
use crate::theme::{Palette, Theme};

/// An event for the loop, sent by one of the threads.
enum LoopEvent {
    Terminal(io::Result<event::Event>),
    Engine(EngineReport),
    Online(OnlineReport),
    System(SystemEvent),
}

/// Why the loop has ended.
enum ExitReason {
    Status(ExitCode),
    /// A signal that has to end the process in the default way.
    Signal(i32),
}

/// How long each frame of an animation is shown.
const FRAME_TIME: Duration = Duration::from_millis(45);
/// A connection on which the terminal answers later than this is too slow for animations.
const SLOW_REPLY: Duration = Duration::from_millis(50);

/// The exit status of a program that was interrupted by Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Plays on the full screen until the player quits; `online` is a game on a server, which is shown instead of what the options
/// start with.
///
/// # Errors
///
/// Fails if the terminal cannot be used or a game on a server cannot go on; the terminal is restored in any case.
pub fn play(options: &PlayOptions, online: Option<OnlineConnection>) -> anyhow::Result<ExitCode> {
    // Registered first: a signal that comes while the screen is being set up must still restore the terminal.
    let signals = catch_signals()?;
    let mut screen = FullScreen::enter().context("cannot use this terminal")?;
    let (sender, events) = mpsc::channel();
    let mut app = options.app();
    let mut send: Box<dyn Fn(OnlineRequest)> = Box::new(|_| ());
    let mut reports = None;
    if let Some(online) = online {
        app.show_online(online.game);
        (send, reports) = (online.send, Some(online.reports));
    }
    // Over a network there are no animations until the terminal has shown that it answers quickly.
    app.motion.is_on = options.has_motion && env::var_os("SSH_CONNECTION").is_none();
    let mut effects = app.update(resize(&screen)?);
    // Draw before starting the threads, so that the first picture does not wait for them.
    let background = env::var("COLORFGBG").ok().and_then(|value| Background::from_colorfgbg(&value));
    let theme = theme(options, &app, background);
    screen.terminal.draw(|frame| draw(&app, theme, frame))?;
    if theme.palette != Palette::Monochrome {
        ask_for_background(&mut screen)?;
    }
    let engine = start_threads(options, signals, reports, &sender)?;
    // The window may have been resized before the threads could report it.
    effects.extend(app.update(resize(&screen)?));
    // The event loop owns the screen, so that the terminal is restored before a signal ends the process.
    let event_loop = EventLoop {
        options,
        app,
        engine,
        send,
        screen,
        background,
        asked_at: Instant::now(),
        clock_read_at: Instant::now(),
        replies: ReplyFilter::default(),
    };
    match event_loop.run(effects, &events)? {
        ExitReason::Status(status) => Ok(status),
        ExitReason::Signal(signal) => {
            end_by(signal)?;
            bail!("signal {signal} did not end the process")
        }
    }
}

fn resize(screen: &FullScreen) -> io::Result<Action> {
    let size = screen.terminal.size()?;
    Ok(Action::Resize(size.width, size.height))
}

/// Asks the terminal for its background, unless it would print the question.
fn ask_for_background(screen: &mut FullScreen) -> io::Result<()> {
    if env::var_os("TERM").is_none_or(|term| term == "linux") {
        return Ok(());
    }
    let out = screen.terminal.backend_mut();
    out.write_all(BACKGROUND_QUERY.as_bytes())?;
    Write::flush(out)
}

/// Returns the theme that the player has chosen, for a terminal with this background if it is known.
fn theme(options: &PlayOptions, app: &App, background: Option<Background>) -> Theme {
    match options.theme.palette {
        Palette::Monochrome => options.theme,
        _ => Theme { palette: app.settings.theme.palette(background), ..options.theme },
    }
}

struct EventLoop<'a> {
    options: &'a PlayOptions,
    app: App,
    engine: EngineThread,
    send: Box<dyn Fn(OnlineRequest)>,
    screen: FullScreen,
    background: Option<Background>,
    asked_at: Instant,
    clock_read_at: Instant,
    replies: ReplyFilter,
}

impl EventLoop<'_> {
    fn run(mut self, mut effects: Vec<Effect>, events: &Receiver<LoopEvent>) -> anyhow::Result<ExitReason> {
        loop {
            if let Some(status) = self.run_effects(effects)? {
                return Ok(ExitReason::Status(status));
            }
            let theme = theme(self.options, &self.app, self.background);
            self.screen.terminal.draw(|frame| draw(&self.app, theme, frame))?;
            // Events that mean nothing are skipped without drawing again.
            effects = loop {
                match self.next_event(events)? {
                    None => break self.pass_time(),
                    Some(LoopEvent::System(SystemEvent::End(signal))) => {
                        return Ok(ExitReason::Signal(signal));
                    }
                    Some(event) => {
                        let mut effects = self.run_clock();
                        if let Some(more) = self.handle(event)? {
                            effects.extend(more);
                            break effects;
                        }
                        if !effects.is_empty() {
                            break effects;
                        }
                    }
                }
            };
        }
    }

    /// Takes the time since the last call from the player whose clock runs.
    fn run_clock(&mut self) -> Vec<Effect> {
        let elapsed = self.clock_read_at.elapsed();
        self.clock_read_at += elapsed;
        match self.app.clocked_player() {
            Some(_) => self.app.update(Action::Elapsed(elapsed)),
            None => Vec::new(),
        }
    }

    /// Draws the next frame of an animation, and the time that is left.
    fn pass_time(&mut self) -> Vec<Effect> {
        let mut effects = self.run_clock();
        if self.app.motion.is_running() {
            effects.extend(self.app.update(Action::Tick));
        }
        effects
    }

    /// Waits for the next event; returns `None` if the next frame of an animation or of the clock is due first.
    fn next_event(&self, events: &Receiver<LoopEvent>) -> anyhow::Result<Option<LoopEvent>> {
        let frame = if self.app.motion.is_running() { FRAME_TIME } else { Duration::MAX };
        let clock = self.app.clock.zip(self.app.clocked_player());
        let wait = clock.map_or(frame, |(clock, player)| frame.min(clock.until_next_text(player)));
        match events.recv_timeout(wait) {
            Ok(event) => Ok(Some(event)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(error) => Err(error).context("all event threads have ended"),
        }
    }

    /// Handles an event; returns the effects that follow, or `None` if nothing has changed.
    fn handle(&mut self, event: LoopEvent) -> anyhow::Result<Option<Vec<Effect>>> {
        let action = match event {
            LoopEvent::Terminal(Ok(event)) => return Ok(self.handle_key(event)),
            LoopEvent::Terminal(Err(error)) if error.kind() == io::ErrorKind::Interrupted => return Ok(None),
            LoopEvent::Terminal(Err(error)) => return Err(error).context("cannot read the terminal"),
            LoopEvent::Engine(EngineReport::Done(id, result)) => Action::TaskDone(id, result),
            LoopEvent::Engine(EngineReport::Panicked) => bail!("the engine thread panicked (this is a bug)"),
            LoopEvent::Online(OnlineReport::Failed(reason)) => bail!(reason),
            LoopEvent::Online(report) => Action::Online(report),
            LoopEvent::System(SystemEvent::Suspend) => Action::Suspend,
            // While the process was stopped, other programs may have changed the terminal.
            LoopEvent::System(SystemEvent::Resume) => {
                self.screen.leave_during(|| ())?;
                resize(&self.screen)?
            }
            // crossterm reports this too, but only after its thread has started to listen.
            LoopEvent::System(_) => resize(&self.screen)?,
        };
        Ok(Some(self.app.update(action)))
    }

    /// Handles a key, a click or a new size, and keys that were held back before it.
    fn handle_key(&mut self, event: event::Event) -> Option<Vec<Effect>> {
        let events = match self.replies.filter(event) {
            FilteredEvent::Keys(events) => events,
            FilteredEvent::Reply(background) => {
                self.background = background.or(self.background);
                self.app.motion.is_on = self.options.has_motion && self.asked_at.elapsed() < SLOW_REPLY;
                return Some(Vec::new());
            }
        };
        let mut effects = None;
        for event in events {
            if let Some(action) = keys::action(&self.app, &event) {
                effects.get_or_insert_with(Vec::new).extend(self.app.update(action));
            }
        }
        effects
    }

    /// Carries out the effects and those that follow from them; returns the status to exit with, if there is one.
    fn run_effects(&mut self, effects: Vec<Effect>) -> anyhow::Result<Option<ExitCode>> {
        let mut pending = VecDeque::from(effects);
        while let Some(effect) = pending.pop_front() {
            match effect {
                Effect::StartTask(id, task) => self.start_task(id, task),
                Effect::CancelTask => self.engine.cancel(),
                Effect::Save { name, text, mode } => {
                    let source = self.app.view.as_ref().and_then(|view| view.source.as_ref());
                    let saved = record::save(&name, &text, mode, source);
                    pending.extend(self.app.update(Action::Saved(saved)));
                }
                Effect::Open(name) => {
                    let opened = record::open_file(&name).map_err(|error| error.to_string());
                    pending.extend(self.app.update(Action::Opened(opened)));
                }
                Effect::Complete(typed) => {
                    let (text, names) = completion::complete(&typed);
                    pending.extend(self.app.update(Action::Completed(text, names)));
                }
                Effect::Send(request) => (self.send)(request),
                Effect::Suspend => {
                    // If the process cannot be stopped, the game simply continues.
                    self.screen.leave_during(suspend)?;
                    self.clock_read_at = Instant::now();
                    pending.extend(self.app.update(resize(&self.screen)?));
                }
                Effect::Quit => return Ok(Some(ExitCode::SUCCESS)),
                Effect::Interrupt => return Ok(Some(ExitCode::from(INTERRUPTED))),
                effect => self.options.remember(effect, &self.app.settings),
            }
        }
        Ok(None)
    }

    /// Starts a task; where the computer plays both sides, its moves take a while so that people can watch.
    fn start_task(&self, id: u64, task: EngineTask) {
        let seats = self.app.view.as_ref().map(|view| view.session.seats);
        let is_watched = seats.is_some_and(|seats| seats.iter().all(|&seat| seat != Seat::Person));
        let min_time = if is_watched { self.options.min_move_time } else { Duration::ZERO };
        self.engine.run(id, task, min_time);
    }
}

fn start_threads(
    options: &PlayOptions,
    signals: CaughtSignals,
    reports: Option<Receiver<OnlineReport>>,
    events: &Sender<LoopEvent>,
) -> anyhow::Result<EngineThread> {
    let spawn = |name: &str, run: Box<dyn FnOnce() + Send>| {
        thread::Builder::new().name(name.to_owned()).spawn(run).map(drop)
    };
    let for_signals = events.clone();
    let report_signal = move |event| {
        // Sending fails once the loop has ended, possibly by an error.
        for_signals.send(LoopEvent::System(event)).inspect_err(|_| restore()).is_ok()
    };
    spawn("signals", Box::new(move || for_each_event(signals, report_signal)))?;
    if let Some(reports) = reports {
        let for_reports = events.clone();
        let send = move |report| for_reports.send(LoopEvent::Online(report)).is_ok();
        spawn(
            "reports",
            Box::new(move || {
                reports.into_iter().all(send);
            }),
        )?;
    }
    let for_terminal = events.clone();
    // The loop decides what to do about an error; sending fails once the loop has ended.
    spawn("keys", Box::new(move || while for_terminal.send(LoopEvent::Terminal(event::read())).is_ok() {}))?;
    let for_engine = events.clone();
    let engine = EngineThread::start(options.time_limit, move |report| {
        // Sending fails only after the loop has ended.
        let _ = for_engine.send(LoopEvent::Engine(report));
    })?;
    Ok(engine)
}
