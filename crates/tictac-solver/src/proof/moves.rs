//! Construction of a strategy of moves from the values of positions.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::{NoProof, ProofLimits, ProofSource};
use crate::plain::pair_search::find_pairing;
use tictac::{Goal, Move, Player, Position, Square, SquareSet, State, Status, Value};
use tictac_proof::{Aim, EntryAction, Leaf, StateMarks, StrategyEntry, Weight, needs_no_entry, open_lines};

/// Returns the entries of a strategy with a move in every position.
pub(crate) fn prove_moves(
    start: &State,
    (owner, aim): (Player, Aim),
    source: &mut dyn ProofSource,
    limits: ProofLimits<'_>,
) -> Result<Vec<StrategyEntry>, NoProof> {
    let mut builder = StrategyBuilder {
        owner,
        aim,
        source,
        limits,
        known: HashSet::new(),
        pending: vec![],
        entries: vec![],
    };
    builder.build(start)?;
    Ok(builder.entries)
}

/// A strategy under construction.
struct StrategyBuilder<'a> {
    owner: Player,
    aim: Aim,
    source: &'a mut dyn ProofSource,
    limits: ProofLimits<'a>,
    /// The canonical positions that have an entry or will get one.
    known: HashSet<StateMarks>,
    pending: Vec<State>,
    entries: Vec<StrategyEntry>,
}

/// A move, and the position after it.
type CandidateMove = (Move, State);

/// The number of value-keeping moves that are compared by cost; comparing more takes more time than it saves entries.
const MAX_COMPARED: usize = 8;

/// The numbers of nodes that are searched for a move that keeps the value, if fewer were not enough for any move.
const EFFORTS: [u64; 6] = [0, COMPARING_EFFORT, 256, 8192, 262_144, u64::MAX];

/// The number of nodes that are searched for moves to compare with those that are looked up. Without them, the certificate of
/// 7,4,4 has 53,123 entries, because the tables hold one reply of each position and not the best one for a short proof.
const COMPARING_EFFORT: u64 = 255;

impl StrategyBuilder<'_> {
    fn build(&mut self, start: &State) -> Result<(), NoProof> {
        self.reach(start)?;
        while let Some(state) = self.pending.pop() {
            let action = self.choose(&state)?;
            if let EntryAction::Move(mv) = action {
                let after = state.after(mv).expect("a chosen move is legal");
                self.reach_all(&after)?;
            }
            self.add(&state, action)?;
        }
        Ok(())
    }

    fn add(&mut self, state: &State, action: EntryAction) -> Result<(), NoProof> {
        if self.entries.len() >= self.limits.max_entries {
            return Err(NoProof::TooLarge(self.limits.max_entries));
        }
        if (self.limits.stop)() {
            return Err(NoProof::Stopped);
        }
        self.entries.push(StrategyEntry::new(StateMarks::new(state), action));
        Ok(())
    }

    /// Ensures that a position has an entry if it needs one.
    fn reach(&mut self, state: &State) -> Result<(), NoProof> {
        let state = state.canonical();
        if self.is_settled(&state) {
            return Ok(());
        }
        match state.status() {
            Status::Over(_) => Err(NoProof::Contradiction(state.to_string())),
            Status::ToMove(player) if player == self.owner => {
                self.known.insert(StateMarks::new(&state));
                self.pending.push(state);
                Ok(())
            }
            Status::ToMove(_) => match self.leaf(&state) {
                Some(leaf) => self.add(&state, EntryAction::Close(None, leaf)),
                None => self.reach_all(&state),
            },
        }
    }

    /// Ensures that every reply has an entry if it needs one; the first reply is processed next.
    fn reach_all(&mut self, state: &State) -> Result<(), NoProof> {
        let replies: Vec<CandidateMove> = candidates(state);
        replies.iter().rev().try_for_each(|(_, reply)| self.reach(reply))
    }

    fn is_settled(&self, canonical: &State) -> bool {
        self.known.contains(&StateMarks::new(canonical)) || needs_no_entry(canonical, self.owner, self.aim)
    }

    /// Chooses the owner's action in a position that needs an entry.
    fn choose(&mut self, state: &State) -> Result<EntryAction, NoProof> {
        let mut candidates = candidates(state);
        if self.allows_leaves(state) {
            candidates.sort_by_cached_key(|(_, after)| {
                after.position().map(|after| Weight::new(after, self.owner))
            });
            let closing = candidates.iter().find_map(|(mv, after)| Some((*mv, self.leaf(after)?)));
            if let Some((mv, leaf)) = closing {
                return Ok(EntryAction::Close(Some(mv), leaf));
            }
        } else {
            candidates.sort_by_cached_key(|(_, after)| self.cost(after));
        }
        let kept = self.moves_that_keep(state, candidates).ok_or_else(|| {
            if (self.limits.stop)() { NoProof::Stopped } else { NoProof::Unknown(state.to_string()) }
        })?;
        match kept.iter().min_by_key(|(_, after)| self.cost(after)) {
            Some(&(mv, _)) => Ok(EntryAction::Move(mv)),
            None => Err(NoProof::Contradiction(state.to_string())),
        }
    }

    /// Returns some of the moves that keep the value, or `None` if none is known to and some are unknown.
    fn moves_that_keep(
        &mut self,
        state: &State,
        mut candidates: Vec<CandidateMove>,
    ) -> Option<Vec<CandidateMove>> {
        // If the candidates are sorted by cost, the first that keeps the value is the best.
        let n_compared = if candidates.first().is_some_and(|(_, after)| self.allows_leaves(after)) {
            MAX_COMPARED
        } else {
            1
        };
        let mut kept: Vec<CandidateMove> = Vec::new();
        for max_nodes in EFFORTS {
            for effort in self.efforts_for_moves(state, max_nodes) {
                let mut unknown = Vec::new();
                for candidate in candidates {
                    if kept.len() == n_compared || !kept.is_empty() && effort > COMPARING_EFFORT {
                        break;
                    }
                    match self.keeps(&candidate.1, effort) {
                        Some(true) => kept.push(candidate),
                        Some(false) => {}
                        None => unknown.push(candidate),
                    }
                }
                if kept.len() == n_compared || !kept.is_empty() && effort > 0 || unknown.is_empty() {
                    return Some(kept);
                }
                candidates = unknown;
            }
        }
        None
    }

    /// Returns the numbers of nodes to search for each move of a position in which the owner is to move.
    ///
    /// If the owner holds, a search of the position itself chooses among the moves better than one search per move: the move that
    /// it found is then looked up. The empty board is an exception, because it is known to hold without a search.
    fn efforts_for_moves(&mut self, state: &State, max_nodes: u64) -> Vec<u64> {
        match (self.aim, max_nodes) {
            // A win that is only looked up may be a long one: with it, 6,5,4 takes 81 s instead of 0.2 s.
            (Aim::Win, ..=COMPARING_EFFORT) => return vec![],
            (Aim::Win, _) | (Aim::Hold, ..=COMPARING_EFFORT) => return vec![max_nodes],
            _ if state.n_moves() == 0 => return vec![max_nodes],
            _ => {}
        }
        match self.source.has_value(state, Value::Loss, max_nodes) {
            Some(_) => vec![0, max_nodes],
            None => vec![],
        }
    }

    /// Returns whether the owner's aim can still be reached after a move of the owner.
    fn keeps(&mut self, after: &State, max_nodes: u64) -> Option<bool> {
        if let Status::Over(outcome) = after.status() {
            return Some(self.aim.is_reached_by(outcome, self.owner));
        }
        match self.aim {
            Aim::Win => self.source.has_value(after, Value::Loss, max_nodes),
            Aim::Hold => Some(!self.source.has_value(after, Value::Win, max_nodes)?),
        }
    }

    fn allows_leaves(&self, state: &State) -> bool {
        self.aim == Aim::Hold && state.rules().is_mnk()
    }

    /// Returns a leaf for a position in which the opponent is to move.
    fn leaf(&self, state: &State) -> Option<Leaf> {
        let position = state.position().filter(|_| self.allows_leaves(state))?;
        if Leaf::Weight.check(state, self.owner).is_ok() {
            return Some(Leaf::Weight);
        }
        let leaf = Leaf::Pairs(pairs(position, self.owner)?);
        leaf.check(state, self.owner).is_ok().then_some(leaf)
    }

    /// Estimates the number of entries needed after a move of the owner: one for each reply that a weight closes, and more for
    /// each other reply that needs an entry.
    ///
    /// If lines win, ties are broken in favour of heavy lines of the owner. Without this, the certificate of 6,6,4 has 52,528
    /// entries instead of 2,003, because quiet moves make no progress.
    fn cost(&self, after: &State) -> (usize, Reverse<Option<Weight>>) {
        let wants_lines = |position: &&Position| position.rules().goal() == Goal::Complete;
        let own_weight =
            after.position().filter(wants_lines).map(|position| Weight::new(position, !self.owner));
        let mut seen = HashSet::new();
        let open = after.moves().filter_map(|mv| after.after(mv).ok()).filter_map(|reply| {
            // Most replies need no entry; checking this first avoids computing their canonical forms.
            let needs_entry = !needs_no_entry(&reply, self.owner, self.aim);
            let canonical = needs_entry.then(|| reply.canonical())?;
            let marks = StateMarks::new(&canonical);
            let is_new = !self.known.contains(&marks) && seen.insert(marks);
            is_new.then_some(canonical)
        });
        (open.map(|reply| self.cost_of_reply(&reply)).sum(), Reverse(own_weight))
    }

    fn cost_of_reply(&self, reply: &State) -> usize {
        const OPEN: usize = 8;
        let Some(position) = reply.position().filter(|_| self.allows_leaves(reply)) else { return OPEN };
        let is_light = |mv| position.after(mv).is_ok_and(|after| Weight::new(&after, self.owner).is_light());
        if position.moves().any(is_light) { 1 } else { OPEN }
    }
}

/// Returns pairs by which `owner` holds, or `None` if none are found.
pub(crate) fn pairs(position: &Position, owner: Player) -> Option<Box<[[Square; 2]]>> {
    /// Most pairings are found after a few tries.
    const MAX_TRIES: u32 = 400;
    let lines: Vec<u64> = open_lines(position, !owner).map(|(_, empty)| empty.bits()).collect();
    let as_squares = |pair: u64| {
        let mut squares = SquareSet::from_bits(pair).iter();
        Some([squares.next()?, squares.next()?])
    };
    find_pairing(&lines, MAX_TRIES)?.into_iter().map(as_squares).collect()
}

/// Returns the moves that lead to positions different up to symmetry, each with its position.
fn candidates(state: &State) -> Vec<CandidateMove> {
    let mut seen = HashSet::new();
    let after = |mv| Some((mv, state.after(mv).ok()?));
    let is_new = |(_, after): &CandidateMove| seen.insert(StateMarks::new(&after.canonical()));
    state.moves().filter_map(after).filter(is_new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Question, Solver};
    use tictac::{Outcome, Rules};
    use tictac_proof::is_safe;

    /// Returns the positions of `rules` with up to `max_moves` moves, up to symmetry.
    fn positions(rules: Rules, max_moves: usize) -> Vec<Position> {
        let mut seen = HashSet::from([Position::start(&rules).unwrap()]);
        let mut found: Vec<Position> = seen.iter().copied().collect();
        let mut next = 0;
        while next < found.len() {
            let position = found[next];
            next += 1;
            let is_early = position.n_moves() < max_moves;
            let after =
                position.moves().filter(|_| is_early).map(|mv| position.after(mv).unwrap().canonical());
            found.extend(after.filter(|&after| seen.insert(after)));
        }
        found
    }

    fn does_not_lose(solver: &mut Solver, position: &Position, owner: Player) -> bool {
        let lost = if position.next_player() == owner { Value::Loss } else { Value::Win };
        solver.solve(position, Question::Weak, &|| false).value() != Some(lost)
    }

    #[test]
    fn a_player_with_a_leaf_does_not_lose_on_small_boards() {
        for (rules, max_moves) in [("3,3,3", 9), ("4,3,3", 6), ("2,4,3", 8), ("1,8,3", 8), ("4,4,4", 3)] {
            let rules: Rules = rules.parse().unwrap();
            let mut solver = Solver::new(&rules, 1 << 24);
            let mut n_leaves = [0, 0];
            for position in positions(rules, max_moves) {
                let state = State::One(position);
                for owner in Player::BOTH {
                    let pairs = pairs(&position, owner).map(Leaf::Pairs);
                    for (kind, leaf) in [Some(Leaf::Weight), pairs].into_iter().enumerate() {
                        if leaf.is_some_and(|leaf| leaf.check(&state, owner).is_ok()) {
                            n_leaves[kind] += 1;
                            assert!(
                                does_not_lose(&mut solver, &position, owner),
                                "{position} {owner} {kind}"
                            );
                        }
                    }
                }
            }
            assert!(n_leaves.iter().all(|&n| n > 10), "{rules}: {n_leaves:?}");
        }
    }

    #[test]
    fn a_safe_player_does_not_lose_in_any_variant() {
        for words in ["", " misere", " wild", " wild misere", " x-only", " x-only misere"] {
            let rules: Rules = format!("3,3,3{words}").parse().unwrap();
            let mut solver = Solver::new(&rules, 1 << 24);
            let mut n_safe = 0;
            for position in positions(rules, 9) {
                let is_over = matches!(position.status(), Status::Over(Outcome::Win(_)));
                for owner in Player::BOTH.into_iter().filter(|_| !is_over) {
                    if is_safe(&State::One(position), owner) {
                        n_safe += 1;
                        assert!(does_not_lose(&mut solver, &position, owner), "{rules}: {position} {owner}");
                    }
                }
            }
            assert_eq!(n_safe > 0, rules.only_mark().is_none(), "{rules}");
        }
    }
}
