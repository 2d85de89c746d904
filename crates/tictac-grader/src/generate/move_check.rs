//! Cases for `move-check`. Each input determines the requirement that it tests.

use fastrand::Rng;
use tictac::{Rules, Square};

use super::mutate::{ALPHABET, mutated, neighbours};
use crate::assignment::Assignment;
use crate::case::Case;
use crate::judge::checkers::suspects;

/// Lines that many parsers get wrong.
pub(super) const LINES: &[&str] = &[
    "1 X A1",
    "2 O B2",
    "9 O C3",
    "1 x A1",
    "1 O A1",
    "1 o A1",
    "1 X a1",
    "1 x a1",
    "5 X B2",
    "1 X A2",
    "1 X A3",
    "1 X B1",
    "0 X A1",
    "10 X A1",
    "01 X A1",
    "+1 X A1",
    "-1 X A1",
    "1. X A1",
    "1.0 X A1",
    "one X A1",
    "11 X A1",
    "99 X A1",
    "1 Y A1",
    "1 XX A1",
    "1 0 A1",
    "1 XO A1",
    "1  A1",
    "X A1",
    "1 X D1",
    "1 X A4",
    "1 X A0",
    "1 X 1A",
    "1 X AA",
    "1 X A",
    "1 X 1",
    "1 X A 1",
    "1 X A11",
    "1 X AB1",
    "1 X",
    "1",
    "1 X @1",
    "1X A1",
    "1 XA1",
    "1XA1",
    "1,X,A1",
    "1_X A1",
    "1  X A1",
    "1 X  A1",
    "1\tX A1",
    "1 X\tA1",
    "1\x0bX\x0bA1",
    "1\x0cX\x0cA1",
    "1\rX\rA1",
    "1 \t X \t A1",
    " 1 X A1",
    "\t1 X A1",
    "# 1 X A1",
    "#",
    "1 X A1 ",
    "1 X A1\t",
    "1 X A1\r",
    "1 X A1  \t ",
    "1 X A1 x",
    "1 X A1 1",
    "1 X A1 2 O B2",
    "1 X A1x",
    "1 X A1.",
    "1 X A1 /",
    "1 X A1 # c",
    "1 X A1 #",
    "1 X A1\t# c",
    "1 X A1 #c#d",
    "1 X A1  # 2 O B2",
    "1 X A1# c",
    "1 X A1#",
    "1 X A1 c # d",
    "1 X # A1",
    "1 # X A1",
    "",
    " ",
    "\r",
    "\t",
];

pub(super) fn cases(rng: &mut Rng) -> Vec<Case> {
    let mut inputs: Vec<Vec<u8>> = vec![Vec::new()];
    inputs.extend(LINES.iter().map(|line| format!("{line}\n").into_bytes()));
    inputs.extend(LINES.iter().map(|line| line.as_bytes().to_vec()));
    inputs.extend(every_move().map(|line| format!("{line}\n").into_bytes()));
    inputs.extend(several_lines());
    let ascii: Vec<u8> = (1..0x80).collect();
    inputs.extend(neighbours(b"1 X A1\n", &ascii));
    inputs.extend(neighbours(b"4 o c2 # a\n", ALPHABET));
    for _ in 0..600 {
        inputs.push([&mutated(LINES[rng.usize(..60)].as_bytes(), rng)[..], b"\n"].concat());
    }
    inputs.extend(hostile(b""));
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

/// Returns inputs with more than one line.
fn several_lines() -> Vec<Vec<u8>> {
    [
        "1 X A1\n2 O B2\n",
        "1 X A1\nnonsense\n",
        "1 X A1\n\n",
        "nonsense\n1 X A1\n",
        "\n1 X A1\n",
        "1 X A1 # c\n2 O B2\n",
    ]
    .into_iter()
    .map(|text| text.as_bytes().to_vec())
    .collect()
}

/// Returns strange bytes and very long lines after these lines.
pub(super) fn hostile(before: &[u8]) -> Vec<Vec<u8>> {
    let long = |byte: u8, n: usize| vec![byte; n];
    let mut tails: Vec<Vec<u8>> = vec![
        b"1 X A1\0\n".to_vec(),
        b"\x001 X A1\n".to_vec(),
        b"1\0X A1\n".to_vec(),
        b"1 X A1 # \0 c\n".to_vec(),
        b"1 X A1 # \xff\xfe\n".to_vec(),
        "1 X A1 # é ⟂\n".into(),
        b"1 X A1\xa0\n".to_vec(),
        b"1\xa0X A1\n".to_vec(),
        b"1 X A1 \x85\n".to_vec(),
        b"\xef\xbb\xbf1 X A1\n".to_vec(),
        "1 Х A1\n".into(),
        "１ X A1\n".into(),
    ];
    for n in [2_000, 70_000] {
        tails.push([b"1 X A1 # ", &long(b'c', n)[..], b"\n"].concat());
        tails.push([b"1 X A1", &long(b' ', n)[..], b"\n"].concat());
        tails.push([b"1", &long(b' ', n)[..], b"X A1\n"].concat());
        tails.push([&long(b'1', n)[..], b" X A1\n"].concat());
        tails.push([b"1 X A1 ", &long(b'x', n)[..], b"\n"].concat());
    }
    tails.into_iter().map(|tail| [before, &tail].concat()).collect()
}
