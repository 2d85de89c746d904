//! The page of a game as HTML.
//!
//! The parts that change during a game are rendered here for both kinds of browser: the page contains them, and the socket sends
//! them again after every event to browsers that run the script.

use maud::{Markup, html};
use serde_json::json;
use tictac::{Mark, Rules};

use super::rules_of;
use super::sentences::{
    completed_lines, detail, is_mine, is_my_turn, is_open, notice, offer, player_name, presence, seat_of,
    spectators, status,
};
use crate::config::ServerConfig;
use crate::event::Side;
use crate::failure::Failure;
use crate::page::board::{self, BoardView};
use crate::page::device::Devices;
use crate::page::frame::banner;
use crate::page::link::{game_of, to_link};
use crate::page::local::{Shortcuts, shortcuts_dialog};
use crate::page::{picture, variant};
use crate::token::SeatToken;
use crate::wire::{GameStatus, Update, You};

/// Everything that the page of a game shows.
pub(super) struct GamePage<'a> {
    pub(super) config: &'a ServerConfig,
    pub(super) update: &'a Update,
    pub(super) invitation: Option<&'a SeatToken>,
    pub(super) devices: Option<Devices>,
    pub(super) failure: Option<&'a Failure>,
}

impl GamePage<'_> {
    pub(super) fn markup(&self) -> Markup {
        let update = self.update;
        let rules = rules_of(update);
        let json = serde_json::to_string(update).expect("an update is plain data");
        let parts = Parts { update, rules, viewer: Viewer::NotCounted };
        html! {
            div #play .two data-game=(update.game) data-update=(json) {
                div {
                    (parts.headline())
                    @if let Some(failure) = self.failure { (banner(failure)) }
                    // Above the boards, which may be taller than the screen. With scripts, notices are fixed to the lower edge, so
                    // that the boards do not move while the player is about to tap.
                    div.notices {
                        p #problem .banner.bad hidden {}
                        p #connection .banner hidden {}
                        (parts.notice())
                        (parts.offer())
                    }
                    (self.board(&rules))
                }
                div.sheet {
                    (self.invite())
                    (parts.players())
                    (parts.actions())
                    (self.refresh())
                    (parts.moves())
                    (self.links(&rules))
                }
            }
            (shortcuts_dialog(Shortcuts::Board))
        }
    }

    fn board(&self, rules: &Rules) -> Markup {
        let update = self.update;
        let game = game_of(rules, &update.state.moves).expect("a stored game is legal");
        let board = BoardView { game: &game, playable: is_my_turn(update) };
        html! {
            form #act method="post" action=(format!("/g/{}/act", update.game)) {
                input type="hidden" name="seq" value=(update.seq);
                @match &update.state.marks[..] {
                    [mark] => input type="hidden" name="mark" value=(mark);,
                    [_, ..] if update.you.is_some() => div #marks { (mark_choice()) },
                    _ => {}
                }
                (board.markup())
            }
        }
    }

    /// Renders what replaces the socket in a browser without scripts.
    fn refresh(&self) -> Markup {
        let update = self.update;
        let is_waiting = is_open(update) || update.state.status == GameStatus::Playing && !is_my_turn(update);
        html! {
            noscript {
                @if is_waiting {
                    p { a.button href=(format!("/g/{}?since={}", update.game, update.seq)) { "Wait for the next move" } }
                } @else {
                    p { a href=(format!("/g/{}", update.game)) { "Refresh" } }
                }
            }
        }
    }

    fn invite(&self) -> Markup {
        let update = self.update;
        let Some(token) = self.invitation.filter(|_| is_open(update) && update.you.is_some()) else {
            return html! { div #invite hidden {} };
        };
        let link = format!("{}/join/{}", self.config.public_origin, token.expose());
        html! {
            div #invite .share {
                p { "Send this link to your friend, or let them scan the code." }
                (link_field("invitation", "Link for your friend", &link))
                (picture::qr_code(&link))
            }
        }
    }

    fn links(&self, rules: &Rules) -> Markup {
        let update = self.update;
        let watch = format!("{}/g/{}", self.config.public_origin, update.game);
        html! {
            p #downloads .note hidden[update.state.moves.is_empty()] {
                "Download the "
                a href=(format!("/api/v1/games/{}/record", update.game)) download=(format!("{}.ttt", update.game)) { "moves" } " or a "
                a href=(format!("/api/v1/games/{}/picture.svg", update.game)) download=(format!("{}.svg", update.game)) { "picture" } "."
            }
            details {
                summary { "Rules and link for spectators" }
                p.note { (variant::summary(rules)) "." }
                div.share { (link_field("watch", "Link for spectators", &watch)) }
            }
            @if let Some(devices) = &self.devices { (devices.markup(self.config, update.game)) }
            div #keys-place .buttons {}
        }
    }
}

/// The parts of the page that change during a game.
pub(super) struct Parts<'a> {
    pub(super) update: &'a Update,
    pub(super) rules: Rules,
    pub(super) viewer: Viewer,
}

/// Whether the viewer is among the clients that are counted as connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Viewer {
    /// The page is only being loaded.
    NotCounted,
    /// The viewer has a socket.
    Counted,
}

impl Parts<'_> {
    /// Returns the HTML of each part by the id of its element.
    pub(super) fn to_json(&self) -> serde_json::Value {
        json!({
            "headline": self.headline().into_string(),
            "notice": self.notice().into_string(),
            "offer": self.offer().into_string(),
            "players": self.players().into_string(),
            "actions": self.actions().into_string(),
            "moves": self.moves().into_string(),
        })
    }

    fn headline(&self) -> Markup {
        let details = html! {
            (detail(self.update, &self.rules))
            @if let Some(lines) = completed_lines(self.update) { span.unseen { " " (lines) } }
        };
        headline(&status(self.update), &details)
    }

    fn notice(&self) -> Markup {
        let text = notice(self.update);
        html! { p #notice .banner hidden[text.is_none()] { (text.unwrap_or_default()) } }
    }

    fn offer(&self) -> Markup {
        let update = self.update;
        let text = offer(update);
        let is_my_offer = update.state.offer.is_some_and(|offer| is_mine(update, offer.by));
        // An absent offer has no content, because text browsers show hidden elements.
        html! {
            div #offer .banner hidden[text.is_none()] {
                @if let Some(text) = text {
                    p { (text) }
                    @if update.you.is_some() {
                        div.buttons {
                            @if is_my_offer {
                                (self.action("decline", "Withdraw"))
                            } @else {
                                (self.action("accept", "Accept"))
                                (self.action("decline", "Decline"))
                            }
                        }
                    }
                }
            }
        }
    }

    /// Renders the button for an action. It has its own form, so that it works without scripts.
    fn action(&self, kind: &str, label: &str) -> Markup {
        html! {
            form method="post" action=(format!("/g/{}/act", self.update.game)) {
                input type="hidden" name="seq" value=(self.update.seq);
                button.button type="submit" name="kind" value=(kind) { (label) }
            }
        }
    }

    fn actions(&self) -> Markup {
        let update = self.update;
        let state = &update.state;
        let is_over = state.status != GameStatus::Playing;
        let can_play = update.you.is_some() && !is_over && !is_open(update);
        let can_offer = update.you.is_some() && state.offer.is_none();
        let n_before = usize::from(update.you == Some(You::Second));
        html! {
            div #actions .buttons role="group" aria-label="Actions" {
                @if can_play && can_offer && state.moves.len() > n_before { (self.action("ask-undo", "Take back")) }
                @if can_play && can_offer && update.you != Some(You::Both) { (self.action("offer-draw", "Offer a draw")) }
                @if can_play { (self.action("resign", "Resign")) }
                @if can_offer && is_over && state.next.is_none() { (self.action("rematch", "Rematch")) }
                @if state.next.is_some() { a.button.first href=(format!("/g/{}/next", update.game)) { "Go to the rematch" } }
                @if is_over || update.you == Some(You::Both) {
                    a.button href=(format!("/r#{}", to_link(&self.rules, &state.moves))) { "Replay and analyse" }
                }
            }
        }
    }

    fn players(&self) -> Markup {
        html! {
            div #players {
                ul.players aria-label="Players" { (self.player(Side::First)) (self.player(Side::Second)) }
                @if let Some(spectators) = spectators(self.update, self.viewer) { p #watching .note { (spectators) } }
                @if self.update.you.is_none() {
                    p.note { "Are you one of the players? Open the game in the browser where you joined. If its cookies were deleted, your seat is lost." }
                }
            }
        }
    }

    fn player(&self, side: Side) -> Markup {
        let update = self.update;
        let is_to_move = update.state.to_move == Some(side);
        let presence = presence(update, side);
        html! {
            li.player.is-to-move[is_to_move] {
                @match seat_of(update, side).mark.as_deref() {
                    Some("X") => (board::mark(Mark::X)),
                    Some(_) => (board::mark(Mark::O)),
                    None => {},
                }
                " " span {
                    b { (player_name(update, side)) } @if is_mine(update, side) { " (you)" }
                    @if seat_of(update, side).devices > 0 { " " small { "on " (seat_of(update, side).devices + 1) " devices" } }
                }
                @if is_to_move { span.unseen { ", to move" } }
                " "
                span.presence.is-here[matches!(presence, "online" | "ready")] { (presence) }
            }
        }
    }

    fn moves(&self) -> Markup {
        let moves = &self.update.state.moves;
        html! {
            div #moves {
                h2 { "Moves" }
                @if moves.is_empty() { p.note { "The letter is the row, counted from the top; the digit is the column." } }
                ul.moves aria-label="Moves" tabindex="0" {
                    @for (number, mv) in (1..).zip(moves) {
                        li { span aria-current=[(number == moves.len()).then_some("step")] {
                            span.number { (number) "." } " "
                            span class=(if mv.starts_with('O') { "o" } else { "x" }) { (mv) }
                        } }
                    }
                }
            }
        }
    }
}

pub(in crate::page) fn headline(status: &str, detail: &Markup) -> Markup {
    html! {
        div #headline .headline {
            h1 #status .status { (status) }
            p #why .why { (detail) }
        }
    }
}

/// Renders the choice between the marks, for variants in which a player may write either.
pub(in crate::page) fn mark_choice() -> Markup {
    html! {
        fieldset.marks {
            legend { "Your mark" }
            div.choices {
                label.choice { input type="radio" name="mark" value="X" checked; span { "X" } }
                label.choice { input type="radio" name="mark" value="O"; span { "O" } }
            }
        }
    }
}

/// Renders a link in a field, to which the script adds buttons. Text browsers cut fields short, so they also get a plain link.
pub(in crate::page) fn link_field(id: &str, label: &str, link: &str) -> Markup {
    html! {
        div.share-row {
            label.unseen for=(id) { (label) }
            input #(id) type="text" readonly value=(link);
            @if !link.is_empty() { noscript { p.link { a href=(link) { (link) } } } }
        }
    }
}
