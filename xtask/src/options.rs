//! The options of tasks that have several.

use std::str::FromStr;

use anyhow::{bail, ensure};
use pico_args::Arguments;

/// The words after the name of a task, from which options are taken until nothing is left.
pub(crate) struct Options(Arguments);

impl Options {
    pub(crate) fn of(words: &[&str]) -> Options {
        Options(Arguments::from_vec(words.iter().map(Into::into).collect()))
    }

    /// Takes an option without a value, such as `--again`.
    pub(crate) fn flag(&mut self, name: &'static str) -> bool {
        self.0.contains(name)
    }

    /// Takes an option with a value, such as `--limit 20`.
    pub(crate) fn value<T: FromStr>(&mut self, name: &'static str) -> anyhow::Result<Option<T>> {
        match self.0.opt_value_from_str::<_, String>(name)? {
            None => Ok(None),
            Some(text) => match text.parse() {
                Ok(value) => Ok(Some(value)),
                Err(_) => bail!("{name} cannot be {text}"),
            },
        }
    }

    /// Takes the words that are left, none of which may look like an option.
    pub(crate) fn rest(self) -> anyhow::Result<Vec<String>> {
        let words = self.0.finish().into_iter().map(|word| word.to_string_lossy().into_owned());
        let words: Vec<String> = words.collect();
        let unknown = words.iter().find(|word| word.starts_with('-'));
        ensure!(unknown.is_none(), "unknown option {}", unknown.map_or("", String::as_str));
        Ok(words)
    }

    /// Fails unless everything has been taken.
    pub(crate) fn end(self) -> anyhow::Result<()> {
        let words = self.rest()?;
        ensure!(words.is_empty(), "unexpected: {}", words.join(" "));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_taken_in_any_order_and_others_are_refused() {
        let words = ["a", "--again", "b", "--limit", "2"];
        let mut options = Options::of(&words);
        assert_eq!(options.value("--limit").unwrap(), Some(2));
        assert_eq!(options.value::<u32>("--seed").unwrap(), None);
        assert!(options.flag("--again") && !options.flag("--again"));
        assert_eq!(options.rest().unwrap(), ["a", "b"]);
        assert!(Options::of(&["--limit"]).value::<u32>("--limit").is_err());
        let error = Options::of(&["--limit", "x"]).value::<u32>("--limit").unwrap_err();
        assert_eq!(error.to_string(), "--limit cannot be x");
        assert_eq!(Options::of(&words).end().unwrap_err().to_string(), "unknown option --again");
    }
}
