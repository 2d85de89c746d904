//! Links as QR codes.

use std::fmt::Write;

use axum::extract::{Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use qrcodegen::{QrCode, QrCodeEcc};
use serde::Deserialize;

use super::frame::Trouble;
use crate::app::AppState;
use crate::failure::Failure;

/// The white margin that scanners need, in modules.
const MARGIN: i32 = 4;
/// Longer links make codes that no camera reads.
const MAX_BYTES: usize = 1_000;

/// What the address asks for.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    path: String,
}

/// `GET /qr.svg?path=/r%23…`: only links to this server, so that nobody borrows it for others.
pub(super) async fn show(
    State(state): State<AppState>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Trouble> {
    let is_ours = wanted.path.starts_with('/') && !wanted.path.starts_with("//");
    let link = format!("{}{}", state.config().public_origin, wanted.path);
    let picture = Some(link).filter(|_| is_ours).and_then(|link| svg(&link));
    let picture =
        picture.ok_or_else(|| Failure::BadRequest("there is no code for such a link".to_owned()))?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    Ok((headers, picture).into_response())
}

/// A link as a code in a page; nothing where the link is too long.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_becomes_a_picture_and_an_endless_one_does_not() {
        let picture = svg("http://127.0.0.1:8470/g/4h8k2m9q1x7z").unwrap();
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>"));
        assert!(svg(&"x".repeat(MAX_BYTES + 1)).is_none());
    }
}
