//! The folder in which the program remembers things between runs.
//!
//! Every file is small and may be edited or deleted: a file that cannot be read or understood is treated as if it did not
//! exist, because nothing in it is worth stopping a game for. Several runs may use the folder at the same time.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::history::{GameResult, PlayHistory};
use crate::kept_game::{self, KeptGame};
use crate::platform::config_folder;
use crate::settings::PlaySettings;

/// The folder in which the program remembers the settings, the unfinished game and the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayFolder(PathBuf);

const SETTINGS: &str = "play.conf";
const KEPT_GAME: &str = "game.conf";
const HISTORY: &str = "history.txt";
const LOCK: &str = "lock";

const NEW_HISTORY: &str = "# Games of `tictac play` against the computer; delete this file to forget them.\n";

/// The maximum number of bytes of a file; the longest history has about 1,200,000.
const MAX_BYTES: u64 = 1 << 21;

impl PlayFolder {
    /// Returns the folder with this path, which need not exist.
    pub fn new(path: impl Into<PathBuf>) -> PlayFolder {
        PlayFolder(path.into())
    }

    /// Returns the folder of the user below `$XDG_CONFIG_HOME` or `~/.config`, if either is known; on Windows, below
    /// `%APPDATA%`.
    pub fn of_user() -> Option<PlayFolder> {
        Some(PlayFolder(config_folder()?.join("tictac")))
    }

    /// Reads the settings; returns the default settings if there are none.
    pub fn settings(&self) -> PlaySettings {
        self.read(SETTINGS).map_or_else(|_| PlaySettings::default(), |text| PlaySettings::parse(&text))
    }

    /// Replaces the settings.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created or written to.
    pub fn write_settings(&self, settings: &PlaySettings) -> io::Result<()> {
        self.replace(SETTINGS, &settings.text())
    }

    /// Returns the unfinished game, if there is one.
    pub fn kept_game(&self) -> Option<KeptGame> {
        self.read(KEPT_GAME).ok().and_then(|text| kept_game::parse(&text))
    }

    /// Replaces the unfinished game.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created or written to.
    pub fn keep_game(&self, text: &str) -> io::Result<()> {
        let _lock = self.lock()?;
        self.replace(KEPT_GAME, text)
    }

    /// Removes the unfinished game if it is still the one that was kept with this text, and not that of another run.
    ///
    /// # Errors
    ///
    /// Fails if the game cannot be read or removed.
    pub fn forget_game(&self, text: &str) -> io::Result<()> {
        let _lock = self.lock()?;
        if self.read(KEPT_GAME)? == text { fs::remove_file(self.0.join(KEPT_GAME)) } else { Ok(()) }
    }

    /// Returns the games that were finished against the computer.
    pub fn history(&self) -> PlayHistory {
        self.read(HISTORY).map_or_else(|_| PlayHistory::default(), |text| PlayHistory::parse(&text))
    }

    /// Adds a game that has just ended to the history; what is in the file stays, except for games beyond the maximum.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created or written to, or if there is a history that cannot be read.
    pub fn add_result(&self, result: GameResult) -> io::Result<()> {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let result = GameResult { time, ..result };
        let _lock = self.lock()?;
        let text = match self.read(HISTORY) {
            Err(error) if error.kind() == ErrorKind::NotFound => NEW_HISTORY.to_owned(),
            text => text?,
        };
        self.replace(HISTORY, &PlayHistory::with_result(&text, &result))
    }

    /// Makes other runs wait until the returned file is closed.
    fn lock(&self) -> io::Result<File> {
        fs::create_dir_all(&self.0)?;
        let file = OpenOptions::new().read(true).append(true).create(true).open(self.0.join(LOCK))?;
        // Some network file systems have no locks; there, two runs at the same time may miss a game.
        let _ = file.lock();
        Ok(file)
    }

    fn read(&self, name: &str) -> io::Result<String> {
        let path = self.0.join(name);
        let metadata = fs::metadata(&path)?;
        // Opening a pipe would wait for its other end.
        if !metadata.is_file() || metadata.len() > MAX_BYTES {
            return Err(ErrorKind::InvalidData.into());
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Replaces a file atomically.
    fn replace(&self, name: &str, text: &str) -> io::Result<()> {
        let path: &Path = &self.0;
        fs::create_dir_all(path)?;
        let draft = path.join(format!("{name}.{}", process::id()));
        fs::write(&draft, text).and_then(|()| fs::rename(&draft, path.join(name))).inspect_err(|_| {
            // Removing the draft may fail for the same reason as writing it.
            let _ = fs::remove_file(&draft);
        })
    }
}
