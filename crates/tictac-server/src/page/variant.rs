//! Descriptions of the rules: in words for players, and as data for the script.
//!
//! The script does not contain the names of variants. It reads the size and the number of boards from the text of the rules,
//! and looks up everything else in [`catalogue`].

use std::fmt::Display;

use maud::{Markup, html};
use serde_json::{Value, json};
use tictac::{Goal, Grid, Mark, Player, Rules};

use super::language::{Language, text};

/// Returns every combination of marks and goal, in the order of [`Rules::variants`].
fn variants() -> impl Iterator<Item = Rules> {
    // On 3×3, some variants have a short name; on 4×4, none has.
    let size = Grid::new(4, 4).and_then(|grid| Rules::new(grid, 4).ok()).expect("4,4,4 are valid rules");
    size.variants()
}

/// Returns the words of every variant, which follow the size in the text of the rules: `wild misere`.
pub(super) fn all_words() -> Vec<String> {
    let words = |text: String| text.split_once(' ').map_or_else(String::new, |(_, words)| words.to_owned());
    variants().map(|rules| words(rules.to_string())).collect()
}

/// Returns every variant with the marks that the first and the second player may write if X opens.
fn descriptions(language: Language) -> Vec<Value> {
    let marks = |rules: &Rules, player| rules.marks_of(player, Mark::X).iter().map(ToString::to_string);
    let describe = |(rules, words): (Rules, String)| {
        let marks = Player::BOTH.map(|player| marks(&rules, player).collect::<Vec<_>>());
        json!({ "words": words, "marks": marks, "line": line_result(&rules), "summary": language.t(template(&rules)) })
    };
    variants().zip(all_words()).map(describe).collect()
}

/// Renders the variants, and the short names of some of them on 3×3, as data for the script.
pub(super) fn catalogue(language: Language) -> Markup {
    let mut names = serde_json::Map::from_iter([("classic".to_owned(), json!(""))]);
    let short = Rules::CLASSIC.variants().map(|rules| rules.to_string()).zip(all_words());
    names.extend(short.filter(|(text, _)| !text.contains(',')).map(|(text, words)| (text, json!(words))));
    let catalogue = json!({ "variants": descriptions(language), "names": names });
    html! { template #variants data-catalogue=(catalogue) {} }
}

/// Returns what completing a line does: `wins` or `loses`.
pub(super) const fn line_result(rules: &Rules) -> &'static str {
    match rules.goal() {
        Goal::Complete => "wins",
        Goal::Avoid => "loses",
    }
}

/// Returns the rules in words, with `{rows}`, `{columns}` and `{length}` to be filled in.
const fn template(rules: &Rules) -> &'static str {
    match (rules.goal(), rules.marks_name_players(), rules.marks_of(Player::First, Mark::X).len()) {
        (Goal::Complete, true, _) => text("{rows}×{columns}, {length} in a row wins"),
        (Goal::Avoid, true, _) => text("{rows}×{columns}, {length} in a row loses"),
        (Goal::Complete, false, 1) => text("{rows}×{columns}, {length} in a row wins, both players write X"),
        (Goal::Avoid, false, 1) => text("{rows}×{columns}, {length} in a row loses, both players write X"),
        (Goal::Complete, false, _) => {
            text("{rows}×{columns}, {length} in a row wins, write X or O on each turn")
        }
        (Goal::Avoid, false, _) => {
            text("{rows}×{columns}, {length} in a row loses, write X or O on each turn")
        }
    }
}

/// Returns the rules in words: "3×3, 3 in a row loses, both players write X, 2 boards".
pub(super) fn summary(language: Language, rules: &Rules) -> String {
    let grid = rules.grid();
    let values: [(&str, &dyn Display); 3] =
        [("rows", &grid.rows()), ("columns", &grid.columns()), ("length", &rules.line_length())];
    let summary = language.fill(template(rules), &values);
    match rules.n_boards() {
        1 => summary,
        boards => language.fill("{summary}, {boards} boards", &[("summary", &summary), ("boards", &boards)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_its_own_words_marks_and_summary() {
        let found = json!(descriptions(Language::ENGLISH));
        let expected = [
            ("", [&["X"][..], &["O"]], "wins", ""),
            ("misere", [&["X"], &["O"]], "loses", ""),
            ("wild", [&["X", "O"], &["X", "O"]], "wins", ", write X or O on each turn"),
            ("wild misere", [&["X", "O"], &["X", "O"]], "loses", ", write X or O on each turn"),
            ("x-only", [&["X"], &["X"]], "wins", ", both players write X"),
            ("x-only misere", [&["X"], &["X"]], "loses", ", both players write X"),
        ]
        .map(|(words, marks, line, rest)| {
            let summary = format!("{{rows}}×{{columns}}, {{length}} in a row {line}{rest}");
            json!({ "words": words, "marks": marks, "line": line, "summary": summary })
        });
        assert_eq!(found, json!(expected));
    }

    #[test]
    fn rules_are_summed_up_in_words() {
        let check =
            |rules: &str, expected| assert_eq!(summary(Language::ENGLISH, &rules.parse().unwrap()), expected);
        check("3,3,3", "3×3, 3 in a row wins");
        check("4,5,3 wild", "4×5, 3 in a row wins, write X or O on each turn");
        check("notakto boards=3", "3×3, 3 in a row loses, both players write X, 3 boards");
    }

    #[test]
    fn short_names_lead_to_their_words() {
        let markup = catalogue(Language::ENGLISH).into_string();
        assert!(markup.contains("&quot;names&quot;:{&quot;classic&quot;:&quot;&quot;,&quot;notakto&quot;:&quot;x-only misere&quot;}"), "{markup}");
    }
}
