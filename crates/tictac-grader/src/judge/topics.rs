//! Which requirements a valid record tests.

use tictac::notation::{LineReader, Referee, is_blank};
use tictac::{Direction, Mark, Outcome, Position, Rules, State, Status};

use crate::assignment::CourseProgram;

pub(crate) fn lines(input: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = input.split(|&byte| byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines
}

/// Returns the position after these lines, or `None` if there are none or one of them is invalid.
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

/// Adds the requirements on notation that a valid line tests, the rarest first.
pub(super) fn add_notation(line: &[u8], ids: &mut Vec<&'static str>) {
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

/// Adds the requirements that the values in a valid line test.
pub(super) fn add_values(line: &[u8], ids: &mut Vec<&'static str>) {
    let has = |wanted: &[u8]| line.windows(wanted.len()).any(|window| window.eq_ignore_ascii_case(wanted));
    if !has(b"A1") {
        ids.push("square");
    }
    if !has(b"X") {
        ids.push("player");
    }
    ids.push("number");
}

/// Adds the requirements that a valid game tests: first its notation, then its moves.
pub(super) fn add_game(input: &[u8], lines: &[&[u8]], ids: &mut Vec<&'static str>) {
    for line in lines {
        add_notation(line, ids);
    }
    if !input.is_empty() && !input.ends_with(b"\n") {
        ids.push("last-line");
    }
    let Some(position) = position_after(lines) else {
        ids.push("new-game");
        return;
    };
    match position.status() {
        Status::Over(Outcome::Win(_)) => add_win(&position, ids),
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

fn add_win(position: &Position, ids: &mut Vec<&'static str>) {
    let lines: Vec<_> = position.lines().collect();
    if lines.len() > 1 {
        ids.push("two-lines");
    }
    if position.n_moves() == 9 {
        ids.push("full-win");
    }
    ids.extend(lines.iter().map(|line| line_topic(Some(CourseProgram::GameCheck), line.direction())));
}

/// Returns the short id of the requirement about the end of a game by a line in this direction, which loses in Notakto.
pub(crate) const fn line_topic(course: Option<CourseProgram>, direction: Direction) -> &'static str {
    match (course, direction) {
        (Some(CourseProgram::Notakto), Direction::Row) => "lose-row",
        (Some(CourseProgram::Notakto), Direction::Column) => "lose-column",
        (Some(CourseProgram::Notakto), _) => "lose-diagonal",
        (_, Direction::Row) => "win-row",
        (_, Direction::Column) => "win-column",
        _ => "win-diagonal",
    }
}
