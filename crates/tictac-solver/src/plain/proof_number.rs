//! The depth-first proof-number prover, which searches the real game where it seems easiest to decide.

use crate::plain::depth_first::{DepthFirst, DepthFirstResult, UNLIMITED};
use crate::plain::edge_node::{EdgeNode, LineGrid};
use crate::plain::estimates::{estimate_attack, estimate_defence};
use crate::plain::hypergraph::squares;
use crate::plain::prover::{AttackRole, LineQuestion, NodeBudget, Prover, StopCheck};
use crate::plain::prover_tables::{ProverTables, RootNumbers};
use crate::plain::weights::ONE;
use crate::plain::zone::Zone;
use crate::tables::busy_moves::BusyMoves;
use crate::tables::proof_table::{ProofKey, ProofTable};
use crate::tuning::Technique;

/// A prover of wins and draws by depth-first proof-number search, which is best at deep wins.
///
/// A [`DepthFirst`] search without quiet moves finds the attacker's forcing sequences and the squares on which the
/// defender can meet them.
pub(crate) struct ProofNumberSearch<'a, const N: usize> {
    grid: LineGrid<'a, N>,
    forcing: DepthFirst<'a, N>,
    /// The numbers of positions, indexed by the role of the player who has just moved.
    tables: &'a [ProofTable<ProofKey, ProofNumbers>; 2],
    root_numbers: &'a RootNumbers,
    /// The positions that other threads are searching.
    busy: Option<&'a BusyMoves>,
    budget: NodeBudget,
}

/// An estimate of the effort to prove and to disprove a win; if one number is zero, the position is decided.
#[derive(Clone, Copy, Default)]
pub(crate) struct ProofNumbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
    /// The number of nodes spent on the position so far.
    pub(crate) work: u64,
    /// The budget of the last search of its weak game.
    pub(crate) weak_work: u64,
    /// The zone of the win, once the proof number is zero.
    pub(crate) zone: Zone,
}

/// A number that no sum exceeds, small enough that the sum of two does not overflow.
pub(crate) const INFINITE: u32 = u32::MAX / 4;

/// The number of nodes spent on the weak game of a new position.
const LEAST_WEAK_WORK: u64 = 60;

impl ProofNumbers {
    pub(crate) fn open(proof: u32, disproof: u32) -> Self {
        Self { proof, disproof, ..Self::default() }
    }

    fn answer(&self) -> Option<bool> {
        (self.proof == 0 || self.disproof == 0).then_some(self.proof == 0)
    }

    pub(crate) fn held() -> Self {
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
    key: ProofKey,
    symmetry: usize,
    numbers: ProofNumbers,
    /// Whether another thread is searching the position, or was when this one last looked.
    is_busy: bool,
}

/// The proof and disproof numbers at which a search returns to its parent.
#[derive(Clone, Copy)]
struct NumberLimits {
    proof: u32,
    disproof: u32,
}

/// The most promising of several branches, with a summary of the others.
struct BestBranch {
    index: usize,
    /// The smallest number among the other branches.
    second: u32,
    /// The sum of the opposite numbers of all branches.
    sum: u32,
}

impl<'a, const N: usize> ProofNumberSearch<'a, N> {
    /// Returns a prover for a grid with its tables.
    pub(crate) fn new(grid: LineGrid<'a, N>, tables: &'a ProverTables) -> Self {
        Self {
            grid,
            forcing: DepthFirst::forcing(grid, tables),
            tables: &tables.numbers,
            root_numbers: &tables.root_numbers,
            busy: tables.busy.as_ref(),
            budget: NodeBudget::new(),
        }
    }

    /// Searches with the attacker to move until the position is decided or a limit is reached.
    fn attacker_moves(
        &mut self,
        node: &EdgeNode<N>,
        limits: NumberLimits,
        stop: StopCheck<'_>,
    ) -> ProofNumbers {
        match self.forcing.attacker_moves(node, 0, stop) {
            DepthFirstResult::AttackerWins(zone) => return ProofNumbers::won(zone),
            DepthFirstResult::Holds(UNLIMITED) => return ProofNumbers::held(),
            DepthFirstResult::Holds(_) => (),
        }
        let weights = node.attack.weights(self.grid.tables);
        let candidates = self.forcing.attacks_worth_trying(node, &weights);
        let mut branches = self.branches(node, AttackRole::Attacker, candidates);
        while !self.is_stopped(stop) {
            self.refresh(AttackRole::Attacker, &mut branches);
            let Some(best) = choose(&branches, |n| n.proof, |n| n.disproof) else {
                return ProofNumbers::held();
            };
            let Branch { square, numbers, .. } = branches[best.index];
            self.root_numbers.set([limits.proof, limits.disproof], numbers.proof, best.sum);
            if numbers.proof == 0 {
                return ProofNumbers::won(numbers.zone.before_attack(square));
            }
            if best.sum == 0 {
                return ProofNumbers::held();
            }
            if numbers.proof >= limits.proof || best.sum >= limits.disproof {
                return ProofNumbers::open(numbers.proof, best.sum);
            }
            let child_limits = NumberLimits {
                proof: limits.proof.min(branch_limit(best.second)),
                disproof: limits.disproof - (best.sum - numbers.disproof),
            };
            self.follow(node, AttackRole::Attacker, &mut branches[best.index], child_limits, stop);
        }
        ProofNumbers::open(1, 1)
    }

    /// Searches with the defender to move until the position is decided or a limit is reached.
    fn defender_moves(
        &mut self,
        node: &EdgeNode<N>,
        limits: NumberLimits,
        stop: StopCheck<'_>,
    ) -> ProofNumbers {
        let forced = node.attack.singles(self.grid.tables);
        let (mut zone, must_play) = match self.must_play(node, forced, stop) {
            Ok(start) => start,
            Err(numbers) => return numbers,
        };
        let mut branches = self.branches(node, AttackRole::Defender, must_play);
        while !self.is_stopped(stop) {
            self.refresh(AttackRole::Defender, &mut branches);
            self.remove_losing(node, &mut branches, &mut zone);
            let Some(best) = choose(&branches, |n| n.disproof, |n| n.proof) else {
                return ProofNumbers::won(match forced {
                    0 => zone.before_free_move(),
                    square => zone.before_forced_move(square),
                });
            };
            let Branch { numbers, .. } = branches[best.index];
            self.root_numbers.set([limits.proof, limits.disproof], best.sum, numbers.disproof);
            if numbers.disproof == 0 {
                return ProofNumbers::held();
            }
            if best.sum >= limits.proof || numbers.disproof >= limits.disproof {
                return ProofNumbers::open(best.sum, numbers.disproof);
            }
            let child_limits = NumberLimits {
                proof: limits.proof - (best.sum - numbers.proof),
                disproof: limits.disproof.min(branch_limit(best.second)),
            };
            self.follow(node, AttackRole::Defender, &mut branches[best.index], child_limits, stop);
        }
        ProofNumbers::open(1, 1)
    }

    /// Returns the zone of the attacker's forcing sequences and the defender's moves that meet them, or the numbers if the
    /// position is already decided.
    fn must_play(
        &mut self,
        node: &EdgeNode<N>,
        forced: u64,
        stop: StopCheck<'_>,
    ) -> Result<(Zone, u64), ProofNumbers> {
        let tables = self.grid.tables;
        if node.defence.singles(tables) != 0 || node.attack.total() < ONE {
            return Err(ProofNumbers::held());
        }
        if forced.is_power_of_two() {
            return Ok((Zone::default(), forced));
        }
        if forced != 0 {
            return Err(ProofNumbers::won(Zone::new(forced, 1)));
        }
        let all = self.grid.empty_squares(node);
        match self.forcing.attacker_moves(node, 0, stop) {
            DepthFirstResult::AttackerWins(threat) => {
                Ok((threat, all & threat.refutations(tables, &node.defence)))
            }
            DepthFirstResult::Holds(UNLIMITED) => Err(ProofNumbers::held()),
            DepthFirstResult::Holds(_) => Ok((Zone::default(), all)),
        }
    }

    /// Removes the defender's moves that are proved to lose, and those that lose in the same way.
    fn remove_losing(&self, node: &EdgeNode<N>, branches: &mut Vec<Branch>, zone: &mut Zone) {
        let mut refutations = u64::MAX;
        for branch in branches.iter().filter(|branch| branch.numbers.proof == 0) {
            *zone = zone.join(branch.numbers.zone);
            refutations &= branch.numbers.zone.refutations(self.grid.tables, &node.defence);
        }
        branches.retain(|branch| branch.numbers.proof != 0 && branch.square & refutations != 0);
    }

    /// Returns the moves to `candidates` with their numbers.
    fn branches(&mut self, node: &EdgeNode<N>, mover: AttackRole, candidates: u64) -> Vec<Branch> {
        squares(candidates).map(|square| self.branch(node, mover, square)).collect()
    }

    fn branch(&mut self, node: &EdgeNode<N>, mover: AttackRole, square: usize) -> Branch {
        let child = self.after(node, mover, square);
        let (key, symmetry) = self.grid.canonical(&child);
        let numbers = match (self.known_numbers(mover, key, symmetry), mover) {
            (Some(known), _) => known,
            (None, _) if !self.grid.uses(Technique::Estimates) => ProofNumbers::open(1, 1),
            (None, AttackRole::Attacker) => estimate_defence(self.grid.tables, &child.attack),
            (None, AttackRole::Defender) => estimate_attack(self.grid.tables, &child.attack),
        };
        Branch { square: 1 << square, key, symmetry, numbers, is_busy: false }
    }

    fn known_numbers(&self, mover: AttackRole, key: ProofKey, symmetry: usize) -> Option<ProofNumbers> {
        let known = self.tables[mover as usize].find(key)?;
        Some(ProofNumbers { zone: known.zone.undo(&self.grid.grid.symmetries[symmetry]), ..known })
    }

    /// Updates the numbers of the branches that other threads are searching or have searched.
    fn refresh(&self, mover: AttackRole, branches: &mut [Branch]) {
        let Some(busy) = self.busy else { return };
        for branch in branches {
            let was_busy = branch.is_busy;
            branch.is_busy = busy.is_busy(branch.key, mover as u64);
            if was_busy || branch.is_busy {
                let known = self.known_numbers(mover, branch.key, branch.symmetry);
                branch.numbers = known.unwrap_or(branch.numbers);
            }
        }
    }

    /// Searches a branch and stores the result.
    fn follow(
        &mut self,
        node: &EdgeNode<N>,
        mover: AttackRole,
        branch: &mut Branch,
        limits: NumberLimits,
        stop: StopCheck<'_>,
    ) {
        let before = self.nodes();
        let child = self.after(node, mover, branch.square.trailing_zeros() as usize);
        let busy = self.busy.map(|busy| busy.enter(branch.key, mover as u64));
        let numbers = match mover {
            AttackRole::Attacker => self.defender_moves(&child, limits, stop),
            AttackRole::Defender if self.weak_game_holds(&child, &mut branch.numbers, stop) => {
                ProofNumbers::held()
            }
            AttackRole::Defender => self.attacker_moves(&child, limits, stop),
        };
        drop(busy);
        if self.can_continue() {
            return;
        }
        let work = self.budget.nodes + self.forcing.nodes() - before;
        let numbers =
            ProofNumbers { work: branch.numbers.work + work, weak_work: branch.numbers.weak_work, ..numbers };
        branch.numbers = numbers;
        let zone = numbers.zone.apply(&self.grid.grid.symmetries[branch.symmetry]);
        self.tables[mover as usize].store(branch.key, ProofNumbers { zone, ..numbers }, numbers.work);
    }

    /// Returns whether the defender is proved to hold in the weak game, with the attacker to move.
    ///
    /// The budget grows with the nodes already spent on the position.
    fn weak_game_holds(
        &mut self,
        node: &EdgeNode<N>,
        numbers: &mut ProofNumbers,
        stop: StopCheck<'_>,
    ) -> bool {
        let budget = numbers.work.max(LEAST_WEAK_WORK);
        if budget < numbers.weak_work * 2 || !self.grid.uses(Technique::WeakGame) {
            return false;
        }
        numbers.weak_work = budget;
        self.forcing.breaker_holds(node, budget, stop)
    }

    fn after(&self, node: &EdgeNode<N>, mover: AttackRole, square: usize) -> EdgeNode<N> {
        match mover {
            AttackRole::Attacker => self.grid.after_attacker(node, square),
            AttackRole::Defender => self.grid.after_defender(node, square),
        }
    }

    fn is_stopped(&mut self, stop: StopCheck<'_>) -> bool {
        self.budget.spend(stop) || self.forcing.budget.is_stopped
    }
}

impl<const N: usize> Prover for ProofNumberSearch<'_, N> {
    fn prove(&mut self, question: LineQuestion, stop: StopCheck<'_>) -> Option<bool> {
        self.budget.restart(u64::MAX);
        let node = match self.forcing.set_up(question) {
            Ok(node) => node,
            Err(attacker_won) => return Some(attacker_won),
        };
        let limits = NumberLimits { proof: INFINITE, disproof: INFINITE };
        let numbers = match question.to_move {
            AttackRole::Attacker => self.attacker_moves(&node, limits, stop),
            AttackRole::Defender => self.defender_moves(&node, limits, stop),
        };
        if self.can_continue() { None } else { numbers.answer() }
    }

    fn look_up(&mut self, question: LineQuestion) -> Option<bool> {
        let node = self.forcing.set_up(question).ok()?;
        let (key, _) = self.grid.canonical(&node);
        // The table is that of the player who has just moved, the opponent of the player to move.
        self.tables[1 - question.to_move as usize].find(key)?.answer()
    }

    fn can_continue(&self) -> bool {
        self.budget.is_stopped || self.forcing.budget.is_stopped
    }

    fn nodes(&self) -> u64 {
        self.budget.nodes + self.forcing.nodes()
    }
}

/// Returns the branch with the smallest `number`, or the first of several with the same number.
///
/// An undecided branch that another thread is searching counts as if its number had grown, so that threads part where there
/// is a choice that is nearly as good.
fn choose(
    branches: &[Branch],
    number: impl Fn(&ProofNumbers) -> u32,
    opposite: impl Fn(&ProofNumbers) -> u32,
) -> Option<BestBranch> {
    let (mut best, mut second, mut sum) = (None, INFINITE, 0u32);
    for (index, branch) in branches.iter().enumerate() {
        let candidate = match number(&branch.numbers) {
            number @ 1.. if branch.is_busy => number + 1 + number / 4,
            number => number,
        };
        sum = (sum + opposite(&branch.numbers)).min(INFINITE);
        match best {
            Some((_, least)) if candidate >= least => second = second.min(candidate),
            _ => {
                second = best.map_or(INFINITE, |(_, least)| least);
                best = Some((index, candidate));
            }
        }
    }
    best.map(|(index, _)| BestBranch { index, second, sum })
}

/// Returns the limit for a branch whose best rival has the number `second`.
///
/// It is twice as high, so that the search does not alternate between similar branches: each time it returns to one, all of
/// its moves are looked up again.
fn branch_limit(second: u32) -> u32 {
    (2 * second + 1).min(INFINITE)
}
