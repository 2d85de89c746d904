//! What depends on the operating system: links and owners of files.

use std::fs::{File, Metadata};
use std::io;
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, fchown};

/// Returns whether the file has other names, which a rename would separate from it.
#[cfg(unix)]
pub(crate) fn has_other_links(file: &Metadata) -> bool {
    file.nlink() > 1
}

/// Returns `false`: the standard library cannot count the names of a file here.
#[cfg(not(unix))]
pub(crate) fn has_other_links(_: &Metadata) -> bool {
    false
}

/// Gives `file` the owner and the group of the file that it replaces.
#[cfg(unix)]
pub(crate) fn keep_owner(file: &File, before: &Metadata) -> io::Result<()> {
    let now = file.metadata()?;
    if (now.uid(), now.gid()) == (before.uid(), before.gid()) {
        return Ok(());
    }
    fchown(file, Some(before.uid()), Some(before.gid()))
        .map_err(|_| io::Error::other("its owner and group cannot be kept; it was left alone"))
}

/// Does nothing: a new file gets its owner and access rights from the user and the folder.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
pub(crate) fn keep_owner(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}
