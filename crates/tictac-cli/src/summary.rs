//! The totals as text: counts, percentages, a bar chart, throughput.

use std::time::Duration;

use bytesize::ByteSize;
use indicatif::HumanCount;
use tictac_archive::{CheckSummary, Ending};

/// The length of the bar for 100 %.
const WIDTH: u32 = 40;
/// The smallest input for which throughput is shown; for smaller ones, start-up time dominates.
const MIN_BYTES: u64 = 1_000_000;

/// Returns the summary, one line per number.
pub(crate) fn text(summary: &CheckSummary, time: Duration) -> String {
    let totals = &summary.totals;
    let n_games = totals.games();
    let width = grouped(n_games.max(totals.moves)).len();
    let mut lines = vec![
        format!("games       {:>width$}", grouped(n_games)),
        format!("moves       {:>width$}", grouped(totals.moves)),
    ];
    for ending in Ending::ALL {
        let share = totals.of(ending) as f64 / n_games.max(1) as f64;
        let (name, bar) = (label(ending), bar(share));
        let line =
            format!("{name:<12}{:>width$} {:>6} %  {bar}", grouped(totals.of(ending)), percentage(share));
        lines.push(line.trim_end().to_owned());
    }
    if summary.n_bytes >= MIN_BYTES {
        lines.push(String::new());
        lines.push(throughput(summary.n_bytes, time));
    }
    lines.join("\n") + "\n"
}

/// Returns the size of the input, the time and the rate, such as `2.0 GB in 0.50 s, 4.0 GB/s`.
pub(crate) fn throughput(n_bytes: u64, time: Duration) -> String {
    let size = |n_bytes: u64| ByteSize(n_bytes).display().si().to_string();
    let rate = u128::from(n_bytes) * 1_000_000 / time.as_micros().max(1);
    let rate = size(u64::try_from(rate).unwrap_or(u64::MAX));
    format!("{} in {:.2} s, {rate}/s", size(n_bytes), time.as_secs_f64())
}

const fn label(ending: Ending) -> &'static str {
    match ending {
        Ending::XWon => "X won",
        Ending::OWon => "O won",
        Ending::Drawn => "drawn",
        Ending::Unfinished => "unfinished",
        Ending::Bad => "bad",
    }
}

/// Returns a share in percent; only 0 and 1 are written as 0.0 and 100.0.
fn percentage(share: f64) -> String {
    match share * 100.0 {
        percent if percent > 0.0 && percent < 0.05 => "<0.1".to_owned(),
        percent if (99.95..100.0).contains(&percent) => ">99.9".to_owned(),
        percent => format!("{percent:.1}"),
    }
}

/// Returns a bar of `#`; any share above 0 has at least one.
pub(crate) fn bar(share: f64) -> String {
    (0..WIDTH).filter(|&place| share * f64::from(WIDTH) > f64::from(place)).map(|_| '#').collect()
}

/// Returns a number with its digits in groups of three, such as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

#[cfg(test)]
mod tests {
    use tictac_archive::Totals;

    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        let check = |number, expected: &str| assert_eq!(grouped(number), expected);
        check(0, "0");
        check(999, "999");
        check(1000, "1,000");
        check(1_234_567, "1,234,567");
    }

    #[test]
    fn shares_close_to_none_and_all_are_not_rounded_away() {
        let totals = Totals { drawn: 999_999, bad: 1, ..Totals::default() };
        let summary = CheckSummary { totals, n_bytes: 0, n_unreadable: 0 };
        let text = text(&summary, Duration::ZERO);
        assert!(text.contains("drawn         999,999  >99.9 %  ####"), "{text}");
        assert!(text.ends_with("bad                 1   <0.1 %  #\n"), "{text}");
        assert!(text.contains("X won               0    0.0 %\n"), "{text}");
    }

    #[test]
    fn every_share_above_zero_has_a_bar() {
        let totals = Totals { moves: 7900, x_won: 989, o_won: 10, bad: 1, ..Totals::default() };
        let summary = CheckSummary { totals, n_bytes: 2_000_000_000, n_unreadable: 0 };
        assert_eq!(
            text(&summary, Duration::from_millis(500)),
            "games       1,000\n\
             moves       7,900\n\
             X won         989   98.9 %  ########################################\n\
             O won          10    1.0 %  #\n\
             drawn           0    0.0 %\n\
             unfinished      0    0.0 %\n\
             bad             1    0.1 %  #\n\
             \n2.0 GB in 0.50 s, 4.0 GB/s\n"
        );
    }
}
