//! Cookies: the seat of a browser in a game, sent only to the pages of that game.

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};

use crate::config::ServerConfig;
use crate::token::{GameId, SeatToken, Secret};

/// The cookie of a player, in a game and in a tournament.
pub(crate) const SEAT: &str = "seat";
const YEAR: u32 = 365 * 24 * 60 * 60;

/// Returns the `Set-Cookie` headers of a seat: one for the page of the game and one for its API.
fn set_seat(config: &ServerConfig, game: GameId, secret: &Secret) -> [HeaderValue; 2] {
    ["/g", "/api/v1/games"].map(|prefix| set(config, SEAT, secret, &format!("{prefix}/{game}"), YEAR))
}

/// Redirects a browser to the page of a game, with the cookies of its seat.
pub(crate) fn redirect_to(config: &ServerConfig, seat: &SeatToken) -> Response {
    let cookies = set_seat(config, seat.game, &seat.secret).map(|value| (header::SET_COOKIE, value));
    (AppendHeaders(cookies), Redirect::to(&format!("/g/{}", seat.game))).into_response()
}

/// Returns a `Set-Cookie` header that keeps a secret for `seconds` and sends it only to `path`.
pub(crate) fn set(
    config: &ServerConfig,
    name: &str,
    secret: &Secret,
    path: &str,
    seconds: u32,
) -> HeaderValue {
    let secure = if config.public_origin.starts_with("https://") { "; Secure" } else { "" };
    let secret = secret.expose();
    let cookie = format!("{name}={secret}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(cookie).expect("names, paths and secrets are ASCII")
}

/// Returns the secret of the seat in a request: from `Authorization: Bearer`, or else from the cookie.
pub(crate) fn seat(headers: &HeaderMap) -> Option<Secret> {
    bearer(headers).or_else(|| get(headers, SEAT))
}

/// The cookie of the organiser of a tournament.
pub(crate) const ORGANISER: &str = "organiser";

/// Returns the secrets of a client in a tournament, as player and as organiser: that of `Authorization: Bearer`, or else those of the cookies.
pub(crate) fn tournament_secrets(headers: &HeaderMap) -> Vec<Secret> {
    match bearer(headers) {
        Some(secret) => vec![secret],
        None => [SEAT, ORGANISER].into_iter().filter_map(|name| get(headers, name)).collect(),
    }
}

fn bearer(headers: &HeaderMap) -> Option<Secret> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let token = value.strip_prefix("Bearer ")?.trim();
    // The game in the token does not matter: after a rematch the same secret is valid in the next game.
    token.rsplit('.').next()?.parse().ok()
}

/// Returns the secret in the cookie `name`.
pub(crate) fn get(headers: &HeaderMap, name: &str) -> Option<Secret> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(key, value)| if key == name { value.parse().ok() } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_secure_where_browsers_use_tls() {
        let mut config = ServerConfig::local(([127, 0, 0, 1], 8470).into());
        let is_secure = |config: &ServerConfig| {
            let cookies = set_seat(config, GameId::random(), &Secret::random());
            cookies.map(|cookie| cookie.to_str().unwrap().ends_with("; Secure"))
        };
        assert_eq!(is_secure(&config), [false, false]);
        config.public_origin = "https://play.example".to_owned();
        assert_eq!(is_secure(&config), [true, true]);
    }
}
