//! The list of public games and tournaments.

use axum::extract::State;
use maud::html;

use super::frame::Page;
use super::language::Language;
use super::{clock, tournament, variant};
use crate::failure::Failure;
use crate::guard::Client;
use crate::service::Service;
use crate::wire::SeatView;

/// `GET /games`: the public games that are being played, and the public tournaments.
pub(super) async fn list(
    State(service): State<Service>,
    Client(address): Client,
    lang: Language,
) -> Result<Page, Failure> {
    service.throttle.analysis(address)?;
    let games = service.public_games().await?;
    let tournaments = service.listed_tournaments().await?;
    let name = |seat: &SeatView| seat.name.clone().unwrap_or_else(|| lang.t("A player").to_owned());
    let content = html! {
        h1 { (lang.t("Public games")) }
        p.lead { (lang.t("Games that their players show to everyone.")) }
        @if games.is_empty() { p { (lang.t("No public game is being played right now.")) } }
        ul.tiles {
            @for (game, state) in &games {
                li { a.sheet href=(lang.path(&format!("/g/{game}"))) {
                    h2 { (lang.fill("{first} against {second}", &[("first", &name(&state.first)), ("second", &name(&state.second))])) }
                    p { (variant::summary(lang, &state.rules))
                        @if let Some(clock) = state.clock { " · " (clock::title(lang, clock.control)) } }
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
