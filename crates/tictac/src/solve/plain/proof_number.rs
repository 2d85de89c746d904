//! The depth-first proof-number prover of the real game: it follows what is easiest to prove.

use super::battle::{Node, Threats};
use super::duel::{Duel, Found, UNLIMITED};
use super::effort::Effort;
use super::field::Field;
use super::hypergraph::{ONE, Profile, squares};
use super::question::{Contest, Prover, Stop, Verdict};
use super::table::{Key, Table};
use super::zone::Zone;

/// Answers either way, by depth-first proof-number search; at its best on deep wins.
///
/// A [`Duel`] without quiet moves finds the attacker's forcing sequences, and the squares where
/// the defender can meet them.
pub(crate) struct ProofNumber<'a> {
    field: &'a Field,
    duel: Duel<'a>,
    attacks: Table<Numbers>,
    defences: Table<Numbers>,
    effort: Effort,
}

/// How hard a position seems to be: both numbers positive, or one of them zero and it is proved.
#[derive(Clone, Copy, Default)]
struct Numbers {
    proof: u32,
    disproof: u32,
    /// The nodes spent on the position so far.
    work: u64,
    /// The nodes spent on its weak game the last time that was tried.
    weak_work: u64,
    /// What the win depends on, once the proof number is zero.
    zone: Zone,
}

/// A number that no sum reaches, so that sums of two cannot overflow.
const INFINITE: u32 = u32::MAX / 4;

/// The nodes spent on the weak game of a new position.
const LEAST_WEAK_WORK: u64 = 30;

impl Numbers {
    fn open(proof: u32, disproof: u32) -> Self {
        Self { proof, disproof, ..Self::default() }
    }

    fn held() -> Self {
        Self::open(INFINITE, 0)
    }

    fn won(zone: Zone) -> Self {
        Self { proof: 0, disproof: INFINITE, zone, ..Self::default() }
    }
}

/// A move from a position under search.
#[derive(Clone, Copy)]
struct Branch {
    square: u64,
    key: Key,
    symmetry: usize,
    numbers: Numbers,
}

/// The player to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Attacker,
    Defender,
}

/// The numbers at which a search returns to its parent.
#[derive(Clone, Copy)]
struct Limits {
    proof: u32,
    disproof: u32,
}

/// The most promising of several branches, and how the others stand.
struct Choice {
    index: usize,
    /// The least number among the other branches.
    second: u32,
    /// The sum of the opposite numbers of all branches.
    sum: u32,
}

impl<'a> ProofNumber<'a> {
    /// Makes a prover for a grid with tables of at most `bytes` bytes.
    pub(crate) fn new(field: &'a Field, bytes: usize) -> Self {
        Self {
            field,
            duel: Duel::forcing(field, bytes / 2),
            attacks: Table::with_bytes(bytes / 4),
            defences: Table::with_bytes(bytes / 4),
            effort: Effort::new(),
        }
    }

    /// Searches with the attacker to move, until proved or beyond the limits.
    fn attacker_moves(&mut self, node: Node, limits: Limits, stop: Stop<'_>) -> Numbers {
        match self.duel.attacker_moves(node, 0, stop) {
            Found::AttackerWins(zone) => return Numbers::won(zone),
            Found::Holds(UNLIMITED) => return Numbers::held(),
            Found::Holds(_) => (),
        }
        let profile = Profile::of(self.duel.battle.attack(node));
        let candidates = self.duel.attacks_worth_trying(node, &profile);
        let mut branches = self.branches(node, Turn::Attacker, candidates);
        while !self.is_stopped(stop) {
            let Some(choice) = choose(&branches, |n| n.proof, |n| n.disproof) else {
                return Numbers::held();
            };
            let Branch { square, numbers, .. } = branches[choice.index];
            if numbers.proof == 0 {
                return Numbers::won(numbers.zone.before_attack(square));
            }
            if choice.sum == 0 {
                return Numbers::held();
            }
            if numbers.proof >= limits.proof || choice.sum >= limits.disproof {
                return Numbers::open(numbers.proof, choice.sum);
            }
            let child_limits = Limits {
                proof: limits.proof.min(patience(choice.second)),
                disproof: limits.disproof - (choice.sum - numbers.disproof),
            };
            self.follow(node, Turn::Attacker, &mut branches[choice.index], child_limits, stop);
        }
        Numbers::open(1, 1)
    }

    /// Searches with the defender to move, until proved or beyond the limits.
    fn defender_moves(&mut self, node: Node, limits: Limits, stop: Stop<'_>) -> Numbers {
        let forced = Threats::of(self.duel.battle.attack(node)).singles;
        let (mut zone, must_play) = match self.must_play(node, forced, stop) {
            Ok(start) => start,
            Err(numbers) => return numbers,
        };
        let mut branches = self.branches(node, Turn::Defender, must_play);
        while !self.is_stopped(stop) {
            self.drop_answered(node, &mut branches, &mut zone);
            let Some(choice) = choose(&branches, |n| n.disproof, |n| n.proof) else {
                return Numbers::won(match forced {
                    0 => zone.before_free_move(),
                    square => zone.before_forced_move(square),
                });
            };
            let Branch { numbers, .. } = branches[choice.index];
            if numbers.disproof == 0 {
                return Numbers::held();
            }
            if choice.sum >= limits.proof || numbers.disproof >= limits.disproof {
                return Numbers::open(choice.sum, numbers.disproof);
            }
            let child_limits = Limits {
                proof: limits.proof - (choice.sum - numbers.proof),
                disproof: limits.disproof.min(patience(choice.second)),
            };
            self.follow(node, Turn::Defender, &mut branches[choice.index], child_limits, stop);
        }
        Numbers::open(1, 1)
    }

    /// Returns the defender's moves that meet the attacker's forcing sequences and the zone of
    /// these, or the numbers if the position is proved already.
    fn must_play(&mut self, node: Node, forced: u64, stop: Stop<'_>) -> Result<(Zone, u64), Numbers> {
        let (attack, defence) = (self.duel.battle.attack(node), self.duel.battle.defence(node));
        let profile = Profile::of(attack);
        if Threats::of(defence).singles != 0 || profile.total < ONE {
            return Err(Numbers::held());
        }
        if forced.is_power_of_two() {
            return Ok((Zone::default(), forced));
        }
        if forced != 0 {
            return Err(Numbers::won(Zone::new(forced, 1)));
        }
        let all = defence.iter().fold(profile.union, |set, edge| set | edge);
        match self.duel.attacker_moves(node, 0, stop) {
            Found::AttackerWins(threat) => {
                Ok((threat, all & threat.spoilers(self.duel.battle.defence(node))))
            }
            Found::Holds(UNLIMITED) => Err(Numbers::held()),
            Found::Holds(_) => Ok((Zone::default(), all)),
        }
    }

    /// Drops the defender's moves that are proved to lose, and those that lose in the same way.
    fn drop_answered(&self, node: Node, branches: &mut Vec<Branch>, zone: &mut Zone) {
        let mut spoilers = u64::MAX;
        for branch in branches.iter().filter(|branch| branch.numbers.proof == 0) {
            *zone = zone.join(branch.numbers.zone);
            spoilers &= branch.numbers.zone.spoilers(self.duel.battle.defence(node));
        }
        branches.retain(|branch| branch.numbers.proof != 0 && branch.square & spoilers != 0);
    }

    /// Returns the moves to `candidates` with what is known about them.
    fn branches(&mut self, node: Node, turn: Turn, candidates: u64) -> Vec<Branch> {
        squares(candidates).map(|square| self.branch(node, turn, 1 << square)).collect()
    }

    fn branch(&mut self, node: Node, turn: Turn, square: u64) -> Branch {
        let child = self.after(node, turn, square);
        let (key, symmetry) = self.duel.battle.canonical(child);
        let known = match turn {
            Turn::Attacker => self.defences.find(key),
            Turn::Defender => self.attacks.find(key),
        };
        let numbers = match (known, turn) {
            (Some(known), _) => {
                let zone = known.zone.undo(&self.field.symmetries()[symmetry]);
                Numbers { zone, ..known }
            }
            (None, Turn::Attacker) => guess_defence(self.duel.battle.attack(child)),
            (None, Turn::Defender) => guess_attack(self.duel.battle.attack(child)),
        };
        self.duel.battle.take_back(child);
        Branch { square, key, symmetry, numbers }
    }

    /// Searches a branch, and remembers what came out.
    fn follow(&mut self, node: Node, turn: Turn, branch: &mut Branch, limits: Limits, stop: Stop<'_>) {
        let before = self.nodes();
        let child = self.after(node, turn, branch.square);
        let numbers = match turn {
            Turn::Attacker => self.defender_moves(child, limits, stop),
            Turn::Defender if self.weak_game_holds(child, &mut branch.numbers, stop) => Numbers::held(),
            Turn::Defender => self.attacker_moves(child, limits, stop),
        };
        self.duel.battle.take_back(child);
        if self.effort.is_stopped() || self.duel.is_stopped() {
            return;
        }
        let work = self.effort.nodes + self.duel.nodes() - before;
        let numbers =
            Numbers { work: branch.numbers.work + work, weak_work: branch.numbers.weak_work, ..numbers };
        branch.numbers = numbers;
        let zone = numbers.zone.apply(&self.field.symmetries()[branch.symmetry]);
        let table = match turn {
            Turn::Attacker => &mut self.defences,
            Turn::Defender => &mut self.attacks,
        };
        table.store(branch.key, Numbers { zone, ..numbers }, numbers.work);
    }

    /// Whether the defender holds even in the weak game, the attacker to move.
    ///
    /// The harder a position has proved to be, the more is spent on this.
    fn weak_game_holds(&mut self, node: Node, numbers: &mut Numbers, stop: Stop<'_>) -> bool {
        let budget = (numbers.work / 2).max(LEAST_WEAK_WORK);
        if budget < numbers.weak_work * 2 {
            return false;
        }
        numbers.weak_work = budget;
        self.duel.breaker_holds(node, budget, stop)
    }

    fn after(&mut self, node: Node, turn: Turn, square: u64) -> Node {
        match turn {
            Turn::Attacker => self.duel.battle.after_attacker(node, square),
            Turn::Defender => self.duel.battle.after_defender(node, square),
        }
    }

    fn is_stopped(&mut self, stop: Stop<'_>) -> bool {
        self.effort.spend(stop) || self.duel.is_stopped()
    }
}

impl Prover for ProofNumber<'_> {
    fn prove(&mut self, contest: Contest, stop: Stop<'_>) -> Verdict {
        self.effort.restart(u64::MAX);
        let node = match self.duel.set_up(contest) {
            Ok(node) => node,
            Err(attacker_won) => return Verdict::Proven(attacker_won),
        };
        let limits = Limits { proof: INFINITE, disproof: INFINITE };
        let numbers = if contest.attacker_moves {
            self.attacker_moves(node, limits, stop)
        } else {
            self.defender_moves(node, limits, stop)
        };
        match numbers {
            _ if self.can_go_on() => Verdict::Unknown,
            Numbers { proof: 0, .. } => Verdict::Proven(true),
            Numbers { disproof: 0, .. } => Verdict::Proven(false),
            _ => Verdict::Unknown,
        }
    }

    fn can_go_on(&self) -> bool {
        self.effort.is_stopped() || self.duel.is_stopped()
    }

    fn nodes(&self) -> u64 {
        self.effort.nodes + self.duel.nodes()
    }
}

/// Returns the branch with the least `number`, the first among equals.
fn choose(
    branches: &[Branch],
    number: impl Fn(&Numbers) -> u32,
    opposite: impl Fn(&Numbers) -> u32,
) -> Option<Choice> {
    let (mut best, mut second, mut sum) = (None, INFINITE, 0u32);
    for (index, branch) in branches.iter().enumerate() {
        let candidate = number(&branch.numbers);
        sum = (sum + opposite(&branch.numbers)).min(INFINITE);
        match best {
            Some((_, least)) if candidate >= least => second = second.min(candidate),
            _ => {
                second = best.map_or(INFINITE, |(_, least)| least);
                best = Some((index, candidate));
            }
        }
    }
    best.map(|(index, _)| Choice { index, second, sum })
}

/// Returns the number up to which a branch is followed whose best rival has the number `second`:
/// a quarter more, so that the search does not run to and fro between equals.
fn patience(second: u32) -> u32 {
    second + 1 + second / 4
}

/// Guesses how hard a position is with the attacker to move: the more hope his weight leaves him,
/// the harder it is to disprove, and the easier to prove.
fn guess_attack(attack: &[u64]) -> Numbers {
    let profile = Profile::of(attack);
    match profile.surplus(profile.union, profile.total) {
        0 => Numbers::held(),
        surplus => Numbers::open(1 + despair(surplus) / 3, 1 + surplus / ONE / 2),
    }
}

/// Guesses how hard a position is with the defender to move, by the hope that his best reply
/// leaves; besides, the fewer answers he has to an immediate threat, the easier it is to prove.
fn guess_defence(attack: &[u64]) -> Numbers {
    let profile = Profile::of(attack);
    if profile.total < ONE {
        return Numbers::held();
    }
    let removed = profile.weights.into_iter().fold(0, u32::max);
    let surplus = profile.surplus(profile.union, profile.total - removed);
    let Threats { singles, forks } = Threats::of(attack);
    let answers = match (singles, forks) {
        (0, 0) => 8,
        (0, _) => 3,
        _ => 1,
    };
    Numbers::open(answers + despair(surplus), 1 + surplus / ONE / 2)
}

/// Returns how far the attacker's hope is from that at the beginning of a game, in halvings.
fn despair(surplus: u32) -> u32 {
    10u32.saturating_sub((1 + surplus / (ONE / 16)).ilog2())
}
