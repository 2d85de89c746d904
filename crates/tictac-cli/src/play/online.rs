//! `tictac play --join` and `--invite`: a game of `tictac serve`, on the full screen or line by line.

mod client;
mod follow;
mod front;
mod headline;
mod lines;
mod screen;

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, anyhow};

use tictac::Rules;
use tictac_tui::{OnlineOptions, PlayFolder};

use self::client::{ApiClient, ApiError, GameUpdate, OpenedGame, WantedGame, printable};
use self::front::{OnlineFront, OnlineOutput};
use super::{Args, PlayClock, has_motion, theme};
use crate::paint::OutputStyle;

const WORDS: &str = "Type a square such as B2, or: draw, undo, resign, accept, decline, quit.";
const WORDS_AFTER_END: &str = "Type rematch to play again, or quit.";

/// What the game has to react to, at any time.
enum OnlineEvent {
    /// A line that the player has typed, or the end of the input.
    Line(Option<String>),
    /// The server reports the game.
    Update(Box<GameUpdate>),
    /// The server cannot be reached any more; it is tried again.
    Lost(String),
    /// The game cannot be followed any further.
    Failed(ApiError),
}

/// Plays the game that `--join` or `--invite` names.
pub(super) fn run(
    args: &Args,
    style: OutputStyle,
    has_screen: bool,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let screen = has_screen.then(|| {
        let settings = args.settings(PlayFolder::of_user().as_ref());
        OnlineOptions { theme: theme(style), settings, has_motion: has_motion() }
    });
    let (name, front) = (args.name.as_deref(), OnlineFront { style, screen });
    match (&args.join, &args.invite) {
        (Some(link), _) => join(link, name, front, out),
        (None, server) => {
            let rules = args.rules()?.unwrap_or(Rules::CLASSIC).to_string();
            let clock = args.clock.as_ref().map(PlayClock::on_server).transpose()?;
            invite(server.as_deref().unwrap_or_default(), &WantedGame { rules, clock, name }, front, out)
        }
    }
}

/// Opens a game on a server and plays it.
fn invite(
    server: &str,
    wanted: &WantedGame<'_>,
    front: OnlineFront,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let opened = ApiClient::open(server, wanted);
    let OpenedGame { client, own_link, friend_link } =
        opened.with_context(|| format!("cannot open a game on {server}"))?;
    let links = format!(
        "Send this link to your friend:\n  {friend_link}\nTo come back to the game later:\n  tictac play --join {own_link}\n\n"
    );
    out.write_all(links.as_bytes())?;
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
    let client = ApiClient::of_link(link).map_err(|message| anyhow!(message))?;
    let mut update = client.game().context("cannot get the game from its server")?;
    let is_open = update.own_player().is_some_and(|player| player.open);
    if client.can_play() && is_open {
        update = client.join(name)?;
    }
    front.play(RemoteGame::new(client, update), out)
}

/// A game on a server, and what is known about it.
struct RemoteGame {
    client: ApiClient,
    update: GameUpdate,
    is_lost: bool,
}

/// What the player wants to do.
enum Wish<'a> {
    Move(&'a str),
    Event(&'static str),
    Quit,
}

impl Wish<'_> {
    /// Returns what a line in lower case asks for, or nothing if the words should be explained.
    fn of(line: &str) -> Option<Wish<'_>> {
        Some(match line {
            "q" | "quit" => Wish::Quit,
            "draw" => Wish::Event("offer-draw"),
            "undo" => Wish::Event("ask-undo"),
            "resign" => Wish::Event("resign"),
            "rematch" => Wish::Event("rematch"),
            "accept" | "yes" => Wish::Event("accept"),
            "decline" | "no" => Wish::Event("decline"),
            "" | "help" | "?" => return None,
            square => Wish::Move(square),
        })
    }
}

impl RemoteGame {
    fn new(mut client: ApiClient, update: GameUpdate) -> RemoteGame {
        if let Some(next) = &update.state.next {
            client.game.clone_from(next);
        }
        RemoteGame { client, update, is_lost: false }
    }

    /// Returns whether there is something to wait for. After the end only a person at a terminal may want a rematch.
    fn goes_on(&self, is_terminal: bool) -> bool {
        self.update.state.status == "playing" || (is_terminal && self.update.you.is_some())
    }

    /// Reacts to an event; returns false if the player leaves.
    fn react(&mut self, event: OnlineEvent, out: &mut impl OnlineOutput) -> anyhow::Result<bool> {
        match event {
            OnlineEvent::Line(None) => return Ok(false),
            OnlineEvent::Line(Some(line)) => return self.obey(&line, out),
            OnlineEvent::Update(update) => self.take(*update, out)?,
            OnlineEvent::Failed(error) => return Err(error).context("the game cannot be followed"),
            OnlineEvent::Lost(reason) => {
                self.is_lost = true;
                let reason = printable(&reason);
                out.note(&format!("The connection is lost ({reason}); trying again …"))?;
            }
        }
        Ok(true)
    }

    /// Does what the player has typed; returns false if they leave.
    fn obey(&mut self, line: &str, out: &mut impl OnlineOutput) -> anyhow::Result<bool> {
        let is_over = self.update.state.status != "playing";
        let done = match Wish::of(&line.trim().to_lowercase()) {
            None => {
                out.note(if is_over { WORDS_AFTER_END } else { WORDS })?;
                return Ok(true);
            }
            Some(Wish::Quit) => return Ok(false),
            Some(Wish::Move(square)) => self.client.act(self.update.seq, "move", Some(square)),
            Some(Wish::Event(kind)) => self.client.act(self.update.seq, kind, None),
        };
        let done = match done {
            // The other player was faster: what happened is shown, and nothing is lost.
            Err(ApiError::Refused { code, .. }) if code == "conflict" => self.client.game(),
            done => done,
        };
        match done {
            Ok(update) => self.take(update, out)?,
            Err(ApiError::Unreachable(reason)) => {
                let reason = printable(&reason);
                out.note(&format!("Not sent, the server does not answer ({reason}): try again"))?;
            }
            Err(error) => out.note(&error.to_string())?,
        }
        Ok(true)
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
        if let Some(next) = &self.update.state.next {
            self.client.game.clone_from(next);
            return Ok(());
        }
        out.show(&self.update)
    }

    /// Returns whether the player has something to decide.
    fn is_asked(&self) -> bool {
        self.update.has_offer() || self.update.can_move()
    }
}
