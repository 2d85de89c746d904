//! Formats a file in place, atomically.

use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, BufWriter};
use std::path::Path;

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
    let formatted = reformat(BufReader::with_capacity(BUFFER_SIZE, file), rules, &mut io::sink(), report)?;
    if rewrite == Rewrite::InPlace && formatted.would_change() {
        if has_other_links(&before) {
            let message = "it has several hard links, and only one of them would get the new text; copy it to a new file first";
            return Err(io::Error::other(message));
        }
        replace(&path, rules, &before)?;
    }
    Ok(formatted)
}

/// Formats the file a second time, into a temporary file, and renames that over it, unless the file differs from `before`.
fn replace(path: &Path, rules: &Rules, before: &Metadata) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let file = tempfile::Builder::new().prefix(".tictac-fmt-").tempfile_in(folder)?;
    let mut writer = BufWriter::with_capacity(BUFFER_SIZE, file);
    let input = BufReader::with_capacity(BUFFER_SIZE, File::open(path)?);
    let formatted = reformat(input, rules, &mut writer, |_| Ok(()))?;
    let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    keep_owner(file.as_file(), before)?;
    // After the owner: a change of the owner resets some permissions.
    file.as_file().set_permissions(before.permissions())?;
    file.as_file().sync_all()?;
    let now = fs::metadata(path)?;
    if !formatted.would_change() || (now.len(), now.modified()?) != (before.len(), before.modified()?) {
        return Err(io::Error::other("another program changed it; it was left alone"));
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
