//! The front page: a form for a new game.

use axum::Form;
use axum::extract::State;
use axum::http::header;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use tictac::level::Level;

use super::frame::{Page, Place, banner};
use crate::app::AppState;
use crate::cookie;
use crate::event::OpeningMark;
use crate::failure::Failure;
use crate::guard::Client;
use crate::token::SeatToken;
use crate::wire::{Begins, Created, NewGame, Opponent};

/// What the form sends; every field may be missing.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Wish {
    rules: String,
    rows: Option<usize>,
    columns: Option<usize>,
    line: Option<usize>,
    marks: String,
    misere: Option<String>,
    boards: Option<u32>,
    against: Opponent,
    level: String,
    begins: Begins,
    name: String,
    moves: String,
}

impl Wish {
    /// The rules as text, still to be judged by the service.
    fn rules(&self) -> String {
        match self.rules.as_str() {
            "" => "3,3,3".to_owned(),
            "own" => {
                let [rows, columns, line] =
                    [self.rows, self.columns, self.line].map(|size| size.unwrap_or(3));
                let marks = match self.marks.as_str() {
                    "wild" => " wild",
                    "x-only" => " x-only",
                    _ => "",
                };
                let goal = if self.misere.as_deref() == Some("misere") { " misere" } else { "" };
                format!("{rows},{columns},{line}{marks}{goal}")
            }
            "notakto" => format!("notakto boards={}", self.boards.unwrap_or(1)),
            rules => rules.to_owned(),
        }
    }

    fn new_game(&self) -> NewGame {
        let moves: Vec<String> =
            self.moves.lines().map(str::trim).filter(|mv| !mv.is_empty()).map(str::to_owned).collect();
        let opens_with_o = moves.first().is_some_and(|mv| mv.starts_with('O'));
        NewGame {
            rules: self.rules(),
            opponent: self.against,
            level: (self.against == Opponent::Computer && !self.level.is_empty()).then(|| self.level.clone()),
            begins: self.begins,
            opening_mark: if opens_with_o { OpeningMark::O } else { OpeningMark::X },
            name: Some(self.name.trim()).filter(|name| !name.is_empty()).map(str::to_owned),
            moves,
        }
    }
}

/// `GET /`
pub(super) async fn show() -> Page {
    page(None)
}

/// `POST /new`: creates the game, seats its creator, and leads him there.
pub(super) async fn create(
    State(state): State<AppState>,
    Client(address): Client,
    Form(wish): Form<Wish>,
) -> Response {
    let created = match state.throttle().game(address) {
        Ok(()) => state.service().create(wish.new_game()).await,
        Err(failure) => Err(failure),
    };
    match created {
        Ok(created) => seated(&state, &created),
        Err(failure) => (failure.status(), page(Some(&failure))).into_response(),
    }
}

fn seated(state: &AppState, created: &Created) -> Response {
    let game = created.game;
    let mine: Result<SeatToken, _> = created.you.token.parse();
    let mut cookies = Vec::new();
    if let Ok(token) = mine {
        cookies.extend(
            cookie::set_seat(state.config(), game, &token.secret).map(|value| (header::SET_COOKIE, value)),
        );
    }
    // The friend's seat stays with its creator until it is taken, or he could not show the link again.
    if let Some(friend) = created.friend.as_ref().and_then(|friend| friend.token.parse::<SeatToken>().ok()) {
        cookies.push((header::SET_COOKIE, super::join::keep_invitation(state.config(), &friend)));
    }
    (AppendHeaders(cookies), Redirect::to(&format!("/g/{game}"))).into_response()
}

/// One of several answers to a question.
fn choice(name: &str, value: &str, is_first: bool, title: &str, about: &str) -> Markup {
    html! {
        div {
            label.choice {
                input type="radio" name=(name) value=(value) checked[is_first];
                span { (title) " " small { (about) } }
            }
        }
    }
}

fn page(failure: Option<&Failure>) -> Page {
    let content = html! {
        div.two {
            div {
                h1 { "Tic-tac-toe, and its whole family" }
                p.lead { "Send a friend a link, or play the computer. No account; every move is saved before it counts." }
                @if let Some(failure) = failure { (banner(failure)) }
                form.sheet method="post" action="/new" {
                    (against()) (rules()) (begins())
                    button.button.first type="submit" { "Start the game" }
                }
            }
            (elsewhere())
        }
    };
    Page::new("New game", Place::New, content)
}

fn against() -> Markup {
    html! {
        fieldset {
            legend { "Against" }
            div.choices {
                (choice("against", "friend", true, "A friend", "who gets a link"))
                (choice("against", "computer", false, "The computer", "from beginner to perfect"))
                (choice("against", "self", false, "Myself", "both sides, one screen"))
            }
            div.fields {
                label.field.if-computer { span { "Level" } " " (levels()) }
                label.field { span { "Your name, if you like" } " " input type="text" name="name" maxlength="40" autocomplete="nickname"; }
            }
        }
    }
}

/// The levels of the computer as a list to choose from.
pub(super) fn levels() -> Markup {
    html! {
        select name="level" {
            @for level in Level::ALL {
                option value=(level.name()) selected[level == Level::Club] { (level.name()) }
            }
        }
    }
}

fn rules() -> Markup {
    html! {
        fieldset {
            legend { "Rules" }
            div.choices.many {
                (choice("rules", "3,3,3", true, "Classic", "3×3, three in a row win"))
                (choice("rules", "3,3,3 misere", false, "Misère", "three in a row lose"))
                (choice("rules", "3,3,3 wild", false, "Wild", "either mark, every turn"))
                (choice("rules", "notakto", false, "Notakto", "both write X, a line loses"))
                (choice("rules", "5,5,4", false, "Five by five", "four in a row win"))
                (choice("rules", "own", false, "Your own", "up to 8×8"))
            }
            div.fields.if-notakto {
                label.field { span { "Boards" } " " input type="number" name="boards" min="1" max="12" value="3"; }
            }
            div.fields.if-own {
                label.field { span { "Rows" } " " input type="number" name="rows" min="1" max="8" value="4"; }
                label.field { span { "Columns" } " " input type="number" name="columns" min="1" max="8" value="4"; }
                label.field { span { "In a row" } " " input type="number" name="line" min="1" max="8" value="4"; }
                label.field {
                    span { "Marks" }
                    select name="marks" {
                        option value="own" { "each his own" }
                        option value="wild" { "either, every turn" }
                        option value="x-only" { "both write X" }
                    }
                }
                label.field {
                    span { "A line" }
                    select name="misere" {
                        option value="" { "wins" }
                        option value="misere" { "loses" }
                    }
                }
            }
        }
    }
}

fn begins() -> Markup {
    html! {
        fieldset {
            legend { "Who begins" }
            div.choices {
                (choice("begins", "me", true, "I do", ""))
                (choice("begins", "opponent", false, "The other", ""))
                (choice("begins", "chance", false, "A coin decides", ""))
            }
        }
    }
}

fn elsewhere() -> Markup {
    html! {
        ul.tiles {
            @for (path, title, about) in [
                ("/solo", "Play 3×3 right here", "Against the computer, even without a network after your first visit."),
                ("/r", "Analyse a position", "Every square says what it is worth: win, draw or loss, and how soon."),
                ("/check", "Check a record", "Paste or drop a game: mistakes in it are shown where they are."),
                ("/help", "Keys, rules, links", "Everything works by keyboard and by screen reader."),
            ] {
                li { a.sheet href=(path) { h2 { (title) } p { (about) } } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(form: &str, expected: &str) {
        let wish: Wish = serde_json::from_str(form).unwrap();
        let rules = wish.rules();
        assert_eq!(rules, expected);
        assert!(rules.parse::<tictac::Rules>().is_ok(), "{rules}");
    }

    #[test]
    fn the_form_says_rules_that_the_library_reads() {
        check("{}", "3,3,3");
        check(r#"{"rules":"3,3,3 misere"}"#, "3,3,3 misere");
        check(r#"{"rules":"notakto","boards":3}"#, "notakto boards=3");
        check(
            r#"{"rules":"own","rows":4,"columns":5,"line":4,"marks":"wild","misere":"misere"}"#,
            "4,5,4 wild misere",
        );
    }
}
