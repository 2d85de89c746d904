//! Properties that hold for every input: nothing panics, and whatever is printed parses back.
//!
//! The fuzz targets and the deterministic test in `seeds` share these functions.

use std::sync::LazyLock;

use tictac::notation::{EntryError, LineReader, Record, Referee};
use tictac::{Boards, Position, Rules};

/// Checks the properties of all formats.
pub(crate) fn all(bytes: &[u8]) {
    record(bytes);
    line(bytes);
    rules(bytes);
    position(bytes);
}

/// Checks that a parsed record is printed as an equivalent one, and that the referee and the game agree about it.
pub(crate) fn record(bytes: &[u8]) {
    for rules in EVERY_RULES.iter() {
        let Ok(record) = Record::parse(bytes, rules) else { continue };
        let printed = record.to_string();
        let again = Record::parse(printed.as_bytes(), rules).expect("a printed record parses");
        assert_eq!(again.to_string(), printed);
        let mut referee = Referee::new(rules);
        let refused = record.entries().iter().find_map(|&entry| referee.judge(entry).err());
        assert_eq!(record.game().err().map(|error| error.reason), refused.map(EntryError::Illegal));
    }
}

/// Checks that a parsed line is printed as an equivalent line.
pub(crate) fn line(bytes: &[u8]) {
    for rules in EVERY_RULES.iter() {
        if let Ok(entry) = LineReader::read(bytes, rules) {
            let printed = entry.written(rules);
            let again = LineReader::read(printed.as_bytes(), rules).expect("a printed line parses");
            assert_eq!((again.number, again.mv), (entry.number, entry.mv));
        }
        if let Some(mv) = std::str::from_utf8(bytes).ok().and_then(|text| rules.parse_move(text).ok()) {
            assert_eq!(rules.parse_move(&mv.display(rules).to_string()), Ok(mv));
        }
    }
}

/// Checks that parsed rules are printed as the same rules.
pub(crate) fn rules(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(rules) = text.parse::<Rules>() {
        assert_eq!(rules.to_string().parse(), Ok(rules));
    }
}

/// Checks that a parsed position is printed as the same position, and so is the position after every legal move.
pub(crate) fn position(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for rules in EVERY_RULES.iter() {
        if let Ok(position) = Position::parse(text, rules) {
            assert_eq!(Position::parse(&position.to_string(), rules), Ok(position));
            assert!(!(position.is_dead() && position.lines().next().is_some()));
            for mv in position.moves() {
                let after = position.after(mv).expect("a move from `moves` is legal");
                assert_eq!(Position::parse(&after.to_string(), rules), Ok(after));
            }
        }
        if let Ok(boards) = Boards::parse(text, rules) {
            assert_eq!(Boards::parse(&boards.to_string(), rules), Ok(boards));
        }
    }
}

/// Parsed once, because a fuzz target calls the properties a hundred thousand times a second.
static EVERY_RULES: LazyLock<[Rules; 7]> = LazyLock::new(|| {
    ["classic", "wild misere", "4,4,3", "16,4,4 misere", "notakto", "notakto boards=12", "64,1,2"]
        .map(|rules| rules.parse().expect("rules"))
});
