//! Faults at random places in archives of good games: all are found there, and no others.

use std::fs;

use tictac_archive::{CheckEvent, CheckOptions, Input, ReadMeter, ReportedGames, check};

use crate::inputs::{folder, good_game, save};
use crate::properties::{gzip, zstandard};

/// Games with one fault each: its line, column and code, and the game.
const BAD_GAMES: &[(u64, u64, &str, &str)] = &[
    (1, 1, "E0101", "X B2"),
    (1, 1, "E0101", " 1 X B2"),
    (2, 1, "E0101", "1 X B2\n0 O A1"),
    // A byte order mark is skipped at the start of a file, but not a second one.
    (1, 1, "E0101", "\u{feff}\u{feff}1 X B2"),
    (1, 2, "E0102", "1X B2"),
    (2, 2, "E0102", "1 X B2\n10 O A1"),
    (3, 4, "E0102", "1 X B2\n2 O A1\n3 X"),
    (1, 3, "E0103", "1 Y B2"),
    (1, 2, "E0102", "1"),
    (1, 5, "E0106", "1 X 2B"),
    (1, 5, "E0106", "1 X "),
    (1, 6, "E0107", "1 X B"),
    (1, 6, "E0107", "1 X B0"),
    (1, 7, "E0108", "1 X B22"),
    (1, 7, "E0108", "1 X B2# no blank"),
    (1, 8, "E0109", "1 X B2 2 O A1"),
    (2, 5, "E0104", "[Rules \"notakto boards=3\"]\n1 X A1"),
    (2, 5, "E0104", "[Rules \"notakto boards=3\"]\n1 X 4.A1"),
    (2, 6, "E0105", "[Rules \"notakto boards=3\"]\n1 X 3A1"),
    (6, 1, "E0201", "1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3 # over\n6 O C1\n7 X C2"),
    (10, 2, "E0102", "1 X A1\n2 O A2\n3 X A3\n4 O B1\n5 X B3\n6 O B2\n7 X C1\n8 O C3\n9 X C2\n10 O A1"),
    (3, 1, "E0201", "[Rules \"1,1,1\"]\n1 X A1\n1 O A1"),
    (2, 1, "E0202", "1 X B2\n1 O A1"),
    (1, 1, "E0202", "2 X B2"),
    (2, 3, "E0203", "1 X B2\n2 X A1"),
    (2, 3, "E0203", "1 o B2\n2 o A1"),
    (5, 5, "E0205", "[Rules \"notakto boards=2\"]\n1 X 1.A1\n2 X 1.B2\n3 X 1.C3\n4 X 1.A2"),
    (2, 5, "E0207", "1 X B2 # centre\n2 O B2 # too"),
    (1, 2, "E0301", "["),
    (1, 3, "E0301", "[X]"),
    (1, 4, "E0301", "[X Ada]\n1 X B2"),
    (1, 9, "E0301", "[X \"Ada]\n1 X B2"),
    (1, 7, "E0301", "[X \"A\\da\"]"),
    (1, 11, "E0301", "[X \"Ada\"] 1 X B2"),
    (1, 9, "E0302", "[Rules \"chess\"]\n1 e4 e5"),
    (1, 10, "E0303", "[Result \"won\"]"),
    (2, 10, "E0304", "[X \"Ada\"]\n[Result \"O\"]\n1 X B2"),
    (2, 1, "E0305", "1 X B2\n[Result \"*\"]"),
    (3, 2, "E0306", "[X \"Ada\"]\n[O \"Bob\"]\n[X \"Ada\"]"),
];

// Not starting with a carriage return: it is white space, and some of the faults are missing white space.
const BETWEEN: [&str; 4] = ["\n\n", "\n\r\n", "\n \t\n", "\n\n\n\n"];

/// An archive and the places of its faults.
#[derive(Default)]
struct Planted {
    text: String,
    faults: Vec<(u64, u64, &'static str)>,
    n_games: u64,
}

impl Planted {
    fn with_faults(seed: u64, n_bytes: usize) -> Planted {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut planted = Planted::default();
        let mut n_lines = 0;
        while planted.text.len() < n_bytes {
            let start = planted.text.len();
            if rng.u8(..4) == 0 {
                let &(line, column, code, game) = &BAD_GAMES[rng.usize(..BAD_GAMES.len())];
                planted.faults.push((n_lines + line, column, code));
                planted.text += game;
            } else {
                planted.text += good_game(&mut rng).trim_end();
            }
            // A single blank line does not end the tags of a game.
            if planted.text.lines().next_back().is_some_and(|line| line.starts_with('[')) {
                planted.text += "\n";
            }
            planted.text += BETWEEN[rng.usize(..BETWEEN.len())];
            planted.n_games += 1;
            n_lines += planted.text[start..].matches('\n').count() as u64;
        }
        planted
    }

    #[track_caller]
    fn check(&self, bytes: &[u8], n_threads: usize, reported: ReportedGames) {
        let path = save(&folder(&format!("planted-{n_threads}-{}", bytes.len())).join("archive"), bytes);
        let mut found = Vec::new();
        let report_game = |event: CheckEvent<'_>| {
            let CheckEvent::Game(_, report) = event else { panic!("{event:?}") };
            found.extend(
                report.faults.iter().map(|fault| (fault.line, fault.column, fault.fault.code.name())),
            );
            Ok(())
        };
        let options = CheckOptions { n_threads, reported, ..CheckOptions::default() };
        let summary =
            check(vec![Input::File(path.clone())], &options, &ReadMeter::default(), report_game).unwrap();
        fs::remove_file(path).unwrap();
        let first_difference = found.iter().zip(&self.faults).find(|(found, planted)| found != planted);
        assert_eq!(first_difference, None, "{}", &self.text[..self.text.len().min(200)]);
        assert_eq!(found.len(), self.faults.len());
        assert_eq!((summary.totals.games(), summary.totals.bad), (self.n_games, found.len() as u64));
    }
}

#[test]
fn every_fault_of_a_large_archive_is_reported_at_its_place() {
    let planted = Planted::with_faults(1, 700_000);
    assert!(BAD_GAMES.iter().all(|bad| planted.faults.iter().filter(|fault| fault.2 == bad.2).count() > 20));
    for n_threads in 1..=8 {
        let reported = if n_threads % 2 == 0 { ReportedGames::Bad } else { ReportedGames::All };
        planted.check(planted.text.as_bytes(), n_threads, reported);
    }
    for compressed in [gzip(planted.text.as_bytes()), zstandard(planted.text.as_bytes())] {
        planted.check(&compressed, 2, ReportedGames::Bad);
    }
}

#[test]
fn each_kind_of_fault_is_reported_alone() {
    for &(line, column, code, game) in BAD_GAMES {
        for ending in ["", "\n", "\n\n", "\n\r\n \n"] {
            let text = format!("{game}{ending}");
            let planted = Planted { text, faults: vec![(line, column, code)], n_games: 1 };
            planted.check(planted.text.as_bytes(), 1, ReportedGames::Bad);
        }
    }
}
