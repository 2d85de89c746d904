//! A tournament as its events define it.
//!
//! This module uses no storage, clocks or random numbers: the same events always give the same tournament.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use tictac::Player;

use super::access::LateEntry;
use super::event::{
    FinishReason, NextRound, StoredPair, StoredResult, TournamentEvent, TournamentEventKind,
    TournamentFormat, TournamentSetup,
};
use super::pairing::{FloatDirection, PlayerHistory, PlayerPair, knock_out, round_robin, swiss};
use super::series::{self, DrawnMatch, SeriesState};
use crate::event::{PlayerKind, SeriesScore};
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
    /// The people who have asked to join after the start.
    pub(crate) late: Vec<LateEntry>,
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
    /// The hash of a link for another device that works once.
    pub(crate) link_hash: Option<SecretHash>,
    /// The hash of the code with which the player can come back on another device.
    pub(crate) code_hash: Option<SecretHash>,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WonBy {
    Games,
    /// After a drawn match of a knock-out.
    DrawOdds,
    /// The opponent left.
    Forfeit,
}

impl TournamentFormat {
    pub(crate) const fn max_players(self) -> usize {
        match self {
            TournamentFormat::RoundRobin => round_robin::MAX_PLAYERS,
            TournamentFormat::KnockOut => knock_out::MAX_PLAYERS,
            TournamentFormat::Swiss => swiss::MAX_PLAYERS,
        }
    }

    pub(super) const fn drawn_match(self) -> DrawnMatch {
        match self {
            TournamentFormat::KnockOut => DrawnMatch::IsDecided,
            TournamentFormat::RoundRobin | TournamentFormat::Swiss => DrawnMatch::Stands,
        }
    }
}

impl Participant {
    /// Returns a player who is in the tournament.
    pub(super) const fn new(name: String, kind: PlayerKind, secret_hash: Option<SecretHash>) -> Participant {
        Participant { name, kind, secret_hash, link_hash: None, code_hash: None, is_dropped: false }
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
            late: Vec::new(),
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
            TournamentEventKind::Entered { name, player_kind, key, code } => {
                self.check_entry()?;
                let player = Participant::new(name.clone(), player_kind.clone(), key.clone());
                self.add_player(Participant { code_hash: code.clone(), ..player });
            }
            TournamentEventKind::Asked { .. }
            | TournamentEventKind::Admitted { .. }
            | TournamentEventKind::Declined { .. }
            | TournamentEventKind::LinkMade { .. }
            | TournamentEventKind::Returned { .. } => self.change_access(kind)?,
            TournamentEventKind::Dropped { player, .. } => self.drop_player(*player)?,
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

    /// Adds a player, who gets the last start number if the tournament has started.
    pub(super) fn add_player(&mut self, player: Participant) {
        if self.phase == TournamentPhase::Running {
            self.order.push(self.players.len());
        }
        self.players.push(player);
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
            one.outcome = one.opponent(player).map(|winner| MatchOutcome::Won { winner, by: WonBy::Forfeit });
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
        let player = |place| if place == Player::First { first } else { second };
        match (state, result.next) {
            (SeriesState::Next(opener), Some(id)) => {
                if self.places.insert(id, (round, at)).is_some() {
                    return Err("a game is there twice");
                }
                let (first, second) = (player(opener), player(!opener));
                one.games.push(MatchGame { id, first, second, result: None });
            }
            (SeriesState::Next(_), None) => return Err("the next game of a match is missing"),
            (_, Some(_)) => return Err("a match goes on that is over"),
            (SeriesState::Won(place), None) => {
                one.outcome = Some(MatchOutcome::Won { winner: player(place), by: WonBy::Games });
            }
            (SeriesState::Drawn, None) => one.outcome = Some(MatchOutcome::Drawn),
            (SeriesState::DrawOdds, None) => {
                one.outcome = Some(MatchOutcome::Won { winner: second, by: WonBy::DrawOdds });
            }
        }
        Ok(())
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

impl TournamentMatch {
    pub(crate) fn has(&self, player: usize) -> bool {
        self.first == Some(player) || self.second == Some(player)
    }

    /// Returns the game that is being played.
    pub(crate) fn current_game(&self) -> Option<&MatchGame> {
        self.games.last().filter(|game| self.outcome.is_none() && game.result.is_none())
    }

    /// Returns the opponent of a player.
    pub(crate) fn opponent(&self, player: usize) -> Option<usize> {
        if self.first == Some(player) { self.second } else { self.first }
    }

    /// Returns the winner of a game of the match as its place in the first game; none if the game was drawn.
    fn winner_of(&self, game: &MatchGame, side: Option<Player>) -> Option<Player> {
        let place = |player| if Some(player) == self.second { Player::Second } else { Player::First };
        side.map(|side| place(game.player(side)))
    }

    /// Returns the score of the match for the player who was first in its first game, and the other one.
    pub(crate) fn score(&self) -> SeriesScore {
        let results = self.games.iter().filter_map(|game| Some((game, game.result?)));
        results.fold(SeriesScore::default(), |score, (game, result)| {
            score.after(self.winner_of(game, result.winner))
        })
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
        let before = one.games.iter().filter_map(|game| Some(one.winner_of(game, game.result?.winner)));
        let results: Vec<Option<Player>> = before.chain([one.winner_of(current, result.winner)]).collect();
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
}

impl Tournament {
    /// Returns the number of rounds, as far as it is known.
    pub(crate) fn n_rounds(&self) -> usize {
        let n_players = if self.order.is_empty() { self.n_active() } else { self.order.len() };
        match self.setup.format {
            TournamentFormat::RoundRobin => round_robin::n_rounds(n_players).max(self.rounds.len()),
            TournamentFormat::KnockOut => n_players.max(1).next_power_of_two().ilog2() as usize,
            TournamentFormat::Swiss => {
                let log = n_players.max(1).next_power_of_two().ilog2() as usize;
                self.setup.rounds.unwrap_or(log).min(round_robin::n_rounds(n_players)).max(1)
            }
        }
    }

    /// Returns whether the next round may begin without the organiser.
    pub(crate) fn is_next_round_due(&self) -> bool {
        let is_automatic = self.setup.next_round == NextRound::Automatic || self.rounds.is_empty();
        self.phase == TournamentPhase::Running
            && !self.is_paused
            && self.is_round_complete()
            && (is_automatic || self.is_last_round())
    }

    fn is_last_round(&self) -> bool {
        match self.setup.format {
            TournamentFormat::RoundRobin => self.pair_round().is_err(),
            TournamentFormat::KnockOut | TournamentFormat::Swiss => {
                self.rounds.len() >= self.n_rounds() || self.n_active() < 2
            }
        }
    }

    /// Returns the pairs of the next round, or why there is none.
    pub(crate) fn pair_round(&self) -> Result<Vec<PlayerPair>, FinishReason> {
        let history = self.history();
        let pairs = match self.setup.format {
            TournamentFormat::RoundRobin => round_robin::next_round(&history),
            TournamentFormat::KnockOut => match self.rounds.last() {
                None => knock_out::first_round(&history),
                Some(round) => knock_out::next_round(&history, &self.winners(round)),
            },
            TournamentFormat::Swiss if self.rounds.len() >= self.n_rounds() => Err(FinishReason::Complete),
            TournamentFormat::Swiss => swiss::next_round(&history),
        };
        let player = |number: Option<usize>| number.map(|number| self.order[number]);
        let named = |pair: PlayerPair| PlayerPair { first: player(pair.first), second: player(pair.second) };
        Ok(pairs?.into_iter().map(named).collect())
    }

    /// Returns the start numbers of the winners of a round.
    fn winners(&self, round: &TournamentRound) -> Vec<Option<usize>> {
        let winner = |one: &TournamentMatch| match one.outcome? {
            MatchOutcome::Won { winner, .. } => Some(winner),
            MatchOutcome::Drawn | MatchOutcome::Bye => one.first,
        };
        let number = |player: usize| self.order.iter().position(|&other| other == player);
        round.pairs.iter().map(|one| winner(one).and_then(number)).collect()
    }

    /// Returns what pairing needs to know about the players, in the order of their start numbers.
    fn history(&self) -> Vec<PlayerHistory> {
        let mut numbers = vec![0; self.players.len()];
        for (number, &player) in self.order.iter().enumerate() {
            numbers[player] = number;
        }
        let is_active = |&player: &usize| !self.players[player].is_dropped;
        let mut history: Vec<PlayerHistory> = self
            .order
            .iter()
            .map(|player| PlayerHistory { is_active: is_active(player), ..PlayerHistory::default() })
            .collect();
        for one in self.rounds.iter().flat_map(|round| &round.pairs) {
            match (one.first, one.second) {
                (Some(first), Some(second)) => {
                    record_match(&mut history, [numbers[first], numbers[second]], one);
                }
                (Some(player), None) | (None, Some(player)) => {
                    let player = &mut history[numbers[player]];
                    player.had_bye = true;
                    player.points += 2;
                    player.float = Some(FloatDirection::Down);
                }
                (None, None) => {}
            }
        }
        history
    }
}

fn record_match(history: &mut [PlayerHistory], players: [usize; 2], one: &TournamentMatch) {
    let before = players.map(|player| history[player].points);
    for (at, side) in Player::BOTH.into_iter().enumerate() {
        let player = [one.first, one.second][at];
        let entry = &mut history[players[at]];
        entry.opponents.push(players[1 - at]);
        entry.sides.push(side);
        entry.points += match one.outcome {
            Some(MatchOutcome::Won { winner, .. }) if Some(winner) == player => 2,
            Some(MatchOutcome::Drawn) => 1,
            _ => 0,
        };
        entry.float = match before[at].cmp(&before[1 - at]) {
            std::cmp::Ordering::Greater => Some(FloatDirection::Down),
            std::cmp::Ordering::Less => Some(FloatDirection::Up),
            std::cmp::Ordering::Equal => None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::event::Seeding;
    use crate::tournament::pairing::dice::Dice;
    use crate::tournament::standings::standings;
    use crate::wire::to_json;

    fn setup(format: TournamentFormat, best_of: usize) -> TournamentSetup {
        TournamentSetup {
            name: "Cup".to_owned(),
            rules: tictac::Rules::CLASSIC,
            format,
            best_of,
            rounds: None,
            seeding: Seeding::Entry,
            next_round: NextRound::Automatic,
            starts_at: None,
            clock: None,
            listed: false,
            organiser: Some(Secret::random().hash()),
        }
    }

    /// A tournament with its events.
    struct Log(Tournament, Vec<TournamentEvent>);

    impl Log {
        fn new(setup: TournamentSetup) -> Log {
            let kind = TournamentEventKind::TournamentCreated(Box::new(setup.clone()));
            Log(Tournament::new(setup), vec![TournamentEvent { seq: 0, at: 0, salt: None, kind }])
        }

        #[track_caller]
        fn add(&mut self, kind: TournamentEventKind) {
            let event = TournamentEvent { seq: self.0.n_events, at: 0, salt: None, kind };
            self.0.apply(&event).unwrap();
            self.1.push(event);
        }

        fn enter(&mut self) {
            let name = self.0.distinct_name("P");
            let key = Some(Secret::random().hash());
            self.add(TournamentEventKind::Entered { name, player_kind: PlayerKind::Person, key, code: None });
        }

        fn pair(&mut self) -> Result<(), FinishReason> {
            let pairs = self.0.pair_round()?.into_iter().map(|pair| StoredPair {
                first: pair.first,
                second: pair.second,
                game: pair.players().map(|_| GameId::random()),
            });
            self.add(TournamentEventKind::RoundPaired { pairs: pairs.collect() });
            Ok(())
        }

        /// Ends a random game.
        fn end_game(&mut self, random: &mut Dice) {
            let games: Vec<GameId> = self.0.current_games().map(|game| game.id).collect();
            let game = games[random.below(games.len())];
            let winner = [None, Some(Player::First), Some(Player::Second)][random.below(3)];
            let result = StoredResult { game, winner, decided: random.below(5) == 0, next: None };
            let next =
                matches!(self.0.series_after(&result), Some(SeriesState::Next(_))).then(GameId::random);
            self.add(TournamentEventKind::Results { games: vec![StoredResult { next, ..result }] });
        }
    }

    fn play(format: TournamentFormat, random: &mut Dice) -> Log {
        let mut log = Log::new(setup(format, 1 + random.below(3)));
        let n = 2 + random.below(18);
        (0..n).for_each(|_| log.enter());
        log.add(TournamentEventKind::Started { order: (0..n).rev().collect() });
        while let Ok(()) = log.pair() {
            while !log.0.is_round_complete() {
                log.end_game(random);
                if random.below(12) == 0 {
                    let player = random.below(log.0.players.len());
                    if !log.0.players[player].is_dropped {
                        log.add(TournamentEventKind::Dropped { player, removed: false });
                    }
                }
                if random.below(20) == 0 && log.0.check_entry().is_ok() && log.0.players.len() < n + 3 {
                    log.enter();
                }
            }
        }
        let reason = log.0.pair_round().unwrap_err();
        log.add(TournamentEventKind::Finished { reason });
        log
    }

    #[test]
    fn stored_events_give_the_same_tournament_again() {
        let mut random = Dice(11);
        for format in [TournamentFormat::RoundRobin, TournamentFormat::KnockOut, TournamentFormat::Swiss] {
            for _ in 0..30 {
                let Log(tournament, events) = play(format, &mut random);
                let stored: Vec<TournamentEvent> =
                    events.iter().map(|event| serde_json::from_str(&to_json(event)).unwrap()).collect();
                let again = Tournament::from_events(&stored).unwrap();
                assert_eq!(standings(&again), standings(&tournament));
                let rows = standings(&again);
                assert_eq!(rows.len(), again.players.len());
                assert!(rows.windows(2).all(|rows| rows[0].rank <= rows[1].rank) && rows[0].rank == 1);
                // A gap or a repeated event is noticed.
                for at in [1, events.len() / 2, events.len() - 2] {
                    let gap = [&events[..at], &events[at + 1..]].concat();
                    assert!(Tournament::from_events(&gap).is_err());
                }
            }
        }
    }

    #[test]
    fn contradictory_events_are_refused() {
        let mut log = Log::new(setup(TournamentFormat::Swiss, 1));
        (0..4).for_each(|_| log.enter());
        let order = (0..4).collect();
        log.add(TournamentEventKind::Started { order });
        let pair = |first, second| StoredPair {
            first: Some(first),
            second: Some(second),
            game: Some(GameId::random()),
        };
        let without_game = StoredPair { game: None, ..pair(2, 3) };
        let game = GameId::random();
        log.add(TournamentEventKind::RoundPaired {
            pairs: vec![StoredPair { game: Some(game), ..pair(0, 1) }, pair(2, 3)],
        });
        let result = |game, next| TournamentEventKind::Results {
            games: vec![StoredResult { game, winner: None, decided: false, next }],
        };
        let refused = |log: &Log, kind: TournamentEventKind| {
            let event = TournamentEvent { seq: log.0.n_events, at: 0, salt: None, kind };
            log.0.clone().apply(&event).is_err()
        };
        // The round is not complete.
        assert!(refused(&log, TournamentEventKind::RoundPaired { pairs: vec![pair(0, 2), pair(1, 3)] }));
        assert!(refused(&log, result(GameId::random(), None)));
        assert!(refused(&log, result(game, Some(GameId::random()))));
        assert!(refused(&log, TournamentEventKind::Dropped { player: 4, removed: false }));
        assert!(refused(&log, TournamentEventKind::Started { order: vec![0, 1, 2, 3] }));
        while !log.0.is_round_complete() {
            log.end_game(&mut Dice(1));
        }
        assert!(refused(&log, result(game, None)));
        for pairs in [
            vec![pair(0, 1), pair(2, 3)],
            vec![pair(0, 2), pair(0, 3)],
            vec![pair(0, 4)],
            vec![StoredPair { game: Some(game), ..pair(0, 2) }],
            vec![without_game],
        ] {
            assert!(refused(&log, TournamentEventKind::RoundPaired { pairs: pairs.clone() }), "{pairs:?}");
        }
        assert!(!refused(&log, TournamentEventKind::RoundPaired { pairs: vec![pair(0, 2), pair(3, 1)] }));
    }

    #[test]
    fn the_standings_follow_points_and_tie_breaks() {
        let mut log = Log::new(setup(TournamentFormat::RoundRobin, 1));
        (0..4).for_each(|_| log.enter());
        log.add(TournamentEventKind::Started { order: vec![0, 1, 2, 3] });
        while let Ok(()) = log.pair() {
            for game in log.0.current_games().copied().collect::<Vec<_>>() {
                // The smaller number wins, but 0 and 1 draw.
                let winner = match (game.first, game.second) {
                    (0, 1) | (1, 0) => None,
                    (first, second) if first < second => Some(Player::First),
                    _ => Some(Player::Second),
                };
                let result = StoredResult { game: game.id, winner, decided: false, next: None };
                log.add(TournamentEventKind::Results { games: vec![result] });
            }
        }
        let rows: Vec<(usize, usize, u32)> =
            standings(&log.0).iter().map(|row| (row.rank, row.player, row.points)).collect();
        assert_eq!(rows, [(1, 0, 5), (1, 1, 5), (3, 2, 2), (4, 3, 0)]);
        // 2 has one point from 3, who has none; 0 half of the 2.5 points of 1, and the point of 2.
        let breaks: Vec<Vec<u32>> = standings(&log.0).into_iter().map(|row| row.tie_breaks).collect();
        assert_eq!(breaks, [vec![9, 2, 8], vec![9, 2, 8], vec![0, 0, 4], vec![0, 0, 0]]);
    }
}
