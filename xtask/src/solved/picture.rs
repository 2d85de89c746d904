//! A picture of one variant: the grid of board sizes, coloured by value.

use std::fmt::Write as _;

use super::atlas::{AtlasRules, VARIANTS};
use super::outcome::AtlasRow;

/// The size of the square of one game.
const CELL: u32 = 22;
/// The space for the sizes of boards, and for the heading.
const MARGIN: u32 = 60;

/// Colours that can be told apart with any kind of colour blindness (Okabe and Ito), and letters for print without colour.
fn appearance(value: &str) -> (&'static str, &'static str) {
    match value {
        "first" => ("#e69f00", "1"),
        "draw" => ("#ffffff", "="),
        "second" => ("#56b4e9", "2"),
        "first or draw" => ("#f5dda6", "≥"),
        "draw or second" => ("#cfe6f6", "≤"),
        _ => ("#bbbbbb", "?"),
    }
}

/// Returns the picture of a variant as SVG: one row per board, one column per length of a line.
pub(super) fn draw(variant: usize, rows: &[AtlasRow]) -> String {
    let mut games: Vec<AtlasRules> =
        AtlasRules::all().into_iter().filter(|rules| rules.variant == variant).collect();
    games.sort_by_key(|rules| (rules.n, rules.m, rules.k));
    let mut boards: Vec<(u32, u32)> = games.iter().map(|rules| (rules.m, rules.n)).collect();
    boards.dedup();
    let longest = games.iter().map(|rules| rules.k).max().unwrap_or(3);
    let (width, height) = (MARGIN + (longest - 2) * CELL, MARGIN + boards.len() as u32 * CELL);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>{}: who wins, by board and length of a line</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fafafa\"/>\n\
         <text x=\"4\" y=\"16\" font-size=\"13\">{}</text>\n\
         <text x=\"4\" y=\"32\">1 first, = draw, 2 second, ≤ not first, ≥ not second, ? open</text>\n",
        VARIANTS[variant].0, VARIANTS[variant].0
    );
    for k in 3..=longest {
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{k}</text>",
            MARGIN + (k - 3) * CELL + CELL / 2,
            MARGIN - 6
        );
    }
    for (row, board) in (0_u32..).zip(&boards) {
        let y = MARGIN + row * CELL;
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}×{}</text>",
            MARGIN - 6,
            y + 15,
            board.0,
            board.1
        );
        for rules in games.iter().filter(|rules| (rules.m, rules.n) == *board) {
            let text = rules.text();
            let value = rows.iter().find(|row| row.rules == text).map_or("open", |row| &row.value);
            let (colour, letter) = appearance(value);
            let x = MARGIN + (rules.k - 3) * CELL;
            let _ = writeln!(
                svg,
                "<g><title>{text}: {value}</title><rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\" stroke=\"#666\"/>\
                 <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{letter}</text></g>",
                x + CELL / 2,
                y + 15
            );
        }
    }
    svg + "</svg>\n"
}
