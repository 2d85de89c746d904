//! Links that give a seat: invitations, and links for another device. They only show a button, because chat programs open links to
//! preview them.

use axum::Form;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::frame::{ErrorPage, Page};
use super::game::{link_field, rules_of};
use super::variant;
use crate::config::ServerConfig;
use crate::cookie;
use crate::event::Side;
use crate::failure::Failure;
use crate::hosted_game::Arrival;
use crate::service::Service;
use crate::token::{GameId, InvalidToken, SeatToken, Secret};
use crate::wire::{Update, You};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct JoinForm {
    name: String,
    /// The secret that the seat gets. It comes from the form, so that a request can be repeated after a lost response.
    key: String,
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

/// `/join/{token}`: leads to the path to which browsers send the cookie of their seat, so that it can be recognised.
pub(super) async fn redirect(Path(token): Path<String>) -> Result<Redirect, ErrorPage> {
    let parsed: Result<SeatToken, InvalidToken> = token.parse();
    let SeatToken { game, secret } = parsed.map_err(|error| Failure::BadRequest(error.to_string()))?;
    Ok(Redirect::temporary(&format!("/g/{game}/join/{}", secret.expose())))
}

/// `GET /g/{game}/join/{secret}`: changes nothing.
pub(super) async fn show(
    State(service): State<Service>,
    Path((game, secret)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ErrorPage> {
    let token = parse(&game, &secret)?;
    let arrival = arrive(&service, &token, &headers).await?;
    let live = service.open(token.game).await?;
    let update = live.update(0, None);
    Ok(match arrival {
        Arrival::Seated => Redirect::to(&format!("/g/{}", token.game)).into_response(),
        Arrival::OwnInvitation => own_invitation(&service.config, &token).into_response(),
        Arrival::Invited(side) => invited(&update, side).into_response(),
        Arrival::OtherDevice(you) => other_device(&update, you).into_response(),
        Arrival::Unknown => (StatusCode::GONE, used(token.game)).into_response(),
    })
}

/// `POST /g/{game}/join/{secret}`: takes the seat and redirects to the game. It never replaces a seat that the browser has.
pub(super) async fn join(
    State(service): State<Service>,
    Path((game, secret)): Path<(String, String)>,
    headers: HeaderMap,
    Form(form): Form<JoinForm>,
) -> Result<Response, ErrorPage> {
    let token = parse(&game, &secret)?;
    let secret = form.key.parse().unwrap_or_else(|_| Secret::random());
    let live = service.open(token.game).await?;
    let is_repeated = live.lock().hosted.you(Some(&secret)).is_some();
    let result = match arrive(&service, &token, &headers).await? {
        Arrival::Seated => return Ok(Redirect::to(&format!("/g/{}", token.game)).into_response()),
        Arrival::OwnInvitation => {
            return Ok((StatusCode::CONFLICT, own_invitation(&service.config, &token)).into_response());
        }
        _ if is_repeated => Ok(()),
        Arrival::Invited(_) => service.accept_invitation(&token, Some(form.name), &secret).await,
        Arrival::OtherDevice(_) => service.add_device(&token, &secret).await,
        Arrival::Unknown => Err(Failure::NoSeat),
    };
    match result {
        Ok(()) => Ok(cookie::redirect_to(&service.config, &SeatToken { game: token.game, secret })),
        Err(Failure::NoSeat) => Ok((StatusCode::GONE, used(token.game)).into_response()),
        Err(failure) => Err(failure.into()),
    }
}

fn parse(game: &str, secret: &str) -> Result<SeatToken, Failure> {
    let parsed = game.parse().and_then(|game| Ok(SeatToken { game, secret: secret.parse()? }));
    parsed.map_err(|error: InvalidToken| Failure::BadRequest(error.to_string()))
}

async fn arrive(service: &Service, token: &SeatToken, headers: &HeaderMap) -> Result<Arrival, Failure> {
    let live = service.open(token.game).await?;
    let arrival = live.lock().hosted.arrival(cookie::seat(headers).as_ref(), &token.secret);
    Ok(arrival)
}

fn invited(update: &Update, side: Side) -> Page {
    let (mine, theirs) = match side {
        Side::First => (&update.state.first, &update.state.second),
        Side::Second => (&update.state.second, &update.state.first),
    };
    let host = theirs.name.as_deref().unwrap_or("A friend");
    let title = format!("{host} invites you to play tic-tac-toe");
    let begins = match (side, &theirs.name) {
        (Side::First, _) => "You go first".to_owned(),
        (Side::Second, Some(name)) => format!("{name} goes first"),
        (Side::Second, None) => "Your friend goes first".to_owned(),
    };
    let content = html! {
        div.sheet.prose {
            h1 { (title) }
            p.lead { (variant::summary(&rules_of(update))) ". " @if let Some(mark) = &mine.mark { "You are " (mark) ". " } (begins) "." }
            form method="post" {
                (new_secret())
                label.field { span { "Your name (optional)" } input type="text" name="name" maxlength="40" autocomplete="nickname"; }
                br;
                button.button.first type="submit" { "Play" }
            }
            p.note { "Or " a href=(format!("/g/{}", update.game)) { "watch" } " without playing." }
        }
    };
    Page::new(title, "", content)
}

fn other_device(update: &Update, you: You) -> Page {
    let name = match you {
        You::First => update.state.first.name.as_deref(),
        You::Second => update.state.second.name.as_deref(),
        You::Both => None,
    };
    let content = html! {
        div.sheet.prose {
            h1 { "Continue your game" }
            p.lead { "Play " @if let Some(name) = name { "as " (name) " " } "on this device, too." }
            form method="post" { (new_secret()) button.button.first type="submit" { "Continue on this device" } }
            p.note { "Both players will see that the game was opened on another device." }
        }
    };
    Page::new("Continue your game", "", content)
}

fn own_invitation(config: &ServerConfig, token: &SeatToken) -> Page {
    let link = format!("{}/join/{}", config.public_origin, token.expose());
    let content = html! {
        div.sheet.prose {
            h1 { "This is your own invitation" }
            p.lead { "It works. Send it to your friend: the first person who opens it plays against you." }
            div.share { (link_field("invitation", "Link for your friend", &link)) }
            p { a.button.first href=(format!("/g/{}", token.game)) { "Back to your game" } }
            p.note { "To play both sides yourself, start a game on the same screen, or open the link in a private window." }
        }
    };
    Page::new("This is your own invitation", "", content).with_script("share")
}

fn used(game: GameId) -> Page {
    let content = html! {
        div.sheet.prose {
            h1 { "This link has already been used" }
            p.lead { "A link gives a seat only once, so that no one can take yours." }
            p { "Did you use it yourself? Then open the game in the same browser as before. There you can also make a link for another device." }
            div.buttons {
                a.button.first href=(format!("/g/{game}")) { "Watch the game" }
                a.button href="/" { "Start a new game" }
            }
        }
    };
    Page::new("This link has already been used", "", content)
}

fn new_secret() -> Markup {
    html! { input type="hidden" name="key" value=(Secret::random().expose()); }
}
