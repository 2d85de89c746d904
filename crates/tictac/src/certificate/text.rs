//! The text form of a certificate.

use std::fmt;

use super::{Aim, Certificate, Leaf, State, Strategy, StrategyEntry};
use crate::mark::Player;
use crate::square::Square;

/// The first line of every certificate, which contains the version of the format.
pub(super) const FIRST_LINE: &str = "tictac certificate 1";

pub(super) const fn player_name(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}

pub(super) const fn aim_name(aim: Aim) -> &'static str {
    match aim {
        Aim::Win => "wins",
        Aim::Hold => "holds",
    }
}

/// Returns the line that starts a strategy.
pub(super) fn heading(owner: Player, aim: Aim) -> String {
    format!("strategy {} {}", player_name(owner), aim_name(aim))
}

impl Certificate {
    /// Returns the claim and the size of its proof in one line, such as `1,4,2: win (first player wins: 1 position)`.
    pub fn summary(&self) -> String {
        let strategy = |strategy: &Strategy| {
            let (owner, aim, n) = (player_name(strategy.owner), aim_name(strategy.aim), strategy.n_entries());
            format!("{owner} player {aim}: {n} {}", if n == 1 { "position" } else { "positions" })
        };
        let strategies: Vec<String> = self.strategies.iter().map(strategy).collect();
        let from = if self.start.n_moves() > 0 { format!(" from {}", self.start) } else { String::new() };
        format!("{}{from}: {} ({})", self.start.rules(), self.value, strategies.join("; "))
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE}")?;
        writeln!(f, "rules {}", self.start.rules())?;
        writeln!(f, "start {}", self.start)?;
        writeln!(f, "value {}", self.value)?;
        self.strategies.iter().try_for_each(|strategy| write_strategy(f, &self.start, strategy))?;
        writeln!(f, "end")
    }
}

fn write_strategy(f: &mut fmt::Formatter<'_>, start: &State, strategy: &Strategy) -> fmt::Result {
    writeln!(f, "{}", heading(strategy.owner, strategy.aim))?;
    strategy.entries.iter().try_for_each(|entry| write_entry(f, start, entry))
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
        None => {}
        Some(Leaf::Weight) => f.write_str(" weight")?,
        Some(Leaf::Pairs(pairs)) => {
            let name = |square: Square| rules.grid().name(square);
            f.write_str(" pairs")?;
            pairs.iter().try_for_each(|&[one, other]| write!(f, " {}-{}", name(one), name(other)))?;
        }
    }
    writeln!(f)
}
