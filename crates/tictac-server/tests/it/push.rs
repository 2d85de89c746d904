//! Messages to browsers, with a push service on this machine.

use std::sync::Arc;
use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::rand::SystemRandom;
use serde_json::{Value, json};
use tictac_server::push::{PushConfig, PushKey};
use tictac_server::store::{Sqlite, Store};
use tictac_server::token::GameId;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use crate::page::{assert_shows, read, seat_cookie};
use crate::test_server::{TestServer, text};

/// A push service that answers every request with one status.
struct PushService {
    endpoint: String,
    /// The head and the body of each request.
    requests: mpsc::UnboundedReceiver<(String, Vec<u8>)>,
}

impl PushService {
    async fn start(status: &'static str) -> PushService {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}/send/abc", listener.local_addr().unwrap());
        let (sender, requests) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut bytes = Vec::new();
                let (head, length) = loop {
                    assert!(stream.read_buf(&mut bytes).await.unwrap() > 0, "a whole request");
                    if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                        let head =
                            String::from_utf8(bytes.drain(..end + 4).collect()).unwrap().to_lowercase();
                        let length = head.split("content-length: ").nth(1).unwrap();
                        break (head.clone(), length.split('\r').next().unwrap().parse::<usize>().unwrap());
                    }
                };
                while bytes.len() < length {
                    assert!(stream.read_buf(&mut bytes).await.unwrap() > 0, "a whole body");
                }
                let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
                stream.write_all(answer.as_bytes()).await.unwrap();
                let _ = sender.send((head, bytes));
            }
        });
        PushService { endpoint, requests }
    }

    async fn receive(&mut self) -> (String, Vec<u8>) {
        timeout(Duration::from_mins(1), self.requests.recv()).await.expect("a message in time").unwrap()
    }
}

/// A browser that can read one message.
struct Browser {
    private: EphemeralPrivateKey,
    public: Vec<u8>,
}

const AUTH: [u8; 16] = [7; 16];

impl Browser {
    fn new() -> Browser {
        let private = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
        let public = private.compute_public_key().unwrap().as_ref().to_vec();
        Browser { private, public }
    }

    /// Returns the body of a request for messages.
    fn subscription(&self, endpoint: &str) -> String {
        let keys =
            json!({"p256dh": BASE64URL_NOPAD.encode(&self.public), "auth": BASE64URL_NOPAD.encode(&AUTH)});
        json!({"endpoint": endpoint, "expirationTime": null, "keys": keys, "lang": "de"}).to_string()
    }

    /// Decrypts a message, as RFC 8291 describes it.
    fn read(self, body: &[u8]) -> Value {
        struct Length(usize);
        impl KeyType for Length {
            fn len(&self) -> usize {
                self.0
            }
        }
        let (salt, sender, mut content) = (&body[..16], &body[21..86], body[86..].to_vec());
        let peer = UnparsedPublicKey::new(&ECDH_P256, sender);
        let shared = agree_ephemeral(self.private, &peer, <[u8]>::to_vec).unwrap();
        let expand = |salt: &[u8], secret: &[u8], info: &[&[u8]], length: usize| {
            let mut key = vec![0; length];
            Salt::new(HKDF_SHA256, salt)
                .extract(secret)
                .expand(info, Length(length))
                .unwrap()
                .fill(&mut key)
                .unwrap();
            key
        };
        let secret = expand(&AUTH, &shared, &[b"WebPush: info\0", &self.public, sender], 32);
        let key = expand(salt, &secret, &[b"Content-Encoding: aes128gcm\0"], 16);
        let nonce = expand(salt, &secret, &[b"Content-Encoding: nonce\0"], 12);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).unwrap());
        let nonce = Nonce::try_assume_unique_for_key(&nonce).unwrap();
        let plain = key.open_in_place(nonce, Aad::empty(), &mut content).unwrap();
        serde_json::from_slice(plain.strip_suffix(&[2]).unwrap()).unwrap()
    }
}

/// A server that sends messages, and a game of Ann and Bob on it.
struct PushGame {
    server: TestServer,
    store: Arc<Sqlite>,
    game: String,
    ann: String,
    bob: String,
    _folder: tempfile::TempDir,
}

impl PushGame {
    async fn start() -> PushGame {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Sqlite::open(&folder.path().join("games.db")).unwrap());
        let key = Arc::new(PushKey::parse(&PushKey::generate().unwrap()).unwrap());
        let server = TestServer::start(Arc::clone(&store) as Arc<dyn Store>, |config| {
            config.push = Some(PushConfig { key, allow_loopback: true });
        })
        .await;
        let created = server.create(r#"{"name": "Ann"}"#).await;
        let [game, ann] = ["/game", "/you/token"].map(|place| text(&created, place).to_owned());
        let bob = server.join(text(&created, "/friend/token"), r#"{"name": "Bob"}"#).await;
        PushGame { server, store, game, ann, bob, _folder: folder }
    }

    async fn subscribe(&self, token: &str, body: &str) -> (u16, Value) {
        self.server.call("POST", &format!("/api/v1/games/{}/push", self.game), token, body).await
    }

    async fn play(&self, seq: u64, token: &str, mv: &str) {
        let action = json!({"seq": seq, "kind": "move", "move": mv}).to_string();
        assert_eq!(self.server.act(&self.game, token, &action).await.0, 200);
    }

    async fn n_subscriptions(&self) -> usize {
        self.store.subscriptions(self.game.parse::<GameId>().unwrap()).await.unwrap().len()
    }

    /// Waits until there are no subscriptions.
    async fn wait_for_none(&self) {
        for _ in 0..600 {
            if self.n_subscriptions().await == 0 {
                return;
            }
            sleep(Duration::from_millis(50)).await;
        }
        panic!("the subscription is still there");
    }
}

#[tokio::test]
async fn a_player_whose_page_is_closed_gets_an_encrypted_message() {
    let (game, browser) = (PushGame::start().await, Browser::new());
    let mut service = PushService::start("201 Created").await;
    let (status, answer) = game.subscribe(&game.bob, &browser.subscription(&service.endpoint)).await;
    assert_eq!((status, &answer["push"]), (200, &json!(true)), "{answer}");
    // While Bob has the page open, there is no message.
    let mut socket = game.server.connect(&game.game, &game.bob, 0).await;
    socket.receive("hello").await;
    game.play(2, &game.ann, "B2").await;
    game.play(3, &game.bob, "A1").await;
    drop(socket);
    for _ in 0..600 {
        let (_, update) = game.server.call("GET", &format!("/api/v1/games/{}", game.game), "", "").await;
        if update["presence"]["second"] == json!(false) {
            break;
        }
        sleep(Duration::from_millis(20)).await;
    }
    game.play(4, &game.ann, "C3").await;
    let (head, body) = service.receive().await;
    assert!(head.starts_with("post /send/abc http/1.1\r\n"), "{head}");
    for header in ["authorization: vapid t=", "content-encoding: aes128gcm", "ttl: 86400", "urgency: high"] {
        assert!(head.contains(header), "no {header} in {head}");
    }
    let message = browser.read(&body);
    assert_eq!(message["title"], "Du bist dran");
    assert_eq!(
        (&message["path"], &message["body"]),
        (&json!(format!("/g/{}", game.game)), &json!("Dein Spiel gegen Ann geht weiter."))
    );
    assert!(service.requests.try_recv().is_err(), "only one message");
    // The end of the game is the end of the messages.
    let resign = json!({"seq": 5, "kind": "resign"}).to_string();
    assert_eq!(game.server.act(&game.game, &game.ann, &resign).await.0, 200);
    game.wait_for_none().await;
}

#[tokio::test]
async fn a_subscription_that_is_gone_is_forgotten_and_a_busy_service_is_tried_three_times() {
    let game = PushGame::start().await;
    let mut busy = PushService::start("503 Service Unavailable").await;
    game.subscribe(&game.bob, &Browser::new().subscription(&busy.endpoint)).await;
    game.play(2, &game.ann, "B2").await;
    for _ in 0..3 {
        busy.receive().await;
    }
    for _ in 0..600 {
        if game.server.has_metric("tictac_failed_pushes_total 1") {
            break;
        }
        sleep(Duration::from_millis(20)).await;
    }
    assert!(busy.requests.try_recv().is_err(), "no fourth try");
    assert_eq!(game.n_subscriptions().await, 1);
    let mut gone = PushService::start("410 Gone").await;
    game.subscribe(&game.ann, &Browser::new().subscription(&gone.endpoint)).await;
    assert_eq!(game.n_subscriptions().await, 2);
    game.play(3, &game.bob, "A1").await;
    gone.receive().await;
    for _ in 0..600 {
        if game.n_subscriptions().await == 1 {
            return;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("the subscription is still there");
}

#[tokio::test]
async fn a_player_can_stop_the_messages_and_a_removed_game_has_none() {
    let game = PushGame::start().await;
    let endpoint = "http://127.0.0.1:9/a";
    game.subscribe(&game.bob, &Browser::new().subscription(endpoint)).await;
    let path = format!("/api/v1/games/{}/push", game.game);
    let body = json!({ "endpoint": endpoint }).to_string();
    assert_eq!(game.server.call("DELETE", &path, "", &body).await.0, 401);
    assert_eq!(
        (game.n_subscriptions().await, game.server.call("DELETE", &path, &game.bob, &body).await.0),
        (1, 200)
    );
    assert_eq!(game.n_subscriptions().await, 0);
    game.subscribe(&game.bob, &Browser::new().subscription(endpoint)).await;
    game.store.remove(vec![(game.game.parse().unwrap(), 2)]).await.unwrap();
    assert_eq!(game.n_subscriptions().await, 0);
}

#[tokio::test]
async fn hostile_subscriptions_are_refused() {
    let game = PushGame::start().await;
    let browser = Browser::new();
    for endpoint in [
        "http://push.example/a",
        "https://push.example:22/a",
        "https://me@push.example/",
        "file:///etc/passwd",
        "",
        &format!("https://push.example/{}", "a".repeat(1_000)),
    ] {
        let (status, problem) = game.subscribe(&game.bob, &browser.subscription(endpoint)).await;
        assert_eq!((status, text(&problem, "/code")), (400, "bad-request"), "{endpoint}");
    }
    let good = browser.subscription("https://push.example/a");
    assert_eq!(game.subscribe("", &good).await.0, 401);
    assert_eq!(game.subscribe(&game.bob, &good.replace("auth\":\"B", "auth\":\"")).await.0, 400);
    assert_eq!(game.subscribe(&game.bob, &good.replace("lang", "other")).await.0, 400);
    for n in 0..5 {
        let (status, answer) =
            game.subscribe(&game.bob, &browser.subscription(&format!("https://push.example/{n}"))).await;
        assert_eq!(status, 200, "{answer}");
    }
    let more = browser.subscription("https://push.example/more");
    assert_eq!(game.subscribe(&game.bob, &more).await.0, 413);
    assert_eq!(game.subscribe(&game.ann, &more).await.0, 200, "the places of the other player are free");
    // The same browser may ask again.
    assert_eq!(game.subscribe(&game.bob, &browser.subscription("https://push.example/3")).await.0, 200);
}

#[tokio::test]
async fn without_a_key_there_are_no_messages_and_no_button() {
    let game = PushGame::start().await;
    let path = format!("/g/{}", game.game);
    assert_shows(&read(&game.server, &path, &seat_cookie(&game.bob)).await.1, r#"id="push""#);
    assert!(!read(&game.server, &path, "").await.1.contains(r#"id="push""#), "spectators get no messages");
    let server = TestServer::new().await;
    let created = server.create("{}").await;
    let path = format!("/api/v1/games/{}/push", text(&created, "/game"));
    let body = Browser::new().subscription("https://push.example/a");
    let (status, problem) = server.call("POST", &path, text(&created, "/you/token"), &body).await;
    assert_eq!((status, text(&problem, "/message")), (400, "this server sends no messages"));
    let path = format!("/g/{}", text(&created, "/game"));
    let (_, html) = read(&server, &path, &seat_cookie(text(&created, "/you/token"))).await;
    assert!(!html.contains(r#"id="push""#));
}

#[tokio::test]
async fn push_services_that_do_not_answer_delay_only_the_messages_of_their_own_address() {
    let PushGame { server, store: _store, _folder, .. } = PushGame::start().await;
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent_endpoint = format!("http://{}/", silent.local_addr().unwrap());
    let mut service = PushService::start("201 Created").await;
    let send = async |address: &str, path: &str, token: &str, body: &str| {
        let mut request = server.request("POST", &format!("/api/v1/games{path}"), token, body);
        request.extensions_mut().insert(std::net::SocketAddr::new(address.parse().unwrap(), 1));
        let (status, answer) = server.send(request).await;
        assert!(status < 300, "{answer}");
        answer
    };
    let play = async |address: &str, endpoint: &str| {
        let created = send(address, "", "", "{}").await;
        let [game, ann, bob] =
            ["/game", "/you/token", "/friend/token"].map(|place| text(&created, place).to_owned());
        let joined = send(address, &format!("/{game}/join"), &bob, "{}").await;
        let bob = text(&joined, "/you/token");
        send(address, &format!("/{game}/push"), bob, &Browser::new().subscription(endpoint)).await;
        let action = json!({"seq": 2, "kind": "move", "move": "B2"}).to_string();
        send(address, &format!("/{game}/events"), &ann, &action).await;
    };
    for _ in 0..12 {
        play("198.51.100.1", &silent_endpoint).await;
    }
    play("203.0.113.1", &service.endpoint).await;
    service.receive().await;
    assert!(server.has_metric("tictac_failed_pushes_total 0"), "{}", server.service.metrics.text());
}
