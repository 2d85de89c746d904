//! Portable game notation with drop moves: `1. P@b2 P@a3 2. …`, as Fairy-Stockfish and cutechess write them.
//!
//! White is the first player. The letter of a square is its column, and row 1 is at the bottom.

use tictac::{Goal, Mark, Marks, Move, Position, Rules};

use super::column_letters::{self, RowOne};
use super::movetext::{Dialect, Setting, opener_of, value_of};
use super::unfit::Unfit;
use super::{Conversion, GameWriter, fen};
use crate::annotated::{AnnotatedGame, AnnotatedMove, RawTag};
use crate::fmt::write_tag;
use crate::totals::Ending;

/// The notation.
#[derive(Clone, Copy)]
pub(super) struct Pgn;

/// Tags that say how the game starts and ends.
const OWN_TAGS: [&str; 6] = ["Variant", "Rules", "Player1Choice", "SetUp", "FEN", "Result"];
/// The tags that PGN wants first, in its order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
/// Lines are broken before they become longer.
const WIDTH: usize = 79;

impl Dialect for Pgn {
    fn setting(&self, tags: &[RawTag], conversion: &Conversion) -> Result<Setting, String> {
        let rules = rules_of(tags, conversion)?;
        if rules.n_boards() > 1 {
            return Err("several boards have no PGN".to_owned());
        }
        let mut setting = Setting::new(rules, opener_of(tags)?);
        if let Some(text) = value_of(tags, "FEN") {
            let conversion = Conversion { rules, ..*conversion };
            let game =
                fen::parse(text, &conversion).map_err(|(_, fault)| format!("FEN: {}", fault.message))?;
            let start =
                game.start.filter(|_| game.moves.is_empty()).ok_or("FEN: moves do not belong here")?;
            setting.start = if setting.opener == Mark::O { fen::with_marks_swapped(&start) } else { start };
        }
        Ok(setting)
    }

    fn number(&self, n_moves: usize) -> usize {
        n_moves / 2 + 1
    }

    fn parse_move(&self, word: &str, position: &Position, _: &Conversion) -> Result<Move, String> {
        let rules = position.rules();
        let example = if rules.marks() == Marks::Either { "X@b2 or O@b2" } else { "P@b2" };
        let expected = || format!("expected a move such as {example}, found {word:?}");
        let (piece, square) = word.split_once('@').ok_or_else(expected)?;
        let mark = match (rules.marks(), piece) {
            (Marks::Either, "X") | (Marks::OnlyX, "P") => Mark::X,
            (Marks::Either, "O") => Mark::O,
            // Some programs leave the letter of a pawn out.
            (Marks::Own, "P" | "") => position.mark_of(position.next_player()).unwrap_or(Mark::X),
            _ => return Err(expected()),
        };
        column_letters::square(rules.grid(), square, RowOne::Bottom).map(|square| Move::new(square, mark))
    }

    fn is_result(&self, value: &[u8], ending: Ending, setting: &Setting) -> bool {
        value == result(ending, &setting.rules, setting.opener).as_bytes()
    }

    fn kept_name<'a>(&self, name: &'a str, setting: &Setting) -> Option<&'a str> {
        match name {
            "White" | "Black" if setting.rules.marks_name_players() => {
                Some(setting.player_tag(name == "White"))
            }
            _ => (!OWN_TAGS.contains(&name)).then_some(name),
        }
    }
}

fn rules_of(tags: &[RawTag], conversion: &Conversion) -> Result<Rules, String> {
    if let Some(rules) = value_of(tags, "Rules") {
        return rules.parse().map_err(|error| format!("Rules: {error}"));
    }
    match value_of(tags, "Variant") {
        None => Ok(conversion.rules),
        Some("tictactoe") => Ok(Rules::CLASSIC),
        Some(variant) => {
            Err(format!("the variant {variant:?} is not known here; a Rules tag would say what it is"))
        }
    }
}

/// Returns the name of the variant: that of Fairy-Stockfish for the ordinary game, `mnk-4-4-3-misere` for others.
fn variant(rules: &Rules) -> String {
    if *rules == Rules::CLASSIC {
        return "tictactoe".to_owned();
    }
    let marks = match rules.marks() {
        Marks::Own => "",
        Marks::Either => "-wild",
        Marks::OnlyX => "-x-only",
    };
    let goal = if rules.goal() == Goal::Avoid { "-misere" } else { "" };
    format!("mnk-{}-{}-{}{marks}{goal}", rules.grid().rows(), rules.grid().columns(), rules.line_length())
}

/// Returns the result for White and Black, who are the first and the second player.
fn result(ending: Ending, rules: &Rules, opener: Mark) -> &'static str {
    let first_is_x = opener == Mark::X || !rules.marks_name_players();
    match ending {
        Ending::XWon if first_is_x => "1-0",
        Ending::OWon if !first_is_x => "1-0",
        Ending::XWon | Ending::OWon => "0-1",
        Ending::Drawn => "1/2-1/2",
        Ending::Unfinished | Ending::Bad => "*",
    }
}

impl GameWriter for Pgn {
    fn write(&self, game: &AnnotatedGame, conversion: &Conversion, out: &mut Vec<u8>) -> Result<(), Unfit> {
        if game.rules.n_boards() > 1 {
            return Err(Unfit::new("it has several boards", "json and ttt hold them"));
        }
        for tag in tags(game, conversion)? {
            write_tag(&tag, out).expect("memory can be written to");
        }
        out.push(b'\n');
        let n_before = game.start.map_or(0, |start| start.n_moves());
        let mut movetext = Movetext { out, column: 0 };
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
        movetext.word(result(game.ending(), &game.rules, game.opener()).as_bytes());
        out.push(b'\n');
        Ok(())
    }
}

fn move_text(game: &AnnotatedGame, annotated: &AnnotatedMove) -> String {
    let piece = match game.rules.marks() {
        Marks::Own | Marks::OnlyX => "P".to_owned(),
        Marks::Either => annotated.mv.mark.to_string(),
    };
    format!("{piece}@{}", column_letters::name(game.rules.grid(), annotated.mv.square, RowOne::Bottom))
}

/// Returns the tags in the order in which PGN wants them.
fn tags(game: &AnnotatedGame, conversion: &Conversion) -> Result<Vec<RawTag>, Unfit> {
    let names_players = game.rules.marks_name_players();
    let setting = Setting::new(game.rules, game.opener());
    let mut tags = Vec::new();
    for tag in &game.tags {
        let name = match tag.name.as_str() {
            name @ ("X" | "O") if names_players => {
                if setting.player_tag(true) == name {
                    "White"
                } else {
                    "Black"
                }
            }
            name if OWN_TAGS.contains(&name) || (names_players && matches!(name, "White" | "Black")) => {
                let what = format!("the tag {name}, whose name means something else in PGN");
                conversion.losses.lose(what, "json and ttt can hold it")?;
                continue;
            }
            name => name,
        };
        tags.push(RawTag { name: name.to_owned(), value: tag.value.clone() });
    }
    let mut add =
        |name: &str, value: String| tags.push(RawTag { name: name.to_owned(), value: value.into() });
    add("Result", result(game.ending(), &game.rules, game.opener()).to_owned());
    add("Variant", variant(&game.rules));
    if game.rules != Rules::CLASSIC {
        add("Rules", game.rules.to_string());
    }
    if names_players && game.opener() == Mark::O {
        add("Player1Choice", "O".to_owned());
    }
    if let Some(start) = game.start.filter(|start| start.n_moves() > 0) {
        if !names_players {
            let what = "it starts from a position in which marks do not tell who wrote them";
            return Err(Unfit::new(what, "json holds it"));
        }
        let start = if start.opener() == Mark::O { fen::with_marks_swapped(&start) } else { start };
        add("SetUp", "1".to_owned());
        add("FEN", fen::text(&start));
    }
    tags.sort_by_key(|tag| ROSTER.iter().position(|name| tag.name == *name).unwrap_or(ROSTER.len()));
    Ok(tags)
}

/// Movetext in lines of a bearable length.
struct Movetext<'a> {
    out: &'a mut Vec<u8>,
    column: usize,
}

impl Movetext<'_> {
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

    /// Writes a comment in braces; one that holds a brace goes to the end of its line.
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
