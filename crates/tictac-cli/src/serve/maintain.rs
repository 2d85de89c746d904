//! `tictac serve verify | backup | export`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use tictac_server::store::Sqlite;
use tictac_server::verify;
use tokio::runtime::Runtime;

use super::database::Database;

/// What can be done with stored games, also while a server runs.
#[derive(clap::Subcommand)]
pub(crate) enum Maintenance {
    /// Read every stored event: no gap, an unbroken hash chain, only legal moves
    Verify,
    /// Copy the games to a new file while the server runs
    Backup {
        /// The new file; an existing one is never touched
        #[arg(value_name = "FILE")]
        to: PathBuf,
    },
    /// Write all games as records that `tictac check` accepts
    Export,
}

impl Maintenance {
    pub(super) fn run(
        &self,
        database: &Database,
        runtime: &Runtime,
        out: &mut impl Write,
    ) -> anyhow::Result<ExitCode> {
        match self {
            Maintenance::Verify => verify(database, runtime, out),
            Maintenance::Backup { to } => {
                let Database::Sqlite(from) = database else {
                    bail!("games in PostgreSQL are backed up by its own tools, such as pg_dump --table=event")
                };
                if to.exists() {
                    bail!("cannot copy {database}: {} exists already", to.display());
                }
                Sqlite::back_up(from, to).with_context(|| format!("cannot copy {database}"))?;
                writeln!(out, "copied to {}", to.display())?;
                Ok(ExitCode::SUCCESS)
            }
            Maintenance::Export => runtime.block_on(async {
                let store = database.inspect().await?;
                verify::export(store.as_ref(), out).await?;
                Ok(ExitCode::SUCCESS)
            }),
        }
    }
}

fn verify(database: &Database, runtime: &Runtime, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let verified = runtime.block_on(async {
        let store = database.inspect().await?;
        verify::verify(store.as_ref()).await.context("cannot read the log")
    })?;
    for fault in &verified.faults {
        writeln!(out, "{fault}")?;
    }
    let verdict = if verified.faults.is_empty() { "all sound" } else { "NOT SOUND" };
    writeln!(out, "{} games, {} events: {verdict}", verified.games, verified.events)?;
    Ok(if verified.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_never_replaces_a_file_and_says_only_that() {
        let there = std::env::current_exe().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let backup = Maintenance::Backup { to: there.clone() };
        let error = backup.run(&Database::Sqlite("games.db".into()), &runtime, &mut Vec::new()).unwrap_err();
        let expected = format!("cannot copy games.db: {} exists already", there.display());
        assert_eq!(format!("{error:#}"), expected);
    }
}
