//! Cases for `move-check`. Each input determines the requirement that it tests.

use fastrand::Rng;
use tictac::{Rules, Square};

use super::line_forms;
use super::mutate::{ALPHABET, mutated, neighbours};
use crate::assignment::CourseProgram;
use crate::case::Case;
use crate::judge::checkers::suspects;

const SEVERAL_LINES: [&str; 6] = [
    "1 X A1\n2 O B2\n",
    "1 X A1\nnonsense\n",
    "1 X A1\n\n",
    "nonsense\n1 X A1\n",
    "\n1 X A1\n",
    "1 X A1 # c\n2 O B2\n",
];

/// Returns lines that differ from a valid one in one part, with a newline and without.
pub(super) fn single_lines() -> impl Iterator<Item = Vec<u8>> {
    let mut lines = line_forms::with_one_form(["1", "X", "A", "1"]);
    let incomplete = ["1 X", "1", "X A1", "A1", "1 X # A1", "1 # X A1", " ", "\t", "\r", "#", "nonsense"];
    lines.extend(incomplete.map(str::to_owned));
    ["\n", ""]
        .into_iter()
        .flat_map(move |end| lines.iter().map(|line| format!("{line}{end}").into_bytes()).collect::<Vec<_>>())
}

pub(super) fn cases(rng: &mut Rng) -> Vec<Case> {
    let mut inputs: Vec<Vec<u8>> = vec![Vec::new(), b"\n".to_vec()];
    inputs.extend(single_lines());
    inputs.extend(every_move().map(|line| format!("{line}\n").into_bytes()));
    inputs.extend(SEVERAL_LINES.map(|text| text.as_bytes().to_vec()));
    let pairs = line_forms::with_two_forms();
    inputs.extend(line_forms::with_one_form(["9", "o", "c", "3"]).iter().chain(&pairs).map(with_newline));
    for code in ["1 X A1", "7 o b3"] {
        inputs.extend(line_forms::of_many_lengths(code).iter().map(with_newline));
    }
    let ascii: Vec<u8> = (1..0x80).collect();
    inputs.extend(neighbours(b"1 X A1\n", &ascii));
    inputs.extend(neighbours(b"4 o c2 # a\n", ALPHABET));
    for _ in 0..600 {
        inputs.push([&mutated(pairs[rng.usize(..pairs.len())].as_bytes(), rng)[..], b"\n"].concat());
    }
    inputs.extend(hostile());
    inputs
        .into_iter()
        .map(|input| Case::new(suspects(CourseProgram::MoveCheck.assignment(), &input)[0], input))
        .collect()
}

fn with_newline(line: &String) -> Vec<u8> {
    format!("{line}\n").into_bytes()
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
    for n in [5_000, 1_000_000] {
        inputs.push([b"1 X A1 # ", &long(b'c', n)[..], b"\n"].concat());
        inputs.push([b"1 X A1", &long(b' ', n)[..], b"\n"].concat());
        inputs.push([b"1", &long(b' ', n)[..], b"X A1\n"].concat());
        inputs.push([&long(b'1', n)[..], b" X A1\n"].concat());
        inputs.push([b"1 X A1 ", &long(b'x', n)[..], b"\n"].concat());
    }
    inputs
}
