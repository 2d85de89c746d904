//! The full screen: one loop of events, and what the app wants done.

use std::io;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use anyhow::{Context, bail};
use crossterm::event;
use signal_hook::consts::signal::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::action::{Action, Effect};
use crate::app::App;
use crate::draw::draw;
use crate::engine::EngineTask;
use crate::engine_thread::{EngineThread, Report};
use crate::files;
use crate::host::{Host, Options};
use crate::keys;
use crate::seat::Seat;
use crate::terminal::{Screen, restore};

/// Something that comes in from outside.
enum Event {
    Terminal(event::Event),
    EngineThread(Report),
    Signal(i32),
    /// The terminal cannot be read any more.
    Gone(io::Error),
}

/// How the loop ends.
enum End {
    Quit,
    Interrupted,
    /// By a signal, which is to end the process as it always does.
    Killed(i32),
}

/// What a shell says of a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

/// Plays on the full screen until the user quits.
///
/// # Errors
///
/// Fails where the terminal does not play along. It is given back in any case.
pub fn play(options: &Options, host: &Host<'_>) -> anyhow::Result<ExitCode> {
    let mut screen = Screen::enter().context("cannot use this terminal")?;
    let (sender, events) = mpsc::channel();
    let mut app = options.app();
    let (columns, rows) = screen.size()?;
    let mut effects = app.update(Action::Resize(columns, rows));
    // The first picture comes before anything that can wait.
    screen.draw(|frame| draw(&app, options.theme, frame))?;
    let stage = Stage { options, host, thinker: start_threads(options, &sender)? };
    // From here on a changed size is reported; what changed before the threads listened is seen here.
    let (columns, rows) = screen.size()?;
    effects.extend(app.update(Action::Resize(columns, rows)));
    let end = loop {
        if let Some(end) = stage.perform(&mut app, effects, &mut screen)? {
            break end;
        }
        screen.draw(|frame| draw(&app, options.theme, frame))?;
        match next_effects(&mut app, &mut screen, &events)? {
            Step::On(next) => effects = next,
            Step::End(end) => break end,
        }
    };
    drop(stage);
    drop(screen);
    match end {
        End::Quit => Ok(ExitCode::SUCCESS),
        End::Interrupted => Ok(ExitCode::from(INTERRUPTED)),
        End::Killed(signal) => {
            emulate_default_handler(signal)?;
            bail!("signal {signal} did not end the process")
        }
    }
}

/// What comes of the next event.
enum Step {
    On(Vec<Effect>),
    End(End),
}

/// Waits for the next event that means something, and lets it happen.
fn next_effects(app: &mut App, screen: &mut Screen, events: &Receiver<Event>) -> anyhow::Result<Step> {
    loop {
        let action = match events.recv().context("nobody reports any more")? {
            Event::Terminal(event) => keys::action(app, &event),
            Event::EngineThread(Report::Thought(ticket, thought)) => Some(Action::Thought(ticket, thought)),
            Event::EngineThread(Report::Died) => bail!("the computer's thread has died, which is a bug"),
            Event::Signal(SIGTSTP) => Some(Action::Suspend),
            // Whoever stopped us may have changed the terminal, and written on it.
            Event::Signal(SIGCONT) => {
                screen.lend(|| ())?;
                let (columns, rows) = screen.size()?;
                Some(Action::Resize(columns, rows))
            }
            // The reader of keys reports this too, but only once its thread has come to listen.
            Event::Signal(SIGWINCH) => {
                let (columns, rows) = screen.size()?;
                Some(Action::Resize(columns, rows))
            }
            Event::Signal(signal) => return Ok(Step::End(End::Killed(signal))),
            Event::Gone(error) => return Err(error).context("cannot read the terminal"),
        };
        if let Some(action) = action {
            return Ok(Step::On(app.update(action)));
        }
    }
}

/// Those who do what the app wants done.
struct Stage<'a> {
    options: &'a Options,
    host: &'a Host<'a>,
    thinker: EngineThread,
}

impl Stage<'_> {
    fn perform(
        &self,
        app: &mut App,
        effects: Vec<Effect>,
        screen: &mut Screen,
    ) -> anyhow::Result<Option<End>> {
        let mut waiting = effects;
        while !waiting.is_empty() {
            let mut further = Vec::new();
            for effect in waiting {
                match effect {
                    Effect::Think(ticket, task) => self.think(app, ticket, task),
                    Effect::Hush => self.thinker.hush(),
                    Effect::Save { name, text, replace } => {
                        further
                            .extend(app.update(Action::Saved(files::save(self.host, &name, &text, replace))));
                    }
                    Effect::Open(name) => {
                        let opened = (self.host.open)(&name);
                        further.extend(app.update(Action::Opened(opened.map(Box::new))));
                    }
                    Effect::Remember => self.remember(app),
                    Effect::Suspend => {
                        screen.lend(|| {
                            // If the process cannot be stopped, it goes on, and that is all.
                            let _ = emulate_default_handler(SIGTSTP);
                        })?;
                        let (columns, rows) = screen.size()?;
                        further.extend(app.update(Action::Resize(columns, rows)));
                    }
                    Effect::Quit => return Ok(Some(End::Quit)),
                    Effect::Interrupt => return Ok(Some(End::Interrupted)),
                }
            }
            waiting = further;
        }
        Ok(None)
    }

    /// Where two computers play, their moves take a while, so that one can watch.
    fn think(&self, app: &App, ticket: u64, task: EngineTask) {
        let seats = app.table.as_ref().map(|table| table.session.seats());
        let is_match = seats.is_some_and(|seats| seats.iter().all(|&seat| seat != Seat::Person));
        let pause = if is_match { self.options.delay } else { std::time::Duration::ZERO };
        self.thinker.think(ticket, task, pause);
    }

    /// That the settings cannot be written is not worth an interruption: then they are not remembered.
    fn remember(&self, app: &App) {
        if let Some(path) = &self.options.settings_file {
            let _ = files::write_settings(path, &app.settings);
        }
    }
}

fn start_threads(options: &Options, events: &Sender<Event>) -> anyhow::Result<EngineThread> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT, SIGWINCH])?;
    let for_signals = events.clone();
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            if for_signals.send(Event::Signal(signal)).is_err() {
                // The loop is gone, perhaps in a hurry: the terminal matters most.
                restore();
                return;
            }
        }
    })?;
    let for_terminal = events.clone();
    thread::Builder::new().name("keys".to_owned()).spawn(move || {
        loop {
            let event = match event::read() {
                Ok(event) => Event::Terminal(event),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Event::Gone(error),
            };
            let is_over = matches!(event, Event::Gone(_));
            if for_terminal.send(event).is_err() || is_over {
                return;
            }
        }
    })?;
    let for_thinker = events.clone();
    let thinker = EngineThread::start(options.think, move |report| {
        // When the loop is gone, nobody waits for a thought.
        let _ = for_thinker.send(Event::EngineThread(report));
    })?;
    Ok(thinker)
}
