//! A PostgreSQL server for one test, with its own folder and port, stopped when dropped.

use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A running PostgreSQL server.
pub(crate) struct PostgresServer {
    child: Child,
    port: u16,
    folder: PathBuf,
    programs: PathBuf,
}

impl PostgresServer {
    /// Starts a server, or prints why it cannot and returns `None`. Root installs Debian's package if it is missing.
    pub(crate) fn start() -> Option<PostgresServer> {
        match PostgresServer::try_start() {
            Ok(server) => Some(server),
            Err(reason) => {
                let _ = writeln!(std::io::stderr(), "SKIPPED, PostgreSQL was not tested: {reason}");
                None
            }
        }
    }

    fn try_start() -> Result<PostgresServer, String> {
        let programs = programs()?;
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|free| free.local_addr())
            .map_err(|error| format!("{error}"))?
            .port();
        let folder = std::env::temp_dir().join(format!("tictac-postgres-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{error}"))?;
        if is_root() {
            run(Command::new("chown").arg("nobody").arg(&folder))?;
        }
        let data = folder.join("data");
        let user = ["-U", "tictac", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"];
        run(as_nobody(&programs.join("initdb")).arg("-D").arg(&data).args(user))?;
        let child = as_nobody(&programs.join("postgres"))
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(&folder)
            .args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=60"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{error}"))?;
        let server = PostgresServer { child, port, folder, programs };
        server.wait_until_ready()?;
        Ok(server)
    }

    fn wait_until_ready(&self) -> Result<(), String> {
        let start = Instant::now();
        while start.elapsed() < Duration::from_mins(1) {
            if self.psql("postgres", "SELECT 1").is_ok() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Err("PostgreSQL did not start within a minute".to_owned())
    }

    pub(crate) fn psql(&self, database: &str, statement: &str) -> Result<(), String> {
        let port = self.port.to_string();
        let connection = ["-h", "127.0.0.1", "-p", &port, "-U", "tictac", "-d", database, "-qtAc", statement];
        run(Command::new(self.programs.join("psql")).args(connection))
    }

    /// Returns the URL of a new database.
    pub(crate) fn url(&self, database: &str) -> String {
        self.psql("postgres", &format!("CREATE DATABASE {database}")).expect("a new database");
        format!("postgres://tictac@127.0.0.1:{}/{database}", self.port)
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        // Nothing of it is needed any more. Its child processes notice and exit too.
        let _ = self.child.kill();
        let _ = self.child.wait();
        std::thread::sleep(Duration::from_millis(100));
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

/// PostgreSQL refuses to run as root.
fn as_nobody(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"]).arg(program);
    command.current_dir("/");
    command
}

fn programs() -> Result<PathBuf, String> {
    // Only one test at a time may install the package.
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _guard = INSTALLING.lock();
    if let Some(folder) = find() {
        return Ok(folder);
    }
    if !is_root() {
        return Err(
            "PostgreSQL is not installed, and only root may install Debian's package postgresql".to_owned()
        );
    }
    let options = ["-o", "DPkg::Lock::Timeout=120", "install", "-y", "--no-install-recommends", "postgresql"];
    run(Command::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive").args(options)).map_err(
        |reason| format!("PostgreSQL is not installed, and Debian's package cannot be installed: {reason}"),
    )?;
    find().ok_or_else(|| "PostgreSQL is missing even after installing Debian's package".to_owned())
}

fn find() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = versions.map(|version| version.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = debian.chain(std::env::split_paths(&path)).collect();
    folders
        .into_iter()
        .find(|folder| ["initdb", "postgres", "psql"].iter().all(|name| folder.join(name).exists()))
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{}: {}", command.get_program().display(), String::from_utf8_lossy(&output.stderr).trim()))
}
