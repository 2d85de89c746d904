//! Remembers the results of submissions until their files, the settings or the grader change.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::config::Config;
use crate::report::Report;
use crate::settings::GradeSettings;

/// Results on disk, one file per version of a submission.
#[derive(Clone, Debug)]
pub struct ResultCache {
    folder: PathBuf,
    /// What a result depends on besides the submission.
    circumstances: String,
}

impl ResultCache {
    /// Returns the results in a folder, which is created when the first one is stored. `grader` is the path of the running
    /// program: another version of it does not use the results of this one.
    pub fn new(folder: PathBuf, grader: &Path, config: &Config) -> ResultCache {
        let version = fs::metadata(grader).map(|file| (file.len(), file.modified().ok()));
        // Neither the number of threads nor what students see changes a result.
        let settings = GradeSettings { n_threads: 1, stop: Arc::default(), ..config.settings.clone() };
        let Config { assignments, build, .. } = config;
        let version = (env!("CARGO_PKG_VERSION"), version.ok());
        ResultCache { folder, circumstances: format!("{version:?} {assignments:?} {build:?} {settings:?}") }
    }

    /// Returns the key of a submission in its present state. Two submissions with the same files have the same key. The
    /// folder `.git` does not count.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read.
    pub fn key(&self, submission: &Path) -> io::Result<String> {
        let mut hash = Sha256::new();
        add_part(&mut hash, self.circumstances.as_bytes());
        add_folder(&mut hash, submission)?;
        Ok(hex(hash))
    }

    /// Returns the reports that were stored under a key. A file that cannot be read is the same as none.
    pub fn load(&self, key: &str) -> Option<Vec<Report>> {
        serde_json::from_slice(&fs::read(self.path(key)).ok()?).ok()
    }

    /// Stores the reports of a submission under a key.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn store(&self, key: &str, reports: &[Report]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        // Another process may read the file at the same time, so it appears only when it is complete.
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(&serde_json::to_vec(reports)?)?;
        file.persist(self.path(key))?;
        Ok(())
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}

/// Returns a digest of the names, permissions and contents of all files in a folder.
pub(crate) fn folder_digest(folder: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    add_folder(&mut hash, folder)?;
    Ok(hex(hash))
}

fn hex(hash: Sha256) -> String {
    let digits = |byte: &u8| [byte / 16, byte % 16].map(|digit| char::from_digit(digit.into(), 16));
    hash.finalize().iter().flat_map(digits).flatten().collect()
}

/// Adds bytes with their length, so that different parts never look the same together.
fn add_part(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// Adds the names, permissions and contents of all files in a folder. Symbolic links are not followed.
fn add_folder(hash: &mut Sha256, folder: &Path) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    hash.update((entries.len() as u64).to_le_bytes());
    for entry in entries {
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        if name == ".git" {
            continue;
        }
        add_part(hash, name.as_bytes());
        if kind.is_dir() {
            add_part(hash, b"folder");
            add_folder(hash, &entry.path())?;
        } else if kind.is_symlink() {
            add_part(hash, b"link");
            add_part(hash, fs::read_link(entry.path())?.as_os_str().as_bytes());
        } else if kind.is_file() {
            add_file(hash, &entry.path())?;
        }
    }
    Ok(())
}

fn add_file(hash: &mut Sha256, path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    hash.update((file.metadata()?.permissions().mode() & 0o111).to_le_bytes());
    let mut own = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            n => own.update(&buffer[..n]),
        }
    }
    hash.update(own.finalize());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(folder: &Path, config: &Config) -> ResultCache {
        ResultCache::new(folder.join("cache"), Path::new("/bin/sh"), config)
    }

    #[test]
    fn the_key_changes_with_names_contents_permissions_and_settings_only() {
        let folder = tempfile::tempdir().unwrap();
        let submission = folder.path().join("ada");
        fs::create_dir_all(submission.join("src")).unwrap();
        fs::write(submission.join("src/main.c"), "int main;").unwrap();
        let config = Config::default();
        let key = || cache(folder.path(), &config).key(&submission).unwrap();
        let mut keys = vec![key()];
        let expect_change = |keys: &mut Vec<String>, what: &str| {
            let now = key();
            assert!(!keys.contains(&now), "{what}");
            keys.push(now);
        };
        fs::write(submission.join("src/main.c"), "int main:").unwrap();
        expect_change(&mut keys, "contents");
        fs::rename(submission.join("src/main.c"), submission.join("src/Main.c")).unwrap();
        expect_change(&mut keys, "a name");
        fs::set_permissions(submission.join("src/Main.c"), fs::Permissions::from_mode(0o755)).unwrap();
        expect_change(&mut keys, "permissions");
        fs::rename(submission.join("src/Main.c"), submission.join("Main.c")).unwrap();
        expect_change(&mut keys, "a place");
        fs::create_dir(submission.join(".hidden")).unwrap();
        expect_change(&mut keys, "a folder");
        let last = key();
        let copy = folder.path().join("ben");
        fs::rename(&submission, &copy).unwrap();
        let key_with = |config: &Config| cache(folder.path(), config).key(&copy).unwrap();
        assert_eq!(key_with(&config), last, "the name of the submission does not count");
        let mut other = config.clone();
        other.settings.n_threads += 1;
        assert_eq!(key_with(&other), last, "the number of threads does not count");
        other.settings.seed += 1;
        assert_ne!(key_with(&other), last);
        let built = Config { build: Some("make".to_owned()), ..config.clone() };
        assert_ne!(key_with(&built), last);
    }

    #[test]
    fn the_history_of_a_repository_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), &Config::default());
        fs::create_dir(folder.path().join(".git")).unwrap();
        let key = cache.key(folder.path()).unwrap();
        fs::write(folder.path().join(".git/HEAD"), "main").unwrap();
        assert_eq!(cache.key(folder.path()).unwrap(), key);
    }

    #[test]
    fn a_damaged_file_is_the_same_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), &Config::default());
        assert!(cache.load("key").is_none());
        cache.store("key", &[]).unwrap();
        assert!(cache.load("key").is_some_and(|reports| reports.is_empty()));
        fs::write(cache.path("key"), "[{").unwrap();
        assert!(cache.load("key").is_none());
    }
}
