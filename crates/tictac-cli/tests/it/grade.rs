//! `tictac grade`.

use std::fs;
use std::path::PathBuf;

use crate::tictac;

/// A folder of its own for a test, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tictac-cli-grade-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Puts a script there that can be executed.
    fn script(&self, name: &str, text: &str) -> String {
        use std::os::unix::fs::PermissionsExt;

        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Right for the first case, which is no input at all, and for hardly any other.
const NEW_GAME: &str = "echo 'Game in progress: New game.'";

#[test]
fn no_fault_is_0_a_fault_is_1_and_no_program_is_2() {
    let folder = Folder::new("status");
    let program = folder.script("game-check", NEW_GAME);
    let fine = tictac(["grade", "game-check", "--cases", "1", &program]).run();
    assert_eq!(fine.status, Some(0), "{fine:?}");
    assert!(fine.stdout.contains("✓ new-game") && fine.stdout.contains("No fault found"), "{}", fine.stdout);
    let bad = tictac(["grade", "game-check", "--cases", "20", &program]).run();
    assert_eq!(bad.status, Some(1), "{bad:?}");
    assert!(bad.stdout.contains("✗ number") && bad.stdout.contains("printf '"), "{}", bad.stdout);
    let missing = tictac(["grade", "game-check", &folder.path("nothing")]).run();
    assert_eq!((missing.status, missing.stdout.as_str()), (Some(2), ""));
    assert!(missing.stderr.contains("cannot run"), "{}", missing.stderr);
}

#[test]
fn programs_are_found_by_name_and_a_failed_build_is_told() {
    let folder = Folder::new("all");
    folder.script("build/game_check", NEW_GAME);
    let found = tictac(["grade", "all", "--cases", "1", &folder.path("")]).run();
    assert_eq!(found.status, Some(0), "{found:?}");
    assert!(found.stderr.contains("not found") && found.stderr.contains("lab3"), "{}", found.stderr);
    let failed = tictac(["grade", "all", "--build", "echo no compiler; exit 3", &folder.path("")]).run();
    assert_eq!(failed.status, Some(2));
    assert!(failed.stderr.contains("no compiler"), "{}", failed.stderr);
    let told = tictac(["grade", "all", "--format", "gradescope", "--build", "false", &folder.path("")]).run();
    assert!(
        told.stdout.contains("\"score\": 0") && told.stdout.contains("the build failed"),
        "{}",
        told.stdout
    );
}

#[test]
fn a_class_becomes_a_table() {
    let folder = Folder::new("class");
    folder.script("class/ada/game-check", NEW_GAME);
    folder.script("class/ben, jr/game-check", "exit 1");
    let table =
        tictac(["grade", "class", "--assignment", "game-check", "--cases", "1", &folder.path("class")]).run();
    assert_eq!(table.status, Some(1), "{table:?}");
    let lines: Vec<&str> = table.stdout.lines().collect();
    assert_eq!(lines[0], "submission,assignment,verdict,score,max_score,broken,robustness,seed,note");
    assert!(lines[1].starts_with("ada,game-check,fine,"), "{}", lines[1]);
    assert!(lines[2].starts_with("\"ben, jr\",game-check,fault,"), "{}", lines[2]);
}

#[test]
fn the_configuration_is_written_read_and_packed() {
    let folder = Folder::new("pack");
    let config = folder.path("grade.toml");
    assert_eq!(tictac(["grade", "init", "game-check", "--out", &config]).run().status, Some(0));
    assert_eq!(
        tictac(["grade", "init", "--out", &config]).run().status,
        Some(2),
        "a file is not overwritten"
    );
    let program = folder.script("game-check", NEW_GAME);
    let graded = tictac(["grade", "game-check", "--config", &config, "--cases", "1", &program]).run();
    assert_eq!(graded.status, Some(0), "{graded:?}");
    let zip = folder.path("autograder.zip");
    let packed = tictac(["grade", "pack", "--config", &config, "--out", &zip]).run();
    assert_eq!(packed.status, Some(0), "{packed:?}");
    let bytes = fs::read(&zip).unwrap();
    for name in ["setup.sh", "run_autograder", "tictac-grade.toml", "tictac"] {
        assert!(bytes.windows(name.len()).any(|window| window == name.as_bytes()), "{name}");
    }
    fs::write(&config, "feedback = \"everything\"\n").unwrap();
    assert_eq!(tictac(["grade", "pack", "--config", &config, "--out", &zip]).run().status, Some(2));
}
