//! Who may ask at all: hosts, origins, rates, and what every answer carries.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::OwnedSemaphorePermit;

use crate::app::AppState;
use crate::config::Config;
use crate::failure::Failure;

/// The address of the other end of a connection, as the listener saw it.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// One of the connections that there is room for; whoever keeps it keeps the room.
#[derive(Clone, Debug)]
pub struct Place(#[expect(dead_code, reason = "it is held, not read")] pub(crate) Arc<OwnedSemaphorePermit>);

/// The address that a request counts for.
#[derive(Clone, Copy, Debug)]
pub struct Client(pub IpAddr);

impl FromRequestParts<AppState> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Client, Infallible> {
        let peer = parts.extensions.get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.0.ip());
        Ok(Client(client_address(state.config(), &parts.headers, peer)))
    }
}

/// The last entry is the one that our own proxy has written; those before it can be invented.
fn client_address(config: &Config, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
    let forwarded = || {
        let value = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        value.rsplit(',').next()?.trim().parse().ok()
    };
    if config.behind_proxy { forwarded().unwrap_or(peer) } else { peer }
}

/// Lets a request through, or says why not.
pub(crate) async fn guard(
    State(state): State<AppState>,
    Client(address): Client,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let is_probe = matches!(path, "/healthz" | "/readyz" | "/metrics");
    // Probes come by address, and from inside.
    let passed = match check_one_host(&request) {
        Ok(()) if !is_probe => pass(&state, address, &request),
        checked => checked,
    };
    let mut response = match passed {
        Ok(()) => next.run(request).await,
        Err(failure) => {
            if matches!(failure, Failure::TooMany(_)) {
                state.service().metrics().throttled.inc();
            }
            failure.into_response()
        }
    };
    add_headers(response.headers_mut());
    response
}

fn pass(state: &AppState, address: IpAddr, request: &Request) -> Result<(), Failure> {
    check_host(state.config(), request)?;
    let is_upgrade = request.headers().contains_key(header::UPGRADE);
    if is_upgrade || !matches!(*request.method(), Method::GET | Method::HEAD) {
        check_origin(state.config(), request.headers())?;
    }
    state.throttle().request(address)
}

/// Two hosts are no request: a proxy may have believed the other one (RFC 9112, section 3.2).
fn check_one_host(request: &Request) -> Result<(), Failure> {
    match request.headers().get_all(header::HOST).iter().count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::BadRequest("the request names more than one host".to_owned())),
    }
}

/// A host may be named in the header and in the address; whatever is named must be ours, and something must be.
fn check_host(config: &Config, request: &Request) -> Result<(), Failure> {
    let header = request.headers().get(header::HOST).map(|host| host.to_str().unwrap_or(""));
    let address = request.uri().authority().map(axum::http::uri::Authority::as_str);
    let mut named = header.into_iter().chain(address).peekable();
    if named.peek().is_some() && named.all(|host| config.is_host(host)) {
        Ok(())
    } else {
        Err(Failure::WrongHost)
    }
}

/// Browsers say where a request comes from; programs need not.
fn check_origin(config: &Config, headers: &HeaderMap) -> Result<(), Failure> {
    if let Some(origin) = headers.get(header::ORIGIN) {
        let is_ours = origin.to_str().is_ok_and(|origin| config.is_origin(origin));
        return if is_ours { Ok(()) } else { Err(Failure::WrongOrigin) };
    }
    match headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => Err(Failure::WrongOrigin),
    }
}

impl Config {
    fn is_host(&self, host: &str) -> bool {
        let public = self.public_origin.split_once("://").map_or("", |(_, host)| host);
        host.eq_ignore_ascii_case(public) || self.hosts.iter().any(|ours| host.eq_ignore_ascii_case(ours))
    }

    fn is_origin(&self, origin: &str) -> bool {
        let is_local =
            || origin.strip_prefix("http://").is_some_and(|host| self.hosts.iter().any(|ours| ours == host));
        origin.eq_ignore_ascii_case(&self.public_origin) || is_local()
    }
}

/// What every answer carries, unless its maker knows better.
fn add_headers(headers: &mut HeaderMap) {
    const HEADERS: [(HeaderName, &str); 6] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Not `no-referrer`, which would make browsers hide the origin of our own forms.
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
    fn check(config: &Config, forwarded: &[&str], expected: &str) {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let peer = "192.0.2.9".parse().unwrap();
        assert_eq!(client_address(config, &headers, peer).to_string(), expected, "{forwarded:?}");
    }

    #[test]
    fn behind_a_proxy_the_last_forwarded_address_counts() {
        let mut config = Config::local(([127, 0, 0, 1], 8470).into());
        check(&config, &["198.51.100.1"], "192.0.2.9");
        config.behind_proxy = true;
        check(&config, &[], "192.0.2.9");
        check(&config, &["198.51.100.1"], "198.51.100.1");
        check(&config, &["198.51.100.1, 198.51.100.2,2001:db8::3"], "2001:db8::3");
        check(&config, &["198.51.100.1", "198.51.100.2, 198.51.100.3"], "198.51.100.3");
        check(&config, &["198.51.100.1, unknown"], "192.0.2.9");
    }
}
