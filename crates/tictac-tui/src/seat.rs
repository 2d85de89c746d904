//! Who plays a side.

use std::fmt;
use std::str::FromStr;

use tictac::level::Level;
use tictac::notation::UnknownLevel;

/// Who plays a side: a person at this terminal, or the computer at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A person at this terminal.
    Person,
    /// The computer at this level.
    Computer(Level),
}

impl Seat {
    /// Returns all seats: the person, then the levels from the weakest.
    pub fn all() -> impl DoubleEndedIterator<Item = Seat> + Clone {
        [Seat::Person].into_iter().chain(Level::ALL.into_iter().map(Seat::Computer))
    }

    /// Returns the next of [`Seat::all`]; the first one follows the last.
    #[must_use]
    pub fn next(self) -> Seat {
        Seat::all().cycle().skip_while(|&seat| seat != self).nth(1).unwrap_or(self)
    }

    /// Returns the previous of [`Seat::all`]; the last one precedes the first.
    #[must_use]
    pub fn previous(self) -> Seat {
        Seat::all().rev().cycle().skip_while(|&seat| seat != self).nth(1).unwrap_or(self)
    }

    /// Returns the level if the computer plays.
    pub const fn level(self) -> Option<Level> {
        match self {
            Seat::Person => None,
            Seat::Computer(level) => Some(level),
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Person => f.pad("person"),
            Seat::Computer(level) => level.fmt(f),
        }
    }
}

/// Parses `person` (or `me`, `human`) or the name of a level.
impl FromStr for Seat {
    type Err = UnknownSeat;

    fn from_str(text: &str) -> Result<Seat, UnknownSeat> {
        match text.to_ascii_lowercase().as_str() {
            "person" | "me" | "human" => Ok(Seat::Person),
            _ => text.parse().map(Seat::Computer).map_err(UnknownSeat),
        }
    }
}

/// The error for a text that is neither `person` nor the name of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSeat(UnknownLevel);

impl fmt::Display for UnknownSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, or person", self.0)
    }
}

impl std::error::Error for UnknownSeat {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_cycle_and_parse_back() {
        for seat in Seat::all() {
            assert_eq!(seat.next().previous(), seat);
            assert_eq!(seat.to_string().parse(), Ok(seat));
        }
        assert_eq!(Seat::Computer(Level::Perfect).next(), Seat::Person);
        assert_eq!("ME".parse(), Ok(Seat::Person));
        let error = "genius".parse::<Seat>().unwrap_err().to_string();
        assert!(error.contains("\"genius\"") && error.contains("person"), "{error}");
    }
}
