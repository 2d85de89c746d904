//! An analysis in words, for a person.

use std::io::{self, Write};

use tictac::notation::{Diagram, Style};
use tictac::solve::{Answer, Value};
use tictac::{JudgedMove, Move, Player, SquareSet, State, Verdict};
use tictac_archive::GameReport;

use super::analysis::{Analysis, TurningPoint};
use super::analyst::Analyst;
use crate::diagnostic::escape;
use crate::paint::Paint;

/// How many better moves are named in the table, and in a sentence.
const MAX_IN_TABLE: usize = 6;

/// Tells what was found: a heading, a table of the moves, and where it went wrong.
pub(super) fn tell(
    file: &str,
    report: &GameReport,
    analysis: &Analysis,
    paint: Paint,
    out: &mut impl Write,
) -> io::Result<()> {
    let heading = format!("{}, game {} (line {})", escape(file.as_bytes()), report.game, report.line);
    writeln!(out, "{}", paint.strong(heading))?;
    writeln!(out, "{}", subtitle(analysis))?;
    if analysis.judged.is_empty() {
        return writeln!(out, "no moves to judge");
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

/// `3,3,3: Ada (X) against Bob (O); X wins (B1-B2-B3)`.
fn subtitle(analysis: &Analysis) -> String {
    let game = &analysis.game;
    let tag = |name| game.tag(name).map(escape);
    let players = match (tag("X"), tag("O")) {
        (Some(x), Some(o)) => format!("{x} (X) against {o} (O); "),
        _ => String::new(),
    };
    format!("{}: {players}{}", game.rules, analysis.end().status_line())
}

fn table(analysis: &Analysis, paint: Paint, out: &mut impl Write) -> io::Result<()> {
    let rules = &analysis.game.rules;
    let moves: Vec<String> = (1..)
        .zip(&analysis.judged)
        .map(|(number, judged)| format!("{number} {}", judged.mv.display(rules)))
        .collect();
    let width = moves.iter().map(String::len).max().unwrap_or(0).max(4);
    let worths: Vec<[String; 2]> =
        analysis.judged.iter().map(|judged| [&judged.before, &judged.after].map(worth)).collect();
    let worth_width = worths.iter().flatten().map(String::len).max().unwrap_or(0).max(6);
    let head =
        format!("{:width$}  {:worth_width$}  {:worth_width$}  verdict  better", "move", "before", "after");
    writeln!(out, "{}", paint.strong(head))?;
    for (place, judged) in analysis.judged.iter().enumerate() {
        let [before, after] = &worths[place];
        let verdict = format!("{:7}", found(judged));
        let verdict = match judged.verdict {
            Some(Verdict::Best) => paint.praise(verdict),
            Some(Verdict::Mistake) => paint.doubt(verdict),
            Some(Verdict::Blunder) => paint.culprit(verdict),
            Some(Verdict::Ok) | None => verdict,
        };
        let better = names(analysis, analysis.better(place), MAX_IN_TABLE);
        let line = format!(
            "{:width$}  {before:worth_width$}  {after:worth_width$}  {verdict}  {better}",
            moves[place]
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// `X: 4 moves, 3 best, 1 ok`.
fn side(analysis: &Analysis, player: Player) -> String {
    let moves: Vec<&JudgedMove> = analysis
        .judged
        .iter()
        .enumerate()
        .filter(|&(number, _)| Player::after_moves(number) == player)
        .map(|(_, judged)| judged)
        .collect();
    let kinds = ["best", "ok", "mistake", "blunder", "unknown"].into_iter().filter_map(|kind| {
        match moves.iter().filter(|judged| found(judged) == kind).count() {
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
    analysis: &Analysis,
    turn: &TurningPoint,
    paint: Paint,
    out: &mut impl Write,
) -> io::Result<()> {
    let judged = &analysis.judged[turn.place];
    let (before, after) = (&analysis.states[turn.place], &analysis.states[turn.place + 1]);
    let rules = before.rules();
    let mover = before.name(before.next_player());
    let name = format!("{} {}", turn.place + 1, judged.mv.display(rules));
    let first = if turn.is_surely_first { "the first losing move" } else { "the first move known to lose" };
    let could = match judged.before.value() {
        Some(Value::Win) => "could have won",
        _ => "could have drawn",
    };
    let better = match judged.best.as_slice() {
        [] => String::new(),
        best => format!(" with {}", or_list(analysis, best)),
    };
    writeln!(out, "\n{} is {first}: {mover} {could}{better}.", paint.culprit(name))?;
    writeln!(out)?;
    draw(after, judged.mv, paint, out)?;
    if !turn.punishment.is_empty() {
        let line = turn.punishment.iter().map(|&mv| mv.display(rules).to_string());
        writeln!(out, "\nIt is punished by {}.", list(line, ", "))?;
    }
    Ok(())
}

fn no_turning_point(analysis: &Analysis, out: &mut impl Write) -> io::Result<()> {
    let is_known = analysis.judged.iter().all(|judged| judged.verdict.is_some());
    let has_error = analysis.judged.iter().any(|judged| judged.verdict.is_some_and(Verdict::is_error));
    let text = match (is_known, has_error) {
        (true, false) => "No move gave anything away.",
        (true, true) => "No move lost what was not lost.",
        (false, _) if Analyst::is_beyond(&analysis.game.rules) => {
            "Boards this large, so many of them, are not judged, however long one thinks."
        }
        (false, _) => "What is unknown was not proved in time; --think allows more.",
    };
    writeln!(out, "\n{text}")
}

/// Draws the board of a move, which is emphasised.
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

/// The verdict in a word.
pub(super) fn found(judged: &JudgedMove) -> String {
    judged.verdict.map_or_else(|| "unknown".to_owned(), |verdict| verdict.to_string())
}

/// `win in 5`, `draw`, and where it is not known what is left.
pub(super) fn worth(answer: &Answer) -> String {
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

/// The names of the first few moves.
fn names(analysis: &Analysis, moves: &[Move], limit: usize) -> String {
    let rules = analysis.game.rules;
    let names = moves.iter().take(limit).map(|&mv| mv.name(&rules).to_string());
    let more = moves.len().saturating_sub(limit);
    let more = (more > 0).then(|| format!("{more} more"));
    list(names.chain(more), ", ")
}

/// `A1`, `A1 or A3`, `A1, A3 or C1`.
fn or_list(analysis: &Analysis, moves: &[Move]) -> String {
    let names = names(analysis, moves, MAX_IN_TABLE);
    match names.rsplit_once(", ") {
        Some((others, last)) => format!("{others} or {last}"),
        None => names,
    }
}

/// Words with something between them.
pub(super) fn list(words: impl Iterator<Item = String>, between: &str) -> String {
    words.collect::<Vec<_>>().join(between)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tictac::Rules;
    use tictac_archive::AnnotatedGame;

    use super::*;

    #[test]
    fn bounds_are_put_into_words() {
        let open = |worst, best| worth(&Answer { worst, best, ..Answer::UNKNOWN });
        assert_eq!(open(Value::Draw, Value::Win), "no loss");
        assert_eq!(open(Value::Loss, Value::Draw), "no win");
        assert_eq!(open(Value::Loss, Value::Win), "unknown");
        assert_eq!(worth(&Answer { distance: Some(3), ..Answer::proving(Value::Win) }), "win in 3");
    }

    #[test]
    fn a_long_list_of_moves_is_cut_and_the_rest_is_counted() {
        let mut analyst = Analyst::new(Duration::ZERO, 0);
        let analysis = Analysis::of(AnnotatedGame::new(Rules::CLASSIC), &mut analyst);
        let moves: Vec<Move> = analysis.end().moves().collect();
        assert_eq!(or_list(&analysis, &moves), "A1, A2, A3, B1, B2, B3 or 3 more");
        assert_eq!(or_list(&analysis, &moves[..6]), "A1, A2, A3, B1, B2 or B3");
        assert_eq!(or_list(&analysis, &moves[..1]), "A1");
    }
}
