//! Detection of the notation of a text by its start.

use super::Notation;

/// The number of bytes that are examined.
pub(super) const N_BYTES: usize = 8 * 1024;

/// Tags that only AT3 has.
const AT3_TAGS: [&str; 4] = ["[Player1Choice ", "[PlacementRule ", "[WinCount ", "[Grid "];
/// Tags that only PGN has.
const PGN_TAGS: [&str; 5] = ["[Variant ", "[White ", "[Black ", "[FEN ", "[SetUp "];

/// Returns the notation of a text with this start; `ttt` if nothing indicates another one.
pub(super) fn notation_of(start: &[u8]) -> Notation {
    let text = String::from_utf8_lossy(start);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let has_tag = |names: &[&str]| lines().any(|line| names.iter().any(|name| line.starts_with(name)));
    // Our PGN may contain AT3's Player1Choice tag, so tags of PGN take precedence.
    if lines().next().is_some_and(|line| line.starts_with('[')) && has_tag(&PGN_TAGS) {
        return Notation::Pgn;
    }
    if has_tag(&AT3_TAGS) {
        return Notation::At3;
    }
    let first = lines().find(|line| !line.starts_with('[')).unwrap_or_default();
    let word = first.split_whitespace().next().unwrap_or_default();
    let is_numbered =
        word.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('.') && !word.starts_with('.');
    match word {
        "xfen" | "position" => Notation::Xfen,
        _ if word.starts_with('{') => Notation::Json,
        _ if is_numbered && first.contains('@') => Notation::Pgn,
        _ if is_numbered => Notation::At3,
        _ if word.contains(['/', '[']) => Notation::Fen,
        _ => Notation::Ttt,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_are_detected_by_the_start_of_a_text() {
        let check = |text: &str, expected| assert_eq!(notation_of(text.as_bytes()), expected, "{text:?}");
        check("", Notation::Ttt);
        check("\n1 X B2\n", Notation::Ttt);
        check("[Rules \"4,4,4\"]\n[Event \"@ home\"]\n1 X B2 # P@b2 1. a1\n", Notation::Ttt);
        check("[Event \"?\"]\n\n1. P@b2 P@a1 *\n", Notation::Pgn);
        check("[Variant \"tictactoe\"]\n[Player1Choice \"O\"]\n\n*\n", Notation::Pgn);
        check("[Event \"?\"]\n[Player1Choice \"X\"]\n\n1. a1 2. b2\n", Notation::At3);
        check("1. a1 2. b2\n", Notation::At3);
        check("xfen 3/3/3 o moves 5\n", Notation::Xfen);
        check("position xfen 3/3/3 o\n", Notation::Xfen);
        check("3/3/3[PPPPPpppp] w - - 0 1\n", Notation::Fen);
        check(" {\"rules\":\"3,3,3\",\"moves\":[]}\n", Notation::Json);
    }
}
