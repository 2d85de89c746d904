//! Document 003.

use super::Requirement;

const GOAL: &str = "003, Goal";
const TAKE_TURN: &str = "003, takeTurn";
const IS_WIN: &str = "003, isWin";
const MAIN: &str = "003, main";

pub(super) const REQUIREMENTS: &[Requirement] = &[
    Requirement::required(
        "tictactoe/opening",
        5,
        "003, Sample Output",
        "before the first move the player is told how to enter one",
    ),
    Requirement::required(
        "tictactoe/board",
        10,
        "003, printMe",
        "the board is drawn with row and column numbers, at the start and after every move",
    ),
    Requirement::required(
        "tictactoe/turns",
        12,
        GOAL,
        "X starts, players alternate, and the one whose turn it is gets named",
    ),
    Requirement::required(
        "tictactoe/placement",
        12,
        TAKE_TURN,
        "the first number is the row, counted from the top, the second the column",
    ),
    Requirement::required(
        "tictactoe/range",
        10,
        TAKE_TURN,
        "a row or column outside of 1 to 3 is refused with a message",
    ),
    Requirement::required(
        "tictactoe/taken",
        10,
        TAKE_TURN,
        "a place that is already taken is refused with a message",
    ),
    Requirement::required(
        "tictactoe/turn-kept",
        6,
        "003, Check Point 3",
        "a bad move does not pass the turn: the same player goes again",
    ),
    Requirement::required("tictactoe/win-row", 6, IS_WIN, "three in a row win"),
    Requirement::required("tictactoe/win-column", 6, IS_WIN, "three in a column win"),
    Requirement::required("tictactoe/win-diagonal", 6, IS_WIN, "three on a diagonal win"),
    Requirement::required(
        "tictactoe/via",
        5,
        IS_WIN,
        "a win is announced with who has won and by which row, column or diagonal",
    ),
    Requirement::required(
        "tictactoe/tie",
        7,
        "003, isTie",
        "a game that nobody can win any more, at the latest a full board, is a tie",
    ),
    Requirement::required("tictactoe/goodbye", 5, MAIN, "at the end the program says so, and ends"),
    Requirement::required(
        "tictactoe/text",
        0,
        "003, Sample Output",
        "the wording of the sample session, byte for byte (only with --exact)",
    ),
    Requirement::bonus(
        "tictactoe/early-tie",
        5,
        "003, Bonus Points",
        "a tie is told as soon as nobody can complete a line any more",
    ),
    Requirement::robustness(
        "tictactoe/status",
        "003 does not say",
        "the exit status after a finished game is 0",
    ),
    Requirement::robustness(
        "tictactoe/spread",
        "003 does not say",
        "two numbers may be spread over lines, and several moves may stand on one",
    ),
    Requirement::robustness(
        "tictactoe/end-of-input",
        "003 does not say",
        "input that ends early ends the program",
    ),
    Requirement::robustness(
        "tictactoe/not-a-number",
        "003 does not say",
        "words that are no numbers do no harm",
    ),
    Requirement::robustness("tictactoe/bytes", "003 does not say", "NUL and bytes over 0x7f do no harm"),
    Requirement::robustness("tictactoe/long", "003 does not say", "very long numbers and lines do no harm"),
];
