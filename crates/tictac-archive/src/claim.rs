//! The `Result` tag compared with the moves.

use tictac::notation::{Code, Fault, Referee};
use tictac::{Mark, Outcome, Player, Rules, Status};

/// The values that have a meaning under all rules.
const RESULTS: [&str; 7] = ["1", "1-0", "2", "0-1", "draw", "1/2-1/2", "*"];

/// Returns the fault in the value of a `Result` tag, if any; without `referee` it is not compared with the moves.
pub(crate) fn fault_of(value: &str, rules: &Rules, referee: Option<&Referee>) -> Option<Fault> {
    let is_mark = rules.marks_name_players() && ["X", "O"].contains(&value);
    if !is_mark && !RESULTS.contains(&value) {
        return Some(unknown(value, rules));
    }
    let referee = referee?;
    // The values that agree with the moves, the preferred one first.
    let right = match referee.status() {
        None | Some(Status::ToMove(_)) => ["*"; 3],
        Some(Status::Over(Outcome::Draw)) => ["draw", "draw", "1/2-1/2"],
        Some(Status::Over(Outcome::Win(player))) => {
            let (number, score) = if player == Player::First { ("1", "1-0") } else { ("2", "0-1") };
            let mark = referee.state().and_then(|state| state.mark_of(player));
            [mark.map_or(number, |mark| if mark == Mark::X { "X" } else { "O" }), number, score]
        }
    };
    if right.contains(&value) {
        return None;
    }
    let standing = match right[0] {
        "*" => "is unfinished".to_owned(),
        "draw" => "was drawn".to_owned(),
        mark @ ("X" | "O") => format!("was won by {mark}"),
        number => format!("was won by player {number}"),
    };
    let help = if referee.n_accepted() == 0 {
        "no moves follow; at most one blank line may stand between the tags and the moves".to_owned()
    } else {
        format!("under the rules {rules} the moves give [Result \"{}\"]", right[0])
    };
    let message = format!("the tag says {value:?}, but the game {standing}");
    Some(Fault::new(Code::WrongResult, message).with_help(help))
}

fn unknown(value: &str, rules: &Rules) -> Fault {
    let help = if rules.marks_name_players() {
        "a result is \"X\", \"O\", \"draw\" or \"*\" (unfinished); \"1-0\" means that the first player won, \"0-1\" \
         the second, \"1/2-1/2\" a draw"
    } else {
        "by these rules a result is \"1\" or \"2\" (that player won), \"draw\" or \"*\" (unfinished)"
    };
    Fault::new(Code::UnknownResult, format!("{value:?} is not a result")).with_help(help)
}
