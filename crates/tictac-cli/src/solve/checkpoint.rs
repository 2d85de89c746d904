//! The file of `--checkpoint`: what a search has proved, saved from time to time.
//!
//! A line that names the format, a line of JSON, the tables in binary, and a SHA-256 sum of all that.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, IntoInnerError, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tictac::State;
use tictac_solver::{DamagedTables, KnownAnswers, Question, Search, SearchTables};

use super::limits::SolveLimits;
use super::record::SavedAnswers;
use crate::diagnostic::escape;
use crate::output_file::cannot_write;
use crate::{exit, platform};

/// The first line of the file.
const FIRST_LINE: &str = "tictac checkpoint\n";
/// The longest line of JSON that is read.
const MAX_LINE: u64 = 1 << 16;
/// How long to wait for another process that uses the file.
const LOCK_TIME: Duration = Duration::from_secs(3);
/// Saves take at most one part in this number of the running time.
const SAVE_SHARE: u32 = 20;

/// A file in which a search is saved, so that another process can continue it.
pub(super) struct Checkpoint {
    path: PathBuf,
    interval: Duration,
    /// The search that the file is for, and what earlier runs have found.
    start: CheckpointHead,
    /// The rest of the file of an earlier run, until it is loaded.
    saved: Option<Summed<BufReader<File>>>,
    /// The file that was read or saved last; its lock keeps other processes away.
    locked: Mutex<Option<File>>,
}

/// The second line of the file.
#[derive(Clone, Serialize, Deserialize)]
struct CheckpointHead {
    version: String,
    format: u32,
    rules: String,
    position: String,
    question: String,
    #[serde(flatten)]
    runs: RunTotals,
    answers: SavedAnswers,
}

/// The effort of all runs of a search, without what each did after it was last saved.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct RunTotals {
    pub(super) runs: u32,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
}

impl Checkpoint {
    /// Opens the file of a search, or makes sure that it can be created.
    pub(super) fn open(
        path: &Path,
        interval: Duration,
        state: &State,
        question: Question,
    ) -> anyhow::Result<Checkpoint> {
        platform::survive_large_files()?;
        // A link stays a link: the file that it points to is replaced.
        let path = link_target(path);
        let head = CheckpointHead::new(state, question);
        let opened = open_locked(&path).map_err(|error| about(&path, &error))?;
        check_new_file(&path, opened.is_none())?;
        let Some(file) = opened else {
            return Ok(Checkpoint { path, interval, start: head, saved: None, locked: Mutex::default() });
        };
        let read = || {
            let mut saved = Summed { inner: BufReader::new(file.try_clone()?), sum: Sha256::new() };
            Ok((read_head(&mut saved, &head)?, saved))
        };
        let (start, saved) = read().map_err(|error| about(&path, &error))?;
        Ok(Checkpoint { path, interval, start, saved: Some(saved), locked: Mutex::new(Some(file)) })
    }

    /// Loads what earlier runs have proved into `tables`, and returns their answers.
    pub(super) fn load(&mut self, tables: &SearchTables) -> anyhow::Result<KnownAnswers> {
        match self.saved.take() {
            Some(saved) => read_tables(saved, tables).map_err(|error| about(&self.path, &error))?,
            None => self.create(tables)?,
        }
        Ok((&self.start.answers).into())
    }

    /// Saves for the first time, unless another process was quicker.
    fn create(&self, tables: &SearchTables) -> anyhow::Result<()> {
        let _lock = FolderLock::of(&self.path);
        ensure!(!self.path.exists(), "{} is in use by another process", shown(&self.path));
        self.save(tables, &KnownAnswers::default(), self.start.runs)
    }

    /// Does `work` and saves from time to time what the search has found.
    pub(super) fn save_during<T>(
        &self,
        search: &Search,
        limits: &SolveLimits,
        progress: Option<&ProgressBar>,
        work: impl FnOnce() -> T,
    ) -> T {
        let (end, ended) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || self.save_regularly(search, limits, progress, &ended));
            let done = work();
            drop(end);
            done
        })
    }

    fn save_regularly(
        &self,
        search: &Search,
        limits: &SolveLimits,
        progress: Option<&ProgressBar>,
        ended: &Receiver<()>,
    ) {
        let Some(tables) = search.tables() else { return };
        let mut pause = self.interval;
        while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(pause) {
            let start = Instant::now();
            let totals = self.totals(search.meter().nodes(), limits.elapsed());
            if let Err(error) = self.save(tables, &search.record().known(), totals) {
                // The search goes on: a later save may succeed, and the last complete one is still there.
                let report = || writeln!(io::stderr(), "tictac: {}; trying again", exit::message(&error));
                let _ = progress.map_or_else(report, |progress| progress.suspend(report));
            }
            pause = self.interval.max(start.elapsed() * SAVE_SHARE);
        }
    }

    /// Returns the effort of this run and all before.
    pub(super) fn totals(&self, nodes: u64, elapsed: Duration) -> RunTotals {
        let before = self.start.runs;
        RunTotals {
            runs: before.runs.saturating_add(1),
            nodes: before.nodes.saturating_add(nodes),
            seconds: before.seconds + elapsed.as_secs_f64(),
        }
    }

    /// Replaces the file.
    pub(super) fn save(
        &self,
        tables: &SearchTables,
        answers: &KnownAnswers,
        runs: RunTotals,
    ) -> anyhow::Result<()> {
        let head = CheckpointHead { runs, answers: answers.into(), ..self.start.clone() };
        let file = write_file(&self.path, &head, tables).with_context(|| cannot_write(&self.path))?;
        *self.locked.lock().unwrap_or_else(PoisonError::into_inner) = Some(file);
        Ok(())
    }
}

impl CheckpointHead {
    fn new(state: &State, question: Question) -> CheckpointHead {
        CheckpointHead {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            format: SearchTables::FORMAT,
            rules: state.rules().to_string(),
            position: state.to_string(),
            question: if question == Question::Weak { "weak" } else { "strong" }.to_owned(),
            runs: RunTotals::default(),
            answers: SavedAnswers::default(),
        }
    }

    /// Returns this head if it belongs to the same search as `expected`.
    fn checked(self, expected: &CheckpointHead) -> anyhow::Result<CheckpointHead> {
        let search = |head: &CheckpointHead| {
            let weak = if head.question == "weak" { " --weak" } else { "" };
            format!("solve{weak} --rules '{}' '{}'", head.rules, head.position)
        };
        ensure!(
            (&self.version, self.format) == (&expected.version, expected.format),
            "is a checkpoint of version {} (form {}), and this is version {} (form {}); use another file",
            escape(self.version),
            self.format,
            expected.version,
            expected.format
        );
        ensure!(
            search(&self) == search(expected),
            "is a checkpoint of \"{}\", not of \"{}\"; use another file",
            escape(search(&self)),
            search(expected)
        );
        ensure!(self.answers.is_possible() && self.runs.seconds >= 0.0, "is damaged: impossible answers");
        Ok(self)
    }
}

/// Reads the first two lines of a file, which must belong to the search of `expected`.
fn read_head(
    input: &mut Summed<BufReader<File>>,
    expected: &CheckpointHead,
) -> anyhow::Result<CheckpointHead> {
    let mut line = Vec::new();
    input.by_ref().take(FIRST_LINE.len() as u64).read_to_end(&mut line)?;
    ensure!(line == FIRST_LINE.as_bytes(), "is not a checkpoint of tictac solve");
    line.clear();
    (&mut input.inner).take(MAX_LINE).read_until(b'\n', &mut line)?;
    input.sum.update(&line);
    let head: CheckpointHead =
        serde_json::from_slice(&line).map_err(|_| anyhow!("is damaged: its second line is not readable"))?;
    head.checked(expected)
}

/// Reads the rest of a file.
fn read_tables(mut input: Summed<BufReader<File>>, tables: &SearchTables) -> anyhow::Result<()> {
    let read = &mut |bytes: &mut [u8]| match input.read_exact(bytes) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => bail!("is damaged: its end is missing"),
        done => Ok(done?),
    };
    tables.load(read).map_err(|error| {
        let is_damaged = error.is::<DamagedTables>();
        if is_damaged { anyhow!("is damaged: it holds an impossible entry") } else { error }
    })?;
    let sum = input.sum.finalize();
    let mut rest = Vec::new();
    input.inner.take(sum.len() as u64 + 1).read_to_end(&mut rest)?;
    ensure!(rest == sum.as_slice(), "is damaged: its checksum is wrong");
    Ok(())
}

/// Writes a file beside `path` and moves it there when it is on the disk; returns the file, which is locked.
fn write_file(path: &Path, head: &CheckpointHead, tables: &SearchTables) -> anyhow::Result<File> {
    let new = NewFile(beside(path));
    let file = create_new(&new.0)?;
    // Not every file system has locks, and no other process knows this file yet.
    let _ = file.try_lock();
    let mut out = Summed { inner: BufWriter::with_capacity(1 << 16, file), sum: Sha256::new() };
    out.write_all(FIRST_LINE.as_bytes())?;
    serde_json::to_writer(&mut out, head)?;
    out.write_all(b"\n")?;
    tables.save(&mut |bytes| out.write_all(bytes))?;
    let Summed { mut inner, sum } = out;
    inner.write_all(&sum.finalize())?;
    let file = inner.into_inner().map_err(IntoInnerError::into_error)?;
    file.sync_all()?;
    fs::rename(&new.0, path)?;
    sync_folder(path)?;
    Ok(file)
}

/// A file that is removed when dropped, unless it was renamed.
struct NewFile(PathBuf);

impl Drop for NewFile {
    fn drop(&mut self) {
        // After a rename there is none.
        let _ = fs::remove_file(&self.0);
    }
}

/// Returns the path of the file that is written before it replaces the one at `path`.
pub(super) fn beside(path: &Path) -> PathBuf {
    let mut new = path.to_owned().into_os_string();
    new.push(".new");
    new.into()
}

/// Creates a file. One that a killed process has left is removed and not reused: it could be a link to another file.
fn create_new(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => File::create_new(path),
    }
}

/// Makes sure that a file can be written beside `path`, before a long computation instead of after it, and that none is lost by that.
fn check_new_file(path: &Path, is_new: bool) -> anyhow::Result<()> {
    let _lock = FolderLock::of(path);
    ensure!(!is_new || !path.exists(), "{} is in use by another process", shown(path));
    let new = beside(path);
    let mut start = Vec::new();
    if let Ok(file) = File::open(&new) {
        file.take(FIRST_LINE.len() as u64).read_to_end(&mut start)?;
    }
    // A process that was killed may have left the beginning of a checkpoint.
    let is_ours = FIRST_LINE.as_bytes().starts_with(&start);
    ensure!(is_ours, "{} would be replaced, and is not a checkpoint; move it away", shown(&new));
    create_new(&new).map(|_| drop(NewFile(new))).with_context(|| cannot_write(path))
}

/// A lock on a folder, where a folder can be opened as a file: before there is a file to lock, processes that want to create it lock its folder.
struct FolderLock {
    _folder: Option<File>,
}

impl FolderLock {
    fn of(path: &Path) -> FolderLock {
        let folder = File::open(folder_of(path)).ok();
        FolderLock { _folder: folder.filter(|folder| folder.lock().is_ok()) }
    }
}

/// Makes sure that the new name of a file survives a power cut, where a folder can be opened as a file.
fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(folder_of(path)).map_or(Ok(()), |folder| folder.sync_all())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the file that a link points to, or the path itself.
fn link_target(path: &Path) -> PathBuf {
    let target = || Some(folder_of(path).join(fs::read_link(path).ok()?));
    fs::canonicalize(path)
        .ok()
        .filter(|_| path.is_symlink())
        .or_else(target)
        .unwrap_or_else(|| path.to_owned())
}

/// Opens a file that no other process uses, or returns `None` if there is none.
///
/// A process that was just killed may need a moment until its lock is gone.
fn open_locked(path: &Path) -> anyhow::Result<Option<File>> {
    let deadline = Instant::now() + LOCK_TIME;
    loop {
        let is_special = |metadata: fs::Metadata| !metadata.is_file() && !metadata.is_dir();
        ensure!(!fs::metadata(path).is_ok_and(is_special), "is not a regular file");
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => bail!("cannot be read: {}", exit::io_reason(&error)),
        };
        let is_in_use = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        // The other process may have replaced the file before it was locked here.
        if !is_in_use && is_at(&file, path)? {
            return Ok(Some(file));
        }
        ensure!(Instant::now() < deadline, "is in use by another process");
        thread::sleep(LOCK_TIME / 50);
    }
}

/// Returns whether the file at `path` is this one, and not another that has replaced it.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let identity = |metadata: fs::Metadata| io::Result::Ok((metadata.modified()?, metadata.len()));
    Ok(identity(file.metadata()?)? == identity(fs::metadata(path)?)?)
}

/// Returns an error about the file as one sentence: the messages of this module start with "is".
fn about(path: &Path, error: &anyhow::Error) -> anyhow::Error {
    anyhow!("{} {}", shown(path), exit::message(error))
}

fn shown(path: &Path) -> String {
    escape(path)
}

/// A reader or writer that keeps a sum of all bytes.
struct Summed<T> {
    inner: T,
    sum: Sha256,
}

impl<R: Read> Read for Summed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.inner.read(buffer)?;
        self.sum.update(&buffer[..n_read]);
        Ok(n_read)
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n_written = self.inner.write(bytes)?;
        self.sum.update(&bytes[..n_written]);
        Ok(n_written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
