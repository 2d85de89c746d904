//! The position of a game in a link, as an SVG picture.

use axum::extract::{Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tictac::notation::Picture;

use super::frame::ErrorPage;
use super::link::{from_link, state_after};
use crate::app::AppState;

/// The query of `/picture.svg`.
#[derive(Debug, Deserialize)]
pub(super) struct PictureQuery {
    game: String,
}

/// The picture contains its own style and loads nothing else.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// `GET /picture.svg?game=3,3,3/B2-A1`: the position after these moves.
pub(super) async fn show(
    State(state): State<AppState>,
    Query(query): Query<PictureQuery>,
) -> Result<Response, ErrorPage> {
    let (rules, moves) = from_link(&query.game, &state.service.config.limits)?;
    let state = state_after(&rules, &moves)?;
    let picture = Picture::new(&rules, state.boards()).to_string();
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"board.svg\"")),
    ];
    Ok((headers, picture).into_response())
}
