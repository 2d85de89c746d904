//! The whole server in memory, with a game and a tournament in which the client has every right: what an attacker could have.
//!
//! Its time stands still and jumps to the next timer when nothing else is left to do, so no execution waits for a long poll.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, header};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use serde_json::Value;
use tictac_server::config::ServerConfig;
use tictac_server::server::app;
use tictac_server::service::Service;
use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

use crate::memory_store::MemoryStore;

/// A new server replaces the old one after this number of executions, so that a repeated input meets nearly the same state.
const EXECUTIONS: u32 = 500;
/// The address in `Host` and of the client.
const ADDRESS: ([u8; 4], u16) = ([127, 0, 0, 1], 8470);

/// A server, and what its client knows.
pub struct FuzzServer {
    runtime: Runtime,
    router: Router,
    n_executions: u32,
    /// A game of the client against itself.
    pub game: String,
    /// The secret of both its seats.
    pub seat: String,
    /// A tournament of the client.
    pub tournament: String,
    /// The secret of its organiser.
    pub organiser: String,
}

impl Default for FuzzServer {
    fn default() -> FuzzServer {
        let runtime =
            Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
        let router = runtime.block_on(async {
            let mut config = ServerConfig::local(ADDRESS.into());
            let limits = &mut config.limits;
            limits.thinking = Duration::from_millis(1);
            let rates = [
                &mut limits.games_per_minute,
                &mut limits.requests_per_minute,
                &mut limits.analyses_per_minute,
                &mut limits.sockets_per_address,
                &mut limits.long_polls_per_address,
            ];
            rates.into_iter().for_each(|rate| *rate = 1_000_000);
            app(Service::new(config, Arc::new(MemoryStore::default())))
        });
        let mut server = FuzzServer {
            runtime,
            router,
            n_executions: 0,
            game: String::new(),
            seat: String::new(),
            tournament: String::new(),
            organiser: String::new(),
        };
        let game = server.create("/api/v1/games", r#"{"opponent":"self","clock":"5+3","public":true}"#);
        (server.game, server.seat) = (text(&game["game"]), secret(&game["you"]["token"]));
        let tournament =
            server.create("/api/v1/tournaments", r#"{"name":"Cup","format":"swiss","listed":true}"#);
        (server.tournament, server.organiser) =
            (text(&tournament["tournament"]), secret(&tournament["organiser"]["token"]));
        server
    }
}

impl FuzzServer {
    /// Counts an execution, and replaces the server by a new one from time to time.
    pub fn count(&mut self) {
        self.n_executions += 1;
        if self.n_executions > EXECUTIONS {
            *self = FuzzServer::default();
        }
    }

    /// Returns a request with the headers that every client sends, and the secrets of this one.
    pub fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, SocketAddr::from(ADDRESS).to_string())
            .header(header::COOKIE, format!("seat={}; organiser={}", self.seat, self.organiser))
    }

    /// Returns the whole response to a request.
    pub fn respond(&self, request: Request<Body>) -> (Response<()>, Vec<u8>) {
        self.runtime.block_on(async {
            let response = self.router.clone().oneshot(request).await.expect("the router never fails");
            let (parts, body) = response.into_parts();
            let body = to_bytes(body, 4 << 20).await.expect("a body of bounded size");
            (Response::from_parts(parts, ()), body.to_vec())
        })
    }

    /// Sends bytes over one connection, then is silent, and returns all that the server sends until it ends the connection.
    pub fn converse(&self, bytes: &[u8]) -> Vec<u8> {
        self.runtime.block_on(async {
            let (client, connection) = duplex(1 << 20);
            let service = TowerToHyperService::new(self.router.clone());
            let serving =
                http1::Builder::new().serve_connection(TokioIo::new(connection), service).with_upgrades();
            let talking = async {
                let (mut receiver, mut sender) = tokio::io::split(client);
                sender.write_all(bytes).await.ok();
                let mut received = Vec::new();
                receiver.read_to_end(&mut received).await.ok();
                received
            };
            tokio::join!(serving, talking).1
        })
    }

    fn create(&self, path: &str, body: &'static str) -> Value {
        let request = self.request("POST", path).body(Body::from(body)).expect("a request");
        let (response, body) = self.respond(request);
        assert_eq!(response.status(), 201, "{}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).expect("JSON")
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn secret(token: &Value) -> String {
    text(token).rsplit('.').next().expect("a secret").to_owned()
}
