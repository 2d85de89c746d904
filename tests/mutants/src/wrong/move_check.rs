//! `move-check`: reads a line and prints the move.

use std::io;

use super::Mutant;
use super::line::{Move, parse};
use crate::{Assignment, Console};

const fn mutant(name: &'static str, blamed: &'static str, mistake: &'static str) -> Mutant {
    Mutant { name, assignment: Assignment::MoveCheck, mistake, blamed }
}

#[rustfmt::skip]
pub(super) const MUTANTS: &[Mutant] = &[
    mutant("skips-leading-spaces", "move-check/start", "Reads the number with `cin >>`, which skips leading white space."),
    mutant("accepts-a-plus-sign", "move-check/number", "Reads the number as an integer and accepts +1."),
    mutant("accepts-leading-zeros", "move-check/number", "Reads the number as an integer and accepts 01."),
    mutant("accepts-move-zero", "move-check/number", "Accepts any digit, including 0."),
    mutant("reads-only-the-first-digit", "move-check/number", "Ignores further digits of the number, so 10 counts as 1."),
    mutant("needs-no-spaces", "move-check/separators", "Reads the parts with `cin >>`, which needs no white space between them."),
    mutant("requires-exactly-one-space", "move-check/separators", "Looks for the player in the third column of the line."),
    mutant("knows-only-spaces", "move-check/separators", "Compares with ' ' and does not accept tabs."),
    mutant("forgets-form-feeds", "move-check/separators", "Accepts space, tab, newline and return, but not \\v and \\f."),
    mutant("knows-only-capital-players", "move-check/player", "Compares the player with X and O only."),
    mutant("knows-only-capital-rows", "move-check/square", "Compares the row with A, B and C only."),
    mutant("has-a-fourth-column", "move-check/square", "Writes `column <= '4'`."),
    mutant("has-a-fourth-row", "move-check/square", "Writes `row <= 'D'`."),
    mutant("allows-a-space-inside-the-square", "move-check/square", "Reads row and column with `cin >>`, one after the other."),
    mutant("ignores-what-follows-the-square", "move-check/trailing", "Stops reading after the square."),
    mutant("treats-any-last-word-as-a-comment", "move-check/trailing", "Does not check that the comment starts with #."),
    mutant("lets-a-comment-touch-the-square", "move-check/comment", "Removes everything from # on before it parses the line."),
    mutant("refuses-comments", "move-check/comment", "Does not support comments."),
    mutant("refuses-a-second-hash", "move-check/comment", "Splits the line at # and accepts at most two parts."),
    mutant("refuses-trailing-spaces", "move-check/trailing", "Accepts only a comment or the end of the line after the square."),
    mutant("keeps-lower-case", "move-check/form", "Prints the letters in the case of the input."),
    mutant("prints-the-line-unchanged", "move-check/form", "Prints the line instead of the move."),
    mutant("prints-the-column-first", "move-check/form", "Swaps the letter and the digit."),
    mutant("forgets-the-full-stop", "move-check/text", "Prints `Parse error` without the full stop."),
    mutant("prints-no-newline", "move-check/text", "Forgets the newline after the move."),
    mutant("prints-errors-to-standard-error", "move-check/text", "Prints the message with `cerr`."),
    mutant("always-exits-with-0", "move-check/status", "Always returns 0 from `main`."),
    mutant("reads-until-a-line-parses", "move-check/one-line", "Loops over the lines until one can be parsed."),
    mutant("requires-a-final-newline", "move-check/one-line", "Removes the last byte of the line, even if it is not a newline."),
    mutant("prints-nothing-for-empty-input", "move-check/empty", "Prints the message only inside `while (getline(…))`."),
    mutant("crashes-on-a-short-line", "move-check/empty", "Reads beyond the end of a short line."),
    mutant("cuts-lines-at-64-bytes", "move-check/long", "Reads with `fgets` into `char line[64]` and parses only what fits."),
    mutant("waits-forever-for-a-line", "move-check/empty", "Loops while the line is empty, even at the end of the input."),
    mutant("knows-only-the-examples", "move-check/number", "Accepts only the lines of the example in the document."),
];

/// The lines of the example in the document.
const EXAMPLES: [&str; 7] = ["1 X B2", "2 O C2", "3 X C3", "4 O A1", "5 X B3", "6 O A3", "7 X B1"];

pub(super) fn run(mistake: &str, console: &mut Console<'_>) -> io::Result<u8> {
    let mut line = console.raw_line()?;
    while mistake == "waits-forever-for-a-line" && line.trim_ascii().is_empty() {
        line = console.raw_line()?;
    }
    if mistake == "prints-nothing-for-empty-input" && line.is_empty() {
        return Ok(0);
    }
    if line.last() == Some(&b'\n') || mistake == "requires-a-final-newline" {
        line.pop();
    }
    if mistake == "crashes-on-a-short-line" && (1..5).contains(&line.len()) {
        std::process::abort();
    }
    if mistake == "cuts-lines-at-64-bytes" {
        line.truncate(63);
    }
    let mut found = parse(&line, mistake);
    while mistake == "reads-until-a-line-parses" && found.is_none() {
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
    if mistake == "prints-the-line-unchanged" {
        text = line.to_vec();
    }
    if mistake != "prints-no-newline" {
        text.push(b'\n');
    }
    console.output.write_all(&text)?;
    Ok(0)
}

fn refuse(mistake: &str, console: &mut Console<'_>) -> io::Result<u8> {
    if mistake == "prints-errors-to-standard-error" {
        writeln!(console.error, "Parse error.")?;
    } else if mistake == "forgets-the-full-stop" {
        writeln!(console.output, "Parse error")?;
    } else {
        writeln!(console.output, "Parse error.")?;
    }
    Ok(u8::from(mistake != "always-exits-with-0"))
}
