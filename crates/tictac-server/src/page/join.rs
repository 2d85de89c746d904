//! The invitation to a game. Its link only shows a button, because chat programs open links to preview them.

use std::time::Duration;

use axum::Form;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use maud::html;
use serde::Deserialize;

use super::frame::{ErrorPage, Page};
use super::game::rules_of;
use super::variant;
use crate::config::ServerConfig;
use crate::cookie;
use crate::failure::Failure;
use crate::service::Service;
use crate::token::{GameId, InvalidToken, SeatToken};
use crate::wire::You;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct JoinForm {
    name: String,
}

/// The cookie that holds the friend's secret while the seat is open.
const INVITATION: &str = "friend";
const WEEK: u32 = 7 * 24 * 60 * 60;

/// Returns the header that lets the creator of a game see the invitation again, on the page of that game only.
pub(super) fn set_invitation(config: &ServerConfig, friend: &SeatToken) -> HeaderValue {
    cookie::set(config, INVITATION, &friend.secret, &format!("/g/{}", friend.game), WEEK)
}

/// Returns the invitation to this game that the browser of its creator keeps.
pub(super) fn invitation(headers: &HeaderMap, game: GameId) -> Option<SeatToken> {
    cookie::get(headers, INVITATION).map(|secret| SeatToken { game, secret })
}

/// `GET /join/{token}`: changes nothing.
pub(super) async fn show(
    State(service): State<Service>,
    Path(token): Path<String>,
) -> Result<Page, ErrorPage> {
    let seat = parse(&token)?;
    let update = service.events(seat.game, Some(&seat.secret), 0, Duration::ZERO).await?;
    let (mine, theirs) = match update.you {
        Some(You::First | You::Both) => (&update.state.first, &update.state.second),
        Some(You::Second) => (&update.state.second, &update.state.first),
        None => return Err(Failure::NoSeat.into()),
    };
    let host = theirs.name.as_deref().unwrap_or("A friend");
    let title = if mine.open {
        format!("{host} invites you to play tic-tac-toe")
    } else {
        "Continue your game".to_owned()
    };
    let begins = match (update.you, &theirs.name) {
        (Some(You::First | You::Both), _) => "You go first".to_owned(),
        (_, Some(name)) => format!("{name} goes first"),
        (_, None) => "Your friend goes first".to_owned(),
    };
    let content = html! {
        div.sheet.prose {
            h1 { (title) }
            p.lead { (variant::summary(&rules_of(&update))) ". " @if let Some(mark) = &mine.mark { "You are " (mark) ". " } (begins) "." }
            form method="post" {
                @if mine.open {
                    label.field { span { "Your name (optional)" } input type="text" name="name" maxlength="40" autocomplete="nickname"; }
                    br;
                }
                button.button.first type="submit" { @if mine.open { "Play" } @else { "Continue on this device" } }
            }
            p.note { "Or " a href=(format!("/g/{}", seat.game)) { "watch" } " without playing." }
        }
    };
    Ok(Page::new(title, "", content))
}

/// `POST /join/{token}`: takes the seat and redirects to the game.
pub(super) async fn join(
    State(service): State<Service>,
    Path(token): Path<String>,
    Form(form): Form<JoinForm>,
) -> Result<Response, ErrorPage> {
    let seat = parse(&token)?;
    service.join(&seat, Some(form.name)).await?;
    Ok(cookie::redirect_to(&service.config, &seat))
}

fn parse(token: &str) -> Result<SeatToken, Failure> {
    token.parse().map_err(|error: InvalidToken| Failure::BadRequest(error.to_string()))
}
