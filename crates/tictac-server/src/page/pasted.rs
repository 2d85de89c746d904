//! What people paste into the field for a game: besides records also links of replays, positions, lists of squares and PGN.

use std::fmt::Write;

use tictac::{Game, Line, Mark, Move, Outcome, Player, Position, Rules, SquareSet, State, Status};
use tictac_archive::{Conversion, Losses, Notation};

use super::link::from_link;
use crate::config::ServerLimits;

/// Returns a pasted text as a record. A text that is none of the other things stays as it is, so that its errors are marked in place.
pub(super) fn to_record(text: &str, limits: &ServerLimits) -> String {
    let pasted = text.trim();
    link(pasted, limits)
        .or_else(|| position(pasted))
        .or_else(|| squares(pasted, &Rules::CLASSIC))
        .or_else(|| pgn(pasted))
        .unwrap_or_else(|| text.to_owned())
}

fn record<'a>(rules: &Rules, moves: impl IntoIterator<Item = &'a str>) -> String {
    let mut record =
        if *rules == Rules::CLASSIC { String::new() } else { format!("[Rules \"{rules}\"]\n\n") };
    for (number, mv) in (1..).zip(moves) {
        let _ = writeln!(record, "{number} {mv}");
    }
    record
}

/// Reads the link of a replay, or its last part, such as `3,3,3/B2-A1`.
fn link(pasted: &str, limits: &ServerLimits) -> Option<String> {
    let game = pasted.split_once("/r#").map_or(pasted, |(_, game)| game);
    if game.contains(char::is_whitespace) {
        return None;
    }
    let (rules, moves) = from_link(&game.replace("%20", "+"), limits).ok()?;
    Some(record(&rules, moves.iter().map(String::as_str)))
}

/// Reads a position of one board, such as `X.O/.X./... O`, as a game that leads to it.
fn position(pasted: &str) -> Option<String> {
    let rows = pasted.split(' ').next()?;
    let columns = rows.split('/').next()?.len();
    let rules: Rules = match (rows.split('/').count(), columns) {
        (3, 3) => Rules::CLASSIC,
        (rows, columns) => format!("{rows},{columns},{}", rows.min(columns).min(5)).parse().ok()?,
    };
    let written =
        if pasted.contains(' ') { pasted.to_uppercase() } else { with_side(&pasted.to_uppercase()) };
    let State::One(position) = State::parse(&written, &rules).ok()? else { return None };
    let game = game_reaching(&position)?;
    Some(record(&rules, crate::hosted_game::move_texts(&game).iter().map(String::as_str)))
}

/// Returns the rows of a position with the side to move: X, unless X has more marks.
fn with_side(rows: &str) -> String {
    let count = |mark| rows.matches(mark).count();
    format!("{rows} {}", if count('X') > count('O') { 'O' } else { 'X' })
}

/// Returns a game that leads to a position: any order of the marks in which no line is completed before the last move.
fn game_reaching(position: &Position) -> Option<Game> {
    let (rules, board) = (position.rules(), position.board());
    if !rules.marks_name_players() {
        return None;
    }
    let winner = match position.status() {
        Status::Over(Outcome::Win(winner)) => position.mark_of(winner),
        _ => None,
    };
    let last = position.lines().map(Line::squares).reduce(|all, line| all & line).unwrap_or(SquareSet::EMPTY);
    let opener = position.opener();
    let ordered = |mark: Mark| {
        let squares = board.squares(mark);
        let end = last.iter().next().filter(|square| Some(mark) == winner && squares.contains(*square));
        let others: Vec<_> = squares.iter().filter(|square| Some(*square) != end).collect();
        others.into_iter().chain(end).collect::<Vec<_>>()
    };
    let (mut first, mut second) = (ordered(opener).into_iter(), ordered(!opener).into_iter());
    let mut game = Game::from(State::One(Position::start_with(rules, opener)?));
    for ply in 0.. {
        let player = Player::after_moves(ply);
        let (squares, mark) =
            if player == Player::First { (&mut first, opener) } else { (&mut second, !opener) };
        let Some(square) = squares.next() else { break };
        game.play(Move::new(square, mark)).ok()?;
    }
    Some(game)
}

/// Reads a list of squares such as `B2 A1 C3`, also with numbers, commas or in lower case.
fn squares(pasted: &str, rules: &Rules) -> Option<String> {
    let is_separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '-');
    let words = pasted.split(is_separator).filter(|word| !word.is_empty());
    let words = words.map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
    let is_result = |word: &&str| !matches!(*word, "" | "*" | "/2");
    let squares: Vec<String> = words.filter(is_result).map(str::to_uppercase).collect();
    let is_square = |word: &String| {
        let bytes = word.as_bytes();
        bytes.len() == 2 && bytes[0].is_ascii_uppercase() && bytes[1].is_ascii_digit()
    };
    if squares.is_empty() || !squares.iter().all(is_square) {
        return None;
    }
    let moves: Vec<String> = squares
        .iter()
        .enumerate()
        .filter_map(|(ply, square)| match rules.marks_of(Player::after_moves(ply), Mark::X) {
            [mark, ..] => Some(format!("{mark} {square}")),
            [] => None,
        })
        .collect();
    Some(record(rules, moves.iter().map(String::as_str)))
}

/// Reads PGN: that of a tournament, whose moves are in comments, or with drop moves, as `tictac convert` does.
fn pgn(pasted: &str) -> Option<String> {
    if !pasted.starts_with('[') {
        return None;
    }
    let games: Option<Vec<String>> = pgn_games(pasted).into_iter().map(|game| pgn_game(&game)).collect();
    games.filter(|games| !games.is_empty()).map(|games| games.join("\n\n"))
}

/// Returns the games of a PGN file: tags, and the text after them.
fn pgn_games(pasted: &str) -> Vec<String> {
    let mut games: Vec<String> = Vec::new();
    let mut is_movetext = true;
    for line in pasted.lines() {
        let is_tag = line.starts_with('[');
        if is_tag && is_movetext {
            games.push(String::new());
        }
        is_movetext = if line.trim().is_empty() { is_movetext } else { !is_tag };
        if let Some(game) = games.last_mut() {
            game.push_str(line);
            game.push('\n');
        }
    }
    games
}

fn pgn_game(game: &str) -> Option<String> {
    let tag = |name: &str| {
        let line = game.lines().find_map(|line| line.strip_prefix(&format!("[{name} \"")))?;
        line.strip_suffix("\"]")
    };
    let rules =
        match tag("Rules").or_else(|| tag("Variant").and_then(|name| name.strip_prefix("tic-tac-toe "))) {
            Some(rules) => rules.parse().ok()?,
            None => Rules::CLASSIC,
        };
    let movetext: String = game.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join("\n");
    if let Some((comment, _)) = movetext.split_once('{').and_then(|(_, rest)| rest.split_once('}'))
        && comment.split(", ").all(|mv| rules.parse_move(mv.trim()).is_ok())
    {
        return Some(record(&rules, comment.split(", ").map(str::trim)));
    }
    squares(&movetext, &rules).or_else(|| converted(game))
}

fn converted(game: &str) -> Option<String> {
    let conversion =
        Conversion { from: Some(Notation::Pgn), losses: Losses::Accepted, ..Conversion::default() };
    let mut record = Vec::new();
    for found in conversion.games(game.as_bytes()).ok()? {
        conversion.write(&found.ok()?, &mut record).ok()?;
    }
    String::from_utf8(record).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pasted: &str, record: &str) {
        assert_eq!(to_record(pasted, &ServerLimits::default()), record);
    }

    #[test]
    fn our_own_formats_are_accepted() {
        let record = "1 X B2\n2 O A1\n3 X C3\n";
        check(record, record);
        check("https://play.example/r#3,3,3/B2-A1-C3", record);
        check("3,3,3/B2-A1-C3", record);
        check("B2 A1 C3", record);
        check("b2, a1, c3\n", record);
        check("1. B2 A1 2. C3", record);
        check("https://play.example/r#4,4,3+wild/OB2-OA1", "[Rules \"4,4,3 wild\"]\n\n1 O B2\n2 O A1\n");
    }

    #[test]
    fn pgn_is_accepted() {
        let tags = "[Event \"Class\"]\n[Result \"*\"]\n[Variant \"tic-tac-toe 3,3,3\"]\n\n";
        check(&format!("{tags}{{X B2, O A1}} *\n\n"), "1 X B2\n2 O A1\n");
        check(&format!("{tags}{{X B2}} *\n\n{tags}{{X A1}} *\n"), "1 X B2\n\n\n1 X A1\n");
        check("[White \"Ann\"]\n[Result \"1-0\"]\n\n1. B2 A1 2. C3 1-0", "1 X B2\n2 O A1\n3 X C3\n");
        let drops = to_record("[Result \"*\"]\n\n1. P@b2 P@a3 *\n", &ServerLimits::default());
        assert!(drops.contains("1 X B2\n2 O A1\n"), "{drops}");
    }

    #[test]
    fn a_position_becomes_a_game_that_leads_to_it() {
        for (text, moves) in
            [("XO./.X./O.. X", 4), ("xo./.x./o..", 4), ("XXX/OO./... O", 5), ("X.../..../..../....", 1)]
        {
            let record = to_record(text, &ServerLimits::default());
            let rules = if text.contains("....") { "4,4,4" } else { "3,3,3" };
            let reply = crate::check::check(&rules.parse().unwrap(), record.as_bytes());
            let [game] = &reply.games[..] else { panic!("{record}") };
            assert!(game.faults.is_empty() && game.game.moves().len() == moves, "{text}: {record}");
            let rows = text.split(' ').next().unwrap().to_uppercase();
            assert!(game.game.state().to_string().starts_with(&rows), "{record}");
        }
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in ["1 X B2\n2 O B2\n", "hello", "", "B2 Z99", "[Event \"\n"] {
            check(text, text);
        }
    }
}
