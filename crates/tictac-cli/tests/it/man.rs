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
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    for name in [
        "tictac.1",
        "tictac-show.1",
        "tictac-perft.1",
        "tictac-man.1",
        "tictac-completions.1",
        "tictac-grade-all.1",
    ] {
        assert!(names.iter().any(|found| found == name), "{name} is missing in {names:?}");
    }
    for name in &names {
        let page = fs::read_to_string(folder.join(name)).unwrap();
        assert!(!page.contains(".SH EXTRA"), "{name}: {page}");
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "SEE ALSO"] {
            let heading = format!(".SH \"{section}\"\n");
            let start = page.find(&heading).or_else(|| page.find(&format!(".SH {section}\n")));
            let start = start.unwrap_or_else(|| panic!("{name} has no {section}: {page}"));
            let text = page[start..].lines().skip(1).find(|line| !line.starts_with('.')).unwrap();
            assert!(!text.trim().is_empty(), "{name}: {section}: {page}");
        }
    }
    let page = fs::read_to_string(folder.join("tictac-check.1")).unwrap();
    for part in [
        "\n0 all games are valid, 1 a game has an error",
        "\ntictac(1), tictac\\-play(1), ",
        "\n.nf\n  tictac check game.ttt",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let page = fs::read_to_string(folder.join("tictac-grade-all.1")).unwrap();
    assert!(page.contains("\ntictac\\-grade(1), tictac\\-grade\\-move\\-check(1), "), "{page}");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    tictac(["man"]).succeed_with_a_closed_pipe();
}
