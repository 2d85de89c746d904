//! Cookies: the seat of a browser in a game, sent only to the pages of that game.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::config::ServerConfig;
use crate::token::{GameId, Secret};

const SEAT: &str = "seat";
const YEAR: u32 = 365 * 24 * 60 * 60;

/// Returns the `Set-Cookie` headers of a seat: one for the page of the game and one for its API.
pub fn set_seat(config: &ServerConfig, game: GameId, secret: &Secret) -> [HeaderValue; 2] {
    ["/g", "/api/v1/games"].map(|prefix| set(config, SEAT, secret, &format!("{prefix}/{game}"), YEAR))
}

/// Returns a `Set-Cookie` header that keeps a secret for `seconds` and sends it only to `path`.
pub(crate) fn set(
    config: &ServerConfig,
    name: &str,
    secret: &Secret,
    path: &str,
    seconds: u32,
) -> HeaderValue {
    let secure = if config.is_secure() { "; Secure" } else { "" };
    let secret = secret.expose();
    let cookie = format!("{name}={secret}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(cookie).expect("names, paths and secrets are ASCII")
}

/// Returns the secret of the seat in a request: from `Authorization: Bearer`, or else from the cookie.
pub fn seat(headers: &HeaderMap) -> Option<Secret> {
    bearer(headers).or_else(|| get(headers, SEAT))
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
    fn a_seat_in_a_cookie_is_found_again() {
        let config = ServerConfig::local(([127, 0, 0, 1], 8470).into());
        let (game, secret) = (GameId::random(), Secret::random());
        let [page, api] = set_seat(&config, game, &secret);
        assert!(page.to_str().unwrap().contains(&format!("Path=/g/{game};")));
        assert!(api.to_str().unwrap().contains("HttpOnly; SameSite=Lax"));
        let pair = page.to_str().unwrap().split(';').next().unwrap().to_owned();
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, format!("other=1; {pair}").parse().unwrap());
        assert_eq!(seat(&headers), Some(secret));
    }

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

    #[test]
    fn a_bearer_token_may_name_another_game() {
        let secret = Secret::random();
        let mut headers = HeaderMap::new();
        headers.insert(
            header::AUTHORIZATION,
            format!("Bearer {}.{}", GameId::random(), secret.expose()).parse().unwrap(),
        );
        assert_eq!(seat(&headers), Some(secret));
        headers.insert(header::AUTHORIZATION, "Bearer nonsense".parse().unwrap());
        assert_eq!(seat(&headers), None);
    }
}
