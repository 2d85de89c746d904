//! The pages that need no game on the server: replay, solo, help and offline.

use axum::extract::State;
use maud::{Markup, html};
use tictac::{Game, Rules};
use tictac_solver::level::Level;

use super::board::BoardView;
use super::check;
use super::frame::{LinkPreview, Page};
use super::game::{frame_field, headline, link_field, mark_choice};
use super::language::{Language, text};
use super::{home, variant};
use crate::service::Service;

/// Renders a notice for browsers without scripts, with an alternative.
fn needs_script(lang: Language, path: &str, alternative: &str) -> Markup {
    html! {
        noscript { p.banner { (lang.t("This page needs JavaScript.")) " " a href=(lang.path(path)) { (lang.t(alternative)) } } }
    }
}

/// Renders an empty board, which the script fills, and the data that it needs to do so.
pub(super) fn empty_board(lang: Language) -> Markup {
    html! {
        (variant::catalogue(lang))
        div #marks hidden { (mark_choice(lang)) }
        (BoardView { game: &Game::new(&Rules::CLASSIC), playable: false, language: lang }.markup())
    }
}

fn legend(lang: Language) -> Markup {
    html! {
        p #legend .legend hidden {
            span { b.win { (lang.t("W")) "3" } (lang.t("wins in 3 moves")) }
            span { b.draw { (lang.t("D")) } (lang.t("draws")) }
            span { b.loss { (lang.t("L")) "4" } (lang.t("loses in 4 moves")) }
            span { (lang.t("counting both players' moves")) }
        }
    }
}

/// The keyboard shortcuts that a page has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shortcuts {
    Board,
    /// Those of the board, and those that step through a game.
    Replay,
}

pub(super) fn shortcuts_dialog(lang: Language, shortcuts: Shortcuts) -> Markup {
    html! {
        dialog #keys aria-labelledby="keys-title" {
            h2 #keys-title { (lang.t("Keyboard shortcuts")) }
            dl.keys { (shortcut_list(lang, shortcuts)) }
            form method="dialog" {
                p { label { input #letters type="checkbox" checked; " " (lang.t("Use single-letter shortcuts")) } }
                button.button.first { (lang.t("Close")) }
            }
        }
    }
}

fn shortcut_list(lang: Language, shortcuts: Shortcuts) -> Markup {
    html! {
        dt { kbd { "Tab" } } dd { (lang.t("Go to the board, and leave it")) }
        dt { kbd { "← ↑ → ↓" } } dd { (lang.t("Move around the board")) }
        dt { kbd { "Enter" } " " kbd { (lang.t("Space")) } } dd { (lang.t("Play the selected square")) }
        dt { kbd { "1" } "…" kbd { "9" } } dd { (lang.t("Play a square of a 3×3 board, row by row")) }
        dt { kbd { "b" } " " kbd { "2" } } dd { (lang.t("Play row B, column 2")) " (" kbd { "2.b2" } " " (lang.t("on the second board")) ")" }
        dt { kbd { (lang.t("PgUp")) } " " kbd { (lang.t("PgDn")) } } dd { (lang.t("Go to another board")) }
        @if shortcuts == Shortcuts::Replay {
            dt { kbd { "←" } " " kbd { "→" } } dd { (lang.t("Step back or forward, outside the board")) }
            dt { kbd { (lang.t("Home")) } " " kbd { (lang.t("End")) } } dd { (lang.t("Go to the start or the end")) }
            dt { kbd { "v" } } dd { (lang.t("Show the value of every square")) }
        }
        dt { kbd { "f" } } dd { (lang.t("Turn the board around")) }
        dt { kbd { "?" } } dd { (lang.t("Show this list")) }
    }
}

/// `GET /r`: the game is in the link after `#`, which browsers do not send.
pub(super) async fn replay(State(service): State<Service>, lang: Language) -> Page {
    let content = html! {
        (needs_script(lang, "/check", text("Paste your game on another page.")))
        p #trouble .banner.bad role="alert" hidden {}
        div #replay .game hidden {
            div.table {
                (headline(lang.t("Replay"), &html! {}))
                (empty_board(lang))
                (legend(lang))
                (stepper(lang))
            }
            div.sheet.side {
                p #verdict .banner hidden {}
                div.buttons {
                    button #values .button type="button" aria-pressed="false" { (lang.t("Show values")) }
                    button #learn .button type="button" hidden {}
                }
                h2 { (lang.t("Moves")) }
                ul #moves .moves aria-label=(lang.t("Moves")) {}
                p #variation .note hidden {}
                (play_from_here(lang))
                (replay_buttons(lang))
                p.note #rules {}
            }
        }
        (set_up(lang))
        (share_dialog(lang))
        (shortcuts_dialog(lang, Shortcuts::Replay))
    };
    let title = lang.t("Replay a game of tic-tac-toe").to_owned();
    let description = lang.t("See which squares win, draw or lose, and how soon.").to_owned();
    let preview = LinkPreview::of_site(&service.config, lang, title, description);
    let title = lang.t("Replay and analyse");
    Page::new(lang, title, "/r", content).with_script("replay").with_preview(preview)
}

pub(super) fn stepper(lang: Language) -> Markup {
    html! {
        div.stepper role="group" aria-label=(lang.t("Step through the moves")) {
            button #to-start .button type="button" aria-label=(lang.t("Go to the start")) { "«" }
            button #back .button type="button" aria-label=(lang.t("Step back")) { "‹" }
            button #forward .button type="button" aria-label=(lang.t("Step forward")) { "›" }
            button #to-end .button type="button" aria-label=(lang.t("Go to the end")) { "»" }
        }
    }
}

fn replay_buttons(lang: Language) -> Markup {
    html! {
        div.buttons {
            button #share .button type="button" { (lang.t("Share")) }
            button #download-moves .button type="button" { (lang.t("Download moves")) }
            a #picture .button href="/picture.svg?game=3,3,3/" download="board.svg" { (lang.t("Download picture")) }
            button #flip .button type="button" { (lang.t("Turn board")) }
            span #keys-place {}
        }
    }
}

/// Renders what an analysis can start with: a board of another size, or a pasted game.
fn set_up(lang: Language) -> Markup {
    let boards = [
        ("3,3,3", text("Classic")),
        ("3,3,3+misere", text("Misère")),
        ("3,3,3+wild", text("Wild")),
        ("notakto", text("Notakto")),
        ("4,4,4", text("Four by four")),
        ("5,5,4", text("Five by five")),
    ];
    html! {
        div.two.set-up {
            section.sheet aria-labelledby="new-analysis" {
                h2 #new-analysis { (lang.t("Start from an empty board")) }
                p.note { (lang.t("Click the squares to set up a position: the marks alternate.")) }
                ul.links { @for (rules, title) in boards { li { a.button href=(lang.path(&format!("/r#{rules}/"))) { (lang.t(title)) } } } }
            }
            (check::form(lang, ""))
        }
        div #result tabindex="-1" {}
    }
}

fn share_dialog(lang: Language) -> Markup {
    html! {
        dialog #share-dialog aria-labelledby="share-title" {
            h2 #share-title { (lang.t("Share this game")) }
            div.share {
                (link_field("link", lang.t("Link to this game"), ""))
                (frame_field("frame", lang.t("HTML for your site"), ""))
                img #qr .qr alt=(lang.t("QR code of the link")) width="176" height="176";
            }
            form method="dialog" { button.button.first { (lang.t("Close")) } }
        }
    }
}

fn play_from_here(lang: Language) -> Markup {
    html! {
        form #play-from-here method="post" action=(lang.path("/new")) hidden {
            input type="hidden" name="rules" value="3,3,3";
            input type="hidden" name="moves" value="";
            input type="hidden" name="begins" value="me";
            input type="hidden" name="against" value="computer";
            div.share-row {
                label.unseen for="from-here-level" { (lang.t("Level of the computer")) }
                select #from-here-level name="level" { (home::level_options(lang, Level::Perfect.name())) }
                button.button type="submit" { (lang.t("Play from here")) }
            }
        }
    }
}

pub(super) async fn solo(lang: Language) -> Page {
    let title = lang.t("Play the computer");
    let content = html! {
        (needs_script(lang, "/", text("Play the computer on the server instead.")))
        div.game {
            div.table {
                (headline(title, &html! {}))
                (empty_board(lang))
                (legend(lang))
                div.buttons.actions {
                    button #again .button.first.large type="button" hidden { (lang.t("Play again")) }
                    button #undo .button type="button" { (lang.t("Take back")) }
                    button #values .button type="button" aria-pressed="false" { (lang.t("Show values")) }
                    a #analyse .button href=(lang.path("/r")) hidden { (lang.t("Replay and analyse")) }
                }
            }
            div.sheet.side {
                form #solo-form {
                    div.fields {
                        label.field { span { (lang.t("Rules")) } select name="rules" {
                            @for (rules, title, _) in home::rules_on_3x3() { option value=(rules) { (lang.t(title)) } }
                        } }
                        label.field { span { (lang.t("Level")) } select name="level" { (home::level_options(lang, Level::Club.name())) } }
                        label.field { span { (lang.t("Who goes first")) } select name="begins" {
                            option value="me" { (lang.t("You")) }
                            option value="opponent" { (lang.t("Computer")) }
                        } }
                    }
                    div.buttons { button.button type="submit" { (lang.t("New game")) } span #keys-place {} }
                }
                p.note #rules-in-words {}
                p.note { (lang.t("This page also works offline.")) }
            }
        }
        (shortcuts_dialog(lang, Shortcuts::Board))
    };
    Page::new(lang, title, "/", content).with_script("solo")
}

/// `GET /offline`: the page that the service worker shows if the server cannot be reached.
pub(super) async fn offline(lang: Language) -> Page {
    let title = lang.t("No connection");
    let content = html! {
        div.sheet.prose {
            h1 { (title) }
            // The script shows the one that is true.
            p #is-offline .lead hidden { (lang.t("You are offline. Your games are saved, and you can continue them when you are back online.")) }
            p #is-unreachable .lead { (lang.t("The server cannot be reached right now. Your games are saved, and this page opens by itself as soon as it answers.")) }
            // An empty address is that of the page that could not be loaded.
            p { a.button.first href="" { (lang.t("Try again")) } }
            p { (lang.t("Until then, you can:")) }
            div.buttons {
                a.button href=(lang.path("/solo")) { (lang.t("Play the computer")) }
                a.button href=(lang.path("/r")) { (lang.t("Analyse a 3×3 game")) }
            }
        }
    };
    Page::new(lang, title, "", content).with_script("offline")
}

pub(super) async fn help(lang: Language) -> Page {
    let title = lang.t("Help");
    let content = html! {
        div.sheet.prose {
            h1 { (title) }
            h2 { (lang.t("Squares")) }
            p { (lang.t("A square is named by its row and column: B3 is in the second row from the top, third column. Unlike in chess, letters are rows.")) }
            h2 { (lang.t("Keyboard shortcuts")) }
            dl.keys { (shortcut_list(lang, Shortcuts::Replay)) }
            h2 { (lang.t("Links")) }
            p {
                (lang.t("Your friend joins with the link that you send them. Keep it between the two of you: the first person who opens it plays.")) " "
                (lang.t("To let others watch, share the address of the game itself.")) " "
                (lang.t("The link of a replay contains the whole game, so nothing has to be stored on the server."))
            }
            h2 { (lang.t("Rules")) }
            dl.keys {
                dt { (lang.t("Classic")) } dd { (lang.t("Three in a row wins. A full board is a draw.")) }
                dt { (lang.t("Misère")) } dd { (lang.t("If you complete a line, you lose.")) }
                dt { (lang.t("Wild")) } dd { (lang.t("On every turn you may write X or O. Completing a line of either mark wins.")) }
                dt { (lang.t("Notakto")) } dd { (lang.t("Both players write X. A board with a line is finished. Completing the last line loses.")) }
                dt { (lang.t("Custom")) } dd { (lang.t("Choose any board up to 8×8, the length of a line, and the variants above.")) }
            }
            h2 { (lang.t("Values")) }
            p {
                b { (lang.t("W")) "3" } " " (lang.t("means that the move wins in 3 moves, including itself and your opponent's moves.")) " "
                b { (lang.t("D")) } " " (lang.t("is a draw.")) " " b { (lang.t("L")) "4" } " " (lang.t("loses in 4 moves.")) " "
                (lang.t("On large boards the computer searches for two seconds and marks what it cannot decide with a question mark."))
            }
            h2 { (lang.t("Reactions and sound")) }
            p { (lang.t("Players of a game can show each other six reactions. They are not stored, and you can hide them. Sounds are off until you touch the page, and the loudspeaker at the top mutes them.")) }
            h2 { (lang.t("For programmers")) }
            p { (lang.t("Everything can be done with JSON over HTTP or a WebSocket. The server describes its API:")) " " a href="/api/v1/openapi.json" { "OpenAPI" } "." }
        }
    };
    Page::new(lang, title, "/help", content)
}
