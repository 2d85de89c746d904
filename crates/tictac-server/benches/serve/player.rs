//! Two players of a game, over two sockets.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep_until};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// When moves are made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pace {
    /// As soon as the last one is through.
    Closed,
    /// At fixed times, whatever happens.
    Open {
        /// In all games together.
        moves_per_second: u32,
    },
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pace::Closed => f.write_str("closed"),
            Pace::Open { moves_per_second } => write!(f, "open, {moves_per_second}/s"),
        }
    }
}

/// How long moves took, in microseconds.
#[derive(Default)]
pub(crate) struct Tally {
    /// Until the mover had the acknowledgement and the opponent the move.
    pub(crate) waits: Vec<u32>,
    /// All moves, also those of the warm-up.
    pub(crate) n_moves: u32,
    /// The last game of each table, and how many events of it were acknowledged.
    pub(crate) games: Vec<(String, u64)>,
}

type Socket = WebSocketStream<TcpStream>;

/// Plays `n_games` at once and returns what was measured after the warm-up.
pub(crate) async fn play(
    address: &str,
    n_games: usize,
    pace: Pace,
    warm_up: Duration,
    measured: Duration,
) -> Tally {
    let doors = Arc::new(Semaphore::new(64));
    let mut tables = Vec::new();
    for _ in 0..n_games {
        tables.push(Table::open(address, &doors).await);
    }
    let start = Instant::now();
    let tasks: Vec<_> = tables
        .into_iter()
        .enumerate()
        .map(|(number, table)| {
            let interval = match pace {
                Pace::Closed => None,
                Pace::Open { moves_per_second } => {
                    Some(Duration::from_secs(1) * n_games as u32 / moves_per_second)
                }
            };
            let phase = interval.unwrap_or_default() * number as u32 / n_games as u32;
            tokio::spawn(table.play(start + phase, interval, start + warm_up, start + warm_up + measured))
        })
        .collect();
    let mut all = Tally::default();
    for task in tasks {
        let tally = task.await.unwrap();
        all.waits.extend(tally.waits);
        all.n_moves += tally.n_moves;
        all.games.extend(tally.games);
    }
    all
}

/// Opens two sockets for each of `n_games`, which must be kept.
pub(crate) async fn hold(address: &str, n_games: usize) -> Vec<Socket> {
    let doors = Arc::new(Semaphore::new(64));
    let tables = (0..n_games).map(|_| {
        let (address, doors) = (address.to_owned(), Arc::clone(&doors));
        tokio::spawn(async move { Table::open(&address, &doors).await.sockets })
    });
    let mut sockets = Vec::new();
    for table in tables.collect::<Vec<_>>() {
        sockets.extend(table.await.unwrap());
    }
    sockets
}

struct Table {
    address: String,
    game: String,
    doors: Arc<Semaphore>,
    sockets: [Socket; 2],
    seq: u64,
}

/// After that many moves in the order of the squares the first column is nearly full.
const MOVES_A_GAME: u64 = 56;

impl Table {
    async fn open(address: &str, doors: &Arc<Semaphore>) -> Table {
        let _door = doors.acquire().await.unwrap();
        let created = create(address).await;
        let game = created["game"].as_str().unwrap().to_owned();
        let [you, friend] = ["you", "friend"].map(|who| created[who]["token"].as_str().unwrap().to_owned());
        let sockets = [connect(address, &game, &you).await, connect(address, &game, &friend).await];
        Table { address: address.to_owned(), game, doors: Arc::clone(doors), sockets, seq: 1 }
    }

    async fn play(
        mut self,
        first: Instant,
        interval: Option<Duration>,
        from: Instant,
        until: Instant,
    ) -> Tally {
        let mut tally = Tally::default();
        let mut due = first;
        while due < until {
            if self.seq > MOVES_A_GAME {
                self = Table::open(&self.address, &self.doors).await;
            }
            sleep_until(due).await;
            // In an open loop the clock runs from when the move was due, not from when we got to it.
            let start = if interval.is_some() { due } else { Instant::now() };
            let end = self.make_move().await;
            tally.n_moves += 1;
            if start >= from && end < until {
                tally.waits.push((end - start).as_micros() as u32);
            }
            due = interval.map_or_else(Instant::now, |interval| due + interval);
        }
        tally.games.push((self.game, self.seq));
        tally
    }

    async fn make_move(&mut self) -> Instant {
        let (seq, place) = (self.seq, self.seq - 1);
        let square = format!("{}{}", char::from(b'A' + (place / 8) as u8), place % 8 + 1);
        let mover = (place % 2) as usize;
        let text = format!(r#"{{"id":{seq},"seq":{seq},"kind":"move","move":"{square}"}}"#);
        let [one, other] = &mut self.sockets;
        let (mine, theirs) = if mover == 0 { (one, other) } else { (other, one) };
        mine.send(Message::text(text)).await.unwrap();
        let sign = format!("\"seq\":{},", seq + 1);
        let (acknowledged, seen) = tokio::join!(hear(mine, &sign), hear(theirs, &sign));
        self.seq += 1;
        acknowledged.max(seen)
    }
}

/// Waits for the update that brings the game to a number; reading all of it would measure the generator.
async fn hear(socket: &mut Socket, sign: &str) -> Instant {
    loop {
        match socket.next().await.unwrap().unwrap() {
            Message::Text(text) if text.starts_with("{\"type\":\"update\"") => {
                assert!(text.contains(sign), "{text} instead of {sign}");
                return Instant::now();
            }
            Message::Text(text) => assert!(!text.starts_with("{\"type\":\"error\""), "{text}"),
            _ => {}
        }
    }
}

/// Returns how many acknowledged events a server does not know.
pub(crate) async fn n_lost(address: &str, games: &[(String, u64)]) -> u64 {
    let mut n_lost = 0;
    for (game, n_events) in games {
        let stored = ask(address, "GET", &format!("/api/v1/games/{game}"), "").await;
        n_lost += n_events.saturating_sub(stored["seq"].as_u64().unwrap_or(0));
    }
    n_lost
}

async fn create(address: &str) -> Value {
    ask(address, "POST", "/api/v1/games", r#"{"rules": "8,8,8"}"#).await
}

async fn ask(address: &str, method: &str, path: &str, body: &str) -> Value {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap()
}

async fn connect(address: &str, game: &str, token: &str) -> Socket {
    let mut request =
        format!("ws://{address}/api/v1/games/{game}/socket?since=1").into_client_request().unwrap();
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    let stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let config = WebSocketConfig::default().read_buffer_size(4_096).write_buffer_size(0);
    let (mut socket, _) =
        tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await.unwrap();
    // Before the greeting a move of the other would come with it, and not as an update.
    let greeting = socket.next().await.unwrap().unwrap();
    assert!(greeting.to_text().unwrap().starts_with("{\"type\":\"hello\""), "{greeting}");
    socket
}
