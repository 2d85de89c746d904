//! What must hold for every input whatsoever: nothing panics, and whatever is printed parses back.
//!
//! The fuzz targets and the deterministic test in `seeds` share these functions.

use tictac::certificate::Certificate;
use tictac::notation::{LineReader, Record, Referee};
use tictac::{Boards, Position, Rules};

/// Every format at once.
pub(crate) fn all(bytes: &[u8]) {
    record(bytes);
    line(bytes);
    rules(bytes);
    position(bytes);
    certificate(bytes);
}

/// A record that is read prints as a record that says the same, and referee and game agree about it.
pub(crate) fn record(bytes: &[u8]) {
    for rules in every_rules() {
        let Ok(record) = Record::parse(bytes, &rules) else { continue };
        let printed = record.to_string();
        let again = Record::parse(printed.as_bytes(), &rules).expect("a printed record parses");
        assert_eq!(again.to_string(), printed);
        let mut referee = Referee::new(&rules);
        let refused = record.entries().iter().find_map(|&entry| referee.judge(entry).err());
        assert_eq!(record.game().err().map(|refused| refused.reason), refused);
    }
}

/// A line that is read prints as a line that says the same.
pub(crate) fn line(bytes: &[u8]) {
    for rules in every_rules() {
        if let Ok(entry) = LineReader::read(bytes, &rules) {
            let printed = entry.written(&rules).to_string();
            let again = LineReader::read(printed.as_bytes(), &rules).expect("a printed line parses");
            assert_eq!((again.number, again.mv), (entry.number, entry.mv));
        }
        if let Some(mv) = std::str::from_utf8(bytes).ok().and_then(|text| rules.parse_move(text).ok()) {
            assert_eq!(rules.parse_move(&mv.display(&rules).to_string()), Ok(mv));
        }
    }
}

/// Rules that are read print as the same rules.
pub(crate) fn rules(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(rules) = text.parse::<Rules>() {
        assert_eq!(rules.to_string().parse(), Ok(rules));
    }
}

/// A position that is read prints as the same position, and every legal move leads to one that does.
pub(crate) fn position(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for rules in every_rules() {
        if let Ok(position) = Position::parse(text, &rules) {
            assert_eq!(Position::parse(&position.to_string(), &rules), Ok(position));
            assert!(!(position.is_dead() && position.lines().next().is_some()));
            for mv in position.moves() {
                let after = position.after(mv).expect("a move from `moves` is legal");
                assert_eq!(Position::parse(&after.to_string(), &rules), Ok(after));
            }
        }
        if let Ok(boards) = Boards::parse(text, &rules) {
            assert_eq!(Boards::parse(&boards.to_string(), &rules), Ok(boards));
        }
    }
}

/// A certificate that is read prints as one that says the same, and checking it ends.
pub(crate) fn certificate(bytes: &[u8]) {
    let Ok(certificate) = Certificate::read(bytes) else { return };
    let again = Certificate::read(certificate.to_string().as_bytes()).expect("a printed certificate parses");
    assert_eq!(again.to_string(), certificate.to_string());
    assert_eq!(again.verify().is_ok(), certificate.verify().is_ok());
}

fn every_rules() -> impl Iterator<Item = Rules> {
    ["classic", "wild misere", "4,4,3", "16,4,4 misere", "notakto", "notakto boards=12", "64,1,2"]
        .iter()
        .map(|rules| rules.parse().expect("rules"))
}
