//! The folder in which the program remembers things between runs.
//!
//! Every file is small, is replaced as a whole, and may be edited or deleted: a file that cannot be read or understood is
//! treated as if it did not exist, because nothing in it is worth stopping a game for.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, process};

use crate::history::{GameResult, PlayHistory};
use crate::kept_game;
use crate::session::GameSession;
use crate::settings::PlaySettings;

/// The folder in which the program remembers the settings, the unfinished game and the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayFolder(PathBuf);

const SETTINGS: &str = "play.conf";
const KEPT_GAME: &str = "game.conf";
const HISTORY: &str = "history.txt";

/// The maximum number of bytes read from a file; the longest history has about 500,000.
const MAX_BYTES: u64 = 1 << 20;

impl PlayFolder {
    /// Returns the folder with this path, which need not exist.
    pub fn new(path: impl Into<PathBuf>) -> PlayFolder {
        PlayFolder(path.into())
    }

    /// Returns the folder of the user below `$XDG_CONFIG_HOME` or `~/.config`, if either is known.
    pub fn of_user() -> Option<PlayFolder> {
        let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let config =
            absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")))?;
        Some(PlayFolder(config.join("tictac")))
    }

    /// Reads the settings; returns the default settings if there are none.
    pub fn settings(&self) -> PlaySettings {
        self.read(SETTINGS).map_or_else(PlaySettings::default, |text| PlaySettings::parse(&text))
    }

    /// Replaces the settings.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created or written to.
    pub fn write_settings(&self, settings: &PlaySettings) -> io::Result<()> {
        self.replace(SETTINGS, &settings.to_string())
    }

    /// Returns the unfinished game, if there is one.
    pub fn kept_game(&self) -> Option<GameSession> {
        self.read(KEPT_GAME).and_then(|text| kept_game::parse(&text))
    }

    /// Replaces the unfinished game, or removes it.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created or written to.
    pub fn keep_game(&self, text: Option<&str>) -> io::Result<()> {
        match text {
            Some(text) => self.replace(KEPT_GAME, text),
            None => fs::remove_file(self.0.join(KEPT_GAME)),
        }
    }

    /// Returns the games that were finished against the computer.
    pub fn history(&self) -> PlayHistory {
        self.read(HISTORY).map_or_else(PlayHistory::default, |text| PlayHistory::parse(&text))
    }

    /// Adds a game that has just ended to the history.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created or written to.
    pub fn add_result(&self, result: GameResult) -> io::Result<()> {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let mut history = self.history();
        history.add(GameResult { time, ..result });
        self.replace(HISTORY, &history.to_string())
    }

    fn read(&self, name: &str) -> Option<String> {
        let mut bytes = Vec::new();
        File::open(self.0.join(name)).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
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
