//! Requirements of `lab3` (document 002).

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
        "without exactly one argument, TicTacToeGame, the program prints its usage and exits with status 1",
    ),
    Requirement::required(
        "lab3/board",
        12,
        "002, Method 1",
        "the board is drawn from the top row down, with row and column numbers, at the start and after every move",
    ),
    Requirement::required(
        "lab3/turns",
        9,
        TURN,
        "X moves first, the players take turns, and the program names the player to move",
    ),
    Requirement::required(
        "lab3/prompt",
        4,
        PROMPT,
        "before it reads a line, the program asks for coordinates",
    ),
    Requirement::required(
        "lab3/echo",
        3,
        "002, Test Cases 2",
        "the program repeats each line that was entered",
    ),
    Requirement::required(
        "lab3/coordinates",
        9,
        "002, Method 1 and Test Cases 2",
        "the first coordinate is the row, counted from the bottom, and the second is the column",
    ),
    Requirement::required(
        "lab3/bounds",
        6,
        PROMPT,
        "coordinates outside 1 to 3 are refused, and the player is asked again",
    ),
    Requirement::required(
        "lab3/taken",
        6,
        PROMPT,
        "a taken square is refused, and the player is asked again",
    ),
    Requirement::required(
        "lab3/unreadable",
        6,
        PROMPT,
        "after a line that is neither coordinates nor quit, the player is asked again",
    ),
    Requirement::required(
        "lab3/rest",
        4,
        "002, Method 4 and 4.1",
        "a line that starts with two comma-separated numbers is a move; anything after them is ignored",
    ),
    Requirement::required("lab3/moves", 5, TURN, "after a move, the program lists all moves of that player"),
    Requirement::required(
        "lab3/count",
        3,
        "002, Test Cases 2",
        "after a move that does not win, the program prints the number of moves",
    ),
    Requirement::required("lab3/win-row", 5, DONE, "three in a row win"),
    Requirement::required("lab3/win-column", 5, DONE, "three in a column win"),
    Requirement::required("lab3/win-diagonal", 5, DONE, "three on a diagonal win"),
    Requirement::required(
        "lab3/draw",
        4,
        "002, Method 3",
        "a full board without a winner is a draw, and no other board is",
    ),
    Requirement::required(
        "lab3/quit",
        4,
        PLAY,
        "quit ends the game, and the program prints the number of turns",
    ),
    Requirement::required(
        "lab3/status",
        2,
        "002, Test Cases 2 and 3",
        "the exit status is 0 after a win, 3 after quit, 4 after a draw",
    ),
    Requirement::robustness("lab3/end-of-input", "002 does not say", "the end of the input counts as quit"),
    Requirement::robustness(
        "lab3/spacing",
        "002 does not say",
        "spaces around numbers and around quit do no harm",
    ),
    Requirement::robustness(
        "lab3/huge-numbers",
        "002 does not say",
        "numbers too large for an int do no harm",
    ),
    Requirement::robustness("lab3/bytes", "002 does not say", "NUL and bytes above 0x7f do no harm"),
    Requirement::robustness("lab3/long", "002 does not say", "a very long line does no harm"),
];
