//! The matches of a tournament and their games.

use super::{MatchGame, Tournament, TournamentMatch};
use tictac::Player;

use crate::token::GameId;
use crate::tournament::event::StoredResult;
use crate::tournament::series::{self, SeriesState};

impl TournamentMatch {
    pub(crate) fn has(&self, player: usize) -> bool {
        self.first == Some(player) || self.second == Some(player)
    }

    /// Returns the game that is being played.
    pub(crate) fn current_game(&self) -> Option<&MatchGame> {
        self.games.last().filter(|game| self.outcome.is_none() && game.result.is_none())
    }

    /// Returns the games won by the first player of the match, those won by the second one, and the draws.
    pub(crate) fn score(&self) -> [usize; 3] {
        let mut score = [0; 3];
        for game in &self.games {
            if let Some(result) = game.result {
                let winner = result.winner.map(|side| game.player(side));
                score[winner.map_or(2, |winner| usize::from(Some(winner) == self.second))] += 1;
            }
        }
        score
    }
}

impl MatchGame {
    pub(crate) const fn player(&self, side: Player) -> usize {
        match side {
            Player::First => self.first,
            Player::Second => self.second,
        }
    }

    pub(crate) fn side_of(&self, player: usize) -> Player {
        if self.first == player { Player::First } else { Player::Second }
    }
}

impl Tournament {
    /// Returns how the match of a game will stand after its result; `None` if the game is not being played.
    pub(crate) fn series_after(&self, result: &StoredResult) -> Option<SeriesState> {
        let one = self.match_of(result.game)?;
        let current = one.current_game().filter(|game| game.id == result.game)?;
        let winner = |game: &MatchGame, side: Option<Player>| {
            side.map(|side| usize::from(Some(game.player(side)) == one.second))
        };
        let before = one.games.iter().filter_map(|game| Some(winner(game, game.result?.winner)));
        let results: Vec<Option<usize>> = before.chain([winner(current, result.winner)]).collect();
        Some(series::state(&results, self.setup.best_of, self.setup.format.drawn_match()))
    }

    /// Returns the match of a game.
    pub(crate) fn match_of(&self, game: GameId) -> Option<&TournamentMatch> {
        let &(round, at) = self.places.get(&game)?;
        self.rounds.get(round)?.pairs.get(at)
    }

    /// Returns the number of the round of a game, from 1, and that of the game in its match.
    pub(crate) fn place_of(&self, game: GameId) -> Option<(usize, usize)> {
        let &(round, at) = self.places.get(&game)?;
        let games = &self.rounds[round].pairs[at].games;
        Some((round + 1, games.iter().position(|other| other.id == game)? + 1))
    }

    /// Returns the games that are being played.
    pub(crate) fn current_games(&self) -> impl Iterator<Item = &MatchGame> {
        self.rounds
            .last()
            .into_iter()
            .flat_map(|round| &round.pairs)
            .filter_map(TournamentMatch::current_game)
    }

    /// Returns whether every match of the last round is over.
    pub(crate) fn is_round_complete(&self) -> bool {
        let is_over = |one: &TournamentMatch| one.outcome.is_some() || one.games.is_empty();
        self.rounds.last().is_none_or(|round| round.pairs.iter().all(is_over))
    }

    pub(super) fn have_met(&self, one: usize, other: usize) -> bool {
        self.rounds.iter().flat_map(|round| &round.pairs).any(|played| played.has(one) && played.has(other))
    }
}
