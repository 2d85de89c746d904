//! What the organiser of a tournament sees and does.

use axum::Form;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Deserialize;
use tictac_solver::level::Level;

use super::super::frame::Page;
use super::super::game::link_field;
use super::super::home::level_options;
use super::super::join::new_secret;
use super::super::language::Language;
use super::super::picture;
use super::parts::TournamentPage;
use tictac::Player;

use crate::cookie;
use crate::event::PlayerKind;
use crate::extract::{GamePath, Visitor};
use crate::failure::Failure;
use crate::token::{GameId, Secret};
use crate::tournament::state::{Participant, Tournament, TournamentPhase};
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
    /// The request to admit or decline; without one, all of them.
    #[serde(default)]
    request: Option<usize>,
    /// The secret of the player or link that the form makes, so that it can be sent again after a lost response.
    #[serde(default)]
    key: String,
}

/// `POST /t/{tournament}/organise`: a form of the organiser. A refused action is explained on the page.
pub(super) async fn act(
    visitor: Visitor,
    GamePath(id): GamePath,
    Form(form): Form<OrganiserForm>,
) -> Result<Response, Failure> {
    let service = &visitor.service;
    let live = service.open_tournament(id).await?;
    let secret = cookie::get(&visitor.headers, cookie::ORGANISER).ok_or(Failure::NoTournamentSeat)?;
    let winner = match form.winner.as_str() {
        "first" => Some(Player::First),
        "second" => Some(Player::Second),
        _ => None,
    };
    let given = |text: String| Some(text).filter(|text| !text.trim().is_empty());
    let (name, level, key) = (given(form.name), given(form.level), given(form.key));
    let requests = form.request.map(|request| vec![request]);
    let OrganiserForm { kind, player, game, .. } = form;
    let action = OrganiserAction { kind, player, name, level, game, winner, requests, key };
    Ok(match service.organise(&live, &secret, &action).await {
        Ok(Some(player)) => {
            let state = live.lock();
            let name = form.player.and_then(|number| state.tournament.players.get(number));
            let name = action.name.as_deref().or(name.map(|player| player.name.as_str()));
            entered(&visitor, id, kind, name.unwrap_or_default(), &player).into_response()
        }
        Ok(None) => super::back(GamePath(id)).await.into_response(),
        Err(failure) => (failure.status(), super::page(&visitor, &live, Some(&failure))).into_response(),
    })
}

/// Shows the link for a player whom the organiser has entered, or who needs another device.
fn entered(visitor: &Visitor, id: GameId, kind: OrganiserActionKind, name: &str, player: &Secret) -> Page {
    let lang = visitor.language;
    let link = format!("{}/t/{id}/seat/{}", visitor.service.config.public_origin, player.expose());
    let (title, sentence) = match kind {
        OrganiserActionKind::NewLink => (
            lang.fill("A link for {name}", &[("name", &name)]),
            lang.fill("Let {name} scan this code, or send them the link. It works once, and their old device cannot play any more.", &[("name", &name)]),
        ),
        _ => (
            lang.t("The player is entered").to_owned(),
            lang.fill("Give this link to {name}. It opens their place in the tournament.", &[("name", &name)]),
        ),
    };
    let content = html! {
        div.sheet.prose {
            h1 { (title) }
            p.lead { (sentence) }
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

/// Renders for the organiser who has asked to join, with a button for each and one for all.
pub(super) fn requests(view: &TournamentPage<'_>, tournament: &Tournament) -> Markup {
    let lang = view.lang;
    let waiting: Vec<_> = tournament.waiting().collect();
    html! {
        @if waiting.is_empty() { div #requests hidden {} } @else {
            div #requests .banner.requests {
                p { b { (lang.t("Who came late and wants to join:")) } }
                ul.plain { @for (request, late) in &waiting {
                    @let number = html! { input type="hidden" name="request" value=(request); };
                    li {
                        span { (late.name) } " "
                        (button(view, "admit", &lang.fill("Let {name} in", &[("name", &late.name)]), "small first", &number)) " "
                        (button(view, "decline", lang.t("No"), "small", &number))
                    }
                } }
                @if waiting.len() > 1 { (button(view, "admit", lang.t("Let all in"), "first", &html! {})) }
            }
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
                (new_secret())
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
            summary { (lang.t("A player needs another device")) }
            form.fields method="post" action=(lang.path(&format!("/t/{}/organise", view.id))) {
                input type="hidden" name="kind" value="new-link";
                (new_secret())
                (player_choice(lang, tournament, |player| matches!(player.kind, PlayerKind::Person)))
                button.button type="submit" { (lang.t("Make a link")) }
            }
            p.note { (lang.t("The link and its QR code work once. Both players of a running game see that it was used.")) }
        }
        details {
            summary { (lang.t("Remove a player")) }
            form.fields method="post" action=(lang.path(&format!("/t/{}/organise", view.id))) {
                input type="hidden" name="kind" value="drop";
                (player_choice(lang, tournament, |_| true))
                button.button type="submit" { (lang.t("Remove")) }
            }
            p.note { (lang.t("The player loses the match that is being played. Earlier results stay.")) }
        }
    }
}

/// Renders the choice between the players who are in the tournament and meet a condition.
fn player_choice(lang: Language, tournament: &Tournament, is_meant: fn(&Participant) -> bool) -> Markup {
    let players = tournament.players.iter().enumerate();
    html! {
        label.field { span { (lang.t("Player")) } " " select name="player" {
            @for (number, player) in players.filter(|(_, player)| !player.is_dropped && is_meant(player)) {
                option value=(number) { (player.name) }
            }
        } }
    }
}
