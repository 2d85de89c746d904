//! Algebraic tic-tac-toe notation: tags, then `1. a1 2. b2 3. …`, one number per move.
//!
//! The letter of a square is its column, and row 1 is on top.

use tictac::notation::Fault;
use tictac::{Goal, Grid, Mark, Move, Outcome, Player, Position, Rules, State, Status};

use super::Conversion;
use super::column_letters::{self, RowOne};
use super::fen::check_comments;
use super::movetext::{Dialect, lines_of, opener_of, value_of};
use crate::annotated::AnnotatedGame;
use crate::fmt::sort_tags;
use crate::letters::Letters;
use crate::report::Ending;
use crate::tag::Tag;

#[derive(Clone, Copy, Default)]
pub(super) struct At3;

const MOVES_PER_LINE: usize = 10;

impl Dialect for At3 {
    const OWN_TAGS: &'static [&'static str] =
        &["Grid", "WinCount", "PlacementRule", "Player1Choice", "Result"];

    fn player_tags(&self, _: &Rules) -> Option<[&'static str; 2]> {
        Some(["Player1", "Player2"])
    }

    fn start(&self, tags: &[Tag], conversion: &Conversion) -> Result<Position, String> {
        if let Some(rule) = value_of(tags, "PlacementRule").filter(|rule| *rule != "Anywhere") {
            return Err(format!("unsupported placement rule {rule:?}: only Anywhere is supported"));
        }
        // Kept as an ordinary tag, it would contradict the rules given by Grid and WinCount.
        if value_of(tags, "Rules").is_some() {
            return Err(
                "AT3 gives its rules by Grid and WinCount; only .ttt and PGN have a Rules tag".to_owned()
            );
        }
        let (rules, opener) = (rules_of(tags, conversion)?, opener_of(tags)?);
        Ok(Position::start_with(&rules, opener).expect("rules with one board"))
    }

    fn number(&self, n_moves: usize) -> usize {
        n_moves + 1
    }

    fn parse_move(&self, word: &str, position: &Position, conversion: &Conversion) -> Result<Move, String> {
        let mark = position.mark_of(position.next_player()).unwrap_or(Mark::X);
        if conversion.letters == Some(Letters::Rows) {
            return position.rules().parse_square(word, mark).map_err(|error| error.to_string());
        }
        let square = column_letters::square(position.rules().grid(), word, RowOne::Top)?;
        Ok(Move::new(square, mark))
    }

    fn is_result(&self, value: &[u8], state: &State) -> bool {
        let first_won = state.status() == Status::Over(Outcome::Win(Player::First));
        let values: &[&str] = match (Ending::of_state(state), first_won) {
            (Ending::XWon, true) => &["X", "X Wins", "Player1", "1-0"],
            (Ending::XWon, false) => &["X", "X Wins", "Player2", "0-1"],
            (Ending::OWon, true) => &["O", "O Wins", "Player1", "1-0"],
            (Ending::OWon, false) => &["O", "O Wins", "Player2", "0-1"],
            (Ending::Drawn, _) => &["Cat Game", "draw", "1/2-1/2"],
            (Ending::Unfinished | Ending::Bad, _) => &["*"],
        };
        values.iter().any(|known| value.eq_ignore_ascii_case(known.as_bytes()))
    }
}

fn rules_of(tags: &[Tag], conversion: &Conversion) -> Result<Rules, String> {
    let grid = match value_of(tags, "Grid") {
        None => conversion.rules.grid(),
        Some(text) => {
            let sides = text.split_once(['x', 'X']);
            let sides = sides.and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
            let (columns, rows) =
                sides.ok_or_else(|| format!("Grid must be columns x rows, such as 5x4, not {text:?}"))?;
            Grid::new(rows, columns).ok_or_else(|| format!("Grid must have 1 to 64 squares, not {text}"))?
        }
    };
    let line_length = match value_of(tags, "WinCount") {
        None => conversion.rules.line_length(),
        Some(text) => text.parse().map_err(|_| format!("WinCount must be a number, not {text:?}"))?,
    };
    Rules::new(grid, line_length).map_err(|error| error.to_string())
}

pub(super) fn write(game: &AnnotatedGame, conversion: &Conversion) -> Result<Vec<u8>, Fault> {
    if !game.rules.marks_name_players() || game.rules.goal() == Goal::Avoid || !game.rules.is_ordinary() {
        let reason = format!("AT3 has no tags for the rules {}", game.rules);
        return Err(conversion.unfit(reason, "json, ttt and pgn represent all rules"));
    }
    if game.start.is_some_and(|start| start.n_moves() > 0) {
        let reason = "it starts from a position, and AT3 starts on an empty board";
        return Err(conversion.unfit(reason, "json, pgn and xfen represent positions"));
    }
    check_comments(game, conversion)?;
    let mut out = lines_of(&tags(game, conversion)?);
    let grid = game.rules.grid();
    let words: Vec<String> = (1..)
        .zip(&game.moves)
        .map(|(number, annotated): (u32, _)| {
            format!("{number}. {}", column_letters::name(grid, annotated.mv.square, RowOne::Top))
        })
        .collect();
    if words.is_empty() {
        // Without it nothing would separate the tags from those of the next game.
        out.extend_from_slice(b"*\n");
    }
    for line in words.chunks(MOVES_PER_LINE) {
        out.extend_from_slice(line.join(" ").as_bytes());
        out.push(b'\n');
    }
    Ok(out)
}

fn tags(game: &AnnotatedGame, conversion: &Conversion) -> Result<Vec<Tag>, Fault> {
    let mut game = game.clone();
    sort_tags(&mut game.tags);
    let mut tags = At3.exported_tags(&game, conversion)?;
    let result = match game.ending() {
        Ending::XWon => "X Wins",
        Ending::OWon => "O Wins",
        Ending::Drawn => "Cat Game",
        Ending::Unfinished | Ending::Bad => "*",
    };
    let grid = game.rules.grid();
    tags.extend([
        Tag::new("Result", result),
        Tag::new("PlacementRule", "Anywhere"),
        Tag::new("Grid", format!("{}x{}", grid.columns(), grid.rows())),
        Tag::new("WinCount", game.rules.line_length().to_string()),
        Tag::new("Player1Choice", game.opener().to_string()),
    ]);
    Ok(tags)
}
