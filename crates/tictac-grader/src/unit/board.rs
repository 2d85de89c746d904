//! Positions of a game as arguments of calls.

use std::collections::HashMap;
use std::sync::OnceLock;

use fastrand::Rng;
use serde::Deserialize;
use tictac::{Mark, Position, Rules, Square, Status};
use tictac_solver::{Oracle, Question};
use toml::Spanned;

use super::at;
use crate::assignment::form::FormResult;
use crate::generate::games;

/// Positions are listed one by one, so boards are small.
const MAX_SQUARES: usize = 9;
/// The memory of the solver.
const MAX_BYTES: usize = 64 << 20;

/// How positions of a game are written in calls.
#[derive(Debug)]
pub(crate) struct UnitBoard {
    rules: Rules,
    /// How a square with X, one with O and an empty one are written.
    cells: [String; 3],
    /// A line that makes a move, with `{row}`, `{column}` and `{mark}`.
    play: String,
    /// The number of the first row and column.
    first: usize,
    /// The results that are best moves, by the text of the position.
    best_moves: OnceLock<HashMap<String, Vec<String>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoardFields {
    rules: Spanned<String>,
    x: String,
    o: String,
    empty: String,
    #[serde(default)]
    play: String,
    #[serde(default)]
    first: usize,
}

/// The positions that a requirement asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PositionInputs {
    All,
    /// Those in which a move can be made.
    Unfinished,
    Finished,
}

impl BoardFields {
    pub(super) fn check(&self) -> FormResult<UnitBoard> {
        let rules: Rules =
            self.rules.get_ref().parse().map_err(|error| at(&self.rules, format!("{error}")))?;
        if rules.grid().len() > MAX_SQUARES || rules.n_boards() != 1 {
            return Err(at(
                &self.rules,
                format!("expected rules of one board of at most {MAX_SQUARES} squares"),
            ));
        }
        Ok(UnitBoard {
            rules,
            cells: [self.x.clone(), self.o.clone(), self.empty.clone()],
            play: self.play.clone(),
            first: self.first.min(1),
            best_moves: OnceLock::new(),
        })
    }
}

impl UnitBoard {
    /// Returns the text of every wanted position in a template: `{board}` is the position as rows, `{cells}` as one list, `{moves}` are lines that lead to it,
    /// and `{turn}` is the mark of the player to move.
    pub(crate) fn inputs(&self, wanted: PositionInputs, template: &str) -> Vec<Vec<u8>> {
        let games = games::to_every_position(self.rules, &mut Rng::with_seed(0));
        let input = |game: Vec<Square>| {
            let position = games::position(self.rules, &game);
            let is_over = matches!(position.status(), Status::Over(_));
            let is_wanted = match wanted {
                PositionInputs::All => true,
                PositionInputs::Unfinished => !is_over,
                PositionInputs::Finished => is_over,
            };
            let board = self.text(&position);
            let cells = board.replace("],[", ",").replace("[[", "[").replace("]]", "]");
            let text = template.replace("{board}", &board).replace("{cells}", &cells);
            let text = text.replace("{moves}", &self.lines(&game));
            is_wanted.then(|| text.replace("{turn}", mark_name(game.len())).into_bytes())
        };
        games.into_iter().filter_map(input).collect()
    }

    /// Returns the best moves in a position as the driver writes them; `None` if the game is over or the text is no position.
    pub(super) fn best_moves(&self, text: &str) -> Option<Vec<String>> {
        self.best_moves.get_or_init(|| self.solve()).get(text).cloned()
    }

    fn solve(&self) -> HashMap<String, Vec<String>> {
        let mut oracle = Oracle::new(&self.rules, MAX_BYTES);
        let grid = self.rules.grid();
        let mut all = HashMap::new();
        for game in games::to_every_position(self.rules, &mut Rng::with_seed(0)) {
            let position = games::position(self.rules, &game);
            let moves = oracle.moves(&position.into(), Question::Weak, &|| false);
            let best = moves.iter().map(|(_, answer)| answer.value()).max().flatten();
            let best = moves.iter().filter(|(_, answer)| answer.value() == best).map(|(mv, _)| {
                let (row, column) = (grid.row(mv.square) + self.first, grid.column(mv.square) + self.first);
                format!("[{row},{column}]\n")
            });
            let best: Vec<String> = best.collect();
            if !best.is_empty() {
                all.insert(self.text(&position), best);
            }
        }
        all
    }

    /// Returns a position as a list of rows.
    fn text(&self, position: &Position) -> String {
        let grid = self.rules.grid();
        let cell = |row: usize, column: usize| {
            let mark = grid.square(row, column).and_then(|square| position.board().mark(square));
            match mark {
                Some(Mark::X) => self.cells[0].as_str(),
                Some(Mark::O) => self.cells[1].as_str(),
                None => self.cells[2].as_str(),
            }
        };
        let row = |row: usize| {
            let cells: Vec<&str> = (0..grid.columns()).map(|column| cell(row, column)).collect();
            format!("[{}]", cells.join(","))
        };
        let rows: Vec<String> = (0..grid.rows()).map(row).collect();
        format!("[{}]", rows.join(","))
    }

    /// Returns the lines that play a game.
    fn lines(&self, squares: &[Square]) -> String {
        let grid = self.rules.grid();
        let line = |(at, &square): (usize, &Square)| {
            let row = (grid.row(square) + self.first).to_string();
            let column = (grid.column(square) + self.first).to_string();
            let line = self.play.replace("{row}", &row).replace("{column}", &column);
            line.replace("{mark}", mark_name(at)) + "\n"
        };
        squares.iter().enumerate().map(line).collect()
    }
}

/// Returns the mark of the player who makes a move after this many.
fn mark_name(n_moves: usize) -> &'static str {
    if n_moves.is_multiple_of(2) { "X" } else { "O" }
}
