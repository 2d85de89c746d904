//! The home page: a form that starts a new game.

use axum::Form;
use axum::extract::State;
use axum::http::header;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use tictac::Marks;
use tictac::level::Level;

use super::frame::{Page, SiteSection, banner};
use super::join::set_invitation;
use crate::app::AppState;
use crate::cookie;
use crate::event::OpeningMark;
use crate::failure::Failure;
use crate::guard::Client;
use crate::token::SeatToken;
use crate::wire::{Begins, Created, NewGame, Opponent};

/// The fields of the form, all of them optional. Numbers stay text, so that a refused value can be shown again.
#[derive(Debug, Deserialize)]
#[serde(default)]
pub(super) struct NewGameForm {
    rules: String,
    rows: String,
    columns: String,
    line: String,
    marks: String,
    misere: String,
    // A missing value must not become the default of the form: a replay of a single board sends none.
    #[serde(default)]
    boards: String,
    against: Opponent,
    level: String,
    begins: Begins,
    name: String,
    moves: String,
}

/// The values that the form shows at first.
impl Default for NewGameForm {
    fn default() -> NewGameForm {
        let [size, boards] = ["4", "3"].map(str::to_owned);
        NewGameForm {
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

impl NewGameForm {
    /// Returns the rules as text. The service checks them.
    fn rules(&self) -> String {
        match self.rules.as_str() {
            "" => "3,3,3".to_owned(),
            "own" => {
                let [rows, columns, line] = [&self.rows, &self.columns, &self.line].map(|size| size.trim());
                let marks = Some(self.marks.trim()).filter(|marks| !marks.is_empty());
                let goal = Some("misere").filter(|goal| self.misere == *goal);
                let words = marks.into_iter().chain(goal).map(|word| format!(" {word}"));
                format!("{rows},{columns},{line}{}", words.collect::<String>())
            }
            "notakto" if self.boards.trim().is_empty() => "notakto".to_owned(),
            "notakto" => format!("notakto boards={}", self.boards.trim()),
            rules => rules.to_owned(),
        }
    }

    fn new_game(&self) -> NewGame {
        let moves: Vec<String> =
            self.moves.lines().map(str::trim).filter(|mv| !mv.is_empty()).map(str::to_owned).collect();
        NewGame {
            rules: self.rules(),
            opponent: self.against,
            level: (self.against == Opponent::Computer && !self.level.is_empty()).then(|| self.level.clone()),
            begins: self.begins,
            opening_mark: OpeningMark::default(),
            name: Some(self.name.clone()),
            moves,
        }
    }
}

/// `GET /`
pub(super) async fn show() -> Page {
    page(&NewGameForm::default(), None)
}

/// `POST /new`: creates the game, seats its creator and redirects to it.
pub(super) async fn create(
    State(state): State<AppState>,
    Client(address): Client,
    Form(form): Form<NewGameForm>,
) -> Response {
    let created = match state.throttle().game(address) {
        Ok(()) => state.service().create(form.new_game()).await,
        Err(failure) => Err(failure),
    };
    match created {
        Ok(created) => redirect_to(&state, &created),
        Err(failure) => (failure.status(), page(&form, Some(&failure))).into_response(),
    }
}

fn redirect_to(state: &AppState, created: &Created) -> Response {
    let game = created.game;
    let mine: Result<SeatToken, _> = created.you.token.parse();
    let mut cookies = Vec::new();
    if let Ok(token) = mine {
        cookies.extend(
            cookie::set_seat(state.config(), game, &token.secret).map(|value| (header::SET_COOKIE, value)),
        );
    }
    // The creator's browser keeps the friend's token, so that the page can show the invitation again.
    if let Some(friend) = created.friend.as_ref().and_then(|friend| friend.token.parse::<SeatToken>().ok()) {
        cookies.push((header::SET_COOKIE, set_invitation(state.config(), &friend)));
    }
    (AppendHeaders(cookies), Redirect::to(&format!("/g/{game}"))).into_response()
}

/// A field with a choice of values.
#[derive(Clone, Copy)]
struct ChoiceField<'a> {
    name: &'a str,
    /// The selected value.
    chosen: &'a str,
}

impl ChoiceField<'_> {
    /// Renders a radio button.
    fn radio(self, value: &str, title: &str, description: &str) -> Markup {
        html! {
            div {
                label.choice {
                    input type="radio" name=(self.name) value=(value) checked[value == self.chosen];
                    span { (title) " " small { (description) } }
                }
            }
        }
    }

    /// Renders an option of a list.
    fn option(self, value: &str, title: &str) -> Markup {
        html! { option value=(value) selected[value == self.chosen] { (title) } }
    }
}

fn page(form: &NewGameForm, failure: Option<&Failure>) -> Page {
    let content = html! {
        div.two {
            div {
                h1 { "Play tic-tac-toe with a friend" }
                p.lead { "Send a link, start playing. No account needed." }
                @if let Some(failure) = failure { (banner(failure)) }
                form.sheet method="post" action="/new" {
                    (opponent_fields(form)) (rules_fields(form)) (begins_fields(form))
                    @if !form.moves.is_empty() { input type="hidden" name="moves" value=(form.moves); }
                    button.button.first type="submit" { "Start game" }
                }
            }
            (tiles())
        }
    };
    Page::new("Play tic-tac-toe with a friend", SiteSection::Play, content)
}

fn opponent_fields(form: &NewGameForm) -> Markup {
    let chosen = match form.against {
        Opponent::Friend => "friend",
        Opponent::Computer => "computer",
        Opponent::Oneself => "self",
    };
    let against = ChoiceField { name: "against", chosen };
    html! {
        fieldset {
            legend { "Opponent" }
            div.choices {
                (against.radio("friend", "Friend", "by link"))
                (against.radio("computer", "Computer", "beginner to perfect"))
                (against.radio("self", "Same screen", "two players, one device"))
            }
            div.fields {
                label.field.if-computer { span { "Level" } " " select name="level" { (level_options(&form.level)) } }
                label.field {
                    span { "Your name (optional)" } " "
                    input type="text" name="name" maxlength="40" autocomplete="nickname" value=(form.name);
                }
            }
        }
    }
}

/// Renders the levels of the computer as the options of a list.
pub(super) fn level_options(chosen: &str) -> Markup {
    let level = ChoiceField { name: "level", chosen };
    html! { @for name in Level::ALL.map(Level::name) { (level.option(name, name)) } }
}

/// The rules on offer: their text, a title and a description.
const RULES: [(&str, &str, &str); 6] = [
    ("3,3,3", "Classic", "three in a row wins"),
    ("3,3,3 misere", "Misère", "three in a row loses"),
    ("3,3,3 wild", "Wild", "write X or O on each turn"),
    ("notakto", "Notakto", "only X, a line loses"),
    ("5,5,4", "Five by five", "four in a row wins"),
    ("own", "Custom", "up to 8×8"),
];

/// Returns those of the rules that a page without a server can play.
pub(super) fn rules_on_3x3() -> &'static [(&'static str, &'static str, &'static str)] {
    &RULES[..4]
}

fn rules_fields(form: &NewGameForm) -> Markup {
    let question = ChoiceField { name: "rules", chosen: &form.rules };
    let number = |name: &str, label: &str, max: u32, value: &str| {
        html! { label.field { span { (label) } " " input type="number" name=(name) min="1" max=(max) value=(value); } }
    };
    let marks = ChoiceField { name: "marks", chosen: &form.marks };
    let misere = ChoiceField { name: "misere", chosen: &form.misere };
    html! {
        fieldset {
            legend { "Rules" }
            div.choices.many {
                @for (value, title, description) in RULES { (question.radio(value, title, description)) }
                // A replay may send other rules.
                @if RULES.iter().all(|(value, ..)| *value != form.rules) {
                    (question.radio(&form.rules, &form.rules, "from your replay"))
                }
            }
            div.fields.if-notakto { (number("boards", "Boards", 12, &form.boards)) }
            div.fields.if-own {
                (number("rows", "Rows", 8, &form.rows))
                (number("columns", "Columns", 8, &form.columns))
                (number("line", "In a row", 8, &form.line))
                label.field {
                    span { "Marks" }
                    select name=(marks.name) {
                        @for kind in Marks::ALL { (marks.option(kind.word().unwrap_or_default(), kind.description())) }
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

fn begins_fields(form: &NewGameForm) -> Markup {
    let chosen = match form.begins {
        Begins::Me => "me",
        Begins::Opponent => "opponent",
        Begins::Random => "chance",
    };
    let begins = ChoiceField { name: "begins", chosen };
    html! {
        fieldset {
            legend { "Who begins" }
            div.choices {
                (begins.radio("me", "You", ""))
                (begins.radio("opponent", "Opponent", ""))
                (begins.radio("chance", "Random", ""))
            }
        }
    }
}

/// Renders the links to the other pages.
fn tiles() -> Markup {
    html! {
        ul.tiles {
            @for (path, title, description) in [
                ("/solo", "Play the computer", "A quick 3×3 game. It works offline, too."),
                ("/r", "Analyse a position", "See which squares win, draw or lose, and how soon."),
                ("/check", "Check a game", "Paste your moves. Errors are marked in place."),
                ("/help", "Help", "Rules, links and keyboard shortcuts."),
            ] {
                li { a.sheet href=(path) { h2 { (title) } p { (description) } } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(form: &str, expected: &str) {
        let form: NewGameForm = serde_json::from_str(form).unwrap();
        let rules = form.rules();
        assert_eq!(rules, expected);
        assert!(rules.parse::<tictac::Rules>().is_ok(), "{rules}");
    }

    #[test]
    fn the_form_writes_rules_that_the_library_parses() {
        check("{}", "3,3,3");
        check(r#"{"rules":"notakto"}"#, "notakto");
        check(r#"{"rules":"3,3,3 misere"}"#, "3,3,3 misere");
        check(r#"{"rules":"notakto","boards":"3"}"#, "notakto boards=3");
        check(r#"{"rules":"own","rows":"4","columns":"5","line":"4","marks":""}"#, "4,5,4");
        check(
            r#"{"rules":"own","rows":"4","columns":"5","line":"4","marks":"wild","misere":"misere"}"#,
            "4,5,4 wild misere",
        );
    }
}
