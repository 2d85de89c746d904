//! The home page: a form that starts a new game.

use axum::Form;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use tictac::Marks;
use tictac::level::Level;

use super::frame::{Page, banner};
use super::join::set_invitation;
use crate::cookie;
use crate::failure::Failure;
use crate::guard::Client;
use crate::service::Service;
use crate::token::SeatToken;
use crate::wire::{Begins, Created, NewGame, Opponent, Ticket, to_json};

/// The fields of the form, all of them optional. Numbers stay text, so that a refused value can be shown again.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct NewGameForm {
    rules: String,
    rows: String,
    columns: String,
    line: String,
    marks: String,
    misere: String,
    boards: String,
    against: Opponent,
    level: String,
    begins: Begins,
    name: String,
    moves: String,
}

impl NewGameForm {
    /// Returns the values that the form shows at first.
    fn initial() -> NewGameForm {
        let [rules, size, boards, level] = ["3,3,3", "4", "3", Level::Club.name()].map(str::to_owned);
        let (rows, columns, line) = (size.clone(), size.clone(), size);
        NewGameForm { rules, rows, columns, line, boards, level, ..NewGameForm::default() }
    }

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
            rules: Some(self.rules()),
            opponent: self.against,
            level: (self.against == Opponent::Computer && !self.level.is_empty()).then(|| self.level.clone()),
            begins: self.begins,
            name: Some(self.name.clone()),
            moves,
            ..NewGame::default()
        }
    }
}

pub(super) async fn show() -> Page {
    page(&NewGameForm::initial(), None)
}

/// `POST /new`: creates the game, seats its creator and redirects to it.
pub(super) async fn create(
    State(service): State<Service>,
    Client(address): Client,
    Form(form): Form<NewGameForm>,
) -> Response {
    let created = match service.throttle.game(address) {
        Ok(()) => service.create(form.new_game()).await,
        Err(failure) => Err(failure),
    };
    match created {
        Ok(created) => redirect_to(&service, &created),
        Err(failure) => (failure.status(), page(&form, Some(&failure))).into_response(),
    }
}

fn redirect_to(service: &Service, created: &Created) -> Response {
    let parse = |ticket: &Ticket| ticket.token.parse::<SeatToken>().expect("a new seat has a valid token");
    let config = &service.config;
    let mut response = cookie::redirect_to(config, &parse(&created.you));
    // The creator's browser keeps the friend's token, so that the page can show the invitation again.
    if let Some(friend) = &created.friend {
        response.headers_mut().append(header::SET_COOKIE, set_invitation(config, &parse(friend)));
    }
    response
}

/// A value of a choice with its title and description.
type FormChoice<'a> = (&'a str, &'a str, &'a str);

/// Returns the name of a value in forms, which is also that in JSON.
fn name_of(value: impl Serialize) -> String {
    to_json(&value).trim_matches('"').to_owned()
}

fn radios(name: &str, chosen: &str, choices: &[FormChoice<'_>]) -> Markup {
    html! {
        @for (value, title, description) in choices {
            div {
                label.choice {
                    input type="radio" name=(name) value=(value) checked[*value == chosen];
                    span { (title) " " small { (description) } }
                }
            }
        }
    }
}

fn option(value: &str, title: &str, chosen: &str) -> Markup {
    html! { option value=(value) selected[value == chosen] { (title) } }
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
    Page::new("Play tic-tac-toe with a friend", "/", content)
}

fn opponent_fields(form: &NewGameForm) -> Markup {
    let choices = [
        ("friend", "Friend", "by link"),
        ("computer", "Computer", "beginner to perfect"),
        ("self", "Same screen", "two players, one device"),
    ];
    html! {
        fieldset {
            legend { "Opponent" }
            div.choices { (radios("against", &name_of(form.against), &choices)) }
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
    html! { @for name in Level::ALL.map(Level::name) { (option(name, name, chosen)) } }
}

const RULES: [FormChoice<'_>; 6] = [
    ("3,3,3", "Classic", "three in a row wins"),
    ("3,3,3 misere", "Misère", "three in a row loses"),
    ("3,3,3 wild", "Wild", "write X or O on each turn"),
    ("notakto", "Notakto", "only X, a line loses"),
    ("5,5,4", "Five by five", "four in a row wins"),
    ("own", "Custom", "up to 8×8"),
];

/// Returns those of the rules that a page without a server can play.
pub(super) fn rules_on_3x3() -> &'static [FormChoice<'static>] {
    &RULES[..4]
}

fn rules_fields(form: &NewGameForm) -> Markup {
    let number = |name: &str, label: &str, max: u32, value: &str| {
        html! { label.field { span { (label) } " " input type="number" name=(name) min="1" max=(max) value=(value); } }
    };
    html! {
        fieldset {
            legend { "Rules" }
            div.choices.many {
                (radios("rules", &form.rules, &RULES))
                // A replay may send other rules.
                @if RULES.iter().all(|(value, ..)| *value != form.rules) {
                    (radios("rules", &form.rules, &[(&form.rules, &form.rules, "from your replay")]))
                }
            }
            div.fields.if-notakto { (number("boards", "Boards", 12, &form.boards)) }
            div.fields.if-own {
                (number("rows", "Rows", 8, &form.rows))
                (number("columns", "Columns", 8, &form.columns))
                (number("line", "In a row", 8, &form.line))
                label.field {
                    span { "Marks" }
                    select name="marks" {
                        @for kind in Marks::ALL { (option(kind.word().unwrap_or_default(), kind.description(), &form.marks)) }
                    }
                }
                label.field {
                    span { "A line" }
                    select name="misere" { (option("", "wins", &form.misere)) (option("misere", "loses", &form.misere)) }
                }
            }
        }
    }
}

fn begins_fields(form: &NewGameForm) -> Markup {
    let choices = [("me", "You", ""), ("opponent", "Opponent", ""), ("chance", "Random", "")];
    html! {
        fieldset {
            legend { "Who goes first" }
            div.choices { (radios("begins", &name_of(form.begins), &choices)) }
        }
    }
}

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
