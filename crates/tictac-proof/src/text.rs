//! The text form of a certificate.

use std::fmt;

use crate::blocking_check::BlockingEntry;
use crate::{Aim, BlockingPlan, Certificate, Leaf, State, Strategy, StrategyEntry, StrategyPlan};
use tictac::{Player, Rules, Square};

/// The first line of a certificate, by the version of the format: only the second has strategies that block.
pub(crate) const FIRST_LINES: [&str; 2] = ["tictac certificate 1", "tictac certificate 2"];

pub(crate) const fn player_name(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}

pub(crate) const fn aim_name(aim: Aim) -> &'static str {
    match aim {
        Aim::Win => "wins",
        Aim::Hold => "holds",
    }
}

/// The claim of a strategy that prevents every line of the opponent.
pub(crate) const BLOCKS: &str = "blocks";

/// The claim of a strategy that uses the other player's.
pub(crate) const COPIES: &str = "copies";

/// Returns the line that starts a strategy of moves.
pub(crate) fn heading(owner: Player, aim: Aim) -> String {
    format!("strategy {} {}", player_name(owner), aim_name(aim))
}

impl Certificate {
    /// Returns the claim and the size of its proof in one line, such as `1,4,2: win (first player wins: 1 position)`.
    pub fn summary(&self) -> String {
        let strategy = |strategy: &Strategy| {
            let (owner, claim) = (player_name(strategy.owner), claim_name(strategy));
            match (&strategy.plan, strategy.n_entries()) {
                (StrategyPlan::Copies, _) => format!("{owner} player {claim}"),
                (_, 1) => format!("{owner} player {claim}: 1 position"),
                (_, n) => format!("{owner} player {claim}: {n} positions"),
            }
        };
        let strategies: Vec<String> = self.strategies.iter().map(strategy).collect();
        let from = if self.start.n_moves() > 0 { format!(" from {}", self.start) } else { String::new() };
        format!("{}{from}: {} ({})", self.start.rules(), self.value, strategies.join("; "))
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_first = |strategy: &Strategy| matches!(strategy.plan, StrategyPlan::Moves(_));
        let version = usize::from(!self.strategies.iter().all(is_first));
        writeln!(f, "{}", FIRST_LINES[version])?;
        writeln!(f, "rules {}", self.start.rules())?;
        writeln!(f, "start {}", self.start)?;
        writeln!(f, "value {}", self.value)?;
        self.strategies.iter().try_for_each(|strategy| write_strategy(f, &self.start, strategy))?;
        writeln!(f, "end")
    }
}

/// Returns the word for what a strategy claims.
const fn claim_name(strategy: &Strategy) -> &'static str {
    match strategy.plan {
        StrategyPlan::Moves(_) => aim_name(strategy.aim),
        StrategyPlan::Blocks(_) => BLOCKS,
        StrategyPlan::Copies => COPIES,
    }
}

fn write_strategy(f: &mut fmt::Formatter<'_>, start: &State, strategy: &Strategy) -> fmt::Result {
    write!(f, "strategy {} {}", player_name(strategy.owner), claim_name(strategy))?;
    match &strategy.plan {
        StrategyPlan::Moves(entries) => {
            writeln!(f)?;
            entries.iter().try_for_each(|entry| write_entry(f, start, entry))
        }
        StrategyPlan::Blocks(plan) => write_blocking(f, start, strategy.owner, plan),
        StrategyPlan::Copies => writeln!(f),
    }
}

fn write_blocking(
    f: &mut fmt::Formatter<'_>,
    start: &State,
    owner: Player,
    plan: &BlockingPlan,
) -> fmt::Result {
    let rules = start.rules();
    if let Some(square) = plan.first {
        write!(f, " {}", rules.grid().name(square))?;
    }
    writeln!(f)?;
    let opponent = start.mark_of(!owner).ok_or(fmt::Error)?;
    for BlockingEntry { position, answers, .. } in &plan.entries {
        writeln!(f, "{}", position.text(rules, opponent))?;
        for pairing in &answers.pairings {
            write!(f, "pairs {}", rules.grid().name(pairing.square))?;
            write_pairs(f, rules, &pairing.pairs, '-')?;
        }
        if !answers.moves.is_empty() {
            f.write_str("moves")?;
            write_pairs(f, rules, &answers.moves, ':')?;
        }
    }
    Ok(())
}

/// Writes pairs of squares and ends the line.
fn write_pairs(
    f: &mut fmt::Formatter<'_>,
    rules: &Rules,
    pairs: &[[Square; 2]],
    between: char,
) -> fmt::Result {
    let name = |square: Square| rules.grid().name(square);
    pairs.iter().try_for_each(|&[one, other]| write!(f, " {}{between}{}", name(one), name(other)))?;
    writeln!(f)
}

fn write_entry(f: &mut fmt::Formatter<'_>, start: &State, entry: &StrategyEntry) -> fmt::Result {
    let state = entry.marks.to_state(start);
    let rules = state.rules();
    write!(f, "{state}")?;
    let (mv, leaf) = entry.action.move_and_leaf();
    if let Some(mv) = mv {
        write!(f, " move {}", mv.display(rules))?;
    }
    match leaf {
        None => writeln!(f),
        Some(Leaf::Weight) => writeln!(f, " weight"),
        Some(Leaf::Pairs(pairs)) => {
            f.write_str(" pairs")?;
            write_pairs(f, rules, pairs, '-')
        }
    }
}
