//! An analysis as text.

use std::io::{self, Write};

use tictac::notation::{Diagram, Style};
use tictac::{Move, Player, SquareSet, State, Value};
use tictac_archive::GameReport;
use tictac_solver::{Answer, JudgedMove, Oracle, Verdict};

use super::analysis::{GameAnalysis, TurningPoint};
use crate::diagnostic::{escape, escape_bytes};
use crate::json::{first_names, names};
use crate::paint::Paint;

/// Writes a heading, a table of the moves, and the first losing move.
pub(super) fn write(
    file: &str,
    report: &GameReport,
    analysis: &GameAnalysis,
    paint: Paint,
    out: &mut impl Write,
) -> io::Result<()> {
    let heading = format!("{}, game {} (line {})", escape(file), report.game, report.line);
    writeln!(out, "{}", paint.strong(heading))?;
    writeln!(out, "{}", subtitle(analysis))?;
    if analysis.judged.is_empty() {
        return writeln!(out, "no moves to rate");
    }
    writeln!(out)?;
    table(analysis, paint, out)?;
    writeln!(out)?;
    for player in Player::BOTH {
        writeln!(out, "{}", side(analysis, player))?;
    }
    match &analysis.turning_point {
        Some(turn) => turning_point(analysis, turn, paint, out),
        None => no_turning_point(analysis, out),
    }
}

/// Returns a line such as `3,3,3: Ada (X) against Bob (O); X wins (B1-B2-B3)`.
fn subtitle(analysis: &GameAnalysis) -> String {
    let game = &analysis.game;
    let tag = |name| game.tag(name).map(escape_bytes);
    let players = match (tag("X"), tag("O")) {
        (Some(x), Some(o)) => format!("{x} (X) against {o} (O); "),
        _ => String::new(),
    };
    format!("{}: {players}{}", game.rules, analysis.end().status_line())
}

fn table(analysis: &GameAnalysis, paint: Paint, out: &mut impl Write) -> io::Result<()> {
    let rules = &analysis.game.rules;
    let moves: Vec<String> = (1..)
        .zip(&analysis.judged)
        .map(|(number, judged)| format!("{number} {}", judged.mv.display(rules)))
        .collect();
    let width = moves.iter().map(String::len).max().unwrap_or(0).max(4);
    let values: Vec<[String; 2]> =
        analysis.judged.iter().map(|judged| [&judged.before, &judged.after].map(value_name)).collect();
    let value_width = values.iter().flatten().map(String::len).max().unwrap_or(0).max(6);
    let head =
        format!("{:width$}  {:value_width$}  {:value_width$}  verdict  better", "move", "before", "after");
    writeln!(out, "{}", paint.strong(head))?;
    for (index, judged) in analysis.judged.iter().enumerate() {
        let [before, after] = &values[index];
        let verdict = format!("{:7}", verdict_name(judged));
        let verdict = match judged.verdict {
            Some(Verdict::Best) => paint.added(verdict),
            Some(Verdict::Mistake) => paint.warning(verdict),
            Some(Verdict::Blunder) => paint.error(verdict),
            Some(Verdict::Ok) | None => verdict,
        };
        let better = first_names(analysis.better(index), rules);
        let line = format!(
            "{:width$}  {before:value_width$}  {after:value_width$}  {verdict}  {better}",
            moves[index]
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
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
    let kinds = ["best", "ok", "mistake", "blunder", "unknown"].into_iter().filter_map(|kind| {
        match moves.iter().filter(|judged| verdict_name(judged) == kind).count() {
            0 => None,
            1 => Some(format!("1 {kind}")),
            n if matches!(kind, "mistake" | "blunder") => Some(format!("{n} {kind}s")),
            n => Some(format!("{n} {kind}")),
        }
    });
    let n_moves = if moves.len() == 1 { "1 move".to_owned() } else { format!("{} moves", moves.len()) };
    let parts: Vec<String> = std::iter::once(n_moves).chain(kinds).collect();
    format!("{}: {}", analysis.end().name(player), parts.join(", "))
}

fn turning_point(
    analysis: &GameAnalysis,
    turn: &TurningPoint,
    paint: Paint,
    out: &mut impl Write,
) -> io::Result<()> {
    let judged = &analysis.judged[turn.index];
    let (before, after) = (&analysis.states[turn.index], &analysis.states[turn.index + 1]);
    let rules = before.rules();
    let mover = before.name(before.next_player());
    let name = format!("{} {}", turn.index + 1, judged.mv.display(rules));
    let first = if turn.is_surely_first { "the first losing move" } else { "the first move known to lose" };
    let could = match judged.before.value() {
        Some(Value::Win) => "could have won",
        _ => "could have drawn",
    };
    let better = match judged.best.as_slice() {
        [] => String::new(),
        best => format!(" with {}", or_list(analysis, best)),
    };
    writeln!(out, "\n{} is {first}: {mover} {could}{better}.", paint.error(name))?;
    writeln!(out)?;
    draw(after, judged.mv, paint, out)?;
    if !turn.punishment.is_empty() {
        writeln!(out, "\nPunished by {}.", names(&turn.punishment, rules).join(", "))?;
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

/// Returns the verdict as one word.
pub(super) fn verdict_name(judged: &JudgedMove) -> String {
    judged.verdict.map_or_else(|| "unknown".to_owned(), |verdict| verdict.to_string())
}

/// Returns a value such as `win in 5` or `draw`, or what is known about it, such as `no loss`.
pub(super) fn value_name(answer: &Answer) -> String {
    match (answer.value(), answer.distance) {
        (Some(value @ (Value::Win | Value::Loss)), Some(plies)) => format!("{value} in {plies}"),
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
    use std::time::Duration;

    use tictac::Rules;
    use tictac_archive::AnnotatedGame;

    use super::super::analyst::Analyst;
    use super::*;

    #[test]
    fn bounds_are_named() {
        let open = |worst, best| value_name(&Answer { worst, best, ..Answer::UNKNOWN });
        assert_eq!(open(Value::Draw, Value::Win), "no loss");
        assert_eq!(open(Value::Loss, Value::Draw), "no win");
        assert_eq!(open(Value::Loss, Value::Win), "unknown");
        assert_eq!(value_name(&Answer { distance: Some(3), ..Answer::proving(Value::Win) }), "win in 3");
    }

    #[test]
    fn a_long_list_of_moves_is_cut_and_the_rest_is_counted() {
        let mut analyst = Analyst::new(Duration::ZERO, 0);
        let analysis = GameAnalysis::of(AnnotatedGame::new(Rules::CLASSIC), &mut analyst);
        let moves: Vec<Move> = analysis.end().moves().collect();
        assert_eq!(or_list(&analysis, &moves), "A1, A2, A3, B1, B2, B3 or 3 more");
        assert_eq!(or_list(&analysis, &moves[..6]), "A1, A2, A3, B1, B2 or B3");
        assert_eq!(or_list(&analysis, &moves[..1]), "A1");
    }
}
