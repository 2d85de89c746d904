//! Document 002.

use super::Requirement;

const PROMPT: &str = "002, Method 4";
const TURN: &str = "002, Method 5";
const PLAY: &str = "002, Method 6";
const DONE: &str = "002, Method 2";

pub(super) const REQUIREMENTS: &[Requirement] = &[
    Requirement::required(
        "lab3/arguments",
        8,
        "002, Test Cases 1",
        "anything but the one argument TicTacToeGame is answered with the usage and status 1",
    ),
    Requirement::required(
        "lab3/board",
        12,
        "002, Method 1",
        "the board is drawn from the top row down, with row numbers and column numbers, at the start and after every move",
    ),
    Requirement::required(
        "lab3/turns",
        9,
        TURN,
        "X plays first, then both in turns, and the one whose turn it is gets named",
    ),
    Requirement::required(
        "lab3/prompt",
        4,
        PROMPT,
        "before a line is read, the player is asked for coordinates",
    ),
    Requirement::required("lab3/echo", 3, "002, Test Cases 2", "what was entered is repeated"),
    Requirement::required(
        "lab3/coordinates",
        9,
        "002, Method 1 and Test Cases 2",
        "the first coordinate is the row, counted from the bottom, the second the column",
    ),
    Requirement::required(
        "lab3/bounds",
        6,
        PROMPT,
        "coordinates outside of 1 to 3 are refused, and the player is asked again",
    ),
    Requirement::required(
        "lab3/taken",
        6,
        PROMPT,
        "a place that is not empty is refused, and the player is asked again",
    ),
    Requirement::required(
        "lab3/unreadable",
        6,
        PROMPT,
        "a line that is neither coordinates nor quit is asked for again",
    ),
    Requirement::required(
        "lab3/rest",
        4,
        "002, Method 4 and 4.1",
        "a line that starts with two comma-separated numbers is a move, whatever follows them",
    ),
    Requirement::required("lab3/moves", 5, TURN, "after a move the moves of that player so far are listed"),
    Requirement::required(
        "lab3/count",
        3,
        "002, Test Cases 2",
        "after a move that does not win the number of moves is told",
    ),
    Requirement::required("lab3/win-row", 5, DONE, "three in a horizontal line win"),
    Requirement::required("lab3/win-column", 5, DONE, "three in a vertical line win"),
    Requirement::required("lab3/win-diagonal", 5, DONE, "three in a diagonal line win"),
    Requirement::required(
        "lab3/draw",
        4,
        "002, Method 3",
        "a board without an empty place and without a winner is a draw, and nothing earlier is",
    ),
    Requirement::required(
        "lab3/quit",
        4,
        PLAY,
        "who says quit ends the game, and the number of turns is told",
    ),
    Requirement::required(
        "lab3/status",
        2,
        "002, Test Cases 2 and 3",
        "the exit status is 0 after a win, 3 after quit, 4 after a draw",
    ),
    Requirement::robustness("lab3/end-of-input", "002 does not say", "input that ends early is a quit"),
    Requirement::robustness(
        "lab3/spacing",
        "002 does not say",
        "blanks around numbers and around quit do no harm",
    ),
    Requirement::robustness(
        "lab3/huge-numbers",
        "002 does not say",
        "numbers too large for an int do no harm",
    ),
    Requirement::robustness("lab3/bytes", "002 does not say", "NUL and bytes over 0x7f do no harm"),
    Requirement::robustness("lab3/long", "002 does not say", "a very long line does no harm"),
];
