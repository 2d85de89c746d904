//! A bar on standard error for those who wait.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tictac_grader::Progress;

/// Nobody needs a bar for less.
const MOMENT: Duration = Duration::from_millis(700);

/// A bar that appears after a moment, where standard error is a terminal; cleared when dropped.
pub(crate) struct Bar {
    line: ProgressBar,
    start: Instant,
    is_wanted: bool,
}

impl Bar {
    /// Returns a bar for so many `things`.
    pub(crate) fn new(prefix: &'static str, things: &str) -> Bar {
        let bar = ProgressBar::hidden();
        let style =
            ProgressStyle::with_template(&format!("{{prefix}} {{bar:30}} {{pos}}/{{len}} {things} {{msg}}"));
        bar.set_style(style.expect("the template is ours"));
        bar.set_prefix(prefix);
        Bar { line: bar, start: Instant::now(), is_wanted: stderr().is_terminal() }
    }

    pub(crate) fn show(&self, progress: Progress) {
        if self.is_wanted && self.line.is_hidden() && self.start.elapsed() >= MOMENT {
            self.line.set_draw_target(ProgressDrawTarget::stderr());
        }
        match progress {
            Progress::Trying { done, all } => {
                self.line.set_length(all as u64);
                self.line.set_position(done as u64);
            }
            Progress::Shrinking(id) => {
                self.line.set_message(format!("making a failing input smaller: {id}"));
                self.line.tick();
            }
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}
