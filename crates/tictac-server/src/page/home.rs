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
///
/// Numbers stay text, so that whatever was typed can be shown again when it is refused.
#[derive(Debug, Deserialize)]
#[serde(default)]
pub(super) struct Wish {
    rules: String,
    rows: String,
    columns: String,
    line: String,
    marks: String,
    misere: String,
    // Not what the form offers at first: the replay of a single board names none.
    #[serde(default)]
    boards: String,
    against: Opponent,
    level: String,
    begins: Begins,
    name: String,
    moves: String,
}

/// What the form offers at first.
impl Default for Wish {
    fn default() -> Wish {
        let [size, boards] = ["4", "3"].map(str::to_owned);
        Wish {
            rules: "3,3,3".to_owned(),
            rows: size.clone(),
            columns: size.clone(),
            line: size,
            marks: String::new(),
            misere: String::new(),
            boards,
            against: Opponent::default(),
            level: Level::Club.name().to_owned(),
            begins: Begins::default(),
            name: String::new(),
            moves: String::new(),
        }
    }
}

impl Wish {
    /// The rules as text, still to be judged by the service.
    fn rules(&self) -> String {
        match self.rules.as_str() {
            "" => "3,3,3".to_owned(),
            "own" => {
                let [rows, columns, line] = [&self.rows, &self.columns, &self.line].map(|size| size.trim());
                let marks = match self.marks.as_str() {
                    "wild" => " wild",
                    "x-only" => " x-only",
                    _ => "",
                };
                let goal = if self.misere == "misere" { " misere" } else { "" };
                format!("{rows},{columns},{line}{marks}{goal}")
            }
            "notakto" if self.boards.trim().is_empty() => "notakto".to_owned(),
            "notakto" => format!("notakto boards={}", self.boards.trim()),
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
    page(&Wish::default(), None)
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
        Err(failure) => (failure.status(), page(&wish, Some(&failure))).into_response(),
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

/// A question, and the answer that is chosen.
#[derive(Clone, Copy)]
struct Question<'a> {
    name: &'a str,
    chosen: &'a str,
}

impl Question<'_> {
    /// One of several answers.
    fn choice(self, value: &str, title: &str, about: &str) -> Markup {
        html! {
            div {
                label.choice {
                    input type="radio" name=(self.name) value=(value) checked[value == self.chosen];
                    span { (title) " " small { (about) } }
                }
            }
        }
    }

    /// One of several answers in a list.
    fn option(self, value: &str, title: &str) -> Markup {
        html! { option value=(value) selected[value == self.chosen] { (title) } }
    }
}

fn page(wish: &Wish, failure: Option<&Failure>) -> Page {
    let content = html! {
        div.two {
            div {
                h1 { "Tic-tac-toe, and its whole family" }
                p.lead { "Send a friend a link, or play the computer. No account; every move is saved before it counts." }
                @if let Some(failure) = failure { (banner(failure)) }
                form.sheet method="post" action="/new" {
                    (against(wish)) (rules(wish)) (begins(wish))
                    @if !wish.moves.is_empty() { input type="hidden" name="moves" value=(wish.moves); }
                    button.button.first type="submit" { "Start the game" }
                }
            }
            (elsewhere())
        }
    };
    Page::new("New game", Place::New, content)
}

fn against(wish: &Wish) -> Markup {
    let chosen = match wish.against {
        Opponent::Friend => "friend",
        Opponent::Computer => "computer",
        Opponent::Oneself => "self",
    };
    let against = Question { name: "against", chosen };
    html! {
        fieldset {
            legend { "Against" }
            div.choices {
                (against.choice("friend", "A friend", "who gets a link"))
                (against.choice("computer", "The computer", "from beginner to perfect"))
                (against.choice("self", "Myself", "both sides, one screen"))
            }
            div.fields {
                label.field.if-computer { span { "Level" } " " (levels(&wish.level)) }
                label.field {
                    span { "Your name, if you like" } " "
                    input type="text" name="name" maxlength="40" autocomplete="nickname" value=(wish.name);
                }
            }
        }
    }
}

/// The levels of the computer as a list to choose from.
pub(super) fn levels(chosen: &str) -> Markup {
    let level = Question { name: "level", chosen };
    html! {
        select name=(level.name) { @for name in Level::ALL.map(Level::name) { (level.option(name, name)) } }
    }
}

/// The rules that have a name of their own here.
const RULES: [(&str, &str, &str); 6] = [
    ("3,3,3", "Classic", "3×3, three in a row win"),
    ("3,3,3 misere", "Misère", "three in a row lose"),
    ("3,3,3 wild", "Wild", "either mark, every turn"),
    ("notakto", "Notakto", "both write X, a line loses"),
    ("5,5,4", "Five by five", "four in a row win"),
    ("own", "Your own", "up to 8×8"),
];

fn rules(wish: &Wish) -> Markup {
    let question = Question { name: "rules", chosen: &wish.rules };
    let number = |name: &str, label: &str, max: u32, value: &str| {
        html! { label.field { span { (label) } " " input type="number" name=(name) min="1" max=(max) value=(value); } }
    };
    let marks = Question { name: "marks", chosen: &wish.marks };
    let misere = Question { name: "misere", chosen: &wish.misere };
    html! {
        fieldset {
            legend { "Rules" }
            div.choices.many {
                @for (value, title, about) in RULES { (question.choice(value, title, about)) }
                // A replay may ask for any rules.
                @if RULES.iter().all(|(value, ..)| *value != wish.rules) {
                    (question.choice(&wish.rules, &wish.rules, "as asked"))
                }
            }
            div.fields.if-notakto { (number("boards", "Boards", 12, &wish.boards)) }
            div.fields.if-own {
                (number("rows", "Rows", 8, &wish.rows))
                (number("columns", "Columns", 8, &wish.columns))
                (number("line", "In a row", 8, &wish.line))
                label.field {
                    span { "Marks" }
                    select name=(marks.name) {
                        (marks.option("own", "each his own"))
                        (marks.option("wild", "either, every turn"))
                        (marks.option("x-only", "both write X"))
                    }
                }
                label.field {
                    span { "A line" }
                    select name=(misere.name) { (misere.option("", "wins")) (misere.option("misere", "loses")) }
                }
            }
        }
    }
}

fn begins(wish: &Wish) -> Markup {
    let chosen = match wish.begins {
        Begins::Me => "me",
        Begins::Opponent => "opponent",
        Begins::Chance => "chance",
    };
    let begins = Question { name: "begins", chosen };
    html! {
        fieldset {
            legend { "Who begins" }
            div.choices {
                (begins.choice("me", "I do", ""))
                (begins.choice("opponent", "The other", ""))
                (begins.choice("chance", "A coin decides", ""))
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
        check(r#"{"rules":"notakto"}"#, "notakto");
        check(r#"{"rules":"3,3,3 misere"}"#, "3,3,3 misere");
        check(r#"{"rules":"notakto","boards":"3"}"#, "notakto boards=3");
        check(
            r#"{"rules":"own","rows":"4","columns":"5","line":"4","marks":"wild","misere":"misere"}"#,
            "4,5,4 wild misere",
        );
    }
}
