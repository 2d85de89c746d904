//! The page of a game as HTML.
//!
//! The parts that change during a game are rendered here for both kinds of browser: the page contains them, and the socket sends
//! them again after every event to browsers that run the script.

use maud::{Markup, html};
use serde_json::json;
use tictac::{Player, Rules};

use super::rules_of;
use super::sentences::{
    completed_lines, detail, is_mine, is_my_turn, is_open, mood, notice, offer, player_name, presence, score,
    seat_of, spectators, status,
};
use crate::config::ServerConfig;
use crate::failure::Failure;
use crate::page::board::{self, BoardView};
use crate::page::clock;
use crate::page::device::Devices;
use crate::page::error::banner;
use crate::page::language::{Language, text};
use crate::page::link::{game_of, to_link};
use crate::page::local::{Shortcuts, shortcuts_dialog};
use crate::reaction::Reaction;
use crate::token::SeatToken;
use crate::wire::{GameStatus, Update, You, to_json};

/// Everything that the page of a game shows.
pub(super) struct GamePage<'a> {
    pub(super) config: &'a ServerConfig,
    pub(super) update: &'a Update,
    pub(super) invitation: Option<&'a SeatToken>,
    pub(super) devices: Option<Devices>,
    pub(super) failure: Option<&'a Failure>,
    pub(super) language: Language,
}

impl GamePage<'_> {
    pub(super) fn markup(&self) -> Markup {
        let (update, lang) = (self.update, self.language);
        let rules = rules_of(update);
        let json = serde_json::to_string(update).expect("an update is plain data");
        let parts = super::first_parts(update, lang);
        html! {
            div #play .game data-game=(update.game) data-update=(json) {
                div.table.has-many[rules.n_boards() > 1] {
                    (parts.players())
                    (self.invite())
                    (parts.headline())
                    @if let Some(failure) = self.failure { (banner(lang, failure)) }
                    // Above the boards, which may be taller than the screen. With scripts, notices are fixed to the lower edge, so
                    // that the boards do not move while the player is about to tap.
                    div.notices {
                        p #problem .banner.bad hidden {}
                        p #connection .banner hidden {}
                        (parts.notice())
                        (parts.offer())
                    }
                    (self.board(&rules))
                    (parts.actions())
                    (self.push())
                    (self.refresh())
                    (self.reactions())
                }
                div.sheet.side {
                    (parts.audience())
                    (parts.moves())
                    (self.links(&rules))
                }
            }
            (shortcuts_dialog(lang, Shortcuts::Board))
        }
    }

    fn board(&self, rules: &Rules) -> Markup {
        let (update, lang) = (self.update, self.language);
        let game = game_of(rules, &update.state.moves).expect("a stored game is legal");
        let board = BoardView { game: &game, playable: is_my_turn(update), language: lang };
        html! {
            form #act method="post" action=(lang.path(&format!("/g/{}/act", update.game))) {
                input type="hidden" name="seq" value=(update.seq);
                @match &update.state.marks[..] {
                    [mark] => input type="hidden" name="mark" value=(mark);,
                    [_, ..] if update.you.is_some() => div #marks { (mark_choice(lang)) },
                    _ => {}
                }
                (board.markup())
            }
        }
    }

    /// Renders the button that asks for messages. The script shows it if the browser can get some.
    fn push(&self) -> Markup {
        let is_player = matches!(self.update.you, Some(You::First | You::Second));
        let push = self
            .config
            .push
            .as_ref()
            .filter(|_| is_player && self.update.state.status == GameStatus::Playing);
        html! {
            @if let Some(push) = push {
                div.buttons.actions {
                    button #push .button.small type="button" data-key=(push.key.public()) aria-pressed="false" hidden { (self.language.t("Tell me when it is my turn")) }
                }
            }
        }
    }

    /// Renders what replaces the socket in a browser without scripts.
    fn refresh(&self) -> Markup {
        let (update, lang) = (self.update, self.language);
        let is_waiting = is_open(update) || update.state.status == GameStatus::Playing && !is_my_turn(update);
        html! {
            noscript {
                @if is_waiting {
                    p { a.button href=(lang.path(&format!("/g/{}?since={}", update.game, update.seq))) { (lang.t("Wait for the next move")) } }
                } @else {
                    p { a href=(lang.path(&format!("/g/{}", update.game))) { (lang.t("Refresh")) } }
                }
            }
        }
    }

    /// Renders the buttons for reactions, which the script shows to the players of a game of two people.
    fn reactions(&self) -> Markup {
        let lang = self.language;
        let is_reacting = matches!(self.update.you, Some(You::First | You::Second));
        html! {
            div #reactions .reactions role="group" aria-label=(lang.t("Reactions")) hidden {
                @if is_reacting {
                    @for reaction in Reaction::ALL {
                        button.emoji type="button" value=(to_json(&reaction).trim_matches('"')) aria-label=(lang.t(reaction_words(reaction))) { (reaction.emoji()) }
                    }
                }
                button #hide-reactions .button.small type="button" aria-pressed="false" { (lang.t("Hide reactions")) }
            }
        }
    }
}

const fn reaction_words(reaction: Reaction) -> &'static str {
    match reaction {
        Reaction::ThumbsUp => text("Thumbs up"),
        Reaction::Applause => text("Applause"),
        Reaction::Laugh => text("Laugh"),
        Reaction::Surprise => text("Surprise"),
        Reaction::Thinking => text("Hm, let me think"),
        Reaction::Party => text("Party"),
    }
}

/// The parts of the page that change during a game.
pub(in crate::page) struct Parts<'a> {
    pub(super) update: &'a Update,
    pub(super) rules: Rules,
    pub(super) viewer: Viewer,
    pub(super) language: Language,
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
            "players": self.players().into_string(),
            "headline": self.headline().into_string(),
            "notice": self.notice().into_string(),
            "offer": self.offer().into_string(),
            "actions": self.actions().into_string(),
            "audience": self.audience().into_string(),
            "moves": self.moves().into_string(),
        })
    }

    pub(in crate::page) fn headline(&self) -> Markup {
        let (update, lang) = (self.update, self.language);
        let details = html! {
            (detail(update, &self.rules, lang))
            @if let Some(lines) = completed_lines(update, lang) { span.unseen { " " (lines) } }
        };
        headline_in(mood(update), &status(update, lang), &details)
    }

    fn notice(&self) -> Markup {
        let text = notice(self.update, self.language);
        html! { p #notice .banner hidden[text.is_none()] { (text.unwrap_or_default()) } }
    }

    fn offer(&self) -> Markup {
        let (update, lang) = (self.update, self.language);
        let text = offer(update, lang);
        let is_my_offer = update.state.offer.is_some_and(|offer| is_mine(update, offer.by));
        // An absent offer has no content, because text browsers show hidden elements.
        html! {
            div #offer .banner hidden[text.is_none()] {
                @if let Some(text) = text {
                    p { (text) }
                    @if update.you.is_some() {
                        div.buttons {
                            @if is_my_offer {
                                (self.action("decline", lang.t("Withdraw"), ""))
                            } @else {
                                (self.action("accept", lang.t("Accept"), "first"))
                                (self.action("decline", lang.t("Decline"), ""))
                            }
                        }
                    }
                }
            }
        }
    }

    /// Renders the button for an action. It has its own form, so that it works without scripts.
    fn action(&self, kind: &str, label: &str, class: &str) -> Markup {
        html! {
            form method="post" action=(self.language.path(&format!("/g/{}/act", self.update.game))) {
                input type="hidden" name="seq" value=(self.update.seq);
                button class=(format!("button {class}").trim_end()) type="submit" name="kind" value=(kind) { (label) }
            }
        }
    }

    fn actions(&self) -> Markup {
        let (update, lang) = (self.update, self.language);
        let state = &update.state;
        let is_over = state.status != GameStatus::Playing;
        let can_play = update.you.is_some() && !is_over && !is_open(update);
        let can_offer = update.you.is_some() && state.offer.is_none();
        let n_before = usize::from(update.you == Some(You::Second));
        html! {
            div #actions .buttons.actions role="group" aria-label=(lang.t("Actions")) {
                @if can_play && can_offer && state.moves.len() > n_before { (self.action("ask-undo", lang.t("Take back"), "")) }
                @if can_play && can_offer && update.you != Some(You::Both) { (self.action("offer-draw", lang.t("Offer a draw"), "")) }
                @if can_play { (self.action("resign", lang.t("Resign"), "")) }
                @if let Some(place) = &state.tournament {
                    a #tournament-link .button.first[is_over].large[is_over] href=(lang.path(&format!("/t/{}", place.id))) {
                        (lang.fill("Round {number} of {name}", &[("number", &place.round), ("name", &place.name)]))
                    }
                }
                @if can_offer && is_over && state.next.is_none() && state.tournament.is_none() { (self.action("rematch", lang.t("Rematch"), "first large")) }
                @if state.next.is_some() {
                    a.button.first.large href=(lang.path(&format!("/g/{}/next", update.game))) { (lang.t("Go to the rematch")) }
                }
                @if is_over || update.you == Some(You::Both) {
                    a.button href=(lang.path(&format!("/r#{}", to_link(&self.rules, &state.moves)))) { (lang.t("Replay and analyse")) }
                }
                @if is_over && state.tournament.is_none() { a.button href=(lang.path("/")) { (lang.t("New game")) } }
            }
        }
    }

    /// Renders both players with the score between them. The viewer is on the left.
    pub(in crate::page) fn players(&self) -> Markup {
        let (update, lang) = (self.update, self.language);
        let sides = if update.you == Some(You::Second) {
            [Player::Second, Player::First]
        } else {
            [Player::First, Player::Second]
        };
        let results = update.state.score;
        let [left, right] =
            sides.map(|side| if side == Player::First { results.first } else { results.second });
        html! {
            div #players {
                ul.players aria-label=(lang.t("Players and score")) {
                    (self.player(sides[0]))
                    li.series {
                        span.unseen { (score(update, sides, lang)) }
                        span aria-hidden="true" { b { (left) " : " (right) } @match results.draws {
                            0 => {},
                            1 => small { (lang.t("1 draw")) },
                            draws => small { (lang.fill("{number} draws", &[("number", &draws)])) },
                        } }
                    }
                    (self.player(sides[1]))
                }
            }
        }
    }

    fn player(&self, side: Player) -> Markup {
        let (update, lang) = (self.update, self.language);
        let is_to_move = update.state.to_move == Some(side);
        let (presence, is_here) = presence(update, side, lang);
        html! {
            li.player.is-to-move[is_to_move].is-me[is_mine(update, side)] data-side=(if side == Player::First { "first" } else { "second" }) {
                @if let Some(mark) = seat_of(update, side).mark { (board::mark(mark)) }
                " " span.who {
                    b { (player_name(update, side, lang)) } @if is_mine(update, side) { " " span.you { (lang.t("(you)")) } }
                    @if is_to_move { span.unseen { (lang.t(", to move")) } }
                    " "
                    small.presence.is-here[is_here] { (presence)
                        @if seat_of(update, side).devices > 0 {
                            ", " (lang.fill("{number} devices", &[("number", &(seat_of(update, side).devices + 1))]))
                        }
                    }
                }
                @if let Some(clock) = clock::markup(update, side, lang) { (clock) }
            }
        }
    }

    fn audience(&self) -> Markup {
        let (update, lang) = (self.update, self.language);
        html! {
            div #audience {
                @if let Some(spectators) = spectators(update, self.viewer, lang) { p #watching .note { (spectators) } }
                @if update.you.is_none() {
                    p.note { (lang.t("Are you one of the players? Open the game in the browser where you joined. If its cookies were deleted, your seat is lost.")) }
                }
            }
        }
    }

    fn moves(&self) -> Markup {
        let lang = self.language;
        let moves = &self.update.state.moves;
        html! {
            div #moves {
                h2 { (lang.t("Moves")) }
                @if moves.is_empty() { p.note { (lang.t("The letter is the row, counted from the top; the digit is the column.")) } }
                ul.moves aria-label=(lang.t("Moves")) tabindex="0" {
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
    headline_in("", status, detail)
}

fn headline_in(mood: &str, status: &str, detail: &Markup) -> Markup {
    html! {
        div #headline .headline data-mood=(mood) {
            h1 #status .status { (status) }
            p #why .why { (detail) }
        }
    }
}

/// Renders the choice between the marks, for variants in which a player may write either.
pub(in crate::page) fn mark_choice(lang: Language) -> Markup {
    html! {
        fieldset.marks {
            legend { (lang.t("Your mark")) }
            div.choices {
                label.choice { input type="radio" name="mark" value="X" checked; span { "X" } }
                label.choice { input type="radio" name="mark" value="O"; span { "O" } }
            }
        }
    }
}
