//! The JSON API: handlers parse the request, call the service and return its result.

#[cfg(test)]
mod openapi_tests;
mod socket;
mod tournament;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tictac::Rules;
use tictac_solver::Analyst;
use tictac_solver::level::Level;

use crate::analyse::{self, AnalysisTime};
use crate::check::{self, CheckReply};
use crate::export;
use crate::extract::{GamePath, JsonBody, Parameters, RawBody, Visitor};
use crate::failure::Failure;
use crate::hosted_game::game_of;
use crate::live_game::LiveGame;
use crate::page;
use crate::push::{PushTarget, PushTargetKeys};
use crate::service::{Service, rules_within};
use crate::token::{GameId, SeatToken, Secret};
use crate::wire::{ActionRequest, Created, GameState, JoinedGame, NewGame, Update, VERSION, to_json};

const OPENAPI: &str = include_str!("../openapi.json");

/// How long a request may wait for an event, in seconds.
const MAX_WAIT: u64 = 30;

/// Returns the routes of the API and of the probes.
pub(crate) fn routes() -> Router<Service> {
    let api = Router::new()
        .route("/games", post(create))
        .route("/games/{game}", get(game))
        .route("/games/{game}/join", post(join))
        .route("/games/{game}/events", post(act))
        .route("/games/{game}/socket", get(socket::upgrade))
        .route("/games/{game}/push", post(subscribe).delete(unsubscribe))
        .route("/games/{game}/record", get(record))
        .route("/games/{game}/picture.svg", get(picture))
        .route("/public", get(public))
        .route("/check", post(check))
        .route("/analyse", get(analyse))
        .route("/judge", post(judge))
        .route("/levels", get(async || Json(Level::ALL.map(Level::name))))
        .route("/openapi.json", get(async || ([(header::CONTENT_TYPE, "application/json")], OPENAPI)))
        .merge(tournament::routes())
        .fallback(not_found)
        .method_not_allowed_fallback(async || refuse(StatusCode::METHOD_NOT_ALLOWED, "method not allowed"));
    probes().nest("/api/v1", api)
}

/// Returns the routes of the probes.
pub(crate) fn probes() -> Router<Service> {
    Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
}

/// A response of the API.
type ApiReply<T> = Result<Json<T>, Failure>;

async fn create(
    visitor: Visitor,
    JsonBody(request): JsonBody<NewGame>,
) -> Result<(StatusCode, Json<Created>), Failure> {
    visitor.service.throttle.game(visitor.address)?;
    Ok((StatusCode::CREATED, Json(visitor.service.create(request, visitor.address).await?)))
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct EventsQuery {
    since: u64,
    wait: u64,
}

async fn game(
    visitor: Visitor,
    GamePath(game): GamePath,
    Parameters(EventsQuery { since, wait }): Parameters<EventsQuery>,
) -> ApiReply<Update> {
    let service = &visitor.service;
    let live = service.open(game).await?;
    if wait > 0 {
        let _permit = service.throttle.long_poll(visitor.address)?;
        let wait = Duration::from_secs(wait.min(MAX_WAIT));
        service.wait_for_change(&live.changed, || live.lock().since(since).is_empty(), wait).await;
    }
    let state = live.lock();
    Ok(Json(state.whole_update(since, state.hosted.you(visitor.seat().as_ref()))))
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct JoinRequest {
    name: Option<String>,
    /// A secret that the client has chosen, with which the request can be repeated.
    key: Option<String>,
}

/// Returns the secret that a client has chosen, or a random one.
fn chosen_secret(key: Option<&str>) -> Result<Secret, Failure> {
    let invalid = "the key must be 26 characters of 0123456789abcdefghjkmnpqrstvwxyz";
    key.map_or_else(|| Ok(Secret::random()), str::parse).map_err(|_| Failure::BadRequest(invalid.to_owned()))
}

async fn join(
    visitor: Visitor,
    GamePath(game): GamePath,
    JsonBody(JoinRequest { name, key }): JsonBody<JoinRequest>,
) -> ApiReply<JoinedGame> {
    let (secret, key) = (visitor.player()?, chosen_secret(key.as_deref())?);
    if key.hash().matches(&secret.hash()) {
        return Err(Failure::BadRequest("the key must not be the secret of the invitation".to_owned()));
    }
    visitor.service.join(SeatToken { game, secret }, name, key).await.map(Json)
}

async fn act(
    visitor: Visitor,
    GamePath(game): GamePath,
    JsonBody(action): JsonBody<ActionRequest>,
) -> ApiReply<Update> {
    visitor.service.act(game, &visitor.player()?, action, visitor.address).await.map(Json)
}

/// A public game.
#[derive(Serialize)]
struct PublicGame {
    game: GameId,
    state: GameState,
}

/// The public games that are being played.
#[derive(Serialize)]
struct PublicGames {
    version: u32,
    games: Vec<PublicGame>,
}

async fn public(visitor: Visitor) -> ApiReply<PublicGames> {
    visitor.service.throttle.analysis(visitor.address)?;
    let games = visitor.service.public_games().await?;
    let public = |live: &Arc<LiveGame>| PublicGame { game: live.id, state: live.lock().hosted.state() };
    Ok(Json(PublicGames { version: VERSION, games: games.iter().map(public).collect() }))
}

/// A browser's `PushSubscription`, and the language of the messages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PushRequest {
    endpoint: String,
    keys: PushTargetKeys,
    /// Not needed: the push service tells when a subscription is gone.
    #[serde(default, rename = "expirationTime")]
    _expires: Option<f64>,
    #[serde(default)]
    lang: String,
}

async fn subscribe(
    visitor: Visitor,
    GamePath(game): GamePath,
    JsonBody(PushRequest { endpoint, keys, lang, .. }): JsonBody<PushRequest>,
) -> ApiReply<PushReply> {
    let target = PushTarget { endpoint, keys };
    visitor.service.subscribe(game, &visitor.player()?, target, &lang).await?;
    Ok(Json(PushReply { version: VERSION, push: true }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnsubscribeRequest {
    endpoint: String,
}

async fn unsubscribe(
    visitor: Visitor,
    GamePath(game): GamePath,
    JsonBody(UnsubscribeRequest { endpoint }): JsonBody<UnsubscribeRequest>,
) -> ApiReply<PushReply> {
    visitor.service.unsubscribe(game, &visitor.player()?, &endpoint).await?;
    Ok(Json(PushReply { version: VERSION, push: false }))
}

/// Whether a browser gets messages about a game.
#[derive(Serialize)]
struct PushReply {
    version: u32,
    push: bool,
}

async fn record(State(service): State<Service>, GamePath(game): GamePath) -> Result<Response, Failure> {
    let live = service.open(game).await?;
    let record = export::record(&live.lock());
    Ok(file("text/plain; charset=utf-8", "inline", &format!("{game}.ttt"), record))
}

/// Responds with a file, which a browser saves under a name or shows `inline`.
fn file(kind: &str, disposition: &str, name: &str, content: Vec<u8>) -> Response {
    let disposition = format!("{disposition}; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, &disposition)], content).into_response()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GamePictureQuery {
    moves: Option<usize>,
}

async fn picture(
    State(service): State<Service>,
    GamePath(game): GamePath,
    Parameters(GamePictureQuery { moves }): Parameters<GamePictureQuery>,
) -> Result<Response, Failure> {
    let live = service.open(game).await?;
    let state = live.lock().hosted.game.state_after(moves.unwrap_or(usize::MAX));
    Ok(page::picture_of(&state))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckQuery {
    rules: Option<String>,
}

async fn check(
    visitor: Visitor,
    Parameters(CheckQuery { rules }): Parameters<CheckQuery>,
    RawBody(text): RawBody,
) -> ApiReply<CheckReply> {
    let rules = rules.map_or(Ok(Rules::CLASSIC), |rules| rules.parse());
    let rules = rules.map_err(|error| Failure::BadRules(format!("{error}")))?;
    check_text(&visitor, rules, text).await.map(Json)
}

/// Checks a text of games on a thread that may block.
pub(crate) async fn check_text(visitor: &Visitor, rules: Rules, text: Bytes) -> Result<CheckReply, Failure> {
    let throttle = &visitor.service.throttle;
    throttle.analysis(visitor.address)?;
    let _permit = throttle.running_analysis(visitor.address)?;
    let work = tokio::task::spawn_blocking(move || check::check(&rules, &text));
    work.await.map_err(|_| Failure::Unavailable("this text cannot be checked"))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnalyseQuery {
    rules: Option<String>,
    position: Option<String>,
}

async fn analyse(
    visitor: Visitor,
    Parameters(AnalyseQuery { rules, position }): Parameters<AnalyseQuery>,
) -> Result<Response, Failure> {
    visitor.service.throttle.analysis(visitor.address)?;
    let state = analyse::parse(rules.as_deref(), position.as_deref(), &visitor.service.config.limits)?;
    let rules = *state.rules();
    let question = format!("{rules}\n{state}");
    let work = move |analyst: &mut Analyst, time: &AnalysisTime<'_>| {
        let analysis = analyse::analyse(&state, analyst, time);
        (to_json(&analysis), analysis.is_complete())
    };
    ask(&visitor, rules, question, work).await
}

/// Answers a question from the cache, or by `work` on a thread for analyses. `work` returns JSON and whether it is complete.
async fn ask(
    visitor: &Visitor,
    rules: Rules,
    question: String,
    work: impl FnOnce(&mut Analyst, &AnalysisTime<'_>) -> (String, bool) + Send + 'static,
) -> Result<Response, Failure> {
    let service = &visitor.service;
    let json = if let Some(json) = service.answers.get(&question) {
        json
    } else {
        let _permit = service.throttle.running_analysis(visitor.address)?;
        service.metrics.analyses.inc();
        // Dropped, and thus cancelled, when the client disconnects.
        let cancelled = service.stopping.child_token();
        let _guard = cancelled.clone().drop_guard();
        let work = move |analyst: &mut Analyst, limit: &dyn Fn() -> Duration| {
            work(analyst, &AnalysisTime::start(limit, cancelled))
        };
        let (json, is_complete) = service.analysts.with_analyst(visitor.address.into(), rules, work).await?;
        let json = Bytes::from(json);
        service.answers.insert(question, json.clone(), is_complete);
        json
    };
    Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JudgeRequest {
    rules: String,
    #[serde(default)]
    moves: Vec<String>,
}

async fn judge(
    visitor: Visitor,
    JsonBody(JudgeRequest { rules, moves }): JsonBody<JudgeRequest>,
) -> Result<Response, Failure> {
    visitor.service.throttle.analysis(visitor.address)?;
    let rules = rules_within(Some(&rules), &visitor.service.config.limits)?;
    if moves.len() > rules.max_moves() {
        return Err(Failure::BadRequest("more moves than squares".to_owned()));
    }
    let game = game_of(&rules, &moves)?;
    let question = format!("judge {rules}\n{}", moves.join("\n"));
    let work = move |analyst: &mut Analyst, time: &AnalysisTime<'_>| {
        let judged = analyse::judge(&game, analyst, time);
        (to_json(&judged), judged.is_complete())
    };
    ask(&visitor, rules, question, work).await
}

async fn ready(State(service): State<Service>) -> Result<&'static str, Failure> {
    service.ready().await.map(|()| "ready\n")
}

async fn metrics(State(service): State<Service>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], service.metrics.text()).into_response()
}

/// Responds to an unknown path under `/api`.
pub(crate) async fn not_found() -> Response {
    refuse(StatusCode::NOT_FOUND, "unknown path")
}

fn refuse(status: StatusCode, reason: &str) -> Response {
    let failure = Failure::BadRequest(format!("{reason}: see /api/v1/openapi.json"));
    (status, Json(failure.problem())).into_response()
}
