//! Forms about the other devices of a player: a link for one, and revoking them.

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use maud::{Markup, html};

use super::game::link_field;
use super::language::Language;
use tictac::Player;

use crate::config::ServerConfig;
use crate::cookie;
use crate::extract::GamePath;
use crate::failure::Failure;
use crate::service::Service;
use crate::token::{GameId, SeatToken, Secret};

/// The cookie that holds the secret of an unused link, so that the page can show it.
const LINK: &str = "device";
const HOUR: u32 = 60 * 60;

/// What the page of a game shows about the player's other devices.
pub(super) struct Devices {
    /// The link that the player has made and not used.
    link: Option<SeatToken>,
    /// False on another device, which can neither make a link nor revoke anything.
    is_owner: bool,
    n_others: usize,
}

/// Returns the devices of the player who sent a request; `None` if they have no seat.
pub(super) async fn devices(
    service: &Service,
    game: GameId,
    headers: &HeaderMap,
) -> Result<Option<Devices>, Failure> {
    let live = service.open(game).await?;
    let Some(seat) = cookie::seat(headers) else { return Ok(None) };
    let link = cookie::get(headers, LINK);
    let state = live.lock();
    let hosted = &state.hosted;
    Ok(hosted.you(Some(&seat)).map(|you| Devices {
        link: link.filter(|link| hosted.has_device_link(link)).map(|secret| SeatToken { game, secret }),
        is_owner: hosted.is_owner(&seat),
        n_others: hosted.seat(you.side().unwrap_or(Player::First)).devices.len(),
    }))
}

/// `POST /g/{game}/device`: makes a link for another device.
pub(super) async fn make(
    State(service): State<Service>,
    game: Result<GamePath, Failure>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let GamePath(game) = game?;
    let link = service.make_device_link(game, &seat(&headers)?).await?;
    let path = format!("/g/{game}");
    let cookie = cookie::set(&service.config, LINK, &link, &path, HOUR);
    let shown = Redirect::to(&format!("{path}#devices"));
    Ok((AppendHeaders([(header::SET_COOKIE, cookie)]), shown).into_response())
}

/// `POST /g/{game}/device/revoke`: revokes the link and all other devices.
pub(super) async fn revoke(
    State(service): State<Service>,
    game: Result<GamePath, Failure>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let GamePath(game) = game?;
    service.revoke_devices(game, &seat(&headers)?).await?;
    Ok(Redirect::to(&format!("/g/{game}")).into_response())
}

fn seat(headers: &HeaderMap) -> Result<Secret, Failure> {
    cookie::seat(headers).ok_or(Failure::NoSeat)
}

impl Devices {
    pub(super) fn markup(&self, lang: Language, config: &ServerConfig, game: GameId) -> Markup {
        let button = |path: &str, label: &str| {
            html! { form method="post" action=(lang.path(&format!("/g/{game}{path}"))) { button.button type="submit" { (label) } } }
        };
        html! {
            details #devices open[self.link.is_some()] {
                summary { (lang.t("Play on another device")) }
                @if let Some(token) = &self.link {
                    p.note { (lang.t("Open this link on your other device. It works once. Do not send it to anyone: a person who opens it plays as you.")) }
                    div.share { (link_field("device-link", lang.t("Link for your other device"), &link(config, token))) }
                }
                @match self.n_others {
                    0 => {},
                    1 => p.note { (lang.t("Your game is open on another device.")) },
                    n_others => p.note { (lang.fill("Your game is open on {number} other devices.", &[("number", &n_others)])) },
                }
                @if self.is_owner {
                    div.buttons {
                        (button("/device", if self.link.is_some() { lang.t("Make a new link") } else { lang.t("Make a link") }))
                        @if self.link.is_some() || self.n_others > 0 { (button("/device/revoke", lang.t("Revoke"))) }
                    }
                } @else {
                    p.note { (lang.t("Links for other devices are made on the device where you joined.")) }
                }
            }
        }
    }
}

fn link(config: &ServerConfig, token: &SeatToken) -> String {
    format!("{}/g/{}/join/{}", config.public_origin, token.game, token.secret.expose())
}
