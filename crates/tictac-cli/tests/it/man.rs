//! Tests of `tictac man`.

use std::fs;

use crate::{folder, tictac};

#[test]
fn the_page_of_the_command_is_printed() {
    let page = tictac(["man"]).succeed();
    assert!(page.contains(".TH tictac 1"), "{page}");
}

#[test]
fn all_pages_are_written_to_a_folder() {
    let folder = folder("all_pages").join("made/if/need/be");
    assert_eq!(tictac(["man", "--out", folder.to_str().unwrap()]).succeed(), "");
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    for name in ["tictac.1", "tictac-show.1", "tictac-perft.1", "tictac-man.1", "tictac-completions.1"] {
        assert!(names.iter().any(|found| found == name), "{name} is missing in {names:?}");
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    tictac(["man"]).succeed_with_a_closed_pipe();
}
