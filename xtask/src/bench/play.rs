//! `cargo xtask bench play`: the time to the first screen and from a key press to the answer, in a pseudo-terminal.

use std::fs;
use std::io::{Read, Write};
use std::process::Command;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use expectrl::Session;
use expectrl::session::OsSession;

use crate::cargo::{build_dist, target_directory};

const N_RUNS: usize = 30;
const MAX_PAINT: Duration = Duration::from_millis(50);
const MAX_ANSWER: Duration = Duration::from_millis(16);
/// How long to wait for expected output before giving up.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Measures, prints medians and worst cases, and fails if a median exceeds its bound.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    let program = build_dist(&["tictac-cli"])?.join("tictac");
    let settings = target_directory()?.join("bench-play");
    let (mut paints, mut answers) = (Vec::new(), Vec::new());
    for _ in 0..N_RUNS {
        // The game of the run before would be offered again. Without settings, there is nothing to remove.
        let _ = fs::remove_dir_all(&settings);
        let mut command = Command::new(&program);
        command.args(["play", "--o", "perfect", "--seed", "7"]).env("TERM", "xterm-256color");
        command.env("XDG_CONFIG_HOME", &settings);
        let start = Instant::now();
        let mut game = PlayedGame::start(command)?;
        // Part of the last line of the first screen.
        game.wait_for("quit")?;
        paints.push(start.elapsed());
        // X plays a corner; `perfect` replies in the centre and reports the move as proven.
        let start = Instant::now();
        game.press("1")?;
        game.wait_for("played")?;
        answers.push(start.elapsed());
        game.press("q")?;
    }
    let paint = report(out, "first paint", &mut paints)?;
    let answer = report(out, "key to the answer of perfect", &mut answers)?;
    if paint > MAX_PAINT || answer > MAX_ANSWER {
        bail!("the bounds are {MAX_PAINT:?} and {MAX_ANSWER:?}");
    }
    Ok(())
}

/// A game in a pseudo-terminal.
struct PlayedGame {
    session: OsSession,
    output: Receiver<Vec<u8>>,
    seen: Vec<u8>,
}

impl PlayedGame {
    fn start(command: Command) -> anyhow::Result<PlayedGame> {
        let mut session = Session::spawn(command)?;
        session.get_process_mut().set_window_size(80, 24)?;
        let mut reader = session.get_process().get_raw_handle()?;
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = vec![0; 65536];
            // A closed terminal reads as an error or as an empty read.
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        Ok(PlayedGame { session, output, seen: Vec::new() })
    }

    fn press(&mut self, keys: &str) -> anyhow::Result<()> {
        self.session.write_all(keys.as_bytes())?;
        Ok(self.session.flush()?)
    }

    fn wait_for(&mut self, text: &str) -> anyhow::Result<()> {
        while !contains(&self.seen, text.as_bytes()) {
            let bytes = self.output.recv_timeout(TIMEOUT);
            self.seen.extend(bytes.with_context(|| format!("waited for {text:?} in vain"))?);
        }
        self.seen.clear();
        Ok(())
    }
}

fn contains(seen: &[u8], text: &[u8]) -> bool {
    seen.windows(text.len()).any(|window| window == text)
}

/// Prints the median and the maximum of `times` and returns the median.
fn report(out: &mut impl Write, name: &str, times: &mut [Duration]) -> anyhow::Result<Duration> {
    times.sort();
    let median = times.get(times.len() / 2).copied().context("nothing was measured")?;
    let worst = times.last().copied().unwrap_or(median);
    writeln!(out, "{name:<30} median {:>7.2} ms  worst {:>7.2} ms", millis(median), millis(worst))?;
    Ok(median)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
