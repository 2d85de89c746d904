//! The page `docs/solved.md` and its pictures.

use std::fmt::Write as _;
use std::fs;

use super::atlas::{AtlasRules, SOURCES, VARIANTS};
use super::outcome::AtlasRow;
use super::picture;
use crate::cargo::root;
use crate::certificates::{self, LargeCertificate};

/// Writes the page and one picture per variant.
pub(super) fn write(rows: &[AtlasRow]) -> anyhow::Result<()> {
    let certificates = certificates::read()?;
    let mut page = format!("{HEADING}{}", summary(rows));
    for (variant, (name, _)) in VARIANTS.into_iter().enumerate() {
        let picture = format!("images/solved-{variant}.svg");
        fs::write(root().join("docs").join(&picture), picture::draw(variant, rows))?;
        write!(page, "\n## {name}\n\n![{name}: who wins on each board]({picture})\n\n{TABLE}")?;
        let games = AtlasRules::all().into_iter().filter(|rules| rules.variant == variant && rules.n > 2);
        for text in games.map(AtlasRules::text) {
            write_row(&mut page, &text, rows, &certificates)?;
        }
    }
    write!(page, "\n## Notakto on several boards\n\n{NOTAKTO}\n{TABLE}")?;
    for row in rows.iter().filter(|row| row.rules.contains("boards=")) {
        write_row(&mut page, &row.rules, rows, &certificates)?;
    }
    write!(page, "\n## Certificates\n\n{CERTIFICATES}")?;
    for LargeCertificate { rules, positions, bytes, seconds, verify, python, sha256 } in &certificates {
        writeln!(
            page,
            "| {rules} | {positions} | {bytes} | {seconds:.2} | {verify:.2} | {python:.2} | `{sha256}` |"
        )?;
    }
    write!(page, "\n## Sources\n\n{SOURCES}")?;
    fs::write(root().join("docs/solved.md"), page)?;
    Ok(())
}

fn write_row(
    page: &mut String,
    rules: &str,
    rows: &[AtlasRow],
    certificates: &[LargeCertificate],
) -> anyhow::Result<()> {
    let Some(row) = rows.iter().find(|row| row.rules == rules) else {
        writeln!(page, "| {rules} | not tried | | | | | |")?;
        return Ok(());
    };
    let AtlasRow { value, source, method, nodes, seconds, .. } = row;
    let value =
        if row.is_settled() { value.clone() } else { format!("open: {value}").replace("open: open", "open") };
    let certificate = certificates.iter().find(|certificate| certificate.rules == rules);
    let bytes = certificate.map_or(String::new(), |certificate| certificate.bytes.to_string());
    let source = if row.is_settled() { source } else { "" };
    writeln!(page, "| {rules} | {value} | {source} | {method} | {nodes} | {seconds:.2} | {bytes} |")?;
    Ok(())
}

/// Returns a sentence about how many games are settled.
fn summary(rows: &[AtlasRow]) -> String {
    let n_settled = rows.iter().filter(|row| row.is_settled()).count();
    let n_new = rows.iter().filter(|row| row.is_settled() && row.source == "new").count();
    format!(
        "Of the {} games tried so far, {n_settled} are settled, {n_new} of them not found in print.\n",
        rows.len()
    )
}

const HEADING: &str = "\
# Solved games

Who wins from the empty board with perfect play. `cargo xtask solved` writes this page from `games/outcomes.csv`, after solving what is open
within a time limit per game (`--limit SECONDS`; a killed run goes on where it stopped). Every value was found by `tictac solve --weak
--threads 1 --rules RULES` unless its method says otherwise; seconds are those of the processor on one core of a shared 2-core machine, and
an open game shows the effort after which it was given up. A node is a searched position; boards small enough for a table of all
positions need none. X-only games of 36 squares were solved with `--memory 10GB`, and some that took minutes with 4 to 8 GB. \"draw or second\" means that the first player is proved not to win. Boards of two columns are left out of the tables, but
are in the pictures and in the file.

The column *source* names where the value was published first; *new* means that we did not find it in print (see [Sources](#sources)).
";

const TABLE: &str = "\
| rules | winner | source | how | nodes | seconds | certificate, bytes |
|---|---|---|---|---:|---:|---:|
";

const NOTAKTO: &str = include_str!("notakto.md");

const CERTIFICATES: &str = "\
Certificates of notable results, in the form of [certificates.md](certificates.md), made by `cargo xtask certificates`. Those of less than 1 MB are
in `games/certificates`; the others are made again by `tictac solve --weak --threads 1 --memory 8GB --rules RULES --certificate FILE`. The hash is that
of the text; another version of the solver may write another proof of the same value. Seconds of the processor: to solve and to write the
certificate; to check it with `tictac verify`; and with `verify/verify.py`.

| rules | positions | bytes | solve and write | verify | verify.py | SHA-256 |
|---|---:|---:|---:|---:|---:|---|
";
