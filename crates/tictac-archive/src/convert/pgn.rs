//! Portable game notation with drop moves: `1. P@b2 P@a3 2. …`, as written by Fairy-Stockfish and cutechess.
//!
//! White is the first player. The letter of a square is its column, and row 1 is at the bottom.

use tictac::notation::Fault;
use tictac::{Goal, Mark, Move, Outcome, Player, Position, Rules, State, Status};

use super::column_letters::{self, RowOne};
use super::movetext::{Dialect, lines_of, opener_of, value_of};
use super::{Conversion, fen};
use crate::annotated::{AnnotatedGame, AnnotatedMove};
use crate::tag::Tag;

#[derive(Clone, Copy, Default)]
pub(super) struct Pgn;

/// The tags that come first in PGN, in its order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
/// The maximum width of a line of movetext, in bytes.
const WIDTH: usize = 79;

impl Dialect for Pgn {
    const OWN_TAGS: &'static [&'static str] =
        &["Variant", "Rules", "Player1Choice", "SetUp", "FEN", "Result"];

    fn player_tags(&self, rules: &Rules) -> Option<[&'static str; 2]> {
        rules.marks_name_players().then_some(["White", "Black"])
    }

    fn start(&self, tags: &[Tag], conversion: &Conversion) -> Result<Position, String> {
        let rules = rules_of(tags, conversion)?;
        if rules.n_boards() > 1 {
            return Err("PGN cannot represent several boards".to_owned());
        }
        let opener = opener_of(tags)?;
        let Some(text) = value_of(tags, "FEN") else {
            return Ok(Position::start_with(&rules, opener).expect("rules with one board"));
        };
        let game = fen::parse(text, &Conversion { rules, ..*conversion })
            .map_err(|error| format!("FEN: {}", error.fault.message))?;
        let start = game.start.filter(|_| game.moves.is_empty()).ok_or("FEN: unexpected moves")?;
        Ok(if opener == Mark::O { fen::with_marks_swapped(&start) } else { start })
    }

    fn number(&self, n_moves: usize) -> usize {
        n_moves / 2 + 1
    }

    fn parse_move(&self, word: &str, position: &Position, _: &Conversion) -> Result<Move, String> {
        let rules = position.rules();
        let example = if rules.marks().are_chosen() { "X@b2 or O@b2" } else { "P@b2" };
        let expected = || format!("expected a move such as {example}, found {word:?}");
        let (piece, square) = word.split_once('@').ok_or_else(expected)?;
        let mark = match (position.marks(), piece) {
            // Some programs omit the letter of a pawn.
            ([mark], "P" | "") => *mark,
            ([_, _, ..], "X") => Mark::X,
            ([_, _, ..], "O") => Mark::O,
            _ => return Err(expected()),
        };
        column_letters::square(rules.grid(), square, RowOne::Bottom).map(|square| Move::new(square, mark))
    }

    fn is_result(&self, value: &[u8], state: &State) -> bool {
        value == result(state).as_bytes()
    }
}

fn rules_of(tags: &[Tag], conversion: &Conversion) -> Result<Rules, String> {
    if let Some(rules) = value_of(tags, "Rules") {
        return rules.parse().map_err(|error| format!("Rules: {error}"));
    }
    match value_of(tags, "Variant") {
        None => Ok(conversion.rules),
        Some("tictactoe") => Ok(Rules::CLASSIC),
        Some(variant) => Err(format!("unknown variant {variant:?}; a Rules tag can describe it")),
    }
}

/// Returns the name of the variant: Fairy-Stockfish's `tictactoe`, or a name like `mnk-4-4-3-misere`.
fn variant(rules: &Rules) -> String {
    if *rules == Rules::CLASSIC {
        return "tictactoe".to_owned();
    }
    if !rules.is_ordinary() {
        return format!("tictac-{}", rules.to_string().replace([' ', ',', '='], "-"));
    }
    let marks = rules.marks().word().map_or_else(String::new, |word| format!("-{word}"));
    let goal = if rules.goal() == Goal::Avoid { "-misere" } else { "" };
    format!("mnk-{}-{}-{}{marks}{goal}", rules.grid().rows(), rules.grid().columns(), rules.line_length())
}

/// Returns the result, in which White is the first player.
fn result(state: &State) -> &'static str {
    match state.status() {
        Status::ToMove(_) => "*",
        Status::Over(Outcome::Draw) => "1/2-1/2",
        Status::Over(Outcome::Win(Player::First)) => "1-0",
        Status::Over(Outcome::Win(Player::Second)) => "0-1",
    }
}

pub(super) fn write(game: &AnnotatedGame, conversion: &Conversion) -> Result<Vec<u8>, Fault> {
    if game.rules.n_boards() > 1 {
        return Err(conversion.unfit("it has several boards", "json and ttt represent them"));
    }
    let mut out = lines_of(&tags(game, conversion)?);
    let n_before = game.start.map_or(0, |start| start.n_moves());
    let mut movetext = MovetextWriter { out: &mut out, column: 0 };
    let mut needs_number = true;
    for (place, annotated) in game.moves.iter().enumerate() {
        let n_moves = n_before + place;
        match (n_moves.is_multiple_of(2), needs_number) {
            (true, _) => movetext.word(format!("{}.", n_moves / 2 + 1).as_bytes()),
            (false, true) => movetext.word(format!("{}...", n_moves / 2 + 1).as_bytes()),
            (false, false) => {}
        }
        movetext.word(move_text(game, annotated).as_bytes());
        needs_number = annotated.comment.is_some();
        if let Some(comment) = &annotated.comment {
            movetext.comment(comment);
        }
    }
    movetext.word(result(&game.last_state()).as_bytes());
    out.push(b'\n');
    Ok(out)
}

fn move_text(game: &AnnotatedGame, annotated: &AnnotatedMove) -> String {
    let piece = if game.rules.marks().are_chosen() { annotated.mv.mark.to_string() } else { "P".to_owned() };
    format!("{piece}@{}", column_letters::name(game.rules.grid(), annotated.mv.square, RowOne::Bottom))
}

fn tags(game: &AnnotatedGame, conversion: &Conversion) -> Result<Vec<Tag>, Fault> {
    let names_players = game.rules.marks_name_players();
    let mut tags = Pgn.exported_tags(game, conversion)?;
    tags.push(Tag::new("Result", result(&game.last_state())));
    tags.push(Tag::new("Variant", variant(&game.rules)));
    if game.rules != Rules::CLASSIC {
        tags.push(Tag::new("Rules", game.rules.to_string()));
    }
    if names_players && game.opener() == Mark::O {
        tags.push(Tag::new("Player1Choice", "O"));
    }
    if let Some(start) = game.start.filter(|start| start.n_moves() > 0) {
        if !names_players {
            let reason = "it starts from a position whose marks do not name players";
            return Err(conversion.unfit(reason, "json represents it"));
        }
        let start = if start.opener() == Mark::O { fen::with_marks_swapped(&start) } else { start };
        tags.push(Tag::new("SetUp", "1"));
        tags.push(Tag::new("FEN", fen::text(&start)));
    }
    tags.sort_by_key(|tag| ROSTER.iter().position(|name| tag.name == *name).unwrap_or(ROSTER.len()));
    Ok(tags)
}

/// Writes movetext in lines of at most [`WIDTH`] bytes.
struct MovetextWriter<'a> {
    out: &'a mut Vec<u8>,
    column: usize,
}

impl MovetextWriter<'_> {
    fn word(&mut self, word: &[u8]) {
        if self.column > 0 && self.column + 1 + word.len() > WIDTH {
            self.out.push(b'\n');
            self.column = 0;
        } else if self.column > 0 {
            self.out.push(b' ');
            self.column += 1;
        }
        self.out.extend_from_slice(word);
        self.column += word.len();
    }

    /// Writes a comment in braces, or after `;` if it contains a brace.
    fn comment(&mut self, comment: &[u8]) {
        if comment.contains(&b'}') {
            self.word(&[b"; ", comment].concat());
            self.out.push(b'\n');
            self.column = 0;
        } else {
            self.word(&[b"{ ", comment, b" }"].concat());
        }
    }
}
