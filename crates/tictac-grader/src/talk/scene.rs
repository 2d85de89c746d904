//! Reading what a game said, whoever wrote the words.

use crate::assignment::Assignment;

use super::words;

/// A board of nine squares, row by row from the top: `X`, `O` or `-`.
pub(crate) type Cells = [u8; 9];

/// Something that every right program says, whatever its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hard {
    /// A board was drawn.
    Board(Cells),
    /// A player was asked: `X`, `O`, or `1`, `2` in Notakto.
    Turn(u8),
    /// A player was named as the winner.
    Win(u8),
    /// Nobody wins.
    Tie,
    /// Somebody quits.
    Quit,
}

/// A conversation: the hard facts, and the lines of text around them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scene {
    /// What was said, without repetition: a board that is drawn again unchanged, or a player who is asked again, adds
    /// nothing.
    pub(crate) hard: Vec<Hard>,
    /// The lines before each hard fact, and after the last; a line that states a fact also belongs to what follows it.
    pub(crate) texts: Vec<Vec<Text>>,
    /// Whether every board of `tictactoe` has its row and column numbers.
    pub(crate) has_labels: bool,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) line: String,
    /// Whether it states a hard fact, so that it is nothing else besides.
    pub(crate) is_fact: bool,
}

impl Scene {
    /// Reads what a program of this assignment said.
    pub(crate) fn read(assignment: Assignment, stdout: &[u8]) -> Scene {
        let text = String::from_utf8_lossy(stdout);
        let lines: Vec<&str> =
            text.split('\n').flat_map(|line| words::split_prompt(assignment, line)).collect();
        let mut scene = Scene { hard: Vec::new(), texts: vec![Vec::new()], has_labels: true };
        let mut at = 0;
        while at < lines.len() {
            if let Some((cells, n_lines)) = board(assignment, &lines[at..]) {
                scene.add(Hard::Board(cells));
                scene.has_labels &= is_labelled(&lines[at.saturating_sub(2)..at], &lines[at..at + n_lines]);
                at += n_lines;
                continue;
            }
            let line = lines[at];
            let fact = words::fact(assignment, line);
            if let Some(hard) = fact {
                scene.add(hard);
            }
            if !line.trim().is_empty() && !is_decoration(line) {
                let text = Text { line: line.trim().to_owned(), is_fact: fact.is_some() };
                scene.texts.last_mut().expect("there is always a last gap").push(text);
            }
            at += 1;
        }
        scene
    }

    fn add(&mut self, hard: Hard) {
        // Instructions before the first board may speak of turns.
        let is_early =
            matches!(hard, Hard::Turn(_)) && !self.hard.iter().any(|each| matches!(each, Hard::Board(_)));
        let last_board = || self.hard.iter().rev().find(|each| matches!(each, Hard::Board(_)));
        let is_repeated = match hard {
            Hard::Board(_) => last_board() == Some(&hard),
            _ => self.hard.last() == Some(&hard),
        };
        if !is_early && !is_repeated {
            self.hard.push(hard);
            self.texts.push(Vec::new());
        }
    }

    /// Returns the last board before a place.
    pub(crate) fn board_before(&self, place: usize) -> Option<Cells> {
        self.hard[..place.min(self.hard.len())].iter().rev().find_map(|each| match each {
            Hard::Board(cells) => Some(*cells),
            _ => None,
        })
    }
}

/// Returns whether the rows begin with their numbers and the columns have theirs above them.
fn is_labelled(above: &[&str], rows: &[&str]) -> bool {
    let digits = |line: &str| line.chars().filter(char::is_ascii_digit).collect::<String>();
    let numbers: Vec<String> =
        rows.iter().map(|line| digits(line)).filter(|digits| digits.len() == 1).collect();
    numbers == ["1", "2", "3"] && above.iter().any(|line| digits(line) == "123")
}

/// Reads a board at the beginning of these lines; returns also how many lines it takes.
fn board(assignment: Assignment, lines: &[&str]) -> Option<(Cells, usize)> {
    match assignment {
        Assignment::Lab3 => bordered_board(lines),
        _ => plain_board(lines),
    }
}

fn plain_board(lines: &[&str]) -> Option<(Cells, usize)> {
    let mut cells = Vec::new();
    for (place, line) in lines.iter().enumerate().take(12) {
        if let Some(row) = row(line) {
            cells.extend(row);
        } else if (cells.is_empty() && place == 0) || !is_decoration(line) {
            return None;
        }
        if let Ok(cells) = <Cells>::try_from(&cells[..]) {
            return Some((cells, place + 1));
        }
    }
    None
}

/// A row of three squares, with or without a number before it and bars between.
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

/// One square: a mark, or whatever stands for an empty one, but neither a number nor another letter.
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

/// A line that only makes a board look like one: rules, bars, column numbers.
fn is_decoration(line: &str) -> bool {
    line.bytes().all(|byte| b" \t\r|+-=_".contains(&byte) || byte.is_ascii_digit())
}

/// The board of `lab3`: rows 4 down to 0, of which the border is never played.
fn bordered_board(lines: &[&str]) -> Option<(Cells, usize)> {
    let mut cells = [b'-'; 9];
    for (place, number) in (0..5).rev().enumerate() {
        let line = lines.get(place)?.trim_end();
        let rest = line.strip_prefix(char::from(b'0' + number))?;
        let squares = bordered_row(rest)?;
        if (1..4).contains(&number) {
            cells[(place - 1) * 3..place * 3].copy_from_slice(&squares);
        }
    }
    Some((cells, 5))
}

fn bordered_row(rest: &str) -> Option<[u8; 3]> {
    if !rest.bytes().all(|byte| b" XOYxoy.-_|*".contains(&byte)) {
        return None;
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let mark = |byte: u8| match byte.to_ascii_uppercase() {
        b'X' => b'X',
        b'O' | b'Y' => b'O',
        _ => b'-',
    };
    // Either every square is written, or an empty one is a blank and only its place tells.
    let at = |column: usize| match words[..] {
        [_, b, c, d, _] => [b, c, d][column - 1].bytes().next(),
        _ => rest.as_bytes().get(1 + 2 * column).copied(),
    };
    Some([1, 2, 3].map(|column| at(column).map_or(b'-', mark)))
}
