//! The pages that need no game on the server: replay, solo, help and offline.

use maud::{Markup, html};
use tictac::level::Level;
use tictac::{Game, Rules};

use super::board::BoardView;
use super::frame::Page;
use super::game::{headline, link_field, mark_choice};
use super::{home, variant};

/// Renders a notice for browsers without scripts, with an alternative.
fn needs_script(alternative: &Markup) -> Markup {
    html! { noscript { p.banner { "This page needs JavaScript. " (alternative) } } }
}

/// Renders an empty board, which the script fills, and the data that it needs to do so.
fn empty_board() -> Markup {
    html! {
        (variant::catalogue())
        div #marks hidden { (mark_choice()) }
        (BoardView { game: &Game::new(&Rules::CLASSIC), playable: false }.markup())
    }
}

fn legend() -> Markup {
    html! {
        p #legend .legend hidden {
            span { b.win { "W3" } "wins in 3 moves" }
            span { b.draw { "D" } "draws" }
            span { b.loss { "L4" } "loses in 4 moves" }
            span { "counting both players' moves" }
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

pub(super) fn shortcuts_dialog(shortcuts: Shortcuts) -> Markup {
    html! {
        dialog #keys aria-labelledby="keys-title" {
            h2 #keys-title { "Keyboard shortcuts" }
            dl.keys { (shortcut_list(shortcuts)) }
            form method="dialog" {
                p { label { input #letters type="checkbox" checked; " Use single-letter shortcuts" } }
                button.button.first { "Close" }
            }
        }
    }
}

fn shortcut_list(shortcuts: Shortcuts) -> Markup {
    html! {
        dt { kbd { "Tab" } } dd { "Go to the board, and leave it" }
        dt { kbd { "← ↑ → ↓" } } dd { "Move around the board" }
        dt { kbd { "Enter" } " " kbd { "Space" } } dd { "Play the selected square" }
        dt { kbd { "1" } "…" kbd { "9" } } dd { "Play a square of a 3×3 board, row by row" }
        dt { kbd { "b" } " " kbd { "2" } } dd { "Play row B, column 2 (" kbd { "2.b2" } " on the second board)" }
        dt { kbd { "PgUp" } " " kbd { "PgDn" } } dd { "Go to another board" }
        @if shortcuts == Shortcuts::Replay {
            dt { kbd { "←" } " " kbd { "→" } } dd { "Step back or forward, outside the board" }
            dt { kbd { "Home" } " " kbd { "End" } } dd { "Go to the start or the end" }
            dt { kbd { "v" } } dd { "Show the value of every square" }
        }
        dt { kbd { "f" } } dd { "Turn the board around" }
        dt { kbd { "?" } } dd { "Show this list" }
    }
}

/// `GET /r`: the game is in the link after `#`, which browsers do not send.
pub(super) async fn replay() -> Page {
    let content = html! {
        (needs_script(&html! { "Paste your game on the page " a href="/check" { "Analyse" } " instead." }))
        p #trouble .banner.bad role="alert" hidden {}
        div #replay .two hidden {
            div {
                (headline("Replay", &html! {}))
                (empty_board())
                (legend())
                div.stepper role="group" aria-label="Step through the moves" {
                    button #to-start .button type="button" aria-label="Go to the start" { "«" }
                    button #back .button type="button" aria-label="Step back" { "‹" }
                    button #forward .button type="button" aria-label="Step forward" { "›" }
                    button #to-end .button type="button" aria-label="Go to the end" { "»" }
                }
            }
            div.sheet {
                p #verdict .banner hidden {}
                div.buttons {
                    button #values .button type="button" aria-pressed="false" { "Show values" }
                    button #learn .button type="button" hidden { "Learn from mistakes" }
                }
                h2 { "Moves" }
                ul #moves .moves aria-label="Moves" {}
                p #variation .note hidden {}
                (play_from_here())
                div.buttons {
                    button #share .button type="button" { "Share" }
                    button #record .button type="button" { "Download moves" }
                    a #picture .button href="/picture.svg?game=3,3,3/" download="board.svg" { "Download picture" }
                    button #flip .button type="button" { "Turn board" }
                    span #keys-place {}
                }
                p.note #rules {}
            }
        }
        dialog #share-dialog aria-labelledby="share-title" {
            h2 #share-title { "Share this game" }
            div.share {
                (link_field("link", "Link to this game", ""))
                img #qr .qr alt="QR code of the link" width="176" height="176";
            }
            form method="dialog" { button.button.first { "Close" } }
        }
        (shortcuts_dialog(Shortcuts::Replay))
    };
    Page::new("Replay and analyse", "/check", content).with_script("replay")
}

fn play_from_here() -> Markup {
    html! {
        form #play-from-here method="post" action="/new" hidden {
            input type="hidden" name="rules" value="3,3,3";
            input type="hidden" name="moves" value="";
            input type="hidden" name="begins" value="me";
            input type="hidden" name="against" value="computer";
            div.share-row {
                label.unseen for="from-here-level" { "Level of the computer" }
                select #from-here-level name="level" { (home::level_options(Level::Perfect.name())) }
                button.button type="submit" { "Play from here" }
            }
        }
    }
}

pub(super) async fn solo() -> Page {
    let content = html! {
        (needs_script(&html! { "Without it, you can " a href="/" { "play the computer on the server" } "." }))
        div.two {
            div {
                (headline("Play the computer", &html! {}))
                (empty_board())
                (legend())
            }
            div.sheet {
                div.buttons {
                    button #again .button.first type="button" hidden { "Play again" }
                    button #undo .button type="button" { "Take back" }
                    button #values .button type="button" aria-pressed="false" { "Show values" }
                    a #analyse .button href="/r" hidden { "Analyse" }
                    span #keys-place {}
                }
                form #solo-form {
                    div.fields {
                        label.field { span { "Rules" } select name="rules" {
                            @for (rules, title, _) in home::rules_on_3x3() { option value=(rules) { (title) } }
                        } }
                        label.field { span { "Level" } select name="level" { (home::level_options(Level::Club.name())) } }
                        label.field { span { "Who goes first" } select name="begins" {
                            option value="me" { "You" }
                            option value="opponent" { "Computer" }
                        } }
                    }
                    div.buttons { button.button type="submit" { "New game" } }
                }
                p.note #rules-in-words {}
                p.note { "This page also works offline." }
            }
        }
        (shortcuts_dialog(Shortcuts::Board))
    };
    Page::new("Play the computer", "/solo", content).with_script("solo")
}

/// `GET /offline`: the page that the service worker shows if the server cannot be reached.
pub(super) async fn offline() -> Page {
    let content = html! {
        div.sheet.prose {
            h1 { "You are offline" }
            p.lead { "Your games are saved. You can continue them when you are back online." }
            // An empty address is that of the page that could not be loaded.
            p { a.button.first href="" { "Try again" } }
            p { "Until then, you can:" }
            div.buttons {
                a.button href="/solo" { "Play the computer" }
                a.button href="/r" { "Analyse a 3×3 game" }
            }
        }
    };
    Page::new("You are offline", "", content).with_script("offline")
}

pub(super) async fn help() -> Page {
    let content = html! {
        div.sheet.prose {
            h1 { "Help" }
            h2 { "Squares" }
            p { "A square is named by its row and column: B3 is in the second row from the top, third column. Unlike in chess, letters are rows." }
            h2 { "Keyboard shortcuts" }
            dl.keys { (shortcut_list(Shortcuts::Replay)) }
            h2 { "Links" }
            p { "Your friend joins with the link that you send them. Keep it between the two of you: anyone who opens it can play. "
                "To let others watch, share the address of the game itself. "
                "The link of a replay contains the whole game, so nothing has to be stored on the server." }
            h2 { "Rules" }
            dl.keys {
                dt { "Classic" } dd { "Three in a row wins. A full board is a draw." }
                dt { "Misère" } dd { "If you complete a line, you lose." }
                dt { "Wild" } dd { "On every turn you may write X or O. Completing a line of either mark wins." }
                dt { "Notakto" } dd { "Both players write X. A board with a line is finished. Completing the last line loses." }
                dt { "Custom" } dd { "Choose any board up to 8×8, the length of a line, and the variants above." }
            }
            h2 { "Values" }
            p { b { "W3" } " means that the move wins in 3 moves, including itself and your opponent's moves. " b { "D" } " is a draw, and "
                b { "L4" } " loses in 4 moves. "
                "On large boards the computer searches for two seconds and marks what it cannot decide with " b { "?" } "." }
            h2 { "For programmers" }
            p { "Everything can be done with JSON over HTTP or a WebSocket. See the " a href="/api/v1/openapi.json" { "OpenAPI description" } " and docs/api.md." }
        }
    };
    Page::new("Help", "/help", content)
}
