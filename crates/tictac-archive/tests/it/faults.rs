//! Faults at known places: all of them are found, and no others.

use tictac::Rules;
use tictac::notation::Code;
use tictac_archive::{CheckOptions, Format, Tag, check_text};

/// An archive with every kind of fault, and the expected reports.
const PLANTED: &str = include_str!("../../../../games/archives/faults.ttt");
const EXPECTED: &str = include_str!("../../../../games/archives/faults.txt");

fn faults(text: &[u8], options: &CheckOptions) -> Vec<String> {
    let (reports, totals) = check_text(text, options);
    let bad = reports.iter().filter(|report| !report.faults.is_empty());
    assert_eq!(bad.count() as u64, totals.bad);
    reports
        .iter()
        .flat_map(|report| &report.faults)
        .map(|fault| {
            let help = fault.fault.help.as_deref().unwrap_or("-");
            format!("{}:{} {} {} | {help}", fault.line, fault.column, fault.fault.code, fault.fault.message)
        })
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(faults(text.as_bytes(), &CheckOptions::default()), expected, "{text}");
}

#[test]
fn every_fault_of_the_archive_is_reported_at_its_place() {
    let found = faults(PLANTED.as_bytes(), &CheckOptions::default());
    let expected: Vec<&str> = EXPECTED.lines().collect();
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}

#[test]
fn a_dot_after_the_move_number_gets_help() {
    check("1. X B2\n", &["1:2 E0102 expected a space, found '.' | a move is written without a dot: 1 X B2"]);
}

#[test]
fn every_code_of_a_record_occurs_in_the_archive() {
    for &code in Code::ALL.iter().filter(|&&code| code < Code::WindowTooLarge) {
        // In a record, a square off the grid and a board that does not exist are syntax errors.
        let unreachable = matches!(code, Code::NoSuchBoard | Code::OffGrid);
        assert_eq!(EXPECTED.contains(code.name()), !unreachable, "{code}");
    }
}

#[test]
fn a_game_is_checked_up_to_its_first_bad_move() {
    let (reports, totals) = check_text(b"1 X A1\n2 O A1\nnonsense\n\n1 X A1\n", &CheckOptions::default());
    assert_eq!((reports[0].moves, reports[0].unjudged_lines, reports[0].faults.len()), (1, 1, 1));
    assert_eq!((totals.games(), totals.bad, totals.moves), (2, 1, 2));
    assert_eq!((reports[1].game, reports[1].line), (2, 5));
}

#[test]
fn the_strict_format_is_that_of_game_check() {
    let strict = CheckOptions { format: Format::Strict, ..CheckOptions::default() };
    let check = |text: &str, code: Option<&str>| {
        let (reports, totals) = check_text(text.as_bytes(), &strict);
        assert_eq!(totals.games(), 1, "{text}");
        assert_eq!(reports[0].faults.first().map(|fault| fault.fault.code.name()), code, "{text}");
    };
    check("", None);
    check("1 X B2\n2 O A1", None);
    check("\n1 X B2\n", Some("E0101"));
    check("1 X B2\n\n", Some("E0101"));
    check("1 X B2\n \n1 X A1\n", Some("E0101"));
    check("[Result \"*\"]\n", Some("E0101"));
}

#[test]
fn rules_come_from_the_tag_or_the_options() {
    let wide = CheckOptions { rules: "2,5,2".parse::<Rules>().unwrap(), ..CheckOptions::default() };
    assert_eq!(faults(b"1 X B5\n\n[Rules \"3,3,3\"]\n1 X C3\n", &wide), [""; 0]);
    assert_eq!(faults(b"1 X C3\n", &wide).len(), 1);
}

#[test]
fn the_column_reading_is_suggested_only_if_the_whole_game_is_legal_in_it() {
    let help = "this game is legal if the letter is read as the column";
    let is_suggested = |moves: &str| {
        let found = faults(format!("[Rules \"2,5,2\"]\n{moves}").as_bytes(), &CheckOptions::default());
        assert_eq!(found.len(), 1, "{moves}");
        found[0].ends_with(help)
    };
    assert!(is_suggested("1 X E1\n2 O A2\n3 X C1\n"));
    assert!(is_suggested("1 X A1\n2 O C2\n"));
    assert!(!is_suggested("1 X E1\n2 O E1\n"));
    assert!(!is_suggested("1 X E1\n2 O B3\n"));
    assert!(!is_suggested("1 X E3\n"));
}

#[test]
fn a_result_tag_is_compared_with_the_moves() {
    let won = "1 O A1\n2 X B1\n3 O A2\n4 X B2\n5 O A3\n";
    for right in ["O", "1", "1-0"] {
        check(&format!("[Result \"{right}\"]\n{won}"), &[]);
    }
    for wrong in ["X", "2", "0-1", "draw", "1/2-1/2", "*"] {
        let found = faults(format!("[Result \"{wrong}\"]\n{won}").as_bytes(), &CheckOptions::default());
        assert!(found[0].starts_with("1:10 E0304"), "{found:?}");
    }
    check("[Result \"*\"]\n1 X A1\n", &[]);
    check("[Result \"2\"]\n[Rules \"notakto\"]\n1 X A1\n2 X A2\n3 X A3\n", &[]);
    check(
        "[Rules \"wild\"]\n[Result \"X\"]\n1 X A1\n",
        &["2:10 E0303 \"X\" is not a result | by these rules a result is \"1\" or \"2\" (that player won), \
           \"draw\" or \"*\" (unfinished)"],
    );
}

#[test]
fn tags_have_limits_and_other_tags_are_kept() {
    let longest = format!("[Event \"{}\"]\n1 X A1\n", "x".repeat(4096 - "[Event \"\"]".len()));
    assert_eq!(faults(longest.as_bytes(), &CheckOptions::default()), Vec::<String>::new());
    let long = longest.replace("[Event", "[Events");
    assert!(faults(long.as_bytes(), &CheckOptions::default())[0].starts_with("1:1 E0307 tag of more than"));
    let many: Vec<String> = (0..65).map(|number| format!("[Tag{number} \"\"]\n")).collect();
    let many = many.concat();
    assert!(faults(many.as_bytes(), &CheckOptions::default())[0].starts_with("65:1 E0307 more than 64 tags"));
    let (reports, _) =
        check_text(b"[Event \"a \\\"b\\\"\"]\n[X \"Ada\"]\n1 X A1\n", &CheckOptions::default());
    assert_eq!(reports[0].tags, [Tag::new("Event", "a \"b\""), Tag::new("X", "Ada")]);
}
