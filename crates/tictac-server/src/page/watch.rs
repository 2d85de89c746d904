//! The list of public games and tournaments.

use maud::html;
use tictac::Player;

use super::frame::Page;
use super::{clock, tournament, variant};
use crate::extract::Visitor;
use crate::failure::Failure;
use crate::hosted_game::HostedGame;

/// `GET /games`: the public games that are being played, and the public tournaments.
pub(super) async fn list(visitor: Visitor) -> Result<Page, Failure> {
    let (service, lang) = (&visitor.service, visitor.language);
    service.throttle.analysis(visitor.address)?;
    let games = service.public_games().await?;
    let tournaments = service.listed_tournaments().await?;
    let name = |hosted: &HostedGame, side: Player| {
        hosted.seat(side).name.clone().unwrap_or_else(|| lang.t("A player").to_owned())
    };
    let content = html! {
        h1 { (lang.t("Public games")) }
        p.lead { (lang.t("Games that their players show to everyone.")) }
        @if games.is_empty() { p { (lang.t("No public game is being played right now.")) } }
        ul.tiles {
            @for live in &games {
                @let hosted = &live.lock().hosted;
                li { a.sheet href=(lang.path(&format!("/g/{}", live.id))) {
                    h2 { (lang.fill("{first} against {second}", &[("first", &name(hosted, Player::First)), ("second", &name(hosted, Player::Second))])) }
                    p { (variant::summary(lang, &hosted.setup.rules))
                        @if let Some(clock) = hosted.setup.clock { " · " (clock::title(lang, clock)) } }
                } }
            }
        }
        @if !tournaments.is_empty() {
            h2 { (lang.t("Public tournaments")) }
            (tournament::list(lang, &tournaments))
        }
    };
    Ok(Page::new(lang, lang.t("Public games"), "/games", content))
}
