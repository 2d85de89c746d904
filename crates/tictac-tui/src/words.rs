//! Sentences that the screen and line mode share.

use tictac::{Goal, Player, Rules, State, Value};
use tictac_solver::level::{Choice, Level};
use tictac_solver::{Answer, best_prospect, prospect};

use crate::history::PlayerOutcome;
use crate::seat::Seat;
use crate::session::{ComputerMove, GameEnding, GameSession, NextTurn};

/// Returns `text` with a capital letter at its start.
pub(crate) fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

pub(crate) fn sentence(message: &str) -> String {
    capitalized(message) + "."
}

/// Returns a number with its noun, such as `1 move` or `2 moves`.
pub(crate) fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// Returns what a game of these rules is called.
pub(crate) fn game_title(rules: &Rules) -> String {
    let result = if rules.goal() == Goal::Complete { "wins" } else { "loses" };
    if *rules == Rules::CLASSIC {
        "Tic-tac-toe".to_owned()
    } else if *rules == Rules::MISERE {
        "Misère tic-tac-toe: three in a row loses".to_owned()
    } else if *rules == Rules::WILD {
        "Wild tic-tac-toe: play either mark".to_owned()
    } else if rules.with_boards(1) == Ok(Rules::NOTAKTO) {
        match rules.n_boards() {
            1 => "Notakto: both play X, three in a row loses".to_owned(),
            n => format!("Notakto on {n} boards: the last three in a row loses"),
        }
    } else {
        format!("{rules}: {} in a row {result}", rules.line_length())
    }
}

/// Returns the value of a move as one or two letters and in words; `D+` and `D-` where only a bound is known.
pub(crate) fn value_names(answer: &Answer) -> (&'static str, &'static str) {
    match (answer.value(), answer.worst, answer.best) {
        (Some(Value::Win), ..) => ("W", "Win"),
        (Some(Value::Draw), ..) => ("D", "Draw"),
        (Some(Value::Loss), ..) => ("L", "Loss"),
        (None, Value::Draw, _) => ("D+", "Draw or win"),
        (None, _, Value::Draw) => ("D-", "Loss or draw"),
        _ => ("?", "Not known"),
    }
}

/// Returns the mark of a player, or their number where marks do not name players.
pub(crate) fn short_name(state: &State, player: Player) -> String {
    state.mark_of(player).map_or_else(|| player.to_string(), |mark| mark.to_string())
}

/// Returns what the player in a seat is called; a single person is "you".
pub(crate) fn seat_name(session: &GameSession, player: Player) -> String {
    match (session.seat(player), session.seat(!player)) {
        (Seat::Person, Seat::Person) => "person".to_owned(),
        (Seat::Person, _) => "you".to_owned(),
        (Seat::Computer(level), _) => format!("computer ({level})"),
        (Seat::Remote, _) => "remote".to_owned(),
    }
}

/// Returns whose turn it is or how the game ended, without a full stop.
pub(crate) fn status(session: &GameSession) -> String {
    match session.turn() {
        NextTurn::Person(player) if session.seat(!player) != Seat::Person => {
            format!("Your turn ({})", session.state().name(player))
        }
        NextTurn::DeadDraw(_) => "Dead draw".to_owned(),
        NextTurn::Over(ending) if session.single_person().is_some() => {
            match (PlayerOutcome::of(session), ending) {
                (Some(PlayerOutcome::Won), _) => "You win!".to_owned(),
                (_, GameEnding::Resigned(_)) => "You resigned: the computer wins".to_owned(),
                (_, GameEnding::OutOfTime(_)) => "Your time is up: the computer wins".to_owned(),
                (Some(PlayerOutcome::Lost), _) => "The computer wins".to_owned(),
                (_, GameEnding::Stopped) => "A draw: stopped as a dead draw".to_owned(),
                _ => "A draw".to_owned(),
            }
        }
        _ => capitalized(&session.status_line()),
    }
}

/// Returns the last move of the computer with its player, a verb, and what is proved about a perfect player's move.
pub(crate) fn computer_move(session: &GameSession, verb: &str) -> Option<String> {
    let ComputerMove { player, level, choice, .. } = session.last_computer_move()?;
    let (name, mv) = (capitalized(&session.state().name(player)), session.move_name(choice.mv));
    Some(format!("{name} {verb} {mv}{}.", proof(level, &choice)))
}

fn proof(level: Level, choice: &Choice) -> String {
    match (level, choice.proven) {
        (Level::Perfect, _) if choice.answer.value() == Some(Value::Win) => {
            format!(" and {}", prospect(&choice.answer))
        }
        (Level::Perfect, true) => format!(": {}", best_prospect(&choice.answer)),
        (Level::Perfect, false) => format!(" ({})", prospect(&choice.answer)),
        _ => String::new(),
    }
}
