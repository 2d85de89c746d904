//! `Serialize` and `Deserialize`: each value is written as its text, and what is read is checked like any other text.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::Display;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::game::Game;
use crate::mark::Mark;
use crate::notakto::Boards;
use crate::notation::PositionError;
use crate::position::Position;
use crate::rules::Rules;
use crate::state::State;

/// Written as text, such as `"4,4,3 misere"`.
impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Written as `"X"` or `"O"`.
impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Mark {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Mark, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "X" => Ok(Mark::X),
            "O" => Ok(Mark::O),
            other => Err(D::Error::custom(format_args!("expected X or O, found {other:?}"))),
        }
    }
}

/// A state with the rules that its text depends on.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SerializedState {
    rules: Rules,
    state: String,
}

impl SerializedState {
    fn write<S: Serializer>(rules: &Rules, state: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
        SerializedState { rules: *rules, state: state.to_string() }.serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>, T>(
        deserializer: D,
        parse: impl Fn(&str, &Rules) -> Result<T, PositionError>,
    ) -> Result<T, D::Error> {
        let fields = SerializedState::deserialize(deserializer)?;
        parse(&fields.state, &fields.rules).map_err(D::Error::custom)
    }
}

/// Implements both traits for a type that has its rules and a text.
macro_rules! serialize_with_rules {
    ($($type:ident),*) => {$(
        /// Written as an object with its rules and its text: `{"rules": "3,3,3", "state": ".../.X./... O"}`.
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                SerializedState::write(self.rules(), self, serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                SerializedState::read(deserializer, $type::parse)
            }
        }
    )*};
}

serialize_with_rules!(Position, Boards, State);

/// A game as its start and its moves.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SerializedGame {
    start: State,
    moves: Vec<String>,
}

/// Written as an object with its start and its moves: `{"start": …, "moves": ["B2", "A1"]}`.
impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let moves = self.moves().iter().map(|mv| mv.name(self.rules()).to_string()).collect();
        SerializedGame { start: self.start().clone(), moves }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
        let fields = SerializedGame::deserialize(deserializer)?;
        let mut game = Game::from(fields.start);
        for (number, text) in (1..).zip(&fields.moves) {
            let error = |why: &dyn Display| D::Error::custom(format_args!("move {number}, {text:?}: {why}"));
            let mv = game.state().parse_move(text).map_err(|why| error(&why))?;
            game.play(mv).map_err(|why| error(&why))?;
        }
        Ok(game)
    }
}
