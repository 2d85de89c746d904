//! The tokens and names by which an output refers to the players.

use tictac::Player;

use super::parsed_output::cells;
use crate::assignment::{Assignment, CourseProgram};

/// The tokens and names of the two players, as an output uses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlayerNames {
    assignment: Assignment,
    /// What the players write on the board; by default X and O.
    tokens: [char; 2],
    /// How players are numbered after the word "player".
    numbers: [&'static str; 2],
}

/// The tokens of the documents.
const USUAL: [char; 2] = ['X', 'O'];

impl PlayerNames {
    /// Returns the names that an output uses; those of the document where it is not clear.
    pub(super) fn of(assignment: Assignment, text: &str) -> PlayerNames {
        let numbers = if text.to_ascii_lowercase().contains("player 0") { ["0", "1"] } else { ["1", "2"] };
        let tokens = match assignment.course() {
            Some(CourseProgram::Tictactoe) => tokens(&marks(text)),
            Some(CourseProgram::Notakto) => tokens_of_notakto(&marks(text)),
            _ => USUAL,
        };
        PlayerNames { assignment, tokens, numbers }
    }

    pub(super) fn has_usual_tokens(self) -> bool {
        self.tokens == if self.assignment == CourseProgram::Notakto { ['X', 'X'] } else { USUAL }
    }

    /// Returns whether a token is a character that cannot be seen.
    pub(super) fn has_unseen_token(self) -> bool {
        self.tokens.iter().any(|token| token.is_control() || *token == char::REPLACEMENT_CHARACTER)
    }

    pub(super) fn has_usual_numbers(self) -> bool {
        self.numbers == ["1", "2"]
    }

    /// Returns the tokens in words, such as `X and Y`.
    pub(super) fn tokens_text(self) -> String {
        format!("{} and {}", self.tokens[0], self.tokens[1])
    }

    /// Reads one square: `X`, `O` or `-` for an empty one.
    pub(super) fn cell(self, word: &str) -> Option<u8> {
        let mut chars = word.chars();
        let (first, None) = (chars.next(), chars.next()) else { return None };
        let Some(token) = first.map(|token| token.to_ascii_uppercase()) else { return Some(b'-') };
        let place = self.tokens.iter().position(|own| own.to_ascii_uppercase() == token);
        match (place, self.assignment.course()) {
            // Both players write X.
            (Some(_), Some(CourseProgram::Notakto)) | (Some(0), _) => Some(b'X'),
            (Some(_), _) => Some(b'O'),
            (None, _) => (!token.is_alphanumeric()).then_some(b'-'),
        }
    }

    /// Returns whether the document numbers the players instead of naming them by their tokens.
    pub(super) fn are_numbers(self) -> bool {
        self.assignment == CourseProgram::Notakto
    }

    /// Returns the name of a player in the document.
    pub(super) fn usual_name(self, player: Player) -> &'static str {
        match (player, self.are_numbers()) {
            (Player::First, true) => "1",
            (Player::Second, true) => "2",
            (Player::First, false) => "X",
            (Player::Second, false) => "O",
        }
    }

    /// Returns the player that a line of any case names.
    pub(super) fn named_in(self, line: &str) -> Option<Player> {
        let lower = line.to_ascii_lowercase();
        self.player(line, &lower.split(|c: char| !c.is_ascii_alphanumeric()).collect::<Vec<_>>())
    }

    /// Returns the player that a line names. The words are in lower case.
    pub(super) fn player(self, line: &str, words: &[&str]) -> Option<Player> {
        let after_player = words.iter().position(|&word| word == "player").and_then(|at| words.get(at + 1));
        let number = after_player.and_then(|word| self.numbers.iter().position(|own| own == word));
        let place = if self.are_numbers() { number } else { self.token_place(line, words).or(number) };
        place.map(|place| [Player::First, Player::Second][place])
    }

    /// Returns which of the two tokens a line contains first as a word.
    fn token_place(self, line: &str, words: &[&str]) -> Option<usize> {
        if self.has_usual_tokens() {
            // The document of lab3 calls the second player O and Y.
            return words.iter().find_map(|&word| match word {
                "x" => Some(0),
                "o" | "y" => Some(1),
                _ => None,
            });
        }
        // A token may be a word of the language, such as A, or a sign: it must be written as on the board.
        let is_end = |c: char| c.is_whitespace() || "'’,:.!?()\"".contains(c);
        line.split(is_end).find_map(|word| {
            let mut chars = word.chars();
            let (token, None) = (chars.next()?, chars.next()) else { return None };
            self.tokens.iter().position(|&own| own == token)
        })
    }
}

/// Returns the different marks on the boards of an output, in the order of their first use.
fn marks(text: &str) -> Vec<char> {
    let char_of = |word: &str| {
        let mut chars = word.chars();
        let (first, None) = (chars.next(), chars.next()) else { return None };
        Some(first.unwrap_or(' '))
    };
    let rows: Vec<[char; 3]> = text
        .lines()
        .filter_map(|line| {
            let [a, b, c] = cells(line)?;
            Some([char_of(a)?, char_of(b)?, char_of(c)?])
        })
        .filter(|row| !row.iter().any(char::is_ascii_digit))
        .collect();
    // The first board is empty: nine times the same character.
    let is_empty = |rows: &&[[char; 3]]| rows.iter().flatten().all(|token| *token == rows[0][0]);
    let Some(empty) = rows.windows(3).find(is_empty).map(|rows| rows[0][0]) else { return Vec::new() };
    let mut marks = Vec::new();
    for row in &rows {
        // A heading such as `A B C` has no two equal squares.
        let is_heading = !row.contains(&empty) && row[0] != row[1] && row[1] != row[2] && row[0] != row[2];
        for &token in row.iter().filter(|token| **token != empty && !is_heading) {
            if !marks.contains(&token) {
                marks.push(token);
            }
        }
    }
    marks
}

/// Returns the tokens of the two players, given the marks in the order of their first use.
fn tokens(marks: &[char]) -> [char; 2] {
    let is = |mark: char, usual: char| mark.eq_ignore_ascii_case(&usual);
    let is_usual = |one, two| is(one, 'X') && is(two, 'O');
    match marks {
        &[one, two] if !is_usual(one, two) && !is_usual(two, one) => {
            // The player who writes X is the first player of the document, even if the other one begins.
            if is(two, 'X') || is(one, 'O') { [two, one] } else { [one, two] }
        }
        _ => USUAL,
    }
}

/// Returns the tokens of the players of Notakto, who should both write X.
fn tokens_of_notakto(marks: &[char]) -> [char; 2] {
    match *marks {
        [one, two] => [one, two],
        [one] => [one, one],
        _ => ['X', 'X'],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> PlayerNames {
        PlayerNames::of(CourseProgram::Tictactoe.assignment(), text)
    }

    const EMPTY: &str = "  1  2  3\n1 -  -  -\n2 -  -  -\n3 -  -  -\n";

    #[test]
    fn tokens_are_read_from_the_boards() {
        let of_rows = |rows: &str| names(&format!("{EMPTY}{rows}")).tokens_text();
        assert_eq!(of_rows("1 X  -  -\n2 -  O  -\n3 -  -  -\n"), "X and O");
        assert_eq!(of_rows("1 O  -  -\n2 -  X  -\n3 -  -  -\n"), "X and O");
        assert_eq!(of_rows("1 X  -  -\n2 -  Y  -\n3 -  -  -\n"), "X and Y");
        assert_eq!(of_rows("1 Y  -  -\n"), "X and O");
        assert_eq!(of_rows("1 Y  -  -\n2 X  -  -\n"), "X and Y");
        assert_eq!(of_rows("1 A  -  -\n2 B  -  -\n"), "A and B");
        assert_eq!(of_rows("1 #  -  -\n2 @  -  -\n"), "# and @");
        assert_eq!(of_rows(""), "X and O");
    }

    #[test]
    fn players_are_named_by_token_or_by_number() {
        let text = |rows: &str| format!("{EMPTY}{rows}");
        let signs = names(&text("1 #  -  -\n2 @  -  -\n"));
        assert_eq!(signs.player("@'s turn:", &["s", "turn"]), Some(Player::Second));
        let letters = names(&text("1 A  -  -\n2 B  -  -\n"));
        assert_eq!(letters.player("Enter a move:", &["enter", "a", "move"]), None);
        assert_eq!(letters.player("A's move:", &["a", "s", "move"]), Some(Player::First));
        let usual = names("");
        assert_eq!(usual.player("Player 2:", &["player", "2"]), Some(Player::Second));
        let from_zero = PlayerNames::of(CourseProgram::Notakto.assignment(), "Player 0's turn\n");
        assert_eq!(from_zero.player("Player 1's turn", &["player", "1", "s", "turn"]), Some(Player::Second));
    }

    #[test]
    fn both_players_of_notakto_write_x() {
        let board = |row: &str| format!("|   |   |   |\n|   |   |   |\n|   |   |   |\n{row}\n");
        let right = PlayerNames::of(CourseProgram::Notakto.assignment(), &board("| X |   |   |"));
        assert!(right.has_usual_tokens() && right.cell("X") == Some(b'X'));
        let wrong = PlayerNames::of(CourseProgram::Notakto.assignment(), &board("| X | O |   |"));
        assert!(!wrong.has_usual_tokens() && wrong.cell("O") == Some(b'X'));
        assert_eq!(names("").cell("O"), Some(b'O'));
        assert_eq!(names("").cell(""), Some(b'-'));
        assert_eq!(names("").cell("Q"), None);
    }
}
