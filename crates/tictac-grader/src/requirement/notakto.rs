//! Requirements of `notakto` (document 004).

use super::Requirement;

const RULES: &str = "004, Program specifications";
const HAS_LINE: &str = "004, has_line";

pub(super) const REQUIREMENTS: &[Requirement] = &[
    Requirement::required(
        "notakto/board",
        20,
        "004, draw_board",
        "the board is drawn before every turn, exactly as in the document",
    ),
    Requirement::required(
        "notakto/prompt",
        10,
        "004, Part 2 step 2",
        "the player to move is asked for a location with the exact wording",
    ),
    Requirement::required(
        "notakto/turns",
        10,
        "004, Part 2 step 7",
        "Player 1 moves first, and the players take turns",
    ),
    Requirement::required(
        "notakto/placement",
        15,
        "004, place_x",
        "the X is placed at the location with that number",
    ),
    Requirement::required(
        "notakto/invalid",
        12,
        "004, place_x and Part 2 step 4",
        "a number that is not from 1 to 9 is refused, and the same player tries again",
    ),
    Requirement::required(
        "notakto/taken",
        12,
        "004, place_x and Part 2 step 4",
        "a location that already has an X is refused, and the same player tries again",
    ),
    Requirement::required("notakto/lose-row", 5, HAS_LINE, "three X in a row are a line and end the game"),
    Requirement::required(
        "notakto/lose-column",
        5,
        HAS_LINE,
        "three X in a column are a line and end the game",
    ),
    Requirement::required(
        "notakto/lose-diagonal",
        5,
        HAS_LINE,
        "three X on a diagonal are a line and end the game",
    ),
    Requirement::required(
        "notakto/winner",
        3,
        RULES,
        "the player who completes a line loses, and the program names the other player as the winner",
    ),
    Requirement::required(
        "notakto/ending",
        3,
        "004, Part 2 step 6",
        "the board is drawn once more, the winner is named, and the program ends",
    ),
    Requirement::robustness(
        "notakto/status",
        "004 does not say",
        "the exit status after a finished game is 0",
    ),
    Requirement::robustness(
        "notakto/spread",
        "004 does not say",
        "several locations may be on one line, and empty lines do no harm",
    ),
    Requirement::robustness(
        "notakto/end-of-input",
        "004 does not say",
        "the program exits when its input ends early",
    ),
    Requirement::robustness(
        "notakto/not-a-number",
        "004 does not say",
        "words that are not numbers do no harm",
    ),
    Requirement::robustness("notakto/bytes", "004 does not say", "NUL and bytes above 0x7f do no harm"),
    Requirement::robustness("notakto/long", "004 does not say", "very long words do no harm"),
];
