//! Links that give a seat: invitations, and links for another device. They only show a button, because chat programs open links to
//! preview them.

use axum::Form;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::board::thumbnail;
use super::clock;
use super::frame::{LinkPreview, Page};
use super::game::link_field;
use super::home::{name_field, random_nickname};
use super::language::Language;
use super::variant;
use tictac::Player;

use crate::config::ServerConfig;
use crate::cookie;
use crate::extract::Visitor;
use crate::failure::Failure;
use crate::hosted_game::{Arrival, HostedGame};
use crate::live_game::LiveState;
use crate::token::{GameId, InvalidToken, SeatToken, Secret};
use crate::wire::You;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct JoinForm {
    name: String,
    /// The name of a player who enters none.
    nickname: String,
    /// The secret that the seat gets. It comes from the form, so that a request can be repeated after a lost response.
    key: String,
}

impl JoinForm {
    fn name(&self) -> String {
        if self.name.trim().is_empty() { self.nickname.clone() } else { self.name.clone() }
    }
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
pub(super) async fn redirect(Path(token): Path<String>) -> Result<Redirect, Failure> {
    let parsed: Result<SeatToken, InvalidToken> = token.parse();
    let SeatToken { game, secret } = parsed.map_err(|error| Failure::BadRequest(error.to_string()))?;
    Ok(Redirect::temporary(&format!("/g/{game}/join/{}", secret.expose())))
}

/// `GET /g/{game}/join/{secret}`: changes nothing.
pub(super) async fn show(
    visitor: Visitor,
    Path((game, secret)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let token = parse(&game, &secret)?;
    let live = visitor.service.open(token.game).await?;
    let state = live.lock();
    Ok(match state.hosted.arrival(visitor.seat().as_ref(), &token.secret) {
        Arrival::Seated => Redirect::to(&format!("/g/{}", token.game)).into_response(),
        Arrival::OwnInvitation => own_invitation(&visitor, &token).into_response(),
        Arrival::Invited(side) => invited(&visitor, &state, side).into_response(),
        Arrival::OtherDevice(you) => other_device(visitor.language, &state.hosted, you).into_response(),
        Arrival::Unknown => (StatusCode::GONE, used(visitor.language, token.game)).into_response(),
    })
}

/// `POST /g/{game}/join/{secret}`: takes the seat and redirects to the game. It never replaces a seat that the browser has.
pub(super) async fn join(
    visitor: Visitor,
    Path((game, secret)): Path<(String, String)>,
    Form(form): Form<JoinForm>,
) -> Result<Response, Failure> {
    let (service, token) = (&visitor.service, parse(&game, &secret)?);
    let secret = form.key.parse().unwrap_or_else(|_| Secret::random());
    let live = service.open(token.game).await?;
    let (is_repeated, arrival) = {
        let hosted = &live.lock().hosted;
        let arrival = hosted.arrival(visitor.seat().as_ref(), &token.secret);
        (hosted.you(Some(&secret)).is_some(), arrival)
    };
    let result = match arrival {
        Arrival::Seated => return Ok(Redirect::to(&format!("/g/{}", token.game)).into_response()),
        Arrival::OwnInvitation => {
            return Ok((StatusCode::CONFLICT, own_invitation(&visitor, &token)).into_response());
        }
        _ if is_repeated => Ok(()),
        Arrival::Invited(_) => service.accept_invitation(&token, Some(form.name()), &secret).await,
        Arrival::OtherDevice(_) => service.add_device(&token, &secret).await,
        Arrival::Unknown => Err(Failure::NoSeat),
    };
    match result {
        Ok(()) => Ok(cookie::redirect_to(&service.config, &SeatToken { game: token.game, secret })),
        Err(Failure::NoSeat) => Ok((StatusCode::GONE, used(visitor.language, token.game)).into_response()),
        Err(failure) => Err(failure),
    }
}

fn parse(game: &str, secret: &str) -> Result<SeatToken, Failure> {
    let parsed = game.parse().and_then(|game| Ok(SeatToken { game, secret: secret.parse()? }));
    parsed.map_err(|error: InvalidToken| Failure::BadRequest(error.to_string()))
}

fn invited(visitor: &Visitor, state: &LiveState, side: Player) -> Page {
    let (lang, hosted) = (visitor.language, &state.hosted);
    let theirs = hosted.seat(!side);
    let host = theirs.name.as_deref().unwrap_or(lang.t("A friend"));
    let title = lang.fill("{name} invites you to tic-tac-toe", &[("name", &host)]);
    let begins = match side {
        Player::First => lang.t("You go first.").to_owned(),
        Player::Second => lang.fill("{name} goes first.", &[("name", &host)]),
    };
    let summary = variant::summary(lang, &hosted.setup.rules);
    let clock = hosted.setup.clock.map(|clock| clock::title(lang, clock));
    let content = html! {
        div.sheet.prose.invited {
            (thumbnail("XO./.X./O..", None))
            h1 { (title.replace('-', "\u{2011}")) }
            p.lead {
                (summary) ". "
                @if let Some(mark) = hosted.game.state().mark_of(side) { (lang.fill("You are {mark}.", &[("mark", &mark)])) " " }
                (begins)
                @if let Some(clock) = clock { " " (clock) "." }
            }
            @if hosted.setup.public { p.note { (lang.t("This game is public: everyone can watch it.")) } }
            form method="post" {
                (new_secret())
                (name_field(lang, "", random_nickname(lang)))
                button.button.first.large type="submit" { (lang.t("Play")) }
            }
            p.note { a href=(lang.path(&format!("/g/{}", state.id))) { (lang.t("Only watch")) } }
        }
    };
    let description = format!("{} {summary}", lang.t("Tap to play. No account needed."));
    let config = &visitor.service.config;
    let preview = LinkPreview::of_game(config, lang, state.id, title.clone(), description);
    Page::new(lang, title, "", content).with_preview(preview)
}

fn other_device(lang: Language, hosted: &HostedGame, you: You) -> Page {
    let sentence = match you.side().and_then(|side| hosted.seat(side).name.as_ref()) {
        Some(name) => lang.fill("Play as {name} on this device, too.", &[("name", name)]),
        None => lang.t("Play on this device, too.").to_owned(),
    };
    let title = lang.t("Continue your game");
    let content = html! {
        div.sheet.prose {
            h1 { (title) }
            p.lead { (sentence) }
            form method="post" { (new_secret()) button.button.first.large type="submit" { (lang.t("Continue on this device")) } }
            p.note { (lang.t("Both players will see that the game was opened on another device.")) }
        }
    };
    Page::new(lang, title, "", content)
}

fn own_invitation(visitor: &Visitor, token: &SeatToken) -> Page {
    let lang = visitor.language;
    let link = format!("{}/join/{}", visitor.service.config.public_origin, token.expose());
    let title = lang.t("This is your own invitation");
    let content = html! {
        div.sheet.prose {
            h1 { (title) }
            p.lead { (lang.t("It works. Send it to your friend: the first person who opens it plays against you.")) }
            div.share { (link_field("invitation", lang.t("Link for your friend"), &link)) }
            p { a.button.first href=(lang.path(&format!("/g/{}", token.game))) { (lang.t("Back to your game")) } }
            p.note { (lang.t("To play both sides yourself, start a game on the same screen, or open the link in a private window.")) }
        }
    };
    Page::new(lang, title, "", content).with_script("share")
}

fn used(lang: Language, game: GameId) -> Page {
    let title = lang.t("This link has already been used");
    let content = html! {
        div.sheet.prose {
            h1 { (title) }
            p.lead { (lang.t("A link gives a seat only once, so that no one can take yours.")) }
            p { (lang.t("Did you use it yourself? Then open the game in the same browser as before. There you can also make a link for another device.")) }
            div.buttons {
                a.button.first href=(lang.path(&format!("/g/{game}"))) { (lang.t("Watch the game")) }
                a.button href=(lang.path("/")) { (lang.t("Start a new game")) }
            }
        }
    };
    Page::new(lang, title, "", content)
}

pub(super) fn new_secret() -> Markup {
    html! { input type="hidden" name="key" value=(Secret::random().expose()); }
}
