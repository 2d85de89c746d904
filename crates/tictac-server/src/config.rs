//! What can be set, and the limits on everything from outside.

use std::net::SocketAddr;
use std::time::Duration;

/// What an operator decides.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address under which people reach the server, such as `https://play.example`, without a slash at the end.
    pub public_origin: String,
    /// Other hosts that may stand in a request, such as `localhost:8470`.
    pub hosts: Vec<String>,
    /// Whether a proxy in front tells the client's address in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// How much of everything.
    pub limits: Limits,
}

impl Config {
    /// Returns the settings for a server that listens on `address` and is reached there directly.
    pub fn local(address: SocketAddr) -> Config {
        let port = address.port();
        let hosts = ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("{host}:{port}"));
        Config {
            public_origin: format!("http://{address}"),
            hosts: hosts.to_vec(),
            behind_proxy: false,
            limits: Limits::default(),
        }
    }

    /// Whether browsers reach the server over TLS, so that cookies may be marked `Secure`.
    pub fn is_secure(&self) -> bool {
        self.public_origin.starts_with("https://")
    }
}

/// How much of everything the server takes.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections at a time; more wait in the listen queue.
    pub connections: usize,
    /// Sockets at a time from one address.
    pub sockets_per_address: u32,
    /// New games a minute from one address.
    pub games_per_minute: u32,
    /// Requests other than new games and analyses a minute from one address.
    pub requests_per_minute: u32,
    /// Analyses and record checks a minute from one address.
    pub analyses_per_minute: u32,
    /// Messages in twenty seconds on one socket.
    pub messages_per_socket: u32,
    /// Squares on all boards of a game.
    pub squares: usize,
    /// Events in one game.
    pub events_per_game: u64,
    /// Games in memory; beyond it, those that nobody follows are dropped and read again when asked for.
    pub games_in_memory: usize,
    /// Moves and other events waiting to be stored.
    pub queue: usize,
    /// How long a client may take to send its headers, or the next part of a body.
    pub patience: Duration,
    /// How long a client may take to read what was sent to it.
    pub slow_reader: Duration,
    /// How often a silent socket is asked whether it is still there; twice that without an answer ends it.
    pub heartbeat: Duration,
    /// How long the solver may think about one request.
    pub thinking: Duration,
    /// How long an orderly shutdown may take.
    pub shutdown: Duration,
}

impl Limits {
    /// Bytes in one message or frame on a socket.
    pub const FRAME: usize = 4 * 1024;
    /// Bytes in the body of a request.
    pub const BODY: usize = 64 * 1024;
    /// Characters in a name.
    pub const NAME: usize = 40;
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 20_000,
            sockets_per_address: 200,
            games_per_minute: 60,
            requests_per_minute: 1_200,
            analyses_per_minute: 120,
            messages_per_socket: 100,
            squares: 256,
            events_per_game: 4_096,
            games_in_memory: 50_000,
            queue: 4_096,
            patience: Duration::from_secs(10),
            slow_reader: Duration::from_secs(10),
            heartbeat: Duration::from_secs(25),
            thinking: Duration::from_secs(2),
            shutdown: Duration::from_secs(5),
        }
    }
}
