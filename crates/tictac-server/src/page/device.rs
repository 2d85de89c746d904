//! Forms about the other devices of a player: a link for one, and revoking them.

use axum::http::header;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use maud::{Markup, html};

use super::game::link_field;
use super::language::Language;
use super::picture;
use tictac::Player;

use crate::config::ServerConfig;
use crate::cookie;
use crate::extract::{GamePath, Visitor};
use crate::failure::Failure;
use crate::live_game::LiveState;
use crate::token::{GameId, SeatToken};

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

/// `POST /g/{game}/device`: makes a link for another device.
pub(super) async fn make(visitor: Visitor, GamePath(game): GamePath) -> Result<Response, Failure> {
    let link = visitor.service.make_device_link(game, &visitor.player()?).await?;
    let path = format!("/g/{game}");
    let cookie = cookie::set(&visitor.service.config, LINK, &link, &path, HOUR);
    let shown = Redirect::to(&format!("{path}#devices"));
    Ok((AppendHeaders([(header::SET_COOKIE, cookie)]), shown).into_response())
}

/// `POST /g/{game}/device/revoke`: revokes the link and all other devices.
pub(super) async fn revoke(visitor: Visitor, GamePath(game): GamePath) -> Result<Redirect, Failure> {
    visitor.service.revoke_devices(game, &visitor.player()?).await?;
    Ok(Redirect::to(&format!("/g/{game}")))
}

impl Devices {
    /// Returns the devices of the player who sent a request; `None` if they have no seat.
    pub(super) fn of(visitor: &Visitor, state: &LiveState) -> Option<Devices> {
        let (seat, game, hosted) = (visitor.seat()?, state.id, &state.hosted);
        let you = hosted.you(Some(&seat))?;
        let link = cookie::get(&visitor.headers, LINK).filter(|link| hosted.has_device_link(link));
        Some(Devices {
            link: link.map(|secret| SeatToken { game, secret }),
            is_owner: hosted.is_owner(&seat),
            n_others: hosted.seat(you.side().unwrap_or(Player::First)).devices.len(),
        })
    }

    pub(super) fn markup(&self, lang: Language, config: &ServerConfig, game: GameId) -> Markup {
        let button = |path: &str, label: &str| {
            html! { form method="post" action=(lang.path(&format!("/g/{game}{path}"))) { button.button type="submit" { (label) } } }
        };
        html! {
            details #devices open[self.link.is_some()] {
                summary { (lang.t("Play on another device")) }
                @if let Some(token) = &self.link {
                    p.note { (lang.t("Open this link on your other device. It works once. Do not send it to anyone: a person who opens it plays as you.")) }
                    @let link = link(config, token);
                    div.share {
                        (link_field("device-link", lang.t("Link for your other device"), &link))
                        (picture::qr_code(lang, &link))
                    }
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
