//! The standard streams of a program.

use std::io::{self, BufRead, Write};

/// The streams and the arguments of a program.
#[expect(missing_debug_implementations, reason = "it holds two streams and nothing to show")]
pub struct Console<'a> {
    /// The standard input stream.
    pub input: &'a mut dyn BufRead,
    /// The standard output stream.
    pub output: &'a mut dyn Write,
    /// The file name of the program, which `lab3` prints.
    pub program: &'a str,
    /// The arguments of the program.
    pub arguments: &'a [String],
}

impl Console<'_> {
    /// Flushes the output and reads the next line with its newline; it is empty at the end of the input.
    ///
    /// # Errors
    ///
    /// Returns an error if reading or writing fails.
    pub fn raw_line(&mut self) -> io::Result<Vec<u8>> {
        self.output.flush()?;
        let mut line = Vec::new();
        self.input.read_until(b'\n', &mut line)?;
        Ok(line)
    }

    /// Flushes the output and reads the next line without its newline; `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// Returns an error if reading or writing fails.
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

    /// Flushes the output and reads the next byte; `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// Returns an error if reading or writing fails.
    pub fn byte(&mut self) -> io::Result<Option<u8>> {
        self.output.flush()?;
        let byte = self.input.fill_buf()?.first().copied();
        if byte.is_some() {
            self.input.consume(1);
        }
        Ok(byte)
    }

    /// Returns the next byte without consuming it.
    ///
    /// # Errors
    ///
    /// Returns an error if reading or writing fails.
    pub fn peek(&mut self) -> io::Result<Option<u8>> {
        self.output.flush()?;
        Ok(self.input.fill_buf()?.first().copied())
    }
}
