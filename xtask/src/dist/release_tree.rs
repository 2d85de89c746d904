//! The files of a release, and archives of them that are the same bytes whenever and wherever they are written.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{EntryType, Header};

const PROGRAM: u32 = 0o755;
const DATA: u32 = 0o644;

/// Files by their path, with `/` as separator.
#[derive(Default)]
pub(super) struct ReleaseTree {
    files: BTreeMap<String, (u32, Vec<u8>)>,
}

impl ReleaseTree {
    /// Adds a file that can be started.
    pub(super) fn add_program(&mut self, path: impl Into<String>, bytes: Vec<u8>) {
        self.files.insert(path.into(), (PROGRAM, bytes));
    }

    /// Adds any other file.
    pub(super) fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), (DATA, bytes.into()));
    }

    /// Adds a file in compressed form, with `.gz` after its name.
    pub(super) fn add_gzip(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.add(format!("{path}.gz"), gzip(bytes)?);
        Ok(())
    }

    /// Returns the paths and contents in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, (_, bytes))| (path.as_str(), bytes.as_slice()))
    }

    /// Returns a `tar.gz` of all files below the folder `top`. Everything belongs to user 0 and was changed at `time`, in
    /// seconds since 1970; the entries are sorted, each folder before its files.
    pub(super) fn tar_gz(&self, top: &str, time: u64) -> io::Result<Vec<u8>> {
        let path_of = |path: &str| format!("{top}/{path}");
        let folders: BTreeSet<String> =
            self.files.keys().flat_map(|path| folders_of(&path_of(path))).collect();
        let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
        for folder in folders {
            let mut header = header(EntryType::Directory, PROGRAM, time);
            tar.append_data(&mut header, folder, io::empty())?;
        }
        for (path, (mode, bytes)) in &self.files {
            let mut header = header(EntryType::Regular, *mode, time);
            header.set_size(bytes.len() as u64);
            tar.append_data(&mut header, path_of(path), bytes.as_slice())?;
        }
        tar.into_inner()?.finish()
    }
}

/// Returns the folders in which a path lies, outermost first, with a slash at the end.
fn folders_of(path: &str) -> Vec<String> {
    path.match_indices('/').map(|(at, _)| path[..=at].to_owned()).collect()
}

fn header(kind: EntryType, mode: u32, time: u64) -> Header {
    let mut header = Header::new_ustar();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_mtime(time);
    header.set_uid(0);
    header.set_gid(0);
    header.set_size(0);
    header
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    fn tree(paths: [&str; 3]) -> ReleaseTree {
        let mut tree = ReleaseTree::default();
        tree.add_program(paths[0], b"program".to_vec());
        tree.add(paths[1], "readme");
        tree.add(paths[2], "page");
        tree
    }

    #[test]
    fn an_archive_depends_only_on_its_files_and_their_time() {
        let archive = tree(["bin/a", "README", "share/man/a.1"]).tar_gz("top", 86_400).unwrap();
        let mut other = ReleaseTree::default();
        other.add("share/man/a.1", "page");
        other.add("README", "readme");
        other.add_program("bin/a", b"program".to_vec());
        assert_eq!(archive, other.tar_gz("top", 86_400).unwrap());
        assert_ne!(archive, other.tar_gz("top", 86_401).unwrap());
        // The time in the header of gzip.
        assert_eq!(archive[4..8], [0; 4]);
    }

    #[test]
    fn entries_are_sorted_have_folders_and_belong_to_user_0() {
        let archive = tree(["bin/a", "README", "share/man/a.1"]).tar_gz("top", 86_400).unwrap();
        let mut archive = tar::Archive::new(GzDecoder::new(archive.as_slice()));
        let mut entries = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            let header = entry.header();
            assert_eq!((header.uid().unwrap(), header.gid().unwrap()), (0, 0));
            assert_eq!(header.mtime().unwrap(), 86_400);
            let path = entry.path().unwrap().to_string_lossy().into_owned();
            entries.push((path, header.mode().unwrap(), text));
        }
        let entry = |path: &str, mode, text: &str| (path.to_owned(), mode, text.to_owned());
        assert_eq!(
            entries,
            [
                entry("top/", 0o755, ""),
                entry("top/bin/", 0o755, ""),
                entry("top/share/", 0o755, ""),
                entry("top/share/man/", 0o755, ""),
                entry("top/README", 0o644, "readme"),
                entry("top/bin/a", 0o755, "program"),
                entry("top/share/man/a.1", 0o644, "page"),
            ]
        );
    }
}
