//! The embedded files. They are compressed once, and browsers cache them under a path that changes with their content.

use std::io::Write;
use std::sync::LazyLock;

use axum::body::{Body, to_bytes};
use axum::extract::{Path, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use tictac::Mark;

use super::error::MESSAGES;
use super::language::entries;
use super::{board, solved};

/// A file that pages load.
struct Asset {
    name: &'static str,
    plain: Vec<u8>,
    gzipped: Vec<u8>,
}

macro_rules! embedded {
    ($($name:literal)*) => {
        [$(Asset::new($name, without_comments($name, include_str!(concat!("../../page/", $name))).into())),*]
    };
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let embedded = embedded! {
        "app.js" "board.js" "celebrate.js" "check.js" "clock.js" "connection.js" "dom.js" "embed.js" "home.js" "keys.js" "lesson.js" "link.js" "yours.js"
        "notation.js" "oracle.js" "play.js" "push.js" "reactions.js" "replay.js" "share.js" "solo.js" "solved.js" "sound.js" "text.js"
        "tournament.js" "tryout.js"
        "words.js" "style.css" "icon.svg" "icon-turn.svg" "manifest.webmanifest"
    };
    let german = dictionary(&embedded);
    let generated = [
        Asset::new("de.js", german.into()),
        Asset::new("x.svg", board::mark_file(Mark::X).into()),
        Asset::new("o.svg", board::mark_file(Mark::O).into()),
        Asset::new("solved.bin", solved::TABLE.clone()),
    ];
    embedded.into_iter().chain(generated).collect()
});

/// Returns a script or a style sheet without the comments that begin a line, which a browser would only have to load.
fn without_comments(name: &str, text: &str) -> String {
    let mut kept = String::new();
    let mut is_comment = false;
    let has_comments = [".js", ".css"].iter().any(|extension| name.ends_with(extension));
    for line in text.lines() {
        let code = line.trim_start();
        is_comment = has_comments && (is_comment || code.starts_with("/*"));
        match line.split_once("*/") {
            _ if has_comments && !is_comment && code.starts_with("//") => {}
            Some((_, rest)) if is_comment => {
                is_comment = false;
                if !rest.trim().is_empty() {
                    kept.push_str(rest.trim_start());
                    kept.push('\n');
                }
            }
            _ if is_comment => {}
            _ => {
                kept.push_str(line);
                kept.push('\n');
            }
        }
    }
    kept
}

/// Returns the German texts of the scripts as a module: those of the catalogue that a script contains or receives.
fn dictionary(scripts: &[Asset]) -> String {
    let scripts: Vec<&str> = scripts.iter().filter_map(|asset| str::from_utf8(&asset.plain).ok()).collect();
    let is_used = |english: &str| {
        let literal = format!("\"{english}\"");
        MESSAGES.contains(&english) || scripts.iter().any(|script| script.contains(&literal))
    };
    let texts: serde_json::Map<String, serde_json::Value> = entries()
        .filter(|(english, _)| is_used(english))
        .map(|(english, german)| (english.to_owned(), german.into()))
        .collect();
    format!("export default {};\n", serde_json::Value::Object(texts))
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

static VERSION: LazyLock<String> = LazyLock::new(|| {
    let digest = ASSETS.iter().fold(Sha256::new(), |digest, asset| {
        digest.chain_update(asset.name).chain_update([0]).chain_update(&asset.plain)
    });
    let digest = digest.chain_update(SERVICE_WORKER).finalize();
    data_encoding::HEXLOWER.encode(&digest[..8])
});

const SERVICE_WORKER: &str = include_str!("../../page/sw.js");

impl Asset {
    fn new(name: &'static str, plain: Vec<u8>) -> Asset {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let gzipped = encoder.write_all(&plain).and_then(|()| encoder.finish());
        Asset { name, plain, gzipped: gzipped.expect("writing to memory does not fail") }
    }

    fn respond(&self, headers: &HeaderMap, cache: &'static str) -> Response {
        let common: [(HeaderName, &'static str); 3] = [
            (header::CONTENT_TYPE, media_type(self.name)),
            (header::CACHE_CONTROL, cache),
            (header::VARY, "accept-encoding"),
        ];
        if accepts_gzip(headers) {
            (common, [(header::CONTENT_ENCODING, "gzip")], self.gzipped.clone()).into_response()
        } else {
            (common, self.plain.clone()).into_response()
        }
    }
}

pub(super) fn path(name: &str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}

/// `GET /assets/{version}/{name}`. An outdated version gets the current file, which must then not be cached.
pub(super) async fn show(Path((version, name)): Path<(String, String)>, headers: HeaderMap) -> Response {
    let Some(asset) = find(&name) else { return StatusCode::NOT_FOUND.into_response() };
    let cache = if version == *VERSION { "public, max-age=31536000, immutable" } else { "no-cache" };
    asset.respond(&headers, cache)
}

/// `GET /manifest.webmanifest`, with the versioned path of the icon.
pub(super) async fn manifest(headers: HeaderMap) -> Response {
    let asset = find("manifest.webmanifest").expect("the manifest is embedded");
    let text =
        String::from_utf8_lossy(&asset.plain).replace("\"icon.svg\"", &format!("\"{}\"", path("icon.svg")));
    Asset::new(asset.name, text.into_bytes()).respond(&headers, "no-cache")
}

/// `GET /favicon.ico`, which browsers request by themselves.
pub(super) async fn favicon(headers: HeaderMap) -> Response {
    find("icon.svg").expect("the icon is embedded").respond(&headers, "public, max-age=86400")
}

/// `GET /sw.js`: the service worker, with the paths of the files that it caches.
pub(super) async fn service_worker() -> Response {
    let files: Vec<String> = ASSETS.iter().map(|asset| path(asset.name)).collect();
    let text = SERVICE_WORKER.replace("{{version}}", &VERSION).replace("{{files}}", &files.join(" "));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type("sw.js"))),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        // The policy of the page does not apply to a worker. This one must fetch the files that it caches.
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; connect-src 'self'")),
    ];
    (headers, text).into_response()
}

/// Compresses pages, and the parts of pages that scripts fetch.
pub(super) async fn compress(request: Request, next: Next) -> Response {
    let accepts = accepts_gzip(request.headers());
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    let is_text = kind.starts_with(b"text/html") || kind.starts_with(b"application/json");
    if !accepts || !is_text || response.headers().contains_key(header::CONTENT_ENCODING) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(plain) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(5));
    let gzipped = encoder.write_all(&plain).and_then(|()| encoder.finish());
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    Response::from_parts(parts, Body::from(gzipped.expect("writing to memory does not fail")))
}

fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| {
        accepted.split(',').any(|coding| {
            let mut parts = coding.trim().split(';');
            parts.next() == Some("gzip") && !parts.any(|parameter| parameter.trim() == "q=0")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_together_are_smaller_than_sixty_kilobytes() {
        let total: usize = ASSETS.iter().map(|asset| asset.gzipped.len()).sum();
        assert!(total < 60 * 1024, "{total} bytes compressed");
    }

    #[test]
    fn comments_are_left_out() {
        let script = "// @ts-check\n/** One\n * two. */\nlet a = 1; // kept\n  /** @type {x} */ f(a);\n  /** All. */\n";
        assert_eq!(without_comments("a.js", script), "let a = 1; // kept\nf(a);\n");
        assert_eq!(without_comments("a.svg", "// <a/>\n"), "// <a/>\n");
    }

    #[test]
    fn every_module_that_a_script_imports_is_embedded() {
        for asset in ASSETS.iter().filter(|asset| media_type(asset.name).starts_with("text/javascript")) {
            let text = String::from_utf8(asset.plain.clone()).unwrap();
            for name in text.split("\"./").skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(find(name).is_some(), "{} imports {name}", asset.name);
            }
        }
    }

    #[test]
    fn gzip_is_sent_only_if_it_is_accepted() {
        let headers = |text: &'static str| {
            HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(text))])
        };
        assert!(accepts_gzip(&headers("gzip, deflate, br")));
        assert!(accepts_gzip(&headers("br;q=1.0, gzip;q=0.5")));
        assert!(!accepts_gzip(&headers("br, gzip;q=0")));
        assert!(!accepts_gzip(&headers("identity")));
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}
