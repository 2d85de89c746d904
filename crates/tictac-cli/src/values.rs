//! Options that several commands share, and parsers for their values.

use std::error::Error;
use std::fmt;
use std::ops::{Bound, RangeBounds, RangeInclusive};
use std::path::PathBuf;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use bytesize::ByteSize;
use tictac::Rules;

use crate::completions;

/// The largest number of threads that a command accepts: every thread takes memory, and few machines have more cores.
pub(crate) const MAX_THREADS: usize = 256;

/// The files to read, and the rules of games without a `Rules` tag.
#[derive(clap::Args)]
pub(crate) struct Sources {
    /// Files, folders, or - for stdin; gzip and Zstandard are detected by content
    ///
    /// A folder means all files in it and its subfolders, sorted by name, except those whose names start with a dot. Links to
    /// files are followed; links to folders are skipped with a message.
    #[arg(value_name = "FILE|DIR|-", default_value = "-", hide_default_value = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// Rules of games without a Rules tag, such as '4,4,4 misere'
    #[arg(short, long, value_name = "RULES", default_value = "3,3,3", add = completions::rules())]
    pub(crate) rules: Rules,
}

/// The option `--max-errors`.
#[derive(clap::Args)]
pub(crate) struct MaxErrors {
    /// Show at most N errors; all are counted
    #[arg(long, value_name = "N", default_value = "20", value_parser = number(0_u64..))]
    pub(crate) max_errors: u64,
}

/// The option `--threads`.
#[derive(clap::Args)]
pub(crate) struct Threads {
    /// Number of threads to use, 1 to 256 [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = number(1..=MAX_THREADS))]
    threads: Option<usize>,
}

impl Threads {
    /// Returns the requested number of threads, or 0 for one per core.
    pub(crate) fn requested(&self) -> usize {
        self.threads.unwrap_or(0)
    }

    pub(crate) fn count(&self) -> usize {
        self.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
    }
}

/// The reason why a value is not accepted, such as `must be at least 1`: the message puts the name of the option before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ValueError(String);

impl ValueError {
    pub(crate) fn new(reason: impl Into<String>) -> ValueError {
        ValueError(reason.into())
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for ValueError {}

/// Returns a parser for whole numbers in `range`.
pub(crate) fn number<T>(range: impl RangeBounds<T> + Clone) -> impl Fn(&str) -> Result<T, ValueError> + Clone
where
    T: FromStr + PartialOrd + fmt::Display,
{
    move |text| {
        let parsed = text.parse::<T>();
        let is_representable = parsed.is_ok();
        parsed.ok().filter(|number| range.contains(number)).ok_or_else(|| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            // A number that fits the type and is not in the range is too small: ranges without an end have no largest number.
            let is_too_small = is_representable || text.starts_with('-');
            ValueError(match (range.start_bound(), range.end_bound()) {
                _ if !is_number => "must be a whole number".to_owned(),
                (Bound::Included(min), Bound::Included(max)) => format!("must be from {min} to {max}"),
                (Bound::Included(min), _) if is_too_small => format!("must be at least {min}"),
                _ => "is too large".to_owned(),
            })
        })
    }
}

/// Parses an amount of memory such as `1GB`, in bytes.
pub(crate) fn bytes(text: &str) -> Result<usize, ValueError> {
    let refused = |_| ValueError("must be an amount of memory, such as 500MB, 2GB or 1GiB".to_owned());
    let size: ByteSize = text.parse().map_err(refused)?;
    Ok(usize::try_from(size.as_u64()).unwrap_or(usize::MAX))
}

/// The longest time that an option accepts: longer than any run, and short enough to be added to any clock.
pub(crate) const MAX_TIME: Duration = Duration::from_hours(100 * 365 * 24);

/// Returns a parser for times in `range`: `5` and `5s` are seconds, and `500ms`, `0.5`, `2min`, `1h 30min` and `90days` are
/// times, too.
pub(crate) fn time(range: RangeInclusive<Duration>) -> impl Fn(&str) -> Result<Duration, ValueError> + Clone {
    move |text| {
        let time = parse_time(text.trim())
            .ok_or_else(|| ValueError("must be a time, such as 5s, 500ms or 2min".to_owned()))?;
        let (min, max) = (range.start(), range.end());
        let shown = |time: &Duration| humantime::format_duration(*time).to_string();
        match time {
            time if time < *min => Err(ValueError(format!("must be at least {}", shown(min)))),
            time if time > *max && *max == MAX_TIME => Err(ValueError("is too large".to_owned())),
            time if time > *max => Err(ValueError(format!("must be at most {}", shown(max)))),
            time => Ok(time),
        }
    }
}

/// Parses a time such as `1.5s`, or in several parts without decimals, such as `1min 30s`.
fn parse_time(text: &str) -> Option<Duration> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = (&text[..end], text[end..].trim_start());
    let seconds_per_unit = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "min" => 60.0,
        "h" => 3600.0,
        _ => return humantime::parse_duration(text).ok(),
    };
    Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds_per_unit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_outside_its_range_is_refused_with_what_is_accepted() {
        let parse = |text| number(1..=256_usize)(text).map_err(|error| error.to_string());
        assert_eq!((parse("1"), parse("256")), (Ok(1), Ok(256)));
        for text in ["0", "257", "999999999", "99999999999999999999999", "-1"] {
            assert_eq!(parse(text), Err("must be from 1 to 256".to_owned()), "{text}");
        }
        for text in ["many", "", "-", "1.5"] {
            assert_eq!(parse(text), Err("must be a whole number".to_owned()), "{text}");
        }
    }

    #[test]
    fn a_number_without_an_upper_bound_still_has_to_fit() {
        let parse = |text| number(1_u32..)(text).map_err(|error| error.to_string());
        assert_eq!(parse("4294967295"), Ok(u32::MAX));
        for text in ["0", "-1", "-5000000000"] {
            assert_eq!(parse(text), Err("must be at least 1".to_owned()), "{text}");
        }
        assert_eq!(parse("4294967296"), Err("is too large".to_owned()));
    }

    #[test]
    fn memory_is_written_with_a_unit_or_in_bytes() {
        assert_eq!((bytes("1GB"), bytes("64 MiB"), bytes("512")), (Ok(1_000_000_000), Ok(64 << 20), Ok(512)));
        for text in ["much", "", "1 XB", "-1"] {
            let refused = bytes(text).unwrap_err().to_string();
            assert_eq!(refused, "must be an amount of memory, such as 500MB, 2GB or 1GiB", "{text}");
        }
    }

    #[test]
    fn a_time_is_a_number_of_seconds_or_has_a_unit() {
        let parse = |text| time(Duration::ZERO..=MAX_TIME)(text).map_err(|error| error.to_string());
        for (text, milliseconds) in [
            ("5", 5_000),
            ("5s", 5_000),
            ("0.5", 500),
            ("0.5s", 500),
            ("500ms", 500),
            ("2min", 120_000),
            ("1.5h", 5_400_000),
            ("1h 30min", 5_400_000),
            ("2 days", 172_800_000),
            ("10 sec", 10_000),
            ("0", 0),
        ] {
            assert_eq!(parse(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "-1", "soon", "5x", "1e400", "NaN", "inf", ".", "5 5"] {
            assert_eq!(parse(text), Err("must be a time, such as 5s, 500ms or 2min".to_owned()), "{text}");
        }
        assert_eq!(parse("99999999999"), Err("is too large".to_owned()));
    }

    #[test]
    fn a_time_outside_its_range_is_refused_with_the_limit() {
        let day = Duration::from_hours(24);
        let parse = |text| time(Duration::from_millis(10)..=day)(text).map_err(|error| error.to_string());
        assert_eq!(parse("24h"), Ok(day));
        assert_eq!(parse("0"), Err("must be at least 10ms".to_owned()));
        assert_eq!(parse("25h"), Err("must be at most 1day".to_owned()));
    }
}
