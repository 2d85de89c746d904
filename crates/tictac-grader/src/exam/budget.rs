//! Fewer cases while the machine is busy.

use std::time::Duration;

/// After this time the cost of a case is known well enough.
const SURE_AFTER: Duration = Duration::from_secs(2);
/// At least this many cases are tried.
const MIN_CASES: usize = 500;
/// A machine is busy if it has more than this many processes ready per processor. Grading itself accounts for two.
const BUSY_LOAD: f64 = 4.0;

/// What is known after some cases were tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct CaseCosts {
    pub(super) elapsed: Duration,
    pub(super) n_done: usize,
    pub(super) n_left: usize,
}

impl CaseCosts {
    /// Returns how many of the cases that are left fit into the budget on a machine with this load per processor.
    pub(super) fn n_affordable(self, budget: Duration, load: f64) -> usize {
        let CaseCosts { elapsed, n_done, n_left } = self;
        if elapsed < SURE_AFTER || load <= BUSY_LOAD || n_done == 0 {
            return n_left;
        }
        let each = elapsed.as_secs_f64() / n_done as f64;
        let left = budget.saturating_sub(elapsed).as_secs_f64();
        // The number is not negative, and at most that of the cases.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let n = (left / each).min(n_left as f64) as usize;
        n.max(MIN_CASES.saturating_sub(n_done)).min(n_left)
    }
}

/// Returns `n` of the cases, evenly spaced: they are ordered from simple to complex.
pub(super) fn thinned<T>(cases: Vec<T>, n: usize) -> Vec<T> {
    let n_all = cases.len();
    let is_kept = |at: usize| (at + 1) * n / n_all > at * n / n_all;
    cases.into_iter().enumerate().filter(|(at, _)| is_kept(*at)).map(|(_, case)| case).collect()
}

/// Returns how many processes are ready per processor, on average over the last minute; 0 if the system does not say.
pub(super) fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = text.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0.0);
    load / std::thread::available_parallelism().map_or(1.0, |n| n.get() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_that_do_not_fit_are_left_out_only_while_the_machine_is_busy() {
        let n = |seconds, n_done, n_left, load| {
            let costs = CaseCosts { elapsed: Duration::from_secs(seconds), n_done, n_left };
            costs.n_affordable(Duration::from_mins(1), load)
        };
        assert_eq!(n(10, 1000, 11_000, 12.0), 5000, "a case takes 10 ms, and 50 s are left");
        assert_eq!(n(10, 1000, 3000, 12.0), 3000, "they fit");
        assert_eq!(n(10, 1000, 11_000, 2.0), 11_000, "the program is slow, not the machine");
        assert_eq!(n(1, 8, 11_000, 12.0), 11_000, "too early to know");
        assert_eq!(n(90, 1000, 11_000, 12.0), 0, "the time is over");
        assert_eq!(n(90, 100, 11_000, 12.0), 400, "some are tried in any case");
    }

    #[test]
    fn what_is_left_is_evenly_spaced() {
        assert_eq!(thinned((0..10).collect(), 5), [1, 3, 5, 7, 9]);
        assert_eq!(thinned((0..10).collect(), 10), (0..10).collect::<Vec<_>>());
        assert_eq!(thinned((0..10).collect::<Vec<_>>(), 0), Vec::<i32>::new());
        assert_eq!(thinned((0..1000).collect::<Vec<_>>(), 7).len(), 7);
        assert!(thinned(Vec::<i32>::new(), 0).is_empty());
    }
}
