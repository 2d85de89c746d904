//! What stands before the moves of a game: other games, blank lines, tags.

use std::io::{self, BufRead, Cursor, Read};

use anyhow::{Context, bail};
use tictac::Rules;
use tictac_archive::{Options, check_text};

/// How much of the line of a tag is read, in bytes; longer ones are refused elsewhere.
const MAX_TAG: u64 = 4096;

/// The way to a game of an archive.
pub(super) struct Heading {
    /// The rules that a tag says, if one does.
    pub(super) rules: Option<Rules>,
    /// How many lines stand before the first move.
    pub(super) n_lines: usize,
    // The start of the first line that is not blank.
    start: Vec<u8>,
}

impl Heading {
    /// Reads up to the moves of the game with this number, from 1.
    pub(super) fn read(input: &mut impl BufRead, number: usize, name: &str) -> anyhow::Result<Heading> {
        let mut heading = Heading { rules: None, n_lines: 0, start: Vec::new() };
        let mut n_games = 0;
        let cannot_read = || format!("cannot read {name}");
        loop {
            let has_more = heading.skip_blank_lines(input).with_context(cannot_read)?;
            n_games += usize::from(has_more);
            if !has_more && (number != 1 || n_games > 0) {
                let games = if n_games == 1 { "game" } else { "games" };
                bail!("there is no game {number}: {name} has {n_games} {games}");
            }
            if n_games == number || !has_more {
                heading.read_tags(input)?;
                return Ok(heading);
            }
            heading.skip_game(input).with_context(cannot_read)?;
        }
    }

    /// Returns the input with what was read of the first move given back.
    pub(super) fn moves<R: BufRead>(self, input: R) -> impl BufRead {
        Cursor::new(self.start).chain(input)
    }

    /// Leaves the start of a line that is not blank in `start`; returns whether there is one.
    fn skip_blank_lines(&mut self, input: &mut impl BufRead) -> io::Result<bool> {
        if !self.start.is_empty() {
            return Ok(true);
        }
        while let Some(byte) = next_byte(input)? {
            self.start.push(byte);
            if byte == b'\n' {
                self.n_lines += 1;
                self.start.clear();
            } else if !byte.is_ascii_whitespace() {
                return Ok(true);
            } else if self.start.len() > MAX_TAG as usize {
                self.start.pop();
            }
        }
        self.start.clear();
        Ok(false)
    }

    fn skip_game(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        loop {
            input.skip_until(b'\n')?;
            self.n_lines += 1;
            self.start.clear();
            match next_byte(input)? {
                None | Some(b'\n') => {
                    self.n_lines += 1;
                    return Ok(());
                }
                Some(byte) if byte.is_ascii_whitespace() => {
                    let n_lines = self.n_lines;
                    // The first line that is not blank may be the next one of the same game.
                    if !self.skip_blank_lines(input)? || self.n_lines > n_lines {
                        return Ok(());
                    }
                }
                Some(_) => {}
            }
        }
    }

    fn read_tags(&mut self, input: &mut impl BufRead) -> anyhow::Result<()> {
        while self.start == b"[" {
            let mut line = std::mem::take(&mut self.start);
            input.by_ref().take(MAX_TAG).read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                input.skip_until(b'\n')?;
            }
            self.n_lines += 1;
            if line.starts_with(b"[Rules") {
                self.rules = Some(rules_of(&line)?);
            }
            self.start.extend(next_byte(input)?);
        }
        Ok(())
    }
}

fn rules_of(line: &[u8]) -> anyhow::Result<Rules> {
    let (reports, _) = check_text(line, &Options::default());
    let report = reports.first().context("expected a tag such as [Rules \"4,4,4\"]")?;
    if let Some(fault) = report.faults.first() {
        bail!("the tag Rules: {}", fault.fault.message);
    }
    let tag = report.tags.iter().find(|tag| tag.name == "Rules");
    Ok(tag.context("expected a tag such as [Rules \"4,4,4\"]")?.value.parse()?)
}

fn next_byte(input: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
            Ok(bytes) => {
                let byte = bytes.first().copied();
                input.consume(usize::from(byte.is_some()));
                return Ok(byte);
            }
        }
    }
}
