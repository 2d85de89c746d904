//! The page of a game as HTML.

use maud::{Markup, html};
use tictac::{Mark, Marks, Move, Rules};

use super::sentences::{is_mine, is_my_turn, offer, player_name, sentence, sitter, why};
use crate::config::Config;
use crate::event::{Side, Who};
use crate::failure::Failure;
use crate::page::board::{BoardView, drawn};
use crate::page::frame::banner;
use crate::page::quiet::keys_dialog;
use crate::page::{qr, words};
use crate::token::SeatToken;
use crate::wire::{GameStatus, Update, You};

/// Everything that the page of a game shows.
pub(super) struct GameView<'a> {
    pub(super) config: &'a Config,
    pub(super) update: &'a Update,
    pub(super) invitation: Option<&'a SeatToken>,
    pub(super) failure: Option<&'a Failure>,
}

impl GameView<'_> {
    pub(super) fn markup(&self) -> Markup {
        let update = self.update;
        let rules: Rules = update.state.rules.parse().unwrap_or(Rules::CLASSIC);
        let json = serde_json::to_string(update).unwrap_or_default();
        html! {
            div #play .two data-game=(update.game) data-update=(json) {
                div {
                    (headline(&sentence(update), &why(update, &rules)))
                    @if let Some(failure) = self.failure { (banner(failure)) }
                    // Above the boards, of which there may be more than a screen shows; with script at the lower edge of the
                    // screen, so that the boards do not move under the finger of who is just about to play.
                    div.notices {
                        p #problem .banner.bad hidden {}
                        p #connection .banner hidden {}
                        (self.offer())
                    }
                    (self.board(&rules))
                }
                div.sheet {
                    (self.invite())
                    ul #players .players aria-label="Players" { (self.player(Side::First)) (self.player(Side::Second)) }
                    p #watching .note hidden {}
                    (self.actions())
                    (self.moves())
                    (self.links(&rules))
                }
            }
            (keys_dialog(false))
        }
    }

    fn board(&self, rules: &Rules) -> Markup {
        let update = self.update;
        let moves: Vec<Move> = update.state.moves.iter().filter_map(|mv| rules.parse_move(mv).ok()).collect();
        let playable = is_my_turn(update) && !update.state.first.open && !update.state.second.open;
        let board = BoardView { rules, moves: &moves, lines: &update.state.lines, playable };
        html! {
            form #act method="post" action=(format!("/g/{}/act", update.game)) {
                input type="hidden" name="seq" value=(update.seq);
                @match update.state.marks[..] {
                    [mark] => input type="hidden" name="mark" value=(mark);,
                    _ => {}
                }
                @if rules.marks() == Marks::Either && update.you.is_some() { (marks_choice(update.state.marks.len() > 1)) }
                (board.markup())
            }
        }
    }

    fn offer(&self) -> Markup {
        let update = self.update;
        let text = offer(update);
        let mine = update.state.offer.is_some_and(|offer| is_mine(update, offer.by));
        // What is hidden is left out: text browsers show everything, and the script makes what it needs.
        html! {
            div #offer .banner hidden[text.is_none()] {
                @if let Some(text) = text {
                    p { (text) }
                    @if update.you.is_some() {
                        div.buttons {
                            @if !mine { (self.action("accept", "Accept", true)) }
                            (self.action("decline", if mine { "Withdraw" } else { "Decline" }, true))
                        }
                    }
                }
            }
        }
    }

    /// A button that does something in the game: a form of its own, so that it works without script.
    fn action(&self, kind: &str, label: &str, shown: bool) -> Markup {
        html! {
            @if shown {
                form method="post" action=(format!("/g/{}/act", self.update.game)) {
                    input type="hidden" name="seq" value=(self.update.seq);
                    button.button type="submit" name="kind" value=(kind) { (label) }
                }
            }
        }
    }

    fn actions(&self) -> Markup {
        let update = self.update;
        let state = &update.state;
        let is_seated = update.you.is_some();
        let playing = state.status == GameStatus::Playing && !state.first.open && !state.second.open;
        let free = is_seated && state.offer.is_none();
        let n_own = match update.you {
            Some(You::Second) => state.moves.len().saturating_sub(1),
            _ => state.moves.len(),
        };
        html! {
            div #actions .buttons role="group" aria-label="Actions" {
                (self.action("ask-undo", "Take back", free && playing && n_own > 0))
                (self.action("offer-draw", "Offer a draw", free && playing && update.you != Some(You::Both)))
                (self.action("resign", "Resign", is_seated && playing))
                (self.action("rematch", "Rematch", free && state.status != GameStatus::Playing && state.next.is_none()))
                @if state.next.is_some() { a.button.first href=(format!("/g/{}/next", update.game)) { "To the next game" } }
                @if state.status != GameStatus::Playing || update.you == Some(You::Both) { a.button href=(replay_link(update)) { "Replay and analyse" } }
            }
            noscript {
                @if state.status == GameStatus::Playing && !is_my_turn(update) || state.first.open || state.second.open {
                    p { a.button href=(format!("/g/{}?since={}", update.game, update.seq)) { "Wait for the other player" } }
                } @else {
                    p { a href=(format!("/g/{}", update.game)) { "Look again" } }
                }
            }
        }
    }

    fn invite(&self) -> Markup {
        let update = self.update;
        let open = update.state.first.open || update.state.second.open;
        let Some(token) = self.invitation.filter(|_| open && update.you.is_some()) else {
            return html! { div #invite hidden {} };
        };
        let link = format!("{}/join/{}", self.config.public_origin, token.expose());
        html! {
            div #invite .share {
                p { "Send this link to your friend. Whoever opens it plays." }
                (shared_link("invitation", "Link for your friend", &link))
                (qr::code(&link))
            }
        }
    }

    fn player(&self, side: Side) -> Markup {
        let update = self.update;
        let sitter = sitter(update, side);
        let to_move = update.state.to_move == Some(side);
        let here = match side {
            Side::First => update.presence.first,
            Side::Second => update.presence.second,
        };
        let place = match sitter.who {
            _ if sitter.open => "not here yet",
            Who::Computer(_) => "ready",
            Who::Person if here || is_mine(update, side) || update.you == Some(You::Both) => "here",
            Who::Person => "away",
        };
        html! {
            li.player.is-to-move[to_move] {
                @match sitter.mark {
                    Some('X') => (drawn(Mark::X)),
                    Some(_) => (drawn(Mark::O)),
                    None => {},
                }
                " " span { b { (player_name(update, side)) } @if is_mine(update, side) { " (you)" } }
                @if to_move { span.unseen { ", to move" } }
                " "
                span.presence.is-here[place == "here" || place == "ready"] { (place) }
            }
        }
    }

    fn moves(&self) -> Markup {
        let moves = &self.update.state.moves;
        html! {
            h2 { "Moves" }
            @if moves.is_empty() { p.note { "The letter is the row, A on top, the digit the column." } }
            ul #moves .moves aria-label="Moves" tabindex="0" {
                @for (number, mv) in (1..).zip(moves) {
                    li { span aria-current=[(number == moves.len()).then_some("step")] {
                        span.number { (number) "." } " "
                        span class=(if mv.starts_with('O') { "o" } else { "x" }) { (mv) }
                    } }
                }
            }
        }
    }

    fn links(&self, rules: &Rules) -> Markup {
        let update = self.update;
        let watch = format!("{}/g/{}", self.config.public_origin, update.game);
        html! {
            p #downloads .note hidden[update.state.moves.is_empty()] {
                "Download: "
                a href=(format!("/api/v1/games/{}/record", update.game)) download=(format!("{}.ttt", update.game)) { "record" } ", "
                a href=(format!("/api/v1/games/{}/picture.svg", update.game)) download=(format!("{}.svg", update.game)) { "picture" }
            }
            details {
                summary { "Watch link and rules" }
                p.note { (words::rules(rules)) }
                div.share { (shared_link("watch", "Link to watch", &watch)) }
            }
            div #keys-place .buttons {}
        }
    }
}

/// Where the game stands, above the board.
pub(in crate::page) fn headline(status: &str, why: &str) -> Markup {
    html! {
        div.headline {
            h1 #status .status { (status) }
            p #why .why { (why) }
        }
    }
}

/// Which mark to write, where that is free.
pub(in crate::page) fn marks_choice(shown: bool) -> Markup {
    html! {
        fieldset #marks .marks hidden[!shown] {
            legend { "Write" }
            div.choices {
                label.choice { input type="radio" name="mark" value="X" checked; span { "X" } }
                label.choice { input type="radio" name="mark" value="O"; span { "O" } }
            }
        }
    }
}

/// A link in a field; the script adds buttons to copy and share it. Text browsers cut fields short, so they get it whole.
pub(in crate::page) fn shared_link(id: &str, label: &str, link: &str) -> Markup {
    html! {
        div.share-row {
            label.unseen for=(id) { (label) }
            input #(id) type="text" readonly value=(link);
            @if !link.is_empty() { noscript { p.link { a href=(link) { (link) } } } }
        }
    }
}

/// The whole game in a link.
fn replay_link(update: &Update) -> String {
    let rules: Rules = update.state.rules.parse().unwrap_or(Rules::CLASSIC);
    format!("/r#{}", super::super::picture::to_link(&rules, &update.state.moves))
}
