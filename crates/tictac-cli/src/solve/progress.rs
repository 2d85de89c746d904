//! A line on standard error for those who wait.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use tictac::solve::Meter;

/// A line with nodes, nodes a second, memory in use and time; only where standard error is a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Starts the line; `meter` is read whenever it is drawn.
    pub(super) fn start(meter: &Arc<Meter>) -> Progress {
        let bar = ProgressBar::new_spinner();
        let counted = Arc::clone(meter);
        let nodes = move |state: &ProgressState, out: &mut dyn Write| {
            let seconds = state.elapsed().as_secs_f64().max(0.001);
            let nodes = counted.nodes();
            // What cannot be drawn is not worth an error.
            let rate = in_short(nodes as f64 / seconds);
            let _ = write!(out, "{} nodes, {rate} a second", in_short(nodes as f64));
            // The provers of plain games do not say how full their tables are.
            if counted.fill() > 0.0 {
                let _ = write!(out, ", memory {:.0} % full", counted.fill() * 100.0);
            }
        };
        let style = ProgressStyle::with_template("{spinner} {elapsed}  {nodes}  {msg}");
        bar.set_style(style.expect("the template is ours").with_key("nodes", nodes));
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress { bar }
    }

    /// Says what is being tried.
    pub(super) fn say(&self, what: String) {
        self.bar.set_message(what);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A large number in a few characters: `12.3 M`.
fn in_short(number: f64) -> String {
    match number {
        ..1e3 => format!("{number:.0}"),
        1e3..1e6 => format!("{:.1} k", number / 1e3),
        1e6..1e9 => format!("{:.1} M", number / 1e6),
        _ => format!("{:.1} G", number / 1e9),
    }
}
