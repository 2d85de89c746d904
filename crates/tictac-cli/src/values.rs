//! Options that several commands share, and parsers for their values.

use std::error::Error;
use std::fmt;
use std::ops::{Bound, RangeBounds};
use std::path::PathBuf;
use std::str::FromStr;
use std::thread;

use bytesize::ByteSize;
use tictac::Rules;

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

    /// The rules of games without a Rules tag, such as '4,4,4 misere'
    #[arg(short, long, value_name = "RULES", default_value = "3,3,3")]
    pub(crate) rules: Rules,
}

/// The option `--threads`.
#[derive(clap::Args)]
pub(crate) struct Threads {
    /// Number of threads to use, 1 to 256 [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = number(1..=MAX_THREADS), allow_negative_numbers = true)]
    threads: Option<usize>,
}

impl Threads {
    pub(crate) fn count(&self) -> usize {
        self.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
    }
}

/// The reason why a number is not accepted, as the rest of a sentence that starts with the name of the option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NumberError(String);

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for NumberError {}

/// Returns a parser for whole numbers in `range`.
pub(crate) fn number<T>(range: impl RangeBounds<T> + Clone) -> impl Fn(&str) -> Result<T, NumberError> + Clone
where
    T: FromStr + PartialOrd + fmt::Display,
{
    move |text| {
        let parsed = text.parse::<T>();
        let is_representable = parsed.is_ok();
        parsed.ok().filter(|number| range.contains(number)).ok_or_else(|| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let is_too_small = is_representable || text.starts_with('-');
            NumberError(match (range.start_bound(), range.end_bound()) {
                _ if !is_number => "must be a whole number".to_owned(),
                (Bound::Included(min), Bound::Included(max)) => format!("must be from {min} to {max}"),
                (Bound::Included(min), _) if is_too_small => format!("must be at least {min}"),
                _ => "is too large".to_owned(),
            })
        })
    }
}

/// Parses an amount of memory such as `1GB`, in bytes.
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    let size: ByteSize = text.parse()?;
    Ok(usize::try_from(size.as_u64()).unwrap_or(usize::MAX))
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
        assert!(bytes("much").is_err());
    }
}
