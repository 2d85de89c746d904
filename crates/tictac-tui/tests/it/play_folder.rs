//! Tests of the folder that is shared by all runs of the program.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tictac::{Player, Rules};
use tictac_solver::level::Level;
use tictac_tui::{GameResult, PlayFolder, PlayHistory, PlaySettings, PlayerOutcome};

fn folder(name: &str) -> (PathBuf, PlayFolder) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    (path.clone(), PlayFolder::new(path))
}

const RESULT: GameResult = GameResult {
    time: 0,
    outcome: PlayerOutcome::Won,
    level: Level::Club,
    player: Player::First,
    n_moves: 5,
    has_help: false,
    rules: Rules::CLASSIC,
};

#[test]
fn a_run_forgets_only_the_game_that_it_kept() {
    let (path, folder) = folder("folder-two-runs");
    let file = path.join("game.conf");
    folder.keep_game("one").unwrap();
    folder.keep_game("two").unwrap();
    folder.forget_game("one").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "two");
    folder.forget_game("two").unwrap();
    assert!(!file.exists());
}

#[test]
fn games_that_end_at_the_same_time_are_all_remembered() {
    let (_, folder) = folder("folder-at-once");
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..10).for_each(|_| folder.add_result(RESULT).unwrap()));
        }
    });
    assert_eq!(folder.history().games().len(), 80);
}

#[test]
fn lines_that_are_not_understood_stay_in_the_history() {
    let (path, folder) = folder("folder-lines");
    let file = path.join("history.txt");
    fs::write(&file, "# mine\n1 won genius first 5 alone 3,3,3").unwrap();
    folder.add_result(RESULT).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# mine\n1 won genius first 5 alone 3,3,3\n"), "{text}");
    assert_eq!(folder.history().games().len(), 1);
    // Only the oldest games make room, and only when there are too many.
    fs::write(
        &file,
        format!("# mine\n1 won club first 5 alone 3,3,3\n{}", format!("{}\n", RESULT.line()).repeat(9_999)),
    )
    .unwrap();
    folder.add_result(RESULT).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# mine\n{\"time\":0,"), "{}", &text[..40]);
    assert_eq!(text.lines().count(), 10_001);
}

#[test]
fn a_history_that_cannot_be_read_is_not_replaced() {
    let (path, folder) = folder("folder-unreadable");
    let file = path.join("history.txt");
    symlink("history.txt", &file).unwrap();
    assert!(folder.add_result(RESULT).is_err());
    assert!(fs::symlink_metadata(&file).unwrap().is_symlink());
    fs::remove_file(&file).unwrap();
    let large = format!("{}\n", RESULT.line()).repeat(40_000);
    fs::write(&file, &large).unwrap();
    assert!(folder.add_result(RESULT).is_err());
    assert!(fs::read_to_string(&file).unwrap() == large);
}

#[test]
fn a_pipe_in_the_place_of_a_file_does_not_stop_the_program() {
    let (path, folder) = folder("folder-pipes");
    for name in ["play.conf", "game.conf", "history.txt"] {
        assert!(Command::new("mkfifo").arg(path.join(name)).status().unwrap().success());
    }
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let is_added = folder.add_result(RESULT).is_ok();
        let has_game = folder.kept_game().is_some();
        sender.send((folder.settings(), has_game, folder.history(), is_added)).unwrap();
    });
    let expected = (PlaySettings::default(), false, PlayHistory::default(), false);
    assert_eq!(receiver.recv_timeout(Duration::from_secs(20)), Ok(expected));
}
