//! The `--database` option.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, bail};
use tictac_server::store::{Postgres, PostgresOptions, Sqlite, Store};

use crate::platform::data_folder;

#[derive(Clone, Debug)]
pub(crate) enum Database {
    /// An SQLite file.
    Sqlite(PathBuf),
    /// The URL of a PostgreSQL database.
    Postgres(String),
}

impl FromStr for Database {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Database> {
        match text.split_once(':') {
            Some(("sqlite", path)) if !path.is_empty() => Ok(Database::Sqlite(path.into())),
            Some(("postgres" | "postgresql", _)) => Ok(Database::Postgres(text.to_owned())),
            _ => bail!("expected sqlite:PATH or postgres://USER@HOST/NAME"),
        }
    }
}

/// Displays the database without its password.
impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Database::Sqlite(path) => write!(f, "{}", path.display()),
            Database::Postgres(url) => {
                let place = url.rsplit('@').next().unwrap_or(url).split('?').next().unwrap_or("");
                write!(
                    f,
                    "PostgreSQL at {}",
                    place.trim_start_matches("postgresql://").trim_start_matches("postgres://")
                )
            }
        }
    }
}

impl Database {
    /// Returns the file in the user's data folder, and creates the folder if it does not exist.
    pub(crate) fn in_data_folder() -> anyhow::Result<Database> {
        let folder = data_folder().context("there is no home folder: set --database")?.join("tictac");
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(Database::Sqlite(folder.join("games.db")))
    }

    pub(crate) async fn open(&self) -> anyhow::Result<Arc<dyn Store>> {
        Ok(match self {
            Database::Sqlite(path) => Arc::new(Sqlite::open(path).with_context(|| self.to_string())?),
            Database::Postgres(url) => {
                let store = Postgres::connect(url, PostgresOptions::default()).await;
                Arc::new(store.with_context(|| self.to_string())?)
            }
        })
    }

    /// Opens the database for reading, even while a server uses it.
    pub(crate) async fn inspect(&self) -> anyhow::Result<Arc<dyn Store>> {
        match self {
            Database::Sqlite(path) => Ok(Arc::new(Sqlite::inspect(path).with_context(|| self.to_string())?)),
            Database::Postgres(_) => self.open().await,
        }
    }
}
