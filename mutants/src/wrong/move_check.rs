//! `move-check`: reads a line, prints the move.

use std::io;

use super::Mutant;
use super::line::{Move, parse};
use crate::{Assignment, Console};

const fn mutant(name: &'static str, blamed: &'static str, mistake: &'static str) -> Mutant {
    Mutant { name, assignment: Assignment::MoveCheck, mistake, blamed }
}

#[rustfmt::skip]
pub(super) const MUTANTS: &[Mutant] = &[
    mutant("skips-leading-blanks", "move-check/start", "Reads the number with `cin >>`, which skips blanks before it."),
    mutant("accepts-a-plus-sign", "move-check/number", "Reads the number as an integer, so that +1 is a 1."),
    mutant("accepts-leading-zeros", "move-check/number", "Reads the number as an integer, so that 01 is a 1."),
    mutant("accepts-move-zero", "move-check/number", "Asks for a digit, and 0 is one."),
    mutant("reads-only-the-first-digit", "move-check/number", "Throws further digits of the number away, so that 10 is a 1."),
    mutant("needs-no-blanks", "move-check/separators", "Reads the parts with `cin >>`, which wants no blank between them."),
    mutant("wants-exactly-one-blank", "move-check/separators", "Looks for the player in the third column of the line."),
    mutant("knows-only-the-space", "move-check/separators", "Compares with ' ' and forgets that a tab is white space."),
    mutant("forgets-form-feeds", "move-check/separators", "Lists space, tab, newline and return, not \\v and \\f."),
    mutant("knows-only-capital-players", "move-check/player", "Compares the player with X and O only."),
    mutant("knows-only-capital-rows", "move-check/square", "Compares the row with A, B and C only."),
    mutant("has-a-fourth-column", "move-check/square", "Writes `column <= '4'`, as if columns counted from 0."),
    mutant("has-a-fourth-row", "move-check/square", "Writes `row <= 'D'`."),
    mutant("allows-a-blank-inside-the-square", "move-check/square", "Reads row and column with `cin >>`, one after the other."),
    mutant("ignores-what-follows-the-square", "move-check/trailing", "Stops reading after the square."),
    mutant("takes-any-last-word-for-a-comment", "move-check/trailing", "Does not look whether the comment starts with #."),
    mutant("lets-a-comment-touch-the-square", "move-check/comment", "Cuts the line at # before anything else."),
    mutant("refuses-comments", "move-check/comment", "Never heard of comments."),
    mutant("refuses-a-second-hash", "move-check/comment", "Splits the line at # and wants two pieces at most."),
    mutant("refuses-trailing-blanks", "move-check/trailing", "Wants the line to end after the square or with a comment."),
    mutant("keeps-lower-case", "move-check/form", "Prints the letters as they came."),
    mutant("prints-the-line-as-it-came", "move-check/form", "Prints the line instead of the move."),
    mutant("prints-the-column-first", "move-check/form", "Swaps the letter and the digit."),
    mutant("forgets-the-full-stop", "move-check/text", "Prints `Parse error` without the full stop."),
    mutant("prints-no-newline", "move-check/text", "Forgets the newline after the move."),
    mutant("complains-on-standard-error", "move-check/text", "Prints the message with `cerr`."),
    mutant("always-ends-with-0", "move-check/status", "Returns 0 from `main` whatever happened."),
    mutant("reads-on-until-a-line-parses", "move-check/one-line", "Loops over the lines until one can be parsed."),
    mutant("wants-a-final-newline", "move-check/one-line", "Drops the last byte of the line, newline or not."),
    mutant("says-nothing-to-empty-input", "move-check/empty", "Prints the message only inside `while (getline(…))`."),
    mutant("crashes-on-a-short-line", "move-check/empty", "Looks at the fifth byte of a line that has four."),
    mutant("cuts-lines-at-64-bytes", "move-check/long", "Reads with `fgets` into `char line[64]` and parses what fits, comment or not."),
    mutant("waits-for-ever-for-a-line", "move-check/empty", "Loops while the line is empty, also at the end of the input."),
    mutant("knows-only-the-examples", "move-check/number", "Answers the lines of the document, and nothing else."),
];

/// The seven lines that the document shows.
const EXAMPLES: [&str; 7] = ["1 X B2", "2 O C2", "3 X C3", "4 O A1", "5 X B3", "6 O A3", "7 X B1"];

pub(super) fn run(mistake: &str, console: &mut Console<'_>) -> io::Result<u8> {
    let mut line = console.raw_line()?;
    while mistake == "waits-for-ever-for-a-line" && line.trim_ascii().is_empty() {
        line = console.raw_line()?;
    }
    if mistake == "says-nothing-to-empty-input" && line.is_empty() {
        return Ok(0);
    }
    if line.last() == Some(&b'\n') || mistake == "wants-a-final-newline" {
        line.pop();
    }
    if mistake == "crashes-on-a-short-line" && (1..5).contains(&line.len()) {
        std::process::abort();
    }
    if mistake == "cuts-lines-at-64-bytes" {
        line.truncate(63);
    }
    let mut found = parse(&line, mistake);
    while mistake == "reads-on-until-a-line-parses" && found.is_none() {
        let Some(next) = console.line()? else { break };
        found = parse(&next, mistake);
    }
    if mistake == "knows-only-the-examples" {
        found = found.filter(|_| EXAMPLES.iter().any(|example| line.starts_with(example.as_bytes())));
    }
    match found {
        Some(mv) => print(mv, &line, mistake, console),
        None => refuse(mistake, console),
    }
}

fn print(mv: Move, line: &[u8], mistake: &str, console: &mut Console<'_>) -> io::Result<u8> {
    let Move { number, player, row, column } = mv;
    let mut text = vec![number, b' ', player, b' ', row, column];
    if mistake == "prints-the-column-first" {
        text.swap(4, 5);
    }
    if mistake == "prints-the-line-as-it-came" {
        text = line.to_vec();
    }
    if mistake != "prints-no-newline" {
        text.push(b'\n');
    }
    console.output.write_all(&text)?;
    Ok(0)
}

fn refuse(mistake: &str, console: &mut Console<'_>) -> io::Result<u8> {
    if mistake == "complains-on-standard-error" {
        writeln!(console.error, "Parse error.")?;
    } else if mistake == "forgets-the-full-stop" {
        writeln!(console.output, "Parse error")?;
    } else {
        writeln!(console.output, "Parse error.")?;
    }
    Ok(u8::from(mistake != "always-ends-with-0"))
}
