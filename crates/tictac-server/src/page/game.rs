//! A game: its page, and forms for everything that can be done in it.

use std::time::Duration;

use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::frame::{Page, Place, Trouble};
use super::join::kept_invitation;
use crate::app::AppState;
use crate::cookie;
use crate::failure::Failure;
use crate::token::{GameId, InvalidToken};
use crate::wire::{Action, ActionKind, Update};

mod sentences;
mod view;

use view::GameView;
pub(super) use view::{headline, marks_choice, shared_link};

/// How long a page without script waits for the other player's move.
const WAIT: Duration = Duration::from_secs(25);

/// What the address may ask for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Since {
    since: Option<u64>,
}

/// What the forms of the page send.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    seq: u64,
    #[serde(default)]
    kind: Option<ActionKind>,
    #[serde(default)]
    mark: Option<String>,
    #[serde(default)]
    square: Option<String>,
}

impl Wanted {
    fn action(self) -> Action {
        let mv = self.square.map(|square| match self.mark {
            Some(mark) => format!("{mark} {square}"),
            None => square,
        });
        let kind = self.kind.unwrap_or(ActionKind::Move);
        Action { seq: self.seq, kind, mv: if kind == ActionKind::Move { mv } else { None } }
    }
}

/// `GET /g/{game}`; with `?since=N` it waits a while for event N, for those without script.
pub(super) async fn show(
    State(state): State<AppState>,
    Path(game): Path<String>,
    Query(since): Query<Since>,
    headers: HeaderMap,
) -> Result<Page, Trouble> {
    let game = read(&game)?;
    let seat = cookie::seat(&headers);
    if let Some(since) = since.since {
        state.service().events(game, seat.as_ref(), since, WAIT).await?;
    }
    let update = state.service().events(game, seat.as_ref(), 0, Duration::ZERO).await?;
    Ok(page(&state, &headers, &update, None))
}

/// `POST /g/{game}/act`: for those without script; what is refused is explained on the page as it stands.
pub(super) async fn act(
    State(state): State<AppState>,
    Path(game): Path<String>,
    headers: HeaderMap,
    Form(wanted): Form<Wanted>,
) -> Result<Response, Trouble> {
    let game = read(&game)?;
    let Some(seat) = cookie::seat(&headers) else { return Err(Failure::NoSeat.into()) };
    let Err(failure) = state.service().act(game, &seat, wanted.action()).await else {
        return Ok(Redirect::to(&format!("/g/{game}")).into_response());
    };
    let update = state.service().events(game, Some(&seat), 0, Duration::ZERO).await?;
    Ok((failure.status(), page(&state, &headers, &update, Some(&failure))).into_response())
}

/// `GET /g/{game}/next`: carries the seat over to the rematch.
pub(super) async fn next(
    State(state): State<AppState>,
    Path(game): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let game = read(&game)?;
    let seat = cookie::seat(&headers);
    let update = state.service().events(game, seat.as_ref(), 0, Duration::ZERO).await?;
    let Some(next) = update.state.next else {
        return Ok(Redirect::to(&format!("/g/{game}")).into_response());
    };
    let to = Redirect::to(&format!("/g/{next}"));
    let Some(seat) = seat.filter(|_| update.you.is_some()) else { return Ok(to.into_response()) };
    let cookies = cookie::set_seat(state.config(), next, &seat).map(|value| (header::SET_COOKIE, value));
    Ok((AppendHeaders(cookies), to).into_response())
}

fn read(game: &str) -> Result<GameId, Failure> {
    game.parse().map_err(|_: InvalidToken| Failure::NoSuchGame)
}

fn page(state: &AppState, headers: &HeaderMap, update: &Update, failure: Option<&Failure>) -> Page {
    let invitation = kept_invitation(headers, update.game);
    let view = GameView { config: state.config(), update, invitation: invitation.as_ref(), failure };
    Page {
        title: sentences::sentence(update),
        script: Some("play"),
        place: Place::Elsewhere,
        content: view.markup(),
    }
}
