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
pub(crate) struct Analysis {
    /// The version of the API.
    pub(crate) version: u32,
    /// The rules as text.
    pub(crate) rules: String,
    /// The position as text.
    pub(crate) position: String,
    /// The side to move; null when the game is over.
    pub(crate) to_move: Option<Side>,
    /// The value for the player to move under perfect play; null if it is not proven.
    pub(crate) value: Option<String>,
    /// Plies to the end of the game; null for a draw or if it is not proven.
    pub(crate) distance: Option<u32>,
    /// Whether value and distance are proven.
    pub(crate) proven: bool,
    /// Why no line can be completed any more, if that is so.
    pub(crate) dead: Option<&'static str>,
    /// All legal moves with their values.
    pub(crate) moves: Vec<AnalysedMove>,
}

/// The analysis of a move.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AnalysedMove {
    /// The move as text.
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// The value for the player who makes the move; null if it is not proven.
    pub(crate) value: Option<String>,
    /// Plies to the end of the game, including this move; null for a draw or if it is not proven.
    pub(crate) distance: Option<u32>,
}

/// Parses a position, checking that its rules are within the limits of this server.
pub(crate) fn parse(rules: &str, position: Option<&str>, limits: &ServerLimits) -> Result<State, Failure> {
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
pub(crate) fn analyse(state: &State, oracle: &mut Oracle, stop: &dyn Fn() -> bool) -> Analysis {
    let moves = oracle.moves(state, Question::Strong, stop);
    let (answer, to_move) = match state.status() {
        Status::ToMove(player) => (Answer::from_moves(&moves), Some(player.into())),
        Status::Over(_) => (oracle.solve(state, Question::Strong, stop), None),
    };
    let rules = state.rules();
    let analysed = moves.iter().map(|(mv, answer)| AnalysedMove {
        mv: mv.display(rules).to_string(),
        value: answer.value().as_ref().map(Value::to_string),
        distance: answer.distance,
    });
    Analysis {
        version: VERSION,
        rules: rules.to_string(),
        position: state.to_string(),
        to_move,
        value: answer.value().as_ref().map(Value::to_string),
        distance: answer.distance,
        proven: answer.proven,
        dead: state.dead().map(reason_of),
        moves: analysed.collect(),
    }
}
