//! The streams of a program.

use std::io::{self, BufRead, Write};

/// Where a program reads and writes, and how it was called.
pub struct Console<'a> {
    /// Standard input.
    pub input: &'a mut dyn BufRead,
    /// Standard output.
    pub output: &'a mut dyn Write,
    /// Standard error.
    pub error: &'a mut dyn Write,
    /// The file name of the program, which lab3 prints.
    pub program: &'a str,
    /// The arguments that are the program's own.
    pub arguments: &'a [String],
}

impl Console<'_> {
    /// Returns the next line with its newline, or nothing after the last one. What was printed is flushed first.
    ///
    /// # Errors
    ///
    /// Returns what went wrong with reading or writing.
    pub fn raw_line(&mut self) -> io::Result<Vec<u8>> {
        self.output.flush()?;
        let mut line = Vec::new();
        self.input.read_until(b'\n', &mut line)?;
        Ok(line)
    }

    /// Returns the next line without its newline, or `None` after the last one. What was printed is flushed first.
    ///
    /// # Errors
    ///
    /// Returns what went wrong with reading or writing.
    pub fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = self.raw_line()?;
        if line.is_empty() {
            return Ok(None);
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        Ok(Some(line))
    }

    /// Returns the next byte, or `None` after the last one. What was printed is flushed first.
    ///
    /// # Errors
    ///
    /// Returns what went wrong with reading or writing.
    pub fn byte(&mut self) -> io::Result<Option<u8>> {
        self.output.flush()?;
        let byte = self.input.fill_buf()?.first().copied();
        if byte.is_some() {
            self.input.consume(1);
        }
        Ok(byte)
    }

    /// Returns the next byte without taking it.
    ///
    /// # Errors
    ///
    /// Returns what went wrong with reading or writing.
    pub fn peek(&mut self) -> io::Result<Option<u8>> {
        self.output.flush()?;
        Ok(self.input.fill_buf()?.first().copied())
    }
}

/// Returns whether C's `isspace` calls the byte a space.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}
