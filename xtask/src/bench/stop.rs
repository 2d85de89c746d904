//! `cargo xtask bench stop`: the processor time that `tictac solve` uses after it was told to stop.
//!
//! The process is halted, its time is read, and it goes on with an interrupt waiting for it: nothing is measured that belongs to the
//! search. Linux only.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use crate::process::{kilobytes, state};
use crate::solved::build_command;

/// Rules for which the solver uses each of its methods.
const RULES: [&str; 12] = [
    "8,8,5",
    "9,4,4",
    "8,8,4",
    "16,4,4",
    "6,6,4 misere",
    "8,8,5 wild",
    "5,5,4 wild misere",
    "6,6,5 x-only",
    "5,5,4 x-only misere",
    "notakto boards=8",
    "5,4,3 x-only misere boards=2",
    "5,4,4 x-only misere boards=3",
];

const QUESTIONS: [(&str, &[&str]); 3] =
    [("every move", &[]), ("value", &["--weak"]), ("certificate", &["--weak", "--certificate", "/dev/null"])];

/// How long a search runs before it is stopped.
const RUN_TIME: Duration = Duration::from_secs(2);

/// The processor time of a stopped search.
struct StopTimes {
    before: Duration,
    answer: Duration,
    exit: Duration,
    megabytes: u64,
}

/// Stops a search of each pair of rules and question, by the program at the given path or by a new one.
pub(crate) fn run(programs: &[&str], out: &mut impl Write) -> anyhow::Result<()> {
    let program = programs.first().map_or_else(build_command, |path| Ok(PathBuf::from(path)))?;
    writeln!(
        out,
        "Milliseconds of processor time from an interrupt until the answer is printed, and until the process has ended.\n"
    )?;
    writeln!(out, "| rules | question | before, s | answer, ms | end, ms | memory, MB |")?;
    writeln!(out, "|---|---|---:|---:|---:|---:|")?;
    for rules in RULES {
        for (question, arguments) in QUESTIONS {
            let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
            match measure(&program, rules, arguments)? {
                Some(StopTimes { before, answer, exit, megabytes }) => writeln!(
                    out,
                    "| {rules} | {question} | {:.2} | {:.1} | {:.1} | {megabytes} |",
                    before.as_secs_f64(),
                    milliseconds(answer),
                    milliseconds(exit)
                )?,
                None => writeln!(out, "| {rules} | {question} | ended before | | | |")?,
            }
            out.flush()?;
        }
    }
    Ok(())
}

/// Starts a search and stops it; returns `None` if it ends before.
fn measure(program: &Path, rules: &str, arguments: &[&str]) -> anyhow::Result<Option<StopTimes>> {
    let mut solve = Command::new(program);
    // On one thread, so that the time of the first thread is the time of the process.
    solve.args(["solve", "--json", "--threads", "1", "--rules", rules]).args(arguments);
    let mut child = solve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let start = Instant::now();
    while start.elapsed() < RUN_TIME && child.try_wait()?.is_none() {
        thread::sleep(Duration::from_millis(20));
    }
    if child.try_wait()?.is_some() {
        return Ok(None);
    }
    let times = stop(&mut child);
    child.kill()?;
    child.wait()?;
    times.map(Some)
}

fn stop(child: &mut Child) -> anyhow::Result<StopTimes> {
    let process = child.id();
    send(process, "-STOP")?;
    while state(process)? != 'T' {
        thread::sleep(Duration::from_millis(1));
    }
    let before = processor_time(process)?;
    let megabytes = kilobytes(process, "VmRSS")? * 1024 / 1_000_000;
    send(process, "-INT")?;
    send(process, "-CONT")?;
    let stdout = child.stdout.take().context("the process has a standard output")?;
    BufReader::new(stdout).read_line(&mut String::new())?;
    let answered = processor_time(process)?;
    while state(process)? != 'Z' {
        thread::sleep(Duration::from_millis(1));
    }
    let ended = processor_time(process)?;
    Ok(StopTimes {
        before,
        answer: answered.saturating_sub(before),
        exit: ended.saturating_sub(before),
        megabytes,
    })
}

fn send(process: u32, signal: &str) -> anyhow::Result<()> {
    let status = Command::new("kill").args([signal, &process.to_string()]).status()?;
    ensure!(status.success(), "kill {signal} failed");
    Ok(())
}

/// Returns the time that the first thread of a process has used.
fn processor_time(process: u32) -> anyhow::Result<Duration> {
    let schedstat = fs::read_to_string(format!("/proc/{process}/schedstat"))?;
    let nanoseconds = schedstat.split_whitespace().next().context("the time comes first")?;
    Ok(Duration::from_nanos(nanoseconds.parse()?))
}
