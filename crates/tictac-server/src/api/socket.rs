//! The WebSocket of a game: one task per client, which keeps only the number of the next event to send.
//!
//! There is no queue of messages per client. Events are in memory once for all clients, and the next message takes a
//! slow client straight to the end of the list.

use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::tungstenite;

use crate::config::ServerLimits;
use crate::extract::{GamePath, Parameters, Visitor};
use crate::failure::Failure;
use crate::fair_queue::Party;
use crate::guard::ConnectionPermit;
use crate::live_game::{Following, LiveGame};
use crate::page::Language;
use crate::reaction::{Reaction, ReactionMessage};
use crate::service::Service;
use crate::throttle::{AddressPermit, MessageLimiter};
use crate::token::Secret;
use crate::wire::{ActionRequest, ClientMessage, Presence, ServerMessage, You, to_json};

/// Most messages have about 60 bytes. A larger buffer would be cleared with every read.
const READ_BUFFER: usize = 512;
const MAX_WRITE_BUFFER: usize = 256 * 1024;
/// How many pings a client may leave unanswered. They are counted and not timed, so that a busy server disconnects no one.
const MAX_PINGS: u32 = 2;
/// The `type` of the first message, and of those with the events since then.
const HELLO: &str = "hello";
const UPDATE: &str = "update";

#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct SocketQuery {
    /// The number of the first event that has not been sent to the client.
    since: u64,
    /// Whether the client is this server's own page, which gets its changed parts as HTML.
    html: bool,
    /// Whether the client only watches, even if it has a seat.
    watch: bool,
    /// The language of the HTML, which [`Language`] reads from the same query.
    #[serde(rename = "lang")]
    _language: Option<String>,
}

pub(super) async fn upgrade(
    visitor: Visitor,
    GamePath(game): GamePath,
    Parameters(query): Parameters<SocketQuery>,
    connection: Option<Extension<ConnectionPermit>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Failure> {
    let upgrade = upgrade.map_err(|error| Failure::BadRequest(error.body_text()))?;
    let secret = visitor.seat().filter(|_| !query.watch);
    let Visitor { service, language, address, .. } = visitor;
    let permit = service.throttle.socket(address)?;
    let live = service.open(game).await?;
    let (you, secrets_version, n_reactions) = {
        let mut state = live.lock();
        if state.party == Party::Unknown {
            state.set_client(address);
        }
        (state.hosted.you(secret.as_ref()), state.hosted.secrets_version, state.reaction.count)
    };
    let upgrade = upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_write_buffer_size(MAX_WRITE_BUFFER)
        .max_message_size(ServerLimits::FRAME)
        .max_frame_size(ServerLimits::FRAME);
    Ok(upgrade.on_upgrade(move |socket| {
        service.metrics.sockets.inc();
        let tasks = service.tasks.clone();
        let session = SocketSession {
            _following: live.follow(you),
            _permits: (permit, connection),
            limiter: service.throttle.messages(),
            changes: live.changed.subscribe(),
            presence: Presence::default(),
            next: query.since,
            html: query.html.then_some(language),
            n_reactions,
            n_pings: 0,
            service,
            live,
            you,
            address,
            secret,
            secrets_version,
        };
        // A tracked task: a graceful shutdown waits for it, and a panic ends only this socket.
        let task = tasks.spawn(session.run(socket));
        async move { drop(task) }
    }))
}

/// One client, and what it has been sent.
struct SocketSession {
    service: Service,
    live: Arc<LiveGame>,
    you: Option<You>,
    address: IpAddr,
    secret: Option<Secret>,
    /// The version of the secrets of the game for which `you` is known to be right.
    secrets_version: u32,
    /// The number of the next event to send.
    next: u64,
    /// The language of this server's own page, which gets its changed parts as HTML.
    html: Option<Language>,
    /// How many reactions there were at the last message.
    n_reactions: u64,
    /// The presence that the client was last sent.
    presence: Presence,
    changes: watch::Receiver<()>,
    limiter: MessageLimiter,
    /// The pings that were sent since the last message of the client.
    n_pings: u32,
    _following: Following,
    /// The places that the socket takes: among those of its address, and among all connections.
    _permits: (AddressPermit, Option<Extension<ConnectionPermit>>),
}

enum SocketEnd {
    /// The client disconnected or cannot be reached.
    Disconnected,
    /// The server closes the socket with a code and a reason.
    Close(u16, &'static str),
}

impl SocketSession {
    async fn run(mut self, mut socket: WebSocket) {
        let end = match self.send_changes(&mut socket, HELLO, None).await {
            Ok(()) => self.exchange(&mut socket).await,
            Err(end) => end,
        };
        if let SocketEnd::Close(code, reason) = end {
            let frame = CloseFrame { code, reason: reason.into() };
            let _ = timeout(Duration::from_secs(1), socket.send(Message::Close(Some(frame)))).await;
            // Read until the client has confirmed the close. Dropping a connection with unread bytes resets it, and the client would
            // not see the close code.
            let rest = async { while let Some(Ok(_)) = socket.recv().await {} };
            let _ = timeout(Duration::from_secs(2), rest).await;
        }
        self.service.metrics.sockets.dec();
    }

    async fn exchange(&mut self, socket: &mut WebSocket) -> SocketEnd {
        let heartbeat = self.service.config.limits.heartbeat;
        // These wait for one event during the whole loop: with every message, they would take the locks of their lists again.
        let mut stopping = pin!(self.service.stopping.clone().cancelled_owned());
        let mut ping = pin!(sleep(heartbeat));
        loop {
            let result = tokio::select! {
                () = &mut stopping => {
                    return SocketEnd::Close(close_code::RESTART, "the server is restarting");
                }
                message = socket.recv() => {
                    self.n_pings = 0;
                    self.handle_message(socket, message).await
                }
                changed = self.changes.changed() => match changed {
                    Ok(()) => self.send_changes(socket, UPDATE, None).await,
                    Err(_) => Err(SocketEnd::Disconnected),
                },
                () = &mut ping => {
                    ping.as_mut().reset(Instant::now() + heartbeat);
                    if self.n_pings >= MAX_PINGS {
                        return SocketEnd::Disconnected;
                    }
                    self.n_pings += 1;
                    self.deliver(socket, Message::Ping(Bytes::new())).await
                }
            };
            if let Err(end) = result {
                return end;
            }
        }
    }

    async fn handle_message(
        &mut self,
        socket: &mut WebSocket,
        message: Option<Result<Message, axum::Error>>,
    ) -> Result<(), SocketEnd> {
        let Some(message) = message else { return Err(SocketEnd::Disconnected) };
        let message = message.map_err(end_after)?;
        if self.limiter.check().is_err() {
            self.service.throttle.refuse("messages", 0);
            return Err(SocketEnd::Close(close_code::POLICY, "too many messages"));
        }
        match message {
            Message::Text(text) => self.handle_text(socket, text.as_str()).await,
            Message::Binary(_) => {
                Err(SocketEnd::Close(close_code::UNSUPPORTED, "messages must be JSON text"))
            }
            Message::Ping(_) | Message::Pong(_) => Ok(()),
            Message::Close(_) => Err(SocketEnd::Disconnected),
        }
    }

    async fn handle_text(&mut self, socket: &mut WebSocket, text: &str) -> Result<(), SocketEnd> {
        let ClientMessage { id, seq, kind, mv } = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(_) if let Ok(ReactionMessage { id, reaction }) = serde_json::from_str(text) => {
                return self.react(socket, id, reaction).await;
            }
            Err(error) => {
                let problem = Failure::from(error).problem();
                self.send(socket, &ServerMessage::Error { re: None, problem }).await?;
                return Err(SocketEnd::Close(close_code::INVALID, "malformed message"));
            }
        };
        self.check_seat()?;
        let result = match self.you {
            Some(you) => {
                let action = ActionRequest { seq, kind, mv };
                self.service.act_as(&self.live, you, &action, Some(self.address)).await
            }
            None => Err(Failure::NoSeat),
        };
        match result {
            Ok(()) => self.send_changes(socket, UPDATE, Some(id)).await,
            Err(failure) => {
                let problem = failure.problem();
                self.send(socket, &ServerMessage::Error { re: Some(id), problem }).await
            }
        }
    }

    /// Shows a reaction of the player to everyone, including themselves. There is no other acknowledgement.
    async fn react(&mut self, socket: &mut WebSocket, id: u64, reaction: Reaction) -> Result<(), SocketEnd> {
        self.check_seat()?;
        let problem = match self.you.and_then(You::side) {
            None => Failure::NoSeat.problem(),
            Some(by) => {
                if self.live.lock().reaction.replace(by, reaction, Instant::now()) {
                    self.live.changed.send_replace(());
                    return Ok(());
                }
                self.service.throttle.refuse("reactions", 1).problem()
            }
        };
        self.send(socket, &ServerMessage::Error { re: Some(id), problem }).await
    }

    /// Ends the connection if the client may not play the same sides any more. It can connect again to watch.
    fn check_seat(&mut self) -> Result<(), SocketEnd> {
        let state = self.live.lock();
        if state.hosted.secrets_version == self.secrets_version {
            return Ok(());
        }
        self.secrets_version = state.hosted.secrets_version;
        if state.hosted.you(self.secret.as_ref()) == self.you {
            return Ok(());
        }
        Err(SocketEnd::Close(close_code::POLICY, "your seat in this game has changed"))
    }

    /// Sends what has changed since the last message: an update if there are events, or if `re` is acknowledged. A page gets its
    /// changed parts before the update, which it announces in their words.
    async fn send_changes(
        &mut self,
        socket: &mut WebSocket,
        kind: &'static str,
        re: Option<u64>,
    ) -> Result<(), SocketEnd> {
        self.changes.mark_unchanged();
        self.check_seat()?;
        let mut messages = Vec::with_capacity(2);
        {
            let mut state = self.live.lock();
            if let Some((by, reaction)) = state.reaction.after(self.n_reactions) {
                messages.push(to_json(&ServerMessage::Reaction { by, reaction }).into());
            }
            self.n_reactions = state.reaction.count;
            let (n_events, presence) = (state.hosted.n_events, state.presence());
            let has_update = n_events > self.next || re.is_some() || kind == HELLO;
            if has_update || presence != self.presence {
                messages.extend(self.html.map(|language| state.parts(self.you, language)));
                messages.push(if has_update {
                    state.message(kind, re, self.next, self.you)
                } else {
                    to_json(&ServerMessage::Presence { presence }).into()
                });
            }
            (self.next, self.presence) = (n_events.max(self.next), presence);
        }
        for message in messages {
            self.deliver(socket, Message::Text(message)).await?;
        }
        Ok(())
    }

    async fn send(&self, socket: &mut WebSocket, message: &ServerMessage) -> Result<(), SocketEnd> {
        self.deliver(socket, Message::Text(to_json(message).into())).await
    }

    async fn deliver(&self, socket: &mut WebSocket, message: Message) -> Result<(), SocketEnd> {
        match timeout(self.service.config.limits.slow_reader, socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(SocketEnd::Disconnected),
            Err(_) => {
                self.service.metrics.slow_readers.inc();
                Err(SocketEnd::Disconnected)
            }
        }
    }
}

/// Returns how a socket ends after an error while receiving.
fn end_after(error: axum::Error) -> SocketEnd {
    match error.into_inner().downcast_ref::<tungstenite::Error>() {
        Some(tungstenite::Error::Capacity(_)) => {
            SocketEnd::Close(close_code::SIZE, "messages must not be larger than 4 KiB")
        }
        Some(tungstenite::Error::Utf8(_)) => SocketEnd::Close(close_code::INVALID, "text must be UTF-8"),
        _ => SocketEnd::Close(close_code::PROTOCOL, "not a WebSocket message"),
    }
}
