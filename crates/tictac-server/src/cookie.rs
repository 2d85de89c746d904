//! The seat in a browser: one cookie a game, sent only to that game's own pages.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::config::Config;
use crate::token::{GameId, Secret};

const NAME: &str = "seat";
const YEAR: u32 = 365 * 24 * 60 * 60;

/// Returns the two headers that give a browser its seat: for the page of the game and for its API.
pub fn set_seat(config: &Config, game: GameId, secret: &Secret) -> [HeaderValue; 2] {
    let secure = if config.is_secure() { "; Secure" } else { "" };
    ["/g", "/api/v1/games"].map(|place| {
        let secret = secret.expose();
        let cookie =
            format!("{NAME}={secret}; Path={place}/{game}; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}");
        HeaderValue::try_from(cookie).expect("names, paths and secrets are ASCII")
    })
}

/// Returns the seat that a request holds: from `Authorization: Bearer`, else from the cookie.
pub fn seat(headers: &HeaderMap) -> Option<Secret> {
    bearer(headers).or_else(|| cookie(headers))
}

fn bearer(headers: &HeaderMap) -> Option<Secret> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let token = value.strip_prefix("Bearer ")?.trim();
    // The name of the game is left aside: after a rematch the same secret opens the next one.
    token.rsplit('.').next()?.parse().ok()
}

fn cookie(headers: &HeaderMap) -> Option<Secret> {
    headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok()).find_map(|cookies| {
        let pairs = cookies.split(';').filter_map(|pair| pair.trim().split_once('='));
        pairs.filter(|(name, _)| *name == NAME).find_map(|(_, value)| value.parse().ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_that_was_set_is_found_again() {
        let config = Config::local(([127, 0, 0, 1], 8470).into());
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
        let mut config = Config::local(([127, 0, 0, 1], 8470).into());
        let is_secure = |config: &Config| {
            let cookies = set_seat(config, GameId::random(), &Secret::random());
            cookies.map(|cookie| cookie.to_str().unwrap().ends_with("; Secure"))
        };
        assert_eq!(is_secure(&config), [false, false]);
        config.public_origin = "https://play.example".to_owned();
        assert_eq!(is_secure(&config), [true, true]);
    }

    #[test]
    fn a_bearer_is_a_token_of_any_game_in_the_series() {
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
