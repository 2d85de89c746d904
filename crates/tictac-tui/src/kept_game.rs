//! The unfinished game as text, so that it survives a crash, a closed window and quitting.

use serde::{Deserialize, Serialize};
use tictac::{Game, Player, Status};
use toml::Table;

use crate::app::game_view::GameCount;
use crate::record::check_n_boards;
use crate::seat::Seat;
use crate::session::GameSession;
use crate::stored_text::{as_text, table};
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

/// The same in a file.
#[derive(Serialize, Deserialize)]
struct StoredGame {
    seats: [Seat; 2],
    #[serde(with = "as_text")]
    seed: u64,
    /// The number of moves that were taken back, of those of `game`.
    undone: usize,
    #[serde(default)]
    helped: bool,
    #[serde(default = "counts")]
    counts: bool,
    #[serde(default)]
    adapts: bool,
    game: Game,
}

const fn counts() -> bool {
    true
}

/// Returns the game as text if it is unfinished and a person has a part in it.
pub(crate) fn text(session: &GameSession, count: GameCount, adapts: bool) -> Option<String> {
    if session.turn().is_over() || session.game().moves().is_empty() || !session.seats.contains(&Seat::Person)
    {
        return None;
    }
    let mut game = session.game().clone();
    for mv in session.undone_moves() {
        game.play(mv).expect("a move that was played can be played again");
    }
    // A finished game that is stepped through.
    if matches!(game.status(), Status::Over(_)) {
        return None;
    }
    let stored = StoredGame {
        seats: session.seats,
        seed: session.seed(),
        undone: session.undone_moves().len(),
        helped: count.has_help,
        counts: !count.is_done,
        adapts,
        game,
    };
    let text = toml::to_string(&stored).expect("a game has a form in TOML");
    Some(format!("# The unfinished game of `tictac play`; delete this file to forget it.\n{text}"))
}

/// Parses a game that [`text`] has written; returns `None` if it is not one, or is over.
pub(crate) fn parse(text: &str) -> Option<KeptGame> {
    let table = table(text);
    let table = if table.contains_key("game") { table } else { of_earlier_version(table)? };
    let StoredGame { seats, seed, undone, helped, counts, adapts, game } = table.try_into().ok()?;
    check_n_boards(game.rules()).ok()?;
    let n_played = game.moves().len().checked_sub(undone)?;
    let mut session = GameSession::replay(&game, seed);
    session.seats = seats;
    session.step(n_played.cast_signed());
    session.is_paused = undone > 0;
    let count = GameCount { has_help: helped, is_done: !counts };
    self::text(&session, count, adapts).map(|_| KeptGame { session, count, adapts })
}

/// Returns the game of a file in which rules, start, moves and moves that were taken back are values of their own.
fn of_earlier_version(mut old: Table) -> Option<Table> {
    let (rules, state) = (old.remove("rules")?, old.remove("start")?);
    let start: Table = [("rules".to_owned(), rules), ("state".to_owned(), state)].into_iter().collect();
    let mut moves = old.remove("moves")?.as_array()?.clone();
    let undone = old.remove("undone").and_then(|undone| undone.as_array().cloned()).unwrap_or_default();
    old.insert("undone".to_owned(), i64::try_from(undone.len()).ok()?.into());
    moves.extend(undone);
    let game: Table =
        [("start".to_owned(), start.into()), ("moves".to_owned(), moves.into())].into_iter().collect();
    old.insert("game".to_owned(), game.into());
    Some(old)
}

/// Returns what the game is, such as `Tic-tac-toe, you against computer (casual), 3 moves`.
pub(crate) fn description(session: &GameSession) -> String {
    let [first, second] = Player::BOTH.map(|player| seat_name(session, player));
    let moves = counted(session.game().moves().len(), "move");
    format!("{}, {first} against {second}, {moves}", game_title(&session.rules()))
}

#[cfg(test)]
mod tests {
    use tictac::{Rules, State};
    use tictac_solver::level::Level;

    use super::*;

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
        let optional = ["helped", "counts", "adapts"];
        let is_needed = |line: &&str| line.contains('=') && !optional.iter().any(|key| line.starts_with(key));
        for line in whole.lines().filter(is_needed) {
            assert!(parse(&whole.replace(line, "")).is_none(), "without {line}");
            let key = line.split('=').next().unwrap();
            for wrong in ["[\"X B2\", \"X B2\"]", "\"99,99,9\"", "-1"] {
                assert!(parse(&whole.replace(line, &format!("{key}= {wrong}"))).is_none(), "{key} {wrong}");
            }
        }
        assert!(parse(&whole.replace("rules = \"3,3,3\"", "rules = \"notakto boards=1000000\"")).is_none());
        assert!(parse(&"moves = X A1\n".repeat(10_000)).is_none());
    }

    #[test]
    fn a_file_of_an_earlier_version_is_read() {
        let mut kept = session("notakto boards=3", "X 2.B2, X 1.A1, X 2.A1");
        kept.step(-1);
        let count = GameCount { has_help: true, is_done: true };
        let new = parse(&text(&kept, count, true).unwrap()).unwrap();
        let old = "# The unfinished game of `tictac play`; delete this file to forget it.\nrules = notakto boards=3\n\
                   start = .../.../...+.../.../...+.../.../... 1\nfirst = person\nsecond = club\nseed = 7\nmoves = X 2.B2, X 1.A1\n\
                   undone = X 2.A1\nhelped = yes\ncounts = no\nadapts = yes\n";
        assert_eq!(parse(old), Some(new));
        let plain = "rules = 3,3,3\nstart = .../.../... X\nfirst = person\nsecond = club\nseed = 18446744073709551615\nmoves = X B2\nundone = \n";
        let plain = parse(plain).unwrap();
        assert_eq!(
            (plain.count, plain.adapts, plain.session.seed()),
            (GameCount::default(), false, u64::MAX)
        );
        assert_eq!(plain.session.game().moves().len(), 1);
    }
}
