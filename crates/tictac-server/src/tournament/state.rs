//! A tournament as its events define it.
//!
//! This module uses no storage, clocks or random numbers: the same events always give the same tournament.

mod rounds;

use std::collections::HashMap;

use super::event::{
    FinishReason, StoredPair, StoredResult, TournamentEvent, TournamentEventKind, TournamentFormat,
    TournamentSetup,
};
use super::pairing::{knock_out, round_robin, swiss};
use super::series::{self, DrawnMatch, SeriesState};
use crate::event::{PlayerKind, Side};
use crate::token::{GameId, Secret, SecretHash};

/// A tournament as its events define it.
#[derive(Clone, Debug)]
pub(crate) struct Tournament {
    pub(crate) setup: TournamentSetup,
    /// The players in the order in which they have entered.
    pub(crate) players: Vec<Participant>,
    /// The players in the order of their start numbers; empty before the start.
    pub(crate) order: Vec<usize>,
    pub(crate) rounds: Vec<TournamentRound>,
    pub(crate) phase: TournamentPhase,
    pub(crate) is_paused: bool,
    pub(crate) n_events: u64,
    /// The round and the match of every game.
    places: HashMap<GameId, (usize, usize)>,
}

/// A player of a tournament.
#[derive(Clone, Debug)]
pub(crate) struct Participant {
    pub(crate) name: String,
    pub(crate) kind: PlayerKind,
    pub(crate) secret_hash: Option<SecretHash>,
    /// Whether the player has left or was removed.
    pub(crate) is_dropped: bool,
}

/// How far a tournament is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TournamentPhase {
    /// Players can enter.
    Open,
    Running,
    Finished(FinishReason),
}

/// A round with its matches in the order of boards or, in a knock-out, of the bracket.
#[derive(Clone, Debug)]
pub(crate) struct TournamentRound {
    pub(crate) pairs: Vec<TournamentMatch>,
}

/// A match, a bye, or an empty place of a knock-out.
#[derive(Clone, Debug)]
pub(crate) struct TournamentMatch {
    /// The player who is first in the first game.
    pub(crate) first: Option<usize>,
    pub(crate) second: Option<usize>,
    pub(crate) games: Vec<MatchGame>,
    pub(crate) outcome: Option<MatchOutcome>,
}

/// A game of a match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MatchGame {
    pub(crate) id: GameId,
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) result: Option<StoredResult>,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatchOutcome {
    Won { winner: usize, by: WonBy },
    Drawn,
    Bye,
}

/// How a match was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WonBy {
    Games,
    /// After a drawn match of a knock-out.
    DrawOdds,
    /// The opponent left.
    Forfeit,
}

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
    pub(crate) const fn player(&self, side: Side) -> usize {
        match side {
            Side::First => self.first,
            Side::Second => self.second,
        }
    }

    pub(crate) fn side_of(&self, player: usize) -> Side {
        if self.first == player { Side::First } else { Side::Second }
    }
}

impl TournamentFormat {
    pub(crate) const fn max_players(self) -> usize {
        match self {
            TournamentFormat::RoundRobin => round_robin::MAX_PLAYERS,
            TournamentFormat::KnockOut => knock_out::MAX_PLAYERS,
            TournamentFormat::Swiss => swiss::MAX_PLAYERS,
        }
    }

    const fn drawn_match(self) -> DrawnMatch {
        match self {
            TournamentFormat::KnockOut => DrawnMatch::IsDecided,
            TournamentFormat::RoundRobin | TournamentFormat::Swiss => DrawnMatch::Stands,
        }
    }
}

impl Tournament {
    /// Returns the tournament after all of its stored events, or how they contradict each other.
    pub(crate) fn from_events(events: &[TournamentEvent]) -> Result<Tournament, String> {
        let [TournamentEvent { seq: 0, kind: TournamentEventKind::TournamentCreated(setup), .. }, later @ ..] =
            events
        else {
            return Err("event 0 does not create the tournament".to_owned());
        };
        let mut tournament = Tournament::new((**setup).clone());
        later.iter().try_for_each(|event| tournament.apply(event))?;
        Ok(tournament)
    }

    pub(crate) fn new(setup: TournamentSetup) -> Tournament {
        Tournament {
            setup,
            players: Vec::new(),
            order: Vec::new(),
            rounds: Vec::new(),
            phase: TournamentPhase::Open,
            is_paused: false,
            n_events: 1,
            places: HashMap::new(),
        }
    }

    /// Applies the next event, or returns how it contradicts the earlier ones.
    pub(crate) fn apply(&mut self, event: &TournamentEvent) -> Result<(), String> {
        if event.seq != self.n_events {
            return Err(format!("event {}: expected event {}", event.seq, self.n_events));
        }
        self.change(&event.kind).map_err(|error| format!("event {}: {error}", event.seq))?;
        self.n_events += 1;
        Ok(())
    }

    fn change(&mut self, kind: &TournamentEventKind) -> Result<(), &'static str> {
        match kind {
            TournamentEventKind::TournamentCreated(_) => return Err("the tournament already exists"),
            TournamentEventKind::Entered { name, player_kind, key } => {
                self.check_entry()?;
                let number = self.players.len();
                self.players.push(Participant {
                    name: name.clone(),
                    kind: player_kind.clone(),
                    secret_hash: key.clone(),
                    is_dropped: false,
                });
                if self.phase == TournamentPhase::Running {
                    self.order.push(number);
                }
            }
            TournamentEventKind::Dropped { player } => self.drop_player(*player)?,
            TournamentEventKind::Started { order } => self.start(order)?,
            TournamentEventKind::RoundPaired { pairs } => self.add_round(pairs)?,
            TournamentEventKind::Results { games } => {
                games.iter().try_for_each(|result| self.add_result(result))?;
            }
            TournamentEventKind::Paused => self.is_paused = true,
            TournamentEventKind::Resumed => self.is_paused = false,
            TournamentEventKind::Finished { reason } => {
                self.check_not_over()?;
                self.phase = TournamentPhase::Finished(*reason);
            }
        }
        Ok(())
    }

    pub(crate) fn check_not_over(&self) -> Result<(), &'static str> {
        match self.phase {
            TournamentPhase::Finished(_) => Err("the tournament is over"),
            TournamentPhase::Open | TournamentPhase::Running => Ok(()),
        }
    }

    /// Checks that another player may enter.
    pub(crate) fn check_entry(&self) -> Result<(), &'static str> {
        self.check_not_over()?;
        let max = self.setup.format.max_players();
        let is_late = self.phase == TournamentPhase::Running;
        if is_late && self.setup.format == TournamentFormat::KnockOut {
            return Err("a knock-out that has started takes no more players");
        }
        // Entries that were removed count less, so that the organiser can make room.
        if self.n_active() >= max || self.players.len() >= 4 * max {
            return Err("the tournament is full");
        }
        Ok(())
    }

    pub(crate) fn n_active(&self) -> usize {
        self.players.iter().filter(|player| !player.is_dropped).count()
    }

    fn drop_player(&mut self, player: usize) -> Result<(), &'static str> {
        self.check_not_over()?;
        let entry = self.players.get_mut(player).filter(|player| !player.is_dropped);
        entry.ok_or("there is no such player in the tournament")?.is_dropped = true;
        let matches = self.rounds.last_mut().map(|round| &mut round.pairs[..]).unwrap_or_default();
        for one in matches.iter_mut().filter(|one| one.has(player) && one.outcome.is_none()) {
            let opponent = if one.first == Some(player) { one.second } else { one.first };
            one.outcome = opponent.map(|winner| MatchOutcome::Won { winner, by: WonBy::Forfeit });
        }
        Ok(())
    }

    fn start(&mut self, order: &[usize]) -> Result<(), &'static str> {
        if self.phase != TournamentPhase::Open {
            return Err("the tournament has already started");
        }
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        let active: Vec<usize> =
            (0..self.players.len()).filter(|&player| !self.players[player].is_dropped).collect();
        if sorted != active {
            return Err("the start numbers are not those of the players");
        }
        if order.len() < 2 {
            return Err("at least two players are needed");
        }
        self.order = order.to_vec();
        self.phase = TournamentPhase::Running;
        Ok(())
    }

    fn add_round(&mut self, pairs: &[StoredPair]) -> Result<(), &'static str> {
        if self.phase != TournamentPhase::Running || !self.is_round_complete() {
            return Err("the round before is not complete");
        }
        let mut seen = vec![false; self.players.len()];
        let mut matches = Vec::with_capacity(pairs.len());
        for &StoredPair { first, second, game } in pairs {
            for player in [first, second].into_iter().flatten() {
                let is_active = self.players.get(player).is_some_and(|player| !player.is_dropped);
                if !is_active || std::mem::replace(&mut seen[player], true) {
                    return Err("a player of the round is absent or there twice");
                }
            }
            let (games, outcome) = match (first, second, game) {
                (Some(first), Some(second), Some(id)) => {
                    if self.have_met(first, second) && self.setup.format != TournamentFormat::KnockOut {
                        return Err("two players meet for the second time");
                    }
                    if self.places.insert(id, (self.rounds.len(), matches.len())).is_some() {
                        return Err("a game is there twice");
                    }
                    (vec![MatchGame { id, first, second, result: None }], None)
                }
                (_, None, None) => (Vec::new(), first.map(|_| MatchOutcome::Bye)),
                _ => return Err("a match has no game, or a bye has one"),
            };
            matches.push(TournamentMatch { first, second, games, outcome });
        }
        self.rounds.push(TournamentRound { pairs: matches });
        Ok(())
    }

    fn add_result(&mut self, result: &StoredResult) -> Result<(), &'static str> {
        let state = self.series_after(result).ok_or("the game is not being played")?;
        let &(round, at) = self.places.get(&result.game).ok_or("the game is not being played")?;
        let one = &mut self.rounds[round].pairs[at];
        let (Some(first), Some(second)) = (one.first, one.second) else { return Err("a bye has no game") };
        if let Some(game) = one.games.last_mut() {
            game.result = Some(*result);
        }
        let players = [first, second];
        match (state, result.next) {
            (SeriesState::Next(opener), Some(id)) => {
                if self.places.insert(id, (round, at)).is_some() {
                    return Err("a game is there twice");
                }
                let (first, second) = (players[opener], players[1 - opener]);
                one.games.push(MatchGame { id, first, second, result: None });
            }
            (SeriesState::Next(_), None) => return Err("the next game of a match is missing"),
            (_, Some(_)) => return Err("a match goes on that is over"),
            (SeriesState::Won(player), None) => {
                one.outcome = Some(MatchOutcome::Won { winner: players[player], by: WonBy::Games });
            }
            (SeriesState::Drawn, None) => one.outcome = Some(MatchOutcome::Drawn),
            (SeriesState::DrawOdds, None) => {
                one.outcome = Some(MatchOutcome::Won { winner: second, by: WonBy::DrawOdds });
            }
        }
        Ok(())
    }

    /// Returns how the match of a game will stand after its result; `None` if the game is not being played.
    pub(crate) fn series_after(&self, result: &StoredResult) -> Option<SeriesState> {
        let one = self.match_of(result.game)?;
        let current = one.current_game().filter(|game| game.id == result.game)?;
        let winner = |game: &MatchGame, side: Option<Side>| {
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

    fn have_met(&self, one: usize, other: usize) -> bool {
        self.rounds.iter().flat_map(|round| &round.pairs).any(|played| played.has(one) && played.has(other))
    }

    /// Returns the player with this secret.
    pub(crate) fn player_of(&self, secret: &Secret) -> Option<usize> {
        let hash = secret.hash();
        // All comparisons always run, so that the time taken reveals nothing.
        let mut found = None;
        for (number, player) in self.players.iter().enumerate() {
            if player.secret_hash.as_ref().is_some_and(|stored| stored.matches(&hash)) {
                found = Some(number);
            }
        }
        found
    }

    pub(crate) fn is_organiser(&self, secret: &Secret) -> bool {
        self.setup.organiser.as_ref().is_some_and(|stored| stored.matches(&secret.hash()))
    }

    /// Returns the match of a player in the last round.
    pub(crate) fn current_match(&self, player: usize) -> Option<&TournamentMatch> {
        self.rounds.last()?.pairs.iter().find(|one| one.has(player))
    }

    /// Returns a name that no other player has.
    pub(crate) fn distinct_name(&self, name: &str) -> String {
        let is_taken = |name: &str| self.players.iter().any(|player| player.name == name);
        let mut numbered = (2..).map(|number| format!("{name} ({number})"));
        if is_taken(name) {
            numbered.find(|name| !is_taken(name)).unwrap_or_default()
        } else {
            name.to_owned()
        }
    }
}
