//! A progress bar on standard error: bytes, rate, time left.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tictac_archive::{Input, ReadMeter};

use crate::charset::Charset;

/// How long to wait before the bar appears, and between updates.
const DELAY: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(100);

/// A bar that appears after a delay if standard error is a terminal, and is cleared when dropped.
pub(crate) struct ReadProgress {
    bar: ProgressBar,
    ticking: Option<(Sender<()>, JoinHandle<()>)>,
}

impl ReadProgress {
    /// Starts the bar, which shows how much of `inputs` has been read according to `meter`.
    pub(crate) fn start(inputs: &[Input], meter: &ReadMeter, charset: Charset) -> ReadProgress {
        let bar = ProgressBar::hidden();
        if !stderr().is_terminal() {
            return ReadProgress { bar, ticking: None };
        }
        // The size of a pipe is not known, so the time left is not known either.
        let n_bytes: Option<u64> = inputs.iter().map(Input::n_bytes).sum();
        let template = match n_bytes {
            Some(_) => {
                "{bar:24} {percent:>3} %  {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left"
            }
            None => "{spinner} {decimal_bytes}, {decimal_bytes_per_sec}, {elapsed}",
        };
        bar.set_style(style(template, charset));
        if let Some(n_bytes) = n_bytes {
            bar.set_length(n_bytes);
        }
        let (stop, stopped) = channel();
        let (ticked, meter) = (bar.clone(), meter.clone());
        let thread = thread::spawn(move || {
            let mut wait = DELAY;
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(wait) {
                if wait == DELAY {
                    ticked.set_draw_target(ProgressDrawTarget::stderr());
                }
                ticked.set_position(meter.n_read());
                ticked.tick();
                wait = TICK;
            }
        });
        ReadProgress { bar, ticking: Some((stop, thread)) }
    }

    /// Hides the bar while `write` runs.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

fn style(template: &str, charset: Charset) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("the template is ours");
    match charset {
        Charset::Unicode => style.progress_chars("\u{2588}\u{2592}\u{2591}"),
        Charset::Ascii => style.progress_chars("#>-").tick_chars("|/-\\ "),
    }
}

impl Drop for ReadProgress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.ticking.take() {
            drop(stop);
            // A bar that cannot be drawn is not worth an error.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}
