//! An invitation: a link that shows a button, because previews in chats must not take the seat.

use axum::Form;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use maud::html;
use serde::Deserialize;
use std::time::Duration;
use tictac::Rules;

use super::frame::{Page, Place, Trouble};
use super::words;
use crate::app::AppState;
use crate::config::Config;
use crate::cookie;
use crate::failure::Failure;
use crate::token::{GameId, InvalidToken, SeatToken, Secret};
use crate::wire::You;

/// What the form sends.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Guest {
    name: String,
}

const INVITATION: &str = "friend";
const WEEK: u32 = 7 * 24 * 60 * 60;

/// Returns the header that lets a game's creator show the invitation again, on that game's page only.
pub(super) fn keep_invitation(config: &Config, friend: &SeatToken) -> HeaderValue {
    let secure = if config.is_secure() { "; Secure" } else { "" };
    let (secret, game) = (friend.secret.expose(), friend.game);
    let cookie =
        format!("{INVITATION}={secret}; Path=/g/{game}; Max-Age={WEEK}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(cookie).expect("names, paths and secrets are ASCII")
}

/// Returns the invitation that a creator's browser keeps for this game.
pub(super) fn kept_invitation(headers: &HeaderMap, game: GameId) -> Option<SeatToken> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let secret: Secret =
        pairs.filter(|(name, _)| *name == INVITATION).find_map(|(_, value)| value.parse().ok())?;
    Some(SeatToken { game, secret })
}

/// `GET /join/{token}`: changes nothing.
pub(super) async fn show(State(state): State<AppState>, Path(token): Path<String>) -> Result<Page, Trouble> {
    let seat = read(&token)?;
    let update = state.service().events(seat.game, Some(&seat.secret), 0, Duration::ZERO).await?;
    let (mine, theirs) = match update.you {
        Some(You::First | You::Both) => (&update.state.first, &update.state.second),
        Some(You::Second) => (&update.state.second, &update.state.first),
        None => return Err(Failure::NoSeat.into()),
    };
    let rules = update.state.rules.parse::<Rules>().map(|rules| words::rules(&rules)).unwrap_or_default();
    let host = theirs.name.clone().unwrap_or_else(|| "A friend".to_owned());
    let begins = if update.you == Some(You::First) { "You begin" } else { "The other side begins" };
    let content = html! {
        div.sheet.prose {
            h1 { @if mine.open { (host) " invites you to a game" } @else { "Take up your seat" } }
            p.lead { (rules) ". " @if let Some(mark) = mine.mark { "You play " (mark) ". " } (begins) "." }
            form method="post" {
                @if mine.open {
                    label.field { span { "Your name, if you like" } input type="text" name="name" maxlength="40" autocomplete="nickname"; }
                    br;
                }
                button.button.first type="submit" { @if mine.open { "Play" } @else { "Continue on this device" } }
            }
            p.note { "Or only " a href=(format!("/g/{}", seat.game)) { "watch" } "." }
        }
    };
    Ok(Page::new("An invitation", Place::Elsewhere, content))
}

/// `POST /join/{token}`: takes the seat and leads to the game.
pub(super) async fn join(
    State(state): State<AppState>,
    Path(token): Path<String>,
    Form(guest): Form<Guest>,
) -> Result<Response, Trouble> {
    let seat = read(&token)?;
    let name = Some(guest.name.trim().to_owned()).filter(|name| !name.is_empty());
    state.service().join(&seat, name).await?;
    let cookies =
        cookie::set_seat(state.config(), seat.game, &seat.secret).map(|value| (header::SET_COOKIE, value));
    Ok((AppendHeaders(cookies), Redirect::to(&format!("/g/{}", seat.game))).into_response())
}

fn read(token: &str) -> Result<SeatToken, Failure> {
    token.parse().map_err(|error: InvalidToken| Failure::BadRequest(error.to_string()))
}
