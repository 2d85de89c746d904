//! Failures of requests, each with its code and HTTP status.

use std::borrow::Cow;
use std::fmt;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::wire::{Problem, Update, VERSION};

/// The reason why a request failed.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    BadRequest(String),
    /// The rules are invalid, or too large for this server.
    BadRules(String),
    BadMove(String),
    /// The action is not allowed in the current state of the game.
    Illegal {
        message: String,
        help: Option<String>,
    },
    /// Another event has the requested number; the update contains it.
    Conflict(Box<Update>),
    /// The client has no seat in the game and can only watch.
    NoSeat,
    /// The client neither plays in the tournament nor organises it.
    NoTournamentSeat,
    NotYourTurn,
    NoSuchGame,
    NoSuchTournament,
    WrongOrigin,
    WrongHost,
    /// A limit was exceeded.
    TooMany {
        /// What is limited.
        what: &'static str,
        /// The seconds after which the client may try again.
        seconds: u32,
    },
    /// The client took too long to send its request.
    TooSlow,
    TooLarge(&'static str),
    /// The disk is full; games can still be watched.
    StorageFull,
    Unavailable(&'static str),
}

impl Failure {
    /// Returns a stable code for programs.
    pub(crate) fn code(&self) -> &'static str {
        self.description().0
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.description().1
    }

    /// Returns the code, the status and the message.
    fn description(&self) -> (&'static str, StatusCode, Cow<'_, str>) {
        let (code, status, message) = match self {
            Failure::BadRequest(message) => ("bad-request", StatusCode::BAD_REQUEST, message.as_str()),
            Failure::BadRules(message) => ("bad-rules", StatusCode::BAD_REQUEST, message.as_str()),
            Failure::BadMove(message) => ("bad-move", StatusCode::BAD_REQUEST, message.as_str()),
            Failure::Illegal { message, .. } => {
                ("illegal", StatusCode::UNPROCESSABLE_ENTITY, message.as_str())
            }
            Failure::Conflict(_) => {
                ("conflict", StatusCode::CONFLICT, "the game has changed in the meantime")
            }
            Failure::NoSeat => {
                ("no-seat", StatusCode::UNAUTHORIZED, "you have no seat in this game and can only watch")
            }
            Failure::NoTournamentSeat => (
                "no-seat",
                StatusCode::UNAUTHORIZED,
                "you have no part in this tournament and can only watch",
            ),
            Failure::NotYourTurn => ("not-your-turn", StatusCode::FORBIDDEN, "it is the other player's turn"),
            Failure::NoSuchGame => ("no-such-game", StatusCode::NOT_FOUND, "there is no such game"),
            Failure::NoSuchTournament => {
                ("no-such-tournament", StatusCode::NOT_FOUND, "there is no such tournament")
            }
            Failure::WrongOrigin => {
                ("wrong-origin", StatusCode::FORBIDDEN, "the request comes from another site")
            }
            Failure::WrongHost => {
                ("wrong-host", StatusCode::MISDIRECTED_REQUEST, "the request is addressed to another host")
            }
            Failure::TooMany { what, seconds } => {
                let time = if *seconds == 1 { "a second".to_owned() } else { format!("{seconds} seconds") };
                let message = format!("too many {what}: try again in {time}");
                return ("too-many", StatusCode::TOO_MANY_REQUESTS, message.into());
            }
            Failure::TooSlow => {
                ("too-slow", StatusCode::REQUEST_TIMEOUT, "the request took too long to arrive: try again")
            }
            Failure::TooLarge(message) => ("too-large", StatusCode::PAYLOAD_TOO_LARGE, *message),
            Failure::StorageFull => (
                "storage-full",
                StatusCode::INSUFFICIENT_STORAGE,
                "the disk is full: games can be watched but not played",
            ),
            Failure::Unavailable(message) => ("unavailable", StatusCode::SERVICE_UNAVAILABLE, *message),
        };
        (code, status, message.into())
    }

    pub(crate) fn problem(self) -> Problem {
        let code = self.code();
        let message = self.to_string();
        let (help, update) = match self {
            Failure::Illegal { help, .. } => (help, None),
            Failure::Conflict(update) => (None, Some(update)),
            Failure::NoSeat | Failure::NoTournamentSeat => {
                (Some("open your own link, or send its token as a bearer token".to_owned()), None)
            }
            _ => (None, None),
        };
        Problem { version: VERSION, code: code.into(), message, help, update }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.description().2)
    }
}

impl From<serde_json::Error> for Failure {
    /// A wrong value is described in words; where it is matters only in text that is not JSON.
    fn from(error: serde_json::Error) -> Failure {
        let mut message = error.to_string();
        if error.is_data() {
            let place = format!(" at line {} column {}", error.line(), error.column());
            message.truncate(message.strip_suffix(&place).map_or(message.len(), str::len));
            // These are names of types of Rust.
            if let Some(found) =
                ["expected u64", "expected usize"].iter().find_map(|end| message.strip_suffix(end))
            {
                message = format!("{found}expected a whole number of at least 0");
            }
        }
        Failure::BadRequest(message)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = self.status();
        let seconds = match self {
            Failure::TooMany { seconds, .. } => Some(seconds),
            Failure::Unavailable(_) => Some(5),
            _ => None,
        };
        let mut response = (status, Json(self.clone().problem())).into_response();
        // For the page that a browser gets instead.
        response.extensions_mut().insert(self);
        if let Some(seconds) = seconds {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_has_the_status_that_the_documentation_lists() {
        let table = include_str!("../../../docs/api.md").split("## Problems").nth(1).unwrap();
        let text = String::new;
        for failure in [
            Failure::BadRequest(text()),
            Failure::BadRules(text()),
            Failure::BadMove(text()),
            Failure::Illegal { message: text(), help: None },
            Failure::NoSeat,
            Failure::NoTournamentSeat,
            Failure::NotYourTurn,
            Failure::NoSuchGame,
            Failure::NoSuchTournament,
            Failure::WrongOrigin,
            Failure::WrongHost,
            Failure::TooMany { what: "", seconds: 7 },
            Failure::TooSlow,
            Failure::TooLarge(""),
            Failure::StorageFull,
            Failure::Unavailable(""),
        ] {
            let code = format!("`{}`", failure.code());
            let row = table.lines().find(|row| row.starts_with('|') && row.contains(&code)).unwrap();
            assert!(row.contains(&format!("| {} |", failure.status().as_u16())), "{failure:?}: {row}");
            let is_temporary = row.contains("Retry-After");
            let response = failure.into_response();
            assert_eq!(response.headers().contains_key(header::RETRY_AFTER), is_temporary, "{row}");
        }
    }
}
