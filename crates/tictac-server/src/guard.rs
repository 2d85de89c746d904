//! Checks that apply to every request: host, origin and rate. Adds the security headers to every response.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::OwnedSemaphorePermit;

use crate::config::ServerConfig;
use crate::failure::Failure;
use crate::page;
use crate::service::Service;

/// A place among the allowed connections, which is free again when the last clone is dropped.
pub(crate) type ConnectionPermit = Arc<OwnedSemaphorePermit>;

/// The address of the client, to which rate limits apply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client(pub(crate) IpAddr);

impl FromRequestParts<Service> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, service: &Service) -> Result<Client, Infallible> {
        let peer = parts.extensions.get().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), SocketAddr::ip);
        Ok(Client(client_address(&service.config, &parts.headers, peer)))
    }
}

/// Returns the address of a client.
///
/// Behind a proxy it is the last entry of `X-Forwarded-For`, which the proxy has added; the others may be forged.
fn client_address(config: &ServerConfig, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
    let forwarded = || {
        let value = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        value.rsplit(',').next()?.trim().parse().ok()
    };
    if config.behind_proxy { forwarded().unwrap_or(peer) } else { peer }
}

/// The middleware that checks every request.
pub(crate) async fn guard(
    State(service): State<Service>,
    Client(address): Client,
    request: Request,
    next: Next,
) -> Response {
    let reader = page::reader_of(&request);
    let mut response = match check(&service, address, &request) {
        Ok(()) => next.run(request).await,
        Err(failure) => failure.into_response(),
    };
    if let Some(language) = reader {
        response = page::with_readable_error(response, language);
    }
    add_headers(response.headers_mut());
    response
}

fn check(service: &Service, address: IpAddr, request: &Request) -> Result<(), Failure> {
    // A proxy may have used the other one of two `Host` headers (RFC 9112, section 3.2).
    if request.headers().get_all(header::HOST).iter().count() > 1 {
        return Err(Failure::BadRequest("the request has more than one Host header".to_owned()));
    }
    // Probes are addressed to the node itself and are not limited.
    if matches!(request.uri().path(), "/healthz" | "/readyz" | "/metrics") {
        return Ok(());
    }
    check_host(&service.config, request)?;
    let is_upgrade = request.headers().contains_key(header::UPGRADE);
    if is_upgrade || !matches!(*request.method(), Method::GET | Method::HEAD) {
        check_origin(&service.config, request.headers())?;
    }
    service.throttle.request(address)
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
        assert_eq!(client_address(config, &headers, peer).to_string(), expected, "{forwarded:?}");
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
        check(&config, &["198.51.100.1, unknown"], "192.0.2.9");
    }
}
