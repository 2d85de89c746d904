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
    writeln!(f, "strategy {} {}", player_name(strategy.owner), aim_name(strategy.aim))?;
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
