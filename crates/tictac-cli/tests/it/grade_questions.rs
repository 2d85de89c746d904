//! `tictac grade questions`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::{folder, tictac};

const WRONG: &str = "#!/bin/sh\nread -r line\ncase $line in\n[1-9]\\ [XO]\\ [ABC][123]) echo \"$line\";;\n*) echo 'Parse error.'; exit 1;;\nesac\n";

#[test]
fn every_student_gets_questions_about_the_own_program() {
    let folder = folder("questions");
    for student in ["ada", "ben"] {
        let path = folder.join("class").join(student).join("move-check");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, WRONG).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (class, out) = (path("class"), path("out"));
    let ended = tictac(["grade", "questions", "move-check", &class, "--out", &out]).run();
    assert_eq!(ended.status, Some(0), "{ended:?}");
    let sheet = fs::read_to_string(path("out/ada.md")).unwrap();
    assert_eq!(sheet.matches("What does your program print").count(), 3, "{sheet}");
    assert!(sheet.contains("**b)**") && sheet.contains("Why?"), "{sheet}");
    assert!(!sheet.contains("wrong here"), "the sheet does not contain the key: {sheet}");
    let key = fs::read_to_string(path("out/key.md")).unwrap();
    assert!(key.contains("| ada | 1 |") && key.contains("| ben | 3 |"), "{key}");
    assert!(key.contains("the program is wrong here"), "the program knows one space only: {key}");
}
