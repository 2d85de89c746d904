//! Lists and files: the public tournaments, and the games of a tournament.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::TournamentCache;
use crate::export;
use crate::failure::Failure;
use crate::hosted_game::move_texts;
use crate::service::{Service, cache};
use crate::token::GameId;
use crate::tournament::report::{self, PgnGame};
use crate::tournament::state::{MatchGame, Tournament, TournamentPhase};
use crate::tournament::view::ListedTournament;

/// The number of tournaments in the public list.
const MAX_LISTED: usize = 100;
/// The number of tournaments among which the latest are listed.
const MAX_SEARCHED: u32 = 500;
/// How long the list is shown without looking again.
const LIST_TIME: Duration = Duration::from_secs(3);

impl TournamentCache {
    fn recent_list(&self) -> Option<Vec<ListedTournament>> {
        let kept = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().filter(|(at, _)| at.elapsed() < LIST_TIME).map(|(_, listed)| listed.clone())
    }

    fn keep_list(&self, listed: &[ListedTournament]) {
        *self.listed.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), listed.to_vec()));
    }
}

impl Service {
    /// Returns the tournaments whose organisers have put them on the public list, those that can be joined first and then the latest.
    pub(crate) async fn listed_tournaments(&self) -> Result<Vec<ListedTournament>, Failure> {
        if let Some(listed) = self.tournaments.recent_list() {
            return Ok(listed);
        }
        let ids = self.store.listed(MAX_SEARCHED).await.map_err(|error| cache::unreadable(&error))?;
        let mut listed = Vec::new();
        for id in ids {
            // A game may be listed, too; and one damaged tournament does not hide the others.
            let Ok(live) = self.open_tournament(id).await else { continue };
            let state = live.lock();
            let created = state.events.first().map_or(0, |event| event.at);
            let tournament = &state.tournament;
            listed.push(ListedTournament {
                tournament: id,
                name: tournament.setup.name.clone(),
                rules: tournament.setup.rules,
                format: tournament.setup.format,
                phase: tournament.phase.name(),
                players: tournament.n_active(),
                created,
                starts_at: tournament.setup.starts_at,
            });
        }
        listed.sort_by_key(|one| (one.phase != TournamentPhase::Open.name(), std::cmp::Reverse(one.created)));
        listed.truncate(MAX_LISTED);
        self.tournaments.keep_list(&listed);
        Ok(listed)
    }

    /// Returns the games of a tournament that are over as PGN.
    pub(crate) async fn tournament_pgn(&self, id: GameId) -> Result<String, Failure> {
        let tournament = self.open_tournament(id).await?.lock().tournament.clone();
        let mut games = Vec::new();
        for (round, number, game) in finished(&tournament) {
            let live = self.open(game.id).await?;
            let state = live.lock();
            let created = state.events.first().map_or(0, |event| event.at);
            let (moves, date) = (move_texts(&state.hosted.game), export::date(created));
            games.push(PgnGame { game, round, number, moves, date });
        }
        Ok(report::pgn(&tournament, &self.config.public_origin, &games))
    }

    /// Returns the games of a tournament as records.
    pub(crate) async fn tournament_records(&self, id: GameId) -> Result<Vec<u8>, Failure> {
        let tournament = self.open_tournament(id).await?.lock().tournament.clone();
        let mut records = Vec::new();
        for (_, _, game) in finished(&tournament) {
            let live = self.open(game.id).await?;
            records.extend_from_slice(if records.is_empty() { b"" } else { b"\n" });
            records.extend(export::record(&live.lock()));
        }
        Ok(records)
    }
}

/// Returns the games with a result, each with the numbers of its round and of the game in its match, from 1.
fn finished(tournament: &Tournament) -> impl Iterator<Item = (usize, usize, &MatchGame)> {
    tournament.rounds.iter().enumerate().flat_map(|(round, matches)| {
        matches.pairs.iter().flat_map(move |one| {
            let games = one.games.iter().enumerate().filter(|(_, game)| game.result.is_some());
            games.map(move |(number, game)| (round + 1, number + 1, game))
        })
    })
}
