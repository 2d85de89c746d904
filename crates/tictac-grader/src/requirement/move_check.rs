//! Documents 000 and 001, the move parser.

use super::Requirement;

const FORMAT: &str = "000, Move Format";
const PARSER: &str = "000, The Move Parser";

pub(super) const REQUIREMENTS: &[Requirement] = &[
    Requirement::required(
        "move-check/number",
        10,
        FORMAT,
        "the move number is one digit from 1 to 9, without a sign",
    ),
    Requirement::required("move-check/player", 10, FORMAT, "the player is X or O, in upper or lower case"),
    Requirement::required(
        "move-check/square",
        15,
        FORMAT,
        "the square is a row letter A to C, in either case, and at once a column digit 1 to 3",
    ),
    Requirement::required(
        "move-check/separators",
        15,
        FORMAT,
        "between number, player and square stands white space: at least one character, of any kind that isspace() knows",
    ),
    Requirement::required(
        "move-check/start",
        5,
        FORMAT,
        "the line begins with the move number, with nothing before it",
    ),
    Requirement::required(
        "move-check/trailing",
        10,
        FORMAT,
        "after the square there may be white space, and nothing else but a comment",
    ),
    Requirement::required(
        "move-check/comment",
        10,
        FORMAT,
        "a comment begins with # after white space and may hold any text",
    ),
    Requirement::required("move-check/empty", 5, PARSER, "an empty line, or no line at all, is no move"),
    Requirement::required(
        "move-check/one-line",
        5,
        PARSER,
        "one line is read, whether or not a newline ends it; what follows it does not matter",
    ),
    Requirement::required(
        "move-check/form",
        5,
        FORMAT,
        "a move is printed in upper case with single blanks, without its comment",
    ),
    Requirement::required(
        "move-check/text",
        5,
        PARSER,
        "exactly one line is printed: the move, or the sentence for a parse error",
    ),
    Requirement::required(
        "move-check/status",
        5,
        PARSER,
        "the exit status is 0 for a move and 1 for a parse error",
    ),
    Requirement::robustness(
        "move-check/bytes",
        "000, Hints (only ASCII is promised)",
        "NUL and bytes over 0x7f are no part of a move, except in a comment",
    ),
    Requirement::robustness(
        "move-check/long",
        "000 does not say",
        "a very long line is handled like any other",
    ),
];
