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
//! | `frame` | the frame around all pages, error pages and the content security policy |
//! | `home`, `join`, `game`, `device`, `check` | the pages that call the service |
//! | `game::sentences` | every sentence about a game on the server |
//! | `local` | the pages that do not call the service: replay, solo, help, offline |
//! | `board` | a board as HTML |
//! | `variant` | the rules in words, and as data for the scripts |
//! | `solved` | the table of 3×3 for the scripts |
//! | `link` | a game as the text of a link |
//! | `picture` | pictures of positions, and of links as QR codes |

mod assets;
mod board;
mod check;
mod device;
mod frame;
mod game;
mod home;
mod join;
mod link;
mod local;
mod picture;
mod solved;
mod variant;

use axum::Router;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};

use crate::service::Service;
pub(crate) use frame::{is_expected_by, with_readable_error};
pub(crate) use game::parts;
pub(crate) use link::game_of;
pub(crate) use picture::respond_with as picture_of;

/// Responds to a request for an unknown path: with a page, or with JSON below `/api`.
pub(crate) async fn not_found(uri: Uri) -> Response {
    if uri.path().starts_with("/api/") {
        return crate::api::not_found().await;
    }
    (StatusCode::NOT_FOUND, frame::not_found()).into_response()
}

pub(crate) fn routes() -> Router<Service> {
    Router::new()
        .route("/", get(home::show))
        .route("/new", post(home::create))
        .route("/join/{token}", any(join::redirect))
        .route("/g/{game}/join/{secret}", get(join::show).post(join::join))
        .route("/g/{game}/device", post(device::make))
        .route("/g/{game}/device/revoke", post(device::revoke))
        .route("/g/{game}", get(game::show))
        .route("/g/{game}/act", post(game::act))
        .route("/g/{game}/next", get(game::next))
        .route("/check", get(check::show).post(check::submit))
        .route("/check/result", post(check::result))
        .route("/r", get(local::replay))
        .route("/solo", get(local::solo))
        .route("/help", get(local::help))
        .route("/offline", get(local::offline))
        .route("/picture.svg", get(picture::position))
        .route("/qr.svg", get(picture::qr))
        .route("/assets/{version}/{name}", get(assets::show))
        .route("/sw.js", get(assets::service_worker))
        .route("/manifest.webmanifest", get(assets::manifest))
        .route("/favicon.ico", get(assets::favicon))
}
