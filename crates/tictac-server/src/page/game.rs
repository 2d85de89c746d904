//! The page of a game, and the forms for every action in it.

mod sentences;
mod view;

use std::time::Duration;

use axum::Form;
use axum::extract::Query;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::device::Devices;
use super::frame::{LinkPreview, Page};
use super::join::invitation;
use super::variant;
use crate::cookie;
use crate::event::ActionKind;
use crate::extract::{GamePath, Visitor};
use crate::failure::Failure;
use crate::live_game::LiveState;
use crate::token::SeatToken;
use crate::wire::{ActionRequest, to_json};

use view::GamePage;
pub(crate) use view::ViewedGame;
pub(super) use view::{frame_field, headline, link_field, mark_choice};

/// How long a page without scripts waits for the next move.
const WAIT: Duration = Duration::from_secs(25);

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GameQuery {
    since: Option<u64>,
}

/// The fields of the forms: an action, or a square to play.
#[derive(Debug, Deserialize)]
pub(super) struct ActionForm {
    seq: u64,
    #[serde(default)]
    kind: Option<ActionKind>,
    #[serde(default)]
    mark: Option<String>,
    #[serde(default)]
    square: Option<String>,
}

impl ActionForm {
    fn action(self) -> ActionRequest {
        let mv = self.square.map(|square| match self.mark {
            Some(mark) => format!("{mark} {square}"),
            None => square,
        });
        let kind = self.kind.unwrap_or(ActionKind::Move);
        ActionRequest { seq: self.seq, kind, mv: if kind == ActionKind::Move { mv } else { None } }
    }
}

/// `GET /g/{game}`; `?since=N` first waits a while for event N, for browsers without scripts, which have no socket.
pub(super) async fn show(
    visitor: Visitor,
    GamePath(game): GamePath,
    Query(query): Query<GameQuery>,
) -> Result<Page, Failure> {
    let service = &visitor.service;
    let live = service.open(game).await?;
    if let Some(since) = query.since {
        let _permit = service.throttle.long_poll(visitor.address)?;
        service.wait_for_change(&live.changed, || live.lock().since(since).is_empty(), WAIT).await;
    }
    Ok(page(&visitor, &live.lock(), None))
}

/// `POST /g/{game}/act`: a form submitted without scripts. A refused action is explained on the current page of the game.
pub(super) async fn act(
    visitor: Visitor,
    GamePath(game): GamePath,
    Form(form): Form<ActionForm>,
) -> Result<Response, Failure> {
    let service = &visitor.service;
    let acted = service.act(game, &visitor.player()?, form.action(), visitor.address).await;
    let Err(failure) = acted else { return Ok(back(GamePath(game)).await.into_response()) };
    let live = service.open(game).await?;
    let page = page(&visitor, &live.lock(), Some(&failure));
    Ok((failure.status(), page).into_response())
}

/// `GET /g/{game}/act`: the address of a refused action, when it is opened again.
pub(super) async fn back(GamePath(game): GamePath) -> Redirect {
    Redirect::to(&format!("/g/{game}"))
}

/// `GET /g/{game}/next`: redirects to the rematch and carries the seat over.
pub(super) async fn next(visitor: Visitor, GamePath(game): GamePath) -> Result<Response, Failure> {
    let live = visitor.service.open(game).await?;
    let hosted = &live.lock().hosted;
    let Some(next) = hosted.next else { return Ok(Redirect::to(&format!("/g/{game}")).into_response()) };
    Ok(match visitor.seat().filter(|secret| hosted.you(Some(secret)).is_some()) {
        Some(secret) => cookie::redirect_to(&visitor.service.config, &SeatToken { game: next, secret }),
        None => Redirect::to(&format!("/g/{next}")).into_response(),
    })
}

fn page(visitor: &Visitor, state: &LiveState, failure: Option<&Failure>) -> Page {
    let (lang, you) = (visitor.language, state.hosted.you(visitor.seat().as_ref()));
    let page = GamePage {
        config: &visitor.service.config,
        view: state.view(you, lang),
        update: to_json(&state.whole_update(0, you)),
        invitation: invitation(&visitor.headers, state.id),
        devices: Devices::of(visitor, state),
        failure,
    };
    let description = variant::summary(lang, state.hosted.game.rules());
    let preview = LinkPreview::of_game(page.config, lang, state.id, page.view.title(), description);
    Page::new(lang, page.view.status(), "", page.markup()).with_script("play").with_preview(preview)
}
