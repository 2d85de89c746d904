//! Requirements of `game-check` (documents 000 and 001).

use super::Requirement;

const MOVE: &str = "000, Move Format";
const EVALUATOR: &str = "000, The Game Evaluator";
const GAME: &str = "000, Game Format";
const RULES: &str = "000, Game Rules";

pub(super) const REQUIREMENTS: &[Requirement] = &[
    Requirement::required(
        "game-check/number",
        3,
        MOVE,
        "the move number is one digit from 1 to 9, without a sign",
    ),
    Requirement::required("game-check/player", 3, MOVE, "the player is X or O, in upper or lower case"),
    Requirement::required(
        "game-check/square",
        3,
        MOVE,
        "the square is a row letter A to C, in upper or lower case, directly followed by a column digit 1 to 3",
    ),
    Requirement::required(
        "game-check/separators",
        3,
        MOVE,
        "number, player and square are separated by white space: one or more characters of any kind that isspace() accepts",
    ),
    Requirement::required(
        "game-check/start",
        3,
        MOVE,
        "a line starts with the move number; nothing may come before it",
    ),
    Requirement::required(
        "game-check/trailing",
        3,
        MOVE,
        "after the square only white space and a comment may follow",
    ),
    Requirement::required(
        "game-check/comment",
        3,
        MOVE,
        "a comment starts with # after white space and may contain any text",
    ),
    Requirement::required(
        "game-check/blank-line",
        3,
        GAME,
        "every line contains exactly one move, so an empty line is a parse error",
    ),
    Requirement::required("game-check/last-line", 4, GAME, "the last line may or may not end with a newline"),
    Requirement::required("game-check/new-game", 4, EVALUATOR, "a record without moves is a new game"),
    Requirement::required(
        "game-check/turn",
        6,
        EVALUATOR,
        "while the game is in progress, the output names the player to move",
    ),
    Requirement::required("game-check/first-player", 5, RULES, "either player may move first"),
    Requirement::required("game-check/alternate", 6, RULES, "after the first move the players take turns"),
    Requirement::required(
        "game-check/move-number",
        6,
        RULES,
        "the first move has number 1, and each number is one higher than the one before",
    ),
    Requirement::required("game-check/taken", 6, RULES, "a move must be on a free square"),
    Requirement::required("game-check/win-row", 5, RULES, "three squares in a row win"),
    Requirement::required("game-check/win-column", 5, RULES, "three squares in a column win"),
    Requirement::required("game-check/win-diagonal", 5, RULES, "three squares on a diagonal win"),
    Requirement::required("game-check/two-lines", 2, RULES, "a move that completes two lines at once wins"),
    Requirement::required(
        "game-check/full-win",
        2,
        RULES,
        "a ninth move that completes a line wins, even though the board is full",
    ),
    Requirement::required("game-check/draw", 4, RULES, "a full board without a line is a draw"),
    Requirement::required("game-check/after-end", 5, RULES, "no moves are allowed after the end of the game"),
    Requirement::required(
        "game-check/first-error",
        4,
        EVALUATOR,
        "lines are checked one at a time, first their syntax and then the move, and the program stops at the first error",
    ),
    Requirement::required(
        "game-check/text",
        3,
        EVALUATOR,
        "the program prints exactly one line, a result or an error, with the exact wording",
    ),
    Requirement::required(
        "game-check/status",
        4,
        EVALUATOR,
        "the exit status is 0 for a result, 1 for a parse error, 2 for an invalid move",
    ),
    Requirement::robustness(
        "game-check/bytes",
        "000, Hints (only ASCII is promised)",
        "NUL and bytes above 0x7f are parse errors, except in a comment",
    ),
    Requirement::robustness(
        "game-check/long",
        "000 does not say",
        "very long lines and very many lines are handled like any others",
    ),
];
