//! What the organiser of a tournament sees and does.

use axum::Form;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Deserialize;
use tictac_solver::level::Level;

use super::super::frame::Page;
use super::super::game::link_field;
use super::super::home::level_options;
use super::super::picture;
use super::parts::TournamentPage;
use tictac::Player;

use crate::cookie;
use crate::extract::{GamePath, Visitor};
use crate::failure::Failure;
use crate::token::{GameId, Secret};
use crate::tournament::state::{Tournament, TournamentPhase};
use crate::tournament::view::{OrganiserAction, OrganiserActionKind};

/// The fields of the forms of the organiser.
#[derive(Debug, Deserialize)]
pub(super) struct OrganiserForm {
    kind: OrganiserActionKind,
    #[serde(default)]
    player: Option<usize>,
    #[serde(default)]
    name: String,
    #[serde(default)]
    level: String,
    #[serde(default)]
    game: Option<GameId>,
    /// The side that wins, or `draw`.
    #[serde(default)]
    winner: String,
}

/// `POST /t/{tournament}/organise`: a form of the organiser. A refused action is explained on the page.
pub(super) async fn act(
    visitor: Visitor,
    GamePath(id): GamePath,
    Form(form): Form<OrganiserForm>,
) -> Result<Response, Failure> {
    let service = &visitor.service;
    let live = service.open_tournament(id).await?;
    let secret = cookie::get(&visitor.headers, cookie::ORGANISER).ok_or(Failure::NoSeat)?;
    let winner = match form.winner.as_str() {
        "first" => Some(Player::First),
        "second" => Some(Player::Second),
        _ => None,
    };
    let given = |text: String| Some(text).filter(|text| !text.trim().is_empty());
    let (name, level) = (given(form.name), given(form.level));
    let action =
        OrganiserAction { kind: form.kind, player: form.player, name, level, game: form.game, winner };
    Ok(match service.organise(&live, &secret, &action).await {
        Ok(Some(player)) => entered(&visitor, id, action.name.as_deref(), &player).into_response(),
        Ok(None) => super::back(GamePath(id)).await.into_response(),
        Err(failure) => (failure.status(), super::page(&visitor, &live, Some(&failure))).into_response(),
    })
}

/// Shows the link for a player whom the organiser has entered.
fn entered(visitor: &Visitor, id: GameId, name: Option<&str>, player: &Secret) -> Page {
    let lang = visitor.language;
    let link = format!("{}/t/{id}/seat/{}", visitor.service.config.public_origin, player.expose());
    let title = lang.t("The player is entered");
    let content = html! {
        div.sheet.prose {
            h1 { (title) }
            p.lead { (lang.fill("Give this link to {name}. It opens their place in the tournament.", &[("name", &name.unwrap_or_default())])) }
            div.share {
                (link_field("player-link", lang.t("Link for the player"), &link))
                (picture::qr_code(lang, &link))
            }
            p { a.button.first href=(lang.path(&format!("/t/{id}"))) { (lang.t("Back to the tournament")) } }
        }
    };
    Page::new(lang, title, "", content).with_script("share")
}

/// Renders the organiser's part of the page.
pub(super) fn panel(view: &TournamentPage<'_>, tournament: &Tournament, secret: &Secret) -> Markup {
    let lang = view.lang;
    let link = format!("{}/t/{}/seat/{}", view.config.public_origin, view.id, secret.expose());
    let is_over = matches!(tournament.phase, TournamentPhase::Finished(_));
    html! {
        section #organiser .sheet.organiser aria-labelledby="organiser-title" {
            h2 #organiser-title { (lang.t("You organise this tournament")) }
            @if !is_over {
                div.buttons { (phase_buttons(view, tournament)) }
                (entry_forms(view))
                (lists(view, tournament))
            }
            details {
                summary { (lang.t("Organise on another device")) }
                p.note { (lang.t("Keep this link to yourself: with it, anyone can organise the tournament.")) }
                (link_field("organiser-link", lang.t("Link for the organiser"), &link))
            }
        }
    }
}

/// Renders a form with one button.
fn button(view: &TournamentPage<'_>, kind: &str, label: &str, class: &str, fields: &Markup) -> Markup {
    html! {
        form method="post" action=(view.lang.path(&format!("/t/{}/organise", view.id))) {
            (fields)
            button class=(format!("button {class}").trim_end()) type="submit" name="kind" value=(kind) { (label) }
        }
    }
}

fn phase_buttons(view: &TournamentPage<'_>, tournament: &Tournament) -> Markup {
    let (lang, none) = (view.lang, html! {});
    let is_running = tournament.phase == TournamentPhase::Running;
    html! {
        @if tournament.phase == TournamentPhase::Open { (button(view, "start", lang.t("Start the tournament"), "first large", &none)) }
        @if is_running && tournament.is_round_complete() { (button(view, "next-round", lang.t("Start the next round"), "first", &none)) }
        @if is_running && !tournament.is_paused { (button(view, "pause", lang.t("Pause"), "", &none)) }
        @if tournament.is_paused { (button(view, "resume", lang.t("Resume"), "first", &none)) }
        @if is_running {
            details { summary { (lang.t("End the tournament")) } (button(view, "finish", lang.t("End it now"), "", &none)) }
        }
    }
}

fn entry_forms(view: &TournamentPage<'_>) -> Markup {
    let lang = view.lang;
    let action = lang.path(&format!("/t/{}/organise", view.id));
    html! {
        details {
            summary { (lang.t("Add players")) }
            form.fields method="post" action=(action) {
                input type="hidden" name="kind" value="enter";
                label.field { span { (lang.t("Computer at level")) } " " select name="level" { (level_options(lang, Level::Club.name())) } }
                button.button type="submit" { (lang.t("Add the computer")) }
            }
            form.fields method="post" action=(action) {
                input type="hidden" name="kind" value="enter";
                label.field { span { (lang.t("Name of the player")) } " " input type="text" name="name" required maxlength="40" autocomplete="off" data-own; }
                button.button type="submit" { (lang.t("Add a player")) }
            }
            p.note { (lang.t("A player whom you add gets a link of their own, also after the start.")) }
        }
    }
}

fn lists(view: &TournamentPage<'_>, tournament: &Tournament) -> Markup {
    let lang = view.lang;
    let games: Vec<_> = tournament.current_games().collect();
    let name = |player: usize| &tournament.players[player].name;
    html! {
        @if !games.is_empty() {
            details {
                summary { (lang.t("Decide a game")) }
                @for game in games {
                    form.decide method="post" action=(lang.path(&format!("/t/{}/organise", view.id))) {
                        input type="hidden" name="kind" value="decide";
                        input type="hidden" name="game" value=(game.id);
                        button.button.small type="submit" name="winner" value="first" { (lang.fill("{name} wins", &[("name", name(game.first))])) } " "
                        button.button.small type="submit" name="winner" value="draw" { (lang.t("Draw")) } " "
                        button.button.small type="submit" name="winner" value="second" { (lang.fill("{name} wins", &[("name", name(game.second))])) }
                    }
                }
            }
        }
        details {
            summary { (lang.t("Remove a player")) }
            form.fields method="post" action=(lang.path(&format!("/t/{}/organise", view.id))) {
                input type="hidden" name="kind" value="drop";
                label.field { span { (lang.t("Player")) } " " select name="player" {
                    @for (number, player) in tournament.players.iter().enumerate().filter(|(_, player)| !player.is_dropped) {
                        option value=(number) { (player.name) }
                    }
                } }
                button.button type="submit" { (lang.t("Remove")) }
            }
            p.note { (lang.t("The player loses the match that is being played. Earlier results stay.")) }
        }
    }
}
