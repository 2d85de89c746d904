//! Analysis of a position: the value of every move.

use serde::Serialize;
use tictac::solve::{Answer, Oracle, Question, Value};
use tictac::{State, Status};

use crate::config::ServerLimits;
use crate::event::Side;
use crate::failure::Failure;
use crate::hosted_game::reason_of;
use crate::service::rules_within;
use crate::wire::VERSION;

/// The analysis of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Analysis {
    /// The version of the API.
    pub version: u32,
    /// The rules as text.
    pub rules: String,
    /// The position as text.
    pub position: String,
    /// The side to move; null when the game is over.
    pub to_move: Option<Side>,
    /// The value for the player to move under perfect play; null if it is not proven.
    pub value: Option<&'static str>,
    /// Plies to the end of the game; null for a draw or if it is not proven.
    pub distance: Option<u32>,
    /// Whether value and distance are proven.
    pub proven: bool,
    /// Why no line can be completed any more, if that is so.
    pub dead: Option<&'static str>,
    /// All legal moves with their values.
    pub moves: Vec<AnalysedMove>,
}

/// The analysis of a move.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysedMove {
    /// The move as text.
    #[serde(rename = "move")]
    pub mv: String,
    /// The value for the player who makes the move; null if it is not proven.
    pub value: Option<&'static str>,
    /// Plies to the end of the game, including this move; null for a draw or if it is not proven.
    pub distance: Option<u32>,
}

/// Parses a position, checking that its rules are within the limits of this server.
///
/// # Errors
///
/// Returns what is wrong with the rules or the position.
pub fn parse(rules: &str, position: Option<&str>, limits: &ServerLimits) -> Result<State, Failure> {
    let rules = rules_within(rules, limits)?;
    match position {
        None => Ok(State::start(&rules)),
        Some(text) if text.len() > 1_000 => {
            Err(Failure::BadRequest("the position is longer than 1,000 bytes".to_owned()))
        }
        Some(text) => {
            State::parse(text, &rules).map_err(|error| Failure::BadRequest(format!("position: {error}")))
        }
    }
}

/// Analyses a position until `stop` returns true.
pub fn analyse(state: &State, oracle: &mut Oracle, stop: &dyn Fn() -> bool) -> Analysis {
    let moves = oracle.moves(state, Question::Strong, stop);
    let (answer, to_move) = match state.status() {
        Status::ToMove(player) => (Answer::from_moves(&moves), Some(player.into())),
        Status::Over(_) => (oracle.solve(state, Question::Strong, stop), None),
    };
    let rules = state.rules();
    let analysed = moves.iter().map(|(mv, answer)| AnalysedMove {
        mv: mv.display(rules).to_string(),
        value: answer.value().map(value_name),
        distance: answer.distance,
    });
    Analysis {
        version: VERSION,
        rules: rules.to_string(),
        position: state.to_string(),
        to_move,
        value: answer.value().map(value_name),
        distance: answer.distance,
        proven: answer.proven,
        dead: state.dead().map(reason_of),
        moves: analysed.collect(),
    }
}

/// Returns the name of a value in the API.
pub(crate) const fn value_name(value: Value) -> &'static str {
    match value {
        Value::Win => "win",
        Value::Draw => "draw",
        Value::Loss => "loss",
    }
}
