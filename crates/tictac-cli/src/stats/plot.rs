//! Statistics as an SVG plot: results, game lengths, quality of play and openings.

use std::fmt::Display;

use tictac::{Mark, Rules};
use tictac_archive::{Opening, Results, RulesStats, SidePlay};

use super::text::share;
use crate::json::names;
use crate::summary::grouped;

/// The width of the drawing, and the margin on both sides.
const WIDTH: f64 = 960.0;
const MARGIN: f64 = 40.0;
const INNER: f64 = WIDTH - 2.0 * MARGIN;
/// The top of the length chart, the height of its longest bar, and the top of the openings.
const LENGTHS_AT: f64 = 214.0;
const BARS: f64 = 150.0;
const OPENINGS_AT: f64 = LENGTHS_AT + BARS + 78.0;
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

/// Returns the plot of the games of one set of rules, without openings of fewer than `min_games` games.
///
/// It has a title and a description for screen readers, and follows the reader's light or dark setting.
pub(super) fn plot(stats: &RulesStats, min_games: u64) -> String {
    let tree = stats.openings.tree(min_games);
    let mut rows = Vec::new();
    add_heights(&tree, INNER, &mut rows);
    let (rules, games, moves) = (&stats.rules, grouped(stats.results.games()), grouped(stats.moves));
    let height = OPENINGS_AT + if rows.is_empty() { 0.0 } else { 16.0 + rows.iter().sum::<f64>() } + MARGIN;
    let mut svg = Svg(vec![
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" aria-labelledby="title desc">"#
        ),
        format!(r#"<title id="title">{games} games of {rules}</title>"#),
        format!(r#"<desc id="desc">{}</desc>"#, description(stats, &tree)),
        format!("<style>{STYLE}</style>"),
    ]);
    let score = stats.results.first_score();
    let score =
        score.map_or(String::new(), |score| format!(" · the first player scores {:.1} %", score * 100.0));
    svg.text("title", MARGIN, 48.0, rules);
    svg.text("", MARGIN, 72.0, format_args!("{games} games · {moves} moves{score}"));
    svg.add_results(&stats.results);
    svg.add_lengths(stats);
    svg.add_play(stats);
    if !rows.is_empty() {
        let heading = "Openings: wider means more frequent, with the replies below";
        svg.text("h", MARGIN, OPENINGS_AT, heading);
        let openings = OpeningsLayout { rules, n_games: tree.results.games(), rows: &rows };
        svg.add_replies(&openings, &tree, MARGIN, INNER);
    }
    svg.0.push("</svg>\n".to_owned());
    svg.0.join("\n")
}

fn description(stats: &RulesStats, tree: &Opening) -> String {
    let results = &stats.results;
    let n_games = results.games();
    let mut text = format!(
        "Of {} games the first player won {}, the second player won {}, {} were drawn and {} are unfinished.",
        grouped(n_games),
        percent(results.first_won, n_games),
        percent(results.second_won, n_games),
        percent(results.drawn, n_games),
        percent(results.unfinished, n_games),
    );
    for opening in &tree.replies {
        text.extend([" ", &name(opening, &stats.rules), ": ", &summary(opening), "."]);
    }
    text
}

/// The openings of a plot: their rules, the number of all games, and the height of each row.
struct OpeningsLayout<'a> {
    rules: &'a Rules,
    n_games: u64,
    rows: &'a [f64],
}

#[derive(Clone, Copy)]
struct PlotArea {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// A part of a bar: its CSS class, its name and its size.
type BarPart = (&'static str, &'static str, u64);

/// Returns the results of games as parts of a bar.
const fn parts(results: &Results) -> [BarPart; 4] {
    [
        ("first", "first player won", results.first_won),
        ("drawn", "drawn", results.drawn),
        ("second", "second player won", results.second_won),
        ("open", "unfinished", results.unfinished),
    ]
}

/// Returns the verdicts on a side's moves as parts of a bar.
const fn verdicts(side: &SidePlay) -> [BarPart; 5] {
    [
        ("best", "best", side.best),
        ("ok", "ok", side.ok),
        ("mistake", "mistake", side.mistakes),
        ("blunder", "blunder", side.blunders),
        ("open", "unrated", side.unjudged),
    ]
}

/// The lines of the picture.
struct Svg(Vec<String>);

impl Svg {
    fn text(&mut self, class: &str, x: f64, y: f64, text: impl Display) {
        self.0.push(format!(r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{text}</text>"#));
    }

    fn rect(&mut self, class: &str, area: PlotArea, title: &str) {
        let PlotArea { x, y, width, height } = area;
        self.0.push(format!(
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}"><title>{title}</title></rect>"#
        ));
    }

    /// Adds the square and the name of a part of a bar; `y` is the baseline of the text.
    fn legend(&mut self, class: &str, x: f64, y: f64, label: &str) {
        self.rect(class, PlotArea { x, y: y - 10.0, width: 11.0, height: 11.0 }, label);
        self.text("", x + 17.0, y, label);
    }

    fn bar(&mut self, parts: &[BarPart], area: PlotArea) {
        let whole = parts.iter().map(|&(.., count)| count).sum();
        let mut part = area;
        for &(class, name, count) in parts.iter().filter(|&&(.., count)| count > 0) {
            part.width = area.width * share(count, whole);
            self.rect(class, part, &format!("{name}: {}", grouped(count)));
            part.x += part.width;
        }
    }

    fn column(&mut self, results: &Results, area: PlotArea, what: &str) {
        let mut part = PlotArea { y: area.y + area.height, ..area };
        for (class, name, count) in parts(results).into_iter().filter(|&(.., count)| count > 0) {
            part.height = area.height * share(count, results.games());
            part.y -= part.height;
            self.rect(class, part, &format!("{what}, {name}: {} games", grouped(count)));
        }
    }

    fn add_results(&mut self, results: &Results) {
        self.text("h", MARGIN, 104.0, "Results");
        self.bar(&parts(results), PlotArea { x: MARGIN, y: 116.0, width: INNER, height: 26.0 });
        for (place, (class, name, count)) in parts(results).into_iter().enumerate() {
            let label = format!("{name} {}", percent(count, results.games()));
            self.legend(class, MARGIN + 220.0 * place as f64, 163.0, &label);
        }
    }

    fn add_lengths(&mut self, stats: &RulesStats) {
        self.text("h", MARGIN, LENGTHS_AT, "Length of games, in moves");
        let Some((&first, _)) = stats.lengths.first_key_value() else { return };
        let last = stats.lengths.last_key_value().map_or(first, |(&last, _)| last);
        // Where there are too many lengths, several share a bar.
        let step = (last - first + 1).div_ceil(MAX_BARS);
        let bars: Vec<(usize, Results)> = (first..=last)
            .step_by(step)
            .map(|from| {
                let mut sum = Results::default();
                stats.lengths.range(from..from + step).for_each(|(_, results)| sum.add(results));
                (from, sum)
            })
            .collect();
        let highest = bars.iter().map(|(_, results)| results.games()).max().unwrap_or(1).max(1);
        let room = (LENGTHS_WIDTH / bars.len() as f64).min(90.0);
        let base = LENGTHS_AT + BARS + 26.0;
        for (place, (from, results)) in bars.iter().enumerate() {
            let x = MARGIN + room * place as f64;
            let width = (room - 6.0).max(room * 0.7);
            let height = BARS * share(results.games(), highest);
            let to = from + step - 1;
            let what = if step == 1 { format!("{from} moves") } else { format!("{from} to {to} moves") };
            self.column(results, PlotArea { x, y: base - height, width, height }, &what);
            let middle = x + width / 2.0;
            if room >= 22.0 || place % 4 == 0 {
                self.text("c", middle, base + 17.0, from);
            }
            if room >= 44.0 && results.games() > 0 {
                let label = percent(results.games(), stats.results.games());
                self.text("c s", middle, base - height - 5.0, label);
            }
        }
        self.0.push(format!(r#"<path class="axis" d="M{MARGIN} {base}h{LENGTHS_WIDTH}"/>"#));
    }

    fn add_play(&mut self, stats: &RulesStats) {
        let (play, y) = (&stats.play, LENGTHS_AT);
        self.text("h", PLAY_AT, y, "Quality of play");
        let n_judged = play.perfect + play.flawed;
        let games = match n_judged {
            0 => "no game was rated".to_owned(),
            _ => format!("{} of the rated games have no mistake", percent(play.perfect, n_judged)),
        };
        self.text("", PLAY_AT, y + 24.0, games);
        for (name, side, y) in [("first", &play.first, y + 50.0), ("second", &play.second, y + 102.0)] {
            let best = percent(side.best, side.judged());
            self.text("", PLAY_AT, y, format_args!("{name} player: {best} best moves"));
            let width = WIDTH - MARGIN - PLAY_AT;
            self.bar(&verdicts(side), PlotArea { x: PLAY_AT, y: y + 8.0, width, height: 16.0 });
        }
        let mut x = PLAY_AT;
        for (class, name, _) in verdicts(&play.first) {
            self.legend(class, x, y + 154.0, name);
            x += 26.0 + 7.0 * name.len() as f64;
        }
    }

    fn add_replies(&mut self, openings: &OpeningsLayout<'_>, opening: &Opening, mut x: f64, width: f64) {
        let depth = opening.moves.len();
        let Some(&height) = openings.rows.get(depth) else { return };
        let y = OPENINGS_AT + 16.0 + openings.rows[..depth].iter().sum::<f64>();
        for reply in &opening.replies {
            let own = width * share(reply.results.games(), opening.results.games());
            self.add_opening(openings, reply, PlotArea { x, y, width: own, height });
            self.add_replies(openings, reply, x, own);
            x += own;
        }
    }

    fn add_opening(&mut self, openings: &OpeningsLayout<'_>, opening: &Opening, area: PlotArea) {
        let PlotArea { x, y, width, height } = area;
        let (inner, middle) = ((width - 3.0).max(0.5), x + width / 2.0);
        let line = names(&opening.moves, openings.rules).join(", ");
        self.0.push(format!(
            r#"<g><title>{line}: {}</title><rect class="card" x="{x:.1}" y="{y:.1}" width="{inner:.1}" height="{:.1}" rx="4"/>"#,
            summary(opening),
            height - 4.0
        ));
        if inner >= MIN_FOR_BOARD {
            let side = (inner - 12.0).min(68.0);
            let (x, y) = (middle - side / 2.0 - 1.5, y + 42.0 - side / 2.0);
            self.add_board(openings.rules, opening, PlotArea { x, y, width: side, height: side });
        }
        if inner >= MIN_FOR_NAME {
            self.text("c b", middle, y + 92.0, name(opening, openings.rules));
            let class = if inner >= 44.0 { "c s" } else { "c t" };
            self.text(class, middle, y + 107.0, percent(opening.results.games(), openings.n_games));
        }
        let bar = PlotArea { x, y: y + height - 4.0 - BAR, width: inner, height: BAR };
        self.bar(&parts(&opening.results), bar);
        self.0.push("</g>".to_owned());
    }

    /// Draws the board of the last move, with earlier marks faded. In the picture, a square has the width 1.
    fn add_board(&mut self, rules: &Rules, opening: &Opening, area: PlotArea) {
        let Some(&last) = opening.moves.last() else { return };
        let (rows, columns) = (rules.grid().rows(), rules.grid().columns());
        let PlotArea { x, y, width, height } = area;
        self.0.push(format!(
            r#"<svg x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" viewBox="0 0 {columns} {rows}">"#
        ));
        // One unit of the page, in units of the board.
        let unit = rows.max(columns) as f64 / width;
        let across = (1..rows).map(|row| format!("M0 {row}h{columns}"));
        let lines: String = (1..columns).map(|column| format!("M{column} 0v{rows}")).chain(across).collect();
        self.0.push(format!(r#"<path class="grid" stroke-width="{:.2}" d="{lines}"/>"#, 1.2 * unit));
        let thick = unit.max(0.13);
        for mv in opening.moves.iter().filter(|mv| mv.board == last.board) {
            let faint = if *mv == last { "" } else { r#" opacity=".45""# };
            let (row, column) = (rules.grid().row(mv.square), rules.grid().column(mv.square));
            self.0.push(match mv.mark {
                Mark::X => format!(
                    r#"<path class="x" stroke-width="{thick:.2}"{faint} d="M{column}.21 {row}.21l.58 .58m0 -.58l-.58 .58"/>"#
                ),
                Mark::O => format!(
                    r#"<circle class="o" stroke-width="{thick:.2}"{faint} cx="{column}.5" cy="{row}.5" r=".29"/>"#
                ),
            });
        }
        self.0.push("</svg>".to_owned());
    }
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

fn name(opening: &Opening, rules: &Rules) -> String {
    opening.moves.last().map_or(String::new(), |&mv| mv.name(rules).to_string())
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
.grid{stroke:currentColor;opacity:.35}.x{stroke:var(--first)}.o{stroke:var(--second)}\
@media(prefers-color-scheme:dark){svg{background:#16181d;color:#e6e6e6;--first:#6cb6ff;--second:#ff9b5e;\
--drawn:#7d8794;--open:#3a404a;--card:#21252c;--best:#3fb950;--ok:#2f6b3c;--mistake:#d29922;--blunder:#f85149}}";
