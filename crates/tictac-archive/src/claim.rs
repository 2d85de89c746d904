//! What a `Result` tag claims, and whether the game agrees.

use tictac::notation::{Code, Fault, Referee};
use tictac::{Mark, Outcome, Player, Rules, Status};

/// What a `Result` tag can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    Won(Mark),
    WonBy(Player),
    Drawn,
    Unfinished,
}

/// Returns what is wrong with the value of a `Result` tag, given the moves of the game.
pub(crate) fn fault_of(value: &str, rules: &Rules, referee: &Referee) -> Option<Fault> {
    match Claim::read(value, rules) {
        None => Some(unknown(value, rules)),
        Some(claim) if claim.holds(referee) => None,
        Some(_) => Some(contradicted(value, rules, referee)),
    }
}

/// Returns what is wrong with the value of a `Result` tag in a game whose moves are not known.
pub(crate) fn fault_in_itself(value: &str, rules: &Rules) -> Option<Fault> {
    Claim::read(value, rules).is_none().then(|| unknown(value, rules))
}

impl Claim {
    fn read(value: &str, rules: &Rules) -> Option<Claim> {
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
            (Claim::Won(mark), Outcome::Win(player)) => {
                referee.position().and_then(|position| position.mark_of(player)) == Some(mark)
            }
            _ => false,
        }
    }
}

fn unknown(value: &str, rules: &Rules) -> Fault {
    let values = if rules.marks_name_players() {
        "a result is \"X\", \"O\", \"draw\" or \"*\" (unfinished); \"1-0\", \"0-1\" and \"1/2-1/2\" name the first \
         and the second player and a draw"
    } else {
        "where marks do not name players, a result is \"1\", \"2\", \"draw\" or \"*\" (unfinished)"
    };
    Fault::new(Code::UnknownResult, format!("{value:?} is not a result")).with_help(values)
}

fn contradicted(value: &str, rules: &Rules, referee: &Referee) -> Fault {
    let (standing, right) = match referee.status() {
        None | Some(Status::ToMove(_)) => ("is unfinished".to_owned(), "*"),
        Some(Status::Over(Outcome::Draw)) => ("was drawn".to_owned(), "draw"),
        Some(Status::Over(Outcome::Win(player))) => {
            match referee.position().and_then(|position| position.mark_of(player)) {
                Some(Mark::X) => ("was won by X".to_owned(), "X"),
                Some(Mark::O) => ("was won by O".to_owned(), "O"),
                None => {
                    (format!("was won by player {player}"), if player == Player::First { "1" } else { "2" })
                }
            }
        }
    };
    let help = if referee.n_accepted() == 0 {
        "no move follows: a blank line between the tags and the moves would end the game".to_owned()
    } else {
        format!("by the rules {rules} its moves say [Result \"{right}\"]")
    };
    let message = format!("the tag says {value:?}, but the game {standing}");
    Fault::new(Code::WrongResult, message).with_help(help)
}
