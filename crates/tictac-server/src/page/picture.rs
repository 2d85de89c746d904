//! SVG pictures: of positions, and of links as QR codes.

use std::fmt::Write;

use axum::extract::State as AxumState;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use qrcodegen::{QrCode, QrCodeEcc};
use serde::Deserialize;
use tictac::State;
use tictac::notation::Picture;

use super::language::Language;
use super::link::game_of_link;
use crate::extract::Parameters;
use crate::failure::Failure;
use crate::service::Service;

/// The width of the white margin that scanners of QR codes need, in modules.
const MARGIN: i32 = 4;
/// The longest link; the code of a longer one is too dense for most cameras.
const MAX_LINK: usize = 1_000;
/// A picture may contain its own style, but loads nothing else.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

#[derive(Debug, Deserialize)]
pub(super) struct PositionQuery {
    game: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct QrQuery {
    path: String,
}

/// `GET /picture.svg?game=3,3,3/B2-A1`: the position after these moves.
pub(super) async fn position(
    AxumState(service): AxumState<Service>,
    Parameters(query): Parameters<PositionQuery>,
) -> Result<Response, Failure> {
    let game = game_of_link(&query.game, &service.config.limits)?;
    let disposition = [(header::CONTENT_DISPOSITION, "attachment; filename=\"board.svg\"")];
    Ok((disposition, respond_with(game.state())).into_response())
}

pub(crate) fn respond_with(state: &State) -> Response {
    svg(Picture::new(state.rules(), state.boards()).to_string())
}

/// `GET /qr.svg?path=/r%23…`: only for links to this server, so that other sites cannot use it for theirs.
pub(super) async fn qr(
    AxumState(service): AxumState<Service>,
    language: Language,
    Parameters(QrQuery { path }): Parameters<QrQuery>,
) -> Result<Response, Failure> {
    let is_local = path.starts_with('/') && !path.starts_with("//");
    let picture =
        is_local.then(|| draw_qr(language, &format!("{}{path}", service.config.public_origin))).flatten();
    let no_code = || Failure::BadRequest("this link cannot be made into a QR code".to_owned());
    Ok(svg(picture.ok_or_else(no_code)?))
}

/// Renders the QR code of a link, or nothing if the link is too long.
pub(super) fn qr_code(language: Language, link: &str) -> Markup {
    html! { @if let Some(picture) = draw_qr(language, link) { (PreEscaped(picture)) } }
}

fn svg(picture: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    ];
    (headers, picture).into_response()
}

fn draw_qr(language: Language, link: &str) -> Option<String> {
    if link.len() > MAX_LINK {
        return None;
    }
    let code = QrCode::encode_text(link, QrCodeEcc::Medium).ok()?;
    let size = code.size() + 2 * MARGIN;
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|&x| code.get_module(x, y)) {
            write!(path, "M{} {}h1v1h-1z", x + MARGIN, y + MARGIN).ok()?;
        }
    }
    let label = language.t("QR code of the link");
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"qr\" viewBox=\"0 0 {size} {size}\" role=\"img\" \
         aria-label=\"{label}\" shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{size}v{size}H0z\"/>\
         <path fill=\"#000\" d=\"{path}\"/></svg>"
    ))
}
