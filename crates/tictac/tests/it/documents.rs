//! The test vectors of `docs/notation.md`.

use tictac::notation::{Fault, LineReader, Record};
use tictac::{Boards, Outcome, Position, Rules, Status};

const NOTATION: &str = include_str!("../../../../docs/notation.md");

/// The rows of the blocks that open with ```` ```vectors KIND ````, split at ` | `.
fn vectors(kind: &str) -> Vec<Vec<&'static str>> {
    let fence = format!("```vectors {kind}\n");
    let rows: Vec<Vec<&str>> = NOTATION
        .split(&fence)
        .skip(1)
        .flat_map(|block| block.split("```").next().unwrap().lines())
        .map(|row| row.split(" | ").collect())
        .collect();
    assert!(rows.len() > 5, "{kind} has vectors");
    rows
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let (byte, length) = match (byte, after.first()) {
            (b'\\', Some(b't')) => (b'\t', 2),
            (b'\\', Some(b'v')) => (0x0B, 2),
            (b'\\', Some(b'f')) => (0x0C, 2),
            (b'\\', Some(b'r')) => (b'\r', 2),
            (b'\\', Some(b'x')) => {
                (u8::from_str_radix(std::str::from_utf8(&after[1..3]).unwrap(), 16).unwrap(), 4)
            }
            _ => (byte, 1),
        };
        bytes.push(byte);
        rest = &rest[length..];
    }
    bytes
}

#[test]
fn lines_match_the_vectors() {
    for row in vectors("lines") {
        let [rules, line, expected] = row[..] else { panic!("{row:?}") };
        let rules: Rules = rules.parse().unwrap();
        let read = match LineReader::read(&unescape(line), &rules) {
            Ok(entry) => entry.written(&rules),
            Err(error) => format!("{} {}", error.at + 1, Fault::from(error).code),
        };
        assert_eq!(read, expected, "{row:?}");
    }
}

#[test]
fn records_match_the_vectors() {
    for row in vectors("records") {
        let [rules, text, expected] = row[..] else { panic!("{row:?}") };
        assert_eq!(judged(&rules.parse().unwrap(), &text.replace("; ", "\n")), expected, "{row:?}");
    }
}

fn judged(rules: &Rules, text: &str) -> String {
    let game = Record::parse(text.as_bytes(), rules).and_then(|record| record.game());
    match game.map(|game| game.status()) {
        Ok(Status::ToMove(player)) => format!("player {player} to move"),
        Ok(Status::Over(Outcome::Win(player))) => format!("player {player} won"),
        Ok(Status::Over(Outcome::Draw)) => "drawn".to_owned(),
        Err(error) => format!("{}:{} {}", error.line, error.at + 1, Fault::from(error.reason).code),
    }
}

#[test]
fn rules_match_the_vectors() {
    for row in vectors("rules") {
        let [text, expected] = row[..] else { panic!("{row:?}") };
        let printed = text.parse::<Rules>().map_or("refused".to_owned(), |rules| rules.to_string());
        assert_eq!(printed, expected, "{row:?}");
    }
}

#[test]
fn positions_match_the_vectors() {
    for row in vectors("positions") {
        let [rules, text, expected] = row[..] else { panic!("{row:?}") };
        let rules = rules.parse().unwrap();
        let printed = if text.contains('+') {
            Boards::parse(text, &rules).map(|boards| boards.to_string())
        } else {
            Position::parse(text, &rules).map(|position| position.to_string())
        };
        assert_eq!(printed.unwrap_or("refused".to_owned()), expected, "{row:?}");
    }
}

#[test]
fn the_tutorial_shows_the_first_example() {
    let tutorial = include_str!("../../../../docs/tutorials/rust.md");
    let example = include_str!("../../examples/first_game.rs");
    let start = example.find("fn main").unwrap();
    let end = start + example[start..].find("\n\n").unwrap();
    assert!(
        tutorial.contains(&example[start..end]),
        "docs/tutorials/rust.md should contain\n{}",
        &example[start..end]
    );
}
