//! Bars of several parts.

use std::fmt;

use tictac_archive::{Results, SidePlay};

use crate::check::summary::grouped;
use crate::stats::words::share;

/// A place to draw in.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A part of a bar: its class, its name, its size.
pub(super) type Part = (&'static str, &'static str, u64);

/// The ways in which games ended, as parts of a bar.
pub(super) const fn parts(results: &Results) -> [Part; 4] {
    [
        ("first", "first player won", results.first_won),
        ("drawn", "drawn", results.drawn),
        ("second", "second player won", results.second_won),
        ("open", "unfinished", results.unfinished),
    ]
}

/// The kinds of moves, likewise.
pub(super) const fn kinds(side: &SidePlay) -> [Part; 5] {
    [
        ("best", "best", side.best),
        ("ok", "ok", side.ok),
        ("mistake", "mistake", side.mistakes),
        ("blunder", "blunder", side.blunders),
        ("open", "unjudged", side.unjudged),
    ]
}

/// Draws results side by side.
pub(super) fn write_stack(f: &mut fmt::Formatter<'_>, results: &Results, frame: Frame) -> fmt::Result {
    write_bar(f, &parts(results), frame)
}

/// Draws parts side by side.
pub(super) fn write_bar(f: &mut fmt::Formatter<'_>, parts: &[Part], frame: Frame) -> fmt::Result {
    let whole = parts.iter().map(|&(.., count)| count).sum();
    let mut x = frame.x;
    for &(class, name, count) in parts.iter().filter(|&&(.., count)| count > 0) {
        let width = frame.width * share(count, whole);
        writeln!(
            f,
            r#"<rect class="{class}" x="{x:.1}" y="{:.1}" width="{width:.1}" height="{:.1}"><title>{name}: {}</title></rect>"#,
            frame.y,
            frame.height,
            grouped(count)
        )?;
        x += width;
    }
    Ok(())
}

/// Draws results one upon the other.
pub(super) fn write_column(
    f: &mut fmt::Formatter<'_>,
    results: &Results,
    frame: Frame,
    what: &str,
) -> fmt::Result {
    let mut bottom = frame.y + frame.height;
    for (class, name, count) in parts(results).into_iter().filter(|&(.., count)| count > 0) {
        let height = frame.height * share(count, results.games());
        bottom -= height;
        writeln!(
            f,
            r#"<rect class="{class}" x="{:.1}" y="{bottom:.1}" width="{:.1}" height="{height:.1}"><title>{what}, {name}: {} games</title></rect>"#,
            frame.x,
            frame.width,
            grouped(count)
        )?;
    }
    Ok(())
}
