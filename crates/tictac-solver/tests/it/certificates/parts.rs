//! A check in parts, and a check that is stopped.

use std::cell::Cell;

use tictac_proof::Certificate;

use super::{NEVER, proved_from, samples};

/// Checks a certificate in parts, in reverse order.
fn is_accepted_in_parts(certificate: &Certificate, n_parts: usize) -> bool {
    certificate.start_check(NEVER).is_ok_and(|check| {
        let are_correct = (0..n_parts).rev().all(|part| check.follow_part(part, n_parts, NEVER).is_ok());
        are_correct && check.finish().is_ok()
    })
}

#[test]
fn the_parts_of_a_check_lead_to_the_same_verdict_in_any_order() {
    let mut n_refused = 0;
    for text in samples() {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let without = |number: usize| [&lines[..number], &lines[number + 1..]].concat().concat();
        let shortened = (4..lines.len() - 1).step_by(7).map(without);
        for text in shortened.chain([text.clone()]) {
            let Ok(certificate) = Certificate::read(text.as_bytes()) else { continue };
            let is_accepted = certificate.verify().is_ok();
            n_refused += usize::from(!is_accepted);
            for n_parts in [1, 2, 3, 1000] {
                assert_eq!(
                    is_accepted_in_parts(&certificate, n_parts),
                    is_accepted,
                    "{n_parts} parts of {text}"
                );
            }
        }
    }
    assert!(n_refused > 40, "{n_refused}");
}

#[test]
fn a_check_that_is_stopped_accepts_and_refutes_nothing() {
    let certificate = proved_from("3,3,3", ".../.../... X");
    assert!(certificate.verify_until(NEVER).unwrap());
    let n_calls = Cell::new(0);
    let count = || n_calls.replace(n_calls.get() + 1) == usize::MAX;
    assert!(certificate.verify_until(&count).unwrap());
    for limit in 0..n_calls.get() {
        let left = Cell::new(limit);
        let stop = || left.replace(left.get().saturating_sub(1)) == 0;
        assert!(!certificate.verify_until(&stop).unwrap(), "after {limit} calls");
    }
}
