//! Every code that a fault can have, explained.

/// A code, and what there is to know about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The code, such as `E0101`; it never changes its meaning.
    pub code: &'static str,
    /// What it stands for, in a few words.
    pub title: &'static str,
    /// What is wrong, why, and what would be right.
    pub text: &'static str,
}

impl Code {
    /// Returns the code with this name, in either case.
    pub fn named(name: &str) -> Option<&'static Code> {
        CODES.iter().find(|code| code.code.eq_ignore_ascii_case(name))
    }
}

const fn code(code: &'static str, title: &'static str, text: &'static str) -> Code {
    Code { code, title, text }
}

/// All codes in order: `E01…` a line is not well formed, `E02…` a move is not legal, `E03…` a tag is not right,
/// `E04…` a file cannot be read, `E05…` a game cannot be rewritten.
pub const CODES: &[Code] = &[
    code(
        "E0101",
        "a move number is missing",
        "\
Every line of a record is one move and starts with its number, without a blank, a sign or a zero before it:

    1 X B2
    2 O A1

The number is at most the number of squares (of all boards). With --strict, or in game-check, an empty line is such a
line without a number; in an archive it ends the game.",
    ),
    code(
        "E0102",
        "a blank is missing",
        "\
The three parts of a move are separated by white space:

    1 X B2       right
    1X B2        wrong
    12 X B2      wrong on a 3×3 board: after the 1 only a blank can follow, for there is no move 12",
    ),
    code(
        "E0103",
        "not a mark",
        "\
After the number stands what was written: X or O, in either case. A zero is not an O.",
    ),
    code(
        "E0104",
        "a board number is missing",
        "\
Where several boards are played, a square is named with its board: the number of the board, a full stop, the square.

    [Rules \"notakto boards=2\"]
    1 X 2.B3",
    ),
    code(
        "E0105",
        "a full stop is missing after the board number",
        "\
The number of a board and the square on it are separated by a full stop, as in 2.B3. The number is at most the
number of boards.",
    ),
    code(
        "E0106",
        "not a row of the board",
        "\
A square is named by the letter of its row, A on top, and the number of its column: B3 is the middle row of a 3×3 board
and its right column. Either the letter is missing, or the board has no such row.

In chess, gomoku and most neighbouring notations the letter is the column. Where a whole game is legal only in that
reading, the help says so.",
    ),
    code(
        "E0107",
        "not a column of the board",
        "\
After the letter of the row stands the number of the column, 1 at the left, without a blank between them. Either the
number is missing, or the board has no such column.

In chess, gomoku and most neighbouring notations the letter is the column. Where a whole game is legal only in that
reading, the help says so.",
    ),
    code(
        "E0108",
        "something follows the square at once",
        "\
After the square the line ends, or a blank follows, and then perhaps a comment:

    1 X B2 # centre      right
    1 X B2# centre       wrong: a comment needs a blank before it
    1 X B22              wrong on a 3×3 board: there is no column 22",
    ),
    code(
        "E0109",
        "something follows the move that is not a comment",
        "\
A line holds one move. What follows it after a blank must be a comment, and a comment starts with #.

    1 X B2 # centre      right
    1 X B2 centre        wrong
    1 X B2 2 O A1        wrong: the second move needs its own line",
    ),
    code(
        "E0201",
        "a move after the end",
        "\
Completing a line ends the game (and wins it, or with misere loses it), and so does filling the board. No move may
follow. If another game starts here, a blank line is missing before it.",
    ),
    code(
        "E0202",
        "a wrong move number",
        "\
Moves are numbered from 1 without gaps. Either a move is missing or stands twice, or another game starts here and a
blank line is missing before it.",
    ),
    code(
        "E0203",
        "the wrong mark",
        "\
The players take turns. Either mark may open, and from then on the marks alternate. Under x-only rules, as in Notakto,
both players write X; under wild rules either mark is right at any time.",
    ),
    code(
        "E0204",
        "no such board",
        "\
The game has fewer boards than the move says. How many there are say the rules, as in [Rules \"notakto boards=3\"].",
    ),
    code(
        "E0205",
        "a finished board",
        "\
Where several boards are played, a board with a line is finished: nobody may write on it any more. The game goes on
until every board is finished.",
    ),
    code(
        "E0206",
        "a square off the board",
        "\
The board has no such square. In a record this is told as E0106 or E0107, at the letter or the number that is too
large.",
    ),
    code(
        "E0207",
        "a taken square",
        "\
Every square is written on once. The message says who took it at which move, the help which squares were free.",
    ),
    code(
        "E0301",
        "not a tag",
        "\
A line that starts with [ is a tag: a name of letters, digits and underscores, a blank, and a value in double quotes.

    [Rules \"4,4,4 misere\"]
    [X \"Ada\"]

Inside the value, \\\" is a double quote and \\\\ a backslash.",
    ),
    code(
        "E0302",
        "rules that are not understood",
        "\
The tag Rules says by which rules the game is played: rows,columns,line and then any of wild, x-only, misere, boards=N;
or one of classic, misere, wild, notakto. Without its rules the moves of a game are not judged.",
    ),
    code(
        "E0303",
        "not a result",
        "\
The tag Result is one of

    \"X\", \"O\"       that mark won (not in wild and x-only games, where marks do not name players)
    \"1\", \"2\"       the first or the second player won; PGN's \"1-0\" and \"0-1\" mean the same
    \"draw\"         nobody won; PGN's \"1/2-1/2\" means the same
    \"*\"            the game is not finished",
    ),
    code(
        "E0304",
        "a result that contradicts the game",
        "\
The tag Result says something else than the moves do. There is no resigning in these games: a game without a line and
with free squares is unfinished, \"*\".

A blank line between the tags and the moves, as PGN has it, ends the game before it has begun.",
    ),
    code(
        "E0305",
        "a tag after the first move",
        "\
Tags head a game: they stand before its first move. If another game starts here, a blank line is missing before it.",
    ),
    code(
        "E0306",
        "a tag that stands twice",
        "\
A game has each tag at most once; otherwise nobody could know which one holds.",
    ),
    code(
        "E0307",
        "too many or too long tags",
        "\
A game may have 64 tags, and the line of a tag 4096 bytes. Moves and comments may be of any length.",
    ),
    code(
        "E0401",
        "a Zstandard window that is too large",
        "\
Whoever decodes Zstandard has to remember as much of the text as the file asks for, its window. tictac check promises
to stay below 64 MB in all, and accepts windows of up to 16 MB; zstd asks for more only with --long or its levels above
19. Let zstd decode such a file:

    zstd -dc --long=31 archive.zst | tictac check -",
    ),
    code(
        "E0501",
        "a line or a game too long to be kept",
        "\
tictac check reads lines and games of any length. tictac fmt and tictac convert keep a game while they rewrite it, so a
line may have 1 MiB (1,048,576 bytes) there, its comment included, and a game 16 MiB.",
    ),
    code(
        "E0502",
        "not what its notation asks for",
        "\
A text in another notation than .ttt that tictac convert cannot read: the message says what was expected, and
docs/formats.md how each notation is read. Where the wrong notation was recognised, --from names the right one.

In PGN, FEN and AT3 the letter of a square is its column, and in .ttt it is the row.",
    ),
    code(
        "E0503",
        "a game that another notation cannot hold",
        "\
Not every notation can hold every game: xfen has 3×3 squares, AT3 no misère, FEN no wild games, .ttt no game that starts
from a position. The help names notations that can.",
    ),
    code(
        "E0504",
        "something that another notation would lose",
        "\
tictac convert loses nothing silently. Where the other notation has no place for a comment, a tag, rules or variations,
the game is refused. With --lossy it is written without them.",
    ),
];

#[cfg(test)]
mod tests {
    use tictac::notation::{Expected, Fault, ParseError};
    use tictac::{Grid, IllegalMove, Mark, Outcome, Square};

    use super::*;

    #[test]
    fn codes_are_in_order_and_explained() {
        assert!(CODES.is_sorted_by(|a, b| a.code < b.code));
        assert!(CODES.iter().all(|code| code.text.len() > 60 && !code.title.ends_with('.')));
        assert_eq!(Code::named("e0207").unwrap().code, "E0207");
    }

    #[test]
    fn every_fault_of_the_library_has_an_explained_code() {
        let expected = [
            Expected::MoveNumber { up_to: 9 },
            Expected::Blank,
            Expected::Mark,
            Expected::BoardNumber { up_to: 2 },
            Expected::BoardDot,
            Expected::Row { n_rows: 3 },
            Expected::Column { up_to: 3 },
            Expected::BlankOrEnd,
            Expected::CommentOrEnd,
        ];
        let illegal = [
            IllegalMove::GameOver { outcome: Outcome::Draw, winner: None },
            IllegalMove::WrongNumber { expected: 1, found: 2 },
            IllegalMove::WrongMark { expected: Mark::X },
            IllegalMove::NoSuchBoard { board: 2, n_boards: 2 },
            IllegalMove::BoardFinished { board: 0 },
            IllegalMove::OffGrid(Grid::THREE),
            IllegalMove::Occupied { square: Square::new(0).unwrap(), grid: Grid::THREE },
        ];
        let syntax = expected.map(|expected| Fault::from(ParseError { at: 0, found: None, expected }).code);
        let legality = illegal.map(|illegal| Fault::from(illegal).code);
        let of_library: Vec<&str> = syntax.into_iter().chain(legality).collect();
        let explained: Vec<&str> = CODES.iter().map(|code| code.code).filter(|code| *code < "E03").collect();
        assert_eq!(of_library, explained);
    }
}
