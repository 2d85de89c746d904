//! Stacked bars of a plot.

use std::fmt;

use tictac_archive::{Results, SidePlay};

use crate::check::summary::grouped;
use crate::stats::text::share;

#[derive(Clone, Copy)]
pub(super) struct PlotArea {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A part of a bar: its CSS class, its name and its size.
pub(super) type BarPart = (&'static str, &'static str, u64);

/// Returns the results of games as parts of a bar.
pub(super) const fn parts(results: &Results) -> [BarPart; 4] {
    [
        ("first", "first player won", results.first_won),
        ("drawn", "drawn", results.drawn),
        ("second", "second player won", results.second_won),
        ("open", "unfinished", results.unfinished),
    ]
}

/// Returns the verdicts on a side's moves as parts of a bar.
pub(super) const fn verdicts(side: &SidePlay) -> [BarPart; 5] {
    [
        ("best", "best", side.best),
        ("ok", "ok", side.ok),
        ("mistake", "mistake", side.mistakes),
        ("blunder", "blunder", side.blunders),
        ("open", "unrated", side.unjudged),
    ]
}

pub(super) fn write_bar(f: &mut fmt::Formatter<'_>, parts: &[BarPart], area: PlotArea) -> fmt::Result {
    let whole = parts.iter().map(|&(.., count)| count).sum();
    let mut part = area;
    for &(class, name, count) in parts.iter().filter(|&&(.., count)| count > 0) {
        part.width = area.width * share(count, whole);
        write_part(f, class, part, &format!("{name}: {}", grouped(count)))?;
        part.x += part.width;
    }
    Ok(())
}

pub(super) fn write_column(
    f: &mut fmt::Formatter<'_>,
    results: &Results,
    area: PlotArea,
    what: &str,
) -> fmt::Result {
    let mut part = PlotArea { y: area.y + area.height, ..area };
    for (class, name, count) in parts(results).into_iter().filter(|&(.., count)| count > 0) {
        part.height = area.height * share(count, results.games());
        part.y -= part.height;
        write_part(f, class, part, &format!("{what}, {name}: {} games", grouped(count)))?;
    }
    Ok(())
}

fn write_part(f: &mut fmt::Formatter<'_>, class: &str, area: PlotArea, title: &str) -> fmt::Result {
    let PlotArea { x, y, width, height } = area;
    writeln!(
        f,
        r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}"><title>{title}</title></rect>"#
    )
}
