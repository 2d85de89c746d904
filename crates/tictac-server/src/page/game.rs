//! The page of a game, and the forms for every action in it.

use std::time::Duration;

use axum::Form;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use tictac::Rules;

use super::device::devices;
use super::frame::{LinkPreview, Page};
use super::join::invitation;
use super::language::Language;
use super::variant;
use crate::cookie;
use crate::event::ActionKind;
use crate::extract::GamePath;
use crate::failure::Failure;
use crate::guard::Client;
use crate::service::Service;
use crate::token::{GameId, SeatToken};
use crate::wire::{ActionRequest, Update};

mod links;
mod sentences;
mod view;

pub(super) use links::{frame_field, link_field};
pub(super) use sentences::{player_name, seat_of};
use view::{GamePage, Viewer};
pub(super) use view::{Parts, headline, mark_choice};

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
    State(service): State<Service>,
    language: Language,
    game: Result<GamePath, Failure>,
    Client(address): Client,
    Query(query): Query<GameQuery>,
    headers: HeaderMap,
) -> Result<Page, Failure> {
    let GamePath(game) = game?;
    let seat = cookie::seat(&headers);
    if let Some(since) = query.since {
        let _permit = service.throttle.long_poll(address)?;
        service.events(game, seat.as_ref(), since, WAIT).await?;
    }
    let update = service.events(game, seat.as_ref(), 0, Duration::ZERO).await?;
    page(&service, language, &headers, &update, None).await
}

/// `POST /g/{game}/act`: a form submitted without scripts. A refused action is explained on the current page of the game.
pub(super) async fn act(
    State(service): State<Service>,
    language: Language,
    game: Result<GamePath, Failure>,
    Client(address): Client,
    headers: HeaderMap,
    Form(form): Form<ActionForm>,
) -> Result<Response, Failure> {
    let GamePath(game) = game?;
    let Some(seat) = cookie::seat(&headers) else { return Err(Failure::NoSeat) };
    let Err(failure) = service.act(game, &seat, form.action(), address).await else {
        return Ok(Redirect::to(&format!("/g/{game}")).into_response());
    };
    let update = service.events(game, Some(&seat), 0, Duration::ZERO).await?;
    let page = page(&service, language, &headers, &update, Some(&failure)).await?;
    Ok((failure.status(), page).into_response())
}

/// `GET /g/{game}/act`: the address of a refused action, when it is opened again.
pub(super) async fn back(game: Result<GamePath, Failure>) -> Result<Redirect, Failure> {
    let GamePath(game) = game?;
    Ok(Redirect::to(&format!("/g/{game}")))
}

/// `GET /g/{game}/next`: redirects to the rematch and carries the seat over.
pub(super) async fn next(
    State(service): State<Service>,
    game: Result<GamePath, Failure>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let GamePath(game) = game?;
    let seat = cookie::seat(&headers);
    let update = service.events(game, seat.as_ref(), 0, Duration::ZERO).await?;
    let Some(next) = update.state.next else {
        return Ok(Redirect::to(&format!("/g/{game}")).into_response());
    };
    Ok(match seat.filter(|_| update.you.is_some()) {
        Some(secret) => cookie::redirect_to(&service.config, &SeatToken { game: next, secret }),
        None => Redirect::to(&format!("/g/{next}")).into_response(),
    })
}

/// Returns the HTML of the parts of the page that change during a game, by the id of their element.
pub(crate) fn parts(update: &Update, language: Language) -> serde_json::Value {
    Parts { update, rules: rules_of(update), viewer: Viewer::Counted, language }.to_json()
}

/// Returns the parts of a page that is being loaded.
pub(super) fn first_parts(update: &Update, language: Language) -> Parts<'_> {
    Parts { update, rules: rules_of(update), viewer: Viewer::NotCounted, language }
}

/// Returns the title and the text of the message that it is a player's turn, in the language with this code.
pub(crate) fn turn_message(update: &Update, code: &str) -> (String, String) {
    let language = Language::of_code(code);
    (sentences::status(update, language), sentences::invitation_to_move(update, language))
}

pub(super) fn rules_of(update: &Update) -> Rules {
    update.state.rules
}

/// Returns the address of the picture of a game for previews of links.
pub(super) fn preview_image(service: &Service, game: GameId) -> String {
    format!("{}/g/{game}/preview.png", service.config.public_origin)
}

async fn page(
    service: &Service,
    language: Language,
    headers: &HeaderMap,
    update: &Update,
    failure: Option<&Failure>,
) -> Result<Page, Failure> {
    let invitation = invitation(headers, update.game);
    let devices = devices(service, update.game, headers).await?;
    let config = &service.config;
    let view = GamePage { config, update, invitation: invitation.as_ref(), devices, failure, language };
    let preview = LinkPreview {
        title: sentences::title(update, language),
        description: variant::summary(language, &rules_of(update)),
        image: preview_image(service, update.game),
        alt: language.t("The board of the game").to_owned(),
    };
    let title = sentences::status(update, language);
    Ok(Page::new(language, title, "", view.markup()).with_script("play").with_preview(preview))
}
