//! A progress line on standard error.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use tictac::solve::Meter;

/// Starts a line with the nodes, nodes per second and memory use of `meter`, and the time.
///
/// The line is shown only on a terminal, and is cleared when dropped.
pub(super) fn start(meter: &Arc<Meter>) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    let counted = Arc::clone(meter);
    let nodes = move |state: &ProgressState, out: &mut dyn Write| {
        let seconds = state.elapsed().as_secs_f64().max(0.001);
        let nodes = counted.nodes();
        // A progress line that cannot be drawn is not worth an error.
        let rate = abbreviated(nodes as f64 / seconds);
        let _ = write!(out, "{} nodes, {rate} per second", abbreviated(nodes as f64));
        let _ = write!(out, ", memory {:.0} % full", counted.fill() * 100.0);
    };
    let style = ProgressStyle::with_template("{spinner} {elapsed}  {nodes}  {msg}");
    bar.set_style(style.expect("the template is ours").with_key("nodes", nodes));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Returns a large number in a few characters, such as `12.3 M`.
fn abbreviated(number: f64) -> String {
    match number {
        ..1e3 => format!("{number:.0}"),
        1e3..1e6 => format!("{:.1} k", number / 1e3),
        1e6..1e9 => format!("{:.1} M", number / 1e6),
        _ => format!("{:.1} G", number / 1e9),
    }
}
