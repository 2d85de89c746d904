//! Wrapped text, and lines of key help.

use ratatui::text::{Line, Span};

use crate::theme::Theme;

/// Breaks a text into lines of at most `width` characters, between words if possible.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 0 && last + 1 + word.len() > width {
            lines.push(String::new());
        } else if last > 0 {
            lines.last_mut().expect("there is a first line").push(' ');
        }
        while word.len() > width.max(1) {
            let rest = word.split_off(width.max(1));
            lines.last_mut().expect("there is a first line").extend(word);
            lines.push(String::new());
            word = rest;
        }
        lines.last_mut().expect("there is a first line").extend(word);
    }
    lines
}

/// Returns the text, shortened with an ellipsis if it is longer than `width`.
pub(super) fn shorten(text: &str, width: usize, theme: Theme) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let ellipsis = theme.pick("…", "...");
    let kept: String = text.chars().take(width.saturating_sub(ellipsis.chars().count())).collect();
    kept.trim_end().to_owned() + ellipsis
}

pub(super) type KeyMeaning = (&'static str, &'static str);

/// The keys that most screens end with.
pub(super) const HELP_AND_QUIT: [KeyMeaning; 2] = [("?", "help"), ("q", "quit")];

/// Returns a line of keys and what they do, as many as fit; those of `last` have priority.
pub(super) fn key_help(theme: Theme, first: &[KeyMeaning], last: &[KeyMeaning], width: u16) -> Line<'static> {
    let length = |(key, meaning): &KeyMeaning| key.chars().count() + meaning.chars().count() + 3;
    // One space stands in front, and the two after the last key may be cut off.
    let fits = |shown: &Vec<KeyMeaning>| shown.iter().map(length).sum::<usize>() < usize::from(width) + 2;
    let all = [first, last].concat();
    let with_last = (0..=first.len()).rev().map(|n| [&first[..n], last].concat());
    let without_last = (0..all.len()).rev().map(|n| all[..n].to_vec());
    let shown = with_last.chain(without_last).find(fits).unwrap_or_default();
    let mut spans = vec![Span::raw(" ")];
    for (key, meaning) in shown {
        spans.extend([Span::styled(key, theme.key()), Span::raw(" "), Span::raw(meaning), Span::raw("  ")]);
    }
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_where_they_fit() {
        assert_eq!(wrap("why corners are good", 8), ["why", "corners", "are good"]);
        assert_eq!(wrap("incomprehensible", 6), ["incomp", "rehens", "ible"]);
        assert_eq!(wrap("", 6), [""]);
        assert_eq!(wrap("a", 0), ["a"]);
    }

    #[test]
    fn keys_that_do_not_fit_are_left_out() {
        let shown = |width| key_help(Theme::FULL, &[], &[("u", "undo"), ("q", "quit")], width).to_string();
        assert_eq!(shown(40).trim(), "u undo  q quit");
        assert_eq!(shown(12).trim(), "u undo");
        assert_eq!(shown(2).trim(), "");
    }

    #[test]
    fn help_and_quit_have_priority() {
        let keys = [("Enter", "play"), ("u", "undo"), ("h", "hint")];
        let shown = |width| key_help(Theme::FULL, &keys, &HELP_AND_QUIT, width).to_string();
        assert_eq!(shown(60).trim(), "Enter play  u undo  h hint  ? help  q quit");
        assert_eq!(shown(40).trim(), "Enter play  u undo  ? help  q quit");
        assert_eq!(shown(20).trim(), "? help  q quit");
    }

    #[test]
    fn a_shortened_text_ends_with_an_ellipsis() {
        assert_eq!(shorten("three in a row", 14, Theme::FULL), "three in a row");
        assert_eq!(shorten("three in a row", 10, Theme::FULL), "three in…");
        assert_eq!(shorten("three in a row", 10, Theme { is_ascii: true, ..Theme::FULL }), "three i...");
    }
}
