//! The unfinished game as text, so that it survives a crash, a closed window and quitting.

use std::fmt::Write;

use tictac::{Game, Move, Rules, State};

use crate::app::game_view::GameCount;
use crate::record::check_n_boards;
use crate::seat::Seat;
use crate::session::{GameSession, NextTurn};
use crate::words::{counted, game_title, seat_name};

/// The unfinished game of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptGame {
    /// The game as it was left.
    pub session: GameSession,
    /// Whether and how it counts in the history.
    pub count: GameCount,
    /// Whether the level of the computer adapts to the player.
    pub adapts: bool,
}

/// Returns the game as text if it is unfinished and a person has a part in it.
pub(crate) fn text(session: &GameSession, count: GameCount, adapts: bool) -> Option<String> {
    let is_over = matches!(session.turn(), NextTurn::Over(_));
    if is_over || session.game().moves().is_empty() || !session.seats.contains(&Seat::Person) {
        return None;
    }
    let rules = session.rules();
    let names =
        |moves: &[Move]| moves.iter().map(|mv| mv.display(&rules).to_string()).collect::<Vec<_>>().join(", ");
    let undone: Vec<Move> = session.undone_moves().collect();
    let mut text = "# The unfinished game of `tictac play`; delete this file to forget it.\n".to_owned();
    for (key, value) in [
        ("rules", rules.to_string()),
        ("start", session.game().start().to_string()),
        ("first", session.seats[0].to_string()),
        ("second", session.seats[1].to_string()),
        ("seed", session.seed().to_string()),
        ("moves", names(session.game().moves())),
        ("undone", names(&undone)),
    ] {
        writeln!(text, "{key} = {value}").expect("writing to a string does not fail");
    }
    let marks = [(count.has_help, HELPED), (count.is_done, UNCOUNTED), (adapts, ADAPTIVE)];
    for (_, (key, value)) in marks.into_iter().filter(|(is_set, _)| *is_set) {
        writeln!(text, "{key} = {value}").expect("writing to a string does not fail");
    }
    Some(text)
}

// The lines that most games do not have.
const HELPED: (&str, &str) = ("helped", "yes");
const UNCOUNTED: (&str, &str) = ("counts", "no");
const ADAPTIVE: (&str, &str) = ("adapts", "yes");

/// Parses a game that [`text`] has written; returns `None` if it is not one, or is over.
pub(crate) fn parse(text: &str) -> Option<KeptGame> {
    let value = |key: &str| {
        let mut pairs = text.lines().filter_map(|line| line.split_once('='));
        pairs.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim())
    };
    let rules: Rules = value("rules")?.parse().ok()?;
    check_n_boards(&rules).ok()?;
    let start = State::parse(value("start")?, &rules).ok()?;
    let seats = [value("first")?.parse().ok()?, value("second")?.parse().ok()?];
    let seed = value("seed")?.parse().ok()?;
    let moves = |key| {
        let names = value(key).unwrap_or_default().split(',').map(str::trim).filter(|name| !name.is_empty());
        names.map(|name| rules.parse_move(name).ok()).collect::<Option<Vec<Move>>>()
    };
    let (played, undone) = (moves("moves")?, moves("undone")?);
    let mut game = Game::from(start);
    for &mv in played.iter().chain(&undone) {
        game.play(mv).ok()?;
    }
    let mut session = GameSession::replay(&game, seed);
    session.seats = seats;
    session.step(played.len().cast_signed());
    session.is_paused = !undone.is_empty();
    let has = |(key, expected): (&str, &str)| value(key) == Some(expected);
    let (count, adapts) = (GameCount { has_help: has(HELPED), is_done: has(UNCOUNTED) }, has(ADAPTIVE));
    self::text(&session, count, adapts).map(|_| KeptGame { session, count, adapts })
}

/// Returns what the game is, such as `Tic-tac-toe, you against computer (casual), 3 moves`.
pub(crate) fn description(session: &GameSession) -> String {
    let [first, second] =
        [tictac::Player::First, tictac::Player::Second].map(|player| seat_name(session, player));
    let moves = counted(session.game().moves().len(), "move");
    format!("{}, {first} against {second}, {moves}", game_title(&session.rules()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tictac_solver::level::Level;

    fn session(rules: &str, moves: &str) -> GameSession {
        let rules: Rules = rules.parse().unwrap();
        let mut session = GameSession::new(State::start(&rules), [Seat::Person; 2], 7);
        for name in moves.split(", ") {
            session.play(rules.parse_move(name).unwrap()).unwrap();
        }
        session.seats[1] = Seat::Computer(Level::Club);
        session
    }

    fn plain_text(session: &GameSession) -> Option<String> {
        text(session, GameCount::default(), false)
    }

    #[test]
    fn an_unfinished_game_parses_back_with_the_moves_that_were_taken_back() {
        for (rules, moves) in [
            ("3,3,3", "X B2, O A1"),
            ("3,3,3", "X B2, O A1, X A2"),
            ("wild", "O B2, X A1"),
            ("notakto boards=3", "X 2.B2, X 1.A1, X 2.A1"),
            ("8,8,5 misere", "X H8, O A1"),
        ] {
            for n_undone in [0, 1] {
                let mut kept = session(rules, moves);
                kept.step(-n_undone);
                for is_set in [false, true] {
                    let count = GameCount { has_help: is_set, is_done: !is_set };
                    let text = text(&kept, count, is_set).unwrap();
                    let KeptGame { session: back, .. } = parse(&text).unwrap();
                    assert_eq!((back.turn(), back.seats), (kept.turn(), kept.seats), "{rules} {moves}");
                    assert_eq!(parse(&text), Some(KeptGame { session: back, count, adapts: is_set }));
                }
            }
        }
    }

    #[test]
    fn a_game_is_kept_only_while_it_is_unfinished_and_played_by_a_person() {
        assert_eq!(plain_text(&session("3,3,3", "X A1, O B1, X A2, O B2, X A3")), None);
        let new = GameSession::new(State::start(&Rules::CLASSIC), [Seat::Person; 2], 7);
        assert_eq!(plain_text(&new), None);
        let mut watched = session("3,3,3", "X A1");
        watched.seats = [Seat::Computer(Level::Club); 2];
        assert_eq!(plain_text(&watched), None);
    }

    #[test]
    fn a_broken_file_is_no_game() {
        let whole = plain_text(&session("3,3,3", "X B2, O A1")).unwrap();
        for line in whole.lines().filter(|line| !line.starts_with(['#', 'u'])) {
            assert!(parse(&whole.replace(line, "")).is_none(), "without {line}");
            let key = line.split('=').next().unwrap();
            assert!(parse(&whole.replace(line, &format!("{key}= X B2, X B2"))).is_none(), "{key}");
        }
        assert!(parse(&whole.replace("rules = 3,3,3", "rules = notakto boards=1000000")).is_none());
        assert!(parse(&"moves = X A1\n".repeat(10_000)).is_none());
    }
}
