//! The frame around every page, the error pages, and the content security policy.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

use super::assets;
use crate::failure::Failure;

/// Allows nothing from other servers, nothing inline, and no embedding in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const DESCRIPTION: &str = "Play tic-tac-toe with a friend or the computer: classic, misère, wild, Notakto and larger boards. No account needed.";

pub(super) struct Page {
    /// The title, without the name of the site.
    title: String,
    script: Option<&'static str>,
    /// The path of the menu entry to highlight; none if it is empty.
    menu: &'static str,
    /// The content of the `main` element.
    content: Markup,
}

const MENU: [(&str, &str); 4] = [("/", "Play"), ("/solo", "Solo"), ("/check", "Analyse"), ("/help", "Help")];

impl Page {
    /// Returns a page that starts no script of its own.
    pub(super) fn new(title: impl Into<String>, menu: &'static str, content: Markup) -> Page {
        Page { title: title.into(), script: None, menu, content }
    }

    /// Returns the page with the script module that it starts.
    pub(super) fn with_script(self, script: &'static str) -> Page {
        Page { script: Some(script), ..self }
    }

    fn markup(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="description" content=(DESCRIPTION);
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
                    a.skip href="#main" { "Skip to content" }
                    (self.masthead())
                    main #main tabindex="-1" { (self.content) }
                    footer.foot {
                        span { "No account, no tracking. Cookies only remember your seat in a game." } " "
                        a href="/help" { "Help and shortcuts" } " "
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
                    @for (path, name) in MENU {
                        a href=(path) aria-current=[(path == self.menu).then_some("page")] { (name) } " "
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

/// A failure, shown as a page.
pub(super) struct ErrorPage(Failure);

impl From<Failure> for ErrorPage {
    fn from(failure: Failure) -> ErrorPage {
        ErrorPage(failure)
    }
}

impl IntoResponse for ErrorPage {
    fn into_response(self) -> Response {
        let status = self.0.status();
        let title = if status == StatusCode::NOT_FOUND { "Game not found" } else { "Something went wrong" };
        (status, message_page(title, &banner(&self.0))).into_response()
    }
}

pub(super) fn not_found() -> Page {
    let message = html! { p.banner.bad role="alert" { "There is no page at this address. Check that the link is complete." } };
    message_page("Page not found", &message)
}

fn message_page(title: &str, message: &Markup) -> Page {
    let content = html! {
        div.sheet.prose {
            h1 { (title) }
            (message)
            p { a.button.first href="/" { "Start a new game" } }
        }
    };
    Page::new(title, "", content)
}

pub(super) fn banner(failure: &Failure) -> Markup {
    let problem = failure.clone().problem();
    html! {
        p.banner.bad role="alert" {
            (capitalize(&problem.message)) "."
            @if let Some(help) = &problem.help { " " (capitalize(help)) "." }
        }
    }
}

fn capitalize(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
