//! Games between two players over two sockets.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep_until};

use crate::client::Socket;

/// When moves are made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pace {
    /// As soon as the last move has reached both players.
    Closed,
    /// At fixed times.
    Open {
        /// The rate of all games together.
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

/// The measurements of a run.
#[derive(Default)]
pub(crate) struct LoadTally {
    /// The times until a move had reached both players, in microseconds.
    pub(crate) waits: Vec<u32>,
    /// The number of moves, including the warm-up.
    pub(crate) n_moves: u32,
    /// The last game of each pair of players, and its number of acknowledged events.
    pub(crate) games: Vec<(String, u64)>,
}

/// Plays `n_games` at once and returns the measurements after the warm-up.
pub(crate) async fn play(
    address: &str,
    n_games: usize,
    request: &'static str,
    pace: Pace,
    warm_up: Duration,
    measured: Duration,
) -> LoadTally {
    let connecting = Arc::new(Semaphore::new(64));
    let mut games = Vec::new();
    for _ in 0..n_games {
        games.push(PlayedGame::open(address, request, &connecting).await);
    }
    let start = Instant::now();
    let tasks: Vec<_> = games
        .into_iter()
        .enumerate()
        .map(|(number, game)| {
            let interval = match pace {
                Pace::Closed => None,
                Pace::Open { moves_per_second } => {
                    Some(Duration::from_secs(1) * n_games as u32 / moves_per_second)
                }
            };
            let phase = interval.unwrap_or_default() * number as u32 / n_games as u32;
            tokio::spawn(game.play(start + phase, interval, start + warm_up, start + warm_up + measured))
        })
        .collect();
    let mut all = LoadTally::default();
    for task in tasks {
        let tally = task.await.unwrap();
        all.waits.extend(tally.waits);
        all.n_moves += tally.n_moves;
        all.games.extend(tally.games);
    }
    all
}

/// Opens two sockets for each of `n_games` and returns them.
pub(crate) async fn hold(address: &str, n_games: usize) -> Vec<Socket> {
    let connecting = Arc::new(Semaphore::new(64));
    let opening = (0..n_games).map(|_| {
        let (address, connecting) = (address.to_owned(), Arc::clone(&connecting));
        tokio::spawn(async move { PlayedGame::open(&address, PLAIN, &connecting).await.sockets })
    });
    let mut sockets = Vec::new();
    for task in opening.collect::<Vec<_>>() {
        sockets.extend(task.await.unwrap());
    }
    sockets
}

/// Creates `n_games` that no client follows.
pub(crate) async fn hold_unattended(address: &str, n_games: usize, request: &'static str) {
    const AT_ONCE: usize = 50;
    let creating = (0..AT_ONCE).map(|_| {
        let address = address.to_owned();
        tokio::spawn(async move {
            for _ in 0..n_games / AT_ONCE {
                call(&address, "POST", "/api/v1/games", "", request).await;
            }
        })
    });
    for task in creating.collect::<Vec<_>>() {
        task.await.unwrap();
    }
}

/// The request for a game to play.
pub(crate) const PLAIN: &str = r#"{"rules": "8,8,8"}"#;
/// The request for a game to play with a clock.
pub(crate) const CLOCKED: &str = r#"{"rules": "8,8,8", "clock": "180+1"}"#;

struct PlayedGame {
    address: String,
    request: &'static str,
    game: String,
    connecting: Arc<Semaphore>,
    sockets: [Socket; 2],
    seq: u64,
}

/// The number of moves per game: one less than completes the first column, because squares are played in order.
const MOVES_PER_GAME: u64 = 56;

impl PlayedGame {
    async fn open(address: &str, request: &'static str, connecting: &Arc<Semaphore>) -> PlayedGame {
        let _permit = connecting.acquire().await.unwrap();
        let created = call(address, "POST", "/api/v1/games", "", request).await;
        let game = created["game"].as_str().unwrap().to_owned();
        let [you, friend] = ["you", "friend"].map(|who| created[who]["token"].as_str().unwrap().to_owned());
        let sockets = [connect(address, &game, &you).await, connect(address, &game, &friend).await];
        let (address, connecting) = (address.to_owned(), Arc::clone(connecting));
        PlayedGame { address, request, game, connecting, sockets, seq: 1 }
    }

    async fn play(
        mut self,
        first: Instant,
        interval: Option<Duration>,
        from: Instant,
        until: Instant,
    ) -> LoadTally {
        let mut tally = LoadTally::default();
        let mut due = first;
        while due < until {
            if self.seq > MOVES_PER_GAME {
                self = PlayedGame::open(&self.address, self.request, &self.connecting).await;
            }
            if interval.is_some() {
                sleep_until(due).await;
            }
            // In an open loop the time counts from when the move was due.
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
        mine.send(&text).await;
        let expected = format!("\"seq\":{},", seq + 1);
        let (acknowledged, seen) = tokio::join!(receive(mine, &expected), receive(theirs, &expected));
        self.seq += 1;
        acknowledged.max(seen)
    }
}

/// Waits for an update whose beginning contains `expected`. Parsing all of it would slow down the load generator.
async fn receive(socket: &mut Socket, expected: &str) -> Instant {
    loop {
        let text = socket.receive().await;
        let start = &text[..text.len().min(100)];
        if start.starts_with(b"{\"type\":\"update\"") {
            let start = String::from_utf8_lossy(start);
            assert!(start.contains(expected), "{start} instead of {expected}");
            return Instant::now();
        }
        assert!(!start.starts_with(b"{\"type\":\"error\""), "{}", String::from_utf8_lossy(text));
    }
}

/// Returns the number of acknowledged events that are lost.
pub(crate) async fn n_lost(address: &str, games: &[(String, u64)]) -> u64 {
    let mut n_lost = 0;
    for (game, n_events) in games {
        let stored = call(address, "GET", &format!("/api/v1/games/{game}"), "", "").await;
        n_lost += n_events.saturating_sub(stored["seq"].as_u64().unwrap_or(0));
    }
    n_lost
}

pub(crate) async fn call(address: &str, method: &str, path: &str, token: &str, body: &str) -> Value {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap()
}

async fn connect(address: &str, game: &str, token: &str) -> Socket {
    let path = format!("/api/v1/games/{game}/socket?since=1");
    let mut socket = Socket::connect(address, &path, token).await;
    // Wait for the first message, which would otherwise contain the opponent's next move.
    let hello = socket.receive().await;
    assert!(hello.starts_with(b"{\"type\":\"hello\""), "{}", String::from_utf8_lossy(hello));
    socket
}
