//! The totals for people: shares, a small chart, throughput.

use std::time::Duration;

use bytesize::ByteSize;
use tictac_archive::{CheckSummary, Ending};

/// The length of a bar that stands for all games.
const WIDTH: u32 = 40;
/// The speed of fewer bytes would be that of starting the program.
const ENOUGH: u64 = 1_000_000;

/// Returns the summary, a line each.
pub(super) fn in_words(summary: &CheckSummary, time: Duration) -> String {
    let totals = &summary.totals;
    let n_games = totals.games();
    let width = grouped(n_games.max(totals.moves)).len();
    let mut lines = vec![
        format!("games       {:>width$}", grouped(n_games)),
        format!("moves       {:>width$}", grouped(totals.moves)),
    ];
    for ending in Ending::ALL {
        let share = totals.of(ending) as f64 / n_games.max(1) as f64;
        let (name, bar) = (name_of(ending), bar(share));
        let line =
            format!("{name:<12}{:>width$} {:>6} %  {bar}", grouped(totals.of(ending)), percentage(share));
        lines.push(line.trim_end().to_owned());
    }
    if summary.n_bytes >= ENOUGH {
        let size = |n_bytes: u64| ByteSize(n_bytes).display().si().to_string();
        let rate = u128::from(summary.n_bytes) * 1_000_000 / time.as_micros().max(1);
        let rate = size(u64::try_from(rate).unwrap_or(u64::MAX));
        lines.push(String::new());
        lines.push(format!("{} in {:.2} s, {rate}/s", size(summary.n_bytes), time.as_secs_f64()));
    }
    lines.join("\n") + "\n"
}

const fn name_of(ending: Ending) -> &'static str {
    match ending {
        Ending::XWon => "X won",
        Ending::OWon => "O won",
        Ending::Drawn => "drawn",
        Ending::Unfinished => "unfinished",
        Ending::Bad => "bad",
    }
}

/// Returns a share in percent; one that is not nothing, or not all, does not look as if it were.
fn percentage(share: f64) -> String {
    match share * 100.0 {
        percent if percent > 0.0 && percent < 0.05 => "<0.1".to_owned(),
        percent if (99.95..100.0).contains(&percent) => ">99.9".to_owned(),
        percent => format!("{percent:.1}"),
    }
}

/// A share of 1 is a full bar; whatever is not nothing is seen.
pub(crate) fn bar(share: f64) -> String {
    (0..WIDTH).filter(|&place| share * f64::from(WIDTH) > f64::from(place)).map(|_| '#').collect()
}

/// Returns a number with its digits in groups of three: `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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
    fn one_in_a_million_is_not_nothing_and_the_others_are_not_all() {
        let totals = Totals { drawn: 999_999, bad: 1, ..Totals::default() };
        let summary = CheckSummary { totals, n_bytes: 0, n_unreadable: 0 };
        let words = in_words(&summary, Duration::ZERO);
        assert!(words.contains("drawn         999,999  >99.9 %  ####"), "{words}");
        assert!(words.ends_with("bad                 1   <0.1 %  #\n"), "{words}");
        assert!(words.contains("X won               0    0.0 %\n"), "{words}");
    }

    #[test]
    fn the_chart_shows_every_share_that_is_not_nothing() {
        let totals = Totals { moves: 7900, x_won: 989, o_won: 10, bad: 1, ..Totals::default() };
        let summary = CheckSummary { totals, n_bytes: 2_000_000_000, n_unreadable: 0 };
        assert_eq!(
            in_words(&summary, Duration::from_millis(500)),
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
