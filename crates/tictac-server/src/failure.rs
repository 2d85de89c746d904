//! Why something was not done: one type, one code and one status for each reason.

use std::fmt;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::wire::{Problem, Update, VERSION};

/// Why a command was refused.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The request cannot be understood.
    BadRequest(String),
    /// The rules are not rules, or too large for this server.
    BadRules(String),
    /// The request names a move that is no move.
    BadMove(String),
    /// The move or action is against the rules as the game stands.
    Illegal {
        /// The stable code of the library's fault, such as `E0207`.
        fault: Option<&'static str>,
        /// What is wrong.
        message: String,
        /// What would help.
        help: Option<String>,
    },
    /// Something else has happened since; this is what is really there.
    Conflict(Box<Update>),
    /// No seat: the request only watches.
    NoSeat,
    /// The seat is the other side's.
    NotYourTurn,
    /// There is no such game.
    NoSuchGame,
    /// The request comes from another site.
    WrongOrigin,
    /// The request names a host that is not this server.
    WrongHost,
    /// Too many requests.
    TooMany(&'static str),
    /// More than this server takes.
    TooLarge(&'static str),
    /// There is no room to store anything; games can still be watched.
    StorageFull,
    /// The store cannot be asked right now.
    Unavailable(&'static str),
}

impl Failure {
    /// A stable word for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Failure::BadRequest(_) => "bad-request",
            Failure::BadRules(_) => "bad-rules",
            Failure::BadMove(_) => "bad-move",
            Failure::Illegal { .. } => "illegal",
            Failure::Conflict(_) => "conflict",
            Failure::NoSeat => "no-seat",
            Failure::NotYourTurn => "not-your-turn",
            Failure::NoSuchGame => "no-such-game",
            Failure::WrongOrigin => "wrong-origin",
            Failure::WrongHost => "wrong-host",
            Failure::TooMany(_) => "too-many",
            Failure::TooLarge(_) => "too-large",
            Failure::StorageFull => "storage-full",
            Failure::Unavailable(_) => "unavailable",
        }
    }

    /// The status of the answer over HTTP.
    pub const fn status(&self) -> StatusCode {
        match self {
            Failure::BadRequest(_) | Failure::BadRules(_) | Failure::BadMove(_) => StatusCode::BAD_REQUEST,
            Failure::Illegal { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Failure::Conflict(_) => StatusCode::CONFLICT,
            Failure::NoSeat => StatusCode::UNAUTHORIZED,
            Failure::NotYourTurn | Failure::WrongOrigin => StatusCode::FORBIDDEN,
            Failure::NoSuchGame => StatusCode::NOT_FOUND,
            Failure::WrongHost => StatusCode::MISDIRECTED_REQUEST,
            Failure::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Failure::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Failure::StorageFull => StatusCode::INSUFFICIENT_STORAGE,
            Failure::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The failure as it goes over the wire.
    pub fn problem(self) -> Problem {
        let code = self.code();
        let message = self.to_string();
        let (help, update) = match self {
            Failure::Illegal { help, .. } => (help, None),
            Failure::Conflict(update) => (None, Some(update)),
            Failure::NoSeat => (Some("open your own link, or send its token as a bearer".to_owned()), None),
            _ => (None, None),
        };
        Problem { version: VERSION, code, message, help, update }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::BadRequest(message) | Failure::BadRules(message) | Failure::BadMove(message) => {
                f.write_str(message)
            }
            Failure::Illegal { message, .. } => f.write_str(message),
            Failure::Conflict(_) => {
                f.write_str("something else has happened since: this is how the game stands")
            }
            Failure::NoSeat => f.write_str("this request holds no seat of the game, it can only watch"),
            Failure::NotYourTurn => f.write_str("it is the other player's turn"),
            Failure::NoSuchGame => f.write_str("there is no such game"),
            Failure::WrongOrigin => f.write_str("the request comes from another site"),
            Failure::WrongHost => f.write_str("the request names a host that is not this server"),
            Failure::TooMany(what) => write!(f, "too many {what}: wait a little"),
            Failure::TooLarge(what) => write!(f, "{what}"),
            Failure::StorageFull => {
                f.write_str("there is no room left to store moves: games can be watched, not played")
            }
            Failure::Unavailable(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Failure {}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = self.status();
        let mut response = (status, Json(self.problem())).into_response();
        if status == StatusCode::TOO_MANY_REQUESTS || status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
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
            Failure::Illegal { fault: None, message: text(), help: None },
            Failure::NoSeat,
            Failure::NotYourTurn,
            Failure::NoSuchGame,
            Failure::WrongOrigin,
            Failure::WrongHost,
            Failure::TooMany(""),
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
