//! What all pages share: the frame around them, and the policy that guards them.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

use super::assets;
use crate::failure::Failure;

/// Nothing from elsewhere, nothing inline, in no frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A whole page.
pub(super) struct Page {
    /// What stands in the title bar before the name of the house.
    pub(super) title: String,
    /// Which part of the script starts, if any.
    pub(super) script: Option<&'static str>,
    /// The part of the house, for the menu.
    pub(super) place: Place,
    /// What stands between head and foot.
    pub(super) content: Markup,
}

/// The parts of the house that the menu names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    New,
    Solo,
    Analyse,
    Help,
    Elsewhere,
}

const MENU: [(Place, &str, &str); 4] = [
    (Place::New, "/", "Play"),
    (Place::Solo, "/solo", "Solo"),
    (Place::Analyse, "/check", "Analyse"),
    (Place::Help, "/help", "Help"),
];

impl Page {
    /// Returns a page that needs no script of its own.
    pub(super) fn new(title: impl Into<String>, place: Place, content: Markup) -> Page {
        Page { title: title.into(), script: None, place, content }
    }

    fn markup(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="theme-color" content="#f7f4ec" media="(prefers-color-scheme: light)";
                    meta name="theme-color" content="#1b1d21" media="(prefers-color-scheme: dark)";
                    title { (self.title) " – tictac" }
                    link rel="icon" type="image/svg+xml" href=(assets::path("icon.svg"));
                    link rel="manifest" href="/manifest.webmanifest";
                    link rel="stylesheet" href=(assets::path("style.css"));
                    script type="module" src=(assets::path("app.js")) {}
                }
                body data-page=[self.script] {
                    a.skip href="#main" { "Skip to the content" }
                    (self.masthead())
                    main #main tabindex="-1" { (self.content) }
                    footer.foot {
                        span { "No account, no tracking. The only cookies are seats." } " "
                        a href="/help" { "Help and keys" } " "
                        a href="/api/v1/openapi.json" { "API" }
                    }
                    div #polite .unseen role="status" aria-live="polite" {}
                    div #assertive .unseen role="alert" aria-live="assertive" {}
                }
            }
        }
    }

    fn masthead(&self) -> Markup {
        html! {
            header.masthead {
                a.brand href="/" {
                    img src=(assets::path("icon.svg")) alt="" width="32" height="32";
                    "tictac"
                }
                " "
                nav aria-label="Main" {
                    @for (place, path, name) in MENU {
                        a href=(path) aria-current=[(place == self.place).then_some("page")] { (name) } " "
                    }
                }
            }
        }
    }
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        ([(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY))], self.markup()).into_response()
    }
}

/// A sentence about what went wrong, as a page of its own.
pub(super) struct Trouble(pub(super) Failure);

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        Trouble(failure)
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        let status = self.0.status();
        let title = if status == StatusCode::NOT_FOUND { NOT_HERE } else { "That did not work" };
        (status, sheet(title, &banner(&self.0))).into_response()
    }
}

const NOT_HERE: &str = "Not here";

/// The page of an address where nothing is.
pub(super) fn not_here() -> Page {
    sheet(
        NOT_HERE,
        &html! { p.banner.bad role="alert" { "There is no such page. The link may have been cut short." } },
    )
}

fn sheet(title: &str, words: &Markup) -> Page {
    let content = html! {
        div.sheet.prose {
            h1 { (title) }
            (words)
            p { a.button.first href="/" { "Start a new game" } }
        }
    };
    Page::new(title, Place::Elsewhere, content)
}

/// What went wrong, in a box.
pub(super) fn banner(failure: &Failure) -> Markup {
    let problem = failure.clone().problem();
    html! {
        p.banner.bad role="alert" {
            (capitalised(&problem.message)) "."
            @if let Some(help) = &problem.help { " " (capitalised(help)) "." }
        }
    }
}

/// Returns a sentence with a capital at its start.
pub(super) fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
