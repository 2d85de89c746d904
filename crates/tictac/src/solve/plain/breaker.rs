//! The maker-breaker prover: shows that the defender holds even if his own lines do not count.

use super::battle::{self, Threats};
use super::effort::Effort;
use super::field::Field;
use super::hypergraph::{self, ONE, Profile, heaviest, squares, weight};
use super::question::{Contest, Prover, Stop, Verdict};
use super::table::Table;

/// Proves draws in the weak game, in which only the attacker's lines count.
///
/// If the breaker holds there, the defender holds in the real game by the same moves. If the
/// maker wins there, nothing follows, and the answer is unknown.
pub(crate) struct Breaker<'a> {
    field: &'a Field,
    /// What is known about positions with the maker to move.
    table: Table<Found>,
    /// The edges of all positions on the path of the search.
    edges: Vec<u64>,
    /// How many of the breaker's heaviest replies are compared before the first of them is tried.
    n_compared: usize,
    effort: Effort,
}

/// The result of a search, worthless if the search was stopped.
#[derive(Clone, Copy, Default)]
enum Found {
    #[default]
    Holds,
    /// The maker wins within these squares, whatever the breaker has outside of them.
    MakerWins(u64),
}

/// Enough for the best reply to be nearly always among them.
const REPLIES_COMPARED: usize = 12;
const REPLIES_COMPARED_IN_HASTE: usize = 4;

impl<'a> Breaker<'a> {
    /// Makes a prover for a grid with a table of at most `bytes` bytes.
    pub(crate) fn new(field: &'a Field, bytes: usize) -> Self {
        let table = Table::with_bytes(bytes);
        Self { field, table, edges: Vec::new(), n_compared: REPLIES_COMPARED, effort: Effort::new() }
    }

    /// Makes a prover for many short searches, which compares fewer replies: often none of them holds.
    pub(super) fn hasty(field: &'a Field, bytes: usize) -> Self {
        Self { n_compared: REPLIES_COMPARED_IN_HASTE, ..Self::new(field, bytes) }
    }

    /// Whether the breaker holds with the maker to move, as far as `budget` nodes can tell.
    pub(super) fn holds_within(&mut self, edges: &[u64], maker: u64, budget: u64, stop: Stop<'_>) -> bool {
        self.edges.clear();
        self.edges.extend_from_slice(edges);
        self.effort.restart(budget);
        let found = self.maker_moves(0, maker, stop);
        matches!(found, Found::Holds) && !self.effort.is_stopped()
    }

    /// Whether the caller, and not a budget, has stopped the last search.
    pub(super) fn is_interrupted(&self) -> bool {
        self.effort.is_interrupted()
    }

    /// Searches with the maker to move; the hypergraph is the edges from `from` on.
    fn maker_moves(&mut self, from: usize, maker: u64, stop: Stop<'_>) -> Found {
        if self.effort.spend(stop) {
            return Found::Holds;
        }
        if let Some(zone) = quick_win(&self.edges[from..]) {
            return Found::MakerWins(zone);
        }
        let profile = hypergraph::reduce(&mut self.edges, from);
        let candidates = profile.worthwhile(profile.undominated());
        if candidates == 0 || hypergraph::has_pairing(&self.edges[from..], profile.union) {
            return Found::Holds;
        }
        let maker = self.field.useful_marks(maker, profile.union);
        let (key, index) = self.field.canonical([maker, profile.union]);
        let symmetry = &self.field.symmetries()[index];
        match self.table.find(key) {
            Some(Found::MakerWins(zone)) => return Found::MakerWins(symmetry.undo(zone)),
            Some(Found::Holds) => return Found::Holds,
            None => (),
        }
        let before = self.effort.nodes;
        let found = self.try_maker_moves(from, maker, &profile, candidates, stop);
        if !self.effort.is_stopped() {
            let known = match found {
                Found::Holds => Found::Holds,
                Found::MakerWins(zone) => Found::MakerWins(symmetry.apply(zone)),
            };
            self.table.store(key, known, self.effort.nodes - before);
        }
        found
    }

    fn try_maker_moves(
        &mut self,
        from: usize,
        maker: u64,
        profile: &Profile,
        mut candidates: u64,
        stop: Stop<'_>,
    ) -> Found {
        while let Some(square) = heaviest(candidates, &profile.weights) {
            let bit = 1 << square;
            candidates &= !bit;
            let child = hypergraph::push_after_maker(&mut self.edges, from, bit);
            let found = self.breaker_moves(child, maker | bit, stop);
            self.edges.truncate(child);
            if let Found::MakerWins(zone) = found {
                return Found::MakerWins(zone | bit);
            }
        }
        Found::Holds
    }

    /// Searches with the breaker to move.
    fn breaker_moves(&mut self, from: usize, maker: u64, stop: Stop<'_>) -> Found {
        let edges = &self.edges[from..];
        if edges.iter().map(|&edge| weight(edge)).sum::<u32>() < ONE {
            return Found::Holds;
        }
        let (mut zone, mut must_play) = must_play(edges);
        if must_play == 0 {
            return Found::MakerWins(zone);
        }
        if zone.is_power_of_two() {
            return self.forced_reply(from, maker, zone, stop);
        }
        let profile = hypergraph::reduce(&mut self.edges, from);
        if profile.total < ONE {
            return Found::Holds;
        }
        if zone == 0 {
            must_play &= profile.undominated();
        }
        must_play &= profile.union;
        let mut next = self.most_restrictive(from, must_play, &profile.weights);
        while let Some(square) = next {
            let bit = 1 << square;
            must_play &= !bit;
            let child = hypergraph::push_after_breaker(&mut self.edges, from, bit);
            let found = self.maker_moves(child, maker, stop);
            self.edges.truncate(child);
            match found {
                Found::Holds => return Found::Holds,
                Found::MakerWins(child_zone) => {
                    zone |= child_zone;
                    must_play &= child_zone;
                }
            }
            next = heaviest(must_play, &profile.weights);
        }
        Found::MakerWins(zone)
    }

    /// Returns the one of the heaviest replies that leaves the maker the least hope.
    ///
    /// Where the breaker holds at all, this reply nearly always holds; how many moves of the maker
    /// are left to refute decides about the size of the search.
    fn most_restrictive(&mut self, from: usize, mut replies: u64, weights: &[u32; 64]) -> Option<usize> {
        let mut best = None;
        for _ in 0..self.n_compared {
            let Some(square) = heaviest(replies, weights) else { break };
            replies &= !(1 << square);
            let child = hypergraph::push_after_breaker(&mut self.edges, from, 1 << square);
            let profile = hypergraph::reduce(&mut self.edges, child);
            self.edges.truncate(child);
            let surplus = profile.surplus(profile.undominated(), profile.total);
            if best.is_none_or(|(least, _)| surplus < least) {
                best = Some((surplus, square));
            }
            if surplus == 0 {
                break;
            }
        }
        best.map(|(_, square)| square)
    }

    /// Searches with the breaker to move, who has to take `square`.
    fn forced_reply(&mut self, from: usize, maker: u64, square: u64, stop: Stop<'_>) -> Found {
        let child = hypergraph::push_after_breaker(&mut self.edges, from, square);
        let found = self.maker_moves(child, maker, stop);
        self.edges.truncate(child);
        match found {
            Found::Holds => Found::Holds,
            Found::MakerWins(zone) => Found::MakerWins(zone | square),
        }
    }
}

impl Prover for Breaker<'_> {
    fn prove(&mut self, contest: Contest, stop: Stop<'_>) -> Verdict {
        let Contest { attacker, defender, attacker_moves } = contest;
        self.edges = hypergraph::edges(self.field, attacker, defender);
        if self.edges.contains(&0) || self.field.has_line(defender) {
            return Verdict::Proven(self.edges.contains(&0));
        }
        self.effort.restart(u64::MAX);
        let found = if attacker_moves {
            self.maker_moves(0, attacker, stop)
        } else {
            self.breaker_moves(0, attacker, stop)
        };
        match found {
            Found::Holds if !self.effort.is_stopped() => Verdict::Proven(false),
            _ => Verdict::Unknown,
        }
    }

    fn can_go_on(&self) -> bool {
        self.effort.is_stopped()
    }

    fn nodes(&self) -> u64 {
        self.effort.nodes
    }
}

/// Returns the zone of a win by one move or by a double threat, with the maker to move.
fn quick_win(edges: &[u64]) -> Option<u64> {
    let Threats { singles, forks } = Threats::of(edges);
    if singles != 0 {
        return Some(singles & singles.wrapping_neg());
    }
    (forks != 0).then(|| battle::star(edges, forks & forks.wrapping_neg()).0)
}

/// Returns what the breaker has to fear at once: the zone of all short threats, and the squares
/// that meet every one of them. Without a threat the zone is empty and all squares are returned.
fn must_play(edges: &[u64]) -> (u64, u64) {
    let Threats { singles, forks } = Threats::of(edges);
    if singles != 0 {
        return (singles, if singles.is_power_of_two() { singles } else { 0 });
    }
    squares(forks).fold((0, u64::MAX), |(zone, must_play), square| {
        let fork = 1 << square;
        let (all, rays) = battle::star(edges, fork);
        (zone | all, must_play & if rays == 2 { all } else { fork })
    })
}
