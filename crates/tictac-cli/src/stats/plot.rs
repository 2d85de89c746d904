//! Statistics as an SVG plot: results, game lengths, quality of play and openings.

mod bars;

use std::fmt;

use tictac::{Mark, Move, Rules};
use tictac_archive::{Opening, Results, RulesStats};

use self::bars::{PlotArea, parts, verdicts, write_bar, write_column};
use super::text::share;
use crate::check::summary::grouped;
use crate::json::names;

/// A plot of the games of one set of rules.
///
/// It has a title and a description for screen readers, and follows the reader's light or dark setting.
pub(super) struct Plot<'a> {
    stats: &'a RulesStats,
    tree: Opening,
    // The height of each row of openings.
    rows: Vec<f64>,
}

/// The width of the drawing, and the margin on both sides.
const WIDTH: f64 = 960.0;
const MARGIN: f64 = 40.0;
const INNER: f64 = WIDTH - 2.0 * MARGIN;
/// The top of the length chart, the height of its longest bar, and the top of the openings.
const LENGTHS_AT: f64 = 196.0;
const BARS: f64 = 150.0;
const OPENINGS_AT: f64 = LENGTHS_AT + BARS + 96.0;
/// The width of the length chart, and the left edge of the quality chart beside it.
const LENGTHS_WIDTH: f64 = 500.0;
const PLAY_AT: f64 = MARGIN + LENGTHS_WIDTH + 50.0;
/// The height of a row of openings, of a row whose openings are too narrow for a name, and of the result bar in it.
const ROW: f64 = 132.0;
const LOW_ROW: f64 = 22.0;
const BAR: f64 = 10.0;
/// The minimum width of an opening with a board, and with a name.
const MIN_FOR_BOARD: f64 = 34.0;
const MIN_FOR_NAME: f64 = 30.0;
/// The maximum number of rows of openings, and of bars in the length chart.
const MAX_ROWS: usize = 4;
const MAX_BARS: usize = 64;

impl<'a> Plot<'a> {
    /// Returns the plot, without openings of fewer than `min_games` games.
    pub(super) fn new(stats: &'a RulesStats, min_games: u64) -> Plot<'a> {
        let tree = stats.openings.tree(min_games);
        let mut rows = Vec::new();
        add_heights(&tree, INNER, &mut rows);
        Plot { stats, tree, rows }
    }

    fn height(&self) -> f64 {
        let openings = if self.rows.is_empty() { 0.0 } else { 16.0 + self.rows.iter().sum::<f64>() };
        OPENINGS_AT + openings + MARGIN
    }

    fn description(&self) -> String {
        let results = &self.stats.results;
        let text = format!(
            "Of {} games the first player won {}, the second player won {}, {} were drawn and {} are unfinished.",
            grouped(results.games()),
            percent(results.first_won, results.games()),
            percent(results.second_won, results.games()),
            percent(results.drawn, results.games()),
            percent(results.unfinished, results.games()),
        );
        let openings =
            self.tree.replies.iter().map(|opening| format!("{}: {}.", self.name(opening), summary(opening)));
        std::iter::once(text).chain(openings).collect::<Vec<_>>().join(" ")
    }

    fn name(&self, opening: &Opening) -> String {
        let rules = self.stats.rules;
        opening.moves.last().map_or(String::new(), |&mv| mv.name(&rules).to_string())
    }

    fn write_results(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results = &self.stats.results;
        writeln!(f, r#"<text class="h" x="{MARGIN}" y="104">Results</text>"#)?;
        write_bar(f, &parts(results), PlotArea { x: MARGIN, y: 116.0, width: INNER, height: 26.0 })?;
        let mut x = MARGIN;
        for (class, name, count) in parts(results) {
            let label = format!("{name} {}", percent(count, results.games()));
            writeln!(f, r#"<rect class="{class}" x="{x}" y="153" width="11" height="11" rx="2"/>"#)?;
            writeln!(f, r#"<text x="{}" y="163">{label}</text>"#, x + 17.0)?;
            x += 220.0;
        }
        Ok(())
    }

    fn write_lengths(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let y = LENGTHS_AT + 18.0;
        writeln!(f, r#"<text class="h" x="{MARGIN}" y="{y}">Length of games, in moves</text>"#)?;
        let Some((&first, _)) = self.stats.lengths.first_key_value() else { return Ok(()) };
        let last = self.stats.lengths.last_key_value().map_or(first, |(&last, _)| last);
        // Where there are too many lengths, several share a bar.
        let step = (last - first + 1).div_ceil(MAX_BARS);
        let bars: Vec<(usize, Results)> =
            (first..=last).step_by(step).map(|from| (from, self.lengths_from(from, step))).collect();
        let highest = bars.iter().map(|(_, results)| results.games()).max().unwrap_or(1).max(1);
        let room = (LENGTHS_WIDTH / bars.len() as f64).min(90.0);
        let base = LENGTHS_AT + BARS + 44.0;
        for (place, (from, results)) in bars.iter().enumerate() {
            let x = MARGIN + room * place as f64;
            let width = (room - 6.0).max(room * 0.7);
            let height = BARS * share(results.games(), highest);
            let area = PlotArea { x, y: base - height, width, height };
            write_column(f, results, area, &length_name(*from, step))?;
            let middle = x + width / 2.0;
            if room >= 22.0 || place % 4 == 0 {
                writeln!(f, r#"<text class="c" x="{middle:.1}" y="{:.1}">{from}</text>"#, base + 17.0)?;
            }
            if room >= 44.0 && results.games() > 0 {
                let label = percent(results.games(), self.stats.results.games());
                let y = base - height - 5.0;
                writeln!(f, r#"<text class="c s" x="{middle:.1}" y="{y:.1}">{label}</text>"#)?;
            }
        }
        writeln!(f, r#"<path class="axis" d="M{MARGIN} {base}h{LENGTHS_WIDTH}"/>"#)
    }

    fn lengths_from(&self, from: usize, step: usize) -> Results {
        let mut sum = Results::default();
        self.stats.lengths.range(from..from + step).for_each(|(_, results)| sum.add(results));
        sum
    }

    fn write_play(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (play, width) = (&self.stats.play, WIDTH - MARGIN - PLAY_AT);
        let y = LENGTHS_AT + 18.0;
        writeln!(f, r#"<text class="h" x="{PLAY_AT}" y="{y}">Quality of play</text>"#)?;
        let n_judged = play.perfect + play.flawed;
        let games = match n_judged {
            0 => "no game was rated".to_owned(),
            _ => format!("{} of the rated games have no mistake", percent(play.perfect, n_judged)),
        };
        writeln!(f, r#"<text x="{PLAY_AT}" y="{}">{games}</text>"#, y + 24.0)?;
        for (place, (name, side)) in
            [("first", &play.first), ("second", &play.second)].into_iter().enumerate()
        {
            let y = y + 50.0 + 52.0 * place as f64;
            let best = percent(side.best, side.judged());
            writeln!(f, r#"<text x="{PLAY_AT}" y="{y}">{name} player: {best} best moves</text>"#)?;
            write_bar(f, &verdicts(side), PlotArea { x: PLAY_AT, y: y + 8.0, width, height: 16.0 })?;
        }
        let (mut x, y) = (PLAY_AT, y + 154.0);
        for (class, name, _) in verdicts(&play.first) {
            writeln!(f, r#"<rect class="{class}" x="{x}" y="{}" width="11" height="11" rx="2"/>"#, y - 10.0)?;
            writeln!(f, r#"<text x="{}" y="{y}">{name}</text>"#, x + 16.0)?;
            x += 26.0 + 7.0 * name.len() as f64;
        }
        Ok(())
    }

    fn write_openings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows.is_empty() {
            return Ok(());
        }
        let heading = "Openings: wider means more frequent, with the replies below";
        writeln!(f, r#"<text class="h" x="{MARGIN}" y="{OPENINGS_AT}">{heading}</text>"#)?;
        self.write_replies(f, &self.tree, MARGIN, INNER)
    }

    fn write_replies(
        &self,
        f: &mut fmt::Formatter<'_>,
        opening: &Opening,
        mut x: f64,
        width: f64,
    ) -> fmt::Result {
        let depth = opening.moves.len();
        let Some(&height) = self.rows.get(depth) else { return Ok(()) };
        let y = OPENINGS_AT + 16.0 + self.rows[..depth].iter().sum::<f64>();
        for reply in &opening.replies {
            let own = width * share(reply.results.games(), opening.results.games());
            self.write_opening(f, reply, PlotArea { x, y, width: own, height })?;
            self.write_replies(f, reply, x, own)?;
            x += own;
        }
        Ok(())
    }

    fn write_opening(&self, f: &mut fmt::Formatter<'_>, opening: &Opening, area: PlotArea) -> fmt::Result {
        let PlotArea { x, y, width, height } = area;
        let (inner, middle) = ((width - 3.0).max(0.5), x + width / 2.0);
        let name = self.name(opening);
        let line = names(&opening.moves, &self.stats.rules).join(", ");
        writeln!(f, "<g><title>{line}: {}</title>", summary(opening))?;
        writeln!(
            f,
            r#"<rect class="card" x="{x:.1}" y="{y:.1}" width="{inner:.1}" height="{:.1}" rx="4"/>"#,
            height - 4.0
        )?;
        if inner >= MIN_FOR_BOARD {
            let side = (inner - 12.0).min(68.0);
            let (x, y) = (middle - side / 2.0 - 1.5, y + 42.0 - side / 2.0);
            self.write_board(f, opening, PlotArea { x, y, width: side, height: side })?;
        }
        if inner >= MIN_FOR_NAME {
            writeln!(f, r#"<text class="c b" x="{middle:.1}" y="{:.1}">{name}</text>"#, y + 92.0)?;
            let games = percent(opening.results.games(), self.tree.results.games());
            let class = if inner >= 44.0 { "c s" } else { "c t" };
            writeln!(f, r#"<text class="{class}" x="{middle:.1}" y="{:.1}">{games}</text>"#, y + 107.0)?;
        }
        let bar = PlotArea { x, y: y + height - 4.0 - BAR, width: inner, height: BAR };
        write_bar(f, &parts(&opening.results), bar)?;
        writeln!(f, "</g>")
    }

    /// Draws the board of the last move, with earlier marks faded.
    fn write_board(&self, f: &mut fmt::Formatter<'_>, opening: &Opening, area: PlotArea) -> fmt::Result {
        let Some(&last) = opening.moves.last() else { return Ok(()) };
        let grid = self.stats.rules.grid();
        let cell = area.width / grid.rows().max(grid.columns()) as f64;
        let (wide, high) = (cell * grid.columns() as f64, cell * grid.rows() as f64);
        let (left, top) = (area.x + (area.width - wide) / 2.0, area.y + (area.height - high) / 2.0);
        write!(f, r#"<path class="grid" d=""#)?;
        for column in 1..grid.columns() {
            write!(f, "M{:.1} {top:.1}v{high:.1}", left + cell * column as f64)?;
        }
        for row in 1..grid.rows() {
            write!(f, "M{left:.1} {:.1}h{wide:.1}", top + cell * row as f64)?;
        }
        writeln!(f, r#""/>"#)?;
        for mv in opening.moves.iter().filter(|mv| mv.board == last.board) {
            write_mark(f, *mv, &self.stats.rules, (left, top), cell, *mv == last)?;
        }
        Ok(())
    }
}

fn write_mark(
    f: &mut fmt::Formatter<'_>,
    mv: Move,
    rules: &Rules,
    (left, top): (f64, f64),
    cell: f64,
    is_last: bool,
) -> fmt::Result {
    let grid = rules.grid();
    let along = |place: usize| (place as f64 + 0.5) * cell;
    let (x, y) = (left + along(grid.column(mv.square)), top + along(grid.row(mv.square)));
    let (r, thick) = (cell * 0.29, (cell * 0.13).max(1.0));
    let faint = if is_last { "" } else { r#" opacity=".45""# };
    match mv.mark {
        Mark::X => writeln!(
            f,
            r#"<path class="x" stroke-width="{thick:.1}"{faint} d="M{:.1} {:.1}l{d:.1} {d:.1}m0 -{d:.1}l-{d:.1} {d:.1}"/>"#,
            x - r,
            y - r,
            d = 2.0 * r
        ),
        Mark::O => writeln!(
            f,
            r#"<circle class="o" stroke-width="{thick:.1}"{faint} cx="{x:.1}" cy="{y:.1}" r="{r:.1}"/>"#
        ),
    }
}

fn length_name(from: usize, step: usize) -> String {
    if step == 1 { format!("{from} moves") } else { format!("{from} to {} moves", from + step - 1) }
}

/// Adds the heights of the rows of replies: a row is tall if one of its openings is wide enough for a name.
fn add_heights(opening: &Opening, width: f64, rows: &mut Vec<f64>) {
    let depth = opening.moves.len();
    if depth == MAX_ROWS {
        return;
    }
    for reply in &opening.replies {
        let own = width * share(reply.results.games(), opening.results.games());
        if rows.len() == depth {
            rows.push(LOW_ROW);
        }
        if own - 3.0 >= MIN_FOR_NAME {
            rows[depth] = ROW;
        }
        add_heights(reply, own, rows);
    }
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", share(part, whole) * 100.0)
}

/// Returns a text such as `1,234 games, the first player scores 61.2 %`.
fn summary(opening: &Opening) -> String {
    let games = format!("{} games", grouped(opening.results.games()));
    let score = opening.results.first_score();
    score.map_or(games.clone(), |score| format!("{games}, the first player scores {:.1} %", score * 100.0))
}

const STYLE: &str = "\
svg{background:#fff;color:#1d2129;--first:#1f6feb;--second:#c9510c;--drawn:#9aa4b2;--open:#d8dde4;--card:#f3f5f8;\
--best:#2da44e;--ok:#a5d6a7;--mistake:#e3b341;--blunder:#cf222e}\
text{font:13px sans-serif;fill:currentColor}\
.title{font-size:26px;font-weight:600}.h{font-size:16px;font-weight:600}.s{font-size:11px;opacity:.75}\
.t{font-size:9px;opacity:.75}.b{font-weight:600}.c{text-anchor:middle}\
.first{fill:var(--first)}.second{fill:var(--second)}.drawn{fill:var(--drawn)}.open{fill:var(--open)}.card{fill:var(--card)}\
.best{fill:var(--best)}.ok{fill:var(--ok)}.mistake{fill:var(--mistake)}.blunder{fill:var(--blunder)}\
path,circle{fill:none;stroke-linecap:round}.axis{stroke:currentColor;opacity:.5}\
.grid{stroke:currentColor;stroke-width:1.2;opacity:.35}.x{stroke:var(--first)}.o{stroke:var(--second)}\
@media(prefers-color-scheme:dark){svg{background:#16181d;color:#e6e6e6;--first:#6cb6ff;--second:#ff9b5e;\
--drawn:#7d8794;--open:#3a404a;--card:#21252c;--best:#3fb950;--ok:#2f6b3c;--mistake:#d29922;--blunder:#f85149}}";

impl fmt::Display for Plot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (height, rules) = (self.height(), &self.stats.rules);
        let (games, moves) = (grouped(self.stats.results.games()), grouped(self.stats.moves));
        writeln!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" aria-labelledby="title desc">"#
        )?;
        writeln!(f, r#"<title id="title">{games} games of {rules}</title>"#)?;
        writeln!(f, r#"<desc id="desc">{}</desc>"#, self.description())?;
        writeln!(f, "<style>{STYLE}</style>")?;
        writeln!(f, r#"<text class="title" x="{MARGIN}" y="48">{rules}</text>"#)?;
        let score = self.stats.results.first_score();
        let score =
            score.map_or(String::new(), |score| format!(" · the first player scores {:.1} %", score * 100.0));
        writeln!(f, r#"<text x="{MARGIN}" y="72">{games} games · {moves} moves{score}</text>"#)?;
        self.write_results(f)?;
        self.write_lengths(f)?;
        self.write_play(f)?;
        self.write_openings(f)?;
        writeln!(f, "</svg>")
    }
}
