//! Files that a command writes when its work is done, opened before the work begins.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use tictac_archive::ZstandardWriter;

use crate::diagnostic::escape;

/// A file that is open for writing but keeps its content until [`OutputFile::write`].
///
/// Opening it early reports a wrong path before a long computation instead of after it. If nothing is written in the end, an
/// existing file is unchanged and a new one is removed.
pub(crate) struct OutputFile {
    path: PathBuf,
    file: File,
    is_unused: bool,
}

impl OutputFile {
    /// Opens the file at `path`, or creates it.
    pub(crate) fn open(path: &Path) -> anyhow::Result<OutputFile> {
        let created = OpenOptions::new().write(true).create_new(true).open(path);
        let is_unused = created.is_ok();
        let file = created.or_else(|error| match error.kind() {
            // Not truncated yet: the work may fail. Created if `path` is a link to a file that does not exist.
            ErrorKind::AlreadyExists => {
                OpenOptions::new().write(true).create(true).truncate(false).open(path)
            }
            _ => Err(error),
        });
        let file = file.map_err(|error| match missing_folder(path) {
            Some(folder) if error.kind() == ErrorKind::NotFound => {
                anyhow!("{}: there is no folder {}", cannot_write(path), escape(folder))
            }
            _ => anyhow::Error::from(error).context(cannot_write(path)),
        })?;
        Ok(OutputFile { path: path.to_owned(), file, is_unused })
    }

    /// Replaces the content of the file with what `content` writes, compressed if the name of the file ends in `.zst`.
    pub(crate) fn write(
        mut self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        self.is_unused = false;
        let replace = || {
            // A device or a pipe has no length.
            if self.file.metadata()?.is_file() {
                self.file.set_len(0)?;
            }
            let mut out = BufWriter::new(&mut self.file);
            if self.path.extension().is_some_and(|extension| extension == "zst") {
                let mut compressed = ZstandardWriter::new(&mut out);
                content(&mut compressed)?;
                compressed.finish()?;
            } else {
                content(&mut out)?;
            }
            out.flush()
        };
        replace().with_context(|| cannot_write(&self.path))
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if self.is_unused {
            // The command has failed already, and reports that.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Creates the folder at `path` if necessary, and makes sure that files can be created in it.
pub(crate) fn open_folder(path: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot create {}", escape(path)))?;
    tempfile::tempfile_in(path).map(drop).with_context(|| cannot_write(path))
}

/// Returns the folder of a file if it does not exist.
fn missing_folder(path: &Path) -> Option<&Path> {
    path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists())
}

/// Returns the beginning of the message about a file that cannot be written.
pub(crate) fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", escape(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_changes_only_when_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        drop(OutputFile::open(&path).unwrap());
        assert!(!path.exists());
        let write = |text: &[u8]| OutputFile::open(&path).unwrap().write(|out| out.write_all(text)).unwrap();
        write(b"long content");
        drop(OutputFile::open(&path).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"long content");
        write(b"short");
        assert_eq!(fs::read(&path).unwrap(), b"short");
    }

    #[test]
    fn a_link_to_a_missing_file_creates_it() {
        let folder = tempfile::tempdir().unwrap();
        let (link, target) = (folder.path().join("link"), folder.path().join("target"));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        OutputFile::open(&link).unwrap().write(|out| out.write_all(b"text")).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"text");
    }

    #[test]
    fn a_device_can_be_written() {
        OutputFile::open(Path::new("/dev/null")).unwrap().write(|out| out.write_all(b"text")).unwrap();
        assert!(Path::new("/dev/null").exists());
    }
}
