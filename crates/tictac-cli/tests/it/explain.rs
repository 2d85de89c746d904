//! `tictac explain`.

use crate::tictac;

const PAGE: &str = include_str!("../../../../docs/check.md");

#[test]
fn every_code_of_the_list_is_explained_and_documented() {
    let list = tictac(["explain"]).succeed();
    let mut rows = String::new();
    for line in list.lines() {
        let (code, title) = line.split_once("  ").unwrap();
        let text = tictac(["explain", code]).succeed();
        assert!(text.starts_with(&format!("{code}: {title}\n\n")), "{text}");
        assert!(text.lines().count() >= 3 && text.lines().all(|line| line.chars().count() <= 120), "{text}");
        rows.extend(["| `", code, "` | ", title, " |\n"]);
    }
    assert!(PAGE.ends_with(&rows), "docs/check.md should end with\n{rows}");
}

#[test]
fn a_code_is_found_in_either_case() {
    assert_eq!(tictac(["explain", "e0101"]).succeed(), tictac(["explain", "E0101"]).succeed());
}

#[test]
fn an_unknown_code_cannot_be_explained() {
    assert_eq!(
        tictac(["explain", "E9999"]).fail(2),
        "tictac: there is no code \"E9999\"; `tictac explain` lists all\n"
    );
}
