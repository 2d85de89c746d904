//! The rounds of a tournament: how many there are, and who meets whom in the next one.

use super::{MatchOutcome, Tournament, TournamentMatch, TournamentPhase, TournamentRound};
use tictac::Player;

use crate::tournament::event::{FinishReason, NextRound, TournamentFormat};
use crate::tournament::pairing::{
    FloatDirection, NoRound, PlayerHistory, PlayerPair, knock_out, round_robin, swiss,
};

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
            TournamentFormat::Swiss if self.rounds.len() >= self.n_rounds() => Err(NoRound::Complete),
            TournamentFormat::Swiss => swiss::next_round(&history),
        };
        let player = |number: Option<usize>| number.map(|number| self.order[number]);
        match pairs {
            Ok(pairs) => {
                let named =
                    |pair: PlayerPair| PlayerPair { first: player(pair.first), second: player(pair.second) };
                Ok(pairs.into_iter().map(named).collect())
            }
            Err(NoRound::Complete) => Err(FinishReason::Complete),
            Err(NoRound::TooFewPlayers) => Err(FinishReason::TooFewPlayers),
            Err(NoRound::OnlyRematches) => Err(FinishReason::OnlyRematches),
        }
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
    for (at, side) in [Player::First, Player::Second].into_iter().enumerate() {
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
