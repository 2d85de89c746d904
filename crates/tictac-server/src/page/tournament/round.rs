//! The current round of a tournament: its pairings, with boards and clocks.

use std::sync::Arc;

use maud::{Markup, html};
use tictac::Status;

use super::super::board::thumbnail;
use super::super::clock;
use super::super::language::text;
use super::parts::TournamentPage;
use crate::live_game::LiveGame;
use crate::tournament::live::LiveTournamentState;
use crate::tournament::standings::decimal;
use crate::tournament::state::{MatchOutcome, TournamentMatch, WonBy};

/// The number of boards that are shown at the same time; further matches are listed without one.
const MAX_BOARDS: usize = 32;

impl TournamentPage<'_> {
    pub(super) fn round(&self, state: &LiveTournamentState) -> Markup {
        let (lang, tournament) = (self.lang, &state.tournament);
        let Some(round) = tournament.rounds.last() else { return html! { section #round hidden {} } };
        let matches: Vec<&TournamentMatch> = round.pairs.iter().filter(|one| one.first.is_some()).collect();
        let number = tournament.rounds.len();
        html! {
            section #round aria-labelledby="round-title" {
                h2 #round-title { (lang.fill("Round {number}", &[("number", &number)])) }
                ul.pairings {
                    @for (at, one) in matches.iter().enumerate() {
                        li.sheet.pairing { (self.pairing(state, one, at < MAX_BOARDS)) }
                    }
                }
            }
        }
    }

    pub(super) fn pairing(
        &self,
        state: &LiveTournamentState,
        one: &TournamentMatch,
        with_board: bool,
    ) -> Markup {
        let (lang, tournament) = (self.lang, &state.tournament);
        let name = |player: Option<usize>| player.map(|player| tournament.players[player].name.as_str());
        let (Some(first), Some(second)) = (name(one.first), name(one.second)) else {
            return html! { span.names { b { (name(one.first).unwrap_or_default()) } } " " small.note { (lang.t("no opponent in this round")) } };
        };
        let game = one.games.last();
        let live = game.and_then(|game| state.games.get(&game.id));
        let [won, lost, draws] = one.score();
        let is_winner = |player: Option<usize>| matches!(one.outcome, Some(MatchOutcome::Won { winner, .. }) if Some(winner) == player);
        let shown = live.filter(|_| with_board);
        let time = |player: Option<usize>, name: &str| -> Option<Markup> {
            let (side, now) = (game?.side_of(player?), self.config.time.now());
            clock::markup(&shown?.lock().hosted, side, name, now, lang)
        };
        html! {
            @if let Some(live) = shown { (boards(live)) }
            span.names {
                span.side { b.is-winner[is_winner(one.first)] { (first) } @if let Some(time) = time(one.first, first) { (time) } }
                span.versus { " – " }
                span.side { b.is-winner[is_winner(one.second)] { (second) } @if let Some(time) = time(one.second, second) { (time) } }
            }
            " "
            span.result {
                @if one.games.len() > 1 || one.outcome.is_some() {
                    (decimal(4 * won as u32 + 2 * draws as u32)) " : " (decimal(4 * lost as u32 + 2 * draws as u32))
                }
            }
            " "
            small.note { (lang.t(match_words(one, live))) " "
                @for (number, game) in one.games.iter().enumerate() {
                    a href=(lang.path(&format!("/g/{}", game.id))) aria-label=(lang.fill("Game {number} of {first} and {second}", &[("number", &(number + 1)), ("first", &first), ("second", &second)])) {
                        (lang.fill("game {number}", &[("number", &(number + 1))]))
                    } " "
                }
            }
        }
    }
}

/// Renders small pictures of the boards of a game.
fn boards(live: &LiveGame) -> Markup {
    let (position, is_over) = {
        let hosted = &live.lock().hosted;
        (hosted.game.state().to_string(), matches!(hosted.status(), Status::Over(_)))
    };
    let boards = position.split(' ').next().unwrap_or_default().to_owned();
    html! {
        span.mini.is-over[is_over] { @for rows in boards.split('+').take(3) { (thumbnail(rows, None)) } }
    }
}

/// Returns how a match stands, in words.
fn match_words(one: &TournamentMatch, live: Option<&Arc<LiveGame>>) -> &'static str {
    match one.outcome {
        Some(MatchOutcome::Won { by: WonBy::Forfeit, .. }) => text("by forfeit"),
        Some(MatchOutcome::Won { by: WonBy::DrawOdds, .. }) => text("drawn; who was second at first goes on"),
        Some(_) => text("over"),
        None => match live.map(|live| live.lock().hosted.game.moves().len()) {
            Some(0) => text("about to begin"),
            _ => text("being played"),
        },
    }
}
