//! Strategies that block: correct ones are verified, as a whole or while they are read, and each flaw is reported with its place.

use tictac::{Rules, State, Value};
use tictac_proof::{Certificate, CertificateReader};
use tictac_solver::{Oracle, ProofLimits, Question};

use super::{GENEROUS, NEVER, check_error, is_accepted, start, verified};

/// Returns a certificate that was constructed with the tables of the solver.
pub(super) fn proved_with_tables(start: &State) -> Certificate {
    let mut oracle = Oracle::new(start.rules(), 1 << 26);
    let value = oracle.solve(start, Question::Weak, NEVER).value().unwrap();
    oracle.with_tables(NEVER, |source| tictac_solver::prove_value(start, value, source, GENEROUS)).unwrap()
}

/// Returns the texts of certificates in which a player blocks: with one entry and with many, with pairs, moves and weight only,
/// and with a first move.
pub(super) fn blocking_samples() -> Vec<String> {
    let starts = ["4,4,4", "7,3,4", "5,4,4"].map(start);
    let rules: Rules = "5,4,4".parse().unwrap();
    let middles = ["..../.X../..../..../.... O", "X.../.OX./..../..../.... O"]
        .map(|text| State::parse(text, &rules).unwrap());
    starts.iter().chain(&middles).map(|start| proved_with_tables(start).to_string()).collect()
}

#[test]
fn draws_that_are_decided_by_blocking_are_proved_by_it() {
    for (rules, n_entries) in [("4,4,4", 1), ("7,3,4", 1), ("5,4,4", 9), ("6,4,4", 58), ("7,6,5", 17)] {
        let certificate = proved_with_tables(&start(rules));
        let summary = verified(&certificate).summary();
        let positions = if n_entries == 1 { "position" } else { "positions" };
        assert_eq!(
            summary,
            format!("{rules}: draw (first player copies; second player blocks: {n_entries} {positions})")
        );
    }
}

#[test]
fn a_player_who_is_to_move_blocks_with_a_first_move() {
    let text = &blocking_samples()[3];
    assert!(text.contains("strategy first blocks\n") || text.contains("strategy first holds\n"), "{text}");
    assert!(text.contains("strategy second blocks C"), "{text}");
    for text in blocking_samples() {
        assert!(is_accepted(&text), "{text}");
    }
    // O opened, so X is the second player.
    let rules: Rules = "5,4,4".parse().unwrap();
    let opened = State::parse("..../.O../..../..../.... X", &rules).unwrap();
    assert!(verified(&proved_with_tables(&opened)).to_string().contains("\nstrategy second blocks C"));
}

#[test]
fn what_blocking_does_not_decide_is_proved_by_moves() {
    for (rules, value) in [("5,5,4", Value::Draw), ("4,4,3", Value::Win), ("4,3,3 misere", Value::Loss)] {
        let certificate = verified(&proved_with_tables(&start(rules)));
        assert_eq!(certificate.value, value, "{rules}");
        assert!(!certificate.to_string().contains("second blocks"), "{rules}");
    }
}

#[test]
fn a_limit_ends_the_construction() {
    let mut oracle = Oracle::new(&"6,4,4".parse().unwrap(), 1 << 26);
    let mut prove = |max_entries, stop| {
        oracle.with_tables(stop, |source| {
            let limits = ProofLimits { max_entries, stop };
            tictac_solver::prove_value(&start("6,4,4"), Value::Draw, source, limits).map(|_| ())
        })
    };
    assert_eq!(prove(57, NEVER).unwrap_err().to_string(), "the certificate needs more than 57 entries");
    assert!(prove(58, NEVER).is_ok());
    assert!(prove(58, &|| true).is_err());
}

/// Reads a certificate, checks its blocking strategies after every `n_lines` lines, and returns whether it is accepted.
fn is_accepted_while_read(text: &str, n_lines: usize) -> bool {
    let mut reader = CertificateReader::default();
    for (number, line) in (1..).zip(text.lines()) {
        if reader.push(line.as_bytes()).is_err() {
            return false;
        }
        if number % n_lines > 0 {
            continue;
        }
        let Ok(batch) = reader.take_blocking() else { return false };
        let checked = batch.into_iter().flat_map(|batch| batch.split(2)).try_for_each(|part| {
            assert!(!part.is_empty());
            part.check().and_then(|checked| reader.accept(checked))
        });
        if checked.is_err() {
            return false;
        }
    }
    reader.finish().is_ok_and(|certificate| certificate.verify().is_ok())
}

#[test]
fn a_check_while_reading_comes_to_the_same_verdict() {
    let mut n_accepted = [0, 0];
    for text in blocking_samples() {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let without =
            (0..lines.len()).map(|number| [&lines[..number], &lines[number + 1..]].concat().concat());
        let twice = (0..lines.len()).map(|number| [&lines[..=number], &lines[number..]].concat().concat());
        let swapped = (1..lines.len()).map(|number| {
            let mut lines = lines.clone();
            lines.swap(number - 1, number);
            lines.concat()
        });
        for text in without.chain(twice).chain(swapped).chain([text.clone()]) {
            let expected = is_accepted(&text);
            n_accepted[usize::from(expected)] += 1;
            for n_lines in [1, 3] {
                assert_eq!(is_accepted_while_read(&text, n_lines), expected, "{text}");
            }
        }
    }
    // Lines of pairs may be in any order.
    assert!(n_accepted[0] > n_accepted[1] && n_accepted[1] >= 5, "{n_accepted:?}");
}

#[test]
fn a_summary_counts_entries_that_were_checked_while_they_were_read() {
    let text = proved_with_tables(&start("6,4,4")).to_string();
    let mut reader = CertificateReader::default();
    for line in text.lines() {
        reader.push(line.as_bytes()).unwrap();
        if let Some(batch) = reader.take_blocking().unwrap() {
            reader.accept(batch.check().unwrap()).unwrap();
        }
    }
    let certificate = reader.finish().unwrap();
    assert!(
        certificate.summary().ends_with("second player blocks: 58 positions)"),
        "{}",
        certificate.summary()
    );
    assert!(certificate.verify().is_ok());
}

const HEADING: &str = "tictac certificate 2\nrules 3,3,3\nstart .../.../... X\nvalue draw\n";

/// A draw that is decided by weight after the first move.
const LIGHT: &str = "tictac certificate 2\nrules 3,4,4\nstart X.../O.../.... X\nvalue draw\n\
                     strategy first blocks A2\nstrategy second blocks\nend\n";

#[test]
fn an_error_in_a_blocking_strategy_has_its_place() {
    check_error(
        &format!("{HEADING}strategy first stays\n"),
        "line 5, column 16: expected wins, holds, blocks or copies, found 's'",
    );
    let old = HEADING.replace("certificate 2", "certificate 1");
    for claim in ["blocks", "copies"] {
        let found = &claim[..1];
        check_error(
            &format!("{old}strategy first {claim}\n"),
            &format!("line 5, column 16: expected wins or holds, found '{found}'"),
        );
    }
    check_error(
        &format!("{HEADING}strategy first copies\n.../.../...\n"),
        "line 6, column 1: expected \"strategy\" or \"end\", found '.'",
    );
    check_error(
        &format!("{HEADING}strategy first blocks D1\n"),
        "line 5, column 23: expected a row letter from A to C, found 'D'",
    );
    let blocks = format!("{HEADING}strategy first copies\nstrategy second blocks\n");
    check_error(
        &format!("{blocks}.../.o./...\n"),
        "line 7, column 6: expected X, a full stop or a hyphen, found 'o'",
    );
    check_error(&format!("{blocks}.../...-...\n"), "line 7, column 8: expected a slash, found '-'");
    check_error(
        &format!("{blocks}.../.../..\n"),
        "line 7, column 11: expected X, a full stop or a hyphen, found the end of the line",
    );
    check_error(&format!("{blocks}.../.../... X\n"), "line 7, column 12: expected the end of the line");
    check_error(
        &format!("{blocks}.../.../...\nmoves A1-B2\n"),
        "line 8, column 7: expected a move and its answer, such as A1:B2, found 'A'",
    );
    check_error(
        &format!("{blocks}.../.../...\nmoves\n"),
        "line 8, column 6: expected a move and its answer, such as A1:B2, found the end of the line",
    );
    check_error(
        &format!("{blocks}.../.../...\nmoves A1:B2\npairs B2\n"),
        "line 9, column 1: expected at most 64 lines of pairs, before the moves",
    );
}

#[test]
fn a_flaw_of_a_blocking_strategy_has_its_line_and_position() {
    assert!(is_accepted(LIGHT));
    let blocks =
        |entries: &str| format!("{HEADING}strategy first copies\nstrategy second blocks\n{entries}end\n");
    check_error(&blocks(""), "line 6: in .../.../...: no entry for this position or an image of it");
    check_error(&blocks(".../.../...\n"), "line 7: in .../.../...: there is no answer to A1");
    check_error(
        &blocks(".../.../...\nmoves A1:A1\n"),
        "line 7: in .../.../...: A1 and A1 must be two empty squares",
    );
    check_error(
        &blocks(".../.../...\nmoves A1:B2 A1:B3\n"),
        "line 7: in .../.../...: the move A1 is named twice",
    );
    check_error(
        &blocks(".../.../...\npairs A1 B1-A1\n"),
        "line 7: in .../.../...: A1 is not empty or named before: an answer and its pairs must be empty and disjoint",
    );
    check_error(
        &blocks("---/.../---\n"),
        "line 7: in ---/.../---: some of its squares do not matter: write ---/---/---",
    );
    let right = proved_with_tables(&start("7,3,4")).to_string();
    let (before, entry) = right.split_once("blocks\n").unwrap();
    let entry = entry.strip_suffix("end\n").unwrap();
    check_error(
        &format!("{before}blocks\n{entry}{entry}end\n"),
        "line 9: in .../.../.../.../.../.../...: no entry before leads to this position, or it has an entry already",
    );
    let sample = &blocking_samples()[2];
    let last = sample.lines().rev().find(|line| line.starts_with('-') || line.starts_with('.')).unwrap();
    let at = sample.rfind(&format!("\n{last}\n")).unwrap();
    let early = format!("{}{}", &sample[..at], "\n..../..../..../..../....\nend\n");
    assert!(Certificate::read(early.as_bytes()).unwrap().verify().is_err());
}

#[test]
fn the_start_must_fit_a_blocking_strategy() {
    check_error(
        &LIGHT.replace("first blocks A2", "first copies"),
        "line 5: in X.../O.../.... X: only the first player copies, from the empty board, a second player's strategy that blocks",
    );
    check_error(
        &LIGHT.replace("first blocks A2", "first blocks"),
        "line 5: in X.../O.../.... X: the owner is to move: the heading needs a square",
    );
    check_error(
        &LIGHT.replace("first blocks A2", "first blocks A1"),
        "line 5: in X.../O.../.... X: the square of the heading is not empty",
    );
    check_error(
        &LIGHT.replace("second blocks", "second blocks A2"),
        "line 6: in X.../O.../.... X: the owner is not to move: the heading needs no square",
    );
    let misere = LIGHT.replace("rules 3,4,4", "rules 3,4,4 misere");
    check_error(
        &misere,
        "line 5: in X.../O.../.... X: blocking requires one board, a different mark for each player, and lines that win",
    );
    // A player who wins does not block.
    let won = LIGHT.replace("value draw", "value win").replace("strategy second blocks\n", "");
    assert!(Certificate::read(won.as_bytes()).unwrap().verify().is_err());
    // The game is over: O has a line.
    let over = LIGHT.replace("X.../O.../.... X", "OOOO/XXX./X... X");
    assert!(!is_accepted(&over));
}
