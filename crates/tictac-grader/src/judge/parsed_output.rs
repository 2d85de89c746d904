//! Reads the boards, turns and results in the output of a game, however it is worded.

use tictac::{Board, Rules, Square, SquareSet};
use tictac_programs::lab3::Size;

use crate::assignment::Assignment;

/// Only this many bytes of an output are read; no correct output is longer.
const MAX_READ: usize = 32 * 1024;

/// Something that every correct output contains, in whatever words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputEvent {
    /// A printed board.
    Board(Board),
    /// The player who is asked for a move: `X` or `O`, in Notakto `1` or `2`.
    Turn(u8),
    /// The player who wins.
    Win(u8),
    /// The announcement of a draw.
    Draw,
    /// A player who quits.
    Quit,
}

/// The output of a game: its events, and the lines of text between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ParsedOutput {
    /// The events in order, without repetition: a board that is drawn again unchanged, or a player who is asked again,
    /// is left out.
    pub(super) events: Vec<OutputEvent>,
    /// The lines before each event, and those after the last. A line that states an event comes after that event.
    pub(super) texts: Vec<Vec<OutputLine>>,
    /// Whether every board of `tictactoe` has its row and column numbers.
    pub(super) has_labels: bool,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OutputLine {
    pub(super) text: String,
    /// Whether the line states an event, and so cannot be a message.
    pub(super) is_event: bool,
}

impl ParsedOutput {
    /// Parses the output of a program.
    pub(super) fn parse(assignment: Assignment, stdout: &[u8]) -> ParsedOutput {
        let text = String::from_utf8_lossy(&stdout[..stdout.len().min(MAX_READ)]);
        let lines: Vec<&str> = text.split('\n').flat_map(|line| split_prompts(assignment, line)).collect();
        let mut parsed = ParsedOutput { events: Vec::new(), texts: vec![Vec::new()], has_labels: true };
        let mut at = 0;
        while at < lines.len() {
            if let Some((board, n_lines)) = board(assignment, &lines[at..]) {
                parsed.add(OutputEvent::Board(board));
                parsed.has_labels &= is_labelled(&lines[at.saturating_sub(2)..at], &lines[at..at + n_lines]);
                at += n_lines;
                continue;
            }
            let line = lines[at];
            let event = stated_event(assignment, line);
            if let Some(event) = event {
                parsed.add(event);
            }
            if !line.trim().is_empty() && !is_decoration(line) {
                let line = OutputLine { text: line.trim().to_owned(), is_event: event.is_some() };
                parsed.texts.last_mut().expect("there is always a last group of lines").push(line);
            }
            at += 1;
        }
        parsed
    }

    fn add(&mut self, event: OutputEvent) {
        let is_board = |event: &&OutputEvent| matches!(event, OutputEvent::Board(_));
        // Instructions before the first board may mention turns.
        let is_instruction =
            matches!(event, OutputEvent::Turn(_)) && !self.events.iter().any(|each| is_board(&each));
        let is_repeated = match event {
            OutputEvent::Board(_) => self.events.iter().rev().find(is_board) == Some(&event),
            _ => self.events.last() == Some(&event),
        };
        if !is_instruction && !is_repeated {
            self.events.push(event);
            self.texts.push(Vec::new());
        }
    }

    /// Returns the last board before the event with this index.
    pub(super) fn board_before(&self, index: usize) -> Option<Board> {
        self.events[..index.min(self.events.len())].iter().rev().find_map(|event| match event {
            OutputEvent::Board(board) => Some(*board),
            _ => None,
        })
    }
}

/// Returns whether rows start with their numbers, and the column numbers are above them.
fn is_labelled(above: &[&str], rows: &[&str]) -> bool {
    let digits = |line: &str| line.chars().filter(char::is_ascii_digit).collect::<String>();
    let numbers: Vec<String> =
        rows.iter().map(|line| digits(line)).filter(|digits| digits.len() == 1).collect();
    numbers == ["1", "2", "3"] && above.iter().any(|line| digits(line) == "123")
}

/// Reads a board at the start of these lines; returns it with the number of lines that it takes.
fn board(assignment: Assignment, lines: &[&str]) -> Option<(Board, usize)> {
    match assignment {
        Assignment::Lab3 => bordered_board(lines),
        _ => plain_board(lines),
    }
}

/// Returns the board with these squares, row by row from the top: `X`, `O` or another byte for an empty square.
fn to_board(cells: &[u8]) -> Option<Board> {
    let squares = |mark: u8| -> SquareSet {
        (0..cells.len()).filter(|&at| cells[at] == mark).filter_map(Square::new).collect()
    };
    Board::new(squares(b'X'), squares(b'O'))
}

fn plain_board(lines: &[&str]) -> Option<(Board, usize)> {
    let mut cells = Vec::new();
    for (place, line) in lines.iter().enumerate().take(12) {
        if let Some(row) = row(line) {
            cells.extend(row);
        } else if (cells.is_empty() && place == 0) || !is_decoration(line) {
            return None;
        }
        if cells.len() == Rules::CLASSIC.grid().len() {
            return Some((to_board(&cells)?, place + 1));
        }
    }
    None
}

/// Reads a row of three squares, with or without a row number and bars.
fn row(line: &str) -> Option<[u8; 3]> {
    let words: Vec<&str> = if line.contains('|') {
        line.trim().trim_matches('|').split('|').map(str::trim).collect()
    } else {
        line.split_whitespace().collect()
    };
    let words = match words[..] {
        [number, ref rest @ ..] if rest.len() == 3 && is_number(number) => rest.to_vec(),
        [labelled, b, c] if labelled.contains(' ') => vec![labelled.rsplit(' ').next()?, b, c],
        _ => words,
    };
    let cells: Vec<u8> = words.iter().filter_map(|word| cell(word)).collect();
    if words.len() == 3 { cells.try_into().ok() } else { None }
}

/// Reads one square: a mark, or any character but a letter or a digit for an empty one.
fn cell(word: &str) -> Option<u8> {
    match word.as_bytes() {
        [] => Some(b'-'),
        [b'X' | b'x'] => Some(b'X'),
        [b'O' | b'o'] => Some(b'O'),
        [byte] if !byte.is_ascii_alphanumeric() => Some(b'-'),
        _ => None,
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a line is only part of how a board is drawn: rules, bars, column numbers.
fn is_decoration(line: &str) -> bool {
    line.bytes().all(|byte| b" \t\r|+-=_".contains(&byte) || byte.is_ascii_digit())
}

/// Reads the board of `lab3`: numbered rows from the top down, with a border that is never played.
fn bordered_board(lines: &[&str]) -> Option<(Board, usize)> {
    let size = Size::default();
    let lines = lines.get(..size.height())?;
    let mut cells = Vec::new();
    for (row, line) in (0..size.height()).rev().zip(lines) {
        let line = line.trim_end();
        let rest = line.strip_prefix(&row.to_string())?;
        if !rest.bytes().all(|byte| b" XOYxoy.-_|*".contains(&byte)) {
            return None;
        }
        if (1..=size.inner_rows()).contains(&row) {
            cells.extend((1..=size.inner_columns()).map(|column| bordered_cell(size, line, rest, column)));
        }
    }
    Some((to_board(&cells)?, lines.len()))
}

/// Reads a square of `lab3`: by counting words if every square is written, or else by its column in the line.
fn bordered_cell(size: Size, line: &str, rest: &str, column: usize) -> u8 {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let byte = if words.len() == size.width() {
        words[column].bytes().next()
    } else {
        line.as_bytes().get(size.text_column(column)).copied()
    };
    match byte.map(|byte| byte.to_ascii_uppercase()) {
        Some(b'X') => b'X',
        Some(b'O' | b'Y') => b'O',
        _ => b'-',
    }
}

/// Splits a line after each prompt that no newline ends, such as `X's turn:   1  2  3`.
fn split_prompts(assignment: Assignment, line: &str) -> Vec<&str> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    if assignment != Assignment::Tictactoe || !line.to_ascii_lowercase().contains("turn") {
        return vec![line];
    }
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some(end) = rest.find([':', '>', '?']) {
        parts.push(&rest[..=end]);
        rest = &rest[end + 1..];
        // One space belongs to the prompt; what follows it is the next line.
        rest = rest.strip_prefix(' ').unwrap_or(rest);
    }
    parts.push(rest);
    parts
}

/// Returns the event that a line states, if any.
fn stated_event(assignment: Assignment, line: &str) -> Option<OutputEvent> {
    let lower = line.to_ascii_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |wanted: &[&str]| wanted.iter().any(|word| words.contains(word));
    let player = player(assignment, &words);
    if has(&["you"]) && has(&["entered"]) {
        return None;
    }
    if let (true, Some(player)) = (has(&["won", "win", "wins", "winner"]), player) {
        return Some(OutputEvent::Win(player));
    }
    if player.is_some() && has(&["quit", "quits", "quitted"]) && !has(&["enter", "type"]) {
        return Some(OutputEvent::Quit);
    }
    if has(&["tie", "tied", "draw"]) && !line.contains('?') && player.is_none() {
        return Some(OutputEvent::Draw);
    }
    player.filter(|_| has(&["turn", "turns", "move"])).map(OutputEvent::Turn)
}

/// Returns the player that a line names.
fn player(assignment: Assignment, words: &[&str]) -> Option<u8> {
    let after_player = words.iter().position(|&word| word == "player").and_then(|at| words.get(at + 1));
    if assignment == Assignment::Notakto {
        return after_player.and_then(|word| match *word {
            "1" | "2" => Some(word.as_bytes()[0]),
            _ => None,
        });
    }
    words.iter().chain(after_player).find_map(|&word| match word {
        "x" => Some(b'X'),
        "o" | "y" => Some(b'O'),
        _ => None,
    })
}

/// Returns the numbers in a line, in order.
pub(super) fn numbers(line: &str) -> Vec<u32> {
    line.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}
