//! The frame around every page, the error pages, and the content security policy.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
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
        (self.0.status(), failure_page(&self.0)).into_response()
    }
}

fn failure_page(failure: &Failure) -> Page {
    let title = match failure.status() {
        StatusCode::NOT_FOUND => "Game not found",
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => "Please wait a moment",
        _ => "Something went wrong",
    };
    message_page(title, &banner(failure))
}

/// Returns whether a client shows the response to a person: browsers ask for HTML when they open a page, but not for data.
pub(crate) fn is_expected_by(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}

/// Returns the response, or a page in its place if it is an error in another form than HTML.
pub(crate) fn with_readable_error(response: Response) -> Response {
    let status = response.status();
    let is_html = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if is_html || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let page = match (response.extensions().get::<Failure>(), status) {
        (Some(failure), _) => failure_page(failure),
        (None, StatusCode::NOT_FOUND) => not_found(),
        (None, _) => {
            let sentence = "The server cannot answer this request. Go back, reload the page and try again.";
            message_page("Something went wrong", &html! { p.banner.bad role="alert" { (sentence) } })
        }
    };
    let mut readable = (status, page).into_response();
    for name in [header::RETRY_AFTER, header::ALLOW, header::SET_COOKIE] {
        if let Some(value) = response.headers().get(&name) {
            readable.headers_mut().insert(name, value.clone());
        }
    }
    readable
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
