//! Failures as pages.

use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

use super::frame::Page;
use super::language::{Language, text};
use crate::failure::Failure;

/// Returns the language for the response if a person will read it: browsers ask for HTML when they open a page, but not when a script
/// fetches data.
pub(crate) fn reader_of(request: &Request) -> Option<Language> {
    let accepted = request.headers().get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok());
    let is_read = accepted.is_some_and(|accepted| accepted.contains("text/html"));
    is_read.then(|| Language::of(request.uri(), request.headers()))
}

/// Shows failures of the pages as pages, whatever the client asks for.
pub(super) async fn show_failures(language: Language, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if response.extensions().get::<Failure>().is_none() {
        return response;
    }
    with_readable_error(response, language)
}

/// Returns the response, or a page in its place if it is an error in another form than HTML.
pub(crate) fn with_readable_error(response: Response, language: Language) -> Response {
    let status = response.status();
    let is_html = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if is_html || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let page = match (response.extensions().get::<Failure>(), status) {
        (Some(failure), _) => failure_page(language, failure),
        (None, StatusCode::NOT_FOUND) => not_found(language),
        (None, _) => {
            let sentence =
                language.t("The server cannot answer this request. Go back, reload the page and try again.");
            let title = language.t("Something went wrong");
            message_page(language, title, &html! { p.banner.bad role="alert" { (sentence) } })
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

fn failure_page(language: Language, failure: &Failure) -> Page {
    let title = match failure.status() {
        StatusCode::NOT_FOUND if matches!(failure, Failure::NoSuchTournament) => {
            language.t("Tournament not found")
        }
        StatusCode::NOT_FOUND => language.t("Game not found"),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => language.t("Please wait a moment"),
        _ => language.t("Something went wrong"),
    };
    message_page(language, title, &banner(language, failure))
}

pub(super) fn not_found(language: Language) -> Page {
    let sentence = language.t("There is no page at this address. Check that the link is complete.");
    let message = html! { p.banner.bad role="alert" { (sentence) } };
    message_page(language, language.t("Page not found"), &message)
}

fn message_page(language: Language, title: &str, message: &Markup) -> Page {
    let content = html! {
        div.sheet.prose {
            h1 { (title) }
            (message)
            p { a.button.first href=(language.path("/")) { (language.t("Start a new game")) } }
        }
    };
    Page::new(language, title, "", content)
}

/// Messages that scripts receive in English and translate: failures, and the reasons why a game is dead. Messages about the text of rules and records are not translated.
pub(super) const MESSAGES: [&str; 24] = [
    text("the game is over"),
    text("accept or decline the pending offer first"),
    text("you have no move to take back"),
    text("the game is not over yet"),
    text("the rematch has already started"),
    text("you have already asked for a rematch"),
    text("there is no offer"),
    text("only the other player can accept this offer"),
    text("you already play on four other devices: revoke them first"),
    text("the devices of this game have changed too often"),
    text("the game has changed in the meantime"),
    text("you have no seat in this game and can only watch"),
    text("you have no part in this tournament and can only watch"),
    text("open your own link, or send its token as a bearer token"),
    text("it is the other player's turn"),
    text("there is no such game"),
    text("the request comes from another site"),
    text("the request is addressed to another host"),
    text("the disk is full: games can be watched but not played"),
    text("the record is larger than 64 KiB"),
    text("the server is restarting: connect again"),
    text("the database does not respond: try again"),
    text("no line can be completed, because every line holds both marks"),
    text("no line can be completed, because every line holds both marks or needs more moves than are left"),
];

pub(super) fn banner(language: Language, failure: &Failure) -> Markup {
    let problem = failure.clone().problem();
    let message = match failure {
        Failure::TooMany { .. } => text("too many requests at once: try again in a moment"),
        _ => &problem.message,
    };
    html! {
        p.banner.bad role="alert" {
            (capitalize(language.t(message))) "."
            @if let Some(help) = &problem.help { " " (capitalize(language.t(help))) "." }
        }
    }
}

fn capitalize(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
