//! Reads boards and phrases in an output; everything else is free.

use serde::Deserialize;
use toml::Spanned;

/// The statements of an output that are compared; a hostile program may print many more.
const MAX_STATEMENTS: usize = 5000;
/// A row of a board is no longer than this.
const MAX_ROW: usize = 1000;
/// A label of a row is no longer than this.
const MAX_LABEL: usize = 2;

/// What is looked for in an output.
#[derive(Clone, Debug)]
pub(crate) struct PhraseBook {
    pub(crate) board: Option<BoardReader>,
    pub(crate) phrases: Vec<Phrase>,
}

/// How boards are drawn.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoardReader {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) marks: Vec<String>,
    /// How an empty square looks; an empty text stands for blanks between bars.
    pub(crate) empty: Vec<String>,
    /// The short id of the requirement that a wrong board breaks.
    pub(crate) requirement: Option<Spanned<String>>,
}

/// Something that an output may say.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Phrase {
    means: String,
    says: PhraseTexts,
    /// The short id of the requirement that is broken if it is missing or wrong.
    pub(crate) requirement: Option<Spanned<String>>,
}

/// The texts that say a phrase; `{…}` in a text stands for a word that is compared.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Vec<String>")]
struct PhraseTexts(Vec<Vec<PhrasePart>>);

/// A part of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PhrasePart {
    /// This text, in lower case.
    Text(String),
    /// A word that is compared, such as the name of a player.
    Word,
}

/// What an output shows or says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Statement {
    /// A board: for each square the number of its mark in the list, from 1, or 0 if it is empty.
    Board(Vec<usize>),
    /// The phrase with this index, and its words in lower case.
    Phrase(usize, Vec<String>),
}

impl TryFrom<Vec<String>> for PhraseTexts {
    type Error = String;

    fn try_from(texts: Vec<String>) -> Result<PhraseTexts, String> {
        let parts = |text: &String| {
            let mut parts = Vec::new();
            let mut rest = text.as_str();
            while let Some((before, after)) = rest.split_once('{') {
                let Some((_, after)) = after.split_once('}') else {
                    return Err(format!("{text:?} has no closing }}"));
                };
                parts.push(PhrasePart::Text(lower_case(before)));
                parts.push(PhrasePart::Word);
                rest = after;
            }
            parts.push(PhrasePart::Text(lower_case(rest)));
            parts.retain(|part| *part != PhrasePart::Text(String::new()));
            let has_text =
                parts.iter().any(|part| matches!(part, PhrasePart::Text(text) if !text.trim().is_empty()));
            if has_text { Ok(parts) } else { Err(format!("{text:?} has no words to look for")) }
        };
        if texts.is_empty() {
            return Err("expected at least one text to look for".to_owned());
        }
        Ok(PhraseTexts(texts.iter().map(parts).collect::<Result<_, String>>()?))
    }
}

impl PhraseBook {
    /// Returns what an output shows and says, without repetitions.
    pub(super) fn read(&self, output: &[u8]) -> Vec<Statement> {
        let text = String::from_utf8_lossy(output);
        let lines: Vec<&str> = text.split('\n').collect();
        let mut found = Vec::new();
        let mut at = 0;
        while at < lines.len() && found.len() < MAX_STATEMENTS {
            at += self.read_line(lines[at], &lines[at + 1..], &mut found);
        }
        found
    }

    /// Reads what a line states, and the board that starts on it; returns the number of lines.
    fn read_line(&self, line: &str, below: &[&str], found: &mut Vec<Statement>) -> usize {
        let lower = lower_case(line);
        // Without an echo of the input, a board follows a prompt on the same line.
        let mut may_start_board = true;
        let mut at = 0;
        while at <= line.len() && found.len() < MAX_STATEMENTS {
            if may_start_board
                && let Some(board) = self.board.as_ref().filter(|_| line.len() - at <= MAX_ROW)
                && let Some((squares, n_lines)) = board.read(&line[at..], below)
            {
                add(found, Statement::Board(squares));
                return n_lines;
            }
            may_start_board = false;
            if let Some((statement, length)) = self.phrase_at(&lower, at) {
                add(found, statement);
                at += length;
                let rest = line[at..].trim_start_matches([' ', '\t', ':', '>', '?']);
                at = line.len() - rest.len();
                may_start_board = true;
            } else {
                at += line[at..].chars().next().map_or(1, char::len_utf8);
            }
        }
        1
    }

    /// Returns the phrase that starts at this byte, and its length.
    fn phrase_at(&self, line: &str, at: usize) -> Option<(Statement, usize)> {
        self.phrases.iter().enumerate().find_map(|(index, phrase)| {
            let mut found = phrase.says.0.iter().filter_map(|parts| words_at(parts, line, at));
            found.next().map(|(words, length)| (Statement::Phrase(index, words), length))
        })
    }

    /// Returns whether a board or a phrase is about the requirement with this short id.
    pub(crate) fn covers(&self, short_id: &str) -> bool {
        let phrases = self.phrases.iter().map(|phrase| &phrase.requirement);
        let board = self.board.iter().map(|board| &board.requirement);
        phrases.chain(board).flatten().any(|id| id.get_ref() == short_id)
    }

    /// Returns a statement in words.
    pub(super) fn describe(&self, statement: &Statement) -> String {
        match statement {
            Statement::Board(_) => "a board".to_owned(),
            Statement::Phrase(index, words) => {
                let means = &self.phrases[*index].means;
                if words.is_empty() { means.clone() } else { format!("{means} ({})", words.join(", ")) }
            }
        }
    }

    /// Returns what none of these outputs contains, in words.
    pub(crate) fn never_said<'a>(&self, outputs: impl Iterator<Item = &'a [u8]>) -> Vec<String> {
        let mut has_board = self.board.is_none();
        let mut has_phrase = vec![false; self.phrases.len()];
        for statement in outputs.flat_map(|output| self.read(output)) {
            match statement {
                Statement::Board(_) => has_board = true,
                Statement::Phrase(index, _) => has_phrase[index] = true,
            }
        }
        let phrases = self.phrases.iter().zip(has_phrase).filter(|(_, is_said)| !is_said);
        let phrases = phrases.map(|(phrase, _)| format!("the phrase for {:?}", phrase.means));
        let board = (!has_board).then(|| "a board with these rows, columns and marks".to_owned());
        board.into_iter().chain(phrases).collect()
    }

    /// Returns how often an output states the same kind of thing.
    pub(super) fn count(statements: &[Statement], kind: &Statement) -> usize {
        let is_same = |each: &&Statement| match (each, kind) {
            (Statement::Phrase(one, _), Statement::Phrase(other, _)) => one == other,
            (Statement::Board(_), Statement::Board(_)) => true,
            _ => false,
        };
        statements.iter().filter(is_same).count()
    }

    /// Returns the short id of the requirement on a statement.
    pub(super) fn requirement(&self, statement: &Statement) -> Option<&str> {
        let requirement = match statement {
            Statement::Board(_) => &self.board.as_ref()?.requirement,
            Statement::Phrase(index, _) => &self.phrases[*index].requirement,
        };
        requirement.as_ref().map(|id| id.get_ref().as_str())
    }
}

/// Adds a statement, unless it repeats the last one or shows the last board again.
fn add(found: &mut Vec<Statement>, statement: Statement) {
    let is_board = |each: &&Statement| matches!(each, Statement::Board(_));
    let last = match statement {
        Statement::Board(_) => found.iter().rev().find(is_board),
        Statement::Phrase(..) => found.last(),
    };
    if last != Some(&statement) {
        found.push(statement);
    }
}

/// Returns a text in lower case. Every character keeps its length, so that places in the text stay the same.
fn lower_case(text: &str) -> String {
    let lower =
        |c: char| c.to_lowercase().next().filter(|lower| lower.len_utf8() == c.len_utf8()).unwrap_or(c);
    text.chars().map(lower).collect()
}

const fn is_word_part(c: char) -> bool {
    !matches!(c, ' ' | '\t' | '\r' | '.' | ',' | ':' | ';' | '!' | '?' | '(' | ')' | '\'' | '"' | '>')
}

/// Returns the compared words of a phrase that starts at this byte, and its length. The line is in lower case.
fn words_at(parts: &[PhrasePart], line: &str, start: usize) -> Option<(Vec<String>, usize)> {
    let starts_with_word = parts.first() == Some(&PhrasePart::Word);
    if starts_with_word && line[..start].chars().next_back().is_some_and(is_word_part) {
        return None;
    }
    let mut words = Vec::new();
    let mut rest = &line[start..];
    for part in parts {
        match part {
            PhrasePart::Text(text) => rest = rest.strip_prefix(text.as_str())?,
            PhrasePart::Word => {
                let end = rest.find(|c| !is_word_part(c)).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                if word.is_empty() {
                    return None;
                }
                words.push(word.to_owned());
                rest = after;
            }
        }
    }
    Some((words, line.len() - start - rest.len()))
}

impl BoardReader {
    /// Reads a board whose first row is `first`; returns its squares and the number of lines.
    fn read(&self, first: &str, below: &[&str]) -> Option<(Vec<usize>, usize)> {
        let mut squares = self.row(first)?;
        let mut n_rows = 1;
        let mut n_lines = 1;
        while n_rows < self.rows {
            let line = below.get(n_lines - 1)?;
            n_lines += 1;
            if let Some(row) = self.row(line) {
                squares.extend(row);
                n_rows += 1;
            } else if !is_rule(line) {
                return None;
            }
        }
        Some((squares, n_lines))
    }

    /// Reads a row, which may start with a label.
    fn row(&self, line: &str) -> Option<Vec<usize>> {
        let line = line.trim();
        if !line.contains('|') {
            let words: Vec<&str> = line.split_whitespace().collect();
            let is_one_word = words.len() == 1 && line.chars().count() == self.columns;
            let characters = || line.split("").filter(|character| !character.is_empty()).collect::<Vec<_>>();
            return self.squares(&words).or_else(|| is_one_word.then(|| self.squares(&characters()))?);
        }
        let squares = |text: &str| self.squares(&text.split('|').map(str::trim).collect::<Vec<_>>());
        // The outer bars may be a frame, or stand beside empty squares.
        let inner = line.strip_prefix('|').and_then(|inner| inner.strip_suffix('|'));
        inner.and_then(squares).or_else(|| squares(line)).or_else(|| squares(line.strip_suffix('|')?))
    }

    /// Returns what these squares contain. There may be one word more, a label, also in front of the first square.
    fn squares(&self, words: &[&str]) -> Option<Vec<usize>> {
        let all = |words: &[&str]| words.iter().map(|word| self.square(word)).collect::<Option<Vec<_>>>();
        if words.len() == self.columns {
            let without_label = || all(&[&[words[0].rsplit_once(' ')?.1], &words[1..]].concat());
            return all(words).or_else(without_label);
        }
        let (label, rest) = words.split_first()?;
        if rest.len() == self.columns && label.len() <= MAX_LABEL { all(rest) } else { None }
    }

    fn square(&self, word: &str) -> Option<usize> {
        match self.marks.iter().position(|mark| mark == word) {
            Some(at) => Some(at + 1),
            None => self.empty.iter().any(|empty| empty.trim() == word).then_some(0),
        }
    }
}

/// Returns whether a line only separates rows.
fn is_rule(line: &str) -> bool {
    line.bytes().all(|byte| b" \t\r|+-=_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book() -> PhraseBook {
        let phrase = |means: &str, says: &[&str]| {
            let says: Vec<String> = says.iter().map(|&text| text.to_owned()).collect();
            let requirement = Some(Spanned::new(0..0, means.to_owned()));
            Phrase { means: means.to_owned(), says: says.try_into().unwrap(), requirement }
        };
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let board = BoardReader {
            rows: 2,
            columns: 3,
            marks: words(&["X", "O"]),
            empty: words(&[".", ""]),
            requirement: None,
        };
        let phrases =
            vec![phrase("turn", &["{player} to move", "go, {player}"]), phrase("win", &["{player} wins"])];
        PhraseBook { board: Some(board), phrases }
    }

    #[track_caller]
    fn check(output: &str, expected: &str) {
        let book = book();
        let shown = |statement: &Statement| match statement {
            Statement::Board(squares) => squares.iter().map(|&square| ['.', 'X', 'O'][square]).collect(),
            phrase @ Statement::Phrase(..) => book.describe(phrase),
        };
        let found: Vec<String> = book.read(output.as_bytes()).iter().map(shown).collect();
        assert_eq!(found.join("; "), expected, "{output:?}");
    }

    #[test]
    fn boards_and_phrases_are_found_between_free_text() {
        check("Welcome!\n. X .\nO . .\nNow X to move: ", ".X.O..; turn (x)");
        check("It is time: GO, O!\n", "turn (o)");
        check("ÉÉ X TO MOVE: . . .\n. . .\n", "turn (x); ......");
        check("the winner wins nothing\nX wins!\n", "win (winner); win (x)");
        check("taxi to move? no", "turn (taxi)");
    }

    #[test]
    fn a_board_may_follow_a_prompt_have_bars_labels_and_rules_or_no_spaces() {
        check("X to move: . X .\nO . .\n", "turn (x); .X.O..");
        check(" X |   | O\n---+---+---\n   | X |  \n", "X.O.X.");
        check("| X | . |   |\n| O | . | . |\n", "X..O..");
        check("1 X . O\n2 . . .\n", "X.O...");
        check("X.O\n...\n", "X.O...");
        check("1 X | . | O\n2 . | . | .\n", "X.O...");
    }

    #[test]
    fn repetitions_count_once_and_incomplete_boards_not_at_all() {
        check("X to move\nX to move\n. . .\n. . .\nX to move\n. . .\n. . .\n", "turn (x); ......; turn (x)");
        check(". . .\nhello\n. . .\n", "");
        check(". . Q\n. . .\n", "");
    }

    #[test]
    fn a_long_hostile_output_is_read_in_a_moment() {
        let start = std::time::Instant::now();
        book().read("X to move ".repeat(26_000).as_bytes());
        book().read(". . .\n".repeat(40_000).as_bytes());
        book().read(&b". ".repeat(130_000));
        book().read(&vec![b'\xff'; 260_000]);
        assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
    }

    #[test]
    fn a_phrase_without_words_is_refused() {
        for says in ["", "{player}", "{player", " {a} "] {
            assert!(PhraseTexts::try_from(vec![says.to_owned()]).is_err(), "{says:?}");
        }
        assert!(PhraseTexts::try_from(Vec::new()).is_err());
    }
}
