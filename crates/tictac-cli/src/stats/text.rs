//! Statistics as text.

use std::io::{self, Write};
use std::time::Duration;

use tictac::Rules;
use tictac_archive::{FirstError, Opening, Play, Results, RulesStats, SidePlay, Stats};

use crate::json::first_names;
use crate::paint::Paint;
use crate::summary::{bar, grouped, throughput};

/// Throughput is shown only for runs and archives large enough to measure it.
const MIN_TIME: Duration = Duration::from_millis(100);
const MIN_BYTES: u64 = 1_000_000;

pub(super) fn write(
    stats: &Stats,
    min_games: u64,
    time: Duration,
    paint: Paint,
    out: &mut impl Write,
) -> io::Result<()> {
    for (place, found) in stats.by_rules.iter().enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        write_rules(found, min_games, paint, out)?;
    }
    if stats.n_of_other_rules > 0 {
        writeln!(out, "\n{} games of other rules are not shown", grouped(stats.n_of_other_rules))?;
    }
    if stats.totals.bad > 0 {
        writeln!(out, "\nskipped {}; run tictac check to see why", counted(stats.totals.bad, "bad game"))?;
    }
    if time >= MIN_TIME && stats.n_bytes >= MIN_BYTES {
        writeln!(out, "\n{}", throughput(stats.n_bytes, time))?;
    }
    Ok(())
}

fn write_rules(found: &RulesStats, min_games: u64, paint: Paint, out: &mut impl Write) -> io::Result<()> {
    let (n_games, n_moves) = (found.results.games(), found.moves);
    let heading = format!("{}: {}, {}", found.rules, counted(n_games, "game"), counted(n_moves, "move"));
    writeln!(out, "{}\n", paint.strong(heading))?;
    write_results(found, out)?;
    write_heading(out, paint, "length in moves")?;
    for (length, results) in &found.lengths {
        write_row(out, &format!("{length:>6}  "), results.games(), n_games)?;
    }
    write_openings(found, min_games, paint, out)?;
    write_play(&found.play, &found.rules, paint, out)
}

fn write_results(found: &RulesStats, out: &mut impl Write) -> io::Result<()> {
    let results = &found.results;
    let rows = [
        ("first player won", results.first_won),
        ("second player won", results.second_won),
        ("drawn", results.drawn),
        ("unfinished", results.unfinished),
    ];
    for (name, count) in rows {
        write_row(out, &format!("{name:<18}"), count, results.games())?;
    }
    if let Some(score) = results.first_score() {
        let lead =
            share(results.first_won, results.finished()) - share(results.second_won, results.finished());
        let (lead, leader) = (lead.abs() * 100.0, if lead < 0.0 { "second" } else { "first" });
        writeln!(
            out,
            "the first player scores {:.1} % (a draw is half a point); the {leader} player wins {lead:.1} more games \
             per 100",
            score * 100.0,
        )?;
    }
    if found.o_opened > 0 {
        writeln!(out, "O moved first in {}; marks are swapped below", counted(found.o_opened, "game"))?;
    }
    Ok(())
}

fn write_openings(found: &RulesStats, min_games: u64, paint: Paint, out: &mut impl Write) -> io::Result<()> {
    let tree = found.openings.tree(min_games);
    if tree.replies.is_empty() {
        return Ok(());
    }
    let width = grouped(tree.results.games()).len().max(5);
    let mut rows = Vec::new();
    tree.replies.iter().for_each(|opening| add_rows(opening, &found.rules, &mut rows));
    let name_width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(7);
    let head =
        format!("{:name_width$}  {:>width$}   share   first  second   drawn   score", "opening", "games");
    writeln!(out, "\n{}", paint.strong(head))?;
    for (name, results) in rows {
        let of_all = percent(share(results.games(), tree.results.games()));
        let of_finished = |count| percent(share(count, results.finished()));
        let score = results.first_score().map_or_else(|| "      -".to_owned(), percent);
        writeln!(
            out,
            "{name:name_width$}  {:>width$} {of_all} {} {} {} {score}",
            grouped(results.games()),
            of_finished(results.first_won),
            of_finished(results.second_won),
            of_finished(results.drawn),
        )?;
    }
    if found.openings.n_cut > 0 {
        let n_cut = counted(found.openings.n_cut, "game");
        writeln!(out, "too many openings: {n_cut} could not be followed to this depth")?;
    }
    Ok(())
}

fn add_rows(opening: &Opening, rules: &Rules, rows: &mut Vec<(String, Results)>) {
    let Some(&mv) = opening.moves.last() else { return };
    let name = mv.name(rules);
    rows.push((format!("{:indent$}{name}", "", indent = 2 * (opening.moves.len() - 1)), opening.results));
    opening.replies.iter().for_each(|reply| add_rows(reply, rules, rows));
}

fn write_play(play: &Play, rules: &Rules, paint: Paint, out: &mut impl Write) -> io::Result<()> {
    write_heading(out, paint, "play")?;
    let n_games = play.perfect + play.flawed + play.unjudged;
    for (name, count) in
        [("without mistakes", play.perfect), ("with mistakes", play.flawed), ("not rated", play.unjudged)]
    {
        if count > 0 || name != "not rated" {
            let width = grouped(n_games).len();
            writeln!(out, "{name:<18}{:>width$} {}", grouped(count), percent(share(count, n_games)))?;
        }
    }
    writeln!(out, "\n               moves    best      ok  mistake  blunder   unrated")?;
    for (name, side) in [("first player", &play.first), ("second player", &play.second)] {
        writeln!(out, "{name:<13} {}", side_line(side))?;
    }
    if !play.first_errors.is_empty() {
        write_heading(out, paint, "most frequent first mistakes")?;
        let width = grouped(play.first_errors[0].games).len();
        for error in &play.first_errors {
            writeln!(out, "{:>width$}  {}", grouped(error.games), error_line(error, rules))?;
        }
    }
    Ok(())
}

fn side_line(side: &SidePlay) -> String {
    let of_judged = |count| percent(share(count, side.judged()));
    let unjudged = percent(share(side.unjudged, side.judged() + side.unjudged));
    format!(
        "{:>6} {} {}  {}  {}   {unjudged}",
        short(side.judged() + side.unjudged),
        of_judged(side.best),
        of_judged(side.ok),
        of_judged(side.mistakes),
        of_judged(side.blunders),
    )
}

/// Returns a line such as `O A2 in .../.X./... O, a blunder; best: A1, A3`.
fn error_line(error: &FirstError, rules: &Rules) -> String {
    let (state, mv, best) = (&error.state, error.mv.display(rules), first_names(&error.best, rules));
    format!("{mv} in {state}, a {}; best: {best}", error.verdict)
}

/// Writes a count with its share of `whole` and a bar.
fn write_row(out: &mut impl Write, label: &str, count: u64, whole: u64) -> io::Result<()> {
    let (width, share) = (grouped(whole).len(), share(count, whole));
    let line = format!("{label}{:>width$} {}  {}", grouped(count), percent(share), bar(share));
    writeln!(out, "{}", line.trim_end())
}

fn write_heading(out: &mut impl Write, paint: Paint, text: &str) -> io::Result<()> {
    writeln!(out, "\n{}", paint.strong(text))
}

fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Returns a count in at most six characters: `12,345`, `1.23M`.
fn short(count: u64) -> String {
    match count {
        0..100_000 => grouped(count),
        100_000..1_000_000_000 => format!("{:.2}M", count as f64 / 1e6),
        _ => format!("{:.1}G", count as f64 / 1e9),
    }
}

/// Returns `part / whole`, or 0 if both are 0.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn percent(share: f64) -> String {
    format!("{:>5.1} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_count_takes_at_most_six_characters() {
        assert_eq!(short(99_999), "99,999");
        assert_eq!(short(123_456), "0.12M");
        assert_eq!(short(999_000_000), "999.00M");
        assert_eq!(short(1_250_000_000), "1.2G");
    }
}
