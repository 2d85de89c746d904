//! A file rewritten in canonical form: wholly, or not at all.

use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use tictac::Rules;

use super::{FmtEvent, Formatted, reformat};
use crate::decode::is_compressed;

/// What to do with a file that is not in canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewrite {
    /// Rewrite it.
    InPlace,
    /// Only tell.
    Never,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewritten {
    /// It is in canonical form already.
    Canonical,
    /// It was not in canonical form, and is now, or would be.
    Changed,
    /// Something is wrong with a game, so nothing was written.
    Bad,
}

/// Formats a file in place, or tells what would change.
///
/// The new text goes to a temporary file beside it, which takes its place when all is written and on the disk; until then
/// the file stays as it is, and a file in canonical form is only read. Permissions are kept, and a link keeps pointing to
/// the file. A compressed file is refused.
///
/// # Errors
///
/// Returns why the file could not be read or written, or that somebody else changed it meanwhile; then it is untouched.
pub fn reformat_file(
    path: &Path,
    rules: &Rules,
    rewrite: Rewrite,
    tell: impl FnMut(FmtEvent<'_>) -> io::Result<()>,
) -> io::Result<Rewritten> {
    // A link is not to be replaced by a file.
    let path = fs::canonicalize(path)?;
    let file = File::open(&path)?;
    let before = file.metadata()?;
    if !before.is_file() {
        return Err(io::Error::other("only a file can be formatted"));
    }
    if starts_compressed(&path)? {
        let advice =
            "it is compressed: decompress it first, or read it with `tictac fmt - <` and compress the output";
        return Err(io::Error::other(advice));
    }
    let input = BufReader::with_capacity(64 * 1024, file);
    if rewrite == Rewrite::Never {
        return reformat(input, rules, &mut io::sink(), tell).map(outcome);
    }
    let mut copy = Copy::new(&path)?;
    let outcome = outcome(reformat(input, rules, &mut copy, tell)?);
    if outcome == Rewritten::Changed {
        copy.replace(&before)?;
    }
    Ok(outcome)
}

const fn outcome(formatted: Formatted) -> Rewritten {
    match formatted {
        Formatted { n_bad: 1.., .. } => Rewritten::Bad,
        Formatted { n_changed: 1.., .. } => Rewritten::Changed,
        _ => Rewritten::Canonical,
    }
}

fn starts_compressed(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut start)?;
    Ok(is_compressed(&start))
}

/// The new text of a file; as long as it is the old one, nothing is written.
struct Copy {
    path: PathBuf,
    original: BufReader<File>,
    n_equal: u64,
    // From the first difference on.
    temporary: Option<BufWriter<NamedTempFile>>,
}

impl Copy {
    fn new(path: &Path) -> io::Result<Copy> {
        let original = BufReader::with_capacity(64 * 1024, File::open(path)?);
        Ok(Copy { path: path.to_owned(), original, n_equal: 0, temporary: None })
    }

    /// Returns the temporary file, with all that was equal in it.
    fn temporary(&mut self) -> io::Result<&mut BufWriter<NamedTempFile>> {
        if self.temporary.is_none() {
            let folder = self.path.parent().unwrap_or(Path::new("."));
            let file = tempfile::Builder::new().prefix(".tictac-fmt-").tempfile_in(folder)?;
            let mut writer = BufWriter::with_capacity(64 * 1024, file);
            let n_copied = io::copy(&mut File::open(&self.path)?.take(self.n_equal), &mut writer)?;
            if n_copied != self.n_equal {
                return Err(changed_meanwhile());
            }
            self.temporary = Some(writer);
        }
        Ok(self.temporary.as_mut().expect("it has just been made"))
    }

    /// Puts the new text in the place of the old one, which was like `before` when it was read.
    fn replace(mut self, before: &Metadata) -> io::Result<()> {
        // A new text that only ends earlier differs nowhere.
        self.temporary()?;
        let Some(writer) = self.temporary else { return Ok(()) };
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().set_permissions(before.permissions())?;
        file.as_file().sync_all()?;
        let now = fs::metadata(&self.path)?;
        if (now.len(), now.modified()?) != (before.len(), before.modified()?) {
            return Err(changed_meanwhile());
        }
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

fn changed_meanwhile() -> io::Error {
    io::Error::other("somebody else changed it meanwhile; it was left as it is")
}

impl Write for Copy {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.temporary.is_none() {
            let mut old = vec![0; bytes.len()];
            let n_read = read_as_much_as_there_is(&mut self.original, &mut old)?;
            if old[..n_read] == *bytes {
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

fn read_as_much_as_there_is(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut n_read = 0;
    while n_read < buffer.len() {
        match input.read(&mut buffer[n_read..]) {
            Ok(0) => break,
            Ok(n_more) => n_read += n_more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(n_read)
}
