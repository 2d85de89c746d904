//! Forsyth-Edwards notation with pieces in hand, as Fairy-Stockfish writes it: `3/1P1/3[PPPPpppp] b - - 0 1`.
//!
//! White, whose pieces are capitals, is X, who opens. A list of drop moves may follow, as in the UCI protocol.

use std::fmt::Write;

use tictac::{Board, Mark, Position, Rules, State};

use super::column_letters::{self, RowOne};
use super::lines::{LineFault, malformed};
use super::unfit::Unfit;
use super::{Conversion, GameWriter};
use crate::annotated::{AnnotatedGame, AnnotatedMove};

/// The notation.
pub(super) struct Fen;

impl GameWriter for Fen {
    fn write(&self, game: &AnnotatedGame, conversion: &Conversion, out: &mut Vec<u8>) -> Result<(), Unfit> {
        lose_words(game, conversion)?;
        lose_rules(game, conversion)?;
        let Some(State::One(position)) = game.end_state() else {
            return Err(Unfit::new("it has several boards", "json and ttt hold them"));
        };
        let position = with_x_first(position, conversion)?;
        out.extend_from_slice(text(&position).as_bytes());
        out.push(b'\n');
        Ok(())
    }
}

/// Refuses to lose comments and tags silently.
pub(super) fn lose_words(game: &AnnotatedGame, conversion: &Conversion) -> Result<(), Unfit> {
    if let Some(place) = game.moves.iter().position(|annotated| annotated.comment.is_some()) {
        let what = format!("the comment of move {}", place + 1);
        conversion.losses.lose(what, "ttt, pgn and json hold comments")?;
    }
    if let Some(tag) = game.tags.first() {
        let what = format!("the tag {}", tag.name);
        conversion.losses.lose(what, "ttt, pgn, at3 and json hold tags")?;
    }
    Ok(())
}

/// Refuses to lose rules silently that whoever reads the text could not know.
pub(super) fn lose_rules(game: &AnnotatedGame, conversion: &Conversion) -> Result<(), Unfit> {
    if game.rules == conversion.rules {
        return Ok(());
    }
    let instead = format!("with --rules '{}' here, and where it is read, they need not be said", game.rules);
    conversion.losses.lose(format!("its rules {}", game.rules), &instead)
}

/// Returns the position with X as the player who opened.
fn with_x_first(position: Position, conversion: &Conversion) -> Result<Position, Unfit> {
    if !position.rules().marks_name_players() {
        let what = "its marks do not tell who wrote them, and pieces are White's or Black's";
        return Err(Unfit::new(what, "json and ttt hold wild and X-only games"));
    }
    if position.opener() == Mark::X {
        return Ok(position);
    }
    conversion.losses.lose("that O opened (White stands for X)", "json, ttt and xfen can tell it")?;
    Ok(with_marks_swapped(&position))
}

/// Returns the same position of the game that the other mark opened.
pub(super) fn with_marks_swapped(position: &Position) -> Position {
    let board = position.board();
    let swapped = Board::new(board.squares(Mark::O), board.squares(Mark::X)).expect("marks share no square");
    Position::set_up(swapped, !position.opener(), position.rules())
        .expect("only the names of the marks change")
}

/// Returns a position of a game that X opened.
pub(super) fn text(position: &Position) -> String {
    let (grid, board) = (position.rules().grid(), position.board());
    let mut text = rows(position, |mark| if mark == Mark::X { 'P' } else { 'p' });
    let n_in_hand = |mark: Mark, n_pieces: usize| n_pieces - board.squares(mark).len();
    let (white, black) = (n_in_hand(Mark::X, grid.len().div_ceil(2)), n_in_hand(Mark::O, grid.len() / 2));
    let side = if position.n_moves().is_multiple_of(2) { 'w' } else { 'b' };
    let (white, black, number) = ("P".repeat(white), "p".repeat(black), position.n_moves() / 2 + 1);
    // Writing to a string cannot fail.
    let _ = write!(text, "[{white}{black}] {side} - - 0 {number}");
    text
}

/// Returns the rows from the top with `/` between them; numbers stand for empty squares.
pub(super) fn rows(position: &Position, letter: impl Fn(Mark) -> char) -> String {
    let (grid, board) = (position.rules().grid(), position.board());
    let rows = (0..grid.rows()).map(|row| {
        let mut text = String::new();
        let mut n_empty = 0;
        for column in 0..grid.columns() {
            match grid.square(row, column).and_then(|square| board.mark(square)) {
                None => n_empty += 1,
                Some(mark) => {
                    if n_empty > 0 {
                        text += &n_empty.to_string();
                    }
                    text.push(letter(mark));
                    n_empty = 0;
                }
            }
        }
        if n_empty > 0 {
            text += &n_empty.to_string();
        }
        text
    });
    rows.collect::<Vec<_>>().join("/")
}

/// Returns rows with full stops for empty squares, as positions are written; the error is a place.
pub(super) fn expanded(
    rows: &str,
    rules: &Rules,
    mark: impl Fn(char) -> Option<Mark>,
) -> Result<String, usize> {
    let mut text = String::new();
    let mut number = 0;
    for (at, character) in rows.char_indices().chain([(rows.len(), '/')]) {
        if let Some(digit) = character.to_digit(10) {
            number = number * 10 + digit as usize;
            if number == 0 || number > rules.grid().columns() {
                return Err(at);
            }
            continue;
        }
        text += &".".repeat(number);
        number = 0;
        match (character, mark(character)) {
            (_, Some(mark)) => text += &mark.to_string(),
            ('/', None) => text.push('/'),
            _ => return Err(at),
        }
        if text.len() > 2 * rules.grid().len() {
            return Err(at);
        }
    }
    text.pop();
    Ok(text)
}

/// Reads a line: a position, and perhaps `moves` and what they are.
pub(super) fn parse(line: &str, conversion: &Conversion) -> Result<AnnotatedGame, LineFault> {
    let rules = conversion.rules;
    if !rules.marks_name_players() || rules.n_boards() > 1 {
        let message = format!("a position of {rules} cannot be written as FEN");
        return Err((0, malformed(message, Some("where each player writes his own mark, it can"))));
    }
    let (fields, moves) = match line.split_once(" moves") {
        Some((fields, moves)) => (fields, moves),
        None => (line, ""),
    };
    let mut words = fields.split_whitespace();
    let board = words.next().unwrap_or_default();
    let side = words.next().unwrap_or_default();
    let mut game = AnnotatedGame::new(rules);
    game.start = Some(position(board, side, &rules)?);
    check_rest(words, fields.len())?;
    for word in moves.split_whitespace() {
        let at = word.as_ptr() as usize - line.as_ptr() as usize;
        let mark = if game.moves.len().is_multiple_of(2) == (side == "w") { Mark::X } else { Mark::O };
        let square = word.strip_prefix(['P', 'p']).and_then(|word| word.strip_prefix('@'));
        let square = square
            .ok_or_else(|| (at, malformed(format!("expected a move such as P@b2, found {word:?}"), None)))?;
        let square = column_letters::square(rules.grid(), square, RowOne::Bottom)
            .map_err(|message| (at, malformed(message, None)))?;
        game.moves.push(AnnotatedMove { mv: tictac::Move::new(square, mark), comment: None });
    }
    Ok(game)
}

/// The fields of chess after the side to move say nothing here, but they should be fields.
fn check_rest<'a>(words: impl Iterator<Item = &'a str>, at: usize) -> Result<(), LineFault> {
    let rest: Vec<&str> = words.take(5).collect();
    let is_number = |word: &&str| word.parse::<u32>().is_ok();
    match rest[..] {
        [] | ["-", "-"] => Ok(()),
        ["-", "-", ref clocks @ ..] if clocks.len() <= 2 && clocks.iter().all(is_number) => Ok(()),
        _ => Err((at, malformed("expected - - and two numbers after the side to move", None))),
    }
}

fn position(board: &str, side: &str, rules: &Rules) -> Result<Position, LineFault> {
    let (rows, hand) = match board.split_once('[') {
        Some((rows, hand)) => (rows, Some(hand)),
        None => (board, None),
    };
    let mark = |character| match character {
        'P' => Some(Mark::X),
        'p' => Some(Mark::O),
        _ => None,
    };
    let grid = rules.grid();
    let help = format!("it was read by the rules {rules}; --rules says others");
    let text = expanded(rows, rules, mark).map_err(|at| {
        let message = format!(
            "expected {} rows of {} squares: P, p or numbers of empty ones",
            grid.rows(),
            grid.columns()
        );
        (at, malformed(message, Some(&help)))
    })?;
    let to_move = match side {
        "w" => 'X',
        "b" => 'O',
        _ => return Err((board.len() + 1, malformed("expected w or b, the side to move", None))),
    };
    let position = Position::parse(&format!("{text} {to_move}"), rules)
        .map_err(|error| (0, malformed(format!("{error}"), Some(&help))))?;
    if position.opener() != Mark::X {
        return Err((
            board.len() + 1,
            malformed("White (X) opens, and so has as many pieces as Black or one more", None),
        ));
    }
    match hand {
        Some(hand)
            if self::text(&position)
                .split_once('[')
                .and_then(|(_, text)| text.split_once(' '))
                .map(|text| text.0)
                != Some(hand) =>
        {
            Err((
                rows.len(),
                malformed(
                    "the pieces in hand are not those that are left",
                    Some("without [ ] they need not be said"),
                ),
            ))
        }
        _ => Ok(position),
    }
}
