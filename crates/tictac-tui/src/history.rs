//! The games that the player has finished against the computer, and what they add up to.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::json;
use tictac::{Player, Rules};
use tictac_solver::level::Level;

use crate::seat::Seat;
use crate::session::{GameSession, NextTurn};
use crate::stored_text::as_text;

/// A finished game against the computer, from the point of view of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// When the game ended, in seconds since 1970.
    pub time: u64,
    /// How the game ended.
    pub outcome: PlayerOutcome,
    /// The level of the computer.
    #[serde(with = "as_text")]
    pub level: Level,
    /// Which of the two players the person was.
    pub player: Player,
    /// The number of moves.
    #[serde(rename = "moves")]
    pub n_moves: usize,
    /// Whether the player took moves back, changed the players, or looked at hints, values or verdicts.
    #[serde(rename = "helped")]
    pub has_help: bool,
    /// The rules of the game.
    pub rules: Rules,
}

/// How a game ended for the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayerOutcome {
    /// The player won.
    Won,
    /// Neither player won.
    Drawn,
    /// The computer won.
    Lost,
}

/// The finished games, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayHistory {
    games: Vec<GameResult>,
}

/// The sum of the games by the same rules at the same level that the player finished without help.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HistorySummary {
    /// The number of games won.
    pub n_won: usize,
    /// The number of games drawn.
    pub n_drawn: usize,
    /// The number of games lost.
    pub n_lost: usize,
    /// The number of games won in a row, up to the last one.
    pub streak: usize,
    /// The largest number of games won in a row.
    pub best_streak: usize,
}

/// The maximum number of games that are remembered; the oldest are forgotten.
const MAX_GAMES: usize = 10_000;

impl PlayerOutcome {
    /// Returns how a session ended for its person, if it is over and has exactly one.
    pub fn of(session: &GameSession) -> Option<PlayerOutcome> {
        let person = session.single_person()?;
        let NextTurn::Over(ending) = session.turn() else { return None };
        Some(match ending.winner() {
            None => PlayerOutcome::Drawn,
            Some(winner) if winner == person => PlayerOutcome::Won,
            Some(_) => PlayerOutcome::Lost,
        })
    }
}

impl fmt::Display for PlayerOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            PlayerOutcome::Won => "won",
            PlayerOutcome::Drawn => "drawn",
            PlayerOutcome::Lost => "lost",
        })
    }
}

impl GameResult {
    /// Returns the result of a session that is over and has one person; `time` is in seconds since 1970.
    pub fn of(session: &GameSession, has_help: bool, time: u64) -> Option<GameResult> {
        let outcome = PlayerOutcome::of(session)?;
        let player = session.single_person()?;
        let Seat::Computer(level) = session.seat(!player) else { return None };
        let (n_moves, rules) = (session.game().moves().len(), session.rules());
        Some(GameResult { time, outcome, level, player, n_moves, has_help, rules })
    }

    /// Parses a line of a history, which is JSON or, in earlier versions, such as `1763366400 won casual first 7 alone 3,3,3`.
    fn parse(line: &str) -> Option<GameResult> {
        if let Ok(result) = serde_json::from_str(line) {
            return Some(result);
        }
        let words: Vec<&str> = line.trim_end().splitn(7, ' ').collect();
        let [time, outcome, level, player, moves, help @ ("alone" | "helped"), rules] = words[..] else {
            return None;
        };
        let (time, moves): (u64, usize) = (time.parse().ok()?, moves.parse().ok()?);
        let helped = help == "helped";
        let result = json!({ "time": time, "outcome": outcome, "level": level, "player": player,
                             "moves": moves, "helped": helped, "rules": rules });
        serde_json::from_value(result).ok()
    }

    /// Returns the result as a line of a history.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("a result has a form in JSON")
    }
}

impl PlayHistory {
    /// Parses a history; lines that are not understood are ignored.
    pub fn parse(text: &str) -> PlayHistory {
        let mut games: Vec<GameResult> = text.lines().filter_map(GameResult::parse).collect();
        games.drain(..games.len().saturating_sub(MAX_GAMES));
        PlayHistory { games }
    }

    /// Returns the text of a history with one more game. The oldest one is left out if there are too many; lines that are not
    /// understood stay.
    pub(crate) fn with_result(text: &str, result: &GameResult) -> String {
        let is_game = |line: &str| GameResult::parse(line).is_some();
        let lines: Vec<&str> = text.lines().collect();
        let mut n_excess = (lines.iter().filter(|line| is_game(line)).count() + 1).saturating_sub(MAX_GAMES);
        let mut kept = String::with_capacity(text.len() + 200);
        for line in lines {
            if n_excess > 0 && is_game(line) {
                n_excess -= 1;
            } else {
                kept.extend([line, "\n"]);
            }
        }
        kept + &result.line() + "\n"
    }

    /// Returns the games, oldest first.
    pub fn games(&self) -> &[GameResult] {
        &self.games
    }

    /// Returns the sums of the games without help, by rules and level.
    pub fn summaries(&self) -> BTreeMap<(String, Level), HistorySummary> {
        let mut summaries: BTreeMap<(String, Level), HistorySummary> = BTreeMap::new();
        for game in self.games.iter().filter(|game| !game.has_help) {
            summaries.entry((game.rules.to_string(), game.level)).or_default().add(game.outcome);
        }
        summaries
    }
}

impl HistorySummary {
    const fn add(&mut self, outcome: PlayerOutcome) {
        match outcome {
            PlayerOutcome::Won => {
                self.n_won += 1;
                self.streak += 1;
            }
            PlayerOutcome::Drawn => self.n_drawn += 1,
            PlayerOutcome::Lost => self.n_lost += 1,
        }
        if !matches!(outcome, PlayerOutcome::Won) {
            self.streak = 0;
        }
        if self.streak > self.best_streak {
            self.best_streak = self.streak;
        }
    }
}

#[cfg(test)]
mod tests {
    use tictac::State;

    use super::*;

    fn result(outcome: PlayerOutcome, level: Level, rules: &str) -> GameResult {
        let (player, rules) = (Player::Second, rules.parse().unwrap());
        GameResult { time: 1_763_366_400, outcome, level, player, n_moves: 7, has_help: false, rules }
    }

    #[test]
    fn a_history_parses_back_and_ignores_what_it_does_not_understand() {
        let mut history = PlayHistory::default();
        history.games.push(result(PlayerOutcome::Won, Level::Casual, "3,3,3"));
        history.games.push(result(PlayerOutcome::Drawn, Level::Perfect, "5,4,3 wild misere"));
        let helped = result(PlayerOutcome::Lost, Level::Club, "notakto boards=3");
        history.games.push(GameResult { has_help: true, player: Player::First, ..helped });
        let text: String = history.games.iter().map(|game| game.line() + "\n").collect();
        assert_eq!(PlayHistory::parse(&text), history);
        assert!(text.starts_with(concat!(
            r#"{"time":1763366400,"outcome":"won","level":"casual","player":"second","moves":7,"helped":false,"#,
            r#""rules":"3,3,3"}"#
        )));
        let old = "# Games of `tictac play`\n1763366400 won casual second 7 alone 3,3,3\n\
                   1763366400 drawn perfect second 7 alone 5,4,3 wild misere\n1763366400 lost club first 7 helped notakto boards=3\n";
        assert_eq!(PlayHistory::parse(old), history);
        let text = "\n1 won\n1 won casual third 3 alone 3,3,3\nx\n\0\n1 won casual first 3 alone 99,99,9\n";
        assert_eq!(PlayHistory::parse(text), PlayHistory::default());
        let text = format!("{text}1763366400 won casual second 7 alone 3,3,3\r\n");
        assert_eq!(PlayHistory::parse(&text).games(), [result(PlayerOutcome::Won, Level::Casual, "3,3,3")]);
    }

    #[test]
    fn a_history_is_bounded() {
        let won = result(PlayerOutcome::Won, Level::Casual, "3,3,3");
        let line = won.line() + "\n";
        assert_eq!(PlayHistory::parse(&line.repeat(MAX_GAMES + 5)).games().len(), MAX_GAMES);
        let last = GameResult { outcome: PlayerOutcome::Lost, ..won };
        for n_before in [MAX_GAMES - 1, MAX_GAMES, MAX_GAMES + 1] {
            let history = PlayHistory::with_result(&line.repeat(n_before), &last);
            assert_eq!(history.lines().count(), MAX_GAMES);
            assert!(history.ends_with(&(last.line() + "\n")));
        }
    }

    #[test]
    fn streaks_count_wins_in_a_row_without_help_by_rules_and_level() {
        let mut history = PlayHistory::default();
        let outcomes = [PlayerOutcome::Won, PlayerOutcome::Won, PlayerOutcome::Drawn, PlayerOutcome::Won];
        for outcome in outcomes {
            history.games.push(result(outcome, Level::Casual, "3,3,3"));
        }
        history.games.push(result(PlayerOutcome::Lost, Level::Club, "3,3,3"));
        let helped = result(PlayerOutcome::Lost, Level::Casual, "3,3,3");
        history.games.push(GameResult { has_help: true, ..helped });
        let summaries = history.summaries();
        assert_eq!(
            summaries[&("3,3,3".to_owned(), Level::Casual)],
            HistorySummary { n_won: 3, n_drawn: 1, n_lost: 0, streak: 1, best_streak: 2 }
        );
        assert_eq!(summaries.len(), 2);
    }

    #[test]
    fn only_a_finished_game_of_one_person_has_a_result() {
        let rules = Rules::CLASSIC;
        let mut session = GameSession::new(State::start(&rules), [Seat::Person; 2], 7);
        for name in ["X A1", "O B1", "X A2", "O B2"] {
            session.play(rules.parse_move(name).unwrap()).unwrap();
        }
        session.seats[1] = Seat::Computer(Level::Club);
        assert_eq!(GameResult::of(&session, false, 0), None);
        session.play(rules.parse_move("X A3").unwrap()).unwrap();
        let game = GameResult::of(&session, false, 5).unwrap();
        assert_eq!(Some(game), GameResult::parse("5 won club first 5 alone 3,3,3"));
        session.swap();
        assert_eq!(PlayerOutcome::of(&session), Some(PlayerOutcome::Lost));
        session.seats = [Seat::Person; 2];
        assert_eq!(PlayerOutcome::of(&session), None);
    }
}
