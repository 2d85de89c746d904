//! Runs the program under test, which may be hostile.
//!
//! # How a run is bounded
//!
//! A program is started without a shell (`posix_spawn` under the standard library), in its own process group and an
//! empty folder. Input is written and output read at the same time, so neither side can block the other. At the end the
//! whole group is killed, even if the program exited by itself.
//!
//! Limits on CPU time, memory, files and processes are set on the new process by its id (`prlimit`) right after it has
//! started. The alternatives cost more than they gain: a launcher that limits itself and then executes the program
//! doubles the cost of a run, and setting limits between fork and exec needs `unsafe` and loses `vfork`. The price is a
//! moment, usually well under a millisecond, in which the program runs with the limits of the grader. It has no input
//! yet, and the limits on wall time and output as well as killing the group do not depend on it.
//!
//! A process that leaves the group (`setsid`) is found by [`adopt_strays`] on systems that support it.
//!
//! On Linux the time that a program waits for a processor does not count towards the limit on wall time, so a busy
//! machine does not turn a right program into a slow one; the limit on CPU time ends an endless loop all the same.

mod delay;
mod limits;
mod output;
mod pool;
mod sandbox;
mod strays;
mod stream;
mod terminal;

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

pub use limits::{LimitChanges, RunLimits};
pub(crate) use output::os_reason;
pub use output::{RunExit, RunOutput, why_not_started};
pub(crate) use pool::RunnerPool;
pub(crate) use sandbox::check_sandbox;
pub use strays::{adopt_strays, end_strays};

use crate::case::Case;
use crate::settings::GradeSettings;
use crate::style::SubmittedFiles;
use delay::ProcessorUse;
use stream::{InputStream, OutputStream};

/// How long to wait for more output after the program has exited, if another process still holds its streams.
const GRACE: Duration = Duration::from_millis(100);
/// How often to check whether the process has exited. On Linux a handle reports it, and this is only a fallback.
const POLL_INTERVAL: Duration = Duration::from_millis(if cfg!(target_os = "linux") { 500 } else { 2 });

/// The extra time for waiting is at most this many times the limit on wall time.
const MAX_EXTRA_TIME: u32 = 29;
/// The signal that ends a program at its limit on CPU time (`SIGXCPU` on Linux).
const CPU_TIME_SIGNAL: i32 = 24;

/// A program under test.
#[derive(Clone, Debug)]
pub struct Program {
    /// The executable; absolute, because the program runs in another folder.
    pub path: PathBuf,
    /// Arguments that come before those of a case.
    pub arguments: Vec<OsString>,
    /// The program and its arguments as a student would type them.
    pub shown: Vec<String>,
    /// A folder that is removed when the last copy of this program is dropped.
    pub(crate) _folder: Option<Arc<tempfile::TempDir>>,
    /// Whether it takes several inputs in one run, separated by empty lines, and writes an empty line after what it says about each.
    pub(crate) reads_batches: bool,
    /// What the student has submitted, if it is known.
    pub(crate) files: Option<SubmittedFiles>,
    /// The files with tests that were handed in with it; `None` if tests are not graded.
    pub(crate) tests: Option<Vec<PathBuf>>,
}

impl Program {
    /// Finds the program that a command names. A name without a slash is looked up in the current folder, then in
    /// `PATH`.
    ///
    /// # Errors
    ///
    /// Returns an error of the kind `NotFound` if there is no such file.
    pub fn find(path: &Path, arguments: &[OsString]) -> io::Result<Program> {
        let is_name = path.components().count() == 1;
        let in_path = || {
            let folders = std::env::var_os("PATH").filter(|_| is_name).unwrap_or_default();
            std::env::split_paths(&folders).map(|folder| folder.join(path)).find(|file| file.is_file())
        };
        let not_found = || {
            io::Error::new(io::ErrorKind::NotFound, format!("cannot run {}: no such file", path.display()))
        };
        // A shell finds a program of the current folder only if there is a slash in its name.
        let slash = if is_name && path.is_file() { "./" } else { "" };
        let words = arguments.iter().map(|word| word.to_string_lossy().into_owned());
        let shown = [format!("{slash}{}", path.display())].into_iter().chain(words).collect();
        let found = path.canonicalize().ok().or_else(in_path).ok_or_else(not_found)?;
        let is_file = |word: &OsString| Path::new(word).is_file();
        let source = arguments.iter().find(|&word| is_file(word)).map_or(found.clone(), PathBuf::from);
        Ok(Program {
            path: found,
            arguments: arguments.to_vec(),
            shown,
            _folder: None,
            reads_batches: false,
            files: Some(SubmittedFiles::One(source)),
            tests: None,
        })
    }

    pub(crate) fn with_files(self, files: SubmittedFiles) -> Program {
        Program { files: Some(files), ..self }
    }
}

/// The connection between the grader and the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// Pipes for input and output.
    #[default]
    Pipe,
    /// A pseudo-terminal without echo.
    Terminal,
}

/// Runs a program any number of times, one run after the other.
#[derive(Debug)]
pub struct Runner {
    program: Program,
    settings: GradeSettings,
    folder: tempfile::TempDir,
    /// The number of runs that got more time because they had to wait for a processor, and then exited by themselves.
    n_delayed: usize,
}

impl Runner {
    /// Returns a runner with its own empty folder.
    ///
    /// # Errors
    ///
    /// Returns an error if no temporary folder can be created.
    pub fn new(program: Program, settings: GradeSettings) -> io::Result<Runner> {
        Ok(Runner { program, settings, folder: temporary_folder()?, n_delayed: 0 })
    }

    pub(crate) fn reads_batches(&self) -> bool {
        self.program.reads_batches
    }

    /// Runs the program once on `input`.
    ///
    /// # Errors
    ///
    /// Returns an error if the program cannot be started, or if the stop flag is set.
    pub fn run(&mut self, arguments: &[OsString], input: &[u8]) -> io::Result<RunOutput> {
        let GradeSettings { limits, channel, stop, .. } = &self.settings;
        let limits = &limits.limits();
        check(stop)?;
        let mut command = self.command(arguments);
        let output = match channel {
            Channel::Pipe => run_with_pipes(&mut command, limits, stop, input),
            Channel::Terminal => run_in_terminal(&mut command, limits, stop, input),
        };
        strays::end_strays_of(self.folder.path());
        self.empty_folder()?;
        let FinishedRun { output, is_delayed } = output?;
        self.n_delayed += usize::from(is_delayed && output.exit.is_clean());
        Ok(output)
    }

    /// Runs the program on several inputs. Those that can share a run do, if the program reads batches: an input during which the
    /// program ends is run again alone, and the run goes on with the next.
    pub(crate) fn run_all(&mut self, cases: &[&Case]) -> io::Result<Vec<RunOutput>> {
        let mut outputs: Vec<RunOutput> = Vec::new();
        while outputs.len() < cases.len() {
            let rest = &cases[outputs.len()..];
            let case = rest[0];
            if !self.program.reads_batches || rest.len() == 1 {
                outputs.push(self.run(&case.arguments, &case.input)?);
                continue;
            }
            let input: Vec<u8> = rest.iter().flat_map(|case| [&case.input[..], b"\n"].concat()).collect();
            let output = self.run(&case.arguments, &input)?;
            let answers = batch_answers(&output.stdout, rest.len());
            if answers.is_empty() {
                outputs.push(self.run(&case.arguments, &case.input)?);
            }
            let answer = |stdout: &[u8]| RunOutput {
                stdout: stdout.to_vec(),
                stderr: Vec::new(),
                exit: RunExit::Status(0),
            };
            outputs.extend(answers.into_iter().map(answer));
        }
        Ok(outputs)
    }

    /// Returns the number of runs that got more time because they had to wait for a processor, and then exited by
    /// themselves.
    pub fn n_delayed(&self) -> usize {
        self.n_delayed
    }

    fn command(&self, arguments: &[OsString]) -> Command {
        let folder = self.folder.path();
        let mut command = if self.settings.has_sandbox {
            sandbox::command(&self.program.path, folder)
        } else {
            Command::new(&self.program.path)
        };
        command.args(&self.program.arguments).args(arguments).current_dir(folder).process_group(0);
        limits::clear_environment(&mut command, folder);
        command
    }

    /// Replaces the folder if the program has left files in it.
    fn empty_folder(&mut self) -> io::Result<()> {
        let is_empty =
            std::fs::read_dir(self.folder.path()).is_ok_and(|mut entries| entries.next().is_none());
        if !is_empty {
            self.folder = temporary_folder()?;
        }
        Ok(())
    }
}

/// Returns the parts of an output that end with an empty line, at most `n` of them.
fn batch_answers(output: &[u8], n: usize) -> Vec<&[u8]> {
    let mut answers = Vec::new();
    let mut start = 0;
    let mut line_start = 0;
    for (at, _) in output.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        if at == line_start && answers.len() < n {
            answers.push(&output[start..at]);
            start = at + 1;
        }
        line_start = at + 1;
    }
    answers
}

/// Runs a command of the user, such as a build, with the environment of the grader.
///
/// # Errors
///
/// Returns an error if it cannot be started.
pub(crate) fn run_command(
    command: &mut Command,
    limits: &RunLimits,
    stop: &AtomicBool,
) -> io::Result<RunOutput> {
    check(stop)?;
    Ok(run_with_pipes(command.process_group(0), limits, stop, b"")?.output)
}

/// What a process did.
struct FinishedRun {
    output: RunOutput,
    /// Whether it got more time because it had to wait for a processor.
    is_delayed: bool,
}

fn run_with_pipes(
    command: &mut Command,
    limits: &RunLimits,
    stop: &AtomicBool,
    input: &[u8],
) -> io::Result<FinishedRun> {
    let child = spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    let mut running = Running::new(child, limits, stop);
    let input = InputStream::pipe(running.child.stdin.take(), input)?;
    let stdout = running.child.stdout.take().map(OwnedFd::from);
    running.communicate(input, stdout, limits.output)
}

fn run_in_terminal(
    command: &mut Command,
    limits: &RunLimits,
    stop: &AtomicBool,
    input: &[u8],
) -> io::Result<FinishedRun> {
    let (grader_end, program_end) = terminal::open()?;
    let child = spawn(command.stdin(program_end.try_clone()?).stdout(program_end).stderr(Stdio::piped()))?;
    // While the command holds the program's end open, the grader's end never reports the end of the output.
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let mut running = Running::new(child, limits, stop);
    let typed = terminal::typed(input);
    let input = InputStream::terminal(grader_end.try_clone()?, &typed)?;
    running.communicate(input, Some(grader_end), limits.output)
}

/// Starts a process. A program that has just been written may still be open in a process that another thread is starting, so
/// it is tried again for a moment.
fn spawn(command: &mut Command) -> io::Result<Child> {
    for _ in 0..50 {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(10));
            }
            result => return result,
        }
    }
    command.spawn()
}

/// Returns an error of the kind `Interrupted` if the flag is set.
fn check(stop: &AtomicBool) -> io::Result<()> {
    let stopped = || io::Error::new(io::ErrorKind::Interrupted, "stopped before the end");
    if stop.load(Ordering::Relaxed) { Err(stopped()) } else { Ok(()) }
}

fn temporary_folder() -> io::Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix("tictac-grade-").tempdir()
}

/// A running process; dropping it kills its group.
struct Running<'a> {
    child: Child,
    group: Pid,
    start: Instant,
    wall: Duration,
    stop: &'a AtomicBool,
    /// Becomes readable when the process exits.
    #[cfg(target_os = "linux")]
    handle: Option<OwnedFd>,
}

impl Running<'_> {
    fn new<'a>(child: Child, limits: &RunLimits, stop: &'a AtomicBool) -> Running<'a> {
        let group = Pid::from_child(&child);
        limits.apply_to(group);
        Running {
            #[cfg(target_os = "linux")]
            handle: rustix::process::pidfd_open(group, rustix::process::PidfdFlags::empty()).ok(),
            child,
            group,
            start: Instant::now(),
            wall: limits.wall,
            stop,
        }
    }

    fn communicate(
        &mut self,
        mut input: InputStream<'_>,
        stdout: Option<OwnedFd>,
        max_output: usize,
    ) -> io::Result<FinishedRun> {
        let stderr = self.child.stderr.take().map(OwnedFd::from);
        let mut outputs = [OutputStream::new(stdout, max_output)?, OutputStream::new(stderr, max_output)?];
        let mut deadline = self.start + self.wall;
        let mut status = None;
        let mut extra = Duration::ZERO;
        let exit = loop {
            if status.is_none() {
                status = self.child.try_wait()?;
                if status.is_some() {
                    // Children that are left in the group would keep the streams open.
                    self.kill();
                    deadline = Instant::now() + GRACE;
                    // On a busy machine the grace period may be over before the next iteration.
                    outputs.iter_mut().for_each(OutputStream::read_available);
                }
            }
            if outputs.iter().any(|output| output.is_over_limit) {
                break RunExit::TooMuchOutput;
            }
            let has_read_all = outputs.iter().all(|output| output.from.is_none());
            match status {
                Some(status) if has_read_all || Instant::now() >= deadline => break exit_of(status),
                None if Instant::now() >= deadline => {
                    let wanted = ProcessorUse::of(self.group).extra_time(self.start.elapsed(), self.wall);
                    extra = wanted.min(self.wall * MAX_EXTRA_TIME);
                    deadline = self.start + self.wall + extra;
                    if Instant::now() >= deadline {
                        break RunExit::TimedOut;
                    }
                }
                _ => {}
            }
            let wait = deadline.saturating_duration_since(Instant::now()).min(POLL_INTERVAL);
            self.transfer(&mut input, &mut outputs, status, wait)?;
            check(self.stop)?;
        };
        self.kill();
        let [stdout, stderr] = outputs.map(|output| output.bytes);
        let is_delayed = extra > self.wall / 10;
        Ok(FinishedRun { output: RunOutput { stdout, stderr, exit }, is_delayed })
    }

    /// Waits until a stream is ready or the process exits, then reads and writes what is possible.
    fn transfer(
        &self,
        input: &mut InputStream<'_>,
        outputs: &mut [OutputStream; 2],
        status: Option<ExitStatus>,
        wait: Duration,
    ) -> io::Result<()> {
        let mut events = Vec::with_capacity(4);
        if let (Some(stdin), None) = (input.fd(), status) {
            events.push(PollFd::new(stdin, PollFlags::OUT));
        }
        let open = outputs.iter().filter_map(|output| output.from.as_ref());
        events.extend(open.map(|fd| PollFd::new(fd, PollFlags::IN)));
        #[cfg(target_os = "linux")]
        if let (Some(handle), None) = (&self.handle, status) {
            events.push(PollFd::new(handle, PollFlags::IN));
        }
        let wait = Timespec { tv_sec: wait.as_secs().cast_signed(), tv_nsec: wait.subsec_nanos().into() };
        match poll(&mut events, Some(&wait)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        drop(events);
        if status.is_none() {
            input.write_available();
        }
        outputs.iter_mut().for_each(OutputStream::read_available);
        Ok(())
    }

    /// Kills the process group, if it still exists.
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

fn exit_of(status: ExitStatus) -> RunExit {
    match (status.code(), status.signal()) {
        (Some(code), _) => RunExit::Status(code),
        (None, Some(CPU_TIME_SIGNAL)) if cfg!(target_os = "linux") => RunExit::TimedOut,
        (None, signal) => RunExit::Signal(signal.unwrap_or_default()),
    }
}
