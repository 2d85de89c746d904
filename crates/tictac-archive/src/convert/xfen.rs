//! A position and the moves after it, as in the UXI protocol: `xfen oxx/1o1/2x o moves 6 4`.
//!
//! Squares are numbered as on a numeric keypad, with 7 8 9 on top.

use tictac::notation::Fault;
use tictac::{Grid, Mark, Move, Position, Rules};

use super::Conversion;
use super::fen::{check_annotations, check_rules, expanded, rows};
use super::lines::malformed;
use crate::annotated::{AnnotatedGame, AnnotatedMove};
use crate::report::LineFault;

pub(super) fn write(game: &AnnotatedGame, conversion: &Conversion) -> Result<Vec<u8>, Fault> {
    if !supports(&game.rules) {
        return Err(conversion.unfit(unsupported(&game.rules), "json and ttt represent all rules"));
    }
    check_annotations(game, conversion)?;
    check_rules(game, conversion)?;
    let start =
        game.start.unwrap_or(Position::start_with(&game.rules, game.opener()).expect("rules with one board"));
    let to_move = start.mark_of(start.next_player()).unwrap_or(Mark::X);
    let letter = |mark: Mark| if mark == Mark::X { 'x' } else { 'o' };
    let mut text = format!("xfen {} {}", rows(&start, letter), letter(to_move));
    for (place, annotated) in game.moves.iter().enumerate() {
        text += if place == 0 { " moves " } else { " " };
        text += &number(annotated.mv).to_string();
    }
    Ok((text + "\n").into_bytes())
}

fn supports(rules: &Rules) -> bool {
    rules.grid() == Grid::THREE && rules.marks_name_players() && rules.is_ordinary()
}

fn unsupported(rules: &Rules) -> String {
    format!("xfen needs a 3×3 board and one mark per player; the rules are {rules}")
}

fn number(mv: Move) -> usize {
    (2 - Grid::THREE.row(mv.square)) * 3 + Grid::THREE.column(mv.square) + 1
}

/// Parses a line, which may start with the protocol's word `position`.
pub(super) fn parse(line: &str, conversion: &Conversion) -> Result<AnnotatedGame, LineFault> {
    let rules = conversion.rules;
    if !supports(&rules) {
        return Err(malformed(0, unsupported(&rules)));
    }
    let place = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
    let mut words = line.split_whitespace().peekable();
    words.next_if_eq(&"position");
    let mut next = |what: &str| words.next().ok_or_else(|| malformed(line.len(), format!("expected {what}")));
    let first = next("xfen")?;
    if first != "xfen" {
        return Err(malformed(place(first), format!("expected xfen, found {first:?}")));
    }
    let (board, side) = (next("three rows such as oxx/1o1/2x")?, next("x or o, the side to move")?);
    let mark = |character: char| match character {
        'x' => Some(Mark::X),
        'o' => Some(Mark::O),
        _ => None,
    };
    let text = expanded(board, &rules, mark).map_err(|at| {
        malformed(place(board) + at, "expected three rows of x, o and numbers of empty squares")
    })?;
    let to_move = side.chars().next().filter(|_| side.len() == 1).and_then(mark);
    let to_move = to_move.ok_or_else(|| malformed(place(side), "expected x or o, the side to move"))?;
    let start = Position::parse(&format!("{text} {to_move}"), &rules)
        .map_err(|error| malformed(place(board), error.to_string()))?;
    let mut game = AnnotatedGame { start: Some(start), ..AnnotatedGame::new(rules) };
    match words.next() {
        None => return Ok(game),
        Some("moves") => {}
        Some(word) => return Err(malformed(place(word), format!("expected moves, found {word:?}"))),
    }
    let mut mark = to_move;
    for word in words {
        let mv = keypad(word, mark).ok_or_else(|| {
            malformed(place(word), format!("{word:?} is not a square from 1 to 9 (7 8 9 on top)"))
        })?;
        game.moves.push(AnnotatedMove { mv, comment: None });
        mark = !mark;
    }
    Ok(game)
}

fn keypad(word: &str, mark: Mark) -> Option<Move> {
    let number = word.parse::<usize>().ok().filter(|number| word.len() == 1 && (1..=9).contains(number))?;
    Grid::THREE.square(2 - (number - 1) / 3, (number - 1) % 3).map(|square| Move::new(square, mark))
}
