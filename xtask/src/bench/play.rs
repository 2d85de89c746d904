//! `cargo xtask bench play`: the first paint of the whole program in a pseudo-terminal, and how soon a key is answered.

use std::io::{Read, Write};
use std::process::Command;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use expectrl::Session;
use expectrl::session::OsSession;

use crate::cargo::{cargo, run as run_command, target_directory};

const N_RUNS: usize = 30;
const MAX_PAINT: Duration = Duration::from_millis(50);
const MAX_ANSWER: Duration = Duration::from_millis(16);
/// No answer takes longer, unless there is none.
const PATIENCE: Duration = Duration::from_secs(10);

/// Measures and prints medians and worst cases; a median above its bound is an error.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    run_command(&mut cargo(["build", "--quiet", "--release", "-p", "tictac-cli"]))?;
    let program = target_directory()?.join("release/tictac");
    let (mut paints, mut answers) = (Vec::new(), Vec::new());
    for _ in 0..N_RUNS {
        let mut command = Command::new(&program);
        command.args(["play", "--o", "perfect", "--seed", "7"]).env("TERM", "xterm-256color");
        let start = Instant::now();
        let mut game = Game::start(command)?;
        // The last line of the first picture.
        game.wait_for("quit")?;
        paints.push(start.elapsed());
        // X in a corner: perfect answers in the centre, and says that it is proven.
        let start = Instant::now();
        game.press("1")?;
        game.wait_for("(proven:")?;
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

/// A game in a pseudo-terminal, whose output is read as it comes.
struct Game {
    session: OsSession,
    output: Receiver<Vec<u8>>,
    seen: Vec<u8>,
}

impl Game {
    fn start(command: Command) -> anyhow::Result<Game> {
        let mut session = Session::spawn(command)?;
        session.get_process_mut().set_window_size(80, 24)?;
        let mut reader = session.get_process().get_raw_handle()?;
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = vec![0; 65536];
            // A terminal that is gone reads as an error or as nothing.
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        Ok(Game { session, output, seen: Vec::new() })
    }

    fn press(&mut self, keys: &str) -> anyhow::Result<()> {
        self.session.write_all(keys.as_bytes())?;
        Ok(self.session.flush()?)
    }

    fn wait_for(&mut self, text: &str) -> anyhow::Result<()> {
        while !contains(&self.seen, text.as_bytes()) {
            let bytes = self.output.recv_timeout(PATIENCE);
            self.seen.extend(bytes.with_context(|| format!("{text:?} does not come"))?);
        }
        self.seen.clear();
        Ok(())
    }
}

fn contains(seen: &[u8], text: &[u8]) -> bool {
    seen.windows(text.len()).any(|window| window == text)
}

/// Prints the median and the worst of some times; returns the median.
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
