//! `tictac play --join` and `--invite`: a game of `tictac serve`, on the full screen or line by line.

mod client;
mod game_update;
mod lines;
mod screen;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use tictac_server::wire::{ActionKind, ActionRequest, NewGame};
use tictac_tui::{OnlineRequest, PlayOptions};

use self::client::{ApiClient, ApiError, GameUpdate};
use self::lines::LineOutput;
use super::{Args, PlayClock, theme};
use crate::paint::OutputStyle;

/// How a game on a server is shown.
struct OnlineFront {
    style: OutputStyle,
    /// The options of the full screen; without them the game is played line by line.
    screen: Option<PlayOptions>,
}

/// Plays the game that `--join` or `--invite` names.
pub(super) fn run(
    args: &Args,
    style: OutputStyle,
    has_screen: bool,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let front = OnlineFront { style, screen: has_screen.then(|| args.options(theme(style))) };
    match (&args.join, &args.invite) {
        (Some(link), _) => join(link, args.name.as_deref(), front, out),
        (None, server) => {
            let wanted = NewGame {
                rules: args.rules()?.map(|rules| rules.to_string()),
                clock: args.clock.as_ref().map(PlayClock::on_server).transpose()?,
                name: args.name.clone(),
                ..NewGame::default()
            };
            invite(server.as_deref().unwrap_or_default(), &wanted, front, out)
        }
    }
}

/// The words before the command with which a player comes back.
const RETURN: &str = "To come back to the game later:";

/// Opens a game on a server and plays it.
fn invite(
    server: &str,
    wanted: &NewGame,
    front: OnlineFront,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let opened = ApiClient::open(server, wanted);
    let (client, links) = opened.with_context(|| format!("cannot open a game on {server}"))?;
    writeln!(out, "Send this link to your friend:\n  {}", links.friend)?;
    writeln!(out, "{RETURN}\n  tictac play --join {}\n", links.own)?;
    out.flush()?;
    let update = client.game()?;
    front.play(RemoteGame::new(client, update), out)
}

/// Takes the seat of a link and plays the game, or watches it.
fn join(
    link: &str,
    name: Option<&str>,
    front: OnlineFront,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let mut client = ApiClient::of_link(link).map_err(|message| anyhow!(message))?;
    let mut update = client.game().context("cannot get the game from its server")?;
    if update.own_side().is_some_and(|side| update.state.seat(side).open) {
        let (joined, own) = client.join(name)?;
        update = joined;
        writeln!(out, "{RETURN}\n  tictac play --join {own}\n")?;
        out.flush()?;
    }
    front.play(RemoteGame::new(client, update), out)
}

impl OnlineFront {
    /// Plays until the player leaves.
    fn play(self, game: RemoteGame, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let out = LineOutput { style: self.style, out };
        match &self.screen {
            Some(options) => screen::play(game, options, out),
            None => lines::play(game, out).map(|()| ExitCode::SUCCESS),
        }
    }
}

/// Where a game on a server is shown.
trait OnlineOutput {
    /// Shows the state of the game.
    fn show(&mut self, update: &GameUpdate) -> anyhow::Result<()>;

    /// Shows a message.
    fn note(&mut self, text: &str) -> anyhow::Result<()>;
}

/// What the game has to react to, at any time.
enum OnlineEvent {
    /// The player wants something from the server.
    Request(OnlineRequest),
    /// A line that the player has typed, or the end of the input.
    Line(Option<String>),
    /// The server reports the game.
    Update(Box<GameUpdate>),
    /// The server cannot be reached any more; it is tried again.
    Lost(String),
    /// The game cannot be followed any further.
    Failed(ApiError),
}

/// What became of an action.
enum Delivery {
    /// It was taken.
    Done(GameUpdate),
    /// The position had changed, so that it was not.
    Outdated(GameUpdate),
}

/// How long an action may be under way before the player is told that it is.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often an action is sent again because its number was taken.
const MAX_REPEATS: u32 = 5;

/// A game on a server, and what is known about it.
struct RemoteGame {
    client: ApiClient,
    update: GameUpdate,
    is_lost: bool,
}

impl RemoteGame {
    fn new(mut client: ApiClient, update: GameUpdate) -> RemoteGame {
        client.game = update.state.next.unwrap_or(client.game);
        RemoteGame { client, update, is_lost: false }
    }

    /// Reacts to an event; returns false if the player leaves.
    fn react(&mut self, event: OnlineEvent, out: &mut impl OnlineOutput) -> anyhow::Result<bool> {
        match event {
            OnlineEvent::Line(None) => return Ok(false),
            OnlineEvent::Line(Some(line)) => return self.obey(&line, out),
            OnlineEvent::Request(request) => self.send(request, out)?,
            OnlineEvent::Update(update) => self.take(*update, out)?,
            OnlineEvent::Failed(error) => return Err(error).context("the game cannot be followed"),
            OnlineEvent::Lost(reason) => {
                self.is_lost = true;
                out.note(&format!("The connection is lost ({reason}); trying again …"))?;
            }
        }
        Ok(true)
    }

    /// Sends what the player asks for.
    fn send(&mut self, request: OnlineRequest, out: &mut impl OnlineOutput) -> anyhow::Result<()> {
        let (kind, mv) = match request {
            OnlineRequest::Move(mv) => {
                (ActionKind::Move, Some(mv.display(&self.update.state.rules).to_string()))
            }
            OnlineRequest::OfferDraw => (ActionKind::OfferDraw, None),
            OnlineRequest::AskUndo => (ActionKind::AskUndo, None),
            OnlineRequest::Resign => (ActionKind::Resign, None),
            OnlineRequest::Rematch => (ActionKind::Rematch, None),
            OnlineRequest::Accept => (ActionKind::Accept, None),
            OnlineRequest::Decline => (ActionKind::Decline, None),
        };
        let name = mv.clone();
        let done = self.deliver(ActionRequest { seq: self.update.seq, kind, mv });
        match done {
            Ok(Delivery::Done(update)) => self.take(update, out),
            Ok(Delivery::Outdated(update)) => {
                // What has happened instead is shown.
                if let Some(name) = name {
                    out.note(&format!("{name} was not played: the game has changed in the meantime"))?;
                }
                self.take(update, out)
            }
            Err(ApiError::Unreachable(reason)) => {
                out.note(&format!("Not sent, the server does not answer ({reason}): try again"))
            }
            Err(error) => out.note(&error.to_string()),
        }
    }

    /// Sends an action, and again with the next number as long as only other things than the position have changed: after an interruption,
    /// for example, the server adds an event that leaves it out of the clocks.
    fn deliver(&self, mut action: ActionRequest) -> Result<Delivery, ApiError> {
        let (delivered, waiting) = channel::<()>();
        let (tell, what) = (Arc::clone(&self.client.tell), action.mv.clone());
        thread::spawn(move || {
            if waiting.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                tell(&format!("Sending {}…", what.map_or_else(String::new, |mv| format!("{mv} "))));
            }
        });
        for _ in 0..MAX_REPEATS {
            match self.client.act(&action) {
                Err(ApiError::Refused(problem)) if problem.code == "conflict" => {}
                done => return done.map(Delivery::Done),
            }
            let update = self.client.game()?;
            let is_same = update.game == self.update.game
                && update.moves.moves() == self.update.moves.moves()
                && update.state.offer == self.update.state.offer
                && !update.is_over();
            if !is_same {
                return Ok(Delivery::Outdated(update));
            }
            action.seq = update.seq;
        }
        drop(delivered);
        self.client.game().map(Delivery::Outdated)
    }

    /// Remembers the state of the game, and shows it if something has happened.
    fn take(&mut self, update: GameUpdate, out: &mut impl OnlineOutput) -> anyhow::Result<()> {
        if std::mem::take(&mut self.is_lost) {
            out.note("Connected again.")?;
        }
        // The player's own actions arrive twice, and the second time possibly late.
        let is_known = update.game == self.update.game && update.seq <= self.update.seq;
        if is_known || update.game != self.client.game {
            return Ok(());
        }
        if update.game != self.update.game {
            out.note("A new game.")?;
        }
        self.update = update;
        match self.update.state.next {
            Some(next) => self.client.game = next,
            None => out.show(&self.update)?,
        }
        Ok(())
    }
}
