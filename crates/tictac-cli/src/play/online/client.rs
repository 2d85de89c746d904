//! The API of `tictac serve`, as far as a player needs it.

use std::fmt;
use std::io::{self, Write};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};
use tictac::{Game, Mark, State};
use tictac_server::token::{GameId, Secret};
use tictac_server::wire::{ActionRequest, Created, JoinedGame, NewGame, Problem, Update};
use ureq::Agent;
use ureq::http::{Request, StatusCode};

use super::OnlineEvent;
use crate::exit::io_reason;

/// How long the server may hold a request that waits for an event, in seconds.
const WAIT: u64 = 25;
/// How often a request about a game is tried. Repeating is safe: an action names the number of the event that it should become.
const TRIES: u32 = 6;
/// The shortest time between two requests that wait for an event.
const PAUSE: Duration = Duration::from_secs(1);
/// The longest time between two attempts to reach the server again.
const MAX_PAUSE: Duration = Duration::from_secs(8);
/// A longer response is refused.
const MAX_RESPONSE: u64 = 1024 * 1024;

/// A player's seat, and the server that it is on.
#[derive(Clone)]
pub(super) struct ApiClient {
    agent: Agent,
    /// The address without a path, such as `https://example.org`.
    origin: String,
    pub(super) game: GameId,
    /// The token of the seat; a spectator has none.
    token: Option<String>,
    /// Shows the player a message while a request is under way.
    pub(super) tell: Arc<dyn Fn(&str) + Send + Sync>,
}

/// What a player is told before a request is tried again.
const RETRY: &str = "The server does not answer; trying again …";

/// The state of a game, as the server describes it, and its moves.
#[derive(Debug)]
pub(super) struct GameUpdate {
    update: Update<IgnoredAny>,
    pub(super) moves: Game,
}

impl Deref for GameUpdate {
    type Target = Update<IgnoredAny>;

    fn deref(&self) -> &Update<IgnoredAny> {
        &self.update
    }
}

impl GameUpdate {
    fn new(update: Update<IgnoredAny>) -> Option<GameUpdate> {
        let rules = update.state.rules;
        let opener = update.state.first.mark.unwrap_or(Mark::X);
        let mut moves = Game::from(State::start_with(&rules, opener));
        for text in &update.state.moves {
            moves.play(rules.parse_move(text).ok()?).ok()?;
        }
        Some(GameUpdate { update, moves })
    }
}

/// The links of a new game.
pub(super) struct GameLinks {
    pub(super) own: String,
    pub(super) friend: String,
}

/// Why the server did not do something.
#[derive(Debug)]
pub(super) enum ApiError {
    /// It refused the request.
    Refused(Problem),
    /// It could not be reached, or asks to try again later.
    Unreachable(String),
    /// The address is wrong, or the response was not one of `tictac serve`.
    Failed(String),
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApiError::Refused(problem) => f.write_str(&printable(&problem.message)),
            ApiError::Unreachable(reason) | ApiError::Failed(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for ApiError {}

impl From<ureq::Error> for ApiError {
    fn from(error: ureq::Error) -> ApiError {
        match error {
            ureq::Error::BadUri(_) | ureq::Error::Tls(_) => ApiError::Failed(printable(&error.to_string())),
            ureq::Error::BodyExceedsLimit(_) => not_tictac(),
            ureq::Error::Io(error) => ApiError::Unreachable(printable(&io_reason(&error))),
            error => ApiError::Unreachable(printable(&error.to_string())),
        }
    }
}

/// Returns a text from the network without control characters, which could change the terminal, and without those that change
/// the direction of the text around them.
pub(super) fn printable(text: &str) -> String {
    let turns_text =
        |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    text.chars().filter(|c| !c.is_control() && !turns_text(*c)).take(200).collect()
}

impl ApiClient {
    /// Returns the client for a link that `tictac serve` has made: `…/join/TOKEN` plays, `…/g/GAME` watches.
    pub(super) fn of_link(link: &str) -> Result<ApiClient, String> {
        let origin = origin(link)?;
        let path = link[origin.len()..].split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let seat = match path.rsplit_once('/') {
            Some((before, token)) if before.ends_with("/join") => token
                .split_once('.')
                .filter(|(_, secret)| is_word(secret))
                .map(|(game, _)| (game, Some(token))),
            Some((before, game)) if before.ends_with("/g") => Some((game, None)),
            _ => None,
        };
        let seat = seat.and_then(|(game, token)| Some((game.parse().ok()?, token.map(str::to_owned))));
        let (game, token) = seat.ok_or_else(|| {
            format!(
                "{link:?} is not the link of a game; expected …/join/… or …/g/… as `tictac serve` shows it"
            )
        })?;
        Ok(ApiClient { agent: agent(), origin, game, token, tell: Arc::new(warn) })
    }

    /// Opens a game for a friend on a server.
    pub(super) fn open(server: &str, wanted: &NewGame) -> Result<(ApiClient, GameLinks), ApiError> {
        let (agent, origin) = (agent(), origin(server).map_err(ApiError::Failed)?);
        // Once: if only the answer was lost, a second request would open a second game.
        let address = format!("{origin}/api/v1/games");
        let Created { game, you, friend, .. } = parsed(&agent, &address, None, Some(&json!(wanted)))?;
        let friend = printable(&friend.ok_or_else(not_tictac)?.link);
        let links = GameLinks { own: printable(&you.link), friend };
        let token = Some(you.token);
        Ok((ApiClient { agent, origin, game, token, tell: Arc::new(warn) }, links))
    }

    /// Takes the seat of the token, which the server replaces, and returns the link with which the player can come back.
    pub(super) fn join(&mut self, name: Option<&str>) -> Result<(GameUpdate, String), ApiError> {
        // With a key of our own the request can be repeated after a lost answer.
        let request = json!({ "name": name, "key": Secret::random().expose() });
        let JoinedGame::<IgnoredAny> { you, update, .. } = self.call("/join", Some(&request))?;
        self.token = Some(you.token);
        Ok((checked(update)?, printable(&you.link)))
    }

    /// Returns the game.
    pub(super) fn game(&self) -> Result<GameUpdate, ApiError> {
        self.call("?since=0", None).and_then(checked)
    }

    /// Adds an event.
    pub(super) fn act(&self, action: &ActionRequest) -> Result<GameUpdate, ApiError> {
        self.call("/events", Some(&json!(action))).and_then(checked)
    }

    /// Sends a request, and again after a lost connection or when the server asks to wait.
    fn call<T: DeserializeOwned>(&self, path: &str, body: Option<&Value>) -> Result<T, ApiError> {
        let mut pause = Duration::from_millis(200);
        for attempt in 1..TRIES {
            match self.call_once(path, body) {
                Err(ApiError::Unreachable(_)) if attempt == 1 => (self.tell)(RETRY),
                Err(ApiError::Unreachable(_)) => {}
                result => return result,
            }
            thread::sleep(pause);
            pause *= 2;
        }
        self.call_once(path, body)
    }

    fn call_once<T: DeserializeOwned>(&self, path: &str, body: Option<&Value>) -> Result<T, ApiError> {
        let address = format!("{}/api/v1/games/{}{path}", self.origin, self.game);
        parsed(&self.agent, &address, self.token.as_deref(), body)
    }

    /// Reports every event from the number `seq` on, and those of the rematches, until the receiver is dropped.
    pub(super) fn follow(self, seq: u64, events: Sender<OnlineEvent>) {
        let mut follower = Follower { client: self, seq, pause: None };
        // Nothing waits for the thread: a request may take as long as the server holds it.
        thread::spawn(move || while events.send(follower.next_event()).is_ok() {});
    }
}

/// Follows a game on its own thread.
struct Follower {
    client: ApiClient,
    seq: u64,
    // How long to wait before the next attempt; `None` while the server answers.
    pause: Option<Duration>,
}

impl Follower {
    /// Waits for an event.
    fn next_event(&mut self) -> OnlineEvent {
        loop {
            let start = Instant::now();
            let path = format!("?since={}&wait={WAIT}", self.seq);
            match self.client.call_once(&path, None).and_then(checked) {
                Ok(update) => {
                    let was_lost = self.pause.take().is_some();
                    let is_news = was_lost || update.seq != self.seq;
                    self.seq = update.seq;
                    if let Some(next) = update.state.next {
                        (self.client.game, self.seq) = (next, 0);
                    }
                    if is_news {
                        return OnlineEvent::Update(Box::new(update));
                    }
                    // A server that does not wait is not asked all the time.
                    thread::sleep(PAUSE.saturating_sub(start.elapsed()));
                }
                Err(ApiError::Unreachable(reason)) => {
                    let pause = self.pause;
                    self.pause = Some(pause.map_or(PAUSE / 5, |pause| (pause * 2).min(MAX_PAUSE)));
                    match pause {
                        None => return OnlineEvent::Lost(reason),
                        Some(pause) => thread::sleep(pause),
                    }
                }
                Err(error) => return OnlineEvent::Failed(error),
            }
        }
    }
}

fn checked(update: Update<IgnoredAny>) -> Result<GameUpdate, ApiError> {
    GameUpdate::new(update).ok_or_else(not_tictac)
}

/// Sends a request, as a POST if it has a body, and parses the response.
fn parsed<T: DeserializeOwned>(
    agent: &Agent,
    address: &str,
    token: Option<&str>,
    body: Option<&Value>,
) -> Result<T, ApiError> {
    let (status, text) = send(agent, address, token, body)?;
    if status.is_success() {
        return serde_json::from_str(&text).map_err(|_| not_tictac());
    }
    match serde_json::from_str::<Problem>(&text) {
        Ok(problem) if matches!(status.as_u16(), 408 | 429 | 503) => {
            Err(ApiError::Unreachable(printable(&problem.message)))
        }
        Ok(problem) => Err(ApiError::Refused(problem)),
        Err(_) => Err(ApiError::Failed(format!("the server answers with status {}", status.as_u16()))),
    }
}

fn send(
    agent: &Agent,
    address: &str,
    token: Option<&str>,
    body: Option<&Value>,
) -> Result<(StatusCode, String), ureq::Error> {
    let mut request = Request::builder().uri(address).method(if body.is_some() { "POST" } else { "GET" });
    if let Some(token) = token {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    if body.is_some() {
        request = request.header("Content-Type", "application/json");
    }
    let mut response = agent.run(request.body(body.map(Value::to_string).unwrap_or_default())?)?;
    let text = response.body_mut().with_config().limit(MAX_RESPONSE).read_to_string()?;
    Ok((response.status(), text))
}

/// Writes a message to standard error.
fn warn(message: &str) {
    // A message that cannot be shown is not worth an error.
    let _ = writeln!(io::stderr(), "{message}");
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
        assert!(watching.token.is_none() && watching.game.as_str() == "4h8k2m9q1x7z");
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
        let error = ApiError::from(ureq::Error::BodyExceedsLimit(MAX_RESPONSE));
        assert!(matches!(&error, ApiError::Failed(_)), "{error}");
    }

    #[test]
    fn control_characters_are_not_printed() {
        assert_eq!(printable("Ann\x1b[2J\r\n"), "Ann[2J");
        assert_eq!(printable("Ann\u{202e}nnA\u{2066}"), "AnnnnA");
    }
}
