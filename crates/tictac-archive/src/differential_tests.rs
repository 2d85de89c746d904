//! Tests that the fast check agrees with the slow one, and a check in pieces with a check of the whole text.

use std::fmt::Write as _;
use std::path::Path;

use tictac::{Mark, Position, Rules, State};

use crate::canonical::Recogniser;
use crate::check::{CheckEvent, CheckOptions, ReportedGames, check_pieces, check_text, judge_parts};
use crate::input::{Input, ReadMeter};
use crate::judge::Judge;
use crate::report::{Ending, GameReport, Totals};
use crate::source::BufferSizes;

const FAULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/archives/faults.ttt");

/// Checks a text that is split into `parts`, quickly if there is a recogniser.
fn judged(recogniser: Option<&Recogniser>, parts: &[&[u8]]) -> (Vec<GameReport>, Totals, u64) {
    judge_parts(Judge::new(&CheckOptions::default(), recogniser), parts.iter().copied())
}

/// Checks a text and reports only bad games.
fn judged_bad(recogniser: Option<&Recogniser>, text: &[u8]) -> (Vec<GameReport>, Totals, u64) {
    let options = CheckOptions { reported: ReportedGames::Bad, ..CheckOptions::default() };
    judge_parts(Judge::new(&options, recogniser), [text])
}

#[track_caller]
fn compare_fast_and_slow(text: &[u8], recogniser: &Recogniser) -> Vec<GameReport> {
    let fast = judged(Some(recogniser), &[text]);
    assert_eq!(fast, judged(None, &[text]), "{}", String::from_utf8_lossy(text));
    let bad = fast.0.iter().filter(|report| report.ending == Ending::Bad).cloned().collect();
    assert_eq!(
        judged_bad(Some(recogniser), text),
        (bad, fast.1, fast.2),
        "{}",
        String::from_utf8_lossy(text)
    );
    fast.0
}

/// Calls `visit` with every game from `position` on, finished or not, and its record.
fn for_every_game(position: &Position, record: &mut String, visit: &mut impl FnMut(&Position, &str)) {
    visit(position, record);
    let length = record.len();
    for mv in position.moves() {
        writeln!(record, "{} {}", position.n_moves() + 1, mv.display(&Rules::CLASSIC)).unwrap();
        for_every_game(&position.after(mv).unwrap(), record, visit);
        record.truncate(length);
    }
}

#[test]
fn both_checks_find_the_ending_of_every_game_of_tic_tac_toe() {
    let recogniser = Recogniser::new();
    for opener in Mark::BOTH {
        let (mut archive, mut endings) = (String::new(), Vec::new());
        let mut n_games = 0;
        let mut compare = |archive: &mut String, endings: &mut Vec<Ending>| {
            let reports = compare_fast_and_slow(archive.as_bytes(), &recogniser);
            assert!(reports.iter().map(|report| report.ending).eq(endings.iter().copied()));
            n_games += endings.len();
            archive.clear();
            endings.clear();
        };
        for_every_game(
            &Position::start_with(&Rules::CLASSIC, opener).expect("rules with one board"),
            &mut String::new(),
            &mut |position, record| {
                // A game without moves has no line.
                if !record.is_empty() {
                    archive.extend([record, "\n"]);
                    endings.push(Ending::of_state(&State::One(*position)));
                }
                if archive.len() > 1_000_000 {
                    compare(&mut archive, &mut endings);
                }
            },
        );
        compare(&mut archive, &mut endings);
        assert_eq!(n_games, 549_945);
    }
}

const GAMES: &str = "1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n\n\
    1 O A1\n2 X B1\n3 O A2\n4 X B2\n5 O A3\n\n\
    1 X A1\n2 O A2\n3 X A3\n4 O B1\n5 X B3\n6 O B2\n7 X C1\n8 O C3\n9 X C2\n\n\
    1 X B2 #\n2 O A1\n\n1 X A1\n2 O A2\n3 X A3\n4 O B1\n5 X B3\n6 O B2\n\n1 X A1\n";
const TAGGED_GAMES: &str = "[Event \"Club\"]\n[X \"\"]\n[Result \"2\"]\n\n1 X B2\n2 O A1\n3 X C3\n4 O A2\n5 X B1\n6 O A3\n\n\
    [Rules \"3,3,3\"]\n[Result \"*\"]\n1 O A1 # [x\n\n[Result \"X\"]\n1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n\n\
    [O \"B \\\"b\"]\n\n[O \"C\"]\n1 X A1\n\n";

#[test]
fn both_checks_agree_on_every_change_of_one_byte() {
    let recogniser = Recogniser::new();
    for text in [GAMES, TAGGED_GAMES] {
        compare_fast_and_slow(text.as_bytes(), &recogniser);
        for at in 0..text.len() {
            let mut changed = text.as_bytes().to_owned();
            for byte in 0..=255 {
                changed[at] = byte;
                compare_fast_and_slow(&changed, &recogniser);
            }
            changed.remove(at);
            compare_fast_and_slow(&changed, &recogniser);
            for byte in *b"\n 1X#[A\"\\" {
                changed.insert(at, byte);
                compare_fast_and_slow(&changed, &recogniser);
                changed.remove(at);
            }
        }
    }
}

#[test]
fn both_checks_agree_on_every_result_tag() {
    let recogniser = Recogniser::new();
    let endings = GAMES.split("\n\n").chain(["1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X C3\n6 O B3", ""]);
    for moves in endings {
        for result in ["X", "O", "1", "2", "1-0", "0-1", "draw", "1/2-1/2", "*", "x", "", "0"] {
            let text = format!("[Result \"{result}\"]\n{moves}\n\n1 X A1\n\n");
            compare_fast_and_slow(text.as_bytes(), &recogniser);
        }
    }
}

#[test]
fn both_checks_agree_on_the_limits_of_tags() {
    let recogniser = Recogniser::new();
    for n_bytes in [4086, 4087, 4088, 4089] {
        let text = format!("[E \"{}\"]\n1 X A1\n\n", "e".repeat(n_bytes));
        compare_fast_and_slow(text.as_bytes(), &recogniser);
    }
    for n_tags in [1, 15, 16, 17, 63, 64, 65] {
        let tags: Vec<String> = (0..n_tags).map(|number| format!("[T{number} \"\"]\n")).collect();
        let tags = tags.concat();
        for last in ["", "[T0 \"\"]\n"] {
            compare_fast_and_slow(format!("{tags}{last}1 X A1\n\n").as_bytes(), &recogniser);
        }
    }
}

#[test]
fn both_checks_agree_on_shuffled_lines() {
    let recogniser = Recogniser::new();
    let mut rng = fastrand::Rng::with_seed(1);
    let lines: Vec<&str> = GAMES.split_inclusive('\n').chain(TAGGED_GAMES.split_inclusive('\n')).collect();
    for _ in 0..5000 {
        let text: String = (0..20).map(|_| lines[rng.usize(..lines.len())]).collect();
        compare_fast_and_slow(text.as_bytes(), &recogniser);
    }
}

#[test]
fn splitting_the_text_at_any_byte_does_not_change_the_result() {
    let recogniser = Recogniser::new();
    let judged = |parts: &[&[u8]]| judged(Some(&recogniser), parts);
    let faults = std::fs::read(FAULTS).unwrap();
    for text in [GAMES.as_bytes(), TAGGED_GAMES.as_bytes(), &faults[..faults.len().min(1500)]] {
        let whole = judged(&[text]);
        for at in 0..=text.len() {
            let (a, b) = text.split_at(at);
            assert_eq!(judged(&[a, b]), whole, "split at {at}");
        }
        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(judged(&bytes), whole);
    }
}

/// Compares a check in pieces of this size with a check of the whole file.
#[track_caller]
fn check_in_pieces(path: &Path, sizes: BufferSizes, n_threads: usize) {
    let text = std::fs::read(path).unwrap();
    let mut reports = Vec::new();
    let report = |event: CheckEvent<'_>| {
        match event {
            CheckEvent::Game(_, report) => reports.push(report),
            event @ CheckEvent::Unreadable(..) => panic!("{event:?}"),
        }
        Ok(())
    };
    let options = CheckOptions { n_threads, ..CheckOptions::default() };
    let input = vec![Input::File(path.to_owned())];
    let summary = check_pieces(input, &options, &ReadMeter::default(), sizes, report).unwrap();
    let whole = check_text(&text, &options);
    assert_eq!((reports, summary.totals), whole, "{sizes:?}, {n_threads} threads");
    assert_eq!(summary.n_bytes, text.len() as u64);
}

#[test]
fn the_result_does_not_depend_on_the_piece_size_or_the_number_of_threads() {
    for piece in (1..140).chain([500, 1000, 5000, 10_000]) {
        for reserve in [1, 20, 300] {
            check_in_pieces(Path::new(FAULTS), BufferSizes { piece, reserve }, piece % 8 + 1);
        }
    }
}

#[test]
fn a_buffer_may_end_at_any_byte() {
    // The first piece takes every size, so it ends once at every byte. The end of the current game is inside a large
    // reserve but outside a small one.
    let path = std::env::temp_dir().join(format!("tictac-borders-{}.ttt", std::process::id()));
    let tags = "[X \"Ada\"]\n\n1 X A1\n\n[X \"Ada\"]\n\n[O \"Bea\"]\n\n\n1 X A1\n\n";
    let small = format!("[Result \"X\"]\n\n{GAMES}\n \r\n1 X A1\n2 O A1\nrest\n\n{tags}1 O C3\n");
    std::fs::write(&path, &small).unwrap();
    for piece in 1..=small.len() + 1 {
        for reserve in [1, 8, 64, 500] {
            check_in_pieces(&path, BufferSizes { piece, reserve }, 1 + reserve % 3);
        }
    }
    std::fs::remove_file(path).unwrap();
}
