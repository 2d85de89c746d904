//! Who plays a side.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tictac::notation::nearest;
use tictac_solver::level::{Level, UnknownLevel};

use crate::stored_text::as_text;

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A person at this terminal.
    Person,
    /// The computer at this level.
    Computer(Level),
    /// A player on a server, whose moves come over the network.
    Remote,
}

impl Seat {
    /// Returns the seats that a player can choose: the person, then the levels from the weakest.
    pub fn all() -> Vec<Seat> {
        [Seat::Person].into_iter().chain(Level::ALL.map(Seat::Computer)).collect()
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Person => f.pad("person"),
            Seat::Computer(level) => level.fmt(f),
            Seat::Remote => f.pad("remote"),
        }
    }
}

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        as_text::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        as_text::deserialize(deserializer)
    }
}

/// Parses `person` (or `me`, `human`) or the name of a level.
impl FromStr for Seat {
    type Err = String;

    fn from_str(text: &str) -> Result<Seat, String> {
        match text.to_ascii_lowercase().as_str() {
            "person" | "me" | "human" => Ok(Seat::Person),
            _ => text.parse().map(Seat::Computer).map_err(|error: UnknownLevel| {
                let seats: Vec<String> = Seat::all().iter().map(Seat::to_string).collect();
                match nearest(text, seats.iter().map(String::as_str)) {
                    Some(name) => format!("there is no player {text:?}; did you mean {name}?"),
                    None => format!("{error}, or person"),
                }
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_parse_back() {
        for seat in Seat::all() {
            assert_eq!(seat.to_string().parse(), Ok(seat));
        }
        assert_eq!("ME".parse(), Ok(Seat::Person));
        let error = "genius".parse::<Seat>().unwrap_err();
        assert!(error.contains("\"genius\"") && error.contains("person"), "{error}");
    }
}
