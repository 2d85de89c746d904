//! Links as QR codes.

use std::fmt::Write;

use axum::extract::{Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use qrcodegen::{QrCode, QrCodeEcc};
use serde::Deserialize;

use super::frame::ErrorPage;
use crate::app::AppState;
use crate::failure::Failure;

/// The width of the white margin that scanners need, in modules.
const MARGIN: i32 = 4;
/// The longest link; the code of a longer one is too dense for most cameras.
const MAX_BYTES: usize = 1_000;

/// The query of `/qr.svg`.
#[derive(Debug, Deserialize)]
pub(super) struct QrQuery {
    path: String,
}

/// `GET /qr.svg?path=/r%23…`: only for links to this server, so that other sites cannot use it for theirs.
pub(super) async fn show(
    State(state): State<AppState>,
    Query(QrQuery { path }): Query<QrQuery>,
) -> Result<Response, ErrorPage> {
    let is_local = path.starts_with('/') && !path.starts_with("//");
    let picture = is_local.then(|| svg(&format!("{}{path}", state.service.config.public_origin))).flatten();
    let picture =
        picture.ok_or_else(|| Failure::BadRequest("this link cannot be made into a QR code".to_owned()))?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'")),
    ];
    Ok((headers, picture).into_response())
}

/// Renders the code of a link, or nothing if the link is too long.
pub(super) fn code(link: &str) -> Markup {
    html! { @if let Some(picture) = svg(link) { (PreEscaped(picture)) } }
}

fn svg(link: &str) -> Option<String> {
    if link.len() > MAX_BYTES {
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
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"qr\" viewBox=\"0 0 {size} {size}\" role=\"img\" \
         aria-label=\"QR code of the link\" shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{size}v{size}H0z\"/>\
         <path fill=\"#000\" d=\"{path}\"/></svg>"
    ))
}
