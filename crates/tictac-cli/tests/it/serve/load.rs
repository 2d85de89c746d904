//! Clients that play continuously, repeat unacknowledged moves, and record the acknowledged ones.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::signal;

/// Returns a free port.
pub(super) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A server process.
pub(super) struct Node {
    child: Child,
    pub(super) greeting: String,
}

impl Node {
    /// Starts a server and waits for its first line of output.
    pub(super) fn start(address: &str, database: &str) -> Node {
        let plenty = "100000000";
        let mut child = Command::new(env!("CARGO_BIN_EXE_tictac"))
            .args(["serve", "--listen", address, "--database", database])
            .args(["--games-per-minute", plenty, "--requests-per-minute", plenty])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log_of(database))
            .spawn()
            .unwrap();
        let mut greeting = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut greeting).unwrap();
        assert!(greeting.starts_with("Play at "), "{greeting:?}");
        Node { child, greeting: greeting.trim_end().to_owned() }
    }

    /// Kills the server without a chance to clean up.
    pub(super) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Stops the server gracefully and returns its exit status.
    pub(super) fn stop(mut self) -> Option<i32> {
        self.signal("TERM");
        self.child.wait().unwrap().code()
    }

    pub(super) fn signal(&self, name: &str) {
        signal(name, self.child.id());
    }
}

/// Returns where the log of a node is written: beside an SQLite file, or nowhere.
fn log_of(database: &str) -> Stdio {
    let path = database.strip_prefix("sqlite:").map(|path| Path::new(path).with_file_name("log"));
    path.map_or_else(Stdio::null, |path| File::create(path).unwrap().into())
}

/// Kills the server if the test fails.
impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The acknowledged moves: game, event number, move.
#[derive(Default)]
pub(super) struct Acknowledged(Mutex<BTreeSet<(String, u64, String)>>);

impl Acknowledged {
    pub(super) fn moves(&self) -> BTreeSet<(String, u64, String)> {
        self.0.lock().unwrap().clone()
    }
}

/// The clients that are running.
pub(super) struct Load {
    acknowledged: Arc<Acknowledged>,
    n_moves: Arc<AtomicUsize>,
    stopping: Arc<AtomicBool>,
    clients: Vec<JoinHandle<()>>,
}

impl Load {
    /// Starts clients that switch to another address when one does not respond.
    pub(super) fn start(n_clients: usize, addresses: &[&str]) -> Load {
        let (acknowledged, n_moves, stopping) = (Arc::default(), Arc::default(), Arc::default());
        let clients = (0..n_clients).map(|number| {
            let client = Client {
                addresses: addresses.iter().map(|&address| address.to_owned()).collect(),
                turn: number,
                connection: None,
                acknowledged: Arc::clone(&acknowledged),
                n_moves: Arc::clone(&n_moves),
                stopping: Arc::clone(&stopping),
            };
            spawn(move || client.run())
        });
        let clients = clients.collect();
        Load { acknowledged, n_moves, stopping, clients }
    }

    /// Waits until `n` more moves have been acknowledged.
    pub(super) fn wait_for(&self, n: usize, timeout: Duration) {
        let (start, goal) = (Instant::now(), self.n_moves.load(Ordering::Relaxed) + n);
        while self.n_moves.load(Ordering::Relaxed) < goal {
            assert!(start.elapsed() < timeout, "no move was acknowledged");
            sleep(Duration::from_millis(2));
        }
    }

    /// Lets the clients finish their moves, and returns the acknowledged ones.
    pub(super) fn stop(self) -> Arc<Acknowledged> {
        self.stopping.store(true, Ordering::Relaxed);
        for client in self.clients {
            client.join().expect("no client failed");
        }
        self.acknowledged
    }
}

struct Client {
    addresses: Vec<String>,
    turn: usize,
    connection: Option<BufReader<TcpStream>>,
    acknowledged: Arc<Acknowledged>,
    n_moves: Arc<AtomicUsize>,
    stopping: Arc<AtomicBool>,
}

impl Client {
    fn run(mut self) {
        while !self.stopping.load(Ordering::Relaxed) {
            let (status, created) =
                self.call("/api/v1/games", "", r#"{"opponent": "self", "rules": "8,8,8"}"#);
            assert_eq!(status, 201, "{created}");
            self.play(created["game"].as_str().unwrap(), created["you"]["token"].as_str().unwrap());
        }
    }

    /// Plays the squares in order, and leaves the game one move before the first column is full.
    fn play(&mut self, game: &str, token: &str) {
        let squares = ('A'..='H').flat_map(|row| (1..=8).map(move |column| format!("{row}{column}")));
        for (seq, square) in (1..).zip(squares.take(56)) {
            let mv = format!("{} {square}", if seq % 2 == 1 { 'X' } else { 'O' });
            let action = json!({ "seq": seq, "kind": "move", "move": mv }).to_string();
            let (status, answer) = self.call(&format!("/api/v1/games/{game}/events"), token, &action);
            assert_eq!(status, 200, "{action}: {answer}");
            assert_eq!(answer["events"][0]["move"], mv, "{answer}");
            self.acknowledged.0.lock().unwrap().insert((game.to_owned(), seq, mv));
            self.n_moves.fetch_add(1, Ordering::Relaxed);
            if self.stopping.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    /// Sends a request until a server responds; servers that are starting or stopping are tried again.
    fn call(&mut self, path: &str, token: &str, body: &str) -> (u16, Value) {
        let start = Instant::now();
        loop {
            match self.try_call(path, token, body) {
                Ok((503, _)) => {}
                Ok(answer) => return answer,
                Err(_) => {
                    self.connection = None;
                    self.turn += 1;
                }
            }
            assert!(start.elapsed() < Duration::from_mins(1), "no server responds");
            sleep(Duration::from_millis(5));
        }
    }

    fn try_call(&mut self, path: &str, token: &str, body: &str) -> io::Result<(u16, Value)> {
        let address = &self.addresses[self.turn % self.addresses.len()];
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => {
                let stream = TcpStream::connect(address)?;
                stream.set_nodelay(true)?;
                // A paused node does not respond; then the other one is tried.
                stream.set_read_timeout(Some(Duration::from_secs(3)))?;
                none.insert(BufReader::new(stream))
            }
        };
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        connection.get_mut().write_all(request.as_bytes())?;
        read_response(connection)
    }
}

pub(super) fn read_response(connection: &mut BufReader<TcpStream>) -> io::Result<(u16, Value)> {
    let (mut status, mut length) = (0, 0);
    loop {
        let mut line = String::new();
        if connection.read_line(&mut line)? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let line = line.trim_end().to_lowercase();
        if let Some(rest) = line.strip_prefix("http/1.1 ") {
            status = rest[..3].parse().unwrap();
        } else if let Some(n) = line.strip_prefix("content-length: ") {
            length = n.parse().unwrap();
        } else if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body)?;
    Ok((status, serde_json::from_slice(&body).unwrap()))
}
