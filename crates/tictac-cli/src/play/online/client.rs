//! The API of `tictac serve`, as far as a player needs it.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use ureq::Agent;

use crate::exit::io_reason;

/// How long the server may hold a request that waits for an event, in seconds.
const WAIT: u64 = 25;
/// How often a request about a game is tried. Repeating is safe: an action names the number of the event that it should become.
const TRIES: u32 = 6;
/// A longer response is refused.
const MAX_RESPONSE: u64 = 1024 * 1024;

/// A player's seat, and the server that it is on.
#[derive(Clone)]
pub(super) struct ApiClient {
    agent: Agent,
    /// The address without a path, such as `https://example.org`.
    origin: String,
    /// The identifier of the game, and the token of the seat if there is one.
    pub(super) game: String,
    token: Option<String>,
    /// Tells the player that the server does not answer, before a request is tried again.
    pub(super) on_retry: Arc<dyn Fn() + Send + Sync>,
}

/// What a player is told before a request is tried again.
pub(super) const RETRY: &str = "The server does not answer; trying again …";

/// The state of a game, as the server describes it.
#[derive(Debug, Deserialize)]
pub(super) struct GameUpdate {
    /// The identifier of the game.
    pub(super) game: String,
    pub(super) seq: u64,
    pub(super) state: RemoteState,
    /// The side of this player: `first`, `second`, `both`, or nothing for a spectator.
    pub(super) you: Option<String>,
    /// The time of the server in milliseconds, if the game has a clock.
    pub(super) now: Option<u64>,
}

/// The fields of the state that are shown.
#[derive(Debug, Deserialize)]
pub(super) struct RemoteState {
    pub(super) rules: String,
    pub(super) position: String,
    pub(super) moves: Vec<String>,
    pub(super) to_move: Option<String>,
    pub(super) status: String,
    pub(super) winner: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) offer: Option<RemoteOffer>,
    /// What the other player has answered, such as `draw-declined`.
    pub(super) notice: Option<RemoteOffer>,
    pub(super) first: RemotePlayer,
    pub(super) second: RemotePlayer,
    /// The identifier of the rematch.
    pub(super) next: Option<String>,
    pub(super) clock: Option<RemoteClock>,
}

/// The clocks of both players: what they had when their clock last stopped, and until when the running one runs, in milliseconds.
#[derive(Debug, Deserialize)]
pub(super) struct RemoteClock {
    pub(super) first: u64,
    pub(super) second: u64,
    pub(super) running: Option<String>,
    pub(super) until: Option<u64>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(super) struct RemoteOffer {
    pub(super) kind: String,
    pub(super) by: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct RemotePlayer {
    pub(super) who: Value,
    pub(super) name: Option<String>,
    pub(super) open: bool,
    pub(super) mark: Option<String>,
}

/// The game to open on a server.
pub(super) struct WantedGame<'a> {
    pub(super) rules: String,
    /// The time control, such as `5+3`.
    pub(super) clock: Option<String>,
    /// The name of the player who opens it.
    pub(super) name: Option<&'a str>,
}

/// A new game: the seat of the player who opened it, and the link for a friend.
pub(super) struct OpenedGame {
    pub(super) client: ApiClient,
    pub(super) own_link: String,
    pub(super) friend_link: String,
}

/// Why the server did not do something.
#[derive(Debug)]
pub(super) enum ApiError {
    /// It refused, with a stable code and a message.
    Refused { code: String, message: String },
    /// It could not be reached, or asks to try again later.
    Unreachable(String),
    /// The address is wrong, or the response was not one of `tictac serve`.
    Failed(String),
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApiError::Refused { message, .. } => f.write_str(&printable(message)),
            ApiError::Unreachable(reason) | ApiError::Failed(reason) => f.write_str(&printable(reason)),
        }
    }
}

impl std::error::Error for ApiError {}

/// Returns a text from the network without control characters, which could change the terminal, and without those that change
/// the direction of the text around them.
pub(super) fn printable(text: &str) -> String {
    let turns_text =
        |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    text.chars().filter(|c| !c.is_control() && !turns_text(*c)).take(200).collect()
}

impl ApiClient {
    fn new(origin: String, game: String, token: Option<String>) -> ApiClient {
        ApiClient { agent: agent(), origin, game, token, on_retry: Arc::new(warn) }
    }

    /// Returns the client for a link that `tictac serve` has made: `…/join/TOKEN` plays, `…/g/GAME` watches.
    pub(super) fn of_link(link: &str) -> Result<ApiClient, String> {
        let origin = origin(link)?;
        let path = link[origin.len()..].split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let (game, token) = match path.rsplit_once('/') {
            Some((before, token)) if before.ends_with("/join") => {
                (token.split_once('.').map(|(game, _)| game), Some(token))
            }
            Some((before, game)) if before.ends_with("/g") => (Some(game), None),
            _ => (None, None),
        };
        let game = game
            .filter(|game| is_word(game) && token.is_none_or(|token| is_word(&token.replacen('.', "", 1))));
        let game = game.ok_or_else(|| {
            format!(
                "{link:?} is not the link of a game; expected …/join/… or …/g/… as `tictac serve` shows it"
            )
        })?;
        Ok(ApiClient::new(origin, game.to_owned(), token.map(str::to_owned)))
    }

    /// Opens a game for a friend on a server.
    pub(super) fn open(server: &str, wanted: &WantedGame<'_>) -> Result<OpenedGame, ApiError> {
        let origin = origin(server).map_err(ApiError::Failed)?;
        let mut client = ApiClient::new(origin, String::new(), None);
        // Once: if only the answer was lost, a second request would open a second game.
        let WantedGame { rules, clock, name } = wanted;
        let body = json!({ "rules": rules, "opponent": "friend", "name": name, "clock": clock });
        let created = client.call_once("", Some(&body))?;
        let text = |pointer: &str| created.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let (Some(game), Some(token)) = (text("/game"), text("/you/token")) else { return Err(not_tictac()) };
        let (Some(own_link), Some(friend_link)) = (text("/you/link"), text("/friend/link")) else {
            return Err(not_tictac());
        };
        (client.game, client.token) = (game, Some(token));
        Ok(OpenedGame { client, own_link: printable(&own_link), friend_link: printable(&friend_link) })
    }

    /// Returns whether there is a token, with which moves can be made.
    pub(super) const fn can_play(&self) -> bool {
        self.token.is_some()
    }

    /// Takes the seat of the token.
    pub(super) fn join(&self, name: Option<&str>) -> Result<GameUpdate, ApiError> {
        self.update("/join", Some(&json!({ "name": name })))
    }

    /// Returns the game.
    pub(super) fn game(&self) -> Result<GameUpdate, ApiError> {
        self.update("?since=0", None)
    }

    /// Waits some time for an event with the number `since`, and returns the game. Tries once.
    pub(super) fn wait_for_event(&self, since: u64) -> Result<GameUpdate, ApiError> {
        parsed(self.call_once(&format!("/{}?since={since}&wait={WAIT}", self.game), None)?)
    }

    /// Adds an event.
    pub(super) fn act(&self, seq: u64, kind: &str, mv: Option<&str>) -> Result<GameUpdate, ApiError> {
        let mut action = json!({ "seq": seq, "kind": kind });
        if let Some(mv) = mv {
            action["move"] = mv.into();
        }
        self.update("/events", Some(&action))
    }

    fn update(&self, path: &str, body: Option<&Value>) -> Result<GameUpdate, ApiError> {
        parsed(self.call(&format!("/{}{path}", self.game), body)?)
    }

    /// Sends a request, and again after a lost connection or when the server asks to wait.
    fn call(&self, path: &str, body: Option<&Value>) -> Result<Value, ApiError> {
        let mut pause = Duration::from_millis(200);
        let mut tries = 1;
        loop {
            let result = self.call_once(path, body);
            if tries == TRIES || !matches!(result, Err(ApiError::Unreachable(_))) {
                return result;
            }
            if tries == 1 {
                (self.on_retry)();
            }
            tries += 1;
            thread::sleep(pause);
            pause *= 2;
        }
    }

    fn call_once(&self, path: &str, body: Option<&Value>) -> Result<Value, ApiError> {
        answer(self.send(path, body))
    }

    fn send(&self, path: &str, body: Option<&Value>) -> Result<(u16, Value), ureq::Error> {
        let address = format!("{}/api/v1/games{path}", self.origin);
        let mut request =
            ureq::http::Request::builder().uri(address).method(if body.is_some() { "POST" } else { "GET" });
        if let Some(token) = &self.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        if body.is_some() {
            request = request.header("Content-Type", "application/json");
        }
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut response = self.agent.run(request.body(body)?)?;
        let text = response.body_mut().with_config().limit(MAX_RESPONSE).read_to_string()?;
        Ok((response.status().as_u16(), serde_json::from_str(&text).unwrap_or_default()))
    }
}

/// Tells on standard error that the server does not answer.
fn warn() {
    // A message that cannot be shown is not worth an error.
    let _ = writeln!(io::stderr(), "{RETRY}");
}

fn agent() -> Agent {
    let config = Agent::config_builder()
        .timeout_global(Some(Duration::from_secs(WAIT + 15)))
        .http_status_as_error(false)
        // A token is sent only to the server of the link.
        .max_redirects(0);
    config.build().into()
}

/// Returns the scheme and the host of an address.
fn origin(address: &str) -> Result<String, String> {
    let host = ["https://", "http://"].iter().find_map(|scheme| {
        let rest = address.strip_prefix(scheme)?;
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        (!host.is_empty() && !host.contains('@')).then(|| address[..scheme.len() + host.len()].to_owned())
    });
    host.ok_or_else(|| format!("{address:?} is not an address; expected https://… or http://…"))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn answer(result: Result<(u16, Value), ureq::Error>) -> Result<Value, ApiError> {
    let (status, value) = result.map_err(|error| match error {
        ureq::Error::BadUri(_) | ureq::Error::Tls(_) => ApiError::Failed(error.to_string()),
        ureq::Error::BodyExceedsLimit(_) => not_tictac(),
        ureq::Error::Io(error) => ApiError::Unreachable(io_reason(&error)),
        error => ApiError::Unreachable(error.to_string()),
    })?;
    if (200..300).contains(&status) {
        return Ok(value);
    }
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    match (text("code"), text("message")) {
        (_, Some(message)) if matches!(status, 408 | 429 | 503) => Err(ApiError::Unreachable(message)),
        (Some(code), Some(message)) => Err(ApiError::Refused { code, message }),
        _ => Err(ApiError::Failed(format!("the server answers with status {status}"))),
    }
}

fn parsed(answer: Value) -> Result<GameUpdate, ApiError> {
    serde_json::from_value(answer).map_err(|_| not_tictac())
}

fn not_tictac() -> ApiError {
    ApiError::Failed("this server does not run `tictac serve`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_names_the_server_the_game_and_the_seat() {
        let client = ApiClient::of_link("https://example.org/join/4h8k2m9q1x7z.abc").unwrap();
        assert_eq!((client.origin.as_str(), client.game.as_str()), ("https://example.org", "4h8k2m9q1x7z"));
        assert_eq!(client.token.as_deref(), Some("4h8k2m9q1x7z.abc"));
        let watching = ApiClient::of_link("http://127.0.0.1:8470/g/4h8k2m9q1x7z?lang=de").unwrap();
        assert!(!watching.can_play() && watching.game == "4h8k2m9q1x7z");
    }

    #[test]
    fn what_is_no_link_is_refused() {
        for link in [
            "",
            "example.org/g/4h8k2m9q1x7z",
            "ftp://example.org/g/4h8k2m9q1x7z",
            "https://example.org/",
            "https:///g/a",
            "https://example.org/join/4h8k2m9q1x7z",
            "https://example.org/g/..%2f",
            "https://me@example.org/g/a",
        ] {
            assert!(ApiClient::of_link(link).is_err(), "{link}");
        }
    }

    #[test]
    fn a_response_that_is_too_long_is_not_asked_for_again() {
        let error = answer(Err(ureq::Error::BodyExceedsLimit(MAX_RESPONSE))).unwrap_err();
        assert!(matches!(&error, ApiError::Failed(_)), "{error}");
    }

    #[test]
    fn control_characters_are_not_printed() {
        assert_eq!(printable("Ann\x1b[2J\r\n"), "Ann[2J");
        assert_eq!(printable("Ann\u{202e}nnA\u{2066}"), "AnnnnA");
    }
}
