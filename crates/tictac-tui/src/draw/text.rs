//! Lines of text: wrapped, and lines of keys.

use ratatui::text::{Line, Span};

use crate::theme::Theme;

/// Breaks a text into lines of at most `width` characters, between words where it can.
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

/// A line of keys and what they do, as many as fit.
pub(super) fn keys<'a>(theme: Theme, pairs: &[(&'a str, &'a str)], width: u16) -> Line<'a> {
    let mut spans = vec![Span::raw(" ")];
    let mut used = 1;
    for (key, meaning) in pairs {
        let length = key.chars().count() + meaning.chars().count() + 3;
        // The blanks after the last one may be cut off.
        if used + length - 2 > usize::from(width) {
            break;
        }
        used += length;
        spans.extend([Span::styled(*key, theme.key()), Span::raw(" "), Span::raw(*meaning), Span::raw("  ")]);
    }
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_whole_where_they_fit() {
        assert_eq!(wrap("why corners are good", 8), ["why", "corners", "are good"]);
        assert_eq!(wrap("incomprehensible", 6), ["incomp", "rehens", "ible"]);
        assert_eq!(wrap("", 6), [""]);
        assert_eq!(wrap("a", 0), ["a"]);
    }

    #[test]
    fn keys_that_do_not_fit_are_left_out() {
        let shown = |width| keys(Theme::FULL, &[("u", "undo"), ("q", "quit")], width).to_string();
        assert_eq!(shown(40).trim(), "u undo  q quit");
        assert_eq!(shown(12).trim(), "u undo");
        assert_eq!(shown(2).trim(), "");
    }
}
