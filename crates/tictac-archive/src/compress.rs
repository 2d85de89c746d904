//! Zstandard output.

use std::io::{self, Write};

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// A writer that compresses what it is given into frames of Zstandard.
///
/// [`finish`](ZstandardWriter::finish) writes the last frame; without it the end of the text is missing.
#[derive(Debug)]
pub struct ZstandardWriter<W> {
    inner: W,
    // The text of the next frame.
    text: Vec<u8>,
}

/// The size of the text in a frame. The encoder holds it in memory, and finds repetitions only within a frame.
const FRAME_SIZE: usize = 8 * 1024 * 1024;

impl<W: Write> ZstandardWriter<W> {
    /// Returns a writer whose frames are written to `inner`.
    pub const fn new(inner: W) -> ZstandardWriter<W> {
        ZstandardWriter { inner, text: Vec::new() }
    }

    /// Writes the last frame and returns the inner writer.
    ///
    /// # Errors
    ///
    /// Returns why the inner writer failed.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_frame()?;
        Ok(self.inner)
    }

    fn write_frame(&mut self) -> io::Result<()> {
        let frame = compress_to_vec(self.text.as_slice(), CompressionLevel::Fastest);
        self.text.clear();
        self.inner.write_all(&frame)
    }
}

impl<W: Write> Write for ZstandardWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n_bytes = bytes.len().min(FRAME_SIZE - self.text.len());
        self.text.extend_from_slice(&bytes[..n_bytes]);
        if self.text.len() == FRAME_SIZE {
            self.write_frame()?;
        }
        Ok(n_bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        // A frame for every flush would compress badly; `finish` writes what is left.
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decompress;

    #[test]
    fn what_is_written_is_read_again() {
        let line = b"X.O/.X./... O move O C3\n";
        for n_lines in [0, 1, 1000, 400_000] {
            let text = line.repeat(n_lines);
            let mut writer = ZstandardWriter::new(Vec::new());
            writer.write_all(&text).unwrap();
            let compressed = writer.finish().unwrap();
            assert!(n_lines < 1000 || compressed.len() < text.len() / 10, "{}", compressed.len());
            let mut read = Vec::new();
            decompress(io::Cursor::new(compressed)).unwrap().read_to_end(&mut read).unwrap();
            assert!(read == text, "{n_lines} lines");
        }
    }
}
