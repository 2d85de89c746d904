//! How values are written to the files that are remembered between runs, and how files of earlier versions are read.

use toml::{Table, Value};

/// Values that are stored as their text.
pub(crate) mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(crate) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Parses TOML or, if it is none, lines such as `theme = dark`: earlier versions wrote them, and so do people.
pub(crate) fn table(text: &str) -> Table {
    if let Ok(table) = text.parse() {
        return table;
    }
    let mut table = Table::new();
    for (key, value) in text.lines().filter_map(|line| line.split_once('=')) {
        let (key, value) = (key.trim(), value.trim());
        let in_toml =
            format!("value = {value}").parse::<Table>().ok().and_then(|mut one| one.remove("value"));
        let value = match (key, value) {
            // The number may be too large for TOML.
            ("seed", seed) => seed.into(),
            (_, "yes") => true.into(),
            (_, "no") => false.into(),
            ("recent", _) if in_toml.is_none() => {
                let mut files = table.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
                files.push(value.into());
                files.into()
            }
            ("learned", ids) if in_toml.is_none() => list(ids, ' '),
            ("moves" | "undone", moves) if in_toml.is_none() => list(moves, ','),
            ("repeat", lessons) => lessons.split_whitespace().filter_map(lesson).collect::<Table>().into(),
            (_, text) => in_toml.unwrap_or_else(|| text.into()),
        };
        table.insert(key.to_owned(), value);
    }
    if let (Some(first), Some(second)) = (table.remove("first"), table.remove("second")) {
        table.insert("seats".to_owned(), vec![first, second].into());
    }
    table
}

fn list(text: &str, separator: char) -> Value {
    let parts = text.split(separator).map(str::trim).filter(|part| !part.is_empty());
    parts.map(Value::from).collect::<Vec<_>>().into()
}

/// Parses a lesson to repeat such as `fork:0:20410`: its stage and its day.
fn lesson(word: &str) -> Option<(String, Value)> {
    let (id, rest) = word.split_once(':')?;
    let (stage, day) = rest.split_once(':')?;
    let [stage, day] = [stage, day].map(|number| number.parse::<u32>().ok());
    let lesson = [("stage", i64::from(stage?)), ("day", i64::from(day?))];
    let lesson: Table = lesson.into_iter().map(|(key, number)| (key.to_owned(), number.into())).collect();
    Some((id.to_owned(), lesson.into()))
}
