//! Certificates: true claims are verified, false ones are refused, and the text form parses back.

mod blocking;
mod lines;
mod parts;
mod second_checker;
mod tampered;

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;
use tictac::{Boards, Mark, Player, Position, Rules, State, Value};
use tictac_proof::{Certificate, Strategy};
use tictac_solver::{NoProof, Oracle, ProofLimits, Question};

use self::blocking::blocking_samples;
use crate::corpus::{reachable, variants};

const DOCUMENT: &str = include_str!("../../../../docs/certificates.md");

const NEVER: &dyn Fn() -> bool = &|| false;
const GENEROUS: ProofLimits<'static> = ProofLimits { max_entries: 100_000, stop: NEVER };

fn oracle(rules: Rules) -> impl FnMut(&State) -> Option<Value> {
    let mut oracle = Oracle::new(&rules, 1 << 26);
    move |state| oracle.solve(state, Question::Weak, NEVER).value()
}

fn proved(start: &State) -> Certificate {
    tictac_solver::prove(start, oracle(*start.rules()), GENEROUS).unwrap()
}

fn start(rules: &str) -> State {
    State::start(&rules.parse().unwrap())
}

fn proved_from(rules: &str, text: &str) -> Certificate {
    proved(&State::parse(text, &rules.parse().unwrap()).unwrap())
}

/// Verifies a certificate from its text, and returns what was read.
fn verified(certificate: &Certificate) -> Certificate {
    let text = certificate.to_string();
    let read = Certificate::read(text.as_bytes()).unwrap();
    assert_eq!(&read, certificate);
    assert_eq!(read.to_string(), text);
    read.verify().unwrap_or_else(|refuted| panic!("{refuted}\n{text}"));
    read
}

/// Checks a certificate of the value of `start`, and returns its number of entries.
#[track_caller]
fn check(start: &State) -> usize {
    let certificate = proved(start);
    let verified = verified(&certificate);
    assert_eq!(Some(verified.value), oracle(*start.rules())(start), "{start}");
    assert_eq!(verified.start(), start);
    verified.strategies().iter().map(Strategy::n_entries).sum()
}

/// Returns whether the text is read and verified.
fn is_accepted(text: &str) -> bool {
    Certificate::read(text.as_bytes()).is_ok_and(|certificate| certificate.verify().is_ok())
}

#[test]
fn the_value_of_every_position_of_3x3_can_be_proved() {
    for rules in variants("3,3,3") {
        let mut value_of = oracle(rules);
        let max_moves = if rules.marks_name_players() { 9 } else { 3 };
        let positions: HashSet<Position> = reachable(rules).iter().map(Position::canonical).collect();
        for position in positions.into_iter().filter(|position| position.n_moves() <= max_moves) {
            let start = State::One(position);
            let certificate = tictac_solver::prove(&start, &mut value_of, GENEROUS).unwrap();
            assert_eq!(Some(verified(&certificate).value), value_of(&start), "{rules}: {start}");
        }
    }
}

#[test]
fn larger_boards_can_be_proved_too() {
    for rules in variants("4,3,3") {
        check(&State::start(&rules));
    }
    for rules in ["4,4,3", "4,4,3 misere", "4,4,3 wild", "4,4,3 x-only", "4,4,3 x-only misere", "4,4,4"] {
        check(&start(rules));
    }
    for rules in ["4,4,4 x-only", "4,4,4 x-only misere", "5,4,4", "5,5,5", "6,6,6", "8,8,8"] {
        check(&start(rules));
    }
}

#[test]
fn either_mark_may_have_opened() {
    for text in ["O../.../... X", "O../.X./..O X", "OOO/XX./... X", "XOX/XOO/OXX O"] {
        check(&State::parse(text, &Rules::CLASSIC).unwrap());
    }
    check(&State::start_with(&Rules::CLASSIC, Mark::O));
}

#[test]
fn a_few_boards_can_be_proved_and_many_exceed_the_limit() {
    for rules in
        ["notakto boards=2", "notakto boards=3", "3,3,3 x-only boards=2", "2,3,2 x-only misere boards=4"]
    {
        check(&start(rules));
    }
    let many = start("notakto boards=7");
    let limits = ProofLimits { max_entries: 100, stop: NEVER };
    let refused = tictac_solver::prove(&many, oracle(*many.rules()), limits);
    assert_eq!(refused, Err(NoProof::TooLarge(100)));
}

#[test]
fn a_single_board_is_proved_as_a_position() {
    let board = State::Many(Boards::start(&Rules::NOTAKTO).unwrap());
    let verified = verified(&proved(&board));
    assert_eq!((verified.start(), verified.value), (&State::start(&Rules::NOTAKTO), Value::Win));
}

#[test]
fn a_failed_construction_returns_the_reason() {
    let start = State::start(&Rules::CLASSIC);
    let stopped = ProofLimits { max_entries: 1000, stop: &|| true };
    assert_eq!(tictac_solver::prove(&start, oracle(Rules::CLASSIC), stopped), Err(NoProof::Stopped));
    let short = ProofLimits { max_entries: 5, stop: NEVER };
    assert_eq!(tictac_solver::prove(&start, oracle(Rules::CLASSIC), short), Err(NoProof::TooLarge(5)));
    // The strategies of a draw have 1 and 24 entries, and the limit is for both together.
    let exact = |max_entries| ProofLimits { max_entries, stop: NEVER };
    assert!(tictac_solver::prove(&start, oracle(Rules::CLASSIC), exact(25)).is_ok());
    assert_eq!(tictac_solver::prove(&start, oracle(Rules::CLASSIC), exact(24)), Err(NoProof::TooLarge(24)));
    let silent = tictac_solver::prove(&start, |_| None, GENEROUS);
    assert_eq!(silent, Err(NoProof::Unknown(start.to_string())));
    let liar = tictac_solver::prove(&start, |_| Some(Value::Win), GENEROUS);
    assert_eq!(liar, Err(NoProof::Contradiction(start.to_string())));
}

#[test]
fn the_same_oracle_gives_the_same_certificate() {
    let start = start("5,4,4");
    assert_eq!(proved(&start).to_string(), proved(&start).to_string());
}

/// Returns a certificate of each kind: a draw with and without leaves, a win, a loss, and several boards.
fn samples() -> Vec<String> {
    let starts =
        ["3,3,3", "3,3,3 misere", "4,3,3", "4,3,3 x-only misere", "5,4,4", "notakto boards=2"].map(start);
    let middle = proved_from("4,4,3", "X.../.O../..../.... X");
    starts.iter().map(proved).chain([middle]).map(|certificate| certificate.to_string()).collect()
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let error = match Certificate::read(text.as_bytes()) {
        Ok(certificate) => certificate.verify().unwrap_err().to_string(),
        Err(error) => error.to_string(),
    };
    assert_eq!(error, expected, "{text}");
}

#[test]
fn an_error_has_its_place_and_the_expected_text() {
    let first = "tictac certificate 1\n";
    check_error(
        "",
        "line 1, column 1: expected \"tictac certificate\" and version 1 or 2, found the end of the line",
    );
    check_error(
        "# a comment\ntictac certificate 1\n",
        "line 1, column 1: expected \"tictac certificate\" and version 1 or 2, found '#'",
    );
    check_error(
        "tictac certificate 3\n",
        "line 1, column 1: expected \"tictac certificate\" and version 1 or 2, found 't'",
    );
    check_error(
        first,
        "line 2, column 1: expected more lines and a final \"end\", found the end of the text",
    );
    let rules = format!("{first}rules 3,3,3\n");
    check_error(
        &format!("{first}rules 3,3,4\n"),
        "line 2, column 7: a line of 4 does not fit: it may have 1 to 3 squares on this grid",
    );
    check_error(
        &format!("{rules}start .../..Z/... X\n"),
        "line 3, column 13: expected X, O or a full stop, found 'Z'",
    );
    check_error(
        &format!("{rules}start X../.../... X\n"),
        "line 3, column 7: with 1 X and 0 O it is O's turn",
    );
    let start = format!("{rules}start .../.../... X\n");
    check_error(&format!("{start}value 3\n"), "line 4, column 7: expected win, draw or loss, found '3'");
    let value = format!("{start}# a comment\nvalue draw\n");
    check_error(
        &format!("{value}first holds\n"),
        "line 6, column 1: expected \"strategy\", its player and \"wins\" or \"holds\", found 'f'",
    );
    let holds = format!("{value}strategy first holds\n");
    check_error(
        &format!("{holds}.../.../... O move O B2\n"),
        "line 7, column 1: expected a position of a game opened by X, like the start",
    );
    check_error(
        &format!("{holds}.../.../... X stay\n"),
        "line 7, column 15: expected \"move\", \"pairs\" or \"weight\", found 's'",
    );
    check_error(
        &format!("{holds}.../.../... X move X D2\n"),
        "line 7, column 22: expected a row letter from A to C, found 'D'",
    );
    check_error(
        &format!("{holds}.../.../... X pairs A1+B2\n"),
        "line 7, column 21: expected a pair of squares, such as A1-B2, found 'A'",
    );
    check_error(
        &format!("{holds}.../.../... X weight \n"),
        "line 7, column 21: expected the end of the line, found a space",
    );
}

#[test]
fn a_flaw_has_its_line_and_position() {
    let holds = "tictac certificate 1\nrules 3,3,3\nstart .../.../... X\n# a comment\nvalue draw\n\
                 strategy first holds\n";
    check_error(
        &format!("{holds}end\n"),
        "line 5: in .../.../... X: the value requires exactly these strategies: strategy first holds, strategy second holds",
    );
    let both = |entries: &str| format!("{holds}{entries}strategy second holds\nend\n");
    check_error(&both(""), "line 6: in .../.../... X: no entry for the first player to move");
    check_error(
        &both("X../.../... O pairs\n"),
        "line 6: in .../.../... X: no entry for the first player to move",
    );
    check_error(
        &both(".../.../... X weight\n"),
        "line 7: in .../.../... X: the weight of the lines that can still be completed is 1 or more",
    );
    check_error(
        &both(".../.../... X pairs A1-A2 B1-B1\n"),
        "line 7: in .../.../... X: B1 holds a mark or belongs to an earlier pair: pairs must be empty and disjoint",
    );
    check_error(
        &both(".../.../... X pairs A1-A2\n"),
        "line 7: in .../.../... X: the line B1-B2-B3 can still be completed and contains no pair",
    );
}

#[test]
fn invalid_utf8_and_long_lines_are_refused_with_their_place() {
    let error = Certificate::read(b"tictac certificate 1\nrules \xff").unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 7: expected text, found byte 0xFF");
    let error = Certificate::read(&[b' '; 5000]).unwrap_err();
    assert_eq!(error.to_string(), "line 1, column 4097: expected a line of at most 4096 bytes");
    let carriage = samples()[0].replace('\n', "\r\n");
    assert!(is_accepted(&carriage));
    // A byte order mark may come before the first line, and only there.
    assert!(is_accepted(&format!("\u{FEFF}{}", samples()[0])));
    assert!(!is_accepted(&format!("\u{FEFF}\u{FEFF}{}", samples()[0])));
    assert!(!is_accepted(&samples()[0].replacen("rules", "\u{FEFF}rules", 1)));
}

#[test]
fn the_examples_of_the_document_are_verified() {
    let mut n_examples = 0;
    for block in DOCUMENT.split("```certificate\n").skip(1) {
        let text = block.split("```").next().unwrap();
        let certificate = Certificate::read(text.as_bytes()).unwrap();
        certificate.verify().unwrap_or_else(|refuted| panic!("{refuted}"));
        n_examples += 1;
    }
    assert!(n_examples >= 1);
}

/// Returns the actual row of the table of sizes.
fn row_of_sizes(rules: &str) -> String {
    let certificate = proved(&start(rules));
    let size = |player| {
        let strategies = certificate.strategies().iter().filter(|strategy| strategy.owner == player);
        strategies.map(Strategy::n_entries).sum::<usize>()
    };
    let value = format!("{:?}", verified(&certificate).value).to_lowercase();
    let [first, second] = Player::BOTH.map(size);
    format!("| {rules} | {value} | {first} | {second} | {} |", certificate.to_string().len())
}

/// Compares the rows of the table of sizes whose rules are selected.
fn check_sizes(is_selected: impl Fn(&str) -> bool) {
    let (_, table) = DOCUMENT.split_once("|---|---|---|---|---|\n").unwrap();
    let rows: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
    let rules = |row: &&str| row.split(" | ").next().unwrap()[2..].to_owned();
    let found: Vec<String> =
        rows.iter().map(rules).filter(|rules| is_selected(rules)).map(|rules| row_of_sizes(&rules)).collect();
    let expected: Vec<&str> = rows.into_iter().filter(|row| is_selected(&rules(row))).collect();
    assert_eq!(found, expected, "{}", found.join("\n"));
    assert!(found.len() > 2);
}

const SLOW: [&str; 4] = ["4,4,4 misere", "5,5,4", "6,4,4", "6,6,4"];

#[test]
fn the_small_sizes_in_the_document_are_correct() {
    check_sizes(|rules| !SLOW.contains(&rules));
}

#[test]
#[ignore = "takes some seconds"]
fn the_large_sizes_in_the_document_are_correct() {
    check_sizes(|rules| SLOW.contains(&rules));
}

/// Returns the true value of `start`, from a cache if possible.
fn truth(start: &State, known: &mut HashMap<String, Option<Value>>) -> Option<Value> {
    let key = format!("{} {start}", start.rules());
    *known.entry(key).or_insert_with(|| oracle(*start.rules())(start))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Certificate::read(&bytes);
        for strategy in ["first wins", "second blocks"] {
            let heading = format!("tictac certificate 2\nrules 3,3,3\nstart .../.../... X\nvalue win\nstrategy {strategy}\n");
            let _ = Certificate::read(&[heading.as_bytes(), &bytes, b"\nend\n"].concat());
        }
    }

    #[test]
    fn every_accepted_certificate_is_true(
        sample in 0_usize..12,
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..30), 1..4),
    ) {
        static SAMPLES: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| [samples(), blocking_samples()].concat());
        let mut bytes = SAMPLES[sample].clone().into_bytes();
        for (place, choice) in edits {
            // Bytes that occur in certificates, so that many changed texts are still well formed.
            let place = place.index(bytes.len());
            bytes[place] = b"XO./ 12345ABCD-\n:wind"[usize::from(choice) % 21];
        }
        if let Ok(certificate) = Certificate::read(&bytes) {
            let printed = certificate.to_string();
            prop_assert_eq!(Certificate::read(printed.as_bytes()).unwrap().to_string(), printed);
            if certificate.verify().is_ok() {
                prop_assert_eq!(truth(certificate.start(), &mut HashMap::new()), Some(certificate.value));
            }
        }
    }
}
