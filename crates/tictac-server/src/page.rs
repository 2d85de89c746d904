//! The page: server-rendered HTML, forms for play without script, and the embedded files.
//!
//! Everything essential works through plain forms; the script in `page/` makes it quicker and nicer. No rule of any game
//! is decided here or in the script: both draw what the service says.
//!
//! # Layout
//!
//! | module | what it knows |
//! |---|---|
//! | `assets` | the embedded files, under a name that changes with them |
//! | `frame` | what all pages share, and the policy that guards them |
//! | `board` | a board as a form |
//! | `home`, `game`, `join`, `check` | the pages that ask the service |
//! | `quiet` | the pages that need nobody: replay, solo, help, offline |
//! | `judge` | facts and values of every position of a game, for the replay |
//! | `solved` | the table of 3×3 for the script |
//! | `picture`, `qr` | pictures of positions and of links |

mod assets;
mod board;
mod check;
mod frame;
mod game;
mod home;
mod join;
mod judge;
mod picture;
mod qr;
mod quiet;
mod solved;
mod words;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::app::AppState;
use crate::config::Limits;

/// What is asked for anywhere else: people get a page, programs their problem.
pub(crate) async fn not_here(uri: Uri) -> Response {
    if uri.path().starts_with("/api/") {
        return crate::api::nothing_here().await;
    }
    (StatusCode::NOT_FOUND, frame::not_here()).into_response()
}

/// Returns the routes of the page.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/", get(home::show))
        .route("/new", post(home::create))
        .route("/join/{token}", get(join::show).post(join::join))
        .route("/g/{game}", get(game::show))
        .route("/g/{game}/act", post(game::act))
        .route("/g/{game}/next", get(game::next))
        .route("/check", get(check::show).post(check::check))
        .route("/r", get(quiet::replay))
        .route("/solo", get(quiet::solo))
        .route("/help", get(quiet::help))
        .route("/offline", get(quiet::offline))
        .route("/picture.svg", get(picture::show))
        .route("/qr.svg", get(qr::show))
        .route("/api/v1/judge", post(judge::judge))
        .route("/assets/{version}/{name}", get(assets::show))
        .route("/sw.js", get(assets::service_worker))
        .route("/manifest.webmanifest", get(assets::manifest))
        .route("/favicon.ico", get(assets::favicon))
        .layer(DefaultBodyLimit::max(Limits::BODY))
}
