//! A line of text being typed.

/// A line of text being typed, with a cursor in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    text: Vec<char>,
    // Invariant: at most the length of the text.
    at: usize,
    is_proposal: bool,
}

/// What a key does to a line of text, apart from typing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The cursor goes one to the left.
    Left,
    /// The cursor goes one to the right.
    Right,
    /// The cursor goes to the beginning.
    Home,
    /// The cursor goes to the end.
    End,
    /// What stands at the cursor goes.
    Delete,
    /// Everything before the cursor goes.
    ClearBefore,
    /// The word before the cursor goes; a path has one a folder.
    EraseWord,
}

/// How many characters a typed text may have.
const MAX_CHARS: usize = 1000;

impl Typed {
    /// Returns a text that is proposed: the first typed character takes its place, any other key makes it editable.
    pub fn proposal(text: &str) -> Typed {
        let text: Vec<char> = text.chars().take(MAX_CHARS).collect();
        Typed { at: text.len(), is_proposal: !text.is_empty(), text }
    }

    /// The text.
    pub fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// Whether the next typed character replaces the text.
    pub const fn is_proposal(&self) -> bool {
        self.is_proposal
    }

    /// What stands before the cursor, at it, and after it.
    pub fn parts(&self) -> (&[char], Option<char>, &[char]) {
        let (before, rest) = self.text.split_at(self.at);
        (before, rest.first().copied(), rest.get(1..).unwrap_or_default())
    }

    /// Types a character.
    pub fn insert(&mut self, c: char) {
        if self.is_proposal {
            *self = Typed::default();
        }
        if self.text.len() < MAX_CHARS && !c.is_control() {
            self.text.insert(self.at, c);
            self.at += 1;
        }
    }

    /// Takes the character before the cursor away.
    pub fn erase(&mut self) {
        self.is_proposal = false;
        if self.at > 0 {
            self.at -= 1;
            self.text.remove(self.at);
        }
    }

    /// Does what a key does.
    pub fn edit(&mut self, edit: Edit) {
        self.is_proposal = false;
        match edit {
            Edit::Left => self.at = self.at.saturating_sub(1),
            Edit::Right => self.at = (self.at + 1).min(self.text.len()),
            Edit::Home => self.at = 0,
            Edit::End => self.at = self.text.len(),
            Edit::Delete => {
                if self.at < self.text.len() {
                    self.text.remove(self.at);
                }
            }
            Edit::ClearBefore => self.erase_from(0),
            Edit::EraseWord => self.erase_from(self.word_start()),
        }
    }

    fn erase_from(&mut self, start: usize) {
        self.text.drain(start..self.at);
        self.at = start;
    }

    fn word_start(&self) -> usize {
        let is_gap = |c: &char| matches!(c, ' ' | '/');
        let before = &self.text[..self.at];
        let end = before.iter().rposition(|c| !is_gap(c)).map_or(0, |last| last + 1);
        before[..end].iter().rposition(is_gap).map_or(0, |gap| gap + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Types: a letter inserts, `<` erases, and capitals are keys.
    #[track_caller]
    fn check(start: &str, keys: &str, expected: &str) {
        let mut typed = Typed::proposal(start);
        for key in keys.chars() {
            match key {
                '<' => typed.erase(),
                'L' => typed.edit(Edit::Left),
                'R' => typed.edit(Edit::Right),
                'H' => typed.edit(Edit::Home),
                'E' => typed.edit(Edit::End),
                'D' => typed.edit(Edit::Delete),
                'U' => typed.edit(Edit::ClearBefore),
                'W' => typed.edit(Edit::EraseWord),
                c => typed.insert(c),
            }
        }
        assert_eq!(typed.text(), expected, "{start} {keys}");
    }

    #[test]
    fn the_first_letter_takes_the_place_of_a_proposal_and_any_other_key_edits_it() {
        check("game.ttt", "a.ttt", "a.ttt");
        check("game.ttt", "<x", "game.ttx");
        check("game.ttt", "LLLL2", "game2.ttt");
        check("game.ttt", "Hmy-", "my-game.ttt");
        check("game.ttt", "HDDDDE2", ".ttt2");
        check("game.ttt", "U", "");
        check("games/a b.ttt", "W", "games/a ");
        check("games/a b.ttt", "WWW", "");
        check("game.ttt", "LLLLU1", "1.ttt");
        check("", "RRDL<WU", "");
        check("é", "HRDx<LD", "");
    }

    #[test]
    fn a_text_is_bounded() {
        let mut typed = Typed::proposal(&"a".repeat(MAX_CHARS + 1));
        assert_eq!(typed.text().len(), MAX_CHARS);
        typed.edit(Edit::Home);
        typed.insert('b');
        assert_eq!(typed.text(), "a".repeat(MAX_CHARS));
        typed.edit(Edit::Delete);
        typed.insert('b');
        typed.insert('c');
        assert_eq!(typed.text(), format!("b{}", "a".repeat(MAX_CHARS - 1)));
    }

    #[test]
    fn a_text_holds_no_control_characters() {
        let mut typed = Typed::default();
        "x\n\u{1b}[2J\t\u{9b}y\u{7f}".chars().for_each(|c| typed.insert(c));
        assert_eq!(typed.text(), "x[2Jy");
    }
}
