//! The JSON API: handlers parse, call the service, answer.

mod socket;

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tictac::level::Level;
use tictac::notation::Picture;

use crate::analyse::{self, Analysis};
use crate::app::AppState;
use crate::check::{self, CheckReply};
use crate::config::Limits;
use crate::cookie;
use crate::failure::Failure;
use crate::guard::Client;
use crate::token::{GameId, SeatToken};
use crate::wire::{Action, Created, Update};

/// The longest that a request may wait for news, in seconds.
const MAX_WAIT: u64 = 30;

/// Returns the routes of the API and of the operator.
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
        .route("/levels", get(levels))
        .route("/openapi.json", get(openapi))
        .fallback(nothing_here)
        .method_not_allowed_fallback(not_like_that)
        .layer(DefaultBodyLimit::max(Limits::BODY));
    Router::new()
        .nest("/api/v1", api)
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
}

async fn create(
    State(state): State<AppState>,
    Client(address): Client,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<Created>), Failure> {
    throttled(&state, state.throttle().game(address))?;
    let created = state.service().create(read(body)?).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Since {
    #[serde(default)]
    since: u64,
    #[serde(default)]
    wait: u64,
}

async fn game(
    State(state): State<AppState>,
    Path(game): Path<String>,
    headers: HeaderMap,
    query: Result<Query<Since>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<Update>, Failure> {
    let Query(Since { since, wait }) = query.map_err(|error| Failure::BadRequest(error.body_text()))?;
    let wait = Duration::from_secs(wait.min(MAX_WAIT));
    let seat = cookie::seat(&headers);
    state.service().events(name(&game)?, seat.as_ref(), since, wait).await.map(Json)
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Join {
    #[serde(default)]
    name: Option<String>,
}

async fn join(
    State(state): State<AppState>,
    Path(game): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Update>, Failure> {
    let Join { name: called } = read(body)?;
    let secret = cookie::seat(&headers).ok_or(Failure::NoSeat)?;
    let token = SeatToken { game: name(&game)?, secret };
    Ok(Json(state.service().join(&token, called).await?.update))
}

async fn act(
    State(state): State<AppState>,
    Path(game): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Update>, Failure> {
    let action: Action = read(body)?;
    let secret = cookie::seat(&headers).ok_or(Failure::NoSeat)?;
    state.service().act(name(&game)?, &secret, action).await.map(Json)
}

async fn record(State(state): State<AppState>, Path(game): Path<String>) -> Result<Response, Failure> {
    let record = state.service().record(name(&game)?).await?;
    let disposition = format!("inline; filename=\"{game}.ttt\"");
    let headers =
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CONTENT_DISPOSITION, &disposition)];
    Ok((headers, record).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct After {
    moves: Option<usize>,
}

async fn picture(
    State(state): State<AppState>,
    Path(game): Path<String>,
    query: Result<Query<After>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Failure> {
    let Query(After { moves }) = query.map_err(|error| Failure::BadRequest(error.body_text()))?;
    let state = state.service().state_after(name(&game)?, moves).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg(&state)).into_response())
}

/// Returns a picture of a state of play.
fn svg(state: &tictac::State) -> String {
    let boards = state.boards().enumerate().map(|(number, board)| (board, state.lines(number)));
    Picture::of_boards(state.rules().grid(), boards).to_string()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckQuery {
    rules: Option<String>,
}

async fn check(
    State(state): State<AppState>,
    Client(address): Client,
    query: Result<Query<CheckQuery>, axum::extract::rejection::QueryRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<CheckReply>, Failure> {
    throttled(&state, state.throttle().analysis(address))?;
    let Query(CheckQuery { rules }) = query.map_err(|error| Failure::BadRequest(error.body_text()))?;
    let text = body.map_err(|rejection| too_large(&rejection))?;
    let work = tokio::task::spawn_blocking(move || check::check(rules.as_deref(), &text));
    work.await.map_err(|_| Failure::Unavailable("this text cannot be checked"))?.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    rules: Option<String>,
    position: Option<String>,
}

async fn analyse(
    State(state): State<AppState>,
    Client(address): Client,
    query: Result<Query<Question>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<Analysis>, Failure> {
    throttled(&state, state.throttle().analysis(address))?;
    let Query(Question { rules, position }) =
        query.map_err(|error| Failure::BadRequest(error.body_text()))?;
    let limits = &state.config().limits;
    let asked = analyse::read(rules.as_deref().unwrap_or("3,3,3"), position.as_deref(), limits)?;
    state.service().metrics().analyses.inc();
    let computer = state.service().computer();
    let rules = *asked.rules();
    let thinking = limits.thinking;
    let answer = computer.with_oracle(rules, move |oracle| {
        let start = std::time::Instant::now();
        analyse::analyse(&asked, oracle, &|| start.elapsed() > thinking)
    });
    answer.await.map(Json).map_err(|_| Failure::TooMany("analyses at once"))
}

async fn levels() -> Json<Vec<&'static str>> {
    Json(Level::ALL.map(Level::name).to_vec())
}

async fn openapi() -> Response {
    let text = include_str!("../openapi.json");
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

async fn ready(State(state): State<AppState>) -> Result<&'static str, Failure> {
    state.service().ready().await.map(|()| "ready\n")
}

async fn metrics(State(state): State<AppState>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], state.service().metrics().text()).into_response()
}

/// What every unknown path under `/api` answers.
pub(crate) async fn nothing_here() -> Response {
    let failure = Failure::BadRequest("there is nothing here: see /api/v1/openapi.json".to_owned());
    (StatusCode::NOT_FOUND, Json(failure.problem())).into_response()
}

async fn not_like_that() -> Response {
    let failure = Failure::BadRequest("not with this method: see /api/v1/openapi.json".to_owned());
    (StatusCode::METHOD_NOT_ALLOWED, Json(failure.problem())).into_response()
}

fn name(game: &str) -> Result<GameId, Failure> {
    game.parse().map_err(|_| Failure::NoSuchGame)
}

/// An empty body means an empty object.
fn read<T: DeserializeOwned>(body: Result<Bytes, BytesRejection>) -> Result<T, Failure> {
    let body = body.map_err(|rejection| too_large(&rejection))?;
    let body = if body.is_empty() { b"{}".as_slice() } else { &body };
    serde_json::from_slice(body).map_err(|error| Failure::BadRequest(error.to_string()))
}

fn too_large(rejection: &BytesRejection) -> Failure {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Failure::TooLarge("the body is larger than 64 KiB"),
        _ => Failure::BadRequest(rejection.body_text()),
    }
}

fn throttled(state: &AppState, passed: Result<(), Failure>) -> Result<(), Failure> {
    passed.inspect_err(|_| {
        state.service().metrics().throttled.inc();
    })
}
