//! Bots that play tournaments while the server is killed again and again, and the checks of what is stored then.

use std::collections::BTreeSet;
use std::io::{self, BufReader, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tictac_server::store::{Store, StoredEvent, for_each_game};
use tictac_server::token::GameId;

use super::load::read_response;

/// How many threads play the moves of all players.
const N_THREADS: usize = 4;

/// Tournaments that are played one after the other.
pub(super) struct Cups {
    n_moves: Arc<AtomicUsize>,
    stopping: Arc<AtomicBool>,
    organiser: JoinHandle<Vec<String>>,
}

impl Cups {
    pub(super) fn start(address: &str, n_players: usize) -> Cups {
        let (n_moves, stopping) = (Arc::<AtomicUsize>::default(), Arc::<AtomicBool>::default());
        let (address, moves, stop) = (address.to_owned(), Arc::clone(&n_moves), Arc::clone(&stopping));
        let organiser = spawn(move || {
            let mut played = Vec::new();
            while !stop.load(Ordering::Relaxed) {
                played.push(play_one(&address, n_players, &moves));
            }
            played
        });
        Cups { n_moves, stopping, organiser }
    }

    /// Waits until `n` more moves have been acknowledged.
    pub(super) fn wait_for(&self, n: usize, timeout: Duration) {
        let (start, goal) = (Instant::now(), self.n_moves.load(Ordering::Relaxed) + n);
        while self.n_moves.load(Ordering::Relaxed) < goal {
            assert!(start.elapsed() < timeout, "no move was acknowledged");
            sleep(Duration::from_millis(2));
        }
    }

    /// Lets the last tournament end, and returns the identifiers of all.
    pub(super) fn stop(self) -> Vec<String> {
        self.stopping.store(true, Ordering::Relaxed);
        self.organiser.join().expect("no player failed")
    }
}

/// Plays a whole Swiss tournament and returns its identifier.
fn play_one(address: &str, n_players: usize, n_moves: &Arc<AtomicUsize>) -> String {
    let mut host = CupClient::new(address);
    let (_, created) =
        host.call("POST", "/api/v1/tournaments", "", r#"{"name": "Torture", "format": "swiss"}"#);
    let id = created["tournament"].as_str().unwrap().to_owned();
    let organiser = created["organiser"]["token"].as_str().unwrap().to_owned();
    let base = format!("/api/v1/tournaments/{id}");
    let mut tokens = Vec::new();
    for number in 0..n_players {
        // Each player has a key, so that a request repeated after a lost response does not enter them twice.
        let key = format!("{number:026}");
        let body = json!({ "name": format!("P{number}"), "key": key }).to_string();
        let (status, answer) = host.call("POST", &format!("{base}/join"), "", &body);
        assert_eq!(status, 200, "{answer}");
        tokens.push(format!("{id}.{key}"));
    }
    let (status, answer) = host.call("POST", &format!("{base}/actions"), &organiser, r#"{"kind": "start"}"#);
    assert_eq!(status, 200, "{answer}");
    let players: Vec<_> = tokens
        .chunks(n_players.div_ceil(N_THREADS))
        .map(|tokens| {
            let (tokens, mut client) = (tokens.to_vec(), CupClient::new(address));
            let (base, n_moves) = (base.clone(), Arc::clone(n_moves));
            spawn(move || while client.play_moves(&base, &tokens, &n_moves) {})
        })
        .collect();
    for player in players {
        player.join().expect("no player failed");
    }
    id
}

/// A client that repeats every request until a server responds.
pub(super) struct CupClient {
    address: String,
    connection: Option<BufReader<TcpStream>>,
}

impl CupClient {
    pub(super) fn new(address: &str) -> CupClient {
        CupClient { address: address.to_owned(), connection: None }
    }

    /// Makes a move for every player whose turn it is; returns false when the tournament is over.
    fn play_moves(&mut self, base: &str, tokens: &[String], n_moves: &AtomicUsize) -> bool {
        for token in tokens {
            let (_, update) = self.call("GET", &format!("{base}?since=1000000"), token, "");
            if update["state"]["phase"] == "finished" {
                return false;
            }
            let Some(game) = update["you"]["game"].as_str() else { continue };
            // The server may have been killed before it created the game.
            let (status, now) = self.call("GET", &format!("/api/v1/games/{game}"), token, "");
            let Some(mv) = now["state"]["legal_moves"].get(0).filter(|_| status == 200) else { continue };
            if now["state"]["to_move"] == now["you"] {
                let action = json!({ "seq": now["seq"], "kind": "move", "move": mv }).to_string();
                let (status, answer) =
                    self.call("POST", &format!("/api/v1/games/{game}/events"), token, &action);
                assert_eq!(status, 200, "{answer}");
                n_moves.fetch_add(1, Ordering::Relaxed);
            }
        }
        true
    }

    pub(super) fn call(&mut self, method: &str, path: &str, token: &str, body: &str) -> (u16, Value) {
        let start = Instant::now();
        loop {
            match self.try_call(method, path, token, body) {
                Ok((503, _)) => {}
                Ok(answer) => return answer,
                Err(_) => self.connection = None,
            }
            assert!(start.elapsed() < Duration::from_mins(2), "no server responds");
            sleep(Duration::from_millis(5));
        }
    }

    fn try_call(&mut self, method: &str, path: &str, token: &str, body: &str) -> io::Result<(u16, Value)> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => {
                let stream = TcpStream::connect(&self.address)?;
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(Duration::from_secs(30)))?;
                none.insert(BufReader::new(stream))
            }
        };
        let authorization =
            if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\n{authorization}content-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        connection.get_mut().write_all(request.as_bytes())?;
        read_response(connection)
    }
}

/// Checks that every pairing of the tournaments exists once: no two players meet twice, every round has all players, and the stored games
/// are exactly those that the rounds name.
pub(super) async fn check_stored(store: &dyn Store, cups: &[String], n_players: usize) {
    let mut expected = BTreeSet::new();
    for id in cups {
        let stored = store.read(id.parse().unwrap(), 0).await.unwrap();
        let (games, n_rounds) = check_rounds(&stored, n_players);
        assert_eq!(n_rounds, n_players.next_power_of_two().ilog2() as usize, "{id}");
        expected.extend(games.into_iter().map(|game| (id.clone(), game)));
    }
    let mut found = BTreeSet::new();
    let visit = |game: GameId, stored: Result<Vec<StoredEvent>, _>| {
        let first: Value = serde_json::from_str(&stored?[0].body).unwrap();
        if let Some(id) = first["tournament"]["id"].as_str() {
            found.insert((id.to_owned(), game.to_string()));
        }
        Ok::<(), tictac_server::store::StoreError>(())
    };
    for_each_game(store, visit).await.unwrap();
    assert_eq!(found, expected);
}

/// Returns the games and the number of rounds of a tournament.
fn check_rounds(stored: &[StoredEvent], n_players: usize) -> (Vec<String>, usize) {
    let (mut met, mut pairs, mut games, mut n_rounds) = (BTreeSet::new(), BTreeSet::new(), Vec::new(), 0);
    for event in stored.iter().map(|event| serde_json::from_str::<Value>(&event.body).unwrap()) {
        for pair in event["pairs"].as_array().into_iter().flatten() {
            let [one, other] = ["first", "second"].map(|side| pair[side].as_u64().unwrap());
            assert!(met.insert((n_rounds, one)) && met.insert((n_rounds, other)), "{pair} is there twice");
            assert!(pairs.insert([one.min(other), one.max(other)]), "{pair} have met before");
            games.push(pair["game"].as_str().unwrap().to_owned());
        }
        if event["kind"] == "round-paired" {
            n_rounds += 1;
            assert_eq!(met.len(), n_rounds * n_players, "a pairing is missing");
        }
    }
    let distinct: BTreeSet<&String> = games.iter().collect();
    assert_eq!(distinct.len(), games.len(), "a game is there twice");
    (games, n_rounds)
}
