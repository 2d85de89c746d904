//! Documents 000 and 001, the game evaluator.

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
        "the square is a row letter A to C, in either case, and at once a column digit 1 to 3",
    ),
    Requirement::required(
        "game-check/separators",
        3,
        MOVE,
        "between number, player and square stands white space: at least one character, of any kind that isspace() knows",
    ),
    Requirement::required(
        "game-check/start",
        3,
        MOVE,
        "a line begins with the move number, with nothing before it",
    ),
    Requirement::required(
        "game-check/trailing",
        3,
        MOVE,
        "after the square there may be white space, and nothing else but a comment",
    ),
    Requirement::required(
        "game-check/comment",
        3,
        MOVE,
        "a comment begins with # after white space and may hold any text",
    ),
    Requirement::required(
        "game-check/blank-line",
        3,
        GAME,
        "every line holds exactly one move, so a blank line cannot be parsed",
    ),
    Requirement::required("game-check/last-line", 4, GAME, "the text may or may not end with a newline"),
    Requirement::required("game-check/new-game", 4, EVALUATOR, "without any move the game is new"),
    Requirement::required(
        "game-check/turn",
        6,
        EVALUATOR,
        "while the game goes on, the player whose turn it is gets named",
    ),
    Requirement::required("game-check/first-player", 5, RULES, "either player may play first"),
    Requirement::required("game-check/alternate", 6, RULES, "after the first move the players alternate"),
    Requirement::required(
        "game-check/move-number",
        6,
        RULES,
        "the first move is number one, and each number is one higher than the last",
    ),
    Requirement::required("game-check/taken", 6, RULES, "a move claims a square that nobody has claimed"),
    Requirement::required("game-check/win-row", 5, RULES, "three squares in a row win"),
    Requirement::required("game-check/win-column", 5, RULES, "three squares in a column win"),
    Requirement::required("game-check/win-diagonal", 5, RULES, "three squares on a diagonal win"),
    Requirement::required("game-check/two-lines", 2, RULES, "a move that completes two lines at once wins"),
    Requirement::required(
        "game-check/full-win",
        2,
        RULES,
        "a ninth move that forms a line wins, although the board is full",
    ),
    Requirement::required("game-check/draw", 4, RULES, "a full board without a line is a draw"),
    Requirement::required(
        "game-check/after-end",
        5,
        RULES,
        "when the game is over, no further moves are allowed",
    ),
    Requirement::required(
        "game-check/first-error",
        4,
        EVALUATOR,
        "lines are read one at a time, each is parsed before it is judged, and the first error ends the run",
    ),
    Requirement::required(
        "game-check/text",
        3,
        EVALUATOR,
        "exactly one line is printed: a result or an error, word for word",
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
        "NUL and bytes over 0x7f are no part of a move, except in a comment",
    ),
    Requirement::robustness(
        "game-check/long",
        "000 does not say",
        "very long lines and very many lines are handled like any other",
    ),
];
