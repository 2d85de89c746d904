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
    let mut page = format!("{HEADING}{}{NOTABLE}", summary(rows));
    for (variant, (name, _)) in VARIANTS.into_iter().enumerate() {
        let picture = format!("images/solved-{variant}.svg");
        fs::write(root().join("docs").join(&picture), picture::draw(variant, rows))?;
        let totals = totals(variant, rows);
        write!(page, "\n## {name}\n\n![{name}: who wins on each board]({picture})\n\n{totals}")?;
    }
    write!(page, "\n## Notakto on several boards\n\n{NOTAKTO}\n## Certificates\n\n{CERTIFICATES}")?;
    for LargeCertificate { rules, positions, bytes, seconds, verify, python, sha256 } in certificates::read()?
    {
        writeln!(
            page,
            "| {rules} | {positions} | {bytes} | {seconds:.2} | {verify:.2} | {python:.2} | `{sha256}` |"
        )?;
    }
    write!(page, "\n## Sources\n\n{SOURCES}")?;
    fs::write(root().join("docs/solved.md"), page)?;
    Ok(())
}

/// Returns how many games of a variant each side wins, and which are open.
fn totals(variant: usize, rows: &[AtlasRow]) -> String {
    let mut totals = [("first", 0), ("draw", 0), ("second", 0)];
    let mut open = Vec::new();
    for rules in AtlasRules::all().into_iter().filter(|rules| rules.variant == variant) {
        let text = rules.text();
        let value = rows.iter().find(|row| row.rules == text).map_or("", |row| row.value.as_str());
        match totals.iter_mut().find(|(name, _)| *name == value) {
            Some((_, total)) => *total += 1,
            None => open.push(format!("{},{},{}", rules.m, rules.n, rules.k)),
        }
    }
    let [(_, first), (_, draw), (_, second)] = totals;
    let open = if open.is_empty() { "none".to_owned() } else { open.join(" ") };
    format!(
        "Won by the first player: {first}. Drawn: {draw}. Won by the second player: {second}. Open: {open}.\n"
    )
}

/// Returns a sentence about how many games are settled.
fn summary(rows: &[AtlasRow]) -> String {
    let n_settled = rows.iter().filter(|row| row.is_settled()).count();
    let n_new = rows.iter().filter(|row| row.is_settled() && row.source == "new").count();
    format!(
        "Of the {} games tried, {n_settled} are settled; {n_new} of them were not found in print.\n",
        rows.len()
    )
}

const HEADING: &str = "\
# Solved games

Who wins from the empty board with perfect play, on boards of up to 36 squares in six variants, and on larger boards with plain rules. `cargo xtask
solved` writes this page. The pictures show every game: the row is the size of the board, the column the length of a line.

The full table is [games/outcomes.csv](../games/outcomes.csv), one line per game:

| column | meaning |
|---|---|
| `rules` | as in [notation](notation.md), such as `6,4,3 wild misere` |
| `value` | `first`, `draw` or `second`; `draw or second` if the first player is proved not to win; `open` |
| `source` | where the value was published first, by the letters [below](#sources); `new` if we did not find it in print |
| `method`, `nodes`, `seconds` | how it was solved, the positions searched and the processor time on one thread, by the version that solved it or gave up. [Performance](performance.md#bench-solve---limit-60) has today's times |

Every value comes from `tictac solve --weak --threads 1 --rules RULES`. A few needed more memory than the default: up to 8 GB, and `--memory 10GB` for X-only games of
36 squares. ";

const NOTABLE: &str = "
## Notable results

- **Three in a row**: the first player wins on every board of at least 4×3. Only 3×3 is a draw.
- **Four in a row**: draws on 5×5, on three columns, and on four columns up to 8×4. The first player wins on 6×5 and every larger board with at least
  five columns, and on four columns from 9×4 on. 11×4 to 14×4 and 16×4 are wins that we did not find in print.
- **Five in a row**: draws on every board tried, up to 8×8 and 12×5. 9,7,5, 12,5,5 and 10,6,5 were not found in print.
- **Misère**: the first player wins on no board of the atlas. With three in a row, the second player wins on every solved board of at least 4×3.
- **Wild**: with three in a row on at least three columns, the first player wins every solved board with an odd number of squares, and the second player every other.
- **Wild misère**: the second player wins 8,3,3, 6,4,3 and 5,5,3, the longest searches of this variant. The only win of the first player is 7,3,3.
";

const NOTAKTO: &str = include_str!("notakto.md");

const CERTIFICATES: &str = "\
Certificates of notable results, in the form of [certificates.md](certificates.md), made by `cargo xtask certificates`. Those of less than 1 MB are
in `games/certificates`; the others are made again by `tictac solve --weak --threads 1 --memory 8GB --rules RULES --certificate FILE`. The hash is that
of the text; another version of the solver may write another proof of the same value. Seconds of the processor: to solve and to write the
certificate; to check it with `tictac verify`; and with `verify/verify.py`. [Performance](performance.md) has today's times to solve alone.

| rules | positions | bytes | solve and write | verify | verify.py | SHA-256 |
|---|---:|---:|---:|---:|---:|---|
";
