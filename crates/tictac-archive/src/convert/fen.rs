//! Forsyth-Edwards notation with pieces in hand, as written by Fairy-Stockfish: `3/1P1/3[PPPPpppp] b - - 0 1`.
//!
//! White, with upper-case pieces, is X and moves first. A list of drop moves may follow, as in the UCI protocol.

use tictac::notation::Fault;
use tictac::{Board, Mark, Move, Position, Rules, State};

use super::Conversion;
use super::column_letters::{self, RowOne};
use super::lines::malformed;
use crate::annotated::{AnnotatedGame, AnnotatedMove};
use crate::report::LineFault;

pub(super) fn write(game: &AnnotatedGame, conversion: &Conversion) -> Result<Vec<u8>, Fault> {
    check_annotations(game, conversion)?;
    check_rules(game, conversion)?;
    let State::One(position) = game.last_state() else {
        return Err(conversion.unfit("it has several boards", "json and ttt represent them"));
    };
    Ok((text(&with_x_first(position, conversion)?) + "\n").into_bytes())
}

pub(super) fn check_annotations(game: &AnnotatedGame, conversion: &Conversion) -> Result<(), Fault> {
    check_comments(game, conversion)?;
    let Some(tag) = game.tags.first() else { return Ok(()) };
    conversion.report_loss(format!("the tag {}", tag.name), "ttt, pgn, at3 and json represent tags")
}

pub(super) fn check_comments(game: &AnnotatedGame, conversion: &Conversion) -> Result<(), Fault> {
    let place = game.moves.iter().position(|annotated| annotated.comment.is_some());
    let Some(place) = place else { return Ok(()) };
    let what = format!("the comment of move {}", place + 1);
    conversion.report_loss(what, "ttt, pgn and json represent comments")
}

/// Reports the loss of the rules, which the text does not contain, unless the conversion states the same rules.
pub(super) fn check_rules(game: &AnnotatedGame, conversion: &Conversion) -> Result<(), Fault> {
    if game.rules == conversion.rules {
        return Ok(());
    }
    let alternative = format!("use --rules '{}' here and when it is read", game.rules);
    conversion.report_loss(format!("its rules {}", game.rules), &alternative)
}

/// Returns the position with X as the first player.
fn with_x_first(position: Position, conversion: &Conversion) -> Result<Position, Fault> {
    if !position.rules().missing_squares().is_empty() {
        return Err(conversion.unfit("its board has missing squares", "json and ttt represent them"));
    }
    if !position.rules().marks_name_players() {
        let reason = "its marks do not name players, but pieces are White's or Black's";
        return Err(conversion.unfit(reason, "json and ttt represent wild and X-only games"));
    }
    if position.opener() == Mark::X {
        return Ok(position);
    }
    conversion.report_loss("that O opened (White is X)", "json, ttt and xfen represent it")?;
    Ok(with_marks_swapped(&position))
}

pub(super) fn with_marks_swapped(position: &Position) -> Position {
    let board = position.board();
    let swapped = Board::new(board.squares(Mark::O), board.squares(Mark::X)).expect("marks share no square");
    Position::set_up(swapped, !position.opener(), position.rules())
        .expect("only the names of the marks change")
}

/// Returns the FEN of a position in which X is the first player.
pub(super) fn text(position: &Position) -> String {
    let (grid, board) = (position.rules().grid(), position.board());
    let text = rows(position, |mark| if mark == Mark::X { 'P' } else { 'p' });
    let n_in_hand = |mark: Mark, n_pieces: usize| n_pieces - board.squares(mark).len();
    let (white, black) = (n_in_hand(Mark::X, grid.len().div_ceil(2)), n_in_hand(Mark::O, grid.len() / 2));
    let side = if position.n_moves().is_multiple_of(2) { 'w' } else { 'b' };
    let (white, black, number) = ("P".repeat(white), "p".repeat(black), position.n_moves() / 2 + 1);
    text + &format!("[{white}{black}] {side} - - 0 {number}")
}

/// Returns the rows from the top, separated by `/`, with numbers for empty squares.
pub(super) fn rows(position: &Position, letter: impl Fn(Mark) -> char) -> String {
    let (grid, board) = (position.rules().grid(), position.board());
    let rows = (0..grid.rows()).map(|row| {
        let squares = (0..grid.columns()).filter_map(|column| grid.square(row, column));
        let marks: Vec<Option<Mark>> = squares.map(|square| board.mark(square)).collect();
        let runs = marks.chunk_by(|mark, next| mark.is_none() && next.is_none());
        let text =
            |run: &[Option<Mark>]| run[0].map_or(run.len().to_string(), |mark| letter(mark).to_string());
        runs.map(text).collect::<String>()
    });
    rows.collect::<Vec<_>>().join("/")
}

/// Expands the numbers in rows to full stops, as in the notation of positions; the error is an offset.
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

/// Parses a line: a position, optionally followed by `moves` and a list of moves.
pub(super) fn parse(line: &str, conversion: &Conversion) -> Result<AnnotatedGame, LineFault> {
    let rules = conversion.rules;
    if !rules.marks_name_players() || rules.n_boards() > 1 || !rules.missing_squares().is_empty() {
        let message = format!("a position of {rules} cannot be written as FEN");
        return Err(malformed(0, message)
            .with_help("FEN needs rules by which each player has a mark, and no missing squares"));
    }
    let (fields, moves) = line.split_once(" moves").unwrap_or((line, ""));
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
        let square = square.ok_or_else(|| format!("expected a move such as P@b2, found {word:?}"));
        let square = square.and_then(|square| column_letters::square(rules.grid(), square, RowOne::Bottom));
        let square = square.map_err(|message| malformed(at, message))?;
        game.moves.push(AnnotatedMove { mv: Move::new(square, mark), comment: None });
    }
    Ok(game)
}

/// Checks the fields after the side to move, which have a meaning in chess only.
fn check_rest<'a>(words: impl Iterator<Item = &'a str>, at: usize) -> Result<(), LineFault> {
    let rest: Vec<&str> = words.take(5).collect();
    let is_number = |word: &&str| word.parse::<u32>().is_ok();
    match rest[..] {
        [] | ["-", "-"] => Ok(()),
        ["-", "-", ref clocks @ ..] if clocks.len() <= 2 && clocks.iter().all(is_number) => Ok(()),
        _ => Err(malformed(at, "expected - - and two numbers after the side to move")),
    }
}

fn position(board: &str, side: &str, rules: &Rules) -> Result<Position, LineFault> {
    let (rows, hand) = board.split_once('[').map_or((board, None), |(rows, hand)| (rows, Some(hand)));
    let mark = |character| match character {
        'P' => Some(Mark::X),
        'p' => Some(Mark::O),
        _ => None,
    };
    let grid = rules.grid();
    let help = format!("the rules are {rules}; choose others with --rules");
    let text = expanded(rows, rules, mark).map_err(|at| {
        let message = format!(
            "expected {} rows of {} squares: P, p or numbers of empty squares",
            grid.rows(),
            grid.columns()
        );
        malformed(at, message).with_help(&help)
    })?;
    let to_move = match side {
        "w" => 'X',
        "b" => 'O',
        _ => return Err(malformed(board.len() + 1, "expected w or b, the side to move")),
    };
    let position = Position::parse(&format!("{text} {to_move}"), rules)
        .map_err(|error| malformed(0, error.to_string()).with_help(&help))?;
    if position.opener() != Mark::X {
        let message = "White (X) moves first and has as many pieces as Black, or one more";
        return Err(malformed(board.len() + 1, message));
    }
    let text = self::text(&position);
    let expected = text.split(['[', ' ']).nth(1);
    if hand.is_some() && hand != expected {
        let help = "the pieces in hand may be left out, with their brackets";
        return Err(malformed(rows.len(), "wrong number of pieces in hand").with_help(help));
    }
    Ok(position)
}
