//! A server to be tested: its own file of games, on loopback, gone when dropped.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tictac_server::app::{AppState, app};
use tictac_server::config::{Config, Limits};
use tictac_server::metrics::Metrics;
use tictac_server::server::serve;
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

/// What has not come after so long does not come.
const PATIENCE: Duration = Duration::from_mins(1);

/// A folder of its own, gone when dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("tictac-server-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A running server.
pub(crate) struct House {
    pub(crate) state: AppState,
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    pub(crate) serving: JoinHandle<std::io::Result<()>>,
    _folder: Option<Folder>,
}

/// A socket to a game.
pub(crate) struct Line(pub(crate) WebSocketStream<MaybeTlsStream<TcpStream>>);

impl House {
    /// Starts a server with a file of its own.
    pub(crate) async fn new() -> House {
        House::with_limits(|_| {}).await
    }

    pub(crate) async fn with_limits(change: impl FnOnce(&mut Limits)) -> House {
        let folder = Folder::new();
        let store = Arc::new(Sqlite::open(&folder.path().join("games.db")).unwrap());
        House { _folder: Some(folder), ..House::on(store, change).await }
    }

    /// Starts a server on a given store.
    pub(crate) async fn on(store: Arc<dyn Store>, change: impl FnOnce(&mut Limits)) -> House {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut config = Config::local(address);
        change(&mut config.limits);
        let state = AppState::new(Service::new(config, store, Arc::new(Metrics::default())));
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(serve(listener, state.clone(), async {
            let _ = stopped.await;
        }));
        House { state, address, stop: Some(stop), serving, _folder: None }
    }

    /// Tells the server to stop, as SIGTERM would.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
    }

    /// Sends a request and returns status and body.
    pub(crate) async fn call(&self, method: &str, path: &str, token: &str, body: &str) -> (u16, Value) {
        let mut request =
            Request::builder().method(method).uri(path).header(header::HOST, self.address.to_string());
        if !token.is_empty() {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        self.send(request.body(Body::from(body.to_owned())).unwrap()).await
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> (u16, Value) {
        let response = app(self.state.clone()).oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Creates a game and returns it.
    pub(crate) async fn create(&self, wish: &str) -> Value {
        let (status, created) = self.call("POST", "/api/v1/games", "", wish).await;
        assert_eq!(status, 201, "{created}");
        created
    }

    /// Does something in a game.
    pub(crate) async fn act(&self, game: &str, token: &str, action: &str) -> (u16, Value) {
        self.call("POST", &format!("/api/v1/games/{game}/events"), token, action).await
    }

    /// Opens a socket.
    pub(crate) async fn connect(&self, game: &str, token: &str, since: u64) -> Line {
        self.try_connect(game, token, since, &[]).await.unwrap()
    }

    pub(crate) async fn try_connect(
        &self,
        game: &str,
        token: &str,
        since: u64,
        headers: &[(&'static str, &str)],
    ) -> Result<Line, Error> {
        let url = format!("ws://{}/api/v1/games/{game}/socket?since={since}", self.address);
        let mut request = url.into_client_request().unwrap();
        if !token.is_empty() {
            request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        }
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        tokio_tungstenite::connect_async(request).await.map(|(socket, _)| Line(socket))
    }
}

impl Line {
    pub(crate) async fn say(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    /// Returns the next message of a type.
    pub(crate) async fn hear(&mut self, kind: &str) -> Value {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.0.next()).await;
            match message.expect("something is said in time").expect("the line is open").unwrap() {
                Message::Text(text) => {
                    let value: Value = serde_json::from_str(&text).unwrap();
                    if value["type"] == kind {
                        return value;
                    }
                }
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?} instead of {kind}"),
            }
        }
    }

    /// Reads until the end, and returns its code.
    pub(crate) async fn end(&mut self) -> Option<u16> {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.0.next()).await;
            match message.expect("it ends in time") {
                Some(Ok(Message::Close(frame))) => return frame.map(|CloseFrame { code, .. }| code.into()),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return None,
            }
        }
    }
}

/// Returns a text inside a JSON value.
pub(crate) fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("no {pointer} in {value}"))
}
