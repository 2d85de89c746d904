//! Inputs: files, folders and standard input.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::decompress::{decompress, without_byte_order_mark};

/// An input to be read.
#[derive(Debug)]
pub enum Input {
    /// The standard input stream.
    Stdin,
    /// A file by its path.
    File(PathBuf),
    /// A file or folder that cannot be read, and why.
    Unreadable(PathBuf, io::Error),
}

/// Returns the inputs that `paths` name, in order: `-` is standard input, a folder stands for the files in it and below,
/// sorted by name. Calls `skip` with every entry that is skipped, and why; that is not a failure.
///
/// In folders, names that start with a dot are ignored. Links to files are followed. Links to folders are skipped because
/// they may form a cycle, and so are pipes and devices, which may never end.
pub fn inputs(paths: &[PathBuf], mut skip: impl FnMut(&Path, &str)) -> Vec<Input> {
    let mut inputs = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            inputs.push(Input::Stdin);
        } else if path.is_dir() {
            let mut is_empty = true;
            add_folder(path, &mut |entry| {
                is_empty = false;
                match entry {
                    Ok(input) => inputs.push(input),
                    Err((path, reason)) => skip(&path, reason),
                }
            });
            if is_empty {
                skip(path, "it contains no files");
            }
        } else {
            inputs.push(Input::File(path.clone()));
        }
    }
    inputs
}

/// Calls `add` with every input in a folder and below, or with a path that is skipped and why.
fn add_folder(folder: &Path, add: &mut dyn FnMut(Result<Input, (PathBuf, &'static str)>)) {
    let entries: io::Result<Vec<fs::DirEntry>> = fs::read_dir(folder).and_then(Iterator::collect);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return add(Ok(Input::Unreadable(folder.to_owned(), error))),
    };
    entries.retain(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        match fs::metadata(&path) {
            Ok(target) if target.is_file() => add(Ok(Input::File(path))),
            Ok(target) if !target.is_dir() => add(Err((path, "it is neither a file nor a folder"))),
            Ok(_) if is_link => add(Err((path, "links to folders are not followed"))),
            Ok(_) => add_folder(&path, add),
            Err(error) => add(Ok(Input::Unreadable(path, error))),
        }
    }
}

impl Input {
    /// Returns the name for messages and reports, in which invalid UTF-8 is replaced.
    pub fn name(&self) -> String {
        match self {
            Input::Stdin => "<stdin>".to_owned(),
            Input::File(path) | Input::Unreadable(path, _) => path.to_string_lossy().into_owned(),
        }
    }

    /// Returns the size of the file, or `None` if it is not known.
    pub fn n_bytes(&self) -> Option<u64> {
        match self {
            Input::File(path) => fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len()),
            Input::Stdin => None,
            Input::Unreadable(..) => Some(0),
        }
    }

    /// Opens the input, decompresses it if necessary, and skips a UTF-8 byte order mark.
    ///
    /// # Errors
    ///
    /// Returns why the input cannot be read.
    pub fn reader(self) -> io::Result<Box<dyn Read + Send>> {
        without_byte_order_mark(self.raw_reader()?)
    }

    /// Opens the input like [`reader`](Input::reader), but keeps a byte order mark.
    ///
    /// # Errors
    ///
    /// Returns why the input cannot be read.
    pub fn raw_reader(self) -> io::Result<Box<dyn Read + Send>> {
        self.open(&ReadMeter::default())
    }

    /// Opens the input and decompresses it if necessary; `meter` counts the bytes that are read from it.
    pub(crate) fn open(self, meter: &ReadMeter) -> io::Result<Box<dyn Read + Send>> {
        let meter = meter.clone();
        match self {
            Input::Stdin => decompress(MeteredReader { inner: io::stdin(), meter, has_ended: false }),
            Input::File(path) => {
                decompress(MeteredReader { inner: File::open(path)?, meter, has_ended: false })
            }
            Input::Unreadable(_, error) => Err(error),
        }
    }
}

/// Counts the bytes read so far; other threads may read the count at any time.
#[derive(Clone, Debug, Default)]
pub struct ReadMeter {
    n_read: Arc<AtomicU64>,
}

impl ReadMeter {
    /// Returns the number of bytes read from the files themselves, before decompression.
    pub fn n_read(&self) -> u64 {
        self.n_read.load(Ordering::Relaxed)
    }
}

struct MeteredReader<R> {
    inner: R,
    meter: ReadMeter,
    // A terminal can be read again after Ctrl-D, so every further reader would wait for one more Ctrl-D.
    has_ended: bool,
}

impl<R: Read> Read for MeteredReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.has_ended {
            return Ok(0);
        }
        let n_bytes = self.inner.read(buffer)?;
        self.has_ended = n_bytes == 0 && !buffer.is_empty();
        self.meter.n_read.fetch_add(n_bytes as u64, Ordering::Relaxed);
        Ok(n_bytes)
    }
}

/// Returns the text of an error for use in a message, such as `no such file`, without `(os error 2)`.
pub fn io_reason(error: &(dyn Error + 'static)) -> String {
    let text = without_numbers(error.to_string());
    match error.downcast_ref::<io::Error>() {
        Some(error) if error.raw_os_error().is_none() => text,
        None => text,
        Some(error) if error.kind() == io::ErrorKind::NotFound => "no such file".to_owned(),
        Some(_) => {
            let first = text.chars().next().map(|c| c.to_ascii_lowercase());
            first.into_iter().chain(text.chars().skip(1)).collect()
        }
    }
}

/// Removes every ` (os error 2)` from a message.
fn without_numbers(mut text: String) -> String {
    const START: &str = " (os error ";
    while let Some(start) = text.find(START) {
        let n_digits = text[start + START.len()..].bytes().take_while(u8::is_ascii_digit).count();
        let end = start + START.len() + n_digits;
        if n_digits == 0 || !text[end..].starts_with(')') {
            break;
        }
        text.replace_range(start..=end, "");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_numbers_of_errors_are_removed() {
        assert_eq!(without_numbers("a (os error 2), b (os error 13)".to_owned()), "a, b");
        assert_eq!(without_numbers(" (os error ) (os error 2)".to_owned()), " (os error ) (os error 2)");
    }
}
