//! Reading a record from a file or stdin.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::Path;

use anyhow::{Context, bail};
use tictac::Rules;
use tictac::notation::{Entry, Located, RecordReader, Referee, Refused};

use crate::complaint::{Complaint, shown};

/// How much of a line is kept in order to show it; a line itself may have any length.
const KEPT: usize = 4096;

/// Reads a record of `rules`, as far as `n_moves` where that is said, and returns its judge; `-` is stdin.
///
/// Takes constant memory, however long the input is.
pub(crate) fn read(path: &Path, rules: &Rules, n_moves: Option<u32>) -> anyhow::Result<Referee> {
    if path.as_os_str() == "-" {
        return Reading::new("<stdin>", rules).follow(io::stdin().lock(), n_moves);
    }
    let name = path.to_string_lossy();
    let file = File::open(path).with_context(|| format!("cannot read {}", shown(name.as_bytes())))?;
    Reading::new(&name, rules).follow(BufReader::new(file), n_moves)
}

/// A record, read so far.
struct Reading<'a> {
    name: &'a str,
    reader: RecordReader,
    referee: Referee,
    // The start of the line being read.
    line: Vec<u8>,
}

impl<'a> Reading<'a> {
    fn new(name: &'a str, rules: &Rules) -> Reading<'a> {
        Reading { name, reader: RecordReader::new(rules), referee: Referee::new(rules), line: Vec::new() }
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
            let n_read = self.hear(bytes, n_moves)?;
            input.consume(n_read);
        }
        Ok(self.referee)
    }

    /// Reads `bytes`, as far as the last move asked for, and returns how many were read.
    fn hear(&mut self, bytes: &[u8], n_moves: Option<u32>) -> anyhow::Result<usize> {
        for (at, &byte) in bytes.iter().enumerate() {
            if n_moves == Some(self.referee.n_accepted()) {
                return Ok(at);
            }
            let line = self.reader.line_number();
            match self.reader.push(byte) {
                Ok(Some(entry)) => self.judge(entry)?,
                Ok(None) => self.keep(byte),
                Err(error) => {
                    // The rest of the line is only looked at, so what has come in so far will do: whoever is typing
                    // should not have to end the line in order to be told.
                    bytes[at..].iter().take_while(|&&byte| byte != b'\n').for_each(|&byte| self.keep(byte));
                    return Err(Complaint::syntax(self.name, &self.line, Located { line, error }).into());
                }
            }
        }
        Ok(bytes.len())
    }

    fn finish(mut self, n_moves: Option<u32>) -> anyhow::Result<Referee> {
        let line = self.reader.line_number();
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
        let line = self.referee.n_accepted() as usize + 1;
        self.referee
            .judge(entry)
            .map_err(|reason| Complaint::illegal(self.name, &self.line, Refused { line, entry, reason }))?;
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
