//! The web page: server-rendered HTML, forms for browsers without scripts, and the embedded files.
//!
//! Everything essential works with plain forms; the scripts in `page/` make it faster. Neither decides any rule of a game: both
//! show what the service and the library return.
//!
//! # Layout
//!
//! | module | responsibility |
//! |---|---|
//! | `assets` | the embedded files, under a path that changes with their content |
//! | `language` | the language of a page, and the catalogue of all texts |
//! | `frame`, `error` | the frame around all pages with the content security policy; failures as pages |
//! | `home`, `join`, `game`, `device`, `check`, `lesson`, `embed`, `watch` | the pages that call the service or the solver |
//! | `tournament` | the pages of tournaments |
//! | `game::sentences` | every sentence about a game on the server |
//! | `local` | the pages that do not call the service: replay, solo, help, offline |
//! | `board`, `clock` | a board as HTML; the clocks of a game |
//! | `variant` | the rules in words, and as data for the scripts |
//! | `solved` | the table of 3×3 for the scripts |
//! | `link`, `pasted` | a game as the text of a link; other texts that people paste as a game |
//! | `picture`, `preview`, `raster` | pictures of positions, and of links as QR codes; PNG pictures for previews of links |

mod assets;
mod board;
mod check;
mod clock;
mod device;
mod embed;
mod error;
mod frame;
mod game;
mod home;
mod join;
mod language;
mod lesson;
mod link;
mod local;
mod pasted;
mod picture;
mod preview;
mod raster;
mod solved;
mod tournament;
mod variant;
mod watch;

use axum::Router;
use axum::http::{StatusCode, Uri};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};

use crate::service::Service;
pub(crate) use error::{reader_of, with_readable_error};
pub(crate) use game::ViewedGame;
pub(crate) use language::Language;
pub(crate) use picture::respond_with as picture_of;

/// Responds to a request for an unknown path: with a page, or with JSON below `/api`.
pub(crate) async fn not_found(uri: Uri, language: Language) -> Response {
    if uri.path().starts_with("/api/") {
        return crate::api::not_found().await;
    }
    (StatusCode::NOT_FOUND, error::not_found(language)).into_response()
}

pub(crate) fn routes() -> Router<Service> {
    Router::new()
        .route("/", get(home::show))
        .route("/new", get(home::back).post(home::create))
        .route("/join/{token}", any(join::redirect))
        .route("/g/{game}/join/{secret}", get(join::show).post(join::join))
        .route("/g/{game}/device", post(device::make))
        .route("/g/{game}/device/revoke", post(device::revoke))
        .route("/g/{game}", get(game::show))
        .route("/g/{game}/act", get(game::back).post(game::act))
        .route("/g/{game}/next", get(game::next))
        .route("/games", get(watch::list))
        .route("/check", get(check::show).post(check::submit))
        .route("/check/result", post(check::result))
        .route("/lessons", get(lesson::list))
        .route("/lessons/{id}", get(lesson::show).post(lesson::attempt))
        .route("/embed/r", get(embed::replay))
        .route("/embed/g/{game}", get(embed::game))
        .route("/r", get(local::replay))
        .route("/solo", get(local::solo))
        .route("/help", get(local::help))
        .route("/offline", get(local::offline))
        .route("/picture.svg", get(picture::position))
        .route("/qr.svg", get(picture::qr))
        .route("/preview.png", get(preview::site))
        .route("/g/{game}/preview.png", get(preview::game))
        .route("/apple-touch-icon.png", get(preview::icon))
        .merge(tournament::routes())
        .route("/assets/{version}/{name}", get(assets::show))
        .route("/sw.js", get(assets::service_worker))
        .route("/manifest.webmanifest", get(assets::manifest))
        .route("/favicon.ico", get(assets::favicon))
        .layer(from_fn(error::show_failures))
        .layer(from_fn(language::carry))
        .layer(from_fn(assets::compress))
}
