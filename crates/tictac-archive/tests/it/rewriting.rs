//! Properties that hold for every input: nothing panics, and whatever is written is read back unchanged.
//!
//! Used by the fuzz targets and by the tests in `seeds`.

use tictac::Rules;
use tictac_archive::{
    AnnotatedGame, CheckOptions, Conversion, FmtEvent, Formatted, FoundGame, Games, Losses, Notation,
    check_text, reformat,
};

/// Checks all properties.
pub(crate) fn all(bytes: &[u8]) {
    fmt(bytes);
    convert(bytes);
}

/// Checks that `Games` reports the same as `check`, and that formatting is idempotent and keeps games and comments.
pub(crate) fn fmt(bytes: &[u8]) {
    for rules in ["3,3,3", "2,4,2 wild", "notakto boards=2"] {
        let rules: Rules = rules.parse().expect("rules");
        let (reports, totals) = check_text(bytes, &CheckOptions { rules, ..CheckOptions::default() });
        let mut n_games = 0;
        for found in Games::new(bytes, &rules) {
            let found = found.expect("bytes can be read");
            assert_eq!(found.report, reports[n_games]);
            assert_eq!(found.game().is_some(), found.report.faults.is_empty());
            n_games += 1;
        }
        assert_eq!(n_games, reports.len());

        let (text, formatted) = formatted(bytes, &rules);
        assert_eq!(formatted.n_bad, totals.bad);
        if formatted.n_bad == 0 {
            assert_eq!(formatted.n_changed == 0, text == bytes);
            let (again, unchanged) = self::formatted(&text, &rules);
            assert_eq!(
                (again == text, unchanged.n_changed),
                (true, 0),
                "formatting twice changes nothing more"
            );
            assert_eq!(check_text(&text, &CheckOptions { rules, ..CheckOptions::default() }).1, totals);
            assert_eq!(comments(bytes), comments(&text));
        }
    }
}

/// Checks for every notation that reading does not panic and that games are the same after writing and reading them.
pub(crate) fn convert(bytes: &[u8]) {
    for from in Notation::ALL.into_iter().filter(|&from| from != Notation::Svg) {
        convert_from(bytes, from);
    }
}

/// Checks `convert` for one notation.
pub(crate) fn convert_from(bytes: &[u8], from: Notation) {
    for rules in ["3,3,3", "2,4,2", "3,3,3 wild"] {
        let rules: Rules = rules.parse().expect("rules");
        for found in read(bytes, from, rules) {
            assert_eq!(found.game().is_some(), found.report.faults.is_empty());
            assert!(found.report.faults.len() <= 70);
            for to in Notation::ALL {
                round_trip(&found, rules, to);
            }
        }
    }
}

/// Writes a game and reads it again; returns whether the notation can represent it.
pub(crate) fn round_trip(found: &FoundGame, rules: Rules, to: Notation) -> bool {
    let conversion = Conversion { to, rules, ..Conversion::default() };
    let mut text = Vec::new();
    if let Err(faults) = conversion.write(found, &mut text) {
        assert!(text.is_empty() && !faults.is_empty());
        return false;
    }
    let game = found.game().expect("only games are written");
    let as_json = |game: &AnnotatedGame| {
        let mut json = Vec::new();
        let conversion = Conversion { to: Notation::Json, losses: Losses::Accepted, ..conversion };
        let found = FoundGame { legal_part: game.clone(), ..found.clone() };
        conversion.write(&found, &mut json).expect("JSON holds every game");
        String::from_utf8(json).expect("JSON is UTF-8")
    };
    if to == Notation::Svg {
        return true;
    }
    let again = read(&text, to, rules);
    assert_eq!(again.len(), 1, "{:?}", String::from_utf8_lossy(&text));
    let Some(again) = again[0].game() else {
        panic!("{:?}\n{}", again[0].report.faults, String::from_utf8_lossy(&text))
    };
    if to == Notation::Fen {
        let position = |json: String| json.split("\"position\":").nth(1).map(str::to_owned);
        assert_eq!(position(as_json(again)), position(as_json(game)));
    } else {
        assert_eq!(sorted(again), sorted(game), "{}", String::from_utf8_lossy(&text));
    }
    true
}

/// Returns all games of a text.
pub(crate) fn read(text: &[u8], from: Notation, rules: Rules) -> Vec<FoundGame> {
    let conversion = Conversion { from: Some(from), rules, ..Conversion::default() };
    let games = conversion.games(text).expect("the notation can be read");
    games.map(|found| found.expect("bytes can be read")).collect()
}

/// Sorts the tags, whose order is not part of a game.
fn sorted(game: &AnnotatedGame) -> AnnotatedGame {
    let mut game = game.clone();
    game.tags.sort_by(|a, b| a.name.cmp(&b.name));
    game
}

/// Formats a text.
pub(crate) fn formatted(bytes: &[u8], rules: &Rules) -> (Vec<u8>, Formatted) {
    let mut text = Vec::new();
    let mut n_changes = 0;
    let formatted = reformat(bytes, rules, &mut text, |event| {
        n_changes += u64::from(matches!(event, FmtEvent::Changed { .. }));
        Ok(())
    });
    let formatted = formatted.expect("bytes can be read");
    assert_eq!(n_changes, formatted.n_changed);
    (text, formatted)
}

/// Returns the comments of a text without white space, which formatting may change.
fn comments(text: &[u8]) -> Vec<Vec<u8>> {
    let lines = text.split(|&byte| byte == b'\n').filter(|line| line.first() != Some(&b'['));
    let comments = lines.filter_map(|line| line.iter().position(|&byte| byte == b'#').map(|at| &line[at..]));
    comments
        .map(|comment| comment.iter().copied().filter(|&byte| !tictac::notation::is_blank(byte)).collect())
        .collect()
}
