//! Requirements of `move-check` (documents 000 and 001).

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
        "the square is a row letter A to C, in upper or lower case, directly followed by a column digit 1 to 3",
    ),
    Requirement::required(
        "move-check/separators",
        15,
        FORMAT,
        "number, player and square are separated by white space: one or more characters of any kind that isspace() accepts",
    ),
    Requirement::required(
        "move-check/start",
        5,
        FORMAT,
        "the line starts with the move number; nothing may come before it",
    ),
    Requirement::required(
        "move-check/trailing",
        10,
        FORMAT,
        "after the square only white space and a comment may follow",
    ),
    Requirement::required(
        "move-check/comment",
        10,
        FORMAT,
        "a comment starts with # after white space and may contain any text",
    ),
    Requirement::required(
        "move-check/empty",
        5,
        PARSER,
        "an empty line, or no line at all, is a parse error",
    ),
    Requirement::required(
        "move-check/one-line",
        5,
        PARSER,
        "the program reads one line, with or without a newline at its end, and ignores the rest",
    ),
    Requirement::required(
        "move-check/form",
        5,
        FORMAT,
        "a move is printed in upper case with single spaces and without its comment",
    ),
    Requirement::required(
        "move-check/text",
        5,
        PARSER,
        "the program prints exactly one line: the move, or the error message with the exact wording",
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
        "NUL and bytes above 0x7f are parse errors, except in a comment",
    ),
    Requirement::robustness(
        "move-check/long",
        "000 does not say",
        "a very long line is handled like any other",
    ),
];
