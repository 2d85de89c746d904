//! The pages that need nobody: the game lives in the link, or on the reader's own device.

use maud::{Markup, html};
use tictac::level::Level;

use super::board::BoardView;
use super::frame::{Page, Place};
use super::game::{headline, marks_choice, shared_link};
use super::home;

/// What needs a script says so to those who have none.
fn needs_script(instead: &Markup) -> Markup {
    html! { noscript { p.banner { "This page needs a script. " (instead) } } }
}

fn empty_board() -> Markup {
    BoardView { rules: &tictac::Rules::CLASSIC, moves: &[], lines: &[], playable: false }.markup()
}

fn legend() -> Markup {
    html! {
        p #legend .legend hidden {
            span { b.win { "W3" } "wins in 3" }
            span { b.draw { "D" } "draws" }
            span { b.loss { "L4" } "loses in 4" }
            span { "counting the moves of both" }
        }
    }
}

/// The list of keys; `replays` where one can step through moves.
pub(super) fn keys_dialog(replays: bool) -> Markup {
    html! {
        dialog #keys aria-labelledby="keys-title" {
            h2 #keys-title { "Keys" }
            dl.keys { (key_list(replays)) }
            form method="dialog" {
                p { label { input #letters type="checkbox" checked; " Single letters work outside the board" } }
                button.button.first { "Close" }
            }
        }
    }
}

fn key_list(replays: bool) -> Markup {
    html! {
        dt { kbd { "Tab" } } dd { "to the board, and on" }
        dt { kbd { "← ↑ → ↓" } } dd { "from square to square on the board" }
        dt { kbd { "Enter" } " " kbd { "Space" } } dd { "play the square" }
        dt { kbd { "1" } "…" kbd { "9" } } dd { "play a square of 3×3, row by row" }
        dt { kbd { "b" } " " kbd { "2" } } dd { "play row B, column 2; " kbd { "2.b2" } " on the second board" }
        @if replays {
            dt { kbd { "←" } " " kbd { "→" } } dd { "a move back or forward, outside the board" }
            dt { kbd { "Home" } " " kbd { "End" } } dd { "to the start or the end" }
            dt { kbd { "v" } } dd { "show what every square is worth" }
        }
        dt { kbd { "f" } } dd { "turn the board" }
        dt { kbd { "?" } } dd { "this list" }
    }
}

/// `GET /r`: the game is in the link after `#`, which no server sees.
pub(super) async fn replay() -> Page {
    let content = html! {
        (needs_script(&html! { "Paste the game's record on the page " a href="/check" { "Analyse" } " instead." }))
        p #trouble .banner.bad role="alert" hidden {}
        div #replay .two hidden {
            div {
                (headline("A game", ""))
                (marks_choice(false))
                (empty_board())
                (legend())
                div.stepper role="group" aria-label="Step through the moves" {
                    button #to-start .button type="button" aria-label="To the start" { "«" }
                    button #back .button type="button" aria-label="One move back" { "‹" }
                    button #forward .button type="button" aria-label="One move forward" { "›" }
                    button #to-end .button type="button" aria-label="To the end" { "»" }
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
                    button #record .button type="button" { "Record" }
                    a #picture .button href="/picture.svg?game=3,3,3/" download="board.svg" { "Picture" }
                    button #flip .button type="button" { "Turn" }
                    span #keys-place {}
                }
                p.note #rules {}
            }
        }
        dialog #share-dialog aria-labelledby="share-title" {
            h2 #share-title { "The whole game is in this link" }
            div.share {
                (shared_link("link", "Link to this game", ""))
                img #qr .qr alt="QR code of the link" width="176" height="176";
            }
            form method="dialog" { button.button.first { "Close" } }
        }
        (keys_dialog(true))
    };
    Page { title: "Replay and analysis".to_owned(), script: Some("replay"), place: Place::Analyse, content }
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
                select #from-here-level name="level" {
                    @for level in Level::ALL { option value=(level.name()) selected[level == Level::Perfect] { (level.name()) } }
                }
                button.button type="submit" { "Play from here" }
            }
        }
    }
}

/// `GET /solo`
pub(super) async fn solo() -> Page {
    let content = html! {
        (needs_script(&html! { "You can " a href="/" { "play the computer on the server" } " without one." }))
        div.two {
            div {
                (headline("3×3 against the computer", ""))
                (marks_choice(false))
                (empty_board())
                (legend())
            }
            div.sheet {
                div.buttons {
                    button #again .button.first type="button" hidden { "Again" }
                    button #undo .button type="button" { "Take back" }
                    button #values .button type="button" aria-pressed="false" { "Show values" }
                    a #analyse .button href="/r" hidden { "Analyse" }
                    span #keys-place {}
                }
                form #solo-form {
                    div.fields {
                        label.field { span { "Rules" } select name="rules" {
                            option value="3,3,3" { "classic" }
                            option value="3,3,3 misere" { "misère" }
                            option value="3,3,3 wild" { "wild" }
                            option value="notakto" { "Notakto" }
                        } }
                        label.field { span { "Level" } (home::levels(Level::Club.name())) }
                        label.field { span { "Who begins" } select name="begins" {
                            option value="me" { "I do" }
                            option value="opponent" { "the computer" }
                        } }
                    }
                    div.buttons { button.button type="submit" { "New game" } }
                }
                p.note #rules-in-words {}
                p.note { "Works without a network once you have been here." }
            }
        }
        (keys_dialog(false))
    };
    Page { title: "3×3 against the computer".to_owned(), script: Some("solo"), place: Place::Solo, content }
}

/// `GET /offline`: what a browser shows that cannot reach the server.
pub(super) async fn offline() -> Page {
    let content = html! {
        div.sheet.prose {
            h1 { "No network" }
            p.lead { "The server cannot be reached. Your games are safe there and go on when you are back." }
            p { "Until then:" }
            div.buttons {
                a.button.first href="/solo" { "Play 3×3 against the computer" }
                a.button href="/r" { "Analyse 3×3" }
            }
        }
    };
    Page::new("No network", Place::Elsewhere, content)
}

/// `GET /help`
pub(super) async fn help() -> Page {
    let content = html! {
        div.sheet.prose {
            h1 { "Help" }
            h2 { "How squares are called" }
            p { "The letter is the row, A on top; the digit is the column. B3 is the second row, third column. Chess reads it the other way round." }
            h2 { "Keys" }
            dl.keys { (key_list(true)) }
            h2 { "Links" }
            p { "The link that you send to a friend gives him his seat; whoever has it can play it. The address of a game without it only watches. "
                "A finished game fits wholly into the link of its replay: no server keeps it." }
            h2 { "Rules" }
            dl.keys {
                dt { "Classic" } dd { "Three in a row win; a full board is a draw." }
                dt { "Misère" } dd { "Whoever completes a line loses." }
                dt { "Wild" } dd { "Each turn you write X or O, as you like. A line of either wins for who completes it." }
                dt { "Notakto" } dd { "Both write X. A board with a line is finished; whoever completes the last line loses." }
                dt { "Your own" } dd { "Any board up to 8×8, any number in a row, with these twists." }
            }
            h2 { "Values" }
            p { b { "W3" } " means that the move wins in 3, counting the moves of both sides and the move itself; " b { "D" } " draws; " b { "L4" } " loses in 4. "
                "On large boards the server thinks for two seconds, and what is not proved by then is marked " b { "?" } "." }
            h2 { "For programs" }
            p { "Everything can be done with JSON over HTTP or a WebSocket: the " a href="/api/v1/openapi.json" { "description" } " is for machines, docs/api.md for people." }
        }
    };
    Page::new("Help", Place::Help, content)
}
