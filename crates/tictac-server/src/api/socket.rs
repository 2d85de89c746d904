//! The socket: one task a client, which holds only the number of the next event to tell.
//!
//! There is no queue of messages. Whoever reads slowly is behind in a list that is in memory once for all, and the next
//! message takes him to its end.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};

use crate::app::AppState;
use crate::config::Limits;
use crate::cookie;
use crate::failure::Failure;
use crate::guard::{Client, Place};
use crate::live::{Following, Live, json};
use crate::page;
use crate::throttle::{Flood, SocketPlace};
use crate::wire::{Frame, Presence, You};

const UNSUPPORTED: u16 = 1003;
const INVALID: u16 = 1007;
const POLICY: u16 = 1008;
const TOO_BIG: u16 = 1009;
const RESTART: u16 = 1012;
const READ_BUFFER: usize = 4 * 1024;
const MAX_WRITE_BUFFER: usize = 256 * 1024;

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SocketQuery {
    /// The first event that the client does not know.
    #[serde(default)]
    since: u64,
    /// True for this server's own page, which gets its changed parts as HTML.
    #[serde(default)]
    html: bool,
}

/// Makes a socket of a request.
pub(super) async fn upgrade(
    State(state): State<AppState>,
    Path(game): Path<String>,
    query: Result<Query<SocketQuery>, axum::extract::rejection::QueryRejection>,
    Client(address): Client,
    headers: HeaderMap,
    room: Option<Extension<Place>>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, Failure> {
    let upgrade = upgrade.map_err(|error| Failure::BadRequest(error.body_text()))?;
    let Query(query) = query.map_err(|error| Failure::BadRequest(error.body_text()))?;
    let Some(counted) = state.throttle().socket(address) else {
        state.service().metrics().throttled.inc();
        return Err(Failure::TooMany("sockets from one address"));
    };
    let live = state.service().open(super::name(&game)?).await?;
    let you = live.you(cookie::seat(&headers).as_ref());
    let upgrade = upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_write_buffer_size(MAX_WRITE_BUFFER)
        .max_message_size(Limits::FRAME)
        .max_frame_size(Limits::FRAME);
    Ok(upgrade.on_upgrade(move |socket| {
        let conversation = Conversation::new(state.clone(), live, you, query, (counted, room));
        // Its own task in our own book: an orderly end waits for it, and a bug in it ends only this one.
        let task = state.service().tasks().spawn(conversation.run(socket));
        async move { drop(task) }
    }))
}

/// One client and what he has been told.
struct Conversation {
    state: AppState,
    live: Arc<Live>,
    you: Option<You>,
    /// The number of the next event to tell.
    next: u64,
    /// True if the client is a page, which gets its changed parts as HTML.
    html: bool,
    presence: Presence,
    news: watch::Receiver<()>,
    flood: Flood,
    /// When the other end must have given a sign of life.
    heard: Instant,
    _following: Following,
    _places: Places,
}

/// What a socket takes up: a place of its address, and one of the connections.
type Places = (SocketPlace, Option<Extension<Place>>);

/// Why a conversation ends.
enum End {
    /// The other end went, or cannot be reached.
    Gone,
    /// With a code and a reason.
    Close(u16, &'static str),
}

impl Conversation {
    fn new(
        state: AppState,
        live: Arc<Live>,
        you: Option<You>,
        query: SocketQuery,
        places: Places,
    ) -> Conversation {
        state.service().metrics().sockets.inc();
        let following = live.follow(you);
        Conversation {
            flood: state.throttle().flood(),
            news: live.subscribe(),
            presence: Presence::default(),
            next: query.since,
            html: query.html,
            heard: Instant::now(),
            state,
            live,
            you,
            _following: following,
            _places: places,
        }
    }

    async fn run(mut self, mut socket: WebSocket) {
        let end = match self.greet(&mut socket).await {
            Ok(()) => self.converse(&mut socket).await,
            Err(end) => end,
        };
        if let End::Close(code, reason) = end {
            let frame = CloseFrame { code, reason: reason.into() };
            let _ = timeout(Duration::from_secs(1), socket.send(Message::Close(Some(frame)))).await;
            self.hear_out(&mut socket).await;
        }
        self.state.service().metrics().sockets.dec();
    }

    /// Reads until the other end has answered the close, or a moment has passed: a connection that is dropped with
    /// unread bytes is reset, and the reason for its end would be lost with it.
    async fn hear_out(&self, socket: &mut WebSocket) {
        let last_words = async { while let Some(Ok(_)) = socket.recv().await {} };
        let _ = timeout(Duration::from_secs(2), last_words).await;
    }

    async fn converse(&mut self, socket: &mut WebSocket) -> End {
        let stopping = self.state.service().stopping().clone();
        let heartbeat = self.state.config().limits.heartbeat;
        let mut beat = Instant::now() + heartbeat;
        loop {
            let result = tokio::select! {
                () = stopping.cancelled() => return End::Close(RESTART, "the server restarts"),
                message = socket.recv() => {
                    self.heard = Instant::now();
                    self.hear(socket, message).await
                }
                changed = self.news.changed() => match changed {
                    Ok(()) => self.tell_news(socket, None).await,
                    Err(_) => Err(End::Gone),
                },
                () = sleep_until(beat) => {
                    beat = Instant::now() + heartbeat;
                    self.feel_the_pulse(socket, heartbeat).await
                }
            };
            if let Err(end) = result {
                return end;
            }
        }
    }

    async fn greet(&mut self, socket: &mut WebSocket) -> Result<(), End> {
        self.news.mark_unchanged();
        let message = {
            let mut inner = self.live.lock();
            let message = inner.message(self.live.id, "\"type\":\"hello\"", self.next, self.you);
            self.next = inner.table.n_events();
            self.presence = inner.presence();
            message
        };
        self.send_parts(socket).await?;
        self.send(socket, message).await
    }

    async fn feel_the_pulse(&self, socket: &mut WebSocket, heartbeat: Duration) -> Result<(), End> {
        if self.heard.elapsed() > heartbeat * 2 {
            return Err(End::Gone);
        }
        self.deliver(socket, Message::Ping(axum::body::Bytes::new())).await
    }

    async fn hear(
        &mut self,
        socket: &mut WebSocket,
        message: Option<Result<Message, axum::Error>>,
    ) -> Result<(), End> {
        let Some(message) = message else { return Err(End::Gone) };
        let message = message.map_err(|error| reason_of(&error))?;
        if self.flood.check().is_err() {
            self.state.service().metrics().throttled.inc();
            return Err(End::Close(POLICY, "too many messages"));
        }
        match message {
            Message::Text(text) => self.answer(socket, text.as_str()).await,
            Message::Binary(_) => Err(End::Close(UNSUPPORTED, "messages are JSON text")),
            Message::Ping(_) | Message::Pong(_) => Ok(()),
            Message::Close(_) => Err(End::Gone),
        }
    }

    async fn answer(&mut self, socket: &mut WebSocket, text: &str) -> Result<(), End> {
        let frame: Frame = match serde_json::from_str(text) {
            Ok(frame) => frame,
            Err(error) => {
                let failure = Failure::BadRequest(error.to_string());
                self.complain(socket, None, failure).await?;
                return Err(End::Close(INVALID, "a message that cannot be understood"));
            }
        };
        let id = frame.id;
        let service = self.state.service().clone();
        let result = match self.you {
            Some(you) => service.do_action(&self.live, you, frame.into()).await,
            None => Err(Failure::NoSeat),
        };
        match result {
            Ok(()) => self.tell_news(socket, Some(id)).await,
            Err(failure) => self.complain(socket, Some(id), failure).await,
        }
    }

    /// Tells what has happened since the last message; an acknowledgement is told even where it is no news.
    async fn tell_news(&mut self, socket: &mut WebSocket, re: Option<u64>) -> Result<(), End> {
        self.news.mark_unchanged();
        let message = {
            let mut inner = self.live.lock();
            let (n_events, presence) = (inner.table.n_events(), inner.presence());
            let message = if n_events > self.next || re.is_some() {
                let head = match re {
                    Some(id) => format!("\"type\":\"update\",\"re\":{id}"),
                    None => "\"type\":\"update\"".to_owned(),
                };
                inner.message(self.live.id, &head, self.next, self.you)
            } else if presence != self.presence {
                format!("{{\"type\":\"presence\",\"presence\":{}}}", json(&presence))
            } else {
                return Ok(());
            };
            self.next = n_events.max(self.next);
            self.presence = presence;
            message
        };
        self.send_parts(socket).await?;
        self.send(socket, message).await
    }

    /// Sends a page its changed parts. They come before the update, so that the page can announce it in their words.
    async fn send_parts(&self, socket: &mut WebSocket) -> Result<(), End> {
        if !self.html {
            return Ok(());
        }
        let parts = page::parts(&self.live.update(u64::MAX, self.you));
        self.send(socket, json(&serde_json::json!({ "type": "page", "parts": parts }))).await
    }

    async fn complain(
        &mut self,
        socket: &mut WebSocket,
        re: Option<u64>,
        failure: Failure,
    ) -> Result<(), End> {
        let problem = json(&failure.problem());
        let rest = problem.strip_prefix('{').unwrap_or("}");
        let message = match re {
            Some(id) => format!("{{\"type\":\"error\",\"re\":{id},{rest}"),
            None => format!("{{\"type\":\"error\",{rest}"),
        };
        self.send(socket, message).await
    }

    async fn send(&self, socket: &mut WebSocket, message: String) -> Result<(), End> {
        self.deliver(socket, Message::Text(message.into())).await
    }

    async fn deliver(&self, socket: &mut WebSocket, message: Message) -> Result<(), End> {
        let limits = &self.state.config().limits;
        match timeout(limits.slow_reader, socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_) => {
                self.state.service().metrics().slow_readers.inc();
                Err(End::Gone)
            }
        }
    }
}

/// A message that is too big is the client's mistake and he is told; after other faults there is nobody to talk to.
fn reason_of(error: &axum::Error) -> End {
    let text = error.to_string();
    if text.contains("too long") || text.contains("too large") || text.contains("Space limit") {
        End::Close(TOO_BIG, "a message larger than 4 KiB")
    } else if text.contains("UTF-8") || text.contains("utf-8") {
        End::Close(INVALID, "text is UTF-8")
    } else {
        End::Close(1002, "not a WebSocket message")
    }
}
