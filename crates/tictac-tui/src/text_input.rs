//! A line of text being typed.

/// A line of text being typed, with a cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextInput {
    text: Vec<char>,
    // Invariant: at most the length of the text.
    cursor: usize,
    /// Whether the next typed character replaces the text.
    pub is_suggestion: bool,
}

/// A key that edits a line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextEdit {
    /// Moves the cursor one character to the left.
    Left,
    /// Moves the cursor one character to the right.
    Right,
    /// Moves the cursor to the start.
    Home,
    /// Moves the cursor to the end.
    End,
    /// Deletes the character before the cursor.
    Backspace,
    /// Deletes the character at the cursor.
    Delete,
    /// Deletes everything before the cursor.
    DeleteToStart,
    /// Deletes the word before the cursor; a slash ends a word too.
    DeleteWord,
}

const MAX_CHARS: usize = 1000;

impl TextInput {
    /// Returns a suggested text: the first typed character replaces it, any other key makes it editable.
    pub fn suggestion(text: &str) -> TextInput {
        let text: Vec<char> = text.chars().take(MAX_CHARS).collect();
        TextInput { cursor: text.len(), is_suggestion: !text.is_empty(), text }
    }

    /// Returns the text.
    pub fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// Returns the text before the cursor, the character at the cursor, and the text after it.
    pub fn parts(&self) -> (&[char], Option<char>, &[char]) {
        let (before, rest) = self.text.split_at(self.cursor);
        (before, rest.first().copied(), rest.get(1..).unwrap_or_default())
    }

    /// Inserts a character at the cursor; ignores control characters and what exceeds the maximum length.
    pub fn insert(&mut self, c: char) {
        if self.is_suggestion {
            *self = TextInput::default();
        }
        if self.text.len() < MAX_CHARS && !c.is_control() {
            self.text.insert(self.cursor, c);
            self.cursor += 1;
        }
    }

    /// Applies an editing key.
    pub fn edit(&mut self, edit: TextEdit) {
        self.is_suggestion = false;
        match edit {
            TextEdit::Left => self.cursor = self.cursor.saturating_sub(1),
            TextEdit::Right => self.cursor = (self.cursor + 1).min(self.text.len()),
            TextEdit::Home => self.cursor = 0,
            TextEdit::End => self.cursor = self.text.len(),
            TextEdit::Backspace => self.delete_from(self.cursor.saturating_sub(1)),
            TextEdit::Delete => {
                if self.cursor < self.text.len() {
                    self.text.remove(self.cursor);
                }
            }
            TextEdit::DeleteToStart => self.delete_from(0),
            TextEdit::DeleteWord => self.delete_from(self.word_start()),
        }
    }

    fn delete_from(&mut self, start: usize) {
        self.text.drain(start..self.cursor);
        self.cursor = start;
    }

    fn word_start(&self) -> usize {
        let is_gap = |c: &char| matches!(c, ' ' | '/');
        let before = &self.text[..self.cursor];
        let end = before.iter().rposition(|c| !is_gap(c)).map_or(0, |last| last + 1);
        before[..end].iter().rposition(is_gap).map_or(0, |gap| gap + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Presses keys: a lower-case letter or digit inserts, `<` is Backspace, and capitals stand for editing keys.
    #[track_caller]
    fn check(start: &str, keys: &str, expected: &str) {
        let mut input = TextInput::suggestion(start);
        for key in keys.chars() {
            match key {
                '<' => input.edit(TextEdit::Backspace),
                'L' => input.edit(TextEdit::Left),
                'R' => input.edit(TextEdit::Right),
                'H' => input.edit(TextEdit::Home),
                'E' => input.edit(TextEdit::End),
                'D' => input.edit(TextEdit::Delete),
                'U' => input.edit(TextEdit::DeleteToStart),
                'W' => input.edit(TextEdit::DeleteWord),
                c => input.insert(c),
            }
        }
        assert_eq!(input.text(), expected, "{start} {keys}");
    }

    #[test]
    fn the_first_letter_replaces_a_suggestion_and_any_other_key_edits_it() {
        check("game.ttt", "a.ttt", "a.ttt");
        check("game.ttt", "<x", "game.ttx");
        check("game.ttt", "LLLL2", "game2.ttt");
        check("game.ttt", "Hmy-", "my-game.ttt");
        check("game.ttt", "HDDDDE2", ".ttt2");
        check("game.ttt", "H<x", "xgame.ttt");
        check("game.ttt", "U", "");
        check("games/a b.ttt", "W", "games/a ");
        check("games/a b.ttt", "WWW", "");
        check("game.ttt", "LLLLU1", "1.ttt");
        check("", "RRDL<WU", "");
        check("é", "HRDx<LD", "");
    }

    #[test]
    fn a_text_is_bounded() {
        let mut input = TextInput::suggestion(&"a".repeat(MAX_CHARS + 1));
        assert_eq!(input.text().len(), MAX_CHARS);
        input.edit(TextEdit::Home);
        input.insert('b');
        assert_eq!(input.text(), "a".repeat(MAX_CHARS));
        input.edit(TextEdit::Delete);
        input.insert('b');
        input.insert('c');
        assert_eq!(input.text(), format!("b{}", "a".repeat(MAX_CHARS - 1)));
    }

    #[test]
    fn a_text_holds_no_control_characters() {
        let mut input = TextInput::default();
        "x\n\u{1b}[2J\t\u{9b}y\u{7f}".chars().for_each(|c| input.insert(c));
        assert_eq!(input.text(), "x[2Jy");
    }
}
