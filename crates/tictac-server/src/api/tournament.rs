//! The JSON API of tournaments.

use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;

use super::{EventsQuery, MAX_WAIT};
use crate::cookie;
use crate::extract::{GamePath, JsonBody, Parameters};
use crate::failure::Failure;
use crate::guard::Client;
use crate::service::Service;
use crate::token::{GameId, SeatToken, Secret};
use crate::tournament::live::LiveTournament;
use crate::tournament::report;
use crate::tournament::view::{
    CreatedTournament, EnteredTournament, ListedTournament, NewTournament, OrganiserAction, TournamentTicket,
    TournamentUpdate,
};
use crate::wire::VERSION;

pub(super) fn routes() -> Router<Service> {
    Router::new()
        .route("/tournaments", get(list).post(create))
        .route("/tournaments/{tournament}", get(show))
        .route("/tournaments/{tournament}/join", post(join))
        .route("/tournaments/{tournament}/leave", post(leave))
        .route("/tournaments/{tournament}/actions", post(act))
        .route("/tournaments/{tournament}/standings.csv", get(standings))
        .route("/tournaments/{tournament}/games.pgn", get(pgn))
        .route("/tournaments/{tournament}/games.ttt", get(records))
}

async fn list(State(service): State<Service>) -> Result<Json<Vec<ListedTournament>>, Failure> {
    service.listed_tournaments().await.map(Json)
}

async fn create(
    State(service): State<Service>,
    Client(address): Client,
    JsonBody(request): JsonBody<NewTournament>,
) -> Result<(StatusCode, Json<CreatedTournament>), Failure> {
    service.throttle.game(address)?;
    let (live, secret) = service.create_tournament(request).await?;
    let origin = &service.config.public_origin;
    let created = CreatedTournament {
        version: VERSION,
        tournament: live.id,
        link: format!("{origin}/t/{}", live.id),
        organiser: ticket(&service, live.id, &secret),
        update: live.lock().update(live.id, 0, &[secret]),
    };
    Ok((StatusCode::CREATED, Json(created)))
}

fn ticket(service: &Service, id: GameId, secret: &Secret) -> TournamentTicket {
    TournamentTicket {
        token: SeatToken { game: id, secret: secret.clone() }.expose(),
        link: format!("{}/t/{id}/seat/{}", service.config.public_origin, secret.expose()),
    }
}

async fn show(
    State(service): State<Service>,
    Client(address): Client,
    GamePath(id): GamePath,
    Parameters(EventsQuery { since, wait }): Parameters<EventsQuery>,
    headers: HeaderMap,
) -> Result<Json<TournamentUpdate>, Failure> {
    let live = service.open_tournament(id).await?;
    if wait > 0 {
        let _permit = service.throttle.long_poll(address)?;
        let wait = Duration::from_secs(wait.min(MAX_WAIT));
        service.wait_for_tournament(&live, |(seq, _)| seq <= since, wait).await;
    }
    service.open_games(&live).await?;
    Ok(Json(update(&live, since, &headers)))
}

fn update(live: &LiveTournament, since: u64, headers: &HeaderMap) -> TournamentUpdate {
    live.lock().update(live.id, since, &cookie::tournament_secrets(headers))
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct EntryRequest {
    name: Option<String>,
    /// A secret that the client has chosen, with which the request can be repeated.
    key: Option<String>,
}

const INVALID_KEY: &str = "the key must be 26 characters of 0123456789abcdefghjkmnpqrstvwxyz";

async fn join(
    State(service): State<Service>,
    Client(address): Client,
    GamePath(id): GamePath,
    JsonBody(EntryRequest { name, key }): JsonBody<EntryRequest>,
) -> Result<Json<EnteredTournament>, Failure> {
    service.throttle.game(address)?;
    let live = service.open_tournament(id).await?;
    let secret = match key {
        Some(key) => key.parse().map_err(|_| Failure::BadRequest(INVALID_KEY.to_owned()))?,
        None => Secret::random(),
    };
    service.enter(&live, name, &secret).await?;
    let player = Some(ticket(&service, id, &secret));
    let update = live.lock().update(id, 0, &[secret]);
    Ok(Json(EnteredTournament { version: VERSION, player, update }))
}

async fn leave(
    State(service): State<Service>,
    GamePath(id): GamePath,
    headers: HeaderMap,
) -> Result<Json<TournamentUpdate>, Failure> {
    let live = service.open_tournament(id).await?;
    let secrets = cookie::tournament_secrets(&headers);
    let player = secrets.iter().find(|secret| live.lock().tournament.player_of(secret).is_some());
    service.leave(&live, player.ok_or(Failure::NoSeat)?).await?;
    Ok(Json(update(&live, 0, &headers)))
}

async fn act(
    State(service): State<Service>,
    GamePath(id): GamePath,
    headers: HeaderMap,
    JsonBody(action): JsonBody<OrganiserAction>,
) -> Result<Json<EnteredTournament>, Failure> {
    let live = service.open_tournament(id).await?;
    let secrets = cookie::tournament_secrets(&headers);
    let organiser = secrets.iter().find(|secret| live.lock().tournament.is_organiser(secret));
    let player = service.organise(&live, organiser.ok_or(Failure::NoSeat)?, &action).await?;
    let player = player.as_ref().map(|secret| ticket(&service, id, secret));
    Ok(Json(EnteredTournament { version: VERSION, player, update: update(&live, 0, &headers) }))
}

async fn standings(State(service): State<Service>, GamePath(id): GamePath) -> Result<Response, Failure> {
    let live = service.open_tournament(id).await?;
    let text = report::csv(&live.lock().tournament);
    Ok(file("text/csv; charset=utf-8", &format!("standings-{id}.csv"), text.into()))
}

async fn pgn(
    State(service): State<Service>,
    Client(address): Client,
    GamePath(id): GamePath,
) -> Result<Response, Failure> {
    service.throttle.analysis(address)?;
    let text = service.tournament_pgn(id).await?;
    Ok(file("application/vnd.chess-pgn; charset=utf-8", &format!("tournament-{id}.pgn"), text.into()))
}

async fn records(
    State(service): State<Service>,
    Client(address): Client,
    GamePath(id): GamePath,
) -> Result<Response, Failure> {
    service.throttle.analysis(address)?;
    let records = service.tournament_records(id).await?;
    Ok(file("text/plain; charset=utf-8", &format!("tournament-{id}.ttt"), records))
}

fn file(kind: &str, name: &str, content: Vec<u8>) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, &disposition)], content).into_response()
}
