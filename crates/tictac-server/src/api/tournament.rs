//! The JSON API of tournaments.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;

use super::{ApiReply, EventsQuery, MAX_WAIT, chosen_secret, file};
use crate::extract::{GamePath, JsonBody, Parameters, Visitor};
use crate::failure::Failure;
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

async fn list(State(service): State<Service>) -> ApiReply<Vec<ListedTournament>> {
    service.listed_tournaments().await.map(Json)
}

async fn create(
    visitor: Visitor,
    JsonBody(request): JsonBody<NewTournament>,
) -> Result<(StatusCode, Json<CreatedTournament>), Failure> {
    let service = &visitor.service;
    service.throttle.game(visitor.address)?;
    let (live, secret) = service.create_tournament(request).await?;
    let created = CreatedTournament {
        version: VERSION,
        tournament: live.id,
        link: format!("{}/t/{}", service.config.public_origin, live.id),
        organiser: ticket(service, live.id, &secret),
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
    visitor: Visitor,
    GamePath(id): GamePath,
    Parameters(EventsQuery { since, wait }): Parameters<EventsQuery>,
) -> ApiReply<TournamentUpdate> {
    let service = &visitor.service;
    let live = service.open_tournament(id).await?;
    if wait > 0 {
        let _permit = service.throttle.long_poll(visitor.address)?;
        let wait = Duration::from_secs(wait.min(MAX_WAIT));
        service.wait_for_change(&live.changed, || live.lock().version().0 <= since, wait).await;
    }
    service.open_games(&live).await?;
    Ok(Json(update(&visitor, &live, since)))
}

fn update(visitor: &Visitor, live: &LiveTournament, since: u64) -> TournamentUpdate {
    live.lock().update(live.id, since, &visitor.tournament_secrets())
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct EntryRequest {
    name: Option<String>,
    /// A secret that the client has chosen, with which the request can be repeated.
    key: Option<String>,
    /// A code of four digits, with which a person can come back on another device.
    code: Option<String>,
}

async fn join(
    visitor: Visitor,
    GamePath(id): GamePath,
    JsonBody(EntryRequest { name, key, code }): JsonBody<EntryRequest>,
) -> ApiReply<EnteredTournament> {
    let service = &visitor.service;
    service.throttle.game(visitor.address)?;
    let live = service.open_tournament(id).await?;
    let secret = chosen_secret(key.as_deref())?;
    service.enter(&live, name, code, &secret).await?;
    let player = Some(ticket(service, id, &secret));
    let update = live.lock().update(id, 0, &[secret]);
    Ok(Json(EnteredTournament { version: VERSION, player, update }))
}

async fn leave(visitor: Visitor, GamePath(id): GamePath) -> ApiReply<TournamentUpdate> {
    let live = visitor.service.open_tournament(id).await?;
    let secrets = visitor.tournament_secrets();
    let player = secrets.iter().find(|secret| live.lock().tournament.player_of(secret).is_some());
    visitor.service.leave(&live, player.ok_or(Failure::NoTournamentSeat)?).await?;
    Ok(Json(update(&visitor, &live, 0)))
}

async fn act(
    visitor: Visitor,
    GamePath(id): GamePath,
    JsonBody(action): JsonBody<OrganiserAction>,
) -> ApiReply<EnteredTournament> {
    let service = &visitor.service;
    let live = service.open_tournament(id).await?;
    let secrets = visitor.tournament_secrets();
    let organiser = secrets.iter().find(|secret| live.lock().tournament.is_organiser(secret));
    let player = service.organise(&live, organiser.ok_or(Failure::NoTournamentSeat)?, &action).await?;
    let player = player.as_ref().map(|secret| ticket(service, id, secret));
    Ok(Json(EnteredTournament { version: VERSION, player, update: update(&visitor, &live, 0) }))
}

async fn standings(State(service): State<Service>, GamePath(id): GamePath) -> Result<Response, Failure> {
    let live = service.open_tournament(id).await?;
    let text = report::csv(&live.lock().tournament);
    Ok(file("text/csv; charset=utf-8", "attachment", &format!("standings-{id}.csv"), text.into()))
}

async fn pgn(visitor: Visitor, GamePath(id): GamePath) -> Result<Response, Failure> {
    visitor.service.throttle.analysis(visitor.address)?;
    let text = visitor.service.tournament_pgn(id).await?;
    let kind = "application/vnd.chess-pgn; charset=utf-8";
    Ok(file(kind, "attachment", &format!("tournament-{id}.pgn"), text.into()))
}

async fn records(visitor: Visitor, GamePath(id): GamePath) -> Result<Response, Failure> {
    visitor.service.throttle.analysis(visitor.address)?;
    let records = visitor.service.tournament_records(id).await?;
    Ok(file("text/plain; charset=utf-8", "attachment", &format!("tournament-{id}.ttt"), records))
}
