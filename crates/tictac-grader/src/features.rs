//! What is special in a record that is fine.

use tictac::notation::{LineReader, Referee, is_blank};
use tictac::{Direction, Mark, Outcome, Position, Rules, State, Status};

/// Returns the lines of a record; after a final newline there is none.
pub(crate) fn lines(input: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = input.split(|&byte| byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines
}

/// Returns where the game stands after these lines, unless it is new or one of them is bad.
pub(crate) fn position_after(lines: &[&[u8]]) -> Option<Position> {
    let mut referee = Referee::new(&Rules::CLASSIC);
    for line in lines {
        let mut reader = LineReader::new(&Rules::CLASSIC);
        line.iter().try_for_each(|&byte| reader.push(byte)).ok()?;
        referee.judge(reader.finish().ok()?).ok()?;
    }
    match referee.state() {
        Some(State::One(position)) => Some(*position),
        _ => None,
    }
}

/// Adds what is special in the way a good line is written, the rarest first.
pub(crate) fn of_line(line: &[u8], ids: &mut Vec<&'static str>) {
    let comment = line.iter().position(|&byte| byte == b'#');
    let code = &line[..comment.unwrap_or(line.len())];
    let words: Vec<&[u8]> = code.split(|&byte| is_blank(byte)).filter(|word| !word.is_empty()).collect();
    let [number, player, square] = words[..] else { return };
    let end = code.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
    let tail = &code[end..];
    if comment.is_some() {
        ids.push("comment");
    }
    if (comment.is_some() && tail != b" ") || (comment.is_none() && !tail.is_empty()) {
        ids.push("trailing");
    }
    if end != number.len() + player.len() + square.len() + 2 || code[..end].iter().any(|&byte| byte < b' ') {
        ids.push("separators");
    }
    if player[0].is_ascii_lowercase() {
        ids.push("player");
    }
    if square[0].is_ascii_lowercase() {
        ids.push("square");
    }
}

/// Adds what a good line says, where nothing about its spelling is special.
pub(crate) fn of_values(line: &[u8], ids: &mut Vec<&'static str>) {
    let has = |wanted: &[u8]| line.windows(wanted.len()).any(|window| window.eq_ignore_ascii_case(wanted));
    if !has(b"A1") {
        ids.push("square");
    }
    if !has(b"X") {
        ids.push("player");
    }
    ids.push("number");
}

/// Adds what is special in a good game: how it is written, then how it went.
pub(crate) fn of_game(input: &[u8], lines: &[&[u8]], ids: &mut Vec<&'static str>) {
    for line in lines {
        of_line(line, ids);
    }
    if !input.is_empty() && !input.ends_with(b"\n") {
        ids.push("last-line");
    }
    let Some(position) = position_after(lines) else {
        ids.push("new-game");
        return;
    };
    match position.status() {
        Status::Over(Outcome::Win(_)) => of_win(&position, ids),
        Status::Over(Outcome::Draw) => ids.push("draw"),
        Status::ToMove(_) => {}
    }
    if position.opener() == Mark::O {
        ids.push("first-player");
    }
    if matches!(position.status(), Status::ToMove(_)) {
        ids.push("turn");
    }
}

fn of_win(position: &Position, ids: &mut Vec<&'static str>) {
    let lines: Vec<_> = position.lines().collect();
    // A win by two lines, or with the ninth move, is first of all a win by its line.
    if lines.len() > 1 {
        ids.push("two-lines");
    }
    if position.n_moves() == 9 {
        ids.push("full-win");
    }
    ids.extend(lines.iter().map(|line| match line.direction() {
        Direction::Row => "win-row",
        Direction::Column => "win-column",
        _ => "win-diagonal",
    }));
}
