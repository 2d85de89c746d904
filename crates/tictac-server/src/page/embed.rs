//! Pages for frames on other sites: a game to watch, and a replay. They change nothing, so a site that shows them can misuse nothing.

use axum::extract::State;
use maud::{Markup, html};

use super::board::BoardView;
use super::frame::Page;
use super::game::headline;
use super::language::Language;
use super::local::{empty_board, stepper};
use crate::extract::{GamePath, Visitor};
use crate::failure::Failure;
use crate::service::Service;
use crate::wire::to_json;

/// `GET /embed/g/{game}`: the game as a spectator sees it, even if the browser has a seat.
pub(super) async fn game(visitor: Visitor, GamePath(game): GamePath) -> Result<Page, Failure> {
    let lang = visitor.language;
    let live = visitor.service.open(game).await?;
    let state = live.lock();
    let view = state.view(None, lang);
    let address = format!("{}/g/{game}", visitor.service.config.public_origin);
    let content = html! {
        div #play .table data-game=(game) data-update=(to_json(&state.whole_update(0, None))) data-watch {
            (view.players())
            (view.headline())
            p #connection .banner hidden {}
            (BoardView { game: &state.hosted.game, playable: false, language: lang }.markup())
            (open_link(lang, &address, lang.t("Open the game")))
        }
    };
    Ok(Page::new(lang, lang.t("A game to watch"), "", content).with_script("play").embedded())
}

/// `GET /embed/r`: the game is in the address after `#`.
pub(super) async fn replay(State(service): State<Service>, lang: Language) -> Page {
    let address = format!("{}/r", service.config.public_origin);
    let content = html! {
        noscript { p.banner { (lang.t("This page needs JavaScript.")) } }
        p #trouble .banner.bad role="alert" hidden {}
        div #replay .table hidden {
            (headline(lang.t("Replay"), &html! {}))
            (empty_board(lang))
            (stepper(lang))
            (open_link(lang, &address, lang.t("Open and analyse")))
        }
    };
    Page::new(lang, lang.t("Replay"), "", content).with_script("embed").embedded()
}

fn open_link(lang: Language, address: &str, label: &str) -> Markup {
    let tip = lang.t("opens a new tab");
    html! { p.open { a #open href=(address) target="_blank" rel="noopener" { (label) span.unseen { " (" (tip) ")" } } " · tictac" } }
}
