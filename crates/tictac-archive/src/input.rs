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
    /// Something in a folder that is not read, and why; that is worth a word, and no failure.
    LeftOut(PathBuf, &'static str),
}

const LINK_TO_FOLDER: &str = "links to folders are not followed";
const NOT_A_FILE: &str = "it is neither a file nor a folder";
const EMPTY: &str = "there are no files in it";

/// Returns what `paths` name, in order: `-` is standard input, a folder stands for its files, and those of the folders in
/// it, by name.
///
/// In folders, names that start with a dot are left out. Links to files are followed; links to folders are not, lest they
/// lead round in circles, and neither are pipes and devices read, which might never end: both are [`Input::LeftOut`].
pub fn inputs(paths: &[PathBuf]) -> Vec<Input> {
    let mut inputs = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            inputs.push(Input::Stdin);
        } else if path.is_dir() {
            let n_before = inputs.len();
            add_folder(path, &mut inputs);
            if inputs.len() == n_before {
                inputs.push(Input::LeftOut(path.clone(), EMPTY));
            }
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
        match fs::metadata(&path) {
            Ok(target) if target.is_file() => inputs.push(Input::File(path)),
            Ok(target) if !target.is_dir() => inputs.push(Input::LeftOut(path, NOT_A_FILE)),
            Ok(_) if is_link => inputs.push(Input::LeftOut(path, LINK_TO_FOLDER)),
            Ok(_) => add_folder(&path, inputs),
            Err(error) => inputs.push(Input::Unreadable(path, error)),
        }
    }
}

impl Input {
    /// The name for people and programs; what is not UTF-8 in it is replaced.
    pub fn name(&self) -> String {
        match self {
            Input::Stdin => "<stdin>".to_owned(),
            Input::File(path) | Input::Unreadable(path, _) | Input::LeftOut(path, _) => {
                path.to_string_lossy().into_owned()
            }
        }
    }

    /// The size of the file, if it is one that has a size.
    pub fn n_bytes(&self) -> Option<u64> {
        match self {
            Input::File(path) => fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len()),
            Input::Stdin => None,
            Input::Unreadable(..) | Input::LeftOut(..) => Some(0),
        }
    }

    /// Opens it, decoded if it is compressed.
    ///
    /// # Errors
    ///
    /// Returns why it cannot be read.
    pub fn reader(self) -> io::Result<Box<dyn Read + Send>> {
        Ok(self.open(&Arc::default())?)
    }

    /// Opens it; what is read of the file itself is added to `n_read`.
    pub(crate) fn open(self, n_read: &Arc<AtomicU64>) -> Result<Box<dyn Read + Send>, Unopened> {
        let n_read = Arc::clone(n_read);
        Ok(match self {
            Input::Stdin => decoded(Box::new(Metered { inner: io::stdin(), n_read }))?,
            Input::File(path) => decoded(Box::new(Metered { inner: File::open(path)?, n_read }))?,
            Input::Unreadable(_, error) => return Err(Unopened::Failed(error)),
            Input::LeftOut(_, reason) => return Err(Unopened::LeftOut(reason)),
        })
    }
}

/// Why there is nothing to read.
#[derive(Debug)]
pub(crate) enum Unopened {
    /// It could not be opened.
    Failed(io::Error),
    /// It was not meant to be.
    LeftOut(&'static str),
}

// For whoever does not tell the two apart.
impl From<Unopened> for io::Error {
    fn from(reason: Unopened) -> io::Error {
        match reason {
            Unopened::Failed(error) => error,
            Unopened::LeftOut(reason) => io::Error::other(reason),
        }
    }
}

impl From<io::Error> for Unopened {
    fn from(error: io::Error) -> Unopened {
        Unopened::Failed(error)
    }
}

/// Returns standard input, decoded if it is compressed.
///
/// # Errors
///
/// Returns why it cannot be read.
pub fn stdin() -> io::Result<impl Read> {
    decompressed(io::stdin())
}

/// Returns what `input` holds, decoded if it is compressed.
///
/// # Errors
///
/// Returns why it cannot be read.
pub fn decompressed(input: impl Read + Send + 'static) -> io::Result<impl Read> {
    decoded(Box::new(input))
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
