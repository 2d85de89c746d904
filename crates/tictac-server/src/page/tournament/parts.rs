//! The parts of the page of a tournament that change. The page contains them, and scripts fetch them again after every change.

use std::sync::Arc;

use maud::{Markup, PreEscaped, html};
use serde_json::json;

use super::super::board::thumbnail;
use super::super::game::link_field;
use super::super::language::{Language, text};
use super::super::{clock, picture, variant};
use super::list::{format_title, players};
use crate::config::ServerConfig;
use crate::event::{PlayerKind, SeriesScore};
use crate::live_game::LiveGame;
use crate::token::GameId;
use crate::tournament::event::{FinishReason, TournamentEvent, TournamentEventKind, TournamentFormat};
use crate::tournament::live::{LiveTournamentState, RenderedParts};
use crate::tournament::standings::{Standing, TieBreak, decimal, standings, tie_breaks};
use crate::tournament::state::{MatchOutcome, Tournament, TournamentMatch, TournamentPhase, WonBy};
use crate::tournament::view::TournamentRole;

/// The number of players in the standings of the big screen.
const ROWS_ON_SCREEN: usize = 16;
/// The number of boards that are shown at the same time; further matches are listed without one.
const MAX_BOARDS: usize = 32;
/// The number of events in the history.
const MAX_HISTORY: usize = 60;

/// What a tournament is shown on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ViewKind {
    /// The page for everyone.
    Page,
    /// The big screen of a classroom.
    Screen,
}

/// The page of a tournament.
pub(super) struct TournamentPage<'a> {
    pub(super) id: GameId,
    pub(super) lang: Language,
    pub(super) config: &'a ServerConfig,
    pub(super) kind: ViewKind,
}

/// The parts that are the same for everyone, by the id of their element.
pub(super) struct SharedParts(pub(super) Arc<serde_json::Value>);

impl SharedParts {
    pub(super) fn html(&self, id: &str) -> Markup {
        PreEscaped(self.0[id].as_str().unwrap_or_default().to_owned())
    }
}

impl TournamentPage<'_> {
    /// Returns the parts that are the same for everyone; they are rendered once per change.
    pub(super) fn shared(&self, state: &mut LiveTournamentState) -> SharedParts {
        let version = state.version();
        let kind = if self.kind == ViewKind::Screen { "screen" } else { "page" };
        let key = (self.lang.path(""), kind);
        let second = self.second(&state.tournament);
        let is_fresh = |parts: &RenderedParts| parts.version == version && parts.second == second;
        if let Some(rendered) = state.rendered.iter().find(|parts| is_fresh(parts) && parts.key == key) {
            return SharedParts(Arc::clone(&rendered.parts));
        }
        let parts = Arc::new(json!({
            "head": self.head(&state.tournament).into_string(),
            "round": self.round(state).into_string(),
            "standings": self.standings(&state.tournament).into_string(),
            "history": if self.kind == ViewKind::Page { self.history(state).into_string() } else { String::new() },
        }));
        state.rendered.retain(is_fresh);
        state.rendered.push(RenderedParts { version, second, key, parts: Arc::clone(&parts) });
        SharedParts(parts)
    }

    /// Returns the second that it is now if the page shows how much time is left, and 0 if it does not depend on the time.
    fn second(&self, tournament: &Tournament) -> u64 {
        let depends_on_time = match tournament.phase {
            TournamentPhase::Open => tournament.setup.starts_at.is_some(),
            TournamentPhase::Running => tournament.setup.clock.is_some(),
            TournamentPhase::Finished(_) => false,
        };
        if depends_on_time { self.config.time.now() / 1_000 } else { 0 }
    }

    /// Returns the format and the rules in one line.
    pub(super) fn summary(&self, tournament: &Tournament) -> String {
        let setup = &tournament.setup;
        let format = self.lang.t(format_title(setup.format)).to_owned();
        let mut words = vec![format, variant::summary(self.lang, &setup.rules)];
        if setup.best_of > 1 {
            words.push(self.lang.fill("best of {number}", &[("number", &setup.best_of)]));
        }
        words.extend(setup.clock.map(|control| clock::title(self.lang, control)));
        words.join(" · ")
    }

    fn head(&self, tournament: &Tournament) -> Markup {
        html! {
            div #head {
                h1 { (tournament.setup.name) }
                p.lead { (self.summary(tournament)) }
                p.status-line { b { (self.phase(tournament)) } " " span.note { (players(self.lang, tournament.n_active())) } }
            }
        }
    }

    fn phase(&self, tournament: &Tournament) -> String {
        let (lang, now) = (self.lang, self.config.time.now());
        match tournament.phase {
            TournamentPhase::Open => match tournament.setup.starts_at {
                Some(at) if at > now => {
                    let minutes = (at - now).div_ceil(60_000);
                    lang.fill("Open for players. Starts in {number} minutes.", &[("number", &minutes)])
                }
                Some(_) => lang.t("Starts as soon as two players are there.").to_owned(),
                None => lang.t("Open for players. The organiser starts it.").to_owned(),
            },
            TournamentPhase::Running if tournament.is_paused => lang.t("Paused by the organiser").to_owned(),
            TournamentPhase::Running => {
                let (round, all) = (tournament.rounds.len().max(1), tournament.n_rounds());
                lang.fill("Round {round} of {all}", &[("round", &round), ("all", &all)])
            }
            TournamentPhase::Finished(reason) => lang.t(finished_words(reason)).to_owned(),
        }
    }

    /// Renders what a player should do now.
    pub(super) fn you(&self, tournament: &Tournament, role: TournamentRole) -> Markup {
        let lang = self.lang;
        let Some(player) = role.player else {
            return html! {
                div #you .sheet[role.asked] {
                    @if role.asked { p role="status" { (lang.t("You have asked to join. As soon as the organiser lets you in, this page leads you to your game.")) } }
                }
            };
        };
        let entry = &tournament.players[player];
        let opponent = tournament.current_match(player).and_then(|one| one.opponent(player));
        let opponent = opponent.map(|other| &tournament.players[other].name);
        html! {
            div #you .sheet {
                p { (lang.fill("You play as {name}.", &[("name", &entry.name)])) }
                @if entry.is_dropped {
                    p { (lang.t("You have left the tournament.")) }
                } @else if role.game.is_some() {
                    p { a.button.first.large href=(lang.path(&format!("/t/{}/play", self.id))) {
                        (lang.fill("Play against {name}", &[("name", opponent.unwrap_or(&entry.name))]))
                    } }
                } @else {
                    p role="status" { (lang.t(waiting(tournament, player))) }
                }
                @if !entry.is_dropped && !matches!(tournament.phase, TournamentPhase::Finished(_)) {
                    details {
                        summary { (lang.t("Leave the tournament")) }
                        form method="post" action=(lang.path(&format!("/t/{}/leave", self.id))) { button.button type="submit" { (lang.t("Leave now")) } }
                    }
                }
            }
        }
    }

    /// Renders the link to share, while players can enter.
    pub(super) fn invite(&self, tournament: &Tournament) -> Markup {
        let lang = self.lang;
        let link = format!("{}/t/{}", self.config.public_origin, self.id);
        let is_open = tournament.phase == TournamentPhase::Open;
        html! {
            @if is_open {
                div #invite .share.sheet {
                    p.lead { (lang.t("Share this link: everyone who opens it can join.")) }
                    (link_field("invitation", lang.t("Link to the tournament"), &link))
                    @if self.kind == ViewKind::Screen {
                        (picture::qr_code(lang, &link))
                    } @else {
                        details.qr-fold { summary { (lang.t("QR code to scan")) } (picture::qr_code(lang, &link)) }
                    }
                }
            }
        }
    }

    fn standings(&self, tournament: &Tournament) -> Markup {
        let lang = self.lang;
        let breaks = tie_breaks(tournament.setup.format);
        let mut rows: Vec<Standing> = standings(tournament);
        let is_open = tournament.phase == TournamentPhase::Open;
        if is_open {
            rows.retain(|row| !tournament.players[row.player].is_dropped);
            rows.sort_by_key(|row| row.player);
        }
        if self.kind == ViewKind::Screen {
            rows.truncate(ROWS_ON_SCREEN);
        }
        let title = if is_open { lang.t("Players") } else { lang.t("Standings") };
        html! {
            section #standings aria-labelledby="standings-title" {
                h2 #standings-title { (title) }
                @if is_open {
                    ol.entries { @for row in &rows { li { (self.name(tournament, row.player)) } } }
                } @else {
                    div.wide tabindex="0" role="group" aria-labelledby="standings-title" {
                        table.standings {
                            thead { tr {
                                th scope="col" { (lang.t("Rank")) }
                                th scope="col" { (lang.t("Player")) }
                                th scope="col" { (lang.t("Points")) }
                                @if self.kind == ViewKind::Page { @for tie_break in breaks { th scope="col" { (lang.t(tie_break_title(*tie_break))) } } }
                            } }
                            tbody { @for row in &rows {
                                tr.is-gone[tournament.players[row.player].is_dropped] {
                                    td { (row.rank) }
                                    th scope="row" { (self.name(tournament, row.player)) }
                                    td { (decimal(2 * row.points)) }
                                    @if self.kind == ViewKind::Page { @for value in &row.tie_breaks { td { (decimal(*value)) } } }
                                }
                            } }
                        }
                    }
                }
            }
        }
    }

    fn name(&self, tournament: &Tournament, player: usize) -> Markup {
        let entry = &tournament.players[player];
        html! {
            (entry.name)
            @if matches!(entry.kind, PlayerKind::Computer(_)) { " " small.note { (self.lang.t("computer")) } }
            @if entry.is_dropped { " " small.note { (self.lang.t("has left")) } }
        }
    }

    /// Renders earlier rounds, downloads, and everything that the organiser and the players have done.
    fn history(&self, state: &LiveTournamentState) -> Markup {
        let (lang, tournament) = (self.lang, &state.tournament);
        let events: Vec<String> = state
            .events
            .iter()
            .rev()
            .filter_map(|event| self.sentence(tournament, event))
            .take(MAX_HISTORY)
            .collect();
        let n_earlier = tournament.rounds.len().saturating_sub(1);
        let file = |name: &str| format!("/api/v1/tournaments/{}/{name}", self.id);
        html! {
            section #history {
                @for (number, round) in tournament.rounds.iter().enumerate().take(n_earlier).rev() {
                    details {
                        summary { (lang.fill("Round {number}", &[("number", &(number + 1))])) }
                        ul.plain { @for one in round.pairs.iter().filter(|one| one.first.is_some()) { li { (self.pairing(state, one, false)) } } }
                    }
                }
                details { summary { (lang.t("What has happened")) } ul.plain { @for event in &events { li { (event) } } } }
                p.note {
                    a href=(lang.path(&format!("/t/{}/screen", self.id))) { (lang.t("Big screen")) }
                    @if !tournament.rounds.is_empty() {
                        " · " (lang.t("Download:")) " "
                        a href=(file("standings.csv")) download { (lang.t("standings (CSV)")) } ", "
                        a href=(file("games.pgn")) download { (lang.t("results (PGN)")) } ", "
                        a href=(file("games.ttt")) download { (lang.t("moves")) }
                    }
                }
            }
        }
    }

    fn sentence(&self, tournament: &Tournament, event: &TournamentEvent) -> Option<String> {
        let lang = self.lang;
        let with_name = |english: &str, name: &String| lang.fill(english, &[("name", name)]);
        Some(match &event.kind {
            TournamentEventKind::TournamentCreated(_) => lang.t("The tournament was opened.").to_owned(),
            TournamentEventKind::Entered { name, .. } => with_name(text("{name} joined."), name),
            TournamentEventKind::Asked { name, .. } => with_name(text("{name} asked to join."), name),
            TournamentEventKind::Admitted { requests } => {
                let names = names(tournament, requests);
                lang.fill("The organiser let in: {names}.", &[("names", &names)])
            }
            TournamentEventKind::Declined { requests } => {
                let names = names(tournament, requests);
                lang.fill("The organiser did not let in: {names}.", &[("names", &names)])
            }
            TournamentEventKind::LinkMade { player, .. } => with_name(
                text("The organiser made a link for {name}, to continue on another device."),
                &tournament.players.get(*player)?.name,
            ),
            TournamentEventKind::Returned { player, .. } => {
                with_name(text("{name} continues on another device."), &tournament.players.get(*player)?.name)
            }
            TournamentEventKind::Dropped { player, removed } => {
                let sentence = match removed {
                    true => text("The organiser removed {name}."),
                    false => text("{name} left the tournament."),
                };
                with_name(sentence, &tournament.players.get(*player)?.name)
            }
            TournamentEventKind::Started { .. } => lang.t("The tournament started.").to_owned(),
            TournamentEventKind::RoundPaired { .. } => lang.t("A round was paired.").to_owned(),
            TournamentEventKind::Results { games } if games.iter().any(|game| game.decided) => {
                lang.t("The organiser decided a game.").to_owned()
            }
            TournamentEventKind::Results { .. } => return None,
            TournamentEventKind::Paused => lang.t("The organiser paused the tournament.").to_owned(),
            TournamentEventKind::Resumed => lang.t("The organiser resumed the tournament.").to_owned(),
            TournamentEventKind::Finished { reason } => lang.t(finished_words(*reason)).to_owned(),
        })
    }
}

/// Returns the names of people who have asked to join.
fn names(tournament: &Tournament, requests: &[usize]) -> String {
    let late = requests.iter().filter_map(|&request| tournament.late.get(request));
    late.map(|late| late.name.as_str()).collect::<Vec<_>>().join(", ")
}

const fn finished_words(reason: FinishReason) -> &'static str {
    match reason {
        FinishReason::Complete => text("The tournament is over."),
        FinishReason::TooFewPlayers => text("The tournament is over: fewer than two players are left."),
        FinishReason::OnlyRematches => {
            text("The tournament is over: every further round would repeat a match.")
        }
        FinishReason::Organiser => text("The organiser ended the tournament."),
    }
}

const fn tie_break_title(tie_break: TieBreak) -> &'static str {
    match tie_break {
        TieBreak::BuchholzCut => text("Buchholz cut 1"),
        TieBreak::Buchholz => text("Buchholz"),
        TieBreak::SonnebornBerger => text("Sonneborn-Berger"),
        TieBreak::DirectEncounter => text("Direct encounter"),
        TieBreak::Wins => text("Wins"),
    }
}

/// Returns what a player who has no game waits for.
fn waiting(tournament: &Tournament, player: usize) -> &'static str {
    let outcome = tournament.current_match(player).map(|one| one.outcome);
    let is_out = tournament.setup.format == TournamentFormat::KnockOut
        && !tournament.rounds.is_empty()
        && match outcome {
            None => true,
            Some(Some(MatchOutcome::Won { winner, .. })) => winner != player,
            Some(_) => false,
        };
    match tournament.phase {
        TournamentPhase::Open => text("You are in. This page leads you to your first game."),
        TournamentPhase::Finished(_) => text("The tournament is over. Thank you for playing."),
        TournamentPhase::Running if is_out => text("You are out of the knock-out. Thank you for playing."),
        TournamentPhase::Running if matches!(outcome, Some(Some(MatchOutcome::Bye))) => {
            text("You have no opponent in this round and go on without a game.")
        }
        TournamentPhase::Running => {
            text("Your next game comes with the next round. This page leads you there.")
        }
    }
}

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
        let SeriesScore { first: mut won, second: mut lost, draws } = one.score();
        // A match that was won without a game has no score of its own.
        if let Some(MatchOutcome::Won { winner, by: WonBy::Forfeit }) = one.outcome
            && won + lost + draws == 0
        {
            (won, lost) = if Some(winner) == one.first { (1, 0) } else { (0, 1) };
        }
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
                    (decimal(4 * won + 2 * draws)) " : " (decimal(4 * lost + 2 * draws))
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
    let hosted = &live.lock().hosted;
    let position = hosted.game.state().to_string();
    let boards = position.split(' ').next().unwrap_or_default();
    html! {
        span.mini.is-over[hosted.is_over()] { @for rows in boards.split('+').take(3) { (thumbnail(rows, None)) } }
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
