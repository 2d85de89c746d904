//! Requirements of `tictactoe` (document 003).

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
        "before the first move, the program explains how to enter a move",
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
        "X moves first, the players take turns, and the program names the player to move",
    ),
    Requirement::required(
        "tictactoe/placement",
        12,
        TAKE_TURN,
        "the first number is the row, counted from the top, and the second is the column",
    ),
    Requirement::required(
        "tictactoe/range",
        10,
        TAKE_TURN,
        "a row or column outside 1 to 3 is refused with a message",
    ),
    Requirement::required("tictactoe/taken", 10, TAKE_TURN, "a taken square is refused with a message"),
    Requirement::required(
        "tictactoe/turn-kept",
        6,
        "003, Check Point 3",
        "after a refused move the same player moves again",
    ),
    Requirement::required("tictactoe/win-row", 6, IS_WIN, "three in a row win"),
    Requirement::required("tictactoe/win-column", 6, IS_WIN, "three in a column win"),
    Requirement::required("tictactoe/win-diagonal", 6, IS_WIN, "three on a diagonal win"),
    Requirement::required(
        "tictactoe/via",
        5,
        IS_WIN,
        "a win is announced with the winner and the winning row, column or diagonal",
    ),
    Requirement::required(
        "tictactoe/tie",
        7,
        "003, isTie",
        "a full board without a line is a tie; a game that neither player can win any more may be a tie as well",
    ),
    Requirement::required(
        "tictactoe/goodbye",
        5,
        MAIN,
        "after the end of the game the program prints a closing message and exits",
    ),
    Requirement::required(
        "tictactoe/text",
        0,
        "003, Sample Output",
        "the wording is that of the sample session, byte for byte (checked only with --exact)",
    ),
    Requirement::bonus(
        "tictactoe/early-tie",
        5,
        "003, Bonus Points",
        "a tie is announced as soon as neither player can complete a line any more",
    ),
    Requirement::robustness(
        "tictactoe/status",
        "003 does not say",
        "the exit status after a finished game is 0",
    ),
    Requirement::robustness(
        "tictactoe/spread",
        "003 does not say",
        "the two numbers of a move may be on different lines, and several moves on one line",
    ),
    Requirement::robustness(
        "tictactoe/end-of-input",
        "003 does not say",
        "the program exits when its input ends early",
    ),
    Requirement::robustness(
        "tictactoe/not-a-number",
        "003 does not say",
        "words that are not numbers do no harm",
    ),
    Requirement::robustness("tictactoe/bytes", "003 does not say", "NUL and bytes above 0x7f do no harm"),
    Requirement::robustness("tictactoe/long", "003 does not say", "very long numbers and lines do no harm"),
];
