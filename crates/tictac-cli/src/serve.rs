//! `tictac serve`.

mod database;
mod maintain;

use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use tictac_server::app::AppState;
use tictac_server::config::{Config, Limits};
use tictac_server::metrics::Metrics;
use tictac_server::server;
use tictac_server::service::Service;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

use self::database::Database;
use self::maintain::Maintenance;

/// Play by link: a web server for two people, the computer, and whoever watches
///
/// Starts a server with a page where two people play by sharing a link, without an account. A move is acknowledged, and shown
/// to the opponent, only after it is on disk. Everything can also be done through a documented API (/api/v1/openapi.json).
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP, args_conflicts_with_subcommands = false)]
pub(crate) struct Args {
    #[command(subcommand)]
    maintenance: Option<Maintenance>,

    /// Where to listen; port 0 takes any free one
    #[arg(long, value_name = "ADDRESS", env = "TICTAC_LISTEN", default_value = "127.0.0.1:8470")]
    listen: SocketAddr,

    /// Where games are kept: `sqlite:PATH` or `postgres://USER@HOST/NAME` [default: a file in the user's data folder]
    #[arg(long, global = true, value_name = "DATABASE", env = "TICTAC_DATABASE", hide_env_values = true)]
    database: Option<Database>,

    /// The address under which people reach the server, such as `https://play.example`
    ///
    /// Needed where the server does not listen on this machine only: links, cookies and the check of origins depend on it.
    #[arg(long, value_name = "ORIGIN", env = "TICTAC_PUBLIC_ORIGIN")]
    public_origin: Option<String>,

    /// A proxy in front tells the client's address in X-Forwarded-For
    #[arg(long, env = "TICTAC_BEHIND_PROXY")]
    behind_proxy: bool,

    /// Connections at a time [default: 20000, or as many as the system allows]
    #[arg(long, value_name = "N")]
    max_connections: Option<usize>,

    /// Sockets at a time from one address
    #[arg(long, value_name = "N", default_value_t = Limits::default().sockets_per_address)]
    sockets_per_address: u32,

    /// New games a minute from one address
    #[arg(long, value_name = "N", default_value_t = Limits::default().games_per_minute)]
    games_per_minute: u32,

    /// Requests a minute from one address
    #[arg(long, value_name = "N", default_value_t = Limits::default().requests_per_minute)]
    requests_per_minute: u32,

    /// Messages in twenty seconds on one socket
    #[arg(long, value_name = "N", default_value_t = Limits::default().messages_per_socket)]
    messages_per_socket: u32,
}

const AFTER_LONG_HELP: &str = "\
The address is printed on the first line of stdout, the log goes to stderr. SIGTERM or Ctrl-C ends in order within 5 seconds.
If the disk fails to synchronise, the server stops at once and tells nobody that a move was saved.

Exit status: 0 ended in order, or sound; 1 not sound (verify); 2 could not start, or the store failed.

Examples:
  tictac serve
  tictac serve --listen 0.0.0.0:8470 --public-origin https://play.example
  tictac serve --database postgres://tictac@db.example/tictac
  tictac serve verify
  tictac serve backup games-copy.db
  tictac serve export > games.ttt";

/// File descriptors that are not connections.
const SPARE_FILES: u64 = 64;

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let database = args.database.clone().map_or_else(Database::default_place, Ok)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = match &args.maintenance {
        Some(maintenance) => maintenance.run(&database, &runtime, out),
        None => serve(args, &database, &runtime, out),
    };
    // Threads that still think are not waited for.
    runtime.shutdown_background();
    result
}

fn serve(
    args: &Args,
    database: &Database,
    runtime: &Runtime,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false).init();
    let connections = connections(args.max_connections)?;
    runtime.block_on(async {
        let listener = TcpListener::bind(args.listen)
            .await
            .with_context(|| format!("cannot listen on {}", args.listen))?;
        let config = config(args, listener.local_addr()?, connections)?;
        let store = database.open().await?;
        // Whoever reads the address may end the server at once, so we listen for that before we say it.
        let stop = told_to_stop().context("cannot listen for signals")?;
        writeln!(out, "Play at {}\nGames are kept in {database}; Ctrl-C ends", config.public_origin)?;
        out.flush()?;
        let service = Service::new(config, store, Arc::new(Metrics::default()));
        server::serve(listener, AppState::new(service), stop).await.context("the store failed")?;
        Ok(ExitCode::SUCCESS)
    })
}

/// Listens for SIGTERM and Ctrl-C from now on; the future is ready when one of them has come.
fn told_to_stop() -> io::Result<impl Future<Output = ()>> {
    let mut terminated = signal(SignalKind::terminate())?;
    let mut interrupted = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
        }
    })
}

fn config(args: &Args, address: SocketAddr, connections: usize) -> anyhow::Result<Config> {
    let mut config = Config::local(address);
    match &args.public_origin {
        Some(origin) => config.public_origin = checked_origin(origin)?,
        None if address.ip().is_loopback() => {}
        None => bail!(
            "{address} can be reached from elsewhere: say under which --public-origin, such as https://play.example"
        ),
    }
    config.behind_proxy = args.behind_proxy;
    config.limits = Limits {
        connections,
        sockets_per_address: args.sockets_per_address,
        games_per_minute: args.games_per_minute,
        requests_per_minute: args.requests_per_minute,
        messages_per_socket: args.messages_per_socket,
        ..config.limits
    };
    Ok(config)
}

fn checked_origin(origin: &str) -> anyhow::Result<String> {
    let origin = origin.trim_end_matches('/');
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    let is_host = |host: &str| !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']);
    if host.is_some_and(is_host) {
        return Ok(origin.to_owned());
    }
    bail!("{origin:?} is not an origin: write it like https://play.example, without a path")
}

/// Returns for how many connections there are file descriptors.
fn connections(wanted: Option<usize>) -> anyhow::Result<usize> {
    let n_files =
        rlimit::increase_nofile_limit(u64::MAX).context("cannot ask for the limit of open files")?;
    let possible = usize::try_from(n_files.saturating_sub(SPARE_FILES)).unwrap_or(usize::MAX);
    match wanted {
        Some(wanted) if wanted > possible => {
            bail!("{wanted} connections need more open files than the {n_files} that the system allows")
        }
        Some(wanted) => Ok(wanted),
        None => Ok(Limits::default().connections.min(possible)),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    fn config_of(arguments: &[&str]) -> anyhow::Result<Config> {
        let command = Command::parse_from(["serve"].iter().chain(arguments));
        config(&command.args, command.args.listen, 77)
    }

    #[test]
    fn options_become_the_configuration() {
        let config = config_of(&[]).unwrap();
        assert_eq!((config.public_origin.as_str(), config.behind_proxy), ("http://127.0.0.1:8470", false));
        assert_eq!((config.limits.connections, config.limits.games_per_minute), (77, 60));
        let arguments = [
            "--listen=0.0.0.0:80",
            "--public-origin=https://play.example/",
            "--behind-proxy",
            "--sockets-per-address=1",
            "--games-per-minute=2",
            "--requests-per-minute=3",
            "--messages-per-socket=4",
        ];
        let config = config_of(&arguments).unwrap();
        assert_eq!((config.public_origin.as_str(), config.behind_proxy), ("https://play.example", true));
        let limits = &config.limits;
        assert_eq!((limits.sockets_per_address, limits.games_per_minute), (1, 2));
        assert_eq!((limits.requests_per_minute, limits.messages_per_socket), (3, 4));
        assert!(config_of(&["--listen=0.0.0.0:80"]).is_err());
    }
}
