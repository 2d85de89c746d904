//! The public list, and the form that opens a tournament.

use axum::Form;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::super::clock;
use super::super::error::banner;
use super::super::frame::{LinkPreview, Page};
use super::super::home::{RULES, name_of, option};
use super::super::language::{Language, text};
use super::with_secret;
use crate::cookie;
use crate::extract::Visitor;
use crate::failure::Failure;
use crate::service::Service;
use crate::tournament::event::{NextRound, Seeding, TournamentFormat};
use crate::tournament::view::{ListedTournament, NewTournament, PhaseView};

/// The fields of the form. Numbers stay text, so that an empty field counts as none.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TournamentForm {
    name: String,
    rules: String,
    format: TournamentFormat,
    best_of: String,
    rounds: String,
    seeding: Seeding,
    next_round: NextRound,
    /// The minutes until the start.
    minutes: String,
    clock: String,
    listed: String,
}

impl TournamentForm {
    fn request(&self, now: u64) -> Result<NewTournament, Failure> {
        let number = |field: &str| match field.trim() {
            "" => Ok(None),
            digits => digits
                .parse::<u32>()
                .map(Some)
                .map_err(|_| Failure::BadRequest(format!("{digits:?} is not a number"))),
        };
        let size = |field: &str| number(field).map(|number| number.map(|number| number as usize));
        let minutes = number(&self.minutes)?;
        let is_swiss = self.format == TournamentFormat::Swiss;
        Ok(NewTournament {
            name: Some(self.name.clone()),
            rules: Some(self.rules.clone()).filter(|rules| !rules.is_empty()),
            format: self.format,
            best_of: size(&self.best_of)?,
            rounds: if is_swiss { size(&self.rounds)? } else { None },
            seeding: self.seeding,
            next_round: self.next_round,
            starts_at: minutes.map(|minutes| now + u64::from(minutes) * 60_000),
            clock: clock::parse(&self.clock)?,
            listed: !self.listed.is_empty(),
        })
    }
}

pub(super) async fn show(State(service): State<Service>, language: Language) -> Result<Page, Failure> {
    let listed = service.listed_tournaments().await?;
    let title = language.t("Tic-tac-toe tournaments").to_owned();
    let description = language.t("Open a tournament, share one link, play. No account needed.").to_owned();
    let preview = LinkPreview::of_site(&service.config, language, title, description);
    Ok(page(language, &TournamentForm::default(), &listed, None).with_preview(preview))
}

/// `POST /tournaments`: opens a tournament and leads its organiser to it.
pub(super) async fn create(visitor: Visitor, Form(form): Form<TournamentForm>) -> Result<Response, Failure> {
    let service = &visitor.service;
    let is_allowed = service.throttle.game(visitor.address);
    let created = match is_allowed.and_then(|()| form.request(service.config.time.now())) {
        Ok(request) => service.create_tournament(request).await,
        Err(failure) => Err(failure),
    };
    match created {
        Ok((live, secret)) => Ok(with_secret(&service.config, live.id, cookie::ORGANISER, &secret)),
        Err(failure) => {
            let listed = service.listed_tournaments().await?;
            Ok((failure.status(), page(visitor.language, &form, &listed, Some(&failure))).into_response())
        }
    }
}

/// Returns the name of a format for people.
pub(super) const fn format_title(format: TournamentFormat) -> &'static str {
    match format {
        TournamentFormat::RoundRobin => text("Round robin"),
        TournamentFormat::KnockOut => text("Knock-out"),
        TournamentFormat::Swiss => text("Swiss system"),
    }
}

fn page(
    lang: Language,
    form: &TournamentForm,
    listed: &[ListedTournament],
    failure: Option<&Failure>,
) -> Page {
    let title = lang.t("Tournaments");
    let content = html! {
        h1 { (title) }
        p.lead { (lang.t("Open a tournament, share one link, play. No account needed.")) }
        @if let Some(failure) = failure { (banner(lang, failure)) }
        div.two {
            (form_fields(lang, form))
            section.sheet aria-labelledby="public" {
                h2 #public { (lang.t("Public tournaments")) }
                @if listed.is_empty() { p.note { (lang.t("There are none at the moment. A tournament is listed here only if its organiser wants that.")) } }
                (list(lang, listed))
            }
        }
    };
    Page::new(lang, title, "", content)
}

/// Renders public tournaments as a list of links.
pub(in crate::page) fn list(lang: Language, listed: &[ListedTournament]) -> Markup {
    html! {
        ul.plain {
            @for one in listed {
                li {
                    a href=(lang.path(&format!("/t/{}", one.tournament))) { (one.name) } " "
                    small.note { (lang.t(format_title(one.format))) ", " (players(lang, one.players)) ", " (lang.t(phase_words(one.phase))) }
                }
            }
        }
    }
}

const fn phase_words(phase: PhaseView) -> &'static str {
    match phase {
        PhaseView::Open => text("open for players"),
        PhaseView::Running => text("running"),
        PhaseView::Finished => text("finished"),
    }
}

pub(super) fn players(lang: Language, number: usize) -> String {
    match number {
        1 => lang.t("1 player").to_owned(),
        _ => lang.fill("{number} players", &[("number", &number)]),
    }
}

fn form_fields(lang: Language, form: &TournamentForm) -> Markup {
    let formats = [
        (TournamentFormat::RoundRobin, text("everyone meets everyone; up to 40 players")),
        (TournamentFormat::KnockOut, text("the winner goes on; up to 512 players")),
        (TournamentFormat::Swiss, text("players with equal points meet; up to 512 players")),
    ];
    html! {
        form.sheet.open-tournament method="post" action=(lang.path("/tournaments")) {
            h2 { (lang.t("Open a tournament")) }
            label.field { span { (lang.t("Name of the tournament")) } " " input type="text" name="name" required maxlength="40" autocomplete="off" data-own value=(form.name); }
            fieldset {
                legend { (lang.t("Format")) }
                div.choices {
                    @for (format, description) in formats {
                        label.choice {
                            input type="radio" name="format" value=(name_of(format)) checked[format == form.format];
                            span { (lang.t(format_title(format))) " " small { (lang.t(description)) } }
                        }
                    }
                }
            }
            div.fields {
                label.field { span { (lang.t("Rules")) } " " select name="rules" {
                    @for (value, title, _) in RULES.iter().filter(|(value, ..)| *value != "own") { (option(value, lang.t(title), &form.rules)) }
                } }
                label.field { span { (lang.t("Games per match")) } " " select name="best_of" {
                    (option("1", lang.t("one game"), &form.best_of))
                    @for number in ["2", "3", "5", "7"] { (option(number, &lang.fill("best of {number}", &[("number", &number)]), &form.best_of)) }
                } }
                (clock::field(lang, form.clock.trim()))
            }
            details.options {
                summary { (lang.t("More options")) }
                div.fields {
                    label.field { span { (lang.t("Rounds (Swiss system; empty: as many as needed)")) } " " input type="number" name="rounds" min="1" max="20" value=(form.rounds); }
                    label.field { span { (lang.t("Start in minutes (empty: you start it)")) } " " input type="number" name="minutes" min="0" max="525000" value=(form.minutes); }
                    label.field { span { (lang.t("Next round")) } " " select name="next_round" {
                        option value="automatic" { (lang.t("as soon as all games are over")) }
                        option value="organiser" selected[form.next_round == NextRound::Organiser] { (lang.t("when you start it")) }
                    } }
                    label.field { span { (lang.t("Start numbers")) } " " select name="seeding" {
                        option value="random" { (lang.t("by lot")) }
                        option value="entry" selected[form.seeding == Seeding::Entry] { (lang.t("in the order of joining")) }
                    } }
                }
                label.choice { input type="checkbox" name="listed" value="true" checked[!form.listed.is_empty()]; span { (lang.t("Show it in the public list")) } }
            }
            div.buttons { button.button.first.large type="submit" { (lang.t("Open the tournament")) } }
        }
    }
}
