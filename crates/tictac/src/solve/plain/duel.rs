//! The depth-first prover of the real game, in which the lines of both players count.

use super::battle::{self, Battle, Node, Threats};
use super::breaker::Breaker;
use super::effort::Effort;
use super::field::Field;
use super::hypergraph::{ONE, Profile, heaviest, squares, weight};
use super::question::{Contest, Prover, Stop, Verdict};
use super::table::Table;
use super::zone::Zone;

/// Answers either way, by depth-first search with relevance zones.
///
/// A quiet move of the attacker is one that does not threaten to complete a line at once. With a
/// limit on their number, short wins are found first.
pub(crate) struct Duel<'a> {
    depth: Depth,
    pub(super) battle: Battle<'a>,
    /// What is known about positions with the attacker to move.
    table: Table<Found>,
    breaker: Breaker<'a>,
    /// The nodes spent on the weak game of each position before the real one is searched.
    weak_budget: u64,
    effort: Effort,
}

/// How many quiet moves a [`Duel`] lets the attacker make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Any number from the beginning: best where the defender holds.
    Unlimited,
    /// None at first, then one, and so on: best where the attacker wins.
    Deepening,
}

/// The result of a search, worthless if the search was stopped.
#[derive(Clone, Copy)]
pub(super) enum Found {
    /// The attacker does not win with that many quiet moves; [`UNLIMITED`]: not at all.
    Holds(u8),
    AttackerWins(Zone),
}

/// The number of quiet moves that stands for any number.
pub(super) const UNLIMITED: u8 = u8::MAX;

/// Enough to see most weak draws; beyond it, the real game is the better investment.
const WEAK_BUDGET: u64 = 100;

impl Default for Found {
    fn default() -> Self {
        Self::Holds(0)
    }
}

impl<'a> Duel<'a> {
    /// Makes a prover for a grid with tables of at most `bytes` bytes.
    pub(crate) fn new(field: &'a Field, bytes: usize, depth: Depth) -> Self {
        Self {
            depth,
            battle: Battle::new(field),
            table: Table::with_bytes(bytes / 2),
            breaker: Breaker::hasty(field, bytes / 4),
            weak_budget: WEAK_BUDGET,
            effort: Effort::new(),
        }
    }

    /// Makes a prover that another one asks about forcing sequences.
    pub(super) fn forcing(field: &'a Field, bytes: usize) -> Self {
        Self { weak_budget: 0, ..Self::new(field, bytes, Depth::Deepening) }
    }

    /// Searches with the attacker to move and at most `quiet` quiet moves for him.
    pub(super) fn attacker_moves(&mut self, node: Node, quiet: u8, stop: Stop<'_>) -> Found {
        if self.effort.spend(stop) {
            return Found::Holds(0);
        }
        let attack = self.battle.attack(node);
        let danger = Threats::of(self.battle.defence(node)).singles;
        if let Some(found) = at_once(attack, danger) {
            return found;
        }
        let profile = Profile::of(attack);
        let candidates = self.attacks_worth_trying(node, &profile);
        if candidates == 0 {
            return Found::Holds(UNLIMITED);
        }
        let (key, index) = self.battle.canonical(node);
        let symmetry = &self.battle.field.symmetries()[index];
        match self.table.find(key) {
            Some(Found::Holds(tried)) if tried >= quiet => return Found::Holds(tried),
            Some(Found::AttackerWins(zone)) => return Found::AttackerWins(zone.undo(symmetry)),
            _ => (),
        }
        let before = self.effort.nodes;
        let found = if self.weak_budget > 0 && self.breaker_holds(node, self.weak_budget, stop) {
            Found::Holds(UNLIMITED)
        } else {
            self.try_attacks(node, &profile, candidates, quiet, stop)
        };
        if !self.effort.is_stopped() {
            let known = match found {
                Found::Holds(tried) => Found::Holds(tried),
                Found::AttackerWins(zone) => Found::AttackerWins(zone.apply(symmetry)),
            };
            self.table.store(key, known, self.effort.nodes - before);
        }
        found
    }

    /// Returns the attacker's moves after which weights do not show that the defender holds.
    pub(super) fn attacks_worth_trying(&self, node: Node, profile: &Profile) -> u64 {
        let defence = self.battle.defence(node);
        let danger = Threats::of(defence).singles;
        if danger != 0 {
            return profile.worthwhile(danger);
        }
        profile.worthwhile(profile.undominated_with(&Profile::of(defence)))
    }

    /// Whether the defender holds even in the weak game, as far as a short search can tell.
    pub(super) fn breaker_holds(&mut self, node: Node, budget: u64, stop: Stop<'_>) -> bool {
        let holds = self.breaker.holds_within(self.battle.attack(node), node.attacker, budget, stop);
        if self.breaker.is_interrupted() {
            self.effort.interrupt();
        }
        holds
    }

    fn try_attacks(
        &mut self,
        node: Node,
        profile: &Profile,
        mut candidates: u64,
        quiet: u8,
        stop: Stop<'_>,
    ) -> Found {
        let mut least = UNLIMITED;
        if quiet == 0 {
            let threatening = battle::threatening(self.battle.attack(node));
            if candidates & !threatening != 0 {
                (candidates, least) = (candidates & threatening, 0);
            }
        }
        while let Some(square) = heaviest(candidates, &profile.weights) {
            let bit = 1 << square;
            candidates &= !bit;
            let child = self.battle.after_attacker(node, bit);
            let found = self.defender_moves(child, quiet, stop);
            self.battle.take_back(child);
            match found {
                Found::Holds(tried) => least = least.min(tried),
                Found::AttackerWins(zone) => return Found::AttackerWins(zone.before_attack(bit)),
            }
        }
        Found::Holds(least)
    }

    fn defender_moves(&mut self, node: Node, quiet: u8, stop: Stop<'_>) -> Found {
        let attack = self.battle.attack(node);
        if Threats::of(self.battle.defence(node)).singles != 0 {
            return Found::Holds(UNLIMITED);
        }
        let Threats { singles, forks } = Threats::of(attack);
        if singles != 0 {
            return self.forced_reply(node, singles, quiet, stop);
        }
        if attack.iter().map(|&edge| weight(edge)).sum::<u32>() < ONE {
            return Found::Holds(UNLIMITED);
        }
        if quiet == 0 {
            return Found::Holds(0);
        }
        let (mut zone, mut must_play) = self.must_play(node, forks);
        let next = if quiet == UNLIMITED { UNLIMITED } else { quiet - 1 };
        if quiet != UNLIMITED {
            // Passing is never better than moving, but a win against it tells where to move.
            match self.attacker_moves(node, next, stop) {
                Found::Holds(tried) => return Found::Holds(tried.saturating_add(1)),
                Found::AttackerWins(threat) => {
                    zone = zone.join(threat);
                    must_play &= threat.spoilers(self.battle.defence(node));
                }
            }
        }
        self.try_defences(node, must_play, zone, next, stop)
    }

    /// Returns the zone of all double threats, and the moves that meet each of them.
    fn must_play(&self, node: Node, forks: u64) -> (Zone, u64) {
        let (attack, defence) = (self.battle.attack(node), self.battle.defence(node));
        squares(forks).fold((Zone::default(), u64::MAX), |(zone, must_play), square| {
            let fork = 1 << square;
            let (all, rays) = battle::star(attack, fork);
            let needs = if rays == 2 { all } else { fork };
            let spoilers = Zone::new(needs, 1).spoilers(defence);
            (zone.join(Zone::new(all, 1)), must_play & spoilers)
        })
    }

    fn try_defences(
        &mut self,
        node: Node,
        mut must_play: u64,
        mut zone: Zone,
        quiet: u8,
        stop: Stop<'_>,
    ) -> Found {
        let profile = Profile::of(self.battle.attack(node));
        let own = Profile::of(self.battle.defence(node));
        let mut weights = profile.weights;
        for square in squares(own.union) {
            weights[square] += own.weights[square] / 2;
        }
        must_play &= profile.union | own.union;
        while let Some(square) = heaviest(must_play, &weights) {
            let bit = 1 << square;
            must_play &= !bit;
            let child = self.battle.after_defender(node, bit);
            let found = self.attacker_moves(child, quiet, stop);
            self.battle.take_back(child);
            match found {
                Found::Holds(tried) => return Found::Holds(tried.saturating_add(1)),
                Found::AttackerWins(child_zone) => {
                    zone = zone.join(child_zone);
                    must_play &= child_zone.spoilers(self.battle.defence(node));
                }
            }
        }
        Found::AttackerWins(zone.before_free_move())
    }

    /// Searches with the defender to move, who has to take `singles`, if he can.
    fn forced_reply(&mut self, node: Node, singles: u64, quiet: u8, stop: Stop<'_>) -> Found {
        if !singles.is_power_of_two() {
            return Found::AttackerWins(Zone::new(singles, 1));
        }
        let child = self.battle.after_defender(node, singles);
        let found = self.attacker_moves(child, quiet, stop);
        self.battle.take_back(child);
        match found {
            Found::Holds(tried) => Found::Holds(tried),
            Found::AttackerWins(zone) => Found::AttackerWins(zone.before_forced_move(singles)),
        }
    }

    /// Returns the first limit on quiet moves.
    fn first_limit(&self) -> u8 {
        match self.depth {
            Depth::Unlimited => UNLIMITED,
            Depth::Deepening => 0,
        }
    }

    /// Takes over a question, and returns where to start, or who has won already.
    pub(super) fn set_up(&mut self, contest: Contest) -> Result<Node, bool> {
        self.effort.restart(u64::MAX);
        self.battle.set_up(contest)
    }

    /// Whether the last search was stopped.
    pub(super) fn is_stopped(&self) -> bool {
        self.effort.is_stopped()
    }
}

impl Prover for Duel<'_> {
    fn prove(&mut self, contest: Contest, stop: Stop<'_>) -> Verdict {
        let node = match self.set_up(contest) {
            Ok(node) => node,
            Err(attacker_won) => return Verdict::Proven(attacker_won),
        };
        let mut quiet = self.first_limit();
        loop {
            let found = if contest.attacker_moves {
                self.attacker_moves(node, quiet, stop)
            } else {
                self.defender_moves(node, quiet, stop)
            };
            match found {
                _ if self.is_stopped() => return Verdict::Unknown,
                Found::Holds(UNLIMITED) => return Verdict::Proven(false),
                Found::Holds(tried) => quiet = tried.max(quiet) + 1,
                Found::AttackerWins(_) => return Verdict::Proven(true),
            }
        }
    }

    fn can_go_on(&self) -> bool {
        self.is_stopped()
    }

    fn nodes(&self) -> u64 {
        self.effort.nodes + self.breaker.nodes()
    }
}

/// Returns what needs no search with the attacker to move: a line completed by his next move, two
/// lines the defender completes next (`danger`), or a double threat.
fn at_once(attack: &[u64], danger: u64) -> Option<Found> {
    let Threats { singles, forks } = Threats::of(attack);
    if singles != 0 {
        return Some(Found::AttackerWins(Zone::new(singles & singles.wrapping_neg(), 0)));
    }
    if danger != 0 {
        return (!danger.is_power_of_two()).then_some(Found::Holds(UNLIMITED));
    }
    let fork = forks & forks.wrapping_neg();
    (fork != 0).then(|| Found::AttackerWins(Zone::new(battle::star(attack, fork).0, 1)))
}
