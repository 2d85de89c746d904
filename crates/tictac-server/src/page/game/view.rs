//! The page of a game as HTML.
//!
//! The parts that change during a game are rendered here for both kinds of browser: the page contains them, and the socket sends
//! them again after every event to browsers that run the script.

use maud::{Markup, html};
use serde_json::json;
use tictac::{Mark, Player};
use tictac_solver::level::Level;

use crate::config::ServerConfig;
use crate::event::PlayerKind;
use crate::failure::Failure;
use crate::hosted_game::HostedGame;
use crate::page::board::{self, BoardView};
use crate::page::clock;
use crate::page::device::Devices;
use crate::page::error::banner;
use crate::page::home::name_of;
use crate::page::language::{Language, text};
use crate::page::link::to_link;
use crate::page::local::{Shortcuts, shortcuts_dialog};
use crate::page::{picture, variant};
use crate::reaction::Reaction;
use crate::token::{GameId, SeatToken};
use crate::wire::{Presence, You};

/// A game as one viewer sees it.
pub(crate) struct ViewedGame<'a> {
    pub(crate) id: GameId,
    pub(crate) hosted: &'a HostedGame,
    /// The clients that are connected, without the viewer if they only watch.
    pub(crate) presence: Presence,
    /// The time of the server, for the clocks.
    pub(crate) now: u64,
    pub(crate) you: Option<You>,
    pub(crate) lang: Language,
}

/// Everything that the page of a game shows.
pub(super) struct GamePage<'a> {
    pub(super) config: &'a ServerConfig,
    pub(super) view: ViewedGame<'a>,
    /// The update as JSON, for the script.
    pub(super) update: String,
    pub(super) invitation: Option<SeatToken>,
    pub(super) devices: Option<Devices>,
    pub(super) failure: Option<&'a Failure>,
}

impl GamePage<'_> {
    pub(super) fn markup(&self) -> Markup {
        let (view, lang) = (&self.view, self.view.lang);
        html! {
            div #play .game data-game=(view.id) data-update=(self.update) {
                div.table.has-many[view.hosted.game.rules().n_boards() > 1] {
                    (view.players())
                    (self.invite())
                    (view.headline())
                    @if let Some(failure) = self.failure { (banner(lang, failure)) }
                    div.with-notices {
                        // With scripts, notices lie over what is above or below the board, which they neither move nor cover.
                        div.notices {
                            p #problem .banner.bad hidden {}
                            p #connection .banner hidden {}
                            (view.notice())
                            (view.offer())
                        }
                        (self.board())
                    }
                    (view.actions())
                    (self.push())
                    (self.refresh())
                    (self.reactions())
                }
                div.sheet.side {
                    (view.audience())
                    (view.moves())
                    (self.links())
                }
            }
            (shortcuts_dialog(lang, Shortcuts::Board))
        }
    }

    fn board(&self) -> Markup {
        let (view, lang) = (&self.view, self.view.lang);
        let board = BoardView { game: &view.hosted.game, playable: view.is_my_turn(), language: lang };
        html! {
            form #act method="post" action=(lang.path(&format!("/g/{}/act", view.id))) {
                input type="hidden" name="seq" value=(view.hosted.n_events);
                @match view.hosted.marks() {
                    [mark] => input type="hidden" name="mark" value=(mark);,
                    [_, ..] if view.you.is_some() => div #marks { (mark_choice(lang)) },
                    _ => {}
                }
                (board.markup())
            }
        }
    }

    /// Returns true if the viewer plays one side and not both.
    fn is_player(&self) -> bool {
        matches!(self.view.you, Some(You::First | You::Second))
    }

    /// Renders the button that asks for messages. The script shows it if the browser can get some.
    fn push(&self) -> Markup {
        let push = self.config.push.as_ref().filter(|_| self.is_player() && !self.view.hosted.is_over());
        html! {
            @if let Some(push) = push {
                div.buttons.actions {
                    button #push .button.small type="button" data-key=(push.key.public()) aria-pressed="false" hidden { (self.view.lang.t("Tell me when it is my turn")) }
                }
            }
        }
    }

    /// Renders what replaces the socket in a browser without scripts.
    fn refresh(&self) -> Markup {
        let (view, lang) = (&self.view, self.view.lang);
        let is_waiting = view.hosted.is_open() || !view.hosted.is_over() && !view.is_my_turn();
        html! {
            noscript {
                @if is_waiting {
                    p { a.button href=(lang.path(&format!("/g/{}?since={}", view.id, view.hosted.n_events))) { (lang.t("Wait for the next move")) } }
                } @else {
                    p { a href=(lang.path(&format!("/g/{}", view.id))) { (lang.t("Refresh")) } }
                }
            }
        }
    }

    /// Renders the buttons for reactions, which the script shows to the players of a game of two people.
    fn reactions(&self) -> Markup {
        let lang = self.view.lang;
        html! {
            div #reactions .reactions role="group" aria-label=(lang.t("Reactions")) hidden {
                @if self.is_player() {
                    @for reaction in Reaction::ALL {
                        button.emoji type="button" value=(name_of(reaction)) aria-label=(lang.t(reaction_words(reaction))) { (reaction.emoji()) }
                    }
                }
                button #hide-reactions .button.small type="button" aria-pressed="false" { (lang.t("Hide reactions")) }
            }
        }
    }

    /// Renders the invitation, above the board: until the friend has come, it is what matters.
    fn invite(&self) -> Markup {
        let (view, lang) = (&self.view, self.view.lang);
        let is_needed = view.hosted.is_open() && view.you.is_some();
        let Some(token) = self.invitation.as_ref().filter(|_| is_needed) else {
            return html! { div #invite hidden {} };
        };
        let link = format!("{}/join/{}", self.config.public_origin, token.expose());
        html! {
            div #invite .share.sheet {
                p.lead { (lang.t("Send this link to your friend:")) }
                (link_field("invitation", lang.t("Link for your friend"), &link))
                button #share-invite .button.first.large type="button" hidden { (lang.t("Share invite")) }
                details.qr-fold { summary { (lang.t("QR code to scan")) } (picture::qr_code(lang, &link)) }
            }
        }
    }

    fn links(&self) -> Markup {
        let (game, rules, lang) = (self.view.id, self.view.hosted.game.rules(), self.view.lang);
        let origin = &self.config.public_origin;
        let frame = frame_code(&format!("{origin}/embed/g/{game}"));
        html! {
            p #downloads .note hidden[self.view.hosted.game.moves().is_empty()] {
                (lang.t("Download:")) " "
                a href=(format!("/api/v1/games/{game}/record")) download=(format!("{game}.ttt")) { (lang.t("moves")) } ", "
                a href=(format!("/api/v1/games/{game}/picture.svg")) download=(format!("{game}.svg")) { (lang.t("picture")) }
            }
            details {
                summary { (lang.t("Rules and links for others")) }
                p.note { (variant::summary(lang, rules)) "." }
                div.share {
                    p { (lang.t("To watch:")) }
                    (link_field("watch", lang.t("Link for spectators"), &format!("{origin}/g/{game}")))
                    p { (lang.t("To show the game on your site:")) }
                    (frame_field("frame", lang.t("HTML for your site"), &frame))
                }
            }
            @if let Some(devices) = &self.devices { (devices.markup(lang, self.config, game)) }
            div #keys-place .buttons {}
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
impl ViewedGame<'_> {
    /// Returns the HTML of each part by the id of its element.
    pub(crate) fn parts(&self) -> serde_json::Value {
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
        let details = html! {
            (self.detail())
            @if let Some(lines) = self.completed_lines() { span.unseen { " " (lines) } }
        };
        headline_in(self.mood(), &self.status(), &details)
    }

    fn notice(&self) -> Markup {
        let text = self.notice_sentence();
        html! { p #notice .banner hidden[text.is_none()] { (text.unwrap_or_default()) } }
    }

    fn offer(&self) -> Markup {
        let (hosted, lang) = (self.hosted, self.lang);
        let text = self.offer_sentence();
        let is_my_offer = hosted.offer.is_some_and(|offer| self.is_mine(offer.by));
        // An absent offer has no content, because text browsers show hidden elements.
        html! {
            div #offer .banner hidden[text.is_none()] {
                @if let Some(text) = text {
                    p { (text) }
                    @if self.you.is_some() {
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
            form method="post" action=(self.lang.path(&format!("/g/{}/act", self.id))) {
                input type="hidden" name="seq" value=(self.hosted.n_events);
                button class=(format!("button {class}").trim_end()) type="submit" name="kind" value=(kind) { (label) }
            }
        }
    }

    fn actions(&self) -> Markup {
        let (hosted, lang) = (self.hosted, self.lang);
        let is_over = hosted.is_over();
        let can_play = self.you.is_some() && !is_over && !hosted.is_open();
        let can_offer = self.you.is_some() && hosted.offer.is_none();
        let n_before = usize::from(self.you == Some(You::Second));
        let tournament = hosted.setup.tournament.as_ref();
        html! {
            div #actions .buttons.actions role="group" aria-label=(lang.t("Actions")) {
                @if can_play && can_offer && hosted.game.moves().len() > n_before { (self.action("ask-undo", lang.t("Take back"), "")) }
                @if can_play && can_offer && self.you != Some(You::Both) { (self.action("offer-draw", lang.t("Offer a draw"), "")) }
                @if can_play { (self.action("resign", lang.t("Resign"), "")) }
                @if let Some(place) = tournament {
                    a #tournament-link .button.first[is_over].large[is_over] href=(lang.path(&format!("/t/{}", place.id))) {
                        (lang.fill("Round {number} of {name}", &[("number", &place.round), ("name", &place.name)]))
                    }
                }
                @if can_offer && is_over && hosted.next.is_none() && tournament.is_none() { (self.action("rematch", lang.t("Rematch"), "first large")) }
                @if hosted.next.is_some() {
                    a.button.first.large href=(lang.path(&format!("/g/{}/next", self.id))) { (lang.t("Go to the rematch")) }
                }
                @if is_over || self.you == Some(You::Both) {
                    a.button href=(lang.path(&format!("/r#{}", to_link(&hosted.game)))) { (lang.t("Replay and analyse")) }
                }
                @if is_over && self.you.is_some() && tournament.is_none() { (self.other_levels()) }
                @if is_over && tournament.is_none() { a.button href=(lang.path("/")) { (lang.t("New game")) } }
            }
        }
    }

    /// Renders the buttons for a game against a weaker and a stronger computer, by the same rules.
    fn other_levels(&self) -> Markup {
        let (lang, setup) = (self.lang, &self.hosted.setup);
        let (person, computer) = match (&setup.first.kind, &setup.second.kind) {
            (PlayerKind::Computer(level), PlayerKind::Person) => (&setup.second, level),
            (PlayerKind::Person, PlayerKind::Computer(level)) => (&setup.first, level),
            _ => return html! {},
        };
        let Some(at) = Level::ALL.iter().position(|level| level.name() == computer) else { return html! {} };
        let level = |at: Option<usize>| at.and_then(|at| Level::ALL.get(at)).map(|level| level.name());
        let button = |level: &str, label: &str| {
            html! {
                form method="post" action=(lang.path("/new")) {
                    @for (name, value) in [("against", "computer"), ("level", level), ("begins", "chance")] {
                        input type="hidden" name=(name) value=(value);
                    }
                    input type="hidden" name="rules" value=(setup.rules);
                    input type="hidden" name="name" value=(person.name.as_deref().unwrap_or_default());
                    button.button type="submit" { (label) }
                }
            }
        };
        html! {
            @if let Some(easier) = level(at.checked_sub(1)) { (button(easier, lang.t("Easier"))) }
            @if let Some(harder) = level(Some(at + 1)) { (button(harder, lang.t("Harder"))) }
        }
    }

    /// Renders both players with the score between them. The viewer is on the left.
    pub(in crate::page) fn players(&self) -> Markup {
        let (hosted, lang) = (self.hosted, self.lang);
        let sides = if self.you == Some(You::Second) {
            [Player::Second, Player::First]
        } else {
            [Player::First, Player::Second]
        };
        let results = hosted.score();
        let [left, right] = sides.map(|side| results.wins(side));
        html! {
            div #players {
                ul.players aria-label=(lang.t("Players and score")) {
                    (self.player(sides[0]))
                    li.series {
                        span.unseen { (self.score(sides)) }
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
        let (hosted, lang) = (self.hosted, self.lang);
        let is_to_move = hosted.to_move() == Some(side);
        let (presence, is_here) = self.presence(side);
        let (name, n_devices) = (self.player_name(side), hosted.seat(side).devices.len());
        html! {
            li.player.is-to-move[is_to_move].is-me[self.is_mine(side)] data-side=(name_of(side)) {
                @if let Some(mark) = hosted.game.state().mark_of(side) { (board::mark(mark)) }
                " " span.who {
                    b { (name) } @if self.is_mine(side) { " " span.you { (lang.t("(you)")) } }
                    @if is_to_move { span.unseen { (lang.t(", to move")) } }
                    " "
                    small.presence.is-here[is_here] { (presence)
                        @if n_devices > 0 {
                            ", " (lang.fill("{number} devices", &[("number", &(n_devices + 1))]))
                        }
                    }
                }
                @if let Some(clock) = clock::markup(hosted, side, &name, self.now, lang) { (clock) }
            }
        }
    }

    fn audience(&self) -> Markup {
        let lang = self.lang;
        html! {
            div #audience {
                @if let Some(spectators) = self.spectators() { p #watching .note { (spectators) } }
                @if self.you.is_none() {
                    p.note { (lang.t("Are you one of the players? Open the game in the browser where you joined. If its cookies were deleted, your seat is lost.")) }
                }
            }
        }
    }

    fn moves(&self) -> Markup {
        let lang = self.lang;
        let (rules, moves) = (self.hosted.game.rules(), self.hosted.game.moves());
        html! {
            div #moves {
                h2 { (lang.t("Moves")) }
                @if moves.is_empty() { p.note { (lang.t("The letter is the row, counted from the top; the digit is the column.")) } }
                ul.moves aria-label=(lang.t("Moves")) tabindex="0" {
                    @for (number, mv) in (1..).zip(moves) {
                        li { span aria-current=[(number == moves.len()).then_some("step")] {
                            span.number { (number) "." } " "
                            span class=(if mv.mark == Mark::O { "o" } else { "x" }) { (mv.display(rules)) }
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

/// Returns the HTML with which other sites show a page of this server.
fn frame_code(address: &str) -> String {
    format!(
        r#"<iframe src="{address}" width="360" height="540" loading="lazy" title="tic-tac-toe"></iframe>"#
    )
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

/// Renders a text to copy, which is not a link.
pub(in crate::page) fn frame_field(id: &str, label: &str, text: &str) -> Markup {
    html! {
        div.share-row {
            label.unseen for=(id) { (label) }
            input #(id) type="text" readonly value=(text) data-copy-only;
        }
    }
}
