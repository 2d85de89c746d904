//! Paste a record: it is judged with the same words as in the terminal.

use axum::Form;
use maud::html;
use serde::Deserialize;

use super::frame::{Page, Place};

/// What the form sends.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Pasted {
    record: String,
}

/// `GET /check`
pub(super) async fn show() -> Page {
    page("")
}

/// `POST /check`: for those without script.
pub(super) async fn check(Form(pasted): Form<Pasted>) -> Page {
    page(&pasted.record)
}

const EXAMPLE: &str = "1 X B2\n2 O C2\n3 X C3\n4 O A1\n5 X B3\n";

fn page(record: &str) -> Page {
    let content = html! {
        h1 { "Analyse a game" }
        p.lead { "Paste or drop its record, one move a line. What is wrong is shown where it is; what is right can be replayed." }
        div.two {
            form #check .sheet method="post" action="/check" {
                label for="record" { "Record" }
                textarea #record name="record" spellcheck="false" autocapitalize="off" autocomplete="off" placeholder=(EXAMPLE) { (record) }
                p #file-field hidden { label { "or a file: " input #file type="file" accept=".ttt,.txt,text/plain"; } }
                div.buttons {
                    button.button.first type="submit" { "Check and replay" }
                    a.button href="/r" { "Empty board" }
                }
            }
            div {
                div #result tabindex="-1" {}
                p.note { "A line is a number, a mark and a square: " code { "1 X B2" } ". The letter is the row, A on top, the digit the column. "
                    "Other rules stand before the moves: " code { "[Rules \"4,4,3 misere\"]" } "." }
            }
        }
    };
    Page { title: "Analyse a game".to_owned(), script: Some("check"), place: Place::Analyse, content }
}
