//! `tictac play --join` and `--invite`: a game of `tictac serve`, line by line.

mod client;

use std::io::{BufRead, Write};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use tictac::notation::Style;
use tictac::{Rules, State};

use self::client::{ApiClient, ApiError, GameUpdate, OpenedGame, RemoteOffer, RemotePlayer, printable};
use crate::charset::Charset;
use crate::paint::OutputStyle;

/// The shortest time between two requests that wait for an event.
const PAUSE: Duration = Duration::from_secs(1);
/// A line is no longer than this.
const MAX_LINE: u64 = 1000;

const WORDS: &str = "Type a square such as B2, or: draw, undo, resign, accept, decline, quit.";

/// Opens a game on a server and plays it.
pub(super) fn invite(
    server: &str,
    rules: &Rules,
    name: Option<&str>,
    (style, input, out): (OutputStyle, &mut impl BufRead, &mut impl Write),
) -> anyhow::Result<()> {
    let opened = ApiClient::open(server, &rules.to_string(), name);
    let OpenedGame { client, own_link, friend_link } =
        opened.with_context(|| format!("cannot open a game on {server}"))?;
    writeln!(out, "Send this link to your friend:\n  {friend_link}")?;
    writeln!(out, "To come back to the game later:\n  tictac play --join {own_link}\n")?;
    out.flush()?;
    let update = client.events(None)?;
    RemoteGame { client, style, update }.play(input, out)
}

/// Takes the seat of a link and plays the game, or watches it.
pub(super) fn join(
    link: &str,
    name: Option<&str>,
    (style, input, out): (OutputStyle, &mut impl BufRead, &mut impl Write),
) -> anyhow::Result<()> {
    let client = ApiClient::of_link(link).map_err(|message| anyhow!(message))?;
    let mut update = client.events(None).context("cannot get the game from its server")?;
    let is_open = update.own_player().is_some_and(|player| player.open);
    if client.can_play() && is_open {
        update = client.join(name)?;
    }
    if update.you.is_none() {
        writeln!(out, "You are watching.")?;
    }
    RemoteGame { client, style, update }.play(input, out)
}

/// A game on a server, and what is known about it.
struct RemoteGame {
    client: ApiClient,
    style: OutputStyle,
    update: GameUpdate,
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
            "accept" | "yes" => Wish::Event("accept"),
            "decline" | "no" => Wish::Event("decline"),
            "" | "help" | "?" => return None,
            square => Wish::Move(square),
        })
    }
}

impl RemoteGame {
    fn play(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        self.show(out)?;
        while self.update.state.status == "playing" {
            if !self.is_asked() {
                self.wait(out)?;
                continue;
            }
            let Some(line) = read_line(input)? else { return Ok(()) };
            let next = match Wish::of(&line.trim().to_lowercase()) {
                None => {
                    writeln!(out, "{WORDS}")?;
                    out.flush()?;
                    continue;
                }
                Some(Wish::Quit) => return Ok(()),
                Some(Wish::Move(square)) => self.client.act(self.update.seq, "move", Some(square)),
                Some(Wish::Event(kind)) => self.client.act(self.update.seq, kind, None),
            };
            match next {
                Ok(update) => self.take(update, out)?,
                // The other player was faster: what happened is shown, and nothing is lost.
                Err(ApiError::Refused { code, .. }) if code == "conflict" => {
                    let update = self.client.events(None)?;
                    self.take(update, out)?;
                }
                Err(ApiError::Refused { message, .. }) => {
                    writeln!(out, "{}", printable(&message))?;
                    out.flush()?;
                }
                Err(error) => return Err(error).context("the connection to the server is lost"),
            }
        }
        Ok(())
    }

    /// Waits for an event.
    fn wait(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let start = Instant::now();
        let update = self.client.events(Some(self.update.seq))?;
        // A server that does not wait is not asked all the time.
        if update.seq == self.update.seq && start.elapsed() < PAUSE {
            thread::sleep(PAUSE);
        }
        self.take(update, out)
    }

    /// Remembers the state of the game, and shows it if something has happened.
    fn take(&mut self, update: GameUpdate, out: &mut impl Write) -> anyhow::Result<()> {
        let is_new = update.seq != self.update.seq;
        self.update = update;
        if is_new { self.show(out) } else { Ok(()) }
    }

    /// Returns whether the player has something to decide.
    fn is_asked(&self) -> bool {
        let GameUpdate { state, you, .. } = &self.update;
        let Some(you) = you else { return false };
        let has_offer = state.offer.as_ref().is_some_and(|offer| offer.by != *you);
        let is_waiting = state.first.open || state.second.open;
        has_offer || !is_waiting && (state.to_move.as_ref() == Some(you) || you == "both")
    }

    /// Shows the board, the last move, and whose turn it is or how the game has ended.
    fn show(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let GameUpdate { state, .. } = &self.update;
        let board =
            state.rules.parse::<Rules>().ok().and_then(|rules| State::parse(&state.position, &rules).ok());
        let board = board.context("this server does not run `tictac serve`")?;
        let marks = if self.style.charset == Charset::Ascii { Style::Plain } else { Style::Unicode };
        if let Some(last) = state.moves.last() {
            writeln!(out, "{}. {}", state.moves.len(), printable(last))?;
        }
        write!(out, "{}", self.style.paint.boards(&board, marks))?;
        if let Some(times) = self.update.times() {
            writeln!(out, "{times}")?;
        }
        writeln!(out, "{}\n", self.style.paint.strong(self.update.headline()))?;
        out.flush()?;
        Ok(())
    }
}

impl GameUpdate {
    fn own_player(&self) -> Option<&RemotePlayer> {
        match self.you.as_deref()? {
            "first" => Some(&self.state.first),
            "second" => Some(&self.state.second),
            _ => None,
        }
    }

    /// Returns a player as this player calls them.
    fn name_of(&self, side: &str) -> String {
        if self.you.as_deref() == Some(side) {
            return "You".to_owned();
        }
        let player = if side == "first" { &self.state.first } else { &self.state.second };
        let computer = || player.who.get("computer").map(|_| "The computer".to_owned());
        let name = player.name.as_deref().map(printable).filter(|name| !name.is_empty());
        let mark = || player.mark.as_deref().map(printable);
        name.or_else(computer).or_else(mark).unwrap_or_else(|| format!("The {side} player"))
    }

    /// Returns the time that both players had left when the update was sent, if the game has a clock.
    fn times(&self) -> Option<String> {
        let clock = self.state.clock.as_ref()?;
        let left = |side: &str, stopped: u64| {
            let is_running = clock.running.as_deref() == Some(side);
            let until = clock.until.filter(|_| is_running).zip(self.now);
            let left = until.map_or(stopped, |(until, now)| until.saturating_sub(now));
            let time = humantime::format_duration(Duration::from_secs(left.div_ceil(1_000)));
            format!("{} {time}", self.name_of(side))
        };
        Some(format!("Time left: {}, {}", left("first", clock.first), left("second", clock.second)))
    }

    /// Returns whose turn it is, what is offered, or how the game has ended.
    fn headline(&self) -> String {
        let state = &self.state;
        if let Some(winner) = &state.winner {
            let verb = if self.you.as_ref() == Some(winner) { "win" } else { "wins" };
            let reason = match state.reason.as_deref() {
                Some("resigned") => ": the other player resigned",
                Some("time") => ": the other player ran out of time",
                _ => "",
            };
            return format!("{} {verb}{reason}.", self.name_of(winner));
        }
        if state.status != "playing" {
            return "The game is drawn.".to_owned();
        }
        if state.first.open || state.second.open {
            let who = if self.you.is_some() { "your friend" } else { "the second player" };
            return format!("Waiting for {who} … (Ctrl-C leaves)");
        }
        if let Some(RemoteOffer { kind, by }) = &state.offer {
            let what = match kind.as_str() {
                "draw" => "for a draw",
                "undo" => "to take back a move",
                _ => "for a rematch",
            };
            return if self.you.as_ref() == Some(by) {
                format!("You have asked {what}.")
            } else {
                format!("{} asks {what}: accept or decline?", self.name_of(by))
            };
        }
        match &state.to_move {
            Some(side) if self.you.as_ref() == Some(side) => "Your turn.".to_owned(),
            Some(side) => format!("{}'s turn.", self.name_of(side)),
            None => "The game goes on.".to_owned(),
        }
    }
}

/// Returns the next line, or nothing at the end of the input. The rest of a very long line is a line of its own.
fn read_line(input: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut line = Vec::new();
    std::io::Read::take(input, MAX_LINE).read_until(b'\n', &mut line)?;
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
}
