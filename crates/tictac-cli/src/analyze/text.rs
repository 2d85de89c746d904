//! An analysis as text.

use std::io::{self, Write};

use tictac::notation::{Diagram, Style};
use tictac::{Move, Player, Rules, SquareSet, State, Value};
use tictac_archive::{AnnotatedGame, GameReport};
use tictac_solver::{Answer, JudgedMove, Oracle, Verdict};

use super::analysis::{GameAnalysis, TurningPoint, better};
use crate::diagnostic::{escape, escape_bytes};
use crate::json::{first_names, names};
use crate::paint::Paint;

/// The number of columns of a value and of a verdict.
const VALUE_WIDTH: usize = 9;
const VERDICT_WIDTH: usize = 8;

/// Writes a heading, and the head of the table if there are moves.
pub(super) fn write_heading(
    file: &str,
    report: &GameReport,
    game: &AnnotatedGame,
    paint: Paint,
    out: &mut impl Write,
) -> io::Result<()> {
    let heading = format!("{}, game {} (line {})", escape(file), report.game, report.line);
    writeln!(out, "{}", paint.strong(heading))?;
    writeln!(out, "{}", subtitle(game))?;
    if game.moves.is_empty() {
        return writeln!(out, "no moves to rate");
    }
    let width = move_width(game.moves.len(), &game.rules);
    let head = format!(
        "{:width$}  {:VALUE_WIDTH$}  {:VALUE_WIDTH$}  {:VERDICT_WIDTH$}  better",
        "move", "before", "after", "verdict"
    );
    writeln!(out, "\n{}", paint.strong(head))
}

/// Writes the line of a move in the table.
pub(super) fn write_row(
    judged: &JudgedMove,
    width: usize,
    paint: Paint,
    out: &mut impl Write,
) -> io::Result<()> {
    let rules = judged.state.rules();
    let mv = format!("{} {}", judged.state.n_moves() + 1, judged.mv.display(rules));
    let verdict = format!("{:VERDICT_WIDTH$}", verdict_name(judged));
    let verdict = match judged.verdict.or(judged.estimate) {
        Some(Verdict::Best) => paint.added(verdict),
        Some(Verdict::Mistake) => paint.warning(verdict),
        Some(Verdict::Blunder) => paint.error(verdict),
        Some(Verdict::Ok) | None => verdict,
    };
    let (before, after) = (value_name(&judged.before), value_name(&judged.after));
    let better = first_names(&better(judged), rules);
    let line = format!("{mv:width$}  {before:VALUE_WIDTH$}  {after:VALUE_WIDTH$}  {verdict}  {better}");
    writeln!(out, "{}", line.trim_end())
}

/// Returns the number of columns of the names of moves.
pub(super) fn move_width(n_moves: usize, rules: &Rules) -> usize {
    let longest = State::start(rules).moves().last().map_or(0, |mv| mv.display(rules).to_string().len());
    (n_moves.to_string().len() + 1 + longest).max(4)
}

/// Writes what follows the table: the moves of each side by quality, and the first losing move.
pub(super) fn write_result(analysis: &GameAnalysis, paint: Paint, out: &mut impl Write) -> io::Result<()> {
    writeln!(out)?;
    for player in Player::BOTH {
        writeln!(out, "{}", side(analysis, player))?;
    }
    match analysis.turning_point() {
        Some(turn) => turning_point(analysis, &turn, paint, out),
        None => no_turning_point(analysis, out),
    }
}

/// Returns a line such as `3,3,3: Ada (X) against Bob (O); X wins (B1-B2-B3)`.
fn subtitle(game: &AnnotatedGame) -> String {
    let tag = |name| game.tag(name).map(escape_bytes);
    let players = match (tag("X"), tag("O")) {
        (Some(x), Some(o)) => format!("{x} (X) against {o} (O); "),
        _ => String::new(),
    };
    let end = game.play().expect("the moves of a game are legal");
    format!("{}: {players}{}", game.rules, end.status_line())
}

/// Returns a line such as `X: 4 moves, 3 best, 1 ok`.
fn side(analysis: &GameAnalysis, player: Player) -> String {
    let moves: Vec<&JudgedMove> = analysis
        .judged
        .iter()
        .enumerate()
        .filter(|&(number, _)| Player::after_moves(number) == player)
        .map(|(_, judged)| judged)
        .collect();
    let kinds = ["best", "ok", "mistake", "blunder", "mistake?", "blunder?", "unknown"]
        .into_iter()
        .filter_map(|kind| match moves.iter().filter(|judged| verdict_name(judged) == kind).count() {
            0 => None,
            1 => Some(format!("1 {kind}")),
            n if matches!(kind, "mistake" | "blunder") => Some(format!("{n} {kind}s")),
            n => Some(format!("{n} {kind}")),
        });
    let n_moves = if moves.len() == 1 { "1 move".to_owned() } else { format!("{} moves", moves.len()) };
    let parts: Vec<String> = std::iter::once(n_moves).chain(kinds).collect();
    format!("{}: {}", analysis.end.name(player), parts.join(", "))
}

fn turning_point(
    analysis: &GameAnalysis,
    turn: &TurningPoint<'_>,
    paint: Paint,
    out: &mut impl Write,
) -> io::Result<()> {
    let judged = turn.judged;
    let before = &judged.state;
    let rules = before.rules();
    let mover = before.name(before.next_player());
    let name = paint.error(format!("{} {}", turn.index + 1, judged.mv.display(rules)));
    let first = if turn.is_surely_first { "the first losing move" } else { "the first move known to lose" };
    let better = match better(judged).as_slice() {
        [] => String::new(),
        best => format!(" with {}", or_list(analysis, best)),
    };
    let reason = judged.reason().map(|reason| format!(" ({reason})")).unwrap_or_default();
    match judged.before.value() {
        Some(Value::Win) => writeln!(out, "\n{name} is {first}: {mover} could have won{better}.")?,
        Some(_) => writeln!(out, "\n{name} is {first}: {mover} could have drawn{better}.")?,
        None => writeln!(
            out,
            "\n{name} {}{reason}; {mover} may have held{better} (not proven).",
            judged.outcome()
        )?,
    }
    writeln!(out)?;
    draw(&before.after(judged.mv).expect("the moves of a game are legal"), judged.mv, paint, out)?;
    if !turn.punishment().is_empty() {
        writeln!(out, "\nPunished by {}.", names(turn.punishment(), rules).join(", "))?;
    }
    Ok(())
}

fn no_turning_point(analysis: &GameAnalysis, out: &mut impl Write) -> io::Result<()> {
    let is_known = analysis.judged.iter().all(|judged| judged.verdict.is_some());
    let has_error = analysis.judged.iter().any(|judged| judged.verdict.is_some_and(Verdict::is_error));
    let text = match (is_known, has_error) {
        (true, false) => "No mistakes.",
        (true, true) => "No move turned a win or a draw into a loss.",
        (false, _) if Oracle::is_too_large(&analysis.game.rules) => {
            "These boards are too large to rate moves on."
        }
        (false, _) => "Values marked unknown were not proven in time; use --think to allow more.",
    };
    writeln!(out, "\n{text}")
}

/// Draws the board of a move, with the move in brackets.
fn draw(state: &State, mv: Move, paint: Paint, out: &mut impl Write) -> io::Result<()> {
    let n_boards = state.n_boards();
    if n_boards > 1 {
        writeln!(out, "Board {} of {n_boards}", mv.board + 1)?;
    }
    let board = state.boards().nth(mv.board as usize).unwrap_or_default();
    let diagram =
        Diagram::new(state.rules().grid(), board, Style::Plain).with_emphasis(SquareSet::of(mv.square));
    write!(out, "{}", paint.diagram(&diagram.to_string()))
}

/// Returns the verdict as one word, with a question mark if it is not proved.
pub(super) fn verdict_name(judged: &JudgedMove) -> String {
    match (judged.verdict, judged.estimate) {
        (Some(verdict), _) => verdict.to_string(),
        (None, Some(verdict)) => format!("{verdict}?"),
        (None, None) => "unknown".to_owned(),
    }
}

/// Returns a value such as `win in 3`, in moves of the winner, or `draw`, or what is known about it, such as `no loss`.
pub(super) fn value_name(answer: &Answer) -> String {
    match (answer.value(), answer.distance) {
        (Some(value @ (Value::Win | Value::Loss)), Some(plies)) => {
            format!("{value} in {}", plies.div_ceil(2))
        }
        (Some(value), _) => value.to_string(),
        (None, _) => match (answer.worst, answer.best) {
            (Value::Draw, _) => "no loss".to_owned(),
            (_, Value::Draw) => "no win".to_owned(),
            _ => "unknown".to_owned(),
        },
    }
}

/// Returns a list such as `A1, A3 or C1`.
fn or_list(analysis: &GameAnalysis, moves: &[Move]) -> String {
    let names = first_names(moves, &analysis.game.rules);
    match names.rsplit_once(", ") {
        Some((others, last)) => format!("{others} or {last}"),
        None => names,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_named() {
        let open = |worst, best| value_name(&Answer { worst, best, ..Answer::UNKNOWN });
        assert_eq!(open(Value::Draw, Value::Win), "no loss");
        assert_eq!(open(Value::Loss, Value::Draw), "no win");
        assert_eq!(open(Value::Loss, Value::Win), "unknown");
        assert_eq!(value_name(&Answer { distance: Some(3), ..Answer::proving(Value::Win) }), "win in 2");
    }

    #[test]
    fn a_long_list_of_moves_is_cut_and_the_rest_is_counted() {
        let end = State::start(&Rules::CLASSIC);
        let moves: Vec<Move> = end.moves().collect();
        let analysis = GameAnalysis { game: AnnotatedGame::new(Rules::CLASSIC), judged: Vec::new(), end };
        assert_eq!(or_list(&analysis, &moves), "A1, A2, A3, B1, B2, B3 or 3 more");
        assert_eq!(or_list(&analysis, &moves[..6]), "A1, A2, A3, B1, B2 or B3");
        assert_eq!(or_list(&analysis, &moves[..1]), "A1");
    }
}
