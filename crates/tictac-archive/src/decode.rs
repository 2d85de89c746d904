//! Compressed input, recognised by its first bytes and decoded on a thread of its own.

use std::error::Error;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, FrameHeaderError, ReadFrameHeaderError};
use tictac::notation::Code;

/// Bytes that are decoded before they are handed over.
const BLOCK: usize = 256 * 1024;
/// The largest window that a Zstandard frame may ask for. The decoder keeps that much, and half as much again while it
/// grows; with all else it must stay below 64 MB. What `zstd` writes up to its level 19 asks for half of it.
const MAX_WINDOW: u64 = 16 * 1024 * 1024;
/// Blocks that may wait: the decoder works ahead, but not far.
const N_BLOCKS: usize = 4;

const GZIP: [u8; 2] = [0x1F, 0x8B];
const ZSTANDARD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// Without its first byte, of which the low half is free.
const ZSTANDARD_SKIPPABLE: [u8; 3] = [0x2A, 0x4D, 0x18];

/// Returns `input`, decoded on a thread of its own if its first bytes say that it is compressed: gzip or Zstandard, in one
/// part or several.
///
/// # Errors
///
/// Returns the error of reading the first bytes. What is wrong with the compressed data comes out of the reader, after all
/// that could be decoded.
pub fn decoded(mut input: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut start = Vec::with_capacity(ZSTANDARD.len());
    input.by_ref().take(ZSTANDARD.len() as u64).read_to_end(&mut start)?;
    let is_gzip = start.starts_with(&GZIP);
    let is_zstandard = start == ZSTANDARD
        || (start.ends_with(&ZSTANDARD_SKIPPABLE) && start.first().is_some_and(|byte| byte & 0xF0 == 0x50));
    let whole = io::Cursor::new(start).chain(input);
    Ok(if is_gzip {
        Box::new(Decoded::start(|| MultiGzDecoder::new(BufReader::with_capacity(BLOCK, whole))))
    } else if is_zstandard {
        Box::new(Decoded::start(|| Zstandard { input: BufReader::with_capacity(BLOCK, whole), frame: None }))
    } else {
        Box::new(whole)
    })
}

/// What comes from the thread that decodes; an empty block is the end.
struct Decoded {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Vec<u8>,
    at: usize,
    is_over: bool,
}

impl Decoded {
    fn start<R: Read>(decoder: impl FnOnce() -> R + Send + 'static) -> Decoded {
        let (sender, blocks) = sync_channel(N_BLOCKS);
        thread::spawn(move || {
            let mut decoder = decoder();
            loop {
                let mut block = Vec::with_capacity(BLOCK);
                let result = decoder.by_ref().take(BLOCK as u64).read_to_end(&mut block);
                let is_empty = block.is_empty();
                // Where nobody listens any more, there is nothing to do.
                let goes_on = match result {
                    Ok(_) => sender.send(Ok(block)).is_ok() && !is_empty,
                    Err(error) => {
                        // What was decoded before it is good.
                        let _ =
                            (is_empty || sender.send(Ok(block)).is_ok()) && sender.send(Err(error)).is_ok();
                        false
                    }
                };
                if !goes_on {
                    return;
                }
            }
        });
        Decoded { blocks, block: Vec::new(), at: 0, is_over: false }
    }
}

impl Read for Decoded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.block.len() {
            if self.is_over {
                return Ok(0);
            }
            // Hanging up without a word is not the end: it would be taken for a shorter file.
            let block = self.blocks.recv().map_err(|_| io::Error::other("the decoder broke off"))??;
            (self.is_over, self.block, self.at) = (block.is_empty(), block, 0);
        }
        let n_read = (&self.block[self.at..]).read(buffer)?;
        self.at += n_read;
        Ok(n_read)
    }
}

/// All frames of a Zstandard file, one after the other; the crate's own decoder reads one.
struct Zstandard<R: Read> {
    input: BufReader<R>,
    frame: Option<ruzstd::decoding::FrameDecoder>,
}

impl<R: Read> Read for Zstandard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(decoder) = self.frame.take() {
                let mut frame = OpenFrame { decoder, input: &mut self.input };
                let n_read = frame.read(buffer)?;
                if n_read > 0 {
                    self.frame = Some(frame.decoder);
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
                Err(error) => return Err(refused(error)),
            }
        }
    }
}

/// Returns what is wrong with a frame whose header cannot be accepted.
fn refused(error: FrameDecoderError) -> io::Error {
    use FrameHeaderError::WindowTooBig;
    match error {
        FrameDecoderError::WindowSizeTooBig { requested: n_bytes, .. }
        | FrameDecoderError::FrameHeaderError(WindowTooBig { got: n_bytes }) => io::Error::new(
            io::ErrorKind::OutOfMemory,
            format!(
                "error[{}]: its Zstandard window of {} MB is larger than the {} MB that there is room for",
                Code::WindowTooLarge,
                n_bytes.div_ceil(1024 * 1024),
                MAX_WINDOW / (1024 * 1024)
            ),
        ),
        error => damage(&error),
    }
}

/// Returns what is wrong with compressed data, in words for people: what the decoder says is for programmers.
fn damage(error: &FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(reason) = cause {
        match reason.downcast_ref::<io::Error>().map(io::Error::kind) {
            Some(kind @ io::ErrorKind::UnexpectedEof) => {
                return io::Error::new(kind, "the compressed data breaks off");
            }
            Some(kind) => return io::Error::new(kind, reason.to_string()),
            None => cause = reason.source(),
        }
    }
    io::Error::new(io::ErrorKind::InvalidData, "the compressed data is damaged")
}

/// A frame whose header has been read.
struct OpenFrame<'a, R: Read> {
    decoder: ruzstd::decoding::FrameDecoder,
    input: &'a mut BufReader<R>,
}

impl<R: Read> OpenFrame<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use ruzstd::decoding::BlockDecodingStrategy::UptoBlocks;
        while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
            // One at a time: with more, the decoder would double its memory.
            self.decoder.decode_blocks(&mut *self.input, UptoBlocks(1)).map_err(|error| damage(&error))?;
        }
        let n_read = self.decoder.read(buffer)?;
        if n_read == 0 && !buffer.is_empty() {
            self.compare_checksums()?;
        }
        Ok(n_read)
    }

    /// The decoder calculates a checksum and reads one, and leaves it to us to compare them.
    fn compare_checksums(&self) -> io::Result<()> {
        match self.decoder.get_checksum_from_data() {
            Some(promised) if self.decoder.get_calculated_checksum() != Some(promised) => {
                Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum does not fit its content"))
            }
            _ => Ok(()),
        }
    }
}

/// Returns whether something that starts like this is compressed.
pub(crate) fn is_compressed(start: &[u8]) -> bool {
    let is_skippable = |&first: &u8| first & 0xF0 == 0x50 && start[1..].starts_with(&ZSTANDARD_SKIPPABLE);
    start.starts_with(&GZIP) || start.starts_with(&ZSTANDARD) || start.first().is_some_and(is_skippable)
}
