//! The configuration of a server, with the limits on everything that clients send.

use std::net::SocketAddr;
use std::time::Duration;

use crate::push::PushConfig;
use crate::time_source::TimeSource;

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The address that clients use, such as `https://play.example`, without a slash at the end.
    pub public_origin: String,
    /// Other hosts that requests may be addressed to, such as `localhost:8470`.
    pub hosts: Vec<String>,
    /// Whether a proxy passes on the client's address in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// How long games are kept.
    pub keep: Retention,
    /// Where the time of events comes from.
    pub time: TimeSource,
    /// How messages are sent to browsers whose page is closed; without it, none are.
    pub push: Option<PushConfig>,
    /// The limits on clients.
    pub limits: ServerLimits,
}

/// How long games are kept after their last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Games with a move, and resigned ones; `None` keeps them forever.
    pub played: Option<Duration>,
    /// Games in which no one has moved.
    pub empty: Duration,
}

impl Retention {
    /// Keeps played games forever, and games in which no one has moved for a day.
    pub const FOREVER: Retention = Retention { played: None, empty: Duration::from_hours(24) };

    /// Returns the retention that keeps played games for `time`, and games in which no one has moved for a day at most.
    pub fn of(time: Duration) -> Retention {
        Retention { played: Some(time), empty: Retention::FOREVER.empty.min(time) }
    }

    /// Returns the time for which every game is kept.
    pub(crate) fn shortest(&self) -> Duration {
        self.played.map_or(self.empty, |played| played.min(self.empty))
    }
}

impl ServerConfig {
    /// Returns the configuration of a server that listens on `address` and is reached there directly.
    pub fn local(address: SocketAddr) -> ServerConfig {
        let port = address.port();
        let hosts = ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("{host}:{port}"));
        ServerConfig {
            public_origin: format!("http://{address}"),
            hosts: hosts.to_vec(),
            behind_proxy: false,
            keep: Retention::FOREVER,
            time: TimeSource::System,
            push: None,
            limits: ServerLimits::default(),
        }
    }

    /// Returns whether requests may be addressed to `host`.
    pub(crate) fn is_host(&self, host: &str) -> bool {
        let public = self.public_origin.split_once("://").map_or("", |(_, host)| host);
        host.eq_ignore_ascii_case(public) || self.hosts.iter().any(|ours| host.eq_ignore_ascii_case(ours))
    }

    /// Returns whether `origin` is this server.
    pub(crate) fn is_origin(&self, origin: &str) -> bool {
        let is_local =
            || origin.strip_prefix("http://").is_some_and(|host| self.hosts.iter().any(|ours| ours == host));
        origin.eq_ignore_ascii_case(&self.public_origin) || is_local()
    }
}

/// The limits of a server.
#[derive(Clone, Debug)]
pub struct ServerLimits {
    /// Simultaneous connections; further ones wait in the listen queue.
    pub connections: usize,
    /// Simultaneous sockets per address. An address may have a hundred more connections than this, up to half of all connections.
    pub sockets_per_address: u32,
    /// Simultaneous requests per address that wait for an event.
    pub long_polls_per_address: u32,
    /// Analyses per address that wait or run at the same time.
    pub running_analyses_per_address: u32,
    /// New games per minute and address.
    pub games_per_minute: u32,
    /// Requests per minute and address.
    pub requests_per_minute: u32,
    /// Analyses and checked records per minute and address.
    pub analyses_per_minute: u32,
    /// Messages per 20 seconds on one socket.
    pub messages_per_socket: u32,
    /// Squares on all boards of a game.
    pub squares: usize,
    /// Events per game, after which no more offers are possible; moves always are.
    pub events_per_game: u64,
    /// Games in memory; beyond this number, games without followers are dropped and read again when needed.
    pub games_in_memory: usize,
    /// Events that wait to be stored.
    pub queue: usize,
    /// How long a client may take to send its headers, and then the whole body.
    pub read_timeout: Duration,
    /// How long a client may take to read a message.
    pub slow_reader: Duration,
    /// Interval between pings; a socket on which two of them get no answer is closed.
    pub heartbeat: Duration,
    /// How long the solver may think about one request.
    pub thinking: Duration,
    /// How long a graceful shutdown may take.
    pub shutdown: Duration,
    /// How long the server may be unable to write to the database; a longer interruption is not charged to players with a clock.
    pub stall: Duration,
}

impl ServerLimits {
    /// The largest message on a socket, in bytes.
    pub const FRAME: usize = 4 * 1024;
    /// The largest request body, in bytes.
    pub const BODY: usize = 64 * 1024;
    /// The longest name, in characters.
    pub const NAME: usize = 40;
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        ServerLimits {
            connections: 20_000,
            sockets_per_address: 200,
            long_polls_per_address: 100,
            running_analyses_per_address: 4,
            games_per_minute: 60,
            requests_per_minute: 1_200,
            analyses_per_minute: 120,
            messages_per_socket: 100,
            squares: 256,
            events_per_game: 4_096,
            games_in_memory: 50_000,
            queue: 4_096,
            read_timeout: Duration::from_secs(10),
            slow_reader: Duration::from_secs(10),
            heartbeat: Duration::from_secs(25),
            thinking: Duration::from_secs(2),
            shutdown: Duration::from_secs(5),
            stall: Duration::from_secs(5),
        }
    }
}
