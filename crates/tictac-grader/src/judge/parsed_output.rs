//! Reads the boards, turns and results in the output of a game, however it is worded.

use tictac::{Board, Player, Rules, Square, SquareSet};
use tictac_programs::lab3::Size;

use super::player_names::PlayerNames;
use super::prompts;
use super::required_text::is_refusal;
use crate::assignment::{Assignment, CourseProgram};

/// Only this many bytes of an output are read; no correct output is longer.
const MAX_READ: usize = 32 * 1024;

/// Something that every correct output contains, in whatever words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputEvent {
    /// A printed board.
    Board(Board),
    /// The player who is asked for a move.
    Turn(Player),
    /// The player who wins; `None` if the output does not say who.
    Win(Option<Player>),
    /// The announcement of a draw.
    Draw,
    /// A player who quits.
    Quit,
}

impl OutputEvent {
    pub(super) const fn is_board(&self) -> bool {
        matches!(self, OutputEvent::Board(_))
    }

    pub(super) const fn is_turn(&self) -> bool {
        matches!(self, OutputEvent::Turn(_))
    }

    pub(super) const fn is_result(&self) -> bool {
        !self.is_board() && !self.is_turn()
    }
}

/// The output of a game: its events, and the lines of text between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParsedOutput {
    /// The events in order, without repetition: a board that is drawn again unchanged, or a player who is asked again,
    /// is left out.
    pub(super) events: Vec<OutputEvent>,
    /// The lines before each event, and those after the last. A line that states an event comes after that event.
    pub(super) texts: Vec<Vec<OutputLine>>,
    /// Whether every board has its row and column numbers, and the rows are in their order.
    pub(super) has_labels: bool,
    /// How the output names the players.
    pub(super) names: PlayerNames,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OutputLine {
    pub(super) text: String,
    /// Whether the line states an event, and so cannot be a message.
    pub(super) is_event: bool,
}

/// Which lines state that a player quits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuitLines {
    /// Those that name the player or the number of turns.
    Detailed,
    /// All that contain the word, but for prompts.
    All,
}

impl ParsedOutput {
    /// Parses the output of a program.
    pub(crate) fn parse(assignment: Assignment, stdout: &[u8]) -> ParsedOutput {
        let text = String::from_utf8_lossy(&stdout[..stdout.len().min(MAX_READ)]);
        let lines = prompts::split(assignment, &text);
        let names = PlayerNames::of(assignment, &text);
        let parsed = ParsedOutput::from_lines(assignment, names, &lines, QuitLines::Detailed);
        if assignment == CourseProgram::Lab3 && !parsed.events.iter().any(OutputEvent::is_result) {
            return ParsedOutput::from_lines(assignment, names, &lines, QuitLines::All);
        }
        parsed
    }

    fn from_lines(
        assignment: Assignment,
        names: PlayerNames,
        lines: &[&str],
        quit_lines: QuitLines,
    ) -> ParsedOutput {
        let mut parsed =
            ParsedOutput { events: Vec::new(), texts: vec![Vec::new()], has_labels: true, names };
        // Instructions before the first board may mention turns and results.
        let first_board = (0..lines.len()).find(|&at| board(assignment, names, &lines[at..]).is_some());
        let mut prompt_form = PromptForm::default();
        let mut at = 0;
        while at < lines.len() {
            if let Some(drawn) = board(assignment, names, &lines[at..]) {
                parsed.add(OutputEvent::Board(drawn.board));
                let (before, after) = lines.split_at(at);
                parsed.has_labels &= drawn.is_labelled(assignment, before, after);
                at += drawn.n_lines;
                continue;
            }
            let line = lines[at];
            let is_instruction = first_board.is_some_and(|first| at < first);
            let event = stated_event(names, line, quit_lines).filter(|_| !is_instruction);
            let event = event.filter(|event| !event.is_turn() || prompt_form.accepts(names, line));
            if let Some(event) = event {
                parsed.add(event);
            }
            if !line.trim().is_empty() && !is_decoration(line) {
                let line = OutputLine { text: line.trim().to_owned(), is_event: event.is_some() };
                parsed.texts.last_mut().expect("there is always a last group of lines").push(line);
            }
            at += 1;
        }
        parsed.put_last_board_first();
        parsed
    }

    /// Adds an event and a group for the lines after it, unless the event repeats an earlier one.
    pub(super) fn add(&mut self, event: OutputEvent) {
        let is_repeated = match event {
            OutputEvent::Board(_) => self.events.iter().rev().find(|each| each.is_board()) == Some(&event),
            _ => self.events.last() == Some(&event),
        };
        if !is_repeated {
            self.events.push(event);
            self.texts.push(Vec::new());
        }
    }

    /// Moves the last board before the result, if a program draws it after the result.
    fn put_last_board_first(&mut self) {
        let n = self.events.len();
        if n >= 2 && self.events[n - 1].is_board() && self.events[n - 2].is_result() {
            self.events.swap(n - 1, n - 2);
            let result_lines = std::mem::take(&mut self.texts[n - 1]);
            self.texts[n].splice(..0, result_lines);
        }
    }

    /// Returns the boards, in order.
    pub(crate) fn boards(&self) -> impl DoubleEndedIterator<Item = Board> {
        boards(&self.events)
    }

    pub(crate) fn announces_draw(&self) -> bool {
        self.events.contains(&OutputEvent::Draw)
    }

    /// Returns the last board before the event with this index.
    pub(super) fn board_before(&self, index: usize) -> Option<Board> {
        boards(&self.events[..index.min(self.events.len())]).next_back()
    }
}

fn boards(events: &[OutputEvent]) -> impl DoubleEndedIterator<Item = Board> {
    events.iter().filter_map(|event| if let OutputEvent::Board(board) = event { Some(*board) } else { None })
}

/// A board in an output.
struct DrawnBoard {
    board: Board,
    n_lines: usize,
    /// Whether the rows of `lab3` are complete and in their order.
    has_all_rows: bool,
}

impl DrawnBoard {
    /// Returns whether a board has its numbers, given the lines before it and those from its first row on.
    fn is_labelled(&self, assignment: Assignment, before: &[&str], after: &[&str]) -> bool {
        let (rows, below) = after.split_at(self.n_lines);
        match assignment.course() {
            Some(CourseProgram::Lab3) => {
                let has_more_rows = before.last().is_some_and(|line| is_numbered_row(line));
                self.has_all_rows
                    && !has_more_rows
                    && below.iter().take(2).any(|line| digits(line) == "01234")
            }
            Some(CourseProgram::Tictactoe) => {
                let has_more_rows = below.first().is_some_and(|line| line.trim_start().starts_with("4 "));
                is_labelled(&before[before.len().saturating_sub(2)..], rows) && !has_more_rows
            }
            _ => true,
        }
    }
}

/// Returns whether a line is a number, followed by nothing but pieces and spaces.
fn is_numbered_row(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && rest.chars().all(|c| c.is_whitespace() || matches!(c, 'X' | 'O' | 'Y' | '\0'))
}

fn digits(line: &str) -> String {
    line.chars().filter(char::is_ascii_digit).collect()
}

/// Returns whether rows start with their numbers, and the column numbers are above them.
fn is_labelled(above: &[&str], rows: &[&str]) -> bool {
    let numbers: Vec<String> =
        rows.iter().map(|line| digits(line)).filter(|digits| digits.len() == 1).collect();
    numbers == ["1", "2", "3"] && above.iter().any(|line| digits(line) == "123")
}

/// Reads a board at the start of these lines.
fn board(assignment: Assignment, names: PlayerNames, lines: &[&str]) -> Option<DrawnBoard> {
    match assignment.course() {
        Some(CourseProgram::Lab3) => bordered_board(lines),
        _ => plain_board(names, lines),
    }
}

/// Returns the board with these squares, row by row from the top: `X`, `O` or another byte for an empty square.
fn to_board(cells: &[u8]) -> Option<Board> {
    let squares = |mark: u8| -> SquareSet {
        (0..cells.len()).filter(|&at| cells[at] == mark).filter_map(Square::new).collect()
    };
    Board::new(squares(b'X'), squares(b'O'))
}

fn plain_board(names: PlayerNames, lines: &[&str]) -> Option<DrawnBoard> {
    let mut found = Vec::new();
    for (place, line) in lines.iter().enumerate().take(12) {
        let row: Option<Vec<u8>> =
            cells(line).and_then(|words| words.iter().map(|word| names.cell(word)).collect());
        if let Some(row) = row {
            found.extend(row);
        } else if (found.is_empty() && place == 0) || !is_decoration(line) {
            return None;
        }
        if found.len() == Rules::CLASSIC.grid().len() {
            return Some(DrawnBoard { board: to_board(&found)?, n_lines: place + 1, has_all_rows: true });
        }
    }
    None
}

/// Returns the texts of the three squares in a row, which may have a row number and bars.
pub(super) fn cells(line: &str) -> Option<[&str; 3]> {
    let line = line.trim();
    let words: Vec<&str> = match line.strip_prefix('|') {
        Some(rest) => rest.strip_suffix('|').unwrap_or(rest).split('|').map(str::trim).collect(),
        None if line.contains('|') => line.split('|').map(str::trim).collect(),
        None => line.split_whitespace().collect(),
    };
    match words[..] {
        [number, a, b, c] if is_number(number) => Some([a, b, c]),
        [labelled, b, c] if labelled.contains(' ') => Some([labelled.rsplit(' ').next()?, b, c]),
        // A row number before an empty square that is drawn as a space.
        [number, b, c] if line.contains('|') && is_number(number) => Some(["", b, c]),
        [a, b, c] => Some([a, b, c]),
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

/// Reads the board of `lab3`: numbered rows from the top down, with a border that is never played. Rows in the opposite
/// order, and a board without its border, are read as well.
fn bordered_board(lines: &[&str]) -> Option<DrawnBoard> {
    let size = Size::default();
    let (all, inner) = (size.height(), size.inner_rows());
    let in_order = |rows: &[usize]| bordered_rows(size, lines, rows).and_then(|cells| to_board(&cells));
    let down: Vec<usize> = (0..all).rev().collect();
    let up: Vec<usize> = (0..all).collect();
    let without_border: Vec<usize> = (1..=inner).rev().collect();
    let drawn = |board, n_lines| DrawnBoard { board, n_lines, has_all_rows: n_lines == all };
    in_order(&down)
        .map(|board| drawn(board, all))
        .or_else(|| in_order(&without_border).map(|board| drawn(board, inner)))
        .or_else(|| in_order(&up).map(|board| DrawnBoard { has_all_rows: false, ..drawn(board, all) }))
}

/// Reads rows with these numbers; returns the squares that are played, the top row first.
fn bordered_rows(size: Size, lines: &[&str], rows: &[usize]) -> Option<Vec<u8>> {
    let mut found: Vec<(usize, Vec<u8>)> = Vec::new();
    for (&row, line) in rows.iter().zip(lines.get(..rows.len())?) {
        let line = line.trim_end();
        let rest = line.strip_prefix(&row.to_string())?;
        if !rest.bytes().all(|byte| b" XOYxoy.-_|*".contains(&byte)) {
            return None;
        }
        if (1..=size.inner_rows()).contains(&row) {
            let columns = 1..=size.inner_columns();
            let has_border = rows.len() == size.height();
            found.push((
                row,
                columns.map(|column| bordered_cell(size, line, rest, column, has_border)).collect(),
            ));
        }
    }
    found.sort_by_key(|(row, _)| std::cmp::Reverse(*row));
    Some(found.into_iter().flat_map(|(_, cells)| cells).collect())
}

/// Reads a square of `lab3`: by counting words if every square is written, or else by its column in the line.
fn bordered_cell(size: Size, line: &str, rest: &str, column: usize, has_border: bool) -> u8 {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let place = if has_border { column } else { column - 1 };
    let n_written = if has_border { size.width() } else { size.inner_columns() };
    let byte = if words.len() == n_written {
        words[place].bytes().next()
    } else {
        line.as_bytes().get(size.text_column(place)).copied()
    };
    match byte.map(|byte| byte.to_ascii_uppercase()) {
        Some(b'X') => b'X',
        Some(b'O' | b'Y') => b'O',
        _ => b'-',
    }
}

/// Returns the event that a line states, if any.
fn stated_event(names: PlayerNames, line: &str, quit_lines: QuitLines) -> Option<OutputEvent> {
    let lower = line.to_ascii_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |wanted: &[&str]| wanted.iter().any(|word| words.contains(word));
    let player = names.player(line, &words);
    if (has(&["you"]) && has(&["entered"])) || is_refusal(&lower) {
        return None;
    }
    let is_question = line.contains('?') || has(&["max", "false", "yet"]);
    let has_winner = has(&["won", "win", "wins", "winner", "victory", "congratulations", "congrats"]);
    let has_no_winner = has_winner
        && (has(&[concat!("no", "body"), "neither"])
            || lower.contains("no one")
            || lower.contains("no winner"));
    if (has(&["tie", "tied", "draw", "drawn", "stalemate"]) || has_no_winner) && !is_question {
        return Some(OutputEvent::Draw);
    }
    if has_winner && !is_question && !lower.contains("to win") {
        return Some(OutputEvent::Win(player));
    }
    let is_request = has(&["enter", "type", "input"]);
    let is_detailed = player.is_some() || words.iter().any(|word| is_number(word));
    if has(&["quit", "quits", "quitted", "quitting"])
        && !is_request
        && (is_detailed || quit_lines == QuitLines::All)
    {
        return Some(OutputEvent::Quit);
    }
    let is_turn = is_request || has(&["turn", "turns", "move", "go", "choose", "pick", "select", "next"]);
    let is_complaint = has(&["sorry", "already", "another", "not", "cannot", "wrong", "error", "oops"]);
    player.filter(|_| is_turn && !is_complaint).map(OutputEvent::Turn)
}

/// The words in which an output asks for a move, taken from its first prompt.
#[derive(Debug, Default)]
struct PromptForm(Option<Vec<String>>);

impl PromptForm {
    /// Returns whether a line that names a player asks for a move: it has the form of the first prompt, or it mentions
    /// a turn.
    fn accepts(&mut self, names: PlayerNames, line: &str) -> bool {
        let lower = line.to_ascii_lowercase();
        let words = lower.split(|c: char| !c.is_ascii_alphanumeric());
        let is_name = |word: &&str| names.player(word, &[word]).is_some() || is_number(word);
        let form: Vec<String> = words.filter(|word| !is_name(word)).map(str::to_owned).collect();
        let is_first_form = *self.0.get_or_insert_with(|| form.clone()) == form;
        is_first_form || lower.contains("turn")
    }
}

/// Returns the numbers in a line, in order.
pub(super) fn numbers(line: &str) -> Vec<u32> {
    line.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}
