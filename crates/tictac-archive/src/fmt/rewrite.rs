//! Formats a file in place, atomically.

use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use tictac::Rules;

use super::{FmtEvent, Formatted, reformat};
use crate::decompress::is_compressed;
use crate::platform::{has_other_links, keep_owner};

const BUFFER_SIZE: usize = 64 * 1024;

/// Whether a file that is not in canonical form is rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewrite {
    /// Rewrite the file.
    InPlace,
    /// Only report the changes.
    Never,
}

/// Formats a file in place, or only reports the changes.
///
/// A file with a fault is unchanged. The new text is written to a temporary file in the same folder, synced, and renamed over the file. The file is unchanged
/// until then, and a file in canonical form is only read. Permissions, owner and group are kept, and symbolic links are
/// followed. A compressed file is refused, and so is one with several hard links, which the rename would separate.
///
/// # Errors
///
/// Returns why the file could not be read or written, or that another program changed it; the file is unchanged then.
pub fn reformat_file(
    path: &Path,
    rules: &Rules,
    rewrite: Rewrite,
    report: impl FnMut(FmtEvent<'_>) -> io::Result<()>,
) -> io::Result<Formatted> {
    // Without this a link would be replaced by a file.
    let path = fs::canonicalize(path)?;
    let file = File::open(&path)?;
    let before = file.metadata()?;
    if !before.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    if is_compressed(File::open(&path)?)? {
        let message =
            "it is compressed: decompress it first, or read it with `tictac fmt - <` and compress the output";
        return Err(io::Error::other(message));
    }
    let input = BufReader::with_capacity(BUFFER_SIZE, file);
    if rewrite == Rewrite::Never {
        return reformat(input, rules, &mut io::sink(), report);
    }
    let mut replacement = Replacement::new(&path)?;
    let formatted = reformat(input, rules, &mut replacement, report)?;
    if formatted.would_change() {
        if has_other_links(&before) {
            let message = "it has several hard links, and only one of them would get the new text; copy it to a new file first";
            return Err(io::Error::other(message));
        }
        replacement.replace(&before)?;
    }
    Ok(formatted)
}

/// The new text of a file. A temporary file is created at the first byte that differs from the old text.
struct Replacement {
    path: PathBuf,
    original: BufReader<File>,
    n_equal: u64,
    temporary: Option<BufWriter<NamedTempFile>>,
}

impl Replacement {
    fn new(path: &Path) -> io::Result<Replacement> {
        let original = BufReader::with_capacity(BUFFER_SIZE, File::open(path)?);
        Ok(Replacement { path: path.to_owned(), original, n_equal: 0, temporary: None })
    }

    /// Returns the temporary file, which starts with the text that is equal.
    fn temporary(&mut self) -> io::Result<&mut BufWriter<NamedTempFile>> {
        if self.temporary.is_none() {
            let folder = self.path.parent().unwrap_or(Path::new("."));
            let file = tempfile::Builder::new().prefix(".tictac-fmt-").tempfile_in(folder)?;
            let mut writer = BufWriter::with_capacity(BUFFER_SIZE, file);
            let n_copied = io::copy(&mut File::open(&self.path)?.take(self.n_equal), &mut writer)?;
            if n_copied != self.n_equal {
                return Err(concurrent_change());
            }
            self.temporary = Some(writer);
        }
        Ok(self.temporary.as_mut().expect("it has just been created"))
    }

    /// Renames the new text over the old one, unless that differs from `before`.
    fn replace(mut self, before: &Metadata) -> io::Result<()> {
        // A new text that only ends earlier has no differing byte.
        self.temporary()?;
        let Some(writer) = self.temporary else { return Ok(()) };
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        keep_owner(file.as_file(), before)?;
        // After the owner: a change of the owner resets some permissions.
        file.as_file().set_permissions(before.permissions())?;
        file.as_file().sync_all()?;
        let now = fs::metadata(&self.path)?;
        if (now.len(), now.modified()?) != (before.len(), before.modified()?) {
            return Err(concurrent_change());
        }
        // Windows replaces no file that is open.
        drop(self.original);
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

fn concurrent_change() -> io::Error {
    io::Error::other("another program changed it; it was left alone")
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.temporary.is_none() {
            let mut old = Vec::with_capacity(bytes.len());
            self.original.by_ref().take(bytes.len() as u64).read_to_end(&mut old)?;
            if old == bytes {
                self.n_equal += bytes.len() as u64;
                return Ok(bytes.len());
            }
        }
        self.temporary()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.as_mut().map_or(Ok(()), Write::flush)
    }
}
