//! Cases for `move-check`. Each input determines the requirement that it tests.

use fastrand::Rng;
use tictac::{Rules, Square};

use super::mutate::{ALPHABET, mutated, neighbours};
use crate::assignment::Assignment;
use crate::case::Case;
use crate::judge::checkers::suspects;

/// Lines that many parsers get wrong, separated by `|`.
const LINES: &str = concat!(
    "1 X A1|2 O B2|9 O C3|1 x A1|1 O A1|1 o A1|1 X a1|1 x a1|5 X B2|1 X A2|1 X A3|1 X B1|",
    // Move numbers.
    "0 X A1|10 X A1|01 X A1|+1 X A1|-1 X A1|1. X A1|1.0 X A1|one X A1|11 X A1|99 X A1|",
    // Players.
    "1 Y A1|1 XX A1|1 0 A1|1 XO A1|1  A1|X A1|",
    // Squares.
    "1 X D1|1 X A4|1 X A0|1 X 1A|1 X AA|1 X A|1 X 1|1 X A 1|1 X A11|1 X AB1|1 X|1|1 X @1|",
    // Separators.
    "1X A1|1 XA1|1XA1|1,X,A1|1_X A1|1  X A1|1 X  A1|1\tX A1|1 X\tA1|1\x0bX\x0bA1|1\x0cX\x0cA1|1\rX\rA1|",
    "1 \t X \t A1| 1 X A1|\t1 X A1|# 1 X A1|#|",
    // What follows the square.
    "1 X A1 |1 X A1\t|1 X A1\r|1 X A1  \t |1 X A1 x|1 X A1 1|1 X A1 2 O B2|1 X A1x|1 X A1.|1 X A1 /|",
    // Comments.
    "1 X A1 # c|1 X A1 #|1 X A1\t# c|1 X A1 #c#d|1 X A1  # 2 O B2|1 X A1# c|1 X A1#|1 X A1 c # d|",
    "1 X # A1|1 # X A1|",
    // Blank lines.
    "| |\r|\t",
);

const SEVERAL_LINES: [&str; 6] = [
    "1 X A1\n2 O B2\n",
    "1 X A1\nnonsense\n",
    "1 X A1\n\n",
    "nonsense\n1 X A1\n",
    "\n1 X A1\n",
    "1 X A1 # c\n2 O B2\n",
];

/// Returns each line of [`LINES`] with a newline, then without.
pub(super) fn single_lines() -> impl Iterator<Item = Vec<u8>> {
    ["\n", ""]
        .into_iter()
        .flat_map(|end| LINES.split('|').map(move |line| format!("{line}{end}").into_bytes()))
}

pub(super) fn cases(rng: &mut Rng) -> Vec<Case> {
    let mut inputs: Vec<Vec<u8>> = vec![Vec::new()];
    inputs.extend(single_lines());
    inputs.extend(every_move().map(|line| format!("{line}\n").into_bytes()));
    inputs.extend(SEVERAL_LINES.map(|text| text.as_bytes().to_vec()));
    let ascii: Vec<u8> = (1..0x80).collect();
    inputs.extend(neighbours(b"1 X A1\n", &ascii));
    inputs.extend(neighbours(b"4 o c2 # a\n", ALPHABET));
    let lines: Vec<&str> = LINES.split('|').take(60).collect();
    for _ in 0..600 {
        inputs.push([&mutated(lines[rng.usize(..lines.len())].as_bytes(), rng)[..], b"\n"].concat());
    }
    inputs.extend(hostile());
    inputs.into_iter().map(|input| Case::new(suspects(Assignment::MoveCheck, &input)[0], input)).collect()
}

fn every_move() -> impl Iterator<Item = String> {
    (1..=9).flat_map(|number| {
        ["X", "O"].into_iter().flat_map(move |player| {
            let squares = Rules::CLASSIC.squares().iter();
            squares.map(move |square| format!("{number} {player} {}", square_name(square)))
        })
    })
}

/// Returns a square as it is written in a record, such as `A1`.
pub(super) fn square_name(square: Square) -> String {
    Rules::CLASSIC.grid().name(square).to_string()
}

/// Returns strange bytes and very long lines.
pub(super) fn hostile() -> Vec<Vec<u8>> {
    let long = |byte: u8, n: usize| vec![byte; n];
    let strange: [&[u8]; 12] = [
        b"1 X A1\0\n",
        b"\x001 X A1\n",
        b"1\0X A1\n",
        b"1 X A1 # \0 c\n",
        b"1 X A1 # \xff\xfe\n",
        "1 X A1 # é ⟂\n".as_bytes(),
        b"1 X A1\xa0\n",
        b"1\xa0X A1\n",
        b"1 X A1 \x85\n",
        b"\xef\xbb\xbf1 X A1\n",
        "1 Х A1\n".as_bytes(),
        "１ X A1\n".as_bytes(),
    ];
    let mut inputs = strange.map(<[u8]>::to_vec).to_vec();
    for n in [2_000, 70_000] {
        inputs.push([b"1 X A1 # ", &long(b'c', n)[..], b"\n"].concat());
        inputs.push([b"1 X A1", &long(b' ', n)[..], b"\n"].concat());
        inputs.push([b"1", &long(b' ', n)[..], b"X A1\n"].concat());
        inputs.push([&long(b'1', n)[..], b" X A1\n"].concat());
        inputs.push([b"1 X A1 ", &long(b'x', n)[..], b"\n"].concat());
    }
    inputs
}
