//! The home page: two buttons that start a game, and a board to try at once.

use axum::Form;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use tictac::{Game, Marks, Rules};
use tictac_solver::level::Level;

use super::board::{BoardView, thumbnail};
use super::clock;
use super::error::banner;
use super::frame::{LinkPreview, Page};
use super::join::set_invitation;
use super::language::{Language, text};
use crate::config::ServerConfig;
use crate::cookie;
use crate::extract::Visitor;
use crate::failure::Failure;
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
    clock: String,
    /// Anything if the game is public.
    public: String,
    name: String,
    /// The name of a player who enters none.
    nickname: String,
    moves: String,
    /// The square of the first move on the board to try.
    square: String,
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

    /// Returns the name of the player. Two players on one screen need none.
    fn name(&self) -> Option<String> {
        let names = [&self.name, &self.nickname].into_iter();
        let mut given = names.filter(|name| !name.trim().is_empty());
        given.next().filter(|_| self.against != Opponent::Oneself).cloned()
    }

    fn new_game(&self) -> Result<NewGame, Failure> {
        let written = self.moves.lines().map(str::trim).filter(|mv| !mv.is_empty()).map(str::to_owned);
        let tried = Some(&self.square).filter(|square| !square.is_empty());
        let moves = written.chain(tried.map(|square| format!("X {square}"))).collect();
        Ok(NewGame {
            rules: Some(self.rules()),
            opponent: self.against,
            level: (self.against == Opponent::Computer && !self.level.is_empty()).then(|| self.level.clone()),
            begins: self.begins,
            name: self.name(),
            moves,
            public: !self.public.is_empty(),
            clock: clock::parse(&self.clock)?,
            ..NewGame::default()
        })
    }
}

pub(super) async fn show(State(service): State<Service>, language: Language) -> Page {
    let title = language.t("Play tic-tac-toe with a friend").to_owned();
    let description = language.t("Send a link, start playing. No account needed.").to_owned();
    let preview = LinkPreview::of_site(&service.config, language, title, description);
    page(language, &NewGameForm::initial(), None).with_preview(preview)
}

/// `GET /new`: the address of a refused form, when it is opened again.
pub(super) async fn back() -> Redirect {
    Redirect::to("/")
}

/// `POST /new`: creates the game, seats its creator and redirects to it.
pub(super) async fn create(visitor: Visitor, Form(form): Form<NewGameForm>) -> Response {
    let service = &visitor.service;
    let created = match service.throttle.game(visitor.address).and_then(|()| form.new_game()) {
        Ok(request) => service.create(request, visitor.address).await,
        Err(failure) => Err(failure),
    };
    match created {
        Ok(created) => redirect_to(&service.config, &created),
        Err(failure) => (failure.status(), page(visitor.language, &form, Some(&failure))).into_response(),
    }
}

fn redirect_to(config: &ServerConfig, created: &Created) -> Response {
    let parse = |ticket: &Ticket| ticket.token.parse::<SeatToken>().expect("a new seat has a valid token");
    let mut response = cookie::redirect_to(config, &parse(&created.you));
    // The creator's browser keeps the friend's token, so that the page can show the invitation again.
    if let Some(friend) = &created.friend {
        response.headers_mut().append(header::SET_COOKIE, set_invitation(config, &parse(friend)));
    }
    response
}

fn page(lang: Language, form: &NewGameForm, failure: Option<&Failure>) -> Page {
    let title = lang.t("Play tic-tac-toe with a friend");
    let content = html! {
        div.home {
            div.start {
                // Without non-breaking hyphens, browsers break the name of the game.
                h1 { (title.replace('-', "\u{2011}")) }
                p.lead { (lang.t("Send a link, start playing. No account needed.")) }
                @if let Some(failure) = failure { (banner(lang, failure)) }
                (start_form(lang, form, failure.is_some()))
                // The script fills it: only the browser knows which games are yours.
                section #yours .yours aria-labelledby="yours-title" hidden { h2 #yours-title { (lang.t("Your games")) } ul.plain {} }
            }
            (board_to_try(lang))
        }
        (tiles(lang))
    };
    Page::new(lang, title, "/", content).with_script("home")
}

fn start_form(lang: Language, form: &NewGameForm, is_open: bool) -> Markup {
    let nickname = random_nickname(lang);
    html! {
        form #start method="post" action=(lang.path("/new")) {
            div.opponents {
                button.big.first type="submit" name="against" value="friend" {
                    (thumbnail("X.O", None)) span { (lang.t("Play a friend")) }
                }
                button.big type="submit" name="against" value="computer" {
                    (thumbnail("OX/XO", None)) span { (lang.t("Play the computer")) }
                }
            }
            details.options open[is_open] {
                summary { (lang.t("More options")) }
                div.sheet {
                    (rules_fields(lang, form))
                    (begins_fields(lang, form))
                    div.fields {
                        (clock::field(lang, form.clock.trim()))
                        (name_field(lang, &form.name, nickname))
                        label.field { span { (lang.t("Level of the computer")) } " " select name="level" { (level_options(lang, &form.level)) } }
                    }
                    label.choice {
                        input type="checkbox" name="public" value="yes" checked[!form.public.is_empty()];
                        span { (lang.t("Show this game in the public list")) " " small { (lang.t("everyone can watch it")) } }
                    }
                    @if !form.moves.is_empty() { input type="hidden" name="moves" value=(form.moves); }
                    div.buttons {
                        button.button.first type="submit" name="against" value="friend" { (lang.t("Play a friend")) }
                        button.button.first type="submit" name="against" value="computer" { (lang.t("Play the computer")) }
                        button.button type="submit" name="against" value="self" { (lang.t("Two players on this screen")) }
                    }
                }
            }
        }
    }
}

/// Renders the field for a name. The script fills in the one that was used last.
pub(super) fn name_field(lang: Language, name: &str, nickname: &str) -> Markup {
    html! {
        label.field {
            span { (lang.t("Your name (optional)")) } " "
            input type="text" name="name" maxlength="40" autocomplete="nickname" value=(name) placeholder=(nickname);
        }
        input type="hidden" name="nickname" value=(nickname);
    }
}

/// Renders a board on which a first move can be made at once. Without scripts, it starts a game on the server.
fn board_to_try(lang: Language) -> Markup {
    let game = Game::new(&Rules::CLASSIC);
    html! {
        form #try .try.sheet method="post" action=(lang.path("/new")) {
            input type="hidden" name="against" value="computer";
            input type="hidden" name="level" value=(Level::Casual.name());
            input type="hidden" name="nickname" value=(random_nickname(lang));
            p #status .try-status { (lang.t("Try it: make a move")) }
            (super::variant::catalogue(lang))
            (BoardView { game: &game, playable: true, language: lang }.markup())
            div.buttons {
                button #again .button type="button" hidden { (lang.t("Play again")) }
                a.button href=(lang.path("/solo")) { (lang.t("More solo games")) }
            }
        }
    }
}

/// A value of a choice with its title and description.
type FormChoice<'a> = (&'a str, &'a str, &'a str);

/// Returns the name of a value in forms, which is also that in JSON.
pub(super) fn name_of(value: impl Serialize) -> String {
    to_json(&value).trim_matches('"').to_owned()
}

fn radio(
    lang: Language,
    name: &str,
    chosen: &str,
    choice: FormChoice<'_>,
    picture: Option<&Markup>,
) -> Markup {
    let (value, title, description) = choice;
    html! {
        label.choice {
            input type="radio" name=(name) value=(value) checked[value == chosen];
            @if let Some(picture) = picture { (picture) }
            span { (lang.t(title)) @if !description.is_empty() { " " small { (lang.t(description)) } } }
        }
    }
}

pub(super) fn option(value: &str, title: &str, chosen: &str) -> Markup {
    html! { option value=(value) selected[value == chosen] { (title) } }
}

/// Renders the levels of the computer as the options of a list.
pub(super) fn level_options(lang: Language, chosen: &str) -> Markup {
    html! { @for level in Level::ALL { (option(level.name(), level_title(lang, level.name()), chosen)) } }
}

/// Returns the name of a level for people.
pub(super) fn level_title(lang: Language, name: &str) -> &str {
    match name.parse() {
        Ok(Level::Beginner) => lang.t("Beginner"),
        Ok(Level::Casual) => lang.t("Casual"),
        Ok(Level::Club) => lang.t("Club player"),
        Ok(Level::Expert) => lang.t("Expert"),
        Ok(Level::Perfect) => lang.t("Perfect"),
        Err(_) => name,
    }
}

pub(super) const RULES: [FormChoice<'_>; 6] = [
    ("3,3,3", text("Classic"), text("three in a row wins")),
    ("3,3,3 misere", text("Misère"), text("three in a row loses")),
    ("3,3,3 wild", text("Wild"), text("write X or O on each turn")),
    ("notakto", text("Notakto"), text("only X, a line loses")),
    ("5,5,4", text("Five by five"), text("four in a row wins")),
    ("own", text("Custom"), text("up to 8×8")),
];

/// Returns a picture of the rules with this value.
fn rules_picture(value: &str) -> Markup {
    match value {
        "3,3,3" => thumbnail("XO./OX./..X", Some([(0, 0), (2, 2)])),
        "3,3,3 misere" => html! { span.loses { (thumbnail("XO./OX./..X", Some([(0, 0), (2, 2)]))) } },
        "3,3,3 wild" => thumbnail("XO./.O./X.O", None),
        "notakto" => html! { span.loses { (thumbnail("X.X/.X./XX.", None)) } },
        "5,5,4" => thumbnail(".O.../.XO../..X../.O.X./....X", Some([(1, 1), (4, 4)])),
        _ => thumbnail("....../.XO.../..X.../......", None),
    }
}

/// Returns those of the rules that a page without a server can play.
pub(super) fn rules_on_3x3() -> &'static [FormChoice<'static>] {
    &RULES[..4]
}

fn rules_fields(lang: Language, form: &NewGameForm) -> Markup {
    let number = |name: &str, label: &str, max: u32, value: &str| {
        html! { label.field { span { (label) } " " input type="number" name=(name) min="1" max=(max) value=(value); } }
    };
    html! {
        fieldset {
            legend { (lang.t("Rules")) }
            div.choices.variants {
                @for choice in RULES { (radio(lang, "rules", &form.rules, choice, Some(&rules_picture(choice.0)))) }
                // A replay may send other rules.
                @if RULES.iter().all(|(value, ..)| *value != form.rules) {
                    (radio(lang, "rules", &form.rules, (&form.rules, &form.rules, text("from your replay")), None))
                }
            }
            div.fields.if-notakto { (number("boards", lang.t("Boards"), 12, &form.boards)) }
            div.fields.if-own {
                (number("rows", lang.t("Rows"), 8, &form.rows))
                (number("columns", lang.t("Columns"), 8, &form.columns))
                (number("line", lang.t("In a row"), 8, &form.line))
                label.field {
                    span { (lang.t("Marks")) }
                    select name="marks" {
                        @for kind in Marks::ALL { (option(kind.word().unwrap_or_default(), lang.t(kind.description()), &form.marks)) }
                    }
                }
                label.field {
                    span { (lang.t("A line")) }
                    select name="misere" { (option("", lang.t("wins"), &form.misere)) (option("misere", lang.t("loses"), &form.misere)) }
                }
            }
        }
    }
}

fn begins_fields(lang: Language, form: &NewGameForm) -> Markup {
    let choices =
        [("me", text("You"), ""), ("opponent", text("Opponent"), ""), ("chance", text("Random"), "")];
    html! {
        fieldset {
            legend { (lang.t("Who goes first")) }
            div.choices { @for choice in choices { (radio(lang, "begins", &name_of(form.begins), choice, None)) } }
        }
    }
}

fn tiles(lang: Language) -> Markup {
    let tiles = [
        (
            "/lessons",
            text("Learn to play well"),
            text("Thirteen short lessons, from two in a row to Notakto."),
        ),
        ("/tournaments", text("Play a tournament"), text("For a class, a club or friends: share one link.")),
        ("/r", text("Analyse a position"), text("See which squares win, draw or lose, and how soon.")),
        ("/games", text("Watch a game"), text("Games that their players show to everyone.")),
        ("/check", text("Check a game"), text("Paste your moves. Errors are marked in place.")),
    ];
    html! {
        ul.tiles {
            @for (path, title, description) in tiles {
                li { a.sheet href=(lang.path(path)) { h2 { (lang.t(title)) } p { (lang.t(description)) } } }
            }
        }
    }
}

/// The names of players who enter none.
const NAMES: [&str; 24] = [
    text("Agile Albatross"),
    text("Bold Badger"),
    text("Brave Beaver"),
    text("Cheerful Crane"),
    text("Clever Otter"),
    text("Curious Cat"),
    text("Daring Dolphin"),
    text("Eager Eagle"),
    text("Fearless Falcon"),
    text("Friendly Fox"),
    text("Gentle Gorilla"),
    text("Happy Hippo"),
    text("Jolly Jaguar"),
    text("Kind Koala"),
    text("Lucky Lynx"),
    text("Merry Meerkat"),
    text("Nimble Newt"),
    text("Patient Panda"),
    text("Quick Quokka"),
    text("Relaxed Raven"),
    text("Sly Salamander"),
    text("Tiny Tiger"),
    text("Witty Wombat"),
    text("Zippy Zebra"),
];

/// Returns a random name.
pub(super) fn random_nickname(language: Language) -> &'static str {
    let number = getrandom::u32().unwrap_or(0) as usize;
    language.t(NAMES[number % NAMES.len()])
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
