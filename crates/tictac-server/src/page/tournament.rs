//! The pages of tournaments, and the forms for everything that players and organisers do.

mod entry;
mod list;
mod organiser;
mod parts;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::{any, get};
use axum::{Form, Json, Router};
use maud::html;
use serde::Deserialize;

pub(super) use self::list::list;
use self::parts::{TournamentPage, ViewKind};
use super::error::banner;
use super::frame::{LinkPreview, Page};
use super::join::new_secret;
use super::language::Language;
use crate::config::ServerConfig;
use crate::cookie;
use crate::extract::{GamePath, Visitor};
use crate::failure::Failure;
use crate::service::Service;
use crate::service::tournaments::access::ReturnWay;
use crate::token::{GameId, SeatToken, Secret};
use crate::tournament::live::LiveTournament;
use crate::tournament::state::TournamentPhase;

/// How long a page waits for a change.
const WAIT: Duration = Duration::from_secs(25);
const YEAR: u32 = 365 * 24 * 60 * 60;

pub(super) fn routes() -> Router<Service> {
    Router::new()
        .route("/tournaments", get(list::show).post(list::create))
        .route("/t/{tournament}", get(show))
        .route("/t/{tournament}/screen", get(screen))
        .route("/t/{tournament}/live", get(live))
        .route("/t/{tournament}/join", get(back).post(join))
        .route("/t/{tournament}/return", get(back).post(return_with_code))
        .route("/t/{tournament}/leave", get(back).post(leave))
        .route("/t/{tournament}/organise", get(back).post(organiser::act))
        .route("/t/{tournament}/play", any(play))
        .route("/t/{tournament}/seat/{secret}", get(show_seat).post(take_seat))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PageQuery {
    /// Waits for the event with this number, for browsers without scripts.
    since: Option<u64>,
}

async fn show(
    visitor: Visitor,
    GamePath(id): GamePath,
    Query(query): Query<PageQuery>,
) -> Result<Page, Failure> {
    let service = &visitor.service;
    let live = service.open_tournament(id).await?;
    if let Some(since) = query.since {
        let _permit = service.throttle.long_poll(visitor.address)?;
        service.wait_for_change(&live.changed, || live.lock().version().0 <= since, WAIT).await;
    }
    service.open_games(&live).await?;
    Ok(page(&visitor, &live, None))
}

/// `GET /t/{tournament}/join`: the address of a refused form, when it is opened again.
async fn back(GamePath(id): GamePath) -> Redirect {
    Redirect::to(&format!("/t/{id}"))
}

fn page(visitor: &Visitor, live: &LiveTournament, failure: Option<&Failure>) -> Page {
    let (service, lang, secrets) = (&visitor.service, visitor.language, visitor.tournament_secrets());
    let mut state = live.lock();
    let view = TournamentPage { id: live.id, lang, config: &service.config, kind: ViewKind::Page };
    let role = state.tournament.role(&secrets);
    let (seq, moves) = state.version();
    let shared = view.shared(&mut state);
    let tournament = &state.tournament;
    let organiser = secrets.iter().find(|secret| tournament.is_organiser(secret));
    let content = html! {
        div #tournament .tournament data-version=(format!("{seq}.{moves}")) data-now=(service.config.time.now()) data-live=(lang.path(&format!("/t/{}/live", live.id))) {
            p #connection .banner.is-sticky hidden {}
            (shared.html("head"))
            @if let Some(failure) = failure { (banner(lang, failure)) }
            @if role.organiser { (organiser::requests(&view, tournament)) }
            (view.you(tournament, role))
            (entry::part(lang, live.id, tournament, role))
            (view.invite(tournament))
            (shared.html("round"))
            (shared.html("standings"))
            @if let Some(secret) = organiser { (organiser::panel(&view, tournament, secret)) }
            (shared.html("history"))
            noscript { p { a.button href=(lang.path(&format!("/t/{}?since={seq}", live.id))) { (lang.t("Wait for news")) } } }
        }
    };
    let title = lang.fill("Tic-tac-toe tournament: {name}", &[("name", &tournament.setup.name)]);
    let description =
        format!("{}. {}", view.summary(tournament), lang.t("Join with a name. No account needed."));
    let preview = LinkPreview::of_site(&service.config, lang, title, description);
    Page::new(lang, tournament.setup.name.clone(), "", content)
        .with_script("tournament")
        .with_preview(preview)
}

/// `GET /t/{tournament}/screen`: for a projector in a classroom.
async fn screen(visitor: Visitor, GamePath(id): GamePath) -> Result<Page, Failure> {
    let (service, language) = (&visitor.service, visitor.language);
    let live = service.open_tournament(id).await?;
    let view =
        TournamentPage { id: live.id, lang: language, config: &service.config, kind: ViewKind::Screen };
    let mut state = live.lock();
    let (seq, moves) = state.version();
    let shared = view.shared(&mut state);
    let content = html! {
        div #tournament .tournament.big-screen data-version=(format!("{seq}.{moves}")) data-now=(service.config.time.now()) data-live=(language.path(&format!("/t/{}/live?screen=true", live.id))) {
            p #connection .banner.is-sticky hidden {}
            (shared.html("head"))
            (view.invite(&state.tournament))
            (shared.html("round"))
            (shared.html("standings"))
        }
    };
    Ok(Page::new(language, state.tournament.setup.name.clone(), "", content).with_script("tournament").bare())
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct LiveQuery {
    /// The version that the client has: the events of the tournament and of its games.
    version: String,
    screen: bool,
    #[serde(rename = "lang")]
    _language: Option<String>,
}

/// `GET /t/{tournament}/live?version=12.34`: the changed parts of the page as JSON, as soon as there are any.
async fn live(
    visitor: Visitor,
    GamePath(id): GamePath,
    Query(query): Query<LiveQuery>,
) -> Result<Json<serde_json::Value>, Failure> {
    let (service, language) = (&visitor.service, visitor.language);
    let live = service.open_tournament(id).await?;
    let _permit = service.throttle.long_poll(visitor.address)?;
    let is_seen = || {
        let (seq, moves) = live.lock().version();
        query.version == format!("{seq}.{moves}")
    };
    service.wait_for_change(&live.changed, is_seen, WAIT).await;
    service.open_games(&live).await?;
    let kind = if query.screen { ViewKind::Screen } else { ViewKind::Page };
    let view = TournamentPage { id: live.id, lang: language, config: &service.config, kind };
    let mut state = live.lock();
    let secrets = visitor.tournament_secrets();
    let shared = view.shared(&mut state);
    let tournament = &state.tournament;
    let role = tournament.role(&secrets);
    let mut parts = (*shared.0).clone();
    if let Some(parts) = parts.as_object_mut().filter(|_| kind == ViewKind::Page) {
        parts.insert("you".to_owned(), view.you(tournament, role).into_string().into());
        let entry = entry::part(language, live.id, tournament, role);
        parts.insert("enter".to_owned(), entry.into_string().into());
        if let Some(secret) = secrets.iter().find(|secret| tournament.is_organiser(secret)) {
            let panel = organiser::panel(&view, tournament, secret);
            parts.insert("organiser".to_owned(), panel.into_string().into());
            let requests = organiser::requests(&view, tournament);
            parts.insert("requests".to_owned(), requests.into_string().into());
        }
    }
    let (seq, moves) = state.version();
    // Pages of large tournaments are large, so they come less often.
    let pause = 2_000 + 20 * state.tournament.players.len();
    let play = role.game.map(|game| (game, language.path(&format!("/t/{}/play", live.id))));
    Ok(Json(serde_json::json!({
        "version": format!("{seq}.{moves}"),
        "pause": pause,
        "now": service.config.time.now(),
        "parts": parts,
        "open": state.tournament.phase == TournamentPhase::Open,
        "game": play.as_ref().map(|(game, _)| game),
        "play": play.as_ref().map(|(_, path)| path),
    })))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct EnterForm {
    name: String,
    /// The name of a player who enters none.
    nickname: String,
    /// The secret of the player. It comes from the form, so that a request can be repeated after a lost response.
    key: String,
    /// A code of four digits, or nothing.
    code: String,
    /// The number of the player who comes back.
    player: usize,
}

async fn join(
    visitor: Visitor,
    GamePath(id): GamePath,
    Form(form): Form<EnterForm>,
) -> Result<Response, Failure> {
    let service = &visitor.service;
    let live = service.open_tournament(id).await?;
    if live.lock().tournament.role(&visitor.tournament_secrets()).player.is_some() {
        return Ok(back(GamePath(id)).await.into_response());
    }
    let secret = form.key.parse().unwrap_or_else(|_| Secret::random());
    let name = if form.name.trim().is_empty() { form.nickname } else { form.name };
    let entered = match service.throttle.game(visitor.address) {
        Ok(()) => service.enter(&live, Some(name), Some(form.code), &secret).await,
        Err(failure) => Err(failure),
    };
    Ok(match entered {
        Ok(()) => with_secret(&service.config, id, cookie::SEAT, &secret),
        Err(failure) => (failure.status(), page(&visitor, &live, Some(&failure))).into_response(),
    })
}

/// `POST /t/{tournament}/return`: a player comes back on another device with their code.
async fn return_with_code(
    visitor: Visitor,
    GamePath(id): GamePath,
    Form(form): Form<EnterForm>,
) -> Result<Response, Failure> {
    let service = &visitor.service;
    let live = service.open_tournament(id).await?;
    let secret = form.key.parse().unwrap_or_else(|_| Secret::random());
    let way = ReturnWay::Code { player: form.player, code: form.code };
    Ok(match service.return_player(&live, way, &secret).await {
        Ok(()) => with_secret(&service.config, id, cookie::SEAT, &secret),
        Err(failure) => (failure.status(), page(&visitor, &live, Some(&failure))).into_response(),
    })
}

/// Redirects a browser to a tournament with the cookies of a player or organiser.
fn with_secret(config: &ServerConfig, id: GameId, name: &str, secret: &Secret) -> Response {
    let cookies: [(_, HeaderValue); 2] = ["/t", "/api/v1/tournaments"].map(|prefix| {
        (header::SET_COOKIE, cookie::set(config, name, secret, &format!("{prefix}/{id}"), YEAR))
    });
    (AppendHeaders(cookies), Redirect::to(&format!("/t/{id}"))).into_response()
}

async fn leave(visitor: Visitor, GamePath(id): GamePath) -> Result<Redirect, Failure> {
    let live = visitor.service.open_tournament(id).await?;
    let secret = cookie::get(&visitor.headers, cookie::SEAT).ok_or(Failure::NoTournamentSeat)?;
    visitor.service.leave(&live, &secret).await?;
    Ok(back(GamePath(id)).await)
}

/// `GET /t/{tournament}/play`: leads a player to the game that is to be played, with the seat in it.
async fn play(visitor: Visitor, GamePath(id): GamePath) -> Result<Response, Failure> {
    let service = &visitor.service;
    let live = service.open_tournament(id).await?;
    let secret = cookie::get(&visitor.headers, cookie::SEAT);
    service.open_games(&live).await?;
    let game =
        secret.as_ref().and_then(|secret| live.lock().tournament.role(std::slice::from_ref(secret)).game);
    Ok(match (game, secret) {
        (Some(game), Some(secret)) => cookie::redirect_to(&service.config, &SeatToken { game, secret }),
        _ => back(GamePath(id)).await.into_response(),
    })
}

async fn seat(service: &Service, path: (String, String)) -> Result<(Arc<LiveTournament>, Secret), Failure> {
    let (id, secret) = path;
    let id: GameId = id.parse().map_err(|_| Failure::NoSuchTournament)?;
    let secret: Secret = secret.parse().map_err(|_| Failure::NoTournamentSeat)?;
    Ok((service.open_tournament(id).await?, secret))
}

/// `GET /t/{tournament}/seat/{secret}`: a link for another device. It changes nothing, because chat programs open links.
async fn show_seat(
    State(service): State<Service>,
    lang: Language,
    Path(path): Path<(String, String)>,
) -> Result<Response, Failure> {
    let (live, secret) = seat(&service, path).await?;
    let state = live.lock();
    let tournament = &state.tournament;
    let player = tournament.holder_of(&secret).map(|player| &tournament.players[player].name);
    let sentence = match player {
        Some(name) => lang.fill("Play as {name} on this device.", &[("name", name)]),
        None if tournament.is_organiser(&secret) => {
            lang.t("Organise the tournament on this device.").to_owned()
        }
        None => return Ok((StatusCode::GONE, Failure::NoTournamentSeat).into_response()),
    };
    let content = html! {
        div.sheet.prose {
            h1 { (tournament.setup.name) }
            p.lead { (sentence) }
            form method="post" { (new_secret()) button.button.first.large type="submit" { (lang.t("Continue on this device")) } }
        }
    };
    Ok(Page::new(lang, tournament.setup.name.clone(), "", content).into_response())
}

async fn take_seat(
    State(service): State<Service>,
    Path(path): Path<(String, String)>,
    Form(form): Form<EnterForm>,
) -> Result<Response, Failure> {
    let (live, secret) = seat(&service, path).await?;
    if live.lock().tournament.is_organiser(&secret) {
        return Ok(with_secret(&service.config, live.id, cookie::ORGANISER, &secret));
    }
    let fresh = form.key.parse().unwrap_or_else(|_| Secret::random());
    service.return_player(&live, ReturnWay::Link(secret), &fresh).await?;
    Ok(with_secret(&service.config, live.id, cookie::SEAT, &fresh))
}
