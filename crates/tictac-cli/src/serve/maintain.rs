//! The maintenance commands: `tictac serve verify`, `backup`, `export`, `prune` and `push-key`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::SystemTime;

use anyhow::{Context, bail};
use tictac_server::config::Retention;
use tictac_server::push::PushKey;
use tictac_server::store::Sqlite;
use tictac_server::{export, prune, verify};
use tokio::runtime::Runtime;

use super::database::Database;
use crate::platform::create_private;

/// Operations on all stored games.
#[derive(clap::Subcommand)]
pub(crate) enum Maintenance {
    /// Check every stored game for missing or changed events and illegal moves
    Verify,
    /// Copy the database to a new file while the server runs
    Backup {
        /// New file; an existing file is never overwritten
        #[arg(value_name = "FILE")]
        to: PathBuf,
    },
    /// Write all games to stdout as records that `tictac check` accepts
    Export,
    /// Remove the games that are older than --keep, and those of more than a day in which no one has moved
    ///
    /// A running server does so every hour.
    Prune,
    /// Make a key for --push-key, with which the server can send messages to browsers
    PushKey {
        /// New file; an existing file is never overwritten
        #[arg(value_name = "FILE")]
        to: PathBuf,
    },
}

impl Maintenance {
    pub(super) fn run(
        &self,
        database: &Database,
        keep: &Retention,
        runtime: &Runtime,
        out: &mut impl Write,
    ) -> anyhow::Result<ExitCode> {
        match self {
            Maintenance::Verify => verify(database, runtime, out),
            Maintenance::Backup { to } => {
                let Database::Sqlite(from) = database else {
                    bail!("back up a PostgreSQL database with its own tools, such as pg_dump")
                };
                if to.exists() {
                    bail!("cannot copy {database}: {} already exists", to.display());
                }
                Sqlite::back_up(from, to).with_context(|| format!("cannot copy {database}"))?;
                writeln!(out, "copied to {}", to.display())?;
                Ok(ExitCode::SUCCESS)
            }
            Maintenance::PushKey { to } => {
                let key = PushKey::generate().map_err(anyhow::Error::msg)?;
                let file = create_private(to);
                let mut file = file.with_context(|| format!("cannot create {}", to.display()))?;
                file.write_all(key.as_bytes())?;
                writeln!(out, "wrote {}; start the server with --push-key {0}", to.display())?;
                Ok(ExitCode::SUCCESS)
            }
            Maintenance::Export => runtime.block_on(async {
                let store = database.inspect().await?;
                export::export(store.as_ref(), out).await?;
                Ok(ExitCode::SUCCESS)
            }),
            Maintenance::Prune => runtime.block_on(async {
                let store =
                    database.open().await.context("a running server removes games by itself, every hour")?;
                let n_games = prune::prune(store.as_ref(), keep, SystemTime::now(), |_| true).await?;
                writeln!(out, "removed {n_games} games")?;
                Ok(ExitCode::SUCCESS)
            }),
        }
    }
}

fn verify(database: &Database, runtime: &Runtime, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let report = runtime.block_on(async {
        let store = database.inspect().await?;
        verify::verify(store.as_ref()).await.context("cannot read the database")
    })?;
    for fault in &report.faults {
        writeln!(out, "{fault}")?;
    }
    let verdict = if report.faults.is_empty() { "no damage" } else { "DAMAGED" };
    let tournaments = match report.tournaments {
        0 => String::new(),
        1 => "1 tournament, ".to_owned(),
        n => format!("{n} tournaments, "),
    };
    writeln!(out, "{} games, {tournaments}{} events: {verdict}", report.games, report.events)?;
    Ok(if report.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_never_overwrites_a_file() {
        let existing = std::env::current_exe().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let backup = Maintenance::Backup { to: existing.clone() };
        let error = backup
            .run(&Database::Sqlite("games.db".into()), &Retention::FOREVER, &runtime, &mut Vec::new())
            .unwrap_err();
        let expected = format!("cannot copy games.db: {} already exists", existing.display());
        assert_eq!(format!("{error:#}"), expected);
    }
}
