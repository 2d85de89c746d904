//! The page that checks a pasted record. It reports the same errors as `tictac check`.

use std::fmt::Display;

use axum::Form;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use maud::{Markup, html};
use serde::Deserialize;
use tictac::{Game, Outcome, Player, Rules, Status};

use super::board::BoardView;
use super::error::banner;
use super::frame::Page;
use super::language::Language;
use super::link::to_link;
use super::pasted::to_record;
use crate::api::check_text;
use crate::check::{CheckedFault, CheckedGame};
use crate::extract::Visitor;
use crate::failure::Failure;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RecordForm {
    record: String,
}

pub(super) async fn show(language: Language) -> Page {
    page(language, "", &html! {})
}

/// `POST /check`: the form as submitted without scripts.
pub(super) async fn submit(
    visitor: Visitor,
    Form(RecordForm { record }): Form<RecordForm>,
) -> Result<Page, Failure> {
    // Browsers submit text areas with CRLF line endings.
    let record = record.replace("\r\n", "\n");
    let results = check(&visitor, record.clone().into()).await?;
    Ok(page(visitor.language, &record, &results))
}

/// `POST /check/result`: checks the text in the body and returns the result as a piece of HTML, for the script.
pub(super) async fn result(
    visitor: Visitor,
    body: Result<Bytes, BytesRejection>,
) -> Result<Markup, (StatusCode, Markup)> {
    let checked = match body {
        Ok(record) => check(&visitor, record).await,
        Err(_) => Err(Failure::TooLarge("the record is larger than 64 KiB")),
    };
    checked.map_err(|failure| (failure.status(), banner(visitor.language, &failure)))
}

async fn check(visitor: &Visitor, pasted: Bytes) -> Result<Markup, Failure> {
    let record = match std::str::from_utf8(&pasted) {
        Ok(text) => to_record(text, &visitor.service.config.limits).into(),
        Err(_) => pasted,
    };
    let checked = check_text(visitor, Rules::CLASSIC, record).await?;
    Ok(html! { @for game in &checked.games { (game_result(visitor.language, game)) } })
}

const EXAMPLE: &str = "1 X B2\n2 O C2\n3 X C3\n4 O A1\n5 X B3\n";

fn page(lang: Language, record: &str, results: &Markup) -> Page {
    let title = lang.t("Check a game");
    let content = html! {
        h1 { (title) }
        p.lead { (lang.t("Paste a game to check it. Errors are marked in place.")) }
        div.two {
            (form(lang, record))
            div {
                div #result tabindex="-1" { (results) }
                (instructions(lang))
                p { a.button href=(lang.path("/r")) { (lang.t("Start from an empty board")) } }
            }
        }
    };
    Page::new(lang, title, "/r", content).with_script("check")
}

/// Renders the form for a record.
pub(super) fn form(lang: Language, record: &str) -> Markup {
    html! {
        form #check .sheet method="post" action=(lang.path("/check")) {
            p { label for="record" { (lang.t("Paste a game")) } }
            textarea #record name="record" spellcheck="false" autocapitalize="off" autocomplete="off" placeholder=(EXAMPLE) { (record) }
            p #file-field hidden { label { (lang.t("Or choose a file:")) " " input #file type="file" accept=".ttt,.txt,text/plain"; } }
            div.buttons {
                button.button.first type="submit" { (lang.t("Check and replay")) }
            }
        }
    }
}

fn instructions(lang: Language) -> Markup {
    html! {
        p.note {
            (lang.t("Write one move per line: its number, the mark and the square, such as")) " " code { "1 X B2" } ". "
            (lang.t("The letter is the row, counted from the top; the digit is the column.")) " "
            (lang.t("For other rules, put them before the moves:")) " " code { "[Rules \"4,4,3 misere\"]" } ". "
            (lang.t("A list of squares, the link of a replay, a position or PGN will do, too."))
        }
    }
}

fn game_result(lang: Language, checked: &CheckedGame) -> Markup {
    let game = &checked.game;
    html! {
        @for fault in &checked.faults { (fault_listing(lang, fault)) }
        @if checked.faults.is_empty() {
            div.banner.good {
                (summary(lang, game))
                div.buttons { a.button href=(lang.path(&format!("/r#{}", to_link(game)))) { (lang.t("Replay and analyse")) } }
            }
        }
        // The board after the last valid move, if the game is small enough to be played here.
        noscript { @if game.rules().n_boards() <= 12 { (BoardView { game, playable: false, language: lang }.markup()) } }
    }
}

fn summary(lang: Language, game: &Game) -> String {
    let moves = match game.moves().len() {
        1 => lang.t("1 move").to_owned(),
        n_moves => lang.fill("{number} moves", &[("number", &n_moves)]),
    };
    let ending = match game.status() {
        Status::Over(Outcome::Win(Player::First)) => lang.t("the first player wins"),
        Status::Over(Outcome::Win(Player::Second)) => lang.t("the second player wins"),
        Status::Over(Outcome::Draw) => lang.t("a draw"),
        Status::ToMove(_) => lang.t("unfinished"),
    };
    lang.fill(
        "No errors: {moves}, {ending}. Rules: {rules}.",
        &[("moves", &moves), ("ending", &ending), ("rules", game.rules())],
    )
}

/// Renders an error: where it is, in a sentence, and then as the terminal shows it, in English.
fn fault_listing(lang: Language, fault: &CheckedFault) -> Markup {
    let gutter = " ".repeat(fault.line.to_string().len());
    let cut = if fault.n_cut > 0 { "..." } else { "" };
    let n_before = usize::try_from(fault.column - 1).unwrap_or(0).saturating_sub(fault.n_cut);
    let before = " ".repeat(cut.len() + n_before.min(fault.source.len()));
    let carets = "^".repeat(usize::try_from(fault.width).unwrap_or(1).clamp(1, 200));
    let values: [(&str, &dyn Display); 3] =
        [("line", &fault.line), ("column", &fault.column), ("message", &fault.message)];
    let label = lang.fill("Line {line}, column {column}: {message}", &values);
    html! {
        p.banner.bad { (lang.fill("There is a mistake in line {line}.", &[("line", &fault.line)])) }
        pre.fault tabindex="0" role="group" aria-label=(label) {
            span.code { "error[" (fault.code) "]" } span.wraps { ": " (fault.message) } "\n"
            (gutter) " |\n"
            (fault.line) " | " (cut) (fault.source) "\n"
            (gutter) " | " (before) span.caret { (carets) } "\n"
            @if let Some(help) = &fault.help { (gutter) " = " span.help.wraps { "help: " (help) } "\n" }
        }
    }
}
