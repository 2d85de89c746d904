//! The score of the games since the program was started, and the level that adapts to the player.

use tictac::{Player, State};
use tictac_solver::level::Level;

use crate::history::PlayerOutcome;
use crate::session::{GameSession, NextTurn};
use crate::words::{counted, short_name};

/// The score of the games since the program was started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameScore {
    // Games won by the person and the computer, or by the first and the second player if both or neither is a person.
    wins: [usize; 2],
    n_drawn: usize,
    is_of_person: bool,
    // Games without help won (or lost, if negative) in a row by the person at the current adaptive level.
    form: i32,
}

/// The number of games in a row after which the level adapts.
const GAMES_TO_ADAPT: i32 = 2;

impl GameScore {
    /// Adds a finished game; starts again if other players have played.
    pub fn add(&mut self, session: &GameSession) {
        let NextTurn::Over(ending) = session.turn() else { return };
        let person = session.single_person();
        if self.is_of_person != person.is_some() {
            *self = GameScore { is_of_person: person.is_some(), ..GameScore::default() };
        }
        match ending.winner() {
            Some(winner) => self.wins[usize::from(winner != person.unwrap_or(Player::First))] += 1,
            None => self.n_drawn += 1,
        }
    }

    /// Adds a game to the row that decides about the level; returns the level that suits the player better, after enough
    /// games won or lost in a row.
    pub fn adapted(&mut self, outcome: PlayerOutcome, level: Level) -> Option<Level> {
        self.form = match outcome {
            PlayerOutcome::Won => self.form.max(0) + 1,
            PlayerOutcome::Lost => self.form.min(0) - 1,
            PlayerOutcome::Drawn => 0,
        };
        let by = match self.form {
            form if form >= GAMES_TO_ADAPT => 1,
            form if form <= -GAMES_TO_ADAPT => -1,
            _ => return None,
        };
        self.form = 0;
        let index = Level::ALL.iter().position(|&other| other == level)?;
        Level::ALL.get(index.checked_add_signed(by)?).copied()
    }

    /// Returns the score in words, if a game has been finished.
    pub fn text(&self, state: &State) -> Option<String> {
        let [one, other] = self.wins;
        if one + other + self.n_drawn == 0 {
            return None;
        }
        let drawn = counted(self.n_drawn, "draw");
        if self.is_of_person {
            return Some(format!("You {one}, computer {other}, {drawn}"));
        }
        let name = |player| short_name(state, player);
        Some(format!("{} {one}, {} {other}, {drawn}", name(Player::First), name(Player::Second)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat::Seat;
    use tictac::Rules;

    fn resigned(seats: [Seat; 2], seats_at_end: [Seat; 2]) -> GameSession {
        let mut session = GameSession::new(State::start(&Rules::CLASSIC), seats, 7);
        session.resign();
        session.seats = seats_at_end;
        session
    }

    const CLUB: Seat = Seat::Computer(Level::Club);

    #[test]
    fn the_level_adapts_after_two_wins_or_losses_in_a_row() {
        let lost = resigned([Seat::Person, CLUB], [Seat::Person, CLUB]);
        let won = resigned([Seat::Person, CLUB], [CLUB, Seat::Person]);
        let mut score = GameScore::default();
        let mut play = |session, level| {
            score.add(session);
            score.adapted(PlayerOutcome::of(session).unwrap(), level)
        };
        assert_eq!(play(&won, Level::Club), None);
        assert_eq!(play(&won, Level::Club), Some(Level::Expert));
        assert_eq!(play(&won, Level::Expert), None);
        assert_eq!(play(&lost, Level::Expert), None);
        assert_eq!(play(&lost, Level::Expert), Some(Level::Club));
        assert_eq!((play(&lost, Level::Beginner), play(&lost, Level::Beginner)), (None, None));
        assert_eq!((play(&won, Level::Perfect), play(&won, Level::Perfect)), (None, None));
        assert_eq!(score.text(lost.state()).as_deref(), Some("You 5, computer 4, 0 draws"));
    }

    #[test]
    fn other_players_start_a_new_score() {
        let mut score = GameScore::default();
        assert_eq!(score.text(&State::start(&Rules::CLASSIC)), None);
        score.add(&resigned([Seat::Person, CLUB], [Seat::Person, CLUB]));
        let friends = resigned([Seat::Person; 2], [Seat::Person; 2]);
        score.add(&friends);
        assert_eq!(score.text(friends.state()).as_deref(), Some("X 0, O 1, 0 draws"));
    }
}
