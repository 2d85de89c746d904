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

/// Returns a line of keys and what they do, as many as fit; the last two, usually help and quit, have priority.
pub(super) fn key_help<'a>(theme: Theme, pairs: &[(&'a str, &'a str)], width: u16) -> Line<'a> {
    let length = |(key, meaning): &(&str, &str)| key.chars().count() + meaning.chars().count() + 3;
    // The line starts with one space, and the two spaces after the last key may be cut off.
    let fits = |pairs: &[(&str, &str)]| pairs.iter().map(length).sum::<usize>() < usize::from(width) + 2;
    let (first, last) = pairs.split_at(pairs.len().saturating_sub(2));
    let with_last = (0..=first.len()).rev().map(|n| [&first[..n], last].concat()).find(|shown| fits(shown));
    let shown = with_last.unwrap_or_else(|| {
        (0..pairs.len()).rev().map(|n| pairs[..n].to_vec()).find(|shown| fits(shown)).unwrap_or_default()
    });
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
        let shown = |width| key_help(Theme::FULL, &[("u", "undo"), ("q", "quit")], width).to_string();
        assert_eq!(shown(40).trim(), "u undo  q quit");
        assert_eq!(shown(12).trim(), "u undo");
        assert_eq!(shown(2).trim(), "");
    }

    #[test]
    fn help_and_quit_have_priority() {
        let pairs = [("Enter", "play"), ("u", "undo"), ("h", "hint"), ("?", "help"), ("q", "quit")];
        let shown = |width| key_help(Theme::FULL, &pairs, width).to_string();
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
