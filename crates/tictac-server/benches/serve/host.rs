//! The measured server, which runs as a separate process on loopback.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A server process with its own database.
pub(crate) struct Host {
    program: String,
    child: Child,
    pub(crate) address: String,
    folder: PathBuf,
}

impl Host {
    pub(crate) fn start(program: &str) -> Host {
        let folder = folder();
        let (child, address) = spawn(program, &folder);
        Host { program: program.to_owned(), child, address, folder }
    }

    /// Kills the server and restarts it with the same database.
    pub(crate) fn kill_and_restart(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        (self.child, self.address) = spawn(&self.program, &self.folder);
    }

    /// Returns the CPU time of the server.
    pub(crate) fn cpu_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        // After the name in parentheses, user and system time are the 12th and 13th field, in hundredths of a second.
        let fields = stat.rsplit(')').next().unwrap_or("").split_whitespace().skip(11).take(2);
        let ticks: u64 = fields.filter_map(|field| field.parse::<u64>().ok()).sum();
        Duration::from_millis(ticks * 10)
    }

    /// Returns the resident memory of the server in bytes.
    pub(crate) fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
        let kilobytes: u64 = line.trim().split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        kilobytes * 1_024
    }
}

/// Starts a server and returns its process and address.
fn spawn(program: &str, folder: &Path) -> (Child, String) {
    let database = format!("sqlite:{}", folder.join("games.db").display());
    let plenty = "1000000000";
    let mut child = Command::new(program)
        .args(["serve", "--listen", "127.0.0.1:0", "--database", &database])
        .args(["--games-per-minute", plenty, "--requests-per-minute", plenty])
        .args(["--messages-per-socket", plenty, "--sockets-per-address", plenty])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().rsplit('/').next().unwrap().to_owned();
    (child, address)
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Returns a new folder next to the build, because the temporary folder may be in memory.
fn folder() -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let target = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let folder = target.join(format!("bench-serve-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the median time of an fsync after writing 4 KiB.
pub(crate) fn fsync_p50() -> Duration {
    let folder = folder();
    let mut file = OpenOptions::new().create(true).append(true).open(folder.join("fsync")).unwrap();
    let mut times: Vec<Duration> = (0..200)
        .map(|_| {
            let start = Instant::now();
            file.write_all(&[7; 4_096]).unwrap();
            file.sync_data().unwrap();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let _ = std::fs::remove_dir_all(&folder);
    times[times.len() / 2]
}
