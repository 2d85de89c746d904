//! What is to be read: files, whole folders, standard input.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::decode::decoded;

/// Something to be read.
#[derive(Debug)]
pub enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
    /// Something that was named and cannot be read, and why.
    Unreadable(PathBuf, io::Error),
}

/// Returns what `paths` name, in order: `-` is standard input, a folder stands for its files, and those of the folders in
/// it, by name.
///
/// In folders, names that start with a dot are left out, and links to folders are not followed.
pub fn inputs(paths: &[PathBuf]) -> Vec<Input> {
    let mut inputs = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            inputs.push(Input::Stdin);
        } else if path.is_dir() {
            add_folder(path, &mut inputs);
        } else {
            inputs.push(Input::File(path.clone()));
        }
    }
    inputs
}

fn add_folder(folder: &Path, inputs: &mut Vec<Input>) {
    let entries: io::Result<Vec<fs::DirEntry>> = fs::read_dir(folder).and_then(Iterator::collect);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return inputs.push(Input::Unreadable(folder.to_owned(), error)),
    };
    entries.retain(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        match path.is_dir() {
            true if is_link => {}
            true => add_folder(&path, inputs),
            false => inputs.push(Input::File(path)),
        }
    }
}

impl Input {
    /// The name for people and programs; what is not UTF-8 in it is replaced.
    pub fn name(&self) -> String {
        match self {
            Input::Stdin => "<stdin>".to_owned(),
            Input::File(path) | Input::Unreadable(path, _) => path.to_string_lossy().into_owned(),
        }
    }

    /// The size of the file, if it is one that has a size.
    pub fn n_bytes(&self) -> Option<u64> {
        match self {
            Input::File(path) => fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len()),
            Input::Stdin | Input::Unreadable(..) => None,
        }
    }

    /// Opens it; what is read of the file itself is added to `n_read`.
    pub(crate) fn open(self, n_read: &Arc<AtomicU64>) -> io::Result<Box<dyn Read + Send>> {
        let n_read = Arc::clone(n_read);
        match self {
            Input::Stdin => decoded(Box::new(Metered { inner: io::stdin(), n_read })),
            Input::File(path) => decoded(Box::new(Metered { inner: File::open(path)?, n_read })),
            Input::Unreadable(_, error) => Err(error),
        }
    }
}

/// A reader that counts.
struct Metered<R> {
    inner: R,
    n_read: Arc<AtomicU64>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.inner.read(buffer)?;
        self.n_read.fetch_add(n_bytes as u64, Ordering::Relaxed);
        Ok(n_bytes)
    }
}
