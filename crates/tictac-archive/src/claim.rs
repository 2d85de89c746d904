//! The `Result` tag compared with the moves.

use tictac::notation::{Code, Fault, Referee};
use tictac::{Mark, Outcome, Player, Rules, Status};

/// The meaning of a `Result` tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    Won(Mark),
    WonBy(Player),
    Drawn,
    Unfinished,
}

/// Returns the fault in the value of a `Result` tag, if any; without `referee` it is not compared with the moves.
pub(crate) fn fault_of(value: &str, rules: &Rules, referee: Option<&Referee>) -> Option<Fault> {
    match (Claim::parse(value, rules), referee) {
        (None, _) => Some(unknown(value, rules)),
        (Some(claim), Some(referee)) if !claim.holds(referee) => Some(contradicted(value, rules, referee)),
        _ => None,
    }
}

impl Claim {
    fn parse(value: &str, rules: &Rules) -> Option<Claim> {
        let marks_name_players = rules.marks_name_players();
        match value {
            "X" if marks_name_players => Some(Claim::Won(Mark::X)),
            "O" if marks_name_players => Some(Claim::Won(Mark::O)),
            "1" | "1-0" => Some(Claim::WonBy(Player::First)),
            "2" | "0-1" => Some(Claim::WonBy(Player::Second)),
            "draw" | "1/2-1/2" => Some(Claim::Drawn),
            "*" => Some(Claim::Unfinished),
            _ => None,
        }
    }

    fn holds(self, referee: &Referee) -> bool {
        let Some(Status::Over(outcome)) = referee.status() else { return self == Claim::Unfinished };
        match (self, outcome) {
            (Claim::Drawn, Outcome::Draw) => true,
            (Claim::WonBy(claimed), Outcome::Win(player)) => claimed == player,
            (Claim::Won(mark), Outcome::Win(player)) => mark_of(player, referee) == Some(mark),
            _ => false,
        }
    }
}

fn mark_of(player: Player, referee: &Referee) -> Option<Mark> {
    referee.state()?.mark_of(player)
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

fn contradicted(value: &str, rules: &Rules, referee: &Referee) -> Fault {
    let (standing, right) = match referee.status() {
        None | Some(Status::ToMove(_)) => ("is unfinished".to_owned(), "*"),
        Some(Status::Over(Outcome::Draw)) => ("was drawn".to_owned(), "draw"),
        Some(Status::Over(Outcome::Win(player))) => match (mark_of(player, referee), player) {
            (Some(Mark::X), _) => ("was won by X".to_owned(), "X"),
            (Some(Mark::O), _) => ("was won by O".to_owned(), "O"),
            (None, Player::First) => (format!("was won by player {player}"), "1"),
            (None, Player::Second) => (format!("was won by player {player}"), "2"),
        },
    };
    let help = if referee.n_accepted() == 0 {
        "no moves follow; a blank line between the tags and the moves ends the game".to_owned()
    } else {
        format!("under the rules {rules} the moves give [Result \"{right}\"]")
    };
    let message = format!("the tag says {value:?}, but the game {standing}");
    Fault::new(Code::WrongResult, message).with_help(help)
}
