//! The JSON API: handlers parse the request, call the service and return its result.

mod socket;

use std::time::{Duration, Instant};

use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use tictac::level::Level;
use tictac::notation::Picture;

use crate::analyse::{self, Analysis};
use crate::app::AppState;
use crate::check::{self, CheckReply};
use crate::config::ServerLimits;
use crate::cookie;
use crate::export;
use crate::extract::{GamePath, JsonBody, Parameters, RawBody};
use crate::failure::Failure;
use crate::guard::Client;
use crate::token::SeatToken;
use crate::wire::{ActionRequest, Created, NewGame, Update};

/// How long a request may wait for an event, in seconds.
const MAX_WAIT: u64 = 30;

/// Returns the routes of the API and of the probes.
pub(crate) fn routes() -> Router<AppState> {
    let api = Router::new()
        .route("/games", post(create))
        .route("/games/{game}", get(game))
        .route("/games/{game}/join", post(join))
        .route("/games/{game}/events", post(act))
        .route("/games/{game}/socket", get(socket::upgrade))
        .route("/games/{game}/record", get(record))
        .route("/games/{game}/picture.svg", get(picture))
        .route("/check", post(check))
        .route("/analyse", get(analyse))
        .route("/levels", get(async || Json(Level::ALL.map(Level::name))))
        .route("/openapi.json", get(openapi))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(DefaultBodyLimit::max(ServerLimits::BODY));
    Router::new()
        .nest("/api/v1", api)
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
}

async fn create(
    State(state): State<AppState>,
    Client(address): Client,
    JsonBody(request): JsonBody<NewGame>,
) -> Result<(StatusCode, Json<Created>), Failure> {
    state.throttle.game(address)?;
    Ok((StatusCode::CREATED, Json(state.service.create(request).await?)))
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct EventsQuery {
    since: u64,
    wait: u64,
}

async fn game(
    State(state): State<AppState>,
    GamePath(game): GamePath,
    Parameters(EventsQuery { since, wait }): Parameters<EventsQuery>,
    headers: HeaderMap,
) -> Result<Json<Update>, Failure> {
    let wait = Duration::from_secs(wait.min(MAX_WAIT));
    let secret = cookie::seat(&headers);
    state.service.events(game, secret.as_ref(), since, wait).await.map(Json)
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct JoinRequest {
    name: Option<String>,
}

async fn join(
    State(state): State<AppState>,
    GamePath(game): GamePath,
    headers: HeaderMap,
    JsonBody(JoinRequest { name }): JsonBody<JoinRequest>,
) -> Result<Json<Update>, Failure> {
    let secret = cookie::seat(&headers).ok_or(Failure::NoSeat)?;
    state.service.join(&SeatToken { game, secret }, name).await.map(Json)
}

async fn act(
    State(state): State<AppState>,
    GamePath(game): GamePath,
    headers: HeaderMap,
    JsonBody(action): JsonBody<ActionRequest>,
) -> Result<Json<Update>, Failure> {
    let secret = cookie::seat(&headers).ok_or(Failure::NoSeat)?;
    state.service.act(game, &secret, action).await.map(Json)
}

async fn record(State(state): State<AppState>, GamePath(game): GamePath) -> Result<Response, Failure> {
    let live = state.service.open(game).await?;
    let record = export::record(game, &live.lock());
    let disposition = format!("inline; filename=\"{game}.ttt\"");
    let headers =
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CONTENT_DISPOSITION, &disposition)];
    Ok((headers, record).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GamePictureQuery {
    moves: Option<usize>,
}

async fn picture(
    State(state): State<AppState>,
    GamePath(game): GamePath,
    Parameters(GamePictureQuery { moves }): Parameters<GamePictureQuery>,
) -> Result<Response, Failure> {
    let live = state.service.open(game).await?;
    let state = live.lock().hosted.game.state_after(moves.unwrap_or(usize::MAX));
    let picture = Picture::new(state.rules(), state.boards()).to_string();
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckQuery {
    rules: Option<String>,
}

async fn check(
    State(state): State<AppState>,
    Client(address): Client,
    Parameters(CheckQuery { rules }): Parameters<CheckQuery>,
    RawBody(text): RawBody,
) -> Result<Json<CheckReply>, Failure> {
    state.throttle.analysis(address)?;
    let work = tokio::task::spawn_blocking(move || check::check(rules.as_deref(), &text));
    work.await.map_err(|_| Failure::Unavailable("this text cannot be checked"))?.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnalyseQuery {
    rules: Option<String>,
    position: Option<String>,
}

async fn analyse(
    State(state): State<AppState>,
    Client(address): Client,
    Parameters(AnalyseQuery { rules, position }): Parameters<AnalyseQuery>,
) -> Result<Json<Analysis>, Failure> {
    state.throttle.analysis(address)?;
    let limits = &state.service.config.limits;
    let position = analyse::parse(rules.as_deref().unwrap_or("3,3,3"), position.as_deref(), limits)?;
    state.service.metrics.analyses.inc();
    let thinking = limits.thinking;
    let analysis = state.service.engines.with_oracle(*position.rules(), move |oracle| {
        let start = Instant::now();
        analyse::analyse(&position, oracle, &|| start.elapsed() > thinking)
    });
    analysis.await.map(Json)
}

async fn openapi() -> Response {
    let text = include_str!("../openapi.json");
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

async fn ready(State(state): State<AppState>) -> Result<&'static str, Failure> {
    state.service.ready().await.map(|()| "ready\n")
}

async fn metrics(State(state): State<AppState>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], state.service.metrics.text()).into_response()
}

/// Responds to an unknown path under `/api`.
pub(crate) async fn not_found() -> Response {
    let failure = Failure::BadRequest("unknown path: see /api/v1/openapi.json".to_owned());
    (StatusCode::NOT_FOUND, Json(failure.problem())).into_response()
}

async fn method_not_allowed() -> Response {
    let failure = Failure::BadRequest("method not allowed: see /api/v1/openapi.json".to_owned());
    (StatusCode::METHOD_NOT_ALLOWED, Json(failure.problem())).into_response()
}
