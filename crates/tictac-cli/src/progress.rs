//! Progress bars on standard error.

use std::io::{self, IsTerminal, Write, stderr};
use std::ops::Deref;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tictac_archive::{Input, ReadMeter};

use crate::charset::Charset;

/// How long to wait before a bar appears, and between updates.
const DELAY: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(100);

/// A bar that appears after a delay if standard error is a terminal, and is cleared when dropped.
pub(crate) struct DelayedBar {
    bar: ProgressBar,
    ticking: Option<(Sender<()>, JoinHandle<()>)>,
}

impl DelayedBar {
    /// Starts a bar with this template; `update` is called each time before it is drawn.
    pub(crate) fn start(
        template: &str,
        charset: Charset,
        update: impl Fn(&ProgressBar) + Send + 'static,
    ) -> DelayedBar {
        let bar = ProgressBar::hidden();
        if !stderr().is_terminal() {
            return DelayedBar { bar, ticking: None };
        }
        let style = ProgressStyle::with_template(template).expect("the template is ours");
        bar.set_style(match charset {
            Charset::Unicode => style.progress_chars("\u{2588}\u{2592}\u{2591}"),
            Charset::Ascii => style.progress_chars("#>-").tick_chars("|/-\\ "),
        });
        let (stop, stopped) = channel();
        let ticked = bar.clone();
        let thread = thread::spawn(move || {
            let mut wait = DELAY;
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(wait) {
                if wait == DELAY {
                    ticked.set_draw_target(ProgressDrawTarget::stderr());
                }
                update(&ticked);
                ticked.tick();
                wait = TICK;
            }
        });
        DelayedBar { bar, ticking: Some((stop, thread)) }
    }

    /// Returns a writer to `out` that hides the bar while it writes, because both may be on the same terminal.
    pub(crate) fn writer<W: Write>(&self, out: W) -> BarWriter<'_, W> {
        BarWriter { bar: &self.bar, out }
    }

    /// Starts a bar that shows how much of `inputs` has been read according to `meter`.
    pub(crate) fn of_reading(inputs: &[Input], meter: &ReadMeter, charset: Charset) -> DelayedBar {
        // The size of a pipe is not known, so the time left is not known either.
        let n_bytes: Option<u64> = inputs.iter().map(Input::n_bytes).sum();
        let template = match n_bytes {
            Some(_) => {
                "{bar:24} {percent:>3} %  {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left"
            }
            None => "{spinner} {decimal_bytes}, {decimal_bytes_per_sec}, {elapsed}",
        };
        let meter = meter.clone();
        let bar = DelayedBar::start(template, charset, move |bar| bar.set_position(meter.n_read()));
        if let Some(n_bytes) = n_bytes {
            bar.set_length(n_bytes);
        }
        bar
    }
}

impl Deref for DelayedBar {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.bar
    }
}

/// A writer that hides a bar while it writes.
pub(crate) struct BarWriter<'a, W> {
    bar: &'a ProgressBar,
    out: W,
}

impl<W: Write> Write for BarWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bar.suspend(|| self.out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.bar.suspend(|| self.out.flush())
    }
}

impl Drop for DelayedBar {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.ticking.take() {
            drop(stop);
            // A bar that cannot be drawn is not worth an error.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}
