//! Running somebody's program: hostile until shown otherwise.
//!
//! # How a run is bounded
//!
//! A program is started without a shell (`posix_spawn` under the standard library), in a process group of its own and an
//! empty folder. Input is written and output read at the same time, so neither side can block the other. Whatever happens,
//! the whole group is killed at the end, also when the program itself ended well.
//!
//! Limits on CPU time, memory, files and processes are set on the new process by its id (`prlimit`) right after it was
//! started. The two other ways cost more than they bring: a launcher that limits itself and then executes the program
//! doubles the cost of a run, and setting limits between fork and exec needs `unsafe` and loses `vfork`. The price is a
//! moment, usually well under a millisecond, in which the program runs with the limits of the grader; it has no input yet
//! then, and wall time, output and the kill of the group do not depend on it.
//!
//! A process that leaves the group (`setsid`) is found by [`adopt_strays`], where the system lets us.

mod answer;
mod limits;
mod sandbox;
mod stop;
mod strays;
mod stream;
mod terminal;

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

pub use answer::{Answer, Ending};
pub use limits::Limits;
pub use sandbox::{NoSandbox, Sandbox};
pub use stop::Stop;
pub use strays::{adopt_strays, end_strays};

use stream::{Feed, Intake};

/// How long output is awaited from a program that has ended while somebody still holds its streams.
const GRACE: Duration = Duration::from_millis(100);
/// Where there is no other way to learn that a process has ended, it is asked this often.
const ASK_AGAIN: Duration = Duration::from_millis(if cfg!(target_os = "linux") { 500 } else { 2 });

/// A program under test: what is started, and with which arguments before those of a case.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file that is executed; absolute, because the program runs in another folder.
    pub path: PathBuf,
    /// Arguments that always come first.
    pub arguments: Vec<OsString>,
}

/// What stands between grader and program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// Pipes: what an autograder uses.
    #[default]
    Pipe,
    /// A pseudo-terminal: what a person uses; echo is off.
    Terminal,
}

/// Starts programs, one at a time, and says what they answered.
#[derive(Debug)]
pub struct Runner {
    program: Program,
    limits: Limits,
    channel: Channel,
    sandbox: Option<Sandbox>,
    stop: Stop,
    folder: tempfile::TempDir,
}

impl Runner {
    /// Returns a runner with an empty folder of its own.
    ///
    /// # Errors
    ///
    /// Returns why no temporary folder could be made.
    pub fn new(
        program: Program,
        limits: Limits,
        channel: Channel,
        sandbox: Option<Sandbox>,
    ) -> io::Result<Runner> {
        Ok(Runner { program, limits, channel, sandbox, stop: Stop::default(), folder: fresh_folder()? })
    }

    /// Returns the runner with a switch that ends its runs.
    #[must_use]
    pub fn until(self, stop: Stop) -> Runner {
        Runner { stop, ..self }
    }

    /// Runs the program once on `input`.
    ///
    /// # Errors
    ///
    /// Returns why the program could not be started; what it does after that is an [`Answer`].
    pub fn run(&mut self, arguments: &[OsString], input: &[u8]) -> io::Result<Answer> {
        let wall = self.limits.wall;
        self.run_within(wall, arguments, input)
    }

    /// Runs the program with another limit on wall time.
    ///
    /// # Errors
    ///
    /// Returns why the program could not be started.
    pub fn run_within(&mut self, wall: Duration, arguments: &[OsString], input: &[u8]) -> io::Result<Answer> {
        self.stop.check()?;
        let mut command = self.command(arguments);
        let answer = match self.channel {
            Channel::Pipe => through_pipes(&mut command, &self.limits, wall, &self.stop, input),
            Channel::Terminal => self.through_terminal(&mut command, wall, input),
        };
        strays::end_strays_of(self.folder.path());
        self.clean_up()?;
        answer
    }

    fn command(&self, arguments: &[OsString]) -> Command {
        let folder = self.folder.path();
        let mut command = match &self.sandbox {
            Some(sandbox) => sandbox.command(&self.program.path, folder),
            None => Command::new(&self.program.path),
        };
        command.args(&self.program.arguments).args(arguments).current_dir(folder).process_group(0);
        limits::clear_environment(&mut command, folder);
        command
    }

    fn through_terminal(&self, command: &mut Command, wall: Duration, input: &[u8]) -> io::Result<Answer> {
        let pair = terminal::open()?;
        let (stdin, stdout) = (pair.inside.try_clone()?, pair.inside);
        let child = command.stdin(stdin).stdout(stdout).stderr(Stdio::piped()).spawn()?;
        // The command holds the inside open; while it does, the outside never ends.
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let mut running = Running::new(child, &self.limits, wall, &self.stop);
        let stderr = running.child.stderr.take().map(OwnedFd::from);
        let typed = terminal::typed(input);
        let feed = Feed::terminal(pair.outside.try_clone()?, &typed)?;
        let stdout = Intake::new(Some(pair.outside), self.limits.output)?;
        let stderr = Intake::new(stderr, self.limits.output)?;
        running.converse(feed, stdout, stderr)
    }

    /// Makes the folder empty again; a new one is made only where the old one was used.
    fn clean_up(&mut self) -> io::Result<()> {
        let is_clean =
            std::fs::read_dir(self.folder.path()).is_ok_and(|mut entries| entries.next().is_none());
        if !is_clean {
            self.folder = fresh_folder()?;
        }
        Ok(())
    }

    /// What the program may take.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The folder that the program runs in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// Runs a command of the user, such as a build, where it wants to run, and with the environment as it is.
///
/// # Errors
///
/// Returns why it could not be started.
pub(crate) fn run_command(command: &mut Command, limits: &Limits, stop: &Stop) -> io::Result<Answer> {
    stop.check()?;
    through_pipes(command.process_group(0), limits, limits.wall, stop, b"")
}

fn through_pipes(
    command: &mut Command,
    limits: &Limits,
    wall: Duration,
    stop: &Stop,
    input: &[u8],
) -> io::Result<Answer> {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut running = Running::new(child, limits, wall, stop);
    let child = &mut running.child;
    let stdin = child.stdin.take().map(OwnedFd::from);
    let stdout = child.stdout.take().map(OwnedFd::from);
    let stderr = child.stderr.take().map(OwnedFd::from);
    let feed = Feed::new(stdin, input)?;
    let stdout = Intake::new(stdout, limits.output)?;
    let stderr = Intake::new(stderr, limits.output)?;
    running.converse(feed, stdout, stderr)
}

fn fresh_folder() -> io::Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix("tictac-grade-").tempdir()
}

/// A process that runs; dropping it kills it with its group.
struct Running<'a> {
    child: Child,
    group: Pid,
    deadline: Instant,
    stop: &'a Stop,
    /// Becomes readable when the process ends.
    #[cfg(target_os = "linux")]
    handle: Option<OwnedFd>,
}

impl Running<'_> {
    fn new<'a>(child: Child, limits: &Limits, wall: Duration, stop: &'a Stop) -> Running<'a> {
        let group = Pid::from_child(&child);
        limits.impose(group);
        Running {
            #[cfg(target_os = "linux")]
            handle: rustix::process::pidfd_open(group, rustix::process::PidfdFlags::empty()).ok(),
            child,
            group,
            deadline: Instant::now() + wall,
            stop,
        }
    }

    fn converse(&mut self, mut feed: Feed<'_>, mut stdout: Intake, mut stderr: Intake) -> io::Result<Answer> {
        let mut deadline = self.deadline;
        let mut status = None;
        let ending = loop {
            if status.is_none() {
                status = self.child.try_wait()?;
                if status.is_some() {
                    // Whoever is left in the group holds the streams open for nothing.
                    self.kill();
                    deadline = Instant::now() + GRACE;
                    // It may have spoken since the last look, and on a busy machine the grace may be over before the next.
                    stdout.read_some();
                    stderr.read_some();
                }
            }
            if stdout.is_too_much() || stderr.is_too_much() {
                break Ending::TooMuchOutput;
            }
            let has_read_all = stdout.is_at_end() && stderr.is_at_end();
            match status {
                Some(status) if has_read_all || Instant::now() >= deadline => break ending_of(status),
                None if Instant::now() >= deadline => break Ending::TimedOut,
                _ => {}
            }
            let wait = deadline.saturating_duration_since(Instant::now()).min(ASK_AGAIN);
            self.wait_for_news(&mut feed, &mut stdout, &mut stderr, status.is_some(), wait)?;
            self.stop.check()?;
        };
        self.kill();
        Ok(Answer { stdout: stdout.into_bytes(), stderr: stderr.into_bytes(), ending })
    }

    /// Sleeps until a stream or the process has something new, then moves the bytes.
    fn wait_for_news(
        &self,
        feed: &mut Feed<'_>,
        stdout: &mut Intake,
        stderr: &mut Intake,
        has_ended: bool,
        wait: Duration,
    ) -> io::Result<()> {
        let mut events = Vec::with_capacity(4);
        if let (Some(stdin), false) = (feed.fd(), has_ended) {
            events.push(PollFd::new(stdin, PollFlags::OUT));
        }
        events.extend(
            [&*stdout, &*stderr].into_iter().filter_map(Intake::fd).map(|fd| PollFd::new(fd, PollFlags::IN)),
        );
        #[cfg(target_os = "linux")]
        if let (Some(handle), false) = (&self.handle, has_ended) {
            events.push(PollFd::from_borrowed_fd(handle.as_fd(), PollFlags::IN));
        }
        let wait = Timespec { tv_sec: wait.as_secs().cast_signed(), tv_nsec: wait.subsec_nanos().into() };
        match poll(&mut events, Some(&wait)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        drop(events);
        if !has_ended {
            feed.write_some();
        }
        stdout.read_some();
        stderr.read_some();
        Ok(())
    }

    /// Kills the group. It may be gone already, which is as good.
    fn kill(&self) {
        let _ = kill_process_group(self.group, Signal::KILL);
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

fn ending_of(status: std::process::ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, Some(signal)) => Ending::Signalled(signal),
        (None, None) => Ending::Signalled(0),
    }
}
