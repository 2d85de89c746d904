//! The value of every move of a position.

use serde::Serialize;
use tictac::solve::{Answer, Oracle, Question, Value};
use tictac::{Rules, State, Status};

use crate::config::Limits;
use crate::event::Side;
use crate::failure::Failure;
use crate::service::rules_within;
use crate::table::reason_of;
use crate::wire::VERSION;

/// What the oracle knows of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Analysis {
    /// The version of the wire.
    pub version: u32,
    /// The rules.
    pub rules: String,
    /// The position.
    pub position: String,
    /// Whose turn it is; null when the game is over.
    pub to_move: Option<Side>,
    /// What perfect play brings the player to move; null where it is not proved.
    pub value: Option<&'static str>,
    /// Plies to the end; null for a draw and where it is not proved.
    pub distance: Option<u32>,
    /// Whether value and distance are proved.
    pub proven: bool,
    /// Why no line can be completed any more, where that is so.
    pub dead: Option<&'static str>,
    /// Every legal move with its value for the one who makes it.
    pub moves: Vec<AnalysedMove>,
}

/// What a move brings the one who makes it.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value; null where it is not proved.
    pub value: Option<&'static str>,
    /// Plies to the end, this move included.
    pub distance: Option<u32>,
}

/// Reads a position of rules that this server plays.
///
/// # Errors
///
/// Returns what is wrong with the rules or the position.
pub fn read(rules: &str, position: Option<&str>, limits: &Limits) -> Result<State, Failure> {
    let rules: Rules = rules_within(rules, limits)?;
    match position {
        None => Ok(State::start(&rules)),
        Some(text) if text.len() > 1_000 => {
            Err(Failure::BadRequest("positions are shorter than that".to_owned()))
        }
        Some(text) => {
            State::parse(text, &rules).map_err(|error| Failure::BadRequest(format!("position: {error}")))
        }
    }
}

/// Asks the oracle about a position until `stop` says so.
pub fn analyse(state: &State, oracle: &mut Oracle, stop: &dyn Fn() -> bool) -> Analysis {
    let moves = oracle.moves(state, Question::Strong, stop);
    let answer = match state.status() {
        Status::ToMove(_) => Answer::from_moves(&moves),
        Status::Over(_) => oracle.solve(state, Question::Strong, stop),
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
        to_move: match state.status() {
            Status::ToMove(player) => Some(player.into()),
            Status::Over(_) => None,
        },
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
