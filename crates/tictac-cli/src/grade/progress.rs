//! The progress bar of `tictac grade`.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tictac_grader::GradeProgress;

/// The bar appears after this time.
const DELAY: Duration = Duration::from_millis(700);

/// A progress bar that appears after [`DELAY`] if standard error is a terminal, and is cleared when dropped.
pub(crate) struct GradeBar {
    line: ProgressBar,
    start: Instant,
    is_wanted: bool,
}

impl GradeBar {
    /// Returns a bar that counts `things`.
    pub(crate) fn new(prefix: &'static str, things: &str) -> GradeBar {
        let bar = ProgressBar::hidden();
        let style =
            ProgressStyle::with_template(&format!("{{prefix}} {{bar:30}} {{pos}}/{{len}} {things} {{msg}}"));
        bar.set_style(style.expect("the template is valid"));
        bar.set_prefix(prefix);
        GradeBar { line: bar, start: Instant::now(), is_wanted: stderr().is_terminal() }
    }

    /// Shows the progress of grading.
    pub(crate) fn show(&self, progress: GradeProgress) {
        if self.is_wanted && self.line.is_hidden() && self.start.elapsed() >= DELAY {
            self.line.set_draw_target(ProgressDrawTarget::stderr());
        }
        match progress {
            GradeProgress::Trying { done, all } => {
                self.line.set_length(all as u64);
                self.line.set_position(done as u64);
            }
            GradeProgress::Shrinking(id) => {
                self.line.set_message(format!("shrinking a failing input: {id}"));
                self.line.tick();
            }
        }
    }
}
