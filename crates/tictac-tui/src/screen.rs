//! The full screen: the event loop, and the effects that the app asks for.

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
use crate::engine::EngineTask;
use crate::engine_thread::{EngineReport, EngineThread};
use crate::keys;
use crate::options::PlayOptions;
use crate::record;
use crate::seat::Seat;
use crate::terminal::{FullScreen, restore};

/// An event for the loop, sent by one of the threads.
enum LoopEvent {
    Terminal(event::Event),
    Engine(EngineReport),
    Signal(i32),
    /// The terminal cannot be read any more.
    ReadError(io::Error),
}

/// Why the loop ended.
enum ExitReason {
    Quit,
    Interrupted,
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
    let mut screen = FullScreen::enter().context("cannot use this terminal")?;
    let (sender, events) = mpsc::channel();
    let mut app = options.app();
    let mut effects = app.update(resize(&screen)?);
    // Draw before starting the threads, so that the first picture does not wait for them.
    screen.draw(|frame| draw(&app, options.theme, frame))?;
    let runner = EffectRunner { options, engine: start_threads(options, &sender)? };
    // The window may have been resized before the threads could report it.
    effects.extend(app.update(resize(&screen)?));
    let reason = loop {
        if let Some(reason) = runner.run(&mut app, effects, &mut screen)? {
            break reason;
        }
        screen.draw(|frame| draw(&app, options.theme, frame))?;
        match next_effects(&mut app, &mut screen, &events)? {
            Ok(next) => effects = next,
            Err(reason) => break reason,
        }
    };
    drop(runner);
    drop(screen);
    match reason {
        ExitReason::Quit => Ok(ExitCode::SUCCESS),
        ExitReason::Interrupted => Ok(ExitCode::from(INTERRUPTED)),
        ExitReason::Signal(signal) => {
            emulate_default_handler(signal)?;
            bail!("signal {signal} did not end the process")
        }
    }
}

fn resize(screen: &FullScreen) -> io::Result<Action> {
    let (columns, rows) = screen.size()?;
    Ok(Action::Resize(columns, rows))
}

/// Waits for the next event that means something and applies it; returns its effects, or the reason to exit.
fn next_effects(
    app: &mut App,
    screen: &mut FullScreen,
    events: &Receiver<LoopEvent>,
) -> anyhow::Result<Result<Vec<Effect>, ExitReason>> {
    loop {
        let action = match events.recv().context("all event threads have ended")? {
            LoopEvent::Terminal(event) => keys::action(app, &event),
            LoopEvent::Engine(EngineReport::Done(id, result)) => Some(Action::TaskDone(id, result)),
            LoopEvent::Engine(EngineReport::Panicked) => bail!("the engine thread panicked (this is a bug)"),
            LoopEvent::Signal(SIGTSTP) => Some(Action::Suspend),
            // While the process was stopped, other programs may have changed the terminal.
            LoopEvent::Signal(SIGCONT) => {
                screen.leave_during(|| ())?;
                Some(resize(screen)?)
            }
            // crossterm reports this too, but only after its thread has started to listen.
            LoopEvent::Signal(SIGWINCH) => Some(resize(screen)?),
            LoopEvent::Signal(signal) => return Ok(Err(ExitReason::Signal(signal))),
            LoopEvent::ReadError(error) => return Err(error).context("cannot read the terminal"),
        };
        if let Some(action) = action {
            return Ok(Ok(app.update(action)));
        }
    }
}

/// Carries out the effects that the app asks for.
struct EffectRunner<'a> {
    options: &'a PlayOptions,
    engine: EngineThread,
}

impl EffectRunner<'_> {
    /// Runs the effects and those that follow from them; returns the reason to exit, if there is one.
    fn run(
        &self,
        app: &mut App,
        effects: Vec<Effect>,
        screen: &mut FullScreen,
    ) -> anyhow::Result<Option<ExitReason>> {
        let mut pending = effects;
        while !pending.is_empty() {
            let mut next = Vec::new();
            for effect in pending {
                match effect {
                    Effect::StartTask(id, task) => self.start_task(app, id, task),
                    Effect::CancelTask => self.engine.cancel(),
                    Effect::Save { name, text, mode } => {
                        next.extend(app.update(Action::Saved(record::save(&name, &text, mode))));
                    }
                    Effect::Open(name) => {
                        let opened = record::open(&name).map_err(|error| error.to_string());
                        next.extend(app.update(Action::Opened(opened.map(Box::new))));
                    }
                    Effect::SaveSettings => self.save_settings(app),
                    Effect::Suspend => {
                        screen.leave_during(|| {
                            // If the process cannot be stopped, the game simply continues.
                            let _ = emulate_default_handler(SIGTSTP);
                        })?;
                        next.extend(app.update(resize(screen)?));
                    }
                    Effect::Quit => return Ok(Some(ExitReason::Quit)),
                    Effect::Interrupt => return Ok(Some(ExitReason::Interrupted)),
                }
            }
            pending = next;
        }
        Ok(None)
    }

    /// Starts a task; where the computer plays both sides, its moves take a while so that people can watch.
    fn start_task(&self, app: &App, id: u64, task: EngineTask) {
        let seats = app.view.as_ref().map(|view| view.session.seats());
        let is_watched = seats.is_some_and(|seats| seats.iter().all(|&seat| seat != Seat::Person));
        let min_time = if is_watched { self.options.min_move_time } else { Duration::ZERO };
        self.engine.run(id, task, min_time);
    }

    /// Writes the settings; a failure is not worth interrupting the game.
    fn save_settings(&self, app: &App) {
        if let Some(path) = &self.options.settings_file {
            let _ = app.settings.write(path);
        }
    }
}

fn start_threads(options: &PlayOptions, events: &Sender<LoopEvent>) -> anyhow::Result<EngineThread> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT, SIGWINCH])?;
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
    thread::Builder::new().name("keys".to_owned()).spawn(move || {
        loop {
            let event = match event::read() {
                Ok(event) => LoopEvent::Terminal(event),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => LoopEvent::ReadError(error),
            };
            let is_last = matches!(event, LoopEvent::ReadError(_));
            if for_terminal.send(event).is_err() || is_last {
                return;
            }
        }
    })?;
    let for_engine = events.clone();
    let engine = EngineThread::start(options.time_limit, move |report| {
        // Sending fails only after the loop has ended.
        let _ = for_engine.send(LoopEvent::Engine(report));
    })?;
    Ok(engine)
}
