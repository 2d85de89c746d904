//! The codes of errors in records, with their explanations.

use core::fmt;

/// Defines [`Code`] from one table, so that a code is added in one place.
macro_rules! codes {
    ($($variant:ident = $name:literal, $title:literal, $explanation:literal;)*) => {
        /// The stable code of an error, such as `E0207`.
        ///
        /// `E01…`: a line is malformed. `E02…`: a move is illegal. `E03…`: a tag is wrong. `E04…`: a file cannot be read.
        /// `E05…`: a game cannot be converted. `E06…`: a position is wrong. `E07…`: a certificate is wrong. `E08…`: an
        /// assignment is wrong. A code never changes its meaning. Codes are ordered by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", $name, "`: ", $title, ".")] $variant,)*
        }

        impl Code {
            /// All codes in order.
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            /// Returns the name of the code, such as `E0207`.
            pub const fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// Returns a short description of the error, without a full stop.
            pub const fn title(self) -> &'static str {
                match self { $(Code::$variant => $title,)* }
            }

            /// Returns several lines that explain the error and how to fix it.
            pub const fn explanation(self) -> &'static str {
                match self { $(Code::$variant => $explanation,)* }
            }
        }
    };
}

codes! {
    MissingMoveNumber = "E0101", "missing move number", "\
Every line of a record is one move and starts with its number, without a space, a sign or a zero before it:

    1 X B2
    2 O A1

The largest number is the number of squares on all boards. With --strict, and in game-check, an empty line is a line
without a number; in an archive it ends the game.";

    MissingSpace = "E0102", "missing space", "\
The three parts of a move are separated by white space:

    1 X B2       right
    1X B2        wrong
    12 X B2      wrong on a 3×3 board, which has no move 12: the 1 must be followed by a space";

    NotAMark = "E0103", "not a mark", "\
The mark after the move number is X or O, in upper or lower case. A zero is not an O.";

    MissingBoardNumber = "E0104", "missing board number", "\
With several boards, a square is written as the number of its board, a full stop and its name:

    [Rules \"notakto boards=2\"]
    1 X 2.B3";

    MissingBoardDot = "E0105", "missing full stop after the board number", "\
A full stop separates the number of a board from the square on it, as in 2.B3. The largest number is the number of
boards.";

    NotARow = "E0106", "not a row of the board", "\
A square is written as the letter of its row, A on top, and the number of its column: B3 is in the middle row of a 3×3
board, on the right. Either the letter is missing or the board has no such row.

In chess, gomoku and most similar notations the letter is the column. If a whole game is legal only when read that way,
the help says so.";

    NotAColumn = "E0107", "not a column of the board", "\
The letter of the row is followed by the number of the column, 1 on the left, without a space between them. Either the
number is missing or the board has no such column.

In chess, gomoku and most similar notations the letter is the column. If a whole game is legal only when read that way,
the help says so.";

    TextAfterSquare = "E0108", "unexpected text right after the square", "\
The square ends the line, or is followed by a space and optionally a comment:

    1 X B2 # centre      right
    1 X B2# centre       wrong: a comment needs a space before it
    1 X B22              wrong on a 3×3 board: there is no column 22";

    TextAfterMove = "E0109", "text after the move that is not a comment", "\
A line holds one move. Only a comment may follow it, and a comment starts with #.

    1 X B2 # centre      right
    1 X B2 centre        wrong
    1 X B2 2 O A1        wrong: the second move needs its own line";

    MoveAfterEnd = "E0201", "move after the end of the game", "\
A completed line ends the game (and wins it, or with misere loses it), and so does a full board. No move may follow. If
another game starts here, put a blank line before it.";

    WrongMoveNumber = "E0202", "wrong move number", "\
Moves are numbered from 1 without gaps. Either a move is missing, or it appears twice, or another game starts here and
needs a blank line before it.";

    WrongMark = "E0203", "wrong mark", "\
The players take turns. Either mark may open; after that the marks alternate. Under x-only rules, as in Notakto, both
players write X; under wild rules either mark is allowed in every move.";

    NoSuchBoard = "E0204", "no such board", "\
The game has fewer boards than the number in the move. The rules set the number of boards, as in
[Rules \"notakto boards=3\"].";

    BoardFinished = "E0205", "finished board", "\
In a game on several boards, a board with a completed line is finished and takes no more moves. The game goes on until
every board is finished.";

    OffGrid = "E0206", "square off the board", "\
The board has no such square. In a record of a full grid this error is reported as E0106 or E0107, at the letter or
number that is too large; a square that the rules leave out (without=B2) is reported with this code.";

    SquareTaken = "E0207", "square already taken", "\
Every square can be taken once. The message says which move took it, the help lists the free squares.";

    NotLowest = "E0208", "square that is not the lowest free one", "\
Under rules with drop, a mark falls to the lowest free square of its column, and the record names the square on which it
lands. In Connect Four, which has six rows, the first mark in column 4 lands on F4 and the second one on E4. On a grid
with layers, marks fall from layer to layer.";

    MalformedTag = "E0301", "malformed tag", "\
A line that starts with [ is a tag: a name of letters, digits and underscores, a space, and a value in double quotes.

    [Rules \"4,4,4 misere\"]
    [X \"Ada\"]

Inside the value, \\\" is a double quote and \\\\ a backslash.";

    UnknownRules = "E0302", "unknown rules", "\
The Rules tag gives the rules of the game: rows,columns,line and then any of drop, torus, cylinder, tube, exact,
shape=…, without=…, wild, x-only, misere, boards=N; or one of classic, misere, wild, notakto, connect-four, qubic,
score-four. docs/notation.md defines them. Without known rules the moves of a game are not checked.";

    UnknownResult = "E0303", "unknown result", "\
The Result tag is one of

    \"X\", \"O\"       that mark won (not in wild and x-only games, where marks do not belong to players)
    \"1\", \"2\"       the first or the second player won; PGN's \"1-0\" and \"0-1\" mean the same
    \"draw\"         no one won; PGN's \"1/2-1/2\" means the same
    \"*\"            the game is unfinished";

    WrongResult = "E0304", "result that contradicts the moves", "\
The Result tag disagrees with the moves. These games have no resignation: a game without a line and with free squares is
unfinished, \"*\".

One blank line may stand between the tags and the moves, as in PGN; a second one ends the game before its first move.";

    TagAfterMove = "E0305", "tag after the first move", "\
The tags of a game come before its first move. If another game starts here, put a blank line before it.";

    DuplicateTag = "E0306", "duplicate tag", "\
A game has each tag at most once. With two values it would be unclear which one counts.";

    TagLimit = "E0307", "too many tags, or a tag too long", "\
A game may have 64 tags, and the line of a tag 4096 bytes. Moves and comments may have any length.";

    WindowTooLarge = "E0401", "Zstandard window too large", "\
A Zstandard decoder has to keep as much of the text in memory as the file demands, its window. tictac check stays below
64 MB in total and accepts windows of up to 16 MB; zstd uses larger ones only with --long or at levels above 19. Let
zstd decompress such a file:

    zstd -dc --long=31 archive.zst | tictac check -";

    Utf16 = "E0402", "text in UTF-16", "\
The text is in UTF-16, which some editors call Unicode and which PowerShell writes with > by default. Save it as UTF-8,
or convert it:

    iconv -f UTF-16 -t UTF-8 game.ttt | tictac check -

A UTF-8 byte order mark at the start of a text is skipped, except with --strict and in move-check and game-check, whose
documents do not allow it.";

    TooLong = "E0501", "line or game too long to rewrite", "\
tictac check reads lines and games of any length. tictac fmt and tictac convert keep a game in memory while they rewrite
it, so a line may have 1 MiB (1,048,576 bytes), its comment included, and a game 16 MiB.";

    MalformedNotation = "E0502", "malformed text in another notation", "\
tictac convert cannot read this text: the message says what was expected, and docs/formats.md describes each notation.
If the notation was detected wrongly, name it with --from.

In PGN, FEN and AT3 the letter of a square is its column; in .ttt it is the row.";

    Unrepresentable = "E0503", "game that the output notation cannot represent", "\
Not every notation can represent every game: xfen has 3×3 squares, AT3 no misère, FEN no wild games, .ttt no game that
starts from a position. The help names notations that can.";

    WouldLose = "E0504", "information that the output notation would lose", "\
tictac convert never drops information silently. If the output notation has no place for a comment, a tag, rules or a
variation, the game is refused. With --lossy it is written without them.";

    MalformedPosition = "E0601", "malformed position", "\
A position lists the rows from the top, with / between them and . for an empty square, and then the side to move: X or
O, or, where marks do not name players, 1 or 2, which may be left out. Several boards are joined with +.

    X.O/.X./... O
    X../.../...+.../.X./... 1

Every row must be as long as the rules say; --rules selects others.";

    ImpossiblePosition = "E0602", "position that no game reaches", "\
The position is well formed, but no game by these rules leads to it: the numbers of marks do not alternate, a line was
completed and the game went on, or the number of boards is not that of the rules. --rules selects other rules.";

    MalformedCertificate = "E0701", "malformed certificate", "\
The file is not a certificate that tictac verify can read: the message says what was expected at that place.
docs/certificates.md describes the format.";

    RefutedCertificate = "E0702", "certificate that proves nothing", "\
The certificate is well formed, but its strategy does not prove its value: the message says why, and the note names the
position in which it fails. tictac solve --certificate writes a new one.";

    MalformedAssignment = "E0801", "mistake in a description of an assignment", "\
The file assignment.toml is not valid: the message says what was expected at that place. docs/assignments.md describes
the file, and tictac grade check-assignment tries it.";
}

impl Code {
    /// Returns the code with this name, in upper or lower case.
    pub fn from_name(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name().eq_ignore_ascii_case(name))
    }

    /// Returns whether the line is malformed, so that the error is a single character and not a whole word.
    pub fn is_syntax(self) -> bool {
        self < Code::MoveAfterEnd || self == Code::MalformedTag
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_in_the_order_of_the_variants() {
        assert!(Code::ALL.is_sorted_by(|a, b| a < b && a.name() < b.name()));
        for code in Code::ALL {
            let number = code.name().strip_prefix('E').unwrap();
            assert!(number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
            assert_eq!(Code::from_name(&code.name().to_lowercase()), Some(*code));
            assert_eq!(code.is_syntax(), number.starts_with("01") || number == "0301");
        }
        assert_eq!(Code::from_name("E9999"), None);
    }

    #[test]
    fn every_code_is_explained() {
        for code in Code::ALL {
            assert!(code.explanation().len() > 60, "{code}");
            assert!(!code.title().is_empty() && !code.title().ends_with('.'), "{code}");
            assert!(code.explanation().lines().all(|line| line.chars().count() <= 120), "{code}");
        }
    }
}
