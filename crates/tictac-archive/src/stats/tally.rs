//! Games counted, by rules.

use std::collections::BTreeMap;

use tictac::{Mark, Move, Outcome, Player, Rules};

use super::StatsOptions;
use super::critic::{Critic, Limits};
use super::game_counts::GameCounts;
use super::openings::Openings;
use super::play::{Judging, Play};
use super::representative::Symmetries;
use super::results::Results;
use crate::annotated::AnnotatedGame;
use crate::totals::{Ending, Totals};

/// How many sets of rules are counted apart.
const MAX_RULES: usize = 100;
/// Longer games are counted as being of this length.
const MAX_LENGTH: usize = 10_000;

/// What was counted of the games of one set of rules.
#[derive(Clone, Debug)]
pub struct RulesStats {
    /// The rules.
    pub rules: Rules,
    /// How games ended, by mark.
    pub totals: Totals,
    /// How games ended, by player.
    pub results: Results,
    /// How many games O opened; always 0 where marks do not name players.
    pub o_opened: u64,
    /// How games of each length ended; those of more than 10,000 moves are counted there.
    pub lengths: BTreeMap<usize, Results>,
    /// How games began.
    pub openings: Openings,
    /// How well they were played.
    pub play: Play,
}

/// What is being counted of the games of one set of rules.
struct Tally<'a> {
    stats: RulesStats,
    judging: Judging<'a>,
}

/// What one thread counts.
pub(super) struct Tallies<'a> {
    options: &'a StatsOptions,
    limits: &'a Limits,
    ordinary: GameCounts,
    by_rules: Vec<Tally<'a>>,
    others: Totals,
}

/// A legal game, its marks exchanged where O opened.
struct Played<'a> {
    opener: Mark,
    moves: &'a [Move],
    ending: Ending,
}

impl<'a> Tallies<'a> {
    pub(super) fn new(options: &'a StatsOptions, limits: &'a Limits) -> Tallies<'a> {
        Tallies {
            options,
            limits,
            ordinary: GameCounts::default(),
            by_rules: Vec::new(),
            others: Totals::default(),
        }
    }

    /// Where canonical games of ordinary tic-tac-toe are counted.
    pub(super) const fn ordinary(&mut self) -> &mut GameCounts {
        &mut self.ordinary
    }

    /// Counts a game.
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
        self.count(&game.rules, &Played { opener, moves: &moves, ending }, 1);
    }

    /// Counts a game that has not begun.
    pub(super) fn count_empty(&mut self) {
        let rules = self.options.rules;
        self.count(&rules, &Played { opener: Mark::X, moves: &[], ending: Ending::Unfinished }, 1);
    }

    fn count(&mut self, rules: &Rules, played: &Played<'_>, n_games: u64) {
        match self.tally(rules) {
            Some(tally) => tally.count(played, n_games),
            None => self.others.count_many(played.ending, played.moves.len() as u64, n_games),
        }
    }

    fn tally(&mut self, rules: &Rules) -> Option<&mut Tally<'a>> {
        if let Some(place) = self.by_rules.iter().position(|tally| tally.stats.rules == *rules) {
            return self.by_rules.get_mut(place);
        }
        if self.by_rules.len() == MAX_RULES {
            return None;
        }
        self.by_rules.push(Tally::new(rules, self.options, self.limits));
        self.by_rules.last_mut()
    }

    pub(super) fn add(&mut self, other: Tallies<'_>) {
        self.ordinary.add(other.ordinary);
        self.others.add(&other.others);
        for tally in other.by_rules {
            match self.tally(&tally.stats.rules) {
                Some(own) => own.add(tally),
                None => self.others.add(&tally.stats.totals),
            }
        }
    }

    /// Returns what was counted by rules, in all, and of how many games only how they ended.
    pub(super) fn finish(mut self) -> (Vec<RulesStats>, Totals, u64) {
        let ordinary = std::mem::take(&mut self.ordinary);
        ordinary.for_each(|opener, moves, n_games| {
            let ending = ending_of_ordinary(opener, moves);
            self.count(&Rules::CLASSIC, &Played { opener, moves, ending }, n_games);
        });
        let mut totals = self.others;
        let symmetries = self.options.symmetries;
        let mut by_rules: Vec<RulesStats> =
            self.by_rules.into_iter().map(|tally| tally.finish(symmetries)).collect();
        by_rules
            .sort_by_cached_key(|stats| (std::cmp::Reverse(stats.results.games()), stats.rules.to_string()));
        for stats in &by_rules {
            totals.add(&stats.totals);
        }
        (by_rules, totals, self.others.games())
    }
}

impl<'a> Tally<'a> {
    fn new(rules: &Rules, options: &StatsOptions, limits: &'a Limits) -> Tally<'a> {
        let stats = RulesStats {
            rules: *rules,
            totals: Totals::default(),
            results: Results::default(),
            o_opened: 0,
            lengths: BTreeMap::new(),
            openings: Openings::new(rules, options.symmetries, options.depth),
            play: Play::default(),
        };
        Tally { stats, judging: Judging::new(Critic::new(rules, limits)) }
    }

    fn count(&mut self, played: &Played<'_>, n_games: u64) {
        let &Played { opener, moves, ending } = played;
        let outcome = outcome(opener, ending);
        let stats = &mut self.stats;
        stats.totals.count_many(ending, moves.len() as u64, n_games);
        stats.results.count(outcome, n_games);
        stats.o_opened += if opener == Mark::O { n_games } else { 0 };
        stats.lengths.entry(moves.len().min(MAX_LENGTH)).or_default().count(outcome, n_games);
        stats.openings.count(moves, outcome, n_games);
        self.judging.count(&stats.rules, moves, n_games);
    }

    fn add(&mut self, other: Tally<'_>) {
        let (stats, others) = (&mut self.stats, &other.stats);
        stats.totals.add(&others.totals);
        stats.results.add(&others.results);
        stats.o_opened += others.o_opened;
        for (&length, results) in &others.lengths {
            stats.lengths.entry(length).or_default().add(results);
        }
        stats.openings.add(&others.openings);
        self.judging.add(other.judging);
    }

    fn finish(self, symmetries: Symmetries) -> RulesStats {
        RulesStats { play: self.judging.finish(symmetries), ..self.stats }
    }
}

/// Returns who won, given the mark of the first player; X where marks do not name players.
const fn outcome(opener: Mark, ending: Ending) -> Option<Outcome> {
    match (ending, opener) {
        (Ending::XWon, Mark::X) | (Ending::OWon, Mark::O) => Some(Outcome::Win(Player::First)),
        (Ending::XWon, Mark::O) | (Ending::OWon, Mark::X) => Some(Outcome::Win(Player::Second)),
        (Ending::Drawn, _) => Some(Outcome::Draw),
        (Ending::Unfinished | Ending::Bad, _) => None,
    }
}

/// Returns how a legal game of ordinary tic-tac-toe ended, in which `opener` moved first.
fn ending_of_ordinary(opener: Mark, moves: &[Move]) -> Ending {
    let last = moves.last().map(|mv| mv.mark);
    let squares = moves.iter().filter(|mv| Some(mv.mark) == last).map(|mv| mv.square).collect();
    let has_line = Rules::CLASSIC.lines().any_in(squares);
    match (last, has_line) {
        (Some(mark), true) if (mark == Mark::X) == (opener == Mark::X) => Ending::XWon,
        (Some(_), true) => Ending::OWon,
        _ if moves.len() == Rules::CLASSIC.max_moves() => Ending::Drawn,
        _ => Ending::Unfinished,
    }
}
