//! `cargo xtask soak container`: builds the image of `deploy/Containerfile`, and plays on a server that runs in it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::Value;

use super::free_port;
use super::site::Site;
use crate::cargo::{empty_folder, is_installed, output, printed, root, target_directory};
use crate::dist::licences;
use crate::static_build::{self, Quality};

const IMAGE: &str = "localhost/tictac";
/// How long the server may take to start in its container.
const START: Duration = Duration::from_mins(1);
/// What a container of this image needs: nothing but its volume.
const RIGHTS: [&str; 4] = ["--read-only", "--cap-drop=all", "--security-opt", "no-new-privileges"];

/// Builds and tests the image with podman, in the first way that works on this machine.
pub(crate) fn build_and_test(quality: Quality, out: &mut impl Write) -> anyhow::Result<()> {
    if !is_installed("podman") {
        writeln!(out, "container: SKIPPED, because podman is missing: apt-get install podman buildah")?;
        return Ok(());
    }
    let context = build_context(quality)?;
    let mut reasons = Vec::new();
    for way in [Way::Default, Way::Nested] {
        let container = Container { way, port: free_port()?, storage: target_directory()?.join("container") };
        match container.test(&context) {
            Ok(size) => {
                writeln!(
                    out,
                    "container: {IMAGE} ({size} MB) serves games as user 65532 without any capability, {}",
                    way.description()
                )?;
                return Ok(());
            }
            Err(TestError::CannotRun(reason)) => {
                reasons.push(format!("{}: {reason}", way.description()));
            }
            Err(TestError::Fault(error)) => return Err(error),
        }
    }
    writeln!(
        out,
        "container: SKIPPED the test, because podman starts no container here:\n  {}",
        reasons.join("\n  ")
    )?;
    Ok(())
}

/// Copies what the image needs into a folder that is laid out like the archive of a release.
fn build_context(quality: Quality) -> anyhow::Result<PathBuf> {
    let programs = static_build::build(quality)?;
    let context = empty_folder("container-context")?;
    for folder in ["bin", "deploy/data"] {
        fs::create_dir_all(context.join(folder))?;
    }
    fs::copy(programs.join("tictac"), context.join("bin/tictac"))?;
    fs::write(context.join(licences::FILE), licences::of_programs()?)?;
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "deploy/Containerfile", "deploy/data/README.txt"] {
        fs::copy(root().join(name), context.join(name)).with_context(|| name.to_owned())?;
    }
    Ok(context)
}

/// How podman is asked to run a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// As users do.
    Default,
    /// With everything that a machine which is a container itself may lack: overlay file systems, its own network, systemd,
    /// and the right to raise limits.
    Nested,
}

impl Way {
    fn description(self) -> &'static str {
        match self {
            Way::Default => "by podman as it is",
            Way::Nested => "by podman with runc, vfs storage and the network of this machine",
        }
    }
}

/// Why a test ended early.
enum TestError {
    /// Podman cannot start a container in this way.
    CannotRun(String),
    /// Something is wrong with the image.
    Fault(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for TestError {
    fn from(error: E) -> TestError {
        TestError::Fault(error.into())
    }
}

/// A container of the image, with a volume of its own.
struct Container {
    way: Way,
    port: u16,
    /// Where podman keeps images in [`Way::Nested`].
    storage: PathBuf,
}

impl Container {
    /// Builds the image, plays on it, restarts it, and returns its size in megabytes.
    fn test(&self, context: &Path) -> Result<u64, TestError> {
        let cannot_run = |error: anyhow::Error| TestError::CannotRun(last_line(&format!("{error:#}")));
        let build = ["build", "--quiet", "--isolation=chroot", "--format=docker", "-t", IMAGE, "-f"];
        output(self.podman().args(build).arg(context.join("deploy/Containerfile")).arg(context))
            .map_err(cannot_run)?;
        self.start().map_err(cannot_run)?;
        let _clean_up = CleanUp(self);
        let result = self.check();
        result.with_context(|| format!("the log is: {}", self.log())).map_err(TestError::Fault)
    }

    fn check(&self) -> anyhow::Result<u64> {
        self.wait_until_healthy()?;
        self.check_user()?;
        let site = Site { port: self.port, certificate: None };
        let created = site.request("127.0.0.1", ("POST", "/api/v1/games"), &[], "{}")?;
        let game: Value = serde_json::from_str(&created.body).context("a new game is not JSON")?;
        let name = game["game"].as_str().context("a game without a name")?;
        self.stop()?;
        // The games are in the volume, not in the container.
        self.start()?;
        self.wait_until_healthy()?;
        let found = site.request("127.0.0.1", ("GET", &format!("/api/v1/games/{name}")), &[], "")?;
        ensure!(found.status == 200, "the game is lost: {}", found.head);
        self.stop()?;
        let bytes = printed(self.podman().args(["image", "inspect", "--format", "{{.Size}}", IMAGE]))?;
        Ok(bytes.parse::<u64>()? / 1_000_000)
    }

    fn name(&self) -> String {
        format!("tictac-test-{}", self.port)
    }

    fn podman(&self) -> Command {
        let mut command = Command::new("podman");
        if self.way == Way::Nested {
            command.args(["--storage-driver=vfs", "--cgroup-manager=cgroupfs", "--events-backend=none"]);
            command.args(["--runtime=runc", "--root"]).arg(self.storage.join("images"));
            command.arg("--runroot").arg(self.storage.join("run"));
        }
        command
    }

    fn start(&self) -> anyhow::Result<()> {
        let (name, port) = (self.name(), self.port);
        let mut command = self.podman();
        command.args(["run", "--detach", "--name", &name, "--volume", &format!("{name}:/data")]).args(RIGHTS);
        command.args(["--env", &format!("TICTAC_PUBLIC_ORIGIN=http://127.0.0.1:{port}")]);
        match self.way {
            Way::Default => command.args(["--publish", &format!("127.0.0.1:{port}:8470")]),
            Way::Nested => command
                .args(["--network=host", "--ulimit=nofile=1000:1000", "--ulimit=nproc=1000:1000"])
                .args(["--env", &format!("TICTAC_LISTEN=127.0.0.1:{port}")]),
        };
        let started = output(command.arg(IMAGE));
        if started.is_err() {
            let _ = output(self.podman().args(["rm", "--force", &name]));
        }
        started.map(drop)
    }

    /// Runs the image's own health check until it passes.
    fn wait_until_healthy(&self) -> anyhow::Result<()> {
        let start = Instant::now();
        while let Err(error) = output(self.podman().args(["healthcheck", "run", &self.name()])) {
            if start.elapsed() > START {
                return Err(error.context("the container does not become healthy"));
            }
            thread::sleep(Duration::from_millis(200));
        }
        Ok(())
    }

    /// Checks the user and the capabilities of the process.
    fn check_user(&self) -> anyhow::Result<()> {
        let process = printed(self.podman().args(["inspect", "--format", "{{.State.Pid}}", &self.name()]))?;
        let status = fs::read_to_string(format!("/proc/{process}/status"))?;
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.map(|line| line.split_whitespace().collect::<Vec<_>>()).unwrap_or_default()
        };
        // Without privileges, podman shows other numbers outside of the container than inside.
        ensure!(!field("Uid:").contains(&"0"), "the server runs as the superuser");
        for name in ["CapEff:", "CapPrm:", "CapBnd:"] {
            let capabilities = field(name).concat();
            ensure!(capabilities == "0000000000000000", "the server has capabilities: {name} {capabilities}");
        }
        Ok(())
    }

    /// Stops the server gracefully and removes the container, but not its volume.
    fn stop(&self) -> anyhow::Result<()> {
        let name = self.name();
        output(self.podman().args(["stop", "--time=20", &name]))?;
        let status = printed(self.podman().args(["inspect", "--format", "{{.State.ExitCode}}", &name]))?;
        ensure!(status == "0", "the server stopped with status {status}");
        output(self.podman().args(["rm", &name]))?;
        Ok(())
    }

    fn log(&self) -> String {
        let log = self.podman().args(["logs", &self.name()]).output();
        log.map(|log| String::from_utf8_lossy(&log.stderr).into_owned()).unwrap_or_default()
    }
}

/// Removes the container and its volume when the test ends.
struct CleanUp<'a>(&'a Container);

impl Drop for CleanUp<'_> {
    fn drop(&mut self) {
        let name = self.0.name();
        let _ = output(self.0.podman().args(["rm", "--force", &name]));
        let _ = output(self.0.podman().args(["volume", "rm", "--force", &name]));
        if self.0.way == Way::Nested {
            let _ = output(self.0.podman().args(["rmi", "--force", IMAGE]));
            let _ = fs::remove_dir_all(&self.0.storage);
        }
    }
}

/// Returns the last line that says something, which is where podman has its reason.
fn last_line(text: &str) -> String {
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned()
}
