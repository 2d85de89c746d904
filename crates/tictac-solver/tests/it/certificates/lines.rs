//! Lines that are too many, or lack a part.

use tictac_proof::CertificateReader;

use super::{check_error, is_accepted, proved, samples, start};

#[test]
fn nothing_follows_the_end_of_a_certificate() {
    let text = &samples()[2];
    let line = text.lines().count() + 1;
    for after in ["# a comment", "end", ""] {
        let found = after.chars().next().map_or("the end of the line".to_owned(), |c| format!("'{c}'"));
        check_error(
            &format!("{text}{after}\n"),
            &format!("line {line}, column 1: expected nothing after \"end\", found {found}"),
        );
    }
}

/// Returns a certificate of 3×3 with this many comments.
pub(super) fn with_comments(n_comments: usize) -> String {
    samples()[0].replacen("value", &("# x\n".repeat(n_comments) + "value"), 1)
}

#[test]
fn a_certificate_has_a_million_comments_at_most() {
    let max = CertificateReader::MAX_COMMENTS;
    assert!(is_accepted(&with_comments(max)));
    let expected = format!("line {}, column 1: expected at most 1000000 comments", max + 4);
    check_error(&with_comments(max + 1), &expected);
}

#[test]
fn the_side_to_move_is_never_left_out() {
    let reason = "expected a position, one space and the side to move";
    for rules in ["3,3,3 wild", "notakto", "notakto boards=2"] {
        let text = proved(&start(rules)).to_string();
        let entry = text.lines().nth(5).unwrap();
        let (boards, rest) = entry.split_once(' ').unwrap();
        let (_, rest) = rest.split_once(' ').unwrap();
        check_error(
            &text.replacen(entry, &format!("{boards}  {rest}"), 1),
            &format!("line 6, column 1: {reason}"),
        );
        for side in ["", " ", "  1", " 1 ", " 1\t", "\t1"] {
            let changed = text.replacen(" 1\nvalue", &format!("{side}\nvalue"), 1);
            check_error(&changed, &format!("line 3, column 7: {reason}"));
        }
    }
}
