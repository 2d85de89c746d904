//! A row of `games/outcomes.csv`.

use std::fs;
use std::path::Path;

use anyhow::Context;

/// The outcome of one set of rules, or the effort after which it is still open.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AtlasRow {
    pub(super) rules: String,
    /// `first`, `draw` or `second`; two of them with `or` between them, or `open`, if it is not known.
    pub(super) value: String,
    /// The key of a publication, or `new`.
    pub(super) source: String,
    /// How it was solved, or `not solved here`.
    pub(super) method: String,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
}

/// The first line of the file.
const HEADER: &str = "rules,value,source,method,nodes,seconds";

impl AtlasRow {
    /// Returns whether the value is known.
    pub(super) fn is_settled(&self) -> bool {
        ["first", "draw", "second"].contains(&self.value.as_str())
    }

    /// Returns whether another value of the same rules contradicts this one.
    pub(super) fn contradicts(&self, value: &str) -> bool {
        let possible = |value: &str| match value {
            "open" => vec!["first", "draw", "second"],
            value => ["first", "draw", "second"].into_iter().filter(|&word| value.contains(word)).collect(),
        };
        possible(&self.value).iter().all(|word| !possible(value).contains(word))
    }

    fn parse(line: &str) -> Option<AtlasRow> {
        let (rules, rest) = line.strip_prefix('"')?.split_once("\",")?;
        let columns: Vec<&str> = rest.split(',').collect();
        let [value, source, method, nodes, seconds] = columns[..] else { return None };
        Some(AtlasRow {
            rules: rules.to_owned(),
            value: value.to_owned(),
            source: source.to_owned(),
            method: method.to_owned(),
            nodes: nodes.parse().ok()?,
            seconds: seconds.parse().ok()?,
        })
    }

    /// Returns the line of the file. A method has no comma in it.
    fn line(&self) -> String {
        let AtlasRow { rules, value, source, method, nodes, seconds } = self;
        format!("\"{rules}\",{value},{source},{},{nodes},{seconds:.3}\n", method.replace(',', ";"))
    }
}

/// Reads all rows.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<AtlasRow>> {
    let text = fs::read_to_string(path)?;
    let rows = text.lines().skip(1);
    rows.map(|line| AtlasRow::parse(line).with_context(|| format!("cannot read {line}"))).collect()
}

/// Writes all rows to a new file that then replaces the old one, so that a killed run leaves a whole file.
pub(super) fn write(path: &Path, rows: &[AtlasRow]) -> anyhow::Result<()> {
    let lines: String = rows.iter().map(AtlasRow::line).collect();
    let new = path.with_extension("new");
    fs::write(&new, format!("{HEADER}\n{lines}"))?;
    fs::rename(new, path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_reads_back_and_knows_what_contradicts_it() {
        let row = AtlasRow::parse("\"5,5,4 misere\",draw or second,new,search; then table,12,3.500").unwrap();
        assert_eq!(AtlasRow::parse(row.line().trim_end()), Some(row.clone()));
        assert!(
            !row.is_settled()
                && row.contradicts("first")
                && !row.contradicts("draw")
                && !row.contradicts("open")
        );
        assert_eq!(AtlasRow::parse("5,5,4,draw"), None);
    }
}
