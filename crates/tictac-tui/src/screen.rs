//! The full screen: the event loop, and the effects that the app asks for.

use std::collections::VecDeque;
use std::io;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use crossterm::event;
use signal_hook::consts::signal::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::action::{Action, Effect};
use crate::app::App;
use crate::draw::draw;
use crate::engine::{EngineReport, EngineTask, EngineThread};
use crate::keys;
use crate::options::PlayOptions;
use crate::record;
use crate::seat::Seat;
use crate::terminal::{FullScreen, restore};

/// An event for the loop, sent by one of the threads.
enum LoopEvent {
    Terminal(io::Result<event::Event>),
    Engine(EngineReport),
    Signal(i32),
}

enum ExitReason {
    Status(ExitCode),
    /// A signal that has to end the process in the default way.
    Signal(i32),
}

/// The exit status of a program that was interrupted by Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Plays on the full screen until the player quits.
///
/// # Errors
///
/// Fails if the terminal cannot be used; it is restored in any case.
pub fn play(options: &PlayOptions) -> anyhow::Result<ExitCode> {
    // Registered first: a signal that comes while the screen is being set up must still restore the terminal.
    let signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT, SIGWINCH])?;
    let mut screen = FullScreen::enter().context("cannot use this terminal")?;
    let (sender, events) = mpsc::channel();
    let mut app = options.app();
    let mut effects = app.update(resize(&screen)?);
    // Draw before starting the threads, so that the first picture does not wait for them.
    screen.terminal.draw(|frame| draw(&app, options.theme, frame))?;
    let engine = start_threads(options, signals, &sender)?;
    // The window may have been resized before the threads could report it.
    effects.extend(app.update(resize(&screen)?));
    // The event loop owns the screen, so that the terminal is restored before a signal ends the process.
    match (EventLoop { options, app, engine, screen }).run(effects, &events)? {
        ExitReason::Status(status) => Ok(status),
        ExitReason::Signal(signal) => {
            emulate_default_handler(signal)?;
            bail!("signal {signal} did not end the process")
        }
    }
}

fn resize(screen: &FullScreen) -> io::Result<Action> {
    let size = screen.terminal.size()?;
    Ok(Action::Resize(size.width, size.height))
}

struct EventLoop<'a> {
    options: &'a PlayOptions,
    app: App,
    engine: EngineThread,
    screen: FullScreen,
}

impl EventLoop<'_> {
    fn run(mut self, mut effects: Vec<Effect>, events: &Receiver<LoopEvent>) -> anyhow::Result<ExitReason> {
        loop {
            if let Some(status) = self.run_effects(effects)? {
                return Ok(ExitReason::Status(status));
            }
            self.screen.terminal.draw(|frame| draw(&self.app, self.options.theme, frame))?;
            // Events that mean nothing are skipped without drawing again.
            let action = loop {
                match events.recv().context("all event threads have ended")? {
                    LoopEvent::Signal(signal) if !matches!(signal, SIGTSTP | SIGCONT | SIGWINCH) => {
                        return Ok(ExitReason::Signal(signal));
                    }
                    event => {
                        if let Some(action) = self.action(event)? {
                            break action;
                        }
                    }
                }
            };
            effects = self.app.update(action);
        }
    }

    fn action(&mut self, event: LoopEvent) -> anyhow::Result<Option<Action>> {
        Ok(match event {
            LoopEvent::Terminal(Ok(event)) => keys::action(&self.app, &event),
            LoopEvent::Terminal(Err(error)) if error.kind() == io::ErrorKind::Interrupted => None,
            LoopEvent::Terminal(Err(error)) => return Err(error).context("cannot read the terminal"),
            LoopEvent::Engine(EngineReport::Done(id, result)) => Some(Action::TaskDone(id, result)),
            LoopEvent::Engine(EngineReport::Panicked) => bail!("the engine thread panicked (this is a bug)"),
            LoopEvent::Signal(SIGTSTP) => Some(Action::Suspend),
            // While the process was stopped, other programs may have changed the terminal.
            LoopEvent::Signal(SIGCONT) => {
                self.screen.leave_during(|| ())?;
                Some(resize(&self.screen)?)
            }
            // crossterm reports this too, but only after its thread has started to listen.
            LoopEvent::Signal(_) => Some(resize(&self.screen)?),
        })
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
                    let opened = record::open(&name).map_err(|error| error.to_string());
                    pending.extend(self.app.update(Action::Opened(opened.map(Box::new))));
                }
                Effect::SaveSettings => {
                    if let Some(path) = &self.options.settings_file {
                        // A failure to write the settings is not worth interrupting the game.
                        let _ = self.app.settings.write(path);
                    }
                }
                Effect::Suspend => {
                    // If the process cannot be stopped, the game simply continues.
                    self.screen.leave_during(|| drop(emulate_default_handler(SIGTSTP)))?;
                    pending.extend(self.app.update(resize(&self.screen)?));
                }
                Effect::Quit => return Ok(Some(ExitCode::SUCCESS)),
                Effect::Interrupt => return Ok(Some(ExitCode::from(INTERRUPTED))),
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
    mut signals: Signals,
    events: &Sender<LoopEvent>,
) -> anyhow::Result<EngineThread> {
    let for_signals = events.clone();
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            if for_signals.send(LoopEvent::Signal(signal)).is_err() {
                // The loop has ended, possibly by an error.
                restore();
                return;
            }
        }
    })?;
    let for_terminal = events.clone();
    // The loop decides what to do about an error; sending fails once the loop has ended.
    thread::Builder::new()
        .name("keys".to_owned())
        .spawn(move || while for_terminal.send(LoopEvent::Terminal(event::read())).is_ok() {})?;
    let for_engine = events.clone();
    let engine = EngineThread::start(options.time_limit, move |report| {
        // Sending fails only after the loop has ended.
        let _ = for_engine.send(LoopEvent::Engine(report));
    })?;
    Ok(engine)
}
