//! How a visitor gets a place in a tournament: joining, asking after the start, and coming back on another device.

use maud::{Markup, html};

use super::super::board::thumbnail;
use super::super::home::{name_field, random_nickname};
use super::super::join::new_secret;
use super::super::language::Language;
use crate::token::GameId;
use crate::tournament::access::EntryWay;
use crate::tournament::state::{Tournament, TournamentPhase};
use crate::tournament::view::TournamentRole;

/// Renders the forms for a visitor without a place. The script replaces the part only if its kind changes, so that no entry is lost.
pub(super) fn part(lang: Language, id: GameId, tournament: &Tournament, role: TournamentRole) -> Markup {
    let is_busy = role.organiser && tournament.phase != TournamentPhase::Open;
    if role.player.is_some() || role.asked || is_busy {
        return html! { div #enter data-kind="none" hidden {} };
    }
    let kind = match tournament.entry_way() {
        EntryWay::Join => "join",
        EntryWay::Ask => "ask",
        EntryWay::Closed(_) => "closed",
    };
    html! {
        div #enter data-kind=(kind) {
            @match tournament.entry_way() {
                EntryWay::Join => (form(lang, id, lang.t("Take part"), lang.t("Join the tournament"))),
                EntryWay::Ask => (form(lang, id, lang.t("The tournament has started. Do you want to join?"), lang.t("Ask to join"))),
                EntryWay::Closed(_) if tournament.is_closed_knock_out() => p.banner {
                    (lang.t("This knock-out has started, so no one can join it any more. You can watch every game here."))
                },
                EntryWay::Closed(_) => {},
            }
            (return_form(lang, id, tournament))
        }
    }
}

fn form(lang: Language, id: GameId, title: &str, label: &str) -> Markup {
    html! {
        form.sheet.invited method="post" action=(lang.path(&format!("/t/{id}/join"))) {
            (thumbnail("XO./.X./O..", None))
            h2 { (title) }
            (new_secret())
            (name_field(lang, "", random_nickname(lang)))
            details {
                summary { (lang.t("Set a code, to come back on another device")) }
                (code_field(lang, lang.t("Four digits that you remember")))
            }
            button.button.first.large type="submit" { (label) }
        }
    }
}

fn code_field(lang: Language, label: &str) -> Markup {
    html! {
        label.field { span { (label) } " " input.code type="text" name="code" inputmode="numeric" pattern="[0-9]{4}" maxlength="4" autocomplete="off" title=(lang.t("Four digits")); }
    }
}

/// Renders the form for players who have set a code.
fn return_form(lang: Language, id: GameId, tournament: &Tournament) -> Markup {
    let players = tournament.players.iter().enumerate();
    let with_code: Vec<_> =
        players.filter(|(_, player)| player.code_hash.is_some() && !player.is_dropped).collect();
    let is_over = matches!(tournament.phase, TournamentPhase::Finished(_));
    html! {
        @if !with_code.is_empty() && !is_over {
            details {
                summary { (lang.t("Come back with your code")) }
                form.fields method="post" action=(lang.path(&format!("/t/{id}/return"))) {
                    (new_secret())
                    label.field { span { (lang.t("Player")) } " " select name="player" {
                        @for (number, player) in with_code { option value=(number) { (player.name) } }
                    } }
                    (code_field(lang, lang.t("Your code")))
                    button.button type="submit" { (lang.t("Continue on this device")) }
                }
            }
        }
    }
}
