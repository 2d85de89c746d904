//! A server for tests: it listens on loopback and has its own database, which is deleted when it is dropped.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use axum::response::Response;
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tempfile::TempDir;
use tictac_server::config::{ServerConfig, ServerLimits};
use tictac_server::server::{app, serve};
use tictac_server::service::Service;
use tictac_server::store::{Sqlite, Store};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use tower::ServiceExt;

/// How long to wait for a message before the test fails.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A running server.
pub(crate) struct TestServer {
    pub(crate) service: Service,
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    pub(crate) serving: JoinHandle<std::io::Result<()>>,
    _folder: Option<TempDir>,
}

/// A WebSocket connection to a game.
pub(crate) struct TestSocket(pub(crate) WebSocketStream<MaybeTlsStream<TcpStream>>);

impl TestServer {
    /// Starts a server with its own SQLite file.
    pub(crate) async fn new() -> TestServer {
        TestServer::with_config(|_| {}).await
    }

    pub(crate) async fn with_limits(change: impl FnOnce(&mut ServerLimits)) -> TestServer {
        TestServer::with_config(|config| change(&mut config.limits)).await
    }

    pub(crate) async fn with_config(change: impl FnOnce(&mut ServerConfig)) -> TestServer {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Sqlite::open(&folder.path().join("games.db")).unwrap());
        TestServer { _folder: Some(folder), ..TestServer::start(store, change).await }
    }

    /// Starts a server on the given store.
    pub(crate) async fn on(store: Arc<dyn Store>, change: impl FnOnce(&mut ServerLimits)) -> TestServer {
        TestServer::start(store, |config| change(&mut config.limits)).await
    }

    pub(crate) async fn start(store: Arc<dyn Store>, change: impl FnOnce(&mut ServerConfig)) -> TestServer {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut config = ServerConfig::local(address);
        change(&mut config);
        let service = Service::new(config, store);
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(serve(listener, service.clone(), async {
            let _ = stopped.await;
        }));
        TestServer { service, address, stop: Some(stop), serving, _folder: None }
    }

    /// Asks the server to stop, as SIGTERM would.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
    }

    /// Sends a request and returns the status and the body of the response.
    pub(crate) async fn call(&self, method: &str, path: &str, token: &str, body: &str) -> (u16, Value) {
        self.send(self.request(method, path, token, body)).await
    }

    pub(crate) fn request(&self, method: &str, path: &str, token: &str, body: &str) -> Request<Body> {
        let mut request =
            Request::builder().method(method).uri(path).header(header::HOST, self.address.to_string());
        if !token.is_empty() {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        request.body(Body::from(body.to_owned())).unwrap()
    }

    pub(crate) async fn respond(&self, request: Request<Body>) -> Response {
        app(self.service.clone()).oneshot(request).await.unwrap()
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> (u16, Value) {
        let (status, text) = self.send_for_text(request).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    pub(crate) async fn send_for_text(&self, request: Request<Body>) -> (u16, String) {
        let response = self.respond(request).await;
        let status = response.status().as_u16();
        let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    /// Creates a game and returns the response.
    pub(crate) async fn create(&self, request: &str) -> Value {
        let (status, created) = self.call("POST", "/api/v1/games", "", request).await;
        assert_eq!(status, 201, "{created}");
        created
    }

    /// Takes the seat of an invitation and returns the token that replaces it.
    pub(crate) async fn join(&self, invitation: &str, body: &str) -> String {
        let (game, _) = invitation.split_once('.').unwrap();
        let path = format!("/api/v1/games/{game}/join");
        let (status, joined) = self.call("POST", &path, invitation, body).await;
        assert_eq!(status, 200, "{joined}");
        text(&joined, "/you/token").to_owned()
    }

    /// Posts an action to a game.
    pub(crate) async fn act(&self, game: &str, token: &str, action: &str) -> (u16, Value) {
        self.call("POST", &format!("/api/v1/games/{game}/events"), token, action).await
    }

    /// Returns whether the metrics contain this line.
    pub(crate) fn has_metric(&self, line: &str) -> bool {
        self.service.metrics.text().lines().any(|metric| metric == line)
    }

    /// Opens a socket.
    pub(crate) async fn connect(&self, game: &str, token: &str, since: u64) -> TestSocket {
        self.try_connect(game, token, since, &[]).await.unwrap()
    }

    pub(crate) async fn try_connect(
        &self,
        game: &str,
        token: &str,
        since: u64,
        headers: &[(&'static str, &str)],
    ) -> Result<TestSocket, Error> {
        let url = format!("ws://{}/api/v1/games/{game}/socket?since={since}", self.address);
        let mut request = url.into_client_request().unwrap();
        if !token.is_empty() {
            request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        }
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        tokio_tungstenite::connect_async(request).await.map(|(socket, _)| TestSocket(socket))
    }
}

impl TestServer {
    /// Opens a socket at a path below `/api/v1/games/`.
    pub(crate) async fn connect_to(&self, path: &str, token: &str) -> TestSocket {
        let url = format!("ws://{}/api/v1/games/{path}", self.address);
        let mut request = url.into_client_request().unwrap();
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        TestSocket(tokio_tungstenite::connect_async(request).await.unwrap().0)
    }
}

impl TestSocket {
    pub(crate) async fn send(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    /// Returns the next message of a type; messages of other types are skipped.
    pub(crate) async fn receive(&mut self, kind: &str) -> Value {
        loop {
            let value: Value = serde_json::from_str(&self.receive_text().await).unwrap();
            if value["type"] == kind {
                return value;
            }
        }
    }

    /// Returns the next text message.
    pub(crate) async fn receive_text(&mut self) -> String {
        loop {
            let message = tokio::time::timeout(TIMEOUT, self.0.next()).await;
            match message.expect("a message in time").expect("an open socket").unwrap() {
                Message::Text(text) => return text.to_string(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?} instead of a text message"),
            }
        }
    }

    /// Reads until the socket is closed, and returns the close code.
    pub(crate) async fn close_code(&mut self) -> Option<u16> {
        loop {
            let message = tokio::time::timeout(TIMEOUT, self.0.next()).await;
            match message.expect("the socket is closed in time") {
                Some(Ok(Message::Close(frame))) => return frame.map(|CloseFrame { code, .. }| code.into()),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return None,
            }
        }
    }
}

/// Returns the string at a JSON pointer.
pub(crate) fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("no {pointer} in {value}"))
}
