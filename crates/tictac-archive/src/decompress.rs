//! Compressed input and byte order marks, detected by the first bytes; decompression takes place on a separate thread.

use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use flate2::bufread::GzDecoder;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, FrameHeaderError, ReadFrameHeaderError};
use tictac::notation::Code;

/// A mask of the significant bits of the first byte, and the first bytes of an input.
type Signature = (u8, &'static [u8]);

/// Reads the first bytes of `input`, no more than are needed to find out which of these signatures it starts with.
///
/// The input may be typed interactively, so plain text must be recognised by its first byte.
fn read_signature<T: Copy>(
    input: &mut impl Read,
    signatures: &[(T, Signature)],
) -> io::Result<(Option<T>, Vec<u8>)> {
    let mut start = Vec::new();
    loop {
        let matches = |&&(_, (mask, signature)): &&(T, Signature)| {
            start.iter().zip(signature).enumerate().all(|(at, (byte, expected))| {
                if at == 0 { byte & mask == *expected } else { byte == expected }
            })
        };
        let Some(&(found, (_, signature))) = signatures.iter().find(matches) else {
            return Ok((None, start));
        };
        if start.len() == signature.len() {
            return Ok((Some(found), start));
        }
        if input.by_ref().take(1).read_to_end(&mut start)? == 0 {
            return Ok((None, start));
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compression {
    Gzip,
    Zstandard,
}

const COMPRESSIONS: [(Compression, Signature); 3] = [
    (Compression::Gzip, (0xFF, &[0x1F, 0x8B])),
    (Compression::Zstandard, (0xFF, &[0x28, 0xB5, 0x2F, 0xFD])),
    // A skippable frame.
    (Compression::Zstandard, (0xF0, &[0x50, 0x2A, 0x4D, 0x18])),
];

impl Compression {
    fn decoder(self, input: impl BufRead + 'static) -> Box<dyn Read> {
        match self {
            Compression::Gzip => Box::new(GzipMembers { member: Some(GzDecoder::new(input)) }),
            Compression::Zstandard => Box::new(ZstandardFrames { input, frame: None }),
        }
    }
}

/// Returns whether `input` is compressed, after reading its first bytes.
pub(crate) fn is_compressed(mut input: impl Read) -> io::Result<bool> {
    Ok(read_signature(&mut input, &COMPRESSIONS)?.0.is_some())
}

/// Returns the text of `input`, decompressed on a separate thread if it is gzip or Zstandard with any number of frames.
///
/// # Errors
///
/// Fails if the first bytes cannot be read. The returned reader reports errors in the compressed data, after everything
/// that could be decompressed.
pub fn decompress(mut input: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let (compression, start) = read_signature(&mut input, &COMPRESSIONS)?;
    let whole = io::Cursor::new(start).chain(input);
    Ok(match compression {
        None => Box::new(whole),
        Some(compression) => Box::new(DecoderThread::spawn(move || {
            compression.decoder(BufReader::with_capacity(BLOCK_SIZE, whole))
        })),
    })
}

/// A mark at the start of a text that says how its characters are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByteOrderMark {
    Utf8,
    Utf16,
}

/// The UTF-8 byte order mark, which has no meaning and which some editors write.
pub(crate) const UTF_8_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];

const MARKS: [(ByteOrderMark, Signature); 3] = [
    (ByteOrderMark::Utf8, (0xFF, UTF_8_MARK)),
    (ByteOrderMark::Utf16, (0xFF, &[0xFF, 0xFE])),
    (ByteOrderMark::Utf16, (0xFF, &[0xFE, 0xFF])),
];

/// Returns `text` without its byte order mark.
///
/// # Errors
///
/// Fails if the first bytes cannot be read, or if the mark is that of UTF-16.
pub(crate) fn without_byte_order_mark(mut text: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    match read_signature(&mut text, &MARKS)? {
        (Some(ByteOrderMark::Utf8), _) => Ok(text),
        (Some(ByteOrderMark::Utf16), _) => {
            let message =
                format!("error[{}]: it is in UTF-16; convert it with iconv -f UTF-16 -t UTF-8", Code::Utf16);
            Err(io::Error::new(io::ErrorKind::InvalidData, message))
        }
        (None, start) => Ok(Box::new(io::Cursor::new(start).chain(text))),
    }
}

/// The number of decompressed bytes that are sent to the reader at once.
const BLOCK_SIZE: usize = 256 * 1024;
/// The number of blocks that may wait to be read.
const N_BLOCKS: usize = 4;

/// Reads the blocks that a decompressing thread sends; an empty block marks the end.
struct DecoderThread {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: io::Cursor<Vec<u8>>,
    is_over: bool,
}

impl DecoderThread {
    /// Starts the thread. The decoder is created there because it need not be `Send`.
    fn spawn(decoder: impl FnOnce() -> Box<dyn Read> + Send + 'static) -> DecoderThread {
        let (sender, blocks) = sync_channel(N_BLOCKS);
        thread::spawn(move || {
            let mut decoder = decoder();
            loop {
                let mut block = Vec::with_capacity(BLOCK_SIZE);
                let result = decoder.by_ref().take(BLOCK_SIZE as u64).read_to_end(&mut block);
                let is_last = block.is_empty() || result.is_err();
                // The bytes before an error are valid. A failed `send` means that the reader was dropped.
                let bytes = (!block.is_empty() || result.is_ok()).then_some(Ok(block));
                let sent =
                    bytes.into_iter().chain(result.err().map(Err)).try_for_each(|part| sender.send(part));
                if is_last || sent.is_err() {
                    return;
                }
            }
        });
        DecoderThread { blocks, block: io::Cursor::default(), is_over: false }
    }
}

impl Read for DecoderThread {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.is_over && self.block.fill_buf()?.is_empty() {
            // A thread that panicked must not look like the end of a shorter file.
            let block = self.blocks.recv().map_err(|_| io::Error::other("the decoder stopped"))??;
            (self.is_over, self.block) = (block.is_empty(), io::Cursor::new(block));
        }
        self.block.read(buffer)
    }
}

/// Decodes all members of a gzip file.
///
/// Zeros after the last member, with which tapes and some programs fill a block, are skipped as `gzip` does. Anything else
/// there, and also another member after zeros, is an error that follows the whole text, which `gzip` reports with status 2 after writing the text.
struct GzipMembers<R> {
    // `None` at the end of the file.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(mut member) = self.member.take() {
            let n_read = member.read(buffer).map_err(|error| gzip_error(&error))?;
            if n_read > 0 || buffer.is_empty() {
                self.member = Some(member);
                return Ok(n_read);
            }
            let mut rest = member.into_inner();
            let n_zeros = skip_zeros(&mut rest)?;
            match rest.fill_buf()? {
                [] => {}
                [0x1F, ..] if n_zeros == 0 => self.member = Some(GzDecoder::new(rest)),
                _ => return Err(io::Error::new(io::ErrorKind::InvalidData, TrailingData)),
            }
        }
        Ok(0)
    }
}

/// Skips zeros, and returns how many there were.
fn skip_zeros(input: &mut impl BufRead) -> io::Result<u64> {
    let mut n_skipped = 0;
    loop {
        let bytes = input.fill_buf()?;
        let (n_bytes, n_zeros) = (bytes.len(), bytes.iter().take_while(|&&byte| byte == 0).count());
        input.consume(n_zeros);
        n_skipped += n_zeros as u64;
        if n_zeros < n_bytes || n_bytes == 0 {
            return Ok(n_skipped);
        }
    }
}

/// Returns an error in gzip data as a sentence for users.
fn gzip_error(error: &io::Error) -> io::Error {
    let message = match error.kind() {
        io::ErrorKind::UnexpectedEof => "the compressed data is incomplete",
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => "the compressed data is damaged",
        kind => return io::Error::new(kind, error.to_string()),
    };
    io::Error::new(error.kind(), message)
}

/// The error for data after the end of a compressed file.
#[derive(Debug)]
struct TrailingData;

impl fmt::Display for TrailingData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the compressed data is followed by something else, which was ignored")
    }
}

impl Error for TrailingData {}

/// Returns whether everything before this error was read completely, so that the last game is whole.
pub(crate) fn follows_whole_text(error: &io::Error) -> bool {
    matches!(error.get_ref(), Some(reason) if reason.is::<TrailingData>())
}

/// The largest window that a Zstandard frame may demand.
///
/// The decoder keeps a window of this size in memory, and half as much again while it grows, and the whole program must stay
/// below 64 MB. `zstd` uses windows of at most half this size at levels up to 19.
const MAX_WINDOW: u64 = 16 * 1024 * 1024;

/// Decodes all frames of a Zstandard file; the decoder of `ruzstd` reads a single one.
struct ZstandardFrames<R> {
    input: R,
    frame: Option<ruzstd::decoding::FrameDecoder>,
}

impl<R: BufRead> Read for ZstandardFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(mut frame) = self.frame.take() {
                let n_read = read_frame(&mut frame, &mut self.input, buffer)?;
                if n_read > 0 {
                    self.frame = Some(frame);
                    return Ok(n_read);
                }
            }
            if self.input.fill_buf()?.is_empty() {
                return Ok(0);
            }
            match StreamingDecoder::new_with_max_window_size(&mut self.input, MAX_WINDOW) {
                Ok(streaming) => self.frame = Some(streaming.into_frame_decoder()),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    io::copy(&mut self.input.by_ref().take(u64::from(length)), &mut io::sink())?;
                }
                Err(error) => return Err(header_error(error)),
            }
        }
    }
}

/// Reads decoded bytes of a frame; returns 0 at its end.
fn read_frame(
    frame: &mut ruzstd::decoding::FrameDecoder,
    input: &mut impl Read,
    buffer: &mut [u8],
) -> io::Result<usize> {
    use ruzstd::decoding::BlockDecodingStrategy::UptoBlocks;
    while frame.can_collect() == 0 && !frame.is_finished() {
        // With more than one block at a time the decoder would double its memory.
        frame.decode_blocks(&mut *input, UptoBlocks(1)).map_err(|error| data_error(&error))?;
    }
    let n_read = frame.read(buffer)?;
    // The decoder reads and calculates a checksum but does not compare the two.
    let expected = frame.get_checksum_from_data();
    if n_read == 0 && !buffer.is_empty() && expected.is_some() && expected != frame.get_calculated_checksum()
    {
        let message = "the checksum of the compressed data is wrong";
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(n_read)
}

/// Returns the error for a frame whose header is rejected.
fn header_error(error: FrameDecoderError) -> io::Error {
    use FrameHeaderError::WindowTooBig;
    match error {
        FrameDecoderError::WindowSizeTooBig { requested: n_bytes, .. }
        | FrameDecoderError::FrameHeaderError(WindowTooBig { got: n_bytes }) => io::Error::new(
            io::ErrorKind::OutOfMemory,
            format!(
                "error[{}]: its Zstandard window of {} MB exceeds the limit of {} MB",
                Code::WindowTooLarge,
                n_bytes.div_ceil(1024 * 1024),
                MAX_WINDOW / (1024 * 1024)
            ),
        ),
        error => data_error(&error),
    }
}

/// Returns an error in compressed data as a sentence for users; the decoder's own text is for programmers.
fn data_error(error: &FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(reason) = cause {
        match reason.downcast_ref::<io::Error>().map(io::Error::kind) {
            Some(kind @ io::ErrorKind::UnexpectedEof) => {
                return io::Error::new(kind, "the compressed data is incomplete");
            }
            Some(kind) => return io::Error::new(kind, reason.to_string()),
            None => cause = reason.source(),
        }
    }
    io::Error::new(io::ErrorKind::InvalidData, "the compressed data is damaged")
}
