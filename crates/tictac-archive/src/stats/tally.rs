//! Counts of games by rules.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use tictac::{Mark, Move, Outcome, Player, Rules, State};

use super::game_counts::GameCounts;
use super::openings::Openings;
use super::play::{Play, PlayTally, ThinkingLimits};
use super::results::Results;
use super::{Stats, StatsOptions};
use crate::annotated::AnnotatedGame;
use crate::report::Ending;

/// The largest number of sets of rules that are counted separately.
const MAX_RULES: usize = 100;
/// Longer games are counted as games of this length.
const MAX_LENGTH: usize = 10_000;

/// The statistics of the games of one set of rules.
#[derive(Clone, Debug)]
pub struct RulesStats {
    /// The rules of the games.
    pub rules: Rules,
    /// The number of moves in all games.
    pub moves: u64,
    /// The results of the games by player.
    pub results: Results,
    /// The number of games that O opened; 0 if marks do not name players.
    pub o_opened: u64,
    /// The results of the games of each length; longer games are counted as 10,000 moves.
    pub lengths: BTreeMap<usize, Results>,
    /// The tree of openings.
    pub openings: Openings,
    /// The quality of play.
    pub play: Play,
}

/// The counts of games of one set of rules.
struct RulesTally<'a> {
    stats: RulesStats,
    play: PlayTally<'a>,
}

/// The counts of one thread.
pub(super) struct Tallies<'a> {
    options: &'a StatsOptions,
    limits: &'a ThinkingLimits,
    /// The canonical games of ordinary tic-tac-toe.
    pub(super) ordinary: GameCounts,
    by_rules: Vec<RulesTally<'a>>,
    /// The counts of all games; the rest is added at the end.
    pub(super) stats: Stats,
    /// The inputs, by their index, that could not be read completely.
    pub(super) unreadable: Vec<(usize, io::Error)>,
}

impl<'a> Tallies<'a> {
    pub(super) fn new(options: &'a StatsOptions, limits: &'a ThinkingLimits) -> Tallies<'a> {
        Tallies {
            options,
            limits,
            ordinary: GameCounts::default(),
            by_rules: Vec::new(),
            stats: Stats::default(),
            unreadable: Vec::new(),
        }
    }

    pub(super) fn count_game(&mut self, game: &AnnotatedGame, ending: Ending) {
        let opener = if game.rules.marks_name_players() { game.opener() } else { Mark::X };
        let moves: Vec<Move> = game
            .moves
            .iter()
            .map(|annotated| match opener {
                Mark::X => annotated.mv,
                Mark::O => Move { mark: !annotated.mv.mark, ..annotated.mv },
            })
            .collect();
        self.count(&game.rules, opener, &moves, ending, 1);
    }

    /// Counts a legal game `n_games` times. If O opened, the moves have X and O exchanged.
    fn count(&mut self, rules: &Rules, opener: Mark, moves: &[Move], ending: Ending, n_games: u64) {
        self.stats.totals.count(ending, moves.len() as u64, n_games);
        match self.tally(rules) {
            Some(tally) => tally.count(opener, moves, outcome(opener, ending), n_games),
            None => self.stats.n_of_other_rules += n_games,
        }
    }

    fn tally(&mut self, rules: &Rules) -> Option<&mut RulesTally<'a>> {
        if let Some(place) = self.by_rules.iter().position(|tally| tally.stats.rules == *rules) {
            return self.by_rules.get_mut(place);
        }
        if self.by_rules.len() == MAX_RULES {
            return None;
        }
        self.by_rules.push(RulesTally::new(rules, self.options, self.limits));
        self.by_rules.last_mut()
    }

    pub(super) fn add(&mut self, other: Tallies<'a>) {
        self.ordinary.add(other.ordinary);
        self.stats.totals.add(&other.stats.totals);
        self.stats.n_of_other_rules += other.stats.n_of_other_rules;
        self.stats.n_bytes += other.stats.n_bytes;
        self.unreadable.extend(other.unreadable);
        for tally in other.by_rules {
            let is_full = self.by_rules.len() == MAX_RULES;
            match self.by_rules.iter_mut().find(|own| own.stats.rules == tally.stats.rules) {
                Some(own) => own.add(tally),
                None if is_full => self.stats.n_of_other_rules += tally.stats.results.games(),
                None => self.by_rules.push(tally),
            }
        }
    }

    /// Returns the statistics of inputs with these names.
    pub(super) fn finish(mut self, names: &[String]) -> Stats {
        let ordinary = std::mem::take(&mut self.ordinary);
        ordinary.for_each(|opener, moves, n_games| {
            let mut state = State::start(&Rules::CLASSIC);
            for &mv in moves {
                state.play(mv).expect("only legal games are counted");
            }
            let ending = match (Ending::of_state(&state), opener) {
                (Ending::XWon, Mark::O) => Ending::OWon,
                (Ending::OWon, Mark::O) => Ending::XWon,
                (ending, _) => ending,
            };
            self.count(&Rules::CLASSIC, opener, moves, ending, n_games);
        });
        let finish = |tally: RulesTally<'_>| {
            let play = tally.play.finish(self.options.symmetries);
            RulesStats { play, ..tally.stats }
        };
        let mut by_rules: Vec<RulesStats> = self.by_rules.into_iter().map(finish).collect();
        by_rules.sort_by_cached_key(|stats| (Reverse(stats.results.games()), stats.rules.to_string()));
        self.unreadable.sort_by_key(|&(file, _)| file);
        let unreadable = self.unreadable.into_iter().map(|(file, error)| (names[file].clone(), error));
        Stats { by_rules, unreadable: unreadable.collect(), ..self.stats }
    }
}

impl<'a> RulesTally<'a> {
    fn new(rules: &Rules, options: &StatsOptions, limits: &'a ThinkingLimits) -> RulesTally<'a> {
        let stats = RulesStats {
            rules: *rules,
            moves: 0,
            results: Results::default(),
            o_opened: 0,
            lengths: BTreeMap::new(),
            openings: Openings::new(rules, options.symmetries, options.depth),
            play: Play::default(),
        };
        RulesTally { stats, play: PlayTally::new(rules, limits) }
    }

    fn count(&mut self, opener: Mark, moves: &[Move], outcome: Option<Outcome>, n_games: u64) {
        let stats = &mut self.stats;
        stats.moves += moves.len() as u64 * n_games;
        stats.results.count(outcome, n_games);
        stats.o_opened += if opener == Mark::O { n_games } else { 0 };
        stats.lengths.entry(moves.len().min(MAX_LENGTH)).or_default().count(outcome, n_games);
        stats.openings.count(moves, outcome, n_games);
        self.play.count(&stats.rules, moves, n_games);
    }

    fn add(&mut self, other: RulesTally<'_>) {
        let (stats, others) = (&mut self.stats, &other.stats);
        stats.moves += others.moves;
        stats.results.add(&others.results);
        stats.o_opened += others.o_opened;
        for (&length, results) in &others.lengths {
            stats.lengths.entry(length).or_default().add(results);
        }
        stats.openings.add(&others.openings);
        self.play.add(other.play);
    }
}

/// Returns the outcome by player. `opener` is the mark of the first player, or X if marks do not name players.
const fn outcome(opener: Mark, ending: Ending) -> Option<Outcome> {
    match (ending, opener) {
        (Ending::XWon, Mark::X) | (Ending::OWon, Mark::O) => Some(Outcome::Win(Player::First)),
        (Ending::XWon, Mark::O) | (Ending::OWon, Mark::X) => Some(Outcome::Win(Player::Second)),
        (Ending::Drawn, _) => Some(Outcome::Draw),
        (Ending::Unfinished | Ending::Bad, _) => None,
    }
}
