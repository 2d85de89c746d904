//! Reading a record from a file or stdin.

mod heading;

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tictac::Rules;
use tictac::notation::{Entry, IllegalEntry, Located, RecordReader, Referee};
use tictac_archive::Input;

use self::heading::Heading;
use crate::complaint::{Complaint, shown};

/// How much of a line is kept in order to show it; a line itself may have any length.
const KEPT: usize = 4096;

/// Reads a record, as far as `n_moves` where that is said, and returns its judge and its rules; `-` is stdin and `FILE#2`
/// the second game of a file. The rules are those of its tag, else `rules`.
///
/// Takes constant memory, however long the input is.
pub(crate) fn read(name: &OsStr, rules: &Rules, n_moves: Option<u32>) -> anyhow::Result<(Referee, Rules)> {
    if name == "-" {
        return of_input(from_stdin()?, ("<stdin>", 1), rules, n_moves);
    }
    let (path, number) = match name.to_str().map(split) {
        Some((file, number)) => (PathBuf::from(file), number),
        None => (PathBuf::from(name), 1),
    };
    let name = path.to_string_lossy().into_owned();
    let reader = Input::File(path).reader();
    let reader = reader.with_context(|| format!("cannot read {}", shown(name.as_bytes())))?;
    of_input(BufReader::new(reader), (&name, number), rules, n_moves)
}

/// Splits `FILE#2`, unless there is a file of that name.
fn split(name: &str) -> (&str, usize) {
    match name.rsplit_once('#') {
        Some((file, number)) if !Path::new(name).exists() => number.parse().map_or((name, 1), |n| (file, n)),
        _ => (name, 1),
    }
}

/// Standard input, decoded where its first byte looks like that: whoever types should not have to type four.
fn from_stdin() -> anyhow::Result<Box<dyn BufRead>> {
    let mut input = BufReader::new(io::stdin());
    let may_be_compressed = |byte: &u8| matches!(byte, 0x1F | 0x28 | 0x50..=0x5F);
    let first = input.fill_buf().context("cannot read <stdin>")?.first().copied();
    if first.as_ref().is_some_and(may_be_compressed) {
        let decoded = tictac_archive::decompressed(input).context("cannot read <stdin>")?;
        return Ok(Box::new(BufReader::new(decoded)));
    }
    Ok(Box::new(input))
}

fn of_input(
    mut input: impl BufRead,
    (name, number): (&str, usize),
    rules: &Rules,
    n_moves: Option<u32>,
) -> anyhow::Result<(Referee, Rules)> {
    let heading = Heading::read(&mut input, number, &shown(name.as_bytes()))?;
    let rules = heading.rules.unwrap_or(*rules);
    let reading = Reading::new(name, &rules, heading.n_lines);
    Ok((reading.follow(heading.moves(input), n_moves)?, rules))
}

/// A record, read so far.
struct Reading<'a> {
    name: &'a str,
    reader: RecordReader,
    referee: Referee,
    // The lines before the first move.
    n_before: usize,
    // The start of the line being read.
    line: Vec<u8>,
    // Blanks at the start of a line, which may turn out to end the game.
    blanks: Vec<u8>,
}

impl<'a> Reading<'a> {
    fn new(name: &'a str, rules: &Rules, n_before: usize) -> Reading<'a> {
        Reading {
            name,
            reader: RecordReader::new(rules),
            referee: Referee::new(rules),
            n_before,
            line: Vec::new(),
            blanks: Vec::new(),
        }
    }

    fn follow(mut self, mut input: impl BufRead, n_moves: Option<u32>) -> anyhow::Result<Referee> {
        while n_moves != Some(self.referee.n_accepted()) {
            let bytes = match input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                result => result.with_context(|| self.cannot_read())?,
            };
            if bytes.is_empty() {
                return self.finish(n_moves);
            }
            match self.hear(bytes, n_moves)? {
                Some(n_read) => input.consume(n_read),
                None => return self.finish(n_moves),
            }
        }
        Ok(self.referee)
    }

    /// Reads `bytes`, as far as the last move asked for, and returns how many were read; nothing after the game.
    fn hear(&mut self, bytes: &[u8], n_moves: Option<u32>) -> anyhow::Result<Option<usize>> {
        for (at, &byte) in bytes.iter().enumerate() {
            if n_moves == Some(self.referee.n_accepted()) {
                return Ok(Some(at));
            }
            let is_start = self.line.is_empty();
            if is_start && byte == b'\n' {
                return Ok(None);
            }
            if is_start && byte.is_ascii_whitespace() && self.blanks.len() < KEPT {
                self.blanks.push(byte);
                continue;
            }
            for blank in std::mem::take(&mut self.blanks) {
                self.push(blank, &bytes[at..])?;
            }
            self.push(byte, &bytes[at..])?;
        }
        Ok(Some(bytes.len()))
    }

    /// Reads a byte; `rest` begins with it, or comes after it.
    fn push(&mut self, byte: u8, rest: &[u8]) -> anyhow::Result<()> {
        let line = self.reader.line_number() + self.n_before;
        match self.reader.push(byte) {
            Ok(Some(entry)) => self.judge(entry)?,
            Ok(None) => self.keep(byte),
            Err(error) => {
                // The rest of the line is only looked at, so what has come in so far will do: whoever is typing
                // should not have to end the line in order to be told.
                rest.iter().take_while(|&&byte| byte != b'\n').for_each(|&byte| self.keep(byte));
                return Err(Complaint::syntax(self.name, &self.line, Located { line, error }).into());
            }
        }
        Ok(())
    }

    fn finish(mut self, n_moves: Option<u32>) -> anyhow::Result<Referee> {
        let line = self.reader.line_number() + self.n_before;
        match self.reader.finish() {
            Ok(Some(entry)) => self.judge(entry)?,
            Ok(None) => {}
            Err(error) => {
                return Err(Complaint::syntax(self.name, &self.line, Located { line, error }).into());
            }
        }
        let n_found = self.referee.n_accepted();
        match n_moves {
            Some(n_moves) if n_moves > n_found => {
                let moves = if n_found == 1 { "move" } else { "moves" };
                bail!("there is no move {n_moves}: {} has {n_found} {moves}", shown(self.name.as_bytes()))
            }
            _ => Ok(self.referee),
        }
    }

    fn judge(&mut self, entry: Entry) -> anyhow::Result<()> {
        // Every line of a record is a move.
        let line = self.n_before + self.referee.n_accepted() as usize + 1;
        self.referee.judge(entry).map_err(|reason| {
            Complaint::illegal(self.name, &self.line, IllegalEntry { line, entry, reason })
        })?;
        self.line.clear();
        Ok(())
    }

    fn keep(&mut self, byte: u8) {
        if self.line.len() < KEPT {
            self.line.push(byte);
        }
    }

    fn cannot_read(&self) -> String {
        format!("cannot read {}", shown(self.name.as_bytes()))
    }
}
