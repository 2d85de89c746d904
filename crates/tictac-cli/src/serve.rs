//! The `tictac serve` command.

mod database;
mod health;
mod maintain;
mod platform;

use std::fs;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use tictac_server::config::{Retention, ServerConfig, ServerLimits};
use tictac_server::push::{PushConfig, PushKey};
use tictac_server::server;
use tictac_server::service::Service;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use self::database::Database;
use self::maintain::Maintenance;
use self::platform::stop_signal;
use crate::paint::{OutputStyle, Paint};
use crate::values::{MAX_TIME, ValueError, number, time};

/// Start a web server for playing by link
///
/// Two people play by sharing a link, without an account; anyone can play the computer or watch. A move is acknowledged, and
/// shown to the opponent, only after it is on disk. The server also has a documented API (/api/v1/openapi.json).
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP, args_conflicts_with_subcommands = false)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Option<ServeTask>,

    /// Address to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", env = "TICTAC_LISTEN", default_value = "127.0.0.1:8470", value_parser = parse_address)]
    listen: SocketAddr,

    /// Database for the games: `sqlite:PATH` or `postgres://USER@HOST/NAME` [default: a file in the user's data folder]
    #[arg(long, global = true, value_name = "DATABASE", env = "TICTAC_DATABASE", hide_env_values = true)]
    database: Option<Database>,

    /// URL at which clients reach the server, such as `https://play.example`
    ///
    /// Required unless the server listens only on this machine: links, cookies and origin checks depend on it.
    #[arg(long, value_name = "ORIGIN", env = "TICTAC_PUBLIC_ORIGIN")]
    public_origin: Option<String>,

    /// Take client addresses from X-Forwarded-For, as set by a proxy
    #[arg(long, env = "TICTAC_BEHIND_PROXY")]
    behind_proxy: bool,

    /// How long to keep games after their last event, such as `90days`, or `forever`
    ///
    /// Games in which no one has moved are removed after a day at most.
    #[arg(long, global = true, value_name = "TIME", env = "TICTAC_KEEP", default_value = "forever", value_parser = parse_keep)]
    keep: Retention,

    /// File with the key for messages to browsers whose page is closed; without it, there are none
    ///
    /// `tictac serve push-key FILE` makes one. The server sends such a message only to players who have asked for it.
    #[arg(long, value_name = "FILE", env = "TICTAC_PUSH_KEY")]
    push_key: Option<PathBuf>,

    /// Maximum number of connections [default: 20000, or as many as the system allows]
    #[arg(long, value_name = "N", value_parser = number(1_usize..))]
    max_connections: Option<usize>,

    /// Maximum number of WebSockets per client address [default: 200, or half of all connections]
    #[arg(long, value_name = "N", value_parser = number(1_u32..))]
    sockets_per_address: Option<u32>,

    /// Maximum number of new games per minute and client address
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().games_per_minute, value_parser = number(1_u32..))]
    games_per_minute: u32,

    /// Maximum number of requests per minute and client address
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().requests_per_minute, value_parser = number(1_u32..))]
    requests_per_minute: u32,

    /// Maximum number of messages per 20 seconds on a WebSocket
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().messages_per_socket, value_parser = number(1_u32..))]
    messages_per_socket: u32,
}

/// What to do instead of starting a server.
#[derive(clap::Subcommand)]
enum ServeTask {
    #[command(flatten)]
    Maintenance(Maintenance),
    /// Ask a running server whether it can store moves
    ///
    /// For containers and service managers. Exit status: 0 yes, 1 no.
    Health {
        /// URL of the server [default: the address in `TICTAC_LISTEN`]
        #[arg(value_name = "URL")]
        url: Option<String>,
    },
}

const AFTER_LONG_HELP: &str = "\
The first line on stdout is 'Play at' and the URL; the log goes to stderr. SIGTERM or Ctrl-C shuts down gracefully within 5 seconds. \
If the disk fails to synchronise, the server stops at once without acknowledging any further move.

Exit status: 0 stopped gracefully, or nothing is damaged; 1 damaged games (verify); 2 cannot start, or the database failed.

Examples:
  tictac serve
  tictac serve --listen 0.0.0.0:8470 --public-origin https://play.example
  tictac serve --database postgres://tictac@db.example/tictac
  tictac serve verify
  tictac serve backup games-copy.db
  tictac serve export > games.ttt
  tictac serve prune --keep 90days
  tictac serve push-key push.pem
  tictac serve health http://127.0.0.1:8470";

/// The number of file descriptors that are reserved for other uses than connections.
const SPARE_FILES: u64 = 64;

pub(crate) fn run(args: &Args, style: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    if let Some(ServeTask::Health { url }) = &args.task {
        return health::check(url.as_deref(), args.listen, out);
    }
    let database = args.database.clone().map_or_else(Database::in_data_folder, Ok)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = match &args.task {
        Some(ServeTask::Maintenance(maintenance)) => maintenance.run(&database, &args.keep, &runtime, out),
        _ => serve(args, &database, &runtime, style, out),
    };
    // Do not wait for threads on which the computer is still thinking.
    runtime.shutdown_background();
    result
}

fn serve(
    args: &Args,
    database: &Database,
    runtime: &Runtime,
    style: OutputStyle,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let is_coloured = matches!(style.error_paint, Paint::On);
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(is_coloured).with_target(false).init();
    let connections = connections(args.max_connections)?;
    runtime.block_on(async {
        // Clients are not accepted before their games can be read. Mistakes in the options are reported first.
        config(args, args.listen, connections)?;
        let store = database.open().await?;
        let listener = TcpListener::bind(args.listen)
            .await
            .with_context(|| format!("cannot listen on {}", args.listen))?;
        let config = config(args, listener.local_addr()?, connections)?;
        // A program that reads the URL may stop the server at once, so signal handlers come first.
        let stop = stop_signal().context("cannot install signal handlers")?;
        writeln!(
            out,
            "Play at {}\nGames are stored in {database}; press Ctrl-C to stop",
            config.public_origin
        )?;
        out.flush()?;
        let service = Service::new(config, store);
        server::serve(listener, service, stop).await.context("the database failed")?;
        Ok(ExitCode::SUCCESS)
    })
}

fn config(args: &Args, address: SocketAddr, connections: usize) -> anyhow::Result<ServerConfig> {
    let mut config = ServerConfig::local(address);
    match &args.public_origin {
        Some(origin) => config.public_origin = parse_origin(origin)?,
        None if address.ip().is_loopback() => {}
        None => bail!(
            "{address} is reachable from other machines: set --public-origin, such as https://play.example"
        ),
    }
    config.behind_proxy = args.behind_proxy;
    config.push = args.push_key.as_deref().map(push_config).transpose()?;
    config.keep = args.keep;
    config.limits = ServerLimits {
        connections,
        sockets_per_address: args.sockets_per_address.unwrap_or_else(|| {
            let half = u32::try_from(connections / 2).unwrap_or(u32::MAX);
            config.limits.sockets_per_address.min(half)
        }),
        games_per_minute: args.games_per_minute,
        requests_per_minute: args.requests_per_minute,
        messages_per_socket: args.messages_per_socket,
        ..config.limits
    };
    Ok(config)
}

/// Reads the key for messages to browsers.
fn push_config(path: &Path) -> anyhow::Result<PushConfig> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let key = PushKey::parse(&text).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    Ok(PushConfig { key: Arc::new(key), allow_loopback: false })
}

/// The shortest time without a unit: `--keep 90` means seconds, but the user may have meant days, and the games would be lost.
const MIN_KEEP: Duration = Duration::from_hours(1);

fn parse_keep(text: &str) -> Result<Retention, ValueError> {
    if text == "forever" {
        return Ok(Retention::FOREVER);
    }
    let time = time(Duration::from_millis(1)..=MAX_TIME)(text)?;
    if time < MIN_KEEP && text.parse::<f64>().is_ok() {
        return Err(ValueError::new("needs a unit, such as 90days"));
    }
    Ok(Retention::of(time))
}

fn parse_address(text: &str) -> Result<SocketAddr, ValueError> {
    text.parse()
        .map_err(|_| ValueError::new("must be an address and a port, such as 127.0.0.1:8470 or [::1]:8470"))
}

fn parse_origin(origin: &str) -> anyhow::Result<String> {
    let origin = origin.trim_end_matches('/');
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    let is_host = |host: &str| !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']);
    if host.is_some_and(is_host) {
        return Ok(origin.to_owned());
    }
    bail!("{origin:?} is not an origin: expected a URL without a path, such as https://play.example")
}

/// Returns the number of connections to allow, given the limit on open files.
fn connections(requested: Option<usize>) -> anyhow::Result<usize> {
    let n_files = rlimit::increase_nofile_limit(u64::MAX).context("cannot read the limit on open files")?;
    let possible = usize::try_from(n_files.saturating_sub(SPARE_FILES)).unwrap_or(usize::MAX);
    match requested {
        Some(requested) if requested > possible => {
            bail!(
                "--max-connections {requested} needs more than the {n_files} open files that the system allows"
            )
        }
        Some(requested) => Ok(requested),
        None => Ok(ServerLimits::default().connections.min(possible)),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct TestCommand {
        #[command(flatten)]
        args: Args,
    }

    fn config_of(arguments: &[&str]) -> anyhow::Result<ServerConfig> {
        let command = TestCommand::parse_from(["serve"].iter().chain(arguments));
        config(&command.args, command.args.listen, 77)
    }

    #[test]
    fn options_become_the_configuration() {
        let config = config_of(&[]).unwrap();
        assert_eq!((config.public_origin.as_str(), config.behind_proxy), ("http://127.0.0.1:8470", false));
        assert_eq!((config.limits.connections, config.limits.games_per_minute), (77, 60));
        assert_eq!(config.limits.sockets_per_address, 38);
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

    #[test]
    fn games_are_kept_forever_or_for_the_given_time() {
        let day = Duration::from_hours(24);
        for (text, played, empty) in
            [("forever", None, day), ("90days", Some(90 * day), day), ("2h", Some(day / 12), day / 12)]
        {
            assert_eq!(config_of(&["--keep", text]).unwrap().keep, Retention { played, empty });
        }
        let refused = |text| parse_keep(text).unwrap_err().to_string();
        assert_eq!(refused("0s"), "must be at least 1ms");
        assert_eq!(refused("90"), "needs a unit, such as 90days");
        assert_eq!(refused("always"), "must be a time, such as 5s, 500ms or 2min");
        assert_eq!(parse_keep("7200").unwrap().played, Some(day / 12));
    }
}
