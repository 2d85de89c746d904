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

use super::search::Spread;
use crate::cargo::{build_dist, target_directory};

const N_RUNS: usize = 30;
/// The bounds of the medians, in milliseconds.
const MAX_PAINT: f64 = 50.0;
const MAX_ANSWER: f64 = 16.0;
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
    let paint = report(out, "first paint", &paints)?;
    let answer = report(out, "key to the answer of perfect", &answers)?;
    if paint > MAX_PAINT || answer > MAX_ANSWER {
        bail!("the bounds are {MAX_PAINT} and {MAX_ANSWER} ms");
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

/// Prints the median and the maximum of `times` and returns the median, in milliseconds.
fn report(out: &mut impl Write, name: &str, times: &[Duration]) -> anyhow::Result<f64> {
    let Spread { median, greatest, .. } = Spread::of(times.iter().map(|time| time.as_secs_f64() * 1e3));
    writeln!(out, "{name:<30} median {median:>7.2} ms  worst {greatest:>7.2} ms")?;
    Ok(median)
}
