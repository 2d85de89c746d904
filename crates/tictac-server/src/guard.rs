//! Checks that apply to every request: host, origin and rate. Adds the security headers to every response.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use crate::config::{ServerConfig, ServerLimits};
use crate::failure::Failure;
use crate::page;
use crate::service::Service;
use crate::throttle::{AddressPermit, RequestsLeft};

/// A place among all connections and among those of an address, which is free again when the last clone is dropped.
pub(crate) type ConnectionPermit = Arc<(OwnedSemaphorePermit, Option<AddressPermit>)>;

/// The address of the client, to which rate limits apply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client(pub(crate) IpAddr);

impl FromRequestParts<Service> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, service: &Service) -> Result<Client, Infallible> {
        if let Some(client) = parts.extensions.get::<Client>() {
            return Ok(*client);
        }
        let peer = parts.extensions.get().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), SocketAddr::ip);
        let address = client_address(&service.config, &parts.headers, peer).unwrap_or_else(|text| {
            if service.metrics.unknown_clients.inc() == 0 {
                tracing::warn!("the proxy sends {text:?} in X-Forwarded-For, which is no address");
            }
            peer
        });
        let client = Client(address.to_canonical());
        parts.extensions.insert(client);
        Ok(client)
    }
}

/// Returns the address of a client, or the text that should have one.
///
/// Behind a proxy it is the last entry of `X-Forwarded-For`, which the proxy has added; the others may be forged.
fn client_address(config: &ServerConfig, headers: &HeaderMap, peer: IpAddr) -> Result<IpAddr, String> {
    let last = headers.get_all("x-forwarded-for").iter().next_back().filter(|_| config.behind_proxy);
    let Some(value) = last else { return Ok(peer) };
    let value = String::from_utf8_lossy(value.as_bytes());
    let text = value.rsplit(',').next().unwrap_or("").trim();
    // Some proxies add the port, and IPv6 addresses may be in brackets.
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse().map(|address: SocketAddr| address.ip());
    bare.parse().or_else(|_| with_port()).map_err(|_| text.to_owned())
}

/// The middleware that checks every request and reads its body.
pub(crate) async fn guard(
    State(service): State<Service>,
    Client(address): Client,
    request: Request,
    next: Next,
) -> Response {
    let reader = page::reader_of(&request);
    let (left, mut response) = match check(&service, address, &request) {
        Ok(left) => match with_whole_body(request, service.config.limits.read_timeout).await {
            Ok(request) => (left, next.run(request).await),
            Err(failure) => (left, failure.into_response()),
        },
        Err(failure) => (None, failure.into_response()),
    };
    if let Some(language) = reader {
        response = page::with_readable_error(response, language);
    }
    add_headers(response.headers_mut());
    if let Some(left) = left {
        add_rate_limit(response.headers_mut(), left, service.config.limits.requests_per_minute);
    }
    response
}

/// Checks a request; returns how many more its address may send, if they are limited.
fn check(service: &Service, address: IpAddr, request: &Request) -> Result<Option<RequestsLeft>, Failure> {
    // A proxy may have used the other one of two `Host` headers (RFC 9112, section 3.2).
    if request.headers().get_all(header::HOST).iter().count() > 1 {
        return Err(Failure::BadRequest("the request has more than one Host header".to_owned()));
    }
    // Probes are addressed to the node itself and are not limited.
    if is_probe(request) {
        return Ok(None);
    }
    check_host(&service.config, request)?;
    let is_upgrade = request.headers().contains_key(header::UPGRADE);
    if is_upgrade || !matches!(*request.method(), Method::GET | Method::HEAD) {
        check_origin(&service.config, request.headers())?;
    }
    service.throttle.request(address).map(Some)
}

fn is_probe(request: &Request) -> bool {
    matches!(request.uri().path(), "/healthz" | "/readyz" | "/metrics")
}

/// Reads the body of a request within `time`, however slowly its parts arrive.
///
/// If the body is too large, the handler that reads it gets that error, without delay if the size was announced.
async fn with_whole_body(request: Request, time: Duration) -> Result<Request, Failure> {
    let size = request.body().size_hint();
    if size.exact() == Some(0) {
        return Ok(request);
    }
    let (parts, body) = request.into_parts();
    // The error of a body that exceeds its limit cannot be made in another way.
    let too_large = || Body::new(Limited::new(Body::from(" "), 0));
    let body = if size.lower() > ServerLimits::BODY as u64 {
        too_large()
    } else {
        match timeout(time, Limited::new(body, ServerLimits::BODY).collect()).await {
            Ok(Ok(body)) => Body::from(body.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => too_large(),
            Ok(Err(error)) => return Err(Failure::BadRequest(format!("the body is incomplete: {error}"))),
            Err(_) => return Err(Failure::TooSlow),
        }
    };
    Ok(Request::from_parts(parts, body))
}

/// Checks the host in the header and in the request target; at least one of them must be present.
fn check_host(config: &ServerConfig, request: &Request) -> Result<(), Failure> {
    let header = request.headers().get(header::HOST).map(|host| host.to_str().unwrap_or(""));
    let target = request.uri().authority().map(axum::http::uri::Authority::as_str);
    let mut hosts = header.into_iter().chain(target).peekable();
    if hosts.peek().is_some() && hosts.all(|host| config.is_host(host)) {
        Ok(())
    } else {
        Err(Failure::WrongHost)
    }
}

/// Refuses requests that a browser sends from another site. Other programs need not send an origin.
fn check_origin(config: &ServerConfig, headers: &HeaderMap) -> Result<(), Failure> {
    if let Some(origin) = headers.get(header::ORIGIN) {
        let is_ours = origin.to_str().is_ok_and(|origin| config.is_origin(origin));
        return if is_ours { Ok(()) } else { Err(Failure::WrongOrigin) };
    }
    match headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => Err(Failure::WrongOrigin),
    }
}

/// Adds the headers that every response has, unless the handler has set its own.
fn add_headers(headers: &mut HeaderMap) {
    const HEADERS: [(HeaderName, &str); 6] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With `no-referrer` browsers would send no origin with our own forms.
        (header::REFERRER_POLICY, "same-origin"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// Adds how many requests the client may still send (draft-ietf-httpapi-ratelimit-headers).
fn add_rate_limit(headers: &mut HeaderMap, left: RequestsLeft, per_minute: u32) {
    let RequestsLeft { remaining, seconds } = left;
    for (name, value) in [
        ("ratelimit-policy", format!("\"requests\";q={per_minute};w=60")),
        ("ratelimit", format!("\"requests\";r={remaining};t={seconds}")),
    ] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(config: &ServerConfig, forwarded: &[&str], expected: &str) {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let peer = "192.0.2.9".parse().unwrap();
        let address = client_address(config, &headers, peer);
        assert_eq!(
            address.map_or_else(|text| text, |address| address.to_string()),
            expected,
            "{forwarded:?}"
        );
    }

    #[test]
    fn behind_a_proxy_the_last_forwarded_address_counts() {
        let mut config = ServerConfig::local(([127, 0, 0, 1], 8470).into());
        check(&config, &["198.51.100.1"], "192.0.2.9");
        config.behind_proxy = true;
        check(&config, &[], "192.0.2.9");
        check(&config, &["198.51.100.1"], "198.51.100.1");
        check(&config, &["198.51.100.1, 198.51.100.2,2001:db8::3"], "2001:db8::3");
        check(&config, &["198.51.100.1", "198.51.100.2, 198.51.100.3"], "198.51.100.3");
        check(&config, &["198.51.100.1, 198.51.100.2:4711"], "198.51.100.2");
        check(&config, &["[2001:db8::3]"], "2001:db8::3");
        check(&config, &["[2001:db8::3]:4711"], "2001:db8::3");
        check(&config, &["198.51.100.1, unknown"], "unknown");
    }
}
