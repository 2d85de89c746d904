//! Paste a record: it is judged with the same words as in the terminal.

use axum::Form;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Deserialize;
use tictac::{Move, Rules};

use super::board::BoardView;
use super::frame::{Page, Place, Trouble};
use super::picture::{state_after, to_link};
use crate::app::AppState;
use crate::check::{self, CheckReply, CheckedFault, CheckedGame};
use crate::failure::Failure;
use crate::guard::Client;

/// What the form sends.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Pasted {
    record: String,
}

/// `GET /check`
pub(super) async fn show() -> Page {
    page("", None)
}

/// `POST /check`: for those without script.
pub(super) async fn check(
    State(state): State<AppState>,
    Client(address): Client,
    Form(Pasted { record }): Form<Pasted>,
) -> Result<Response, Trouble> {
    state.throttle().analysis(address)?;
    // Forms send lines with the ends of the network; the record has those of its author.
    let record = record.replace("\r\n", "\n");
    let work = tokio::task::spawn_blocking(move || {
        let checked = check::check(None, record.as_bytes());
        checked.map(|checked| page(&record, Some(&checked)))
    });
    let page = work.await.map_err(|_| Failure::Unavailable("this text cannot be checked"))??;
    Ok(page.into_response())
}

const EXAMPLE: &str = "1 X B2\n2 O C2\n3 X C3\n4 O A1\n5 X B3\n";

fn page(record: &str, checked: Option<&CheckReply>) -> Page {
    let content = html! {
        h1 { "Analyse a game" }
        p.lead { "Paste or drop its record, one move a line. What is wrong is shown where it is; what is right can be replayed." }
        div.two {
            form #check .sheet method="post" action="/check" {
                p { label for="record" { "Record" } }
                textarea #record name="record" spellcheck="false" autocapitalize="off" autocomplete="off" placeholder=(EXAMPLE) { (record) }
                p #file-field hidden { label { "or a file: " input #file type="file" accept=".ttt,.txt,text/plain"; } }
                div.buttons {
                    button.button.first type="submit" { "Check and replay" }
                    a.button href="/r" { "Empty board" }
                }
            }
            div {
                div #result tabindex="-1" { @for game in checked.iter().flat_map(|checked| &checked.games) { (result(game)) } }
                p.note { "A line is a number, a mark and a square: " code { "1 X B2" } ". The letter is the row, A on top, the digit the column. "
                    "Other rules stand before the moves: " code { "[Rules \"4,4,3 misere\"]" } "." }
            }
        }
    };
    Page { title: "Analyse a game".to_owned(), script: Some("check"), place: Place::Analyse, content }
}

fn result(game: &CheckedGame) -> Markup {
    let rules: Rules = game.rules.parse().unwrap_or(Rules::CLASSIC);
    let moves: Vec<Move> = game.moves.iter().filter_map(|mv| rules.parse_move(mv).ok()).collect();
    // Only a game that is small enough to be played here is drawn.
    let is_drawn = state_after(&rules, &game.moves).is_ok() && rules.n_boards() <= 12;
    html! {
        @for fault in &game.faults { (drawn(fault)) }
        @if game.faults.is_empty() {
            p.banner.good {
                "Fine: " (game.moves.len()) " moves by the rules " (game.rules) ". "
                a href=(format!("/r#{}", to_link(&rules, &game.moves))) { "Replay and analyse" }
            }
        }
        noscript { @if is_drawn { (BoardView { rules: &rules, moves: &moves, lines: &[], playable: false }.markup()) } }
    }
}

/// A fault as the terminal shows it, with its line and a caret.
fn drawn(fault: &CheckedFault) -> Markup {
    let gutter = " ".repeat(fault.line.to_string().len());
    let before = " ".repeat(usize::try_from(fault.column - 1).unwrap_or(0).min(fault.source.len()));
    let carets = "^".repeat(usize::try_from(fault.width).unwrap_or(1).clamp(1, 200));
    let label = format!("Line {}, column {}: {}", fault.line, fault.column, fault.message);
    html! {
        pre.fault tabindex="0" role="group" aria-label=(label) {
            span.code { "error[" (fault.code) "]" } span.wraps { ": " (fault.message) } "\n"
            (gutter) " |\n"
            (fault.line) " | " (fault.source) "\n"
            (gutter) " | " (before) span.caret { (carets) } "\n"
            @if let Some(help) = &fault.help { (gutter) " = " span.help.wraps { "help: " (help) } "\n" }
        }
    }
}
