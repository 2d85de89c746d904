//! The `tictac grade` command.

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::{signal, tictac};

/// A temporary folder for a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tictac-cli-grade-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Writes an executable script.
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

/// A program that is right for the first case, an empty input, and for hardly any other.
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
fn programs_are_found_by_name_and_a_failed_build_is_reported() {
    let folder = Folder::new("all");
    folder.script("build/game_check", NEW_GAME);
    let found = tictac(["grade", "all", "--cases", "1", &folder.path("")]).run();
    assert_eq!(found.status, Some(0), "{found:?}");
    assert!(found.stderr.contains("not found") && found.stderr.contains("lab3"), "{}", found.stderr);
    let failed = tictac(["grade", "all", "--build", "echo no compiler; exit 3", &folder.path("")]).run();
    assert_eq!(failed.status, Some(2));
    assert!(failed.stderr.contains("no compiler"), "{}", failed.stderr);
    let report =
        tictac(["grade", "all", "--format", "gradescope", "--build", "false", &folder.path("")]).run();
    assert!(
        report.stdout.contains("\"score\": 0") && report.stdout.contains("the build failed"),
        "{}",
        report.stdout
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
    assert_eq!(
        lines[0],
        "submission,assignment,verdict,score,max_score,bonus,lost,robustness,seed,note,by_hand"
    );
    assert!(lines[1].starts_with("ada,game-check,fine,"), "{}", lines[1]);
    assert!(lines[2].starts_with("\"ben, jr\",game-check,fault,"), "{}", lines[2]);
}

#[test]
fn a_class_is_graded_again_only_where_something_has_changed() {
    let folder = Folder::new("remember");
    let source = |name: &str, text: &str| {
        fs::create_dir_all(folder.0.join("class").join(name)).unwrap();
        fs::write(folder.0.join("class").join(name).join("source"), format!("{text} # {name}\n")).unwrap();
    };
    let log = folder.path("log");
    source("ada", NEW_GAME);
    source("ben", NEW_GAME);
    // A build changes the folder, and leaves a file that is different each time.
    let make = format!(
        "(echo '#!/bin/sh'; cat source; echo '#' $$) > game-check; chmod +x game-check; basename \"$PWD\" >> {log}"
    );
    let (class, cache) = (folder.path("class"), folder.path("cache"));
    let grade = |more: &[&str]| {
        let _ = fs::remove_file(&log);
        let arguments = ["grade", "class", "--assignment", "game-check", "--cases", "1", "--jobs", "1"];
        let arguments = arguments.into_iter().chain(["--build", &make, "--cache", &cache, &class]);
        let ended = tictac(arguments.chain(more.iter().copied())).run();
        let mut built: Vec<String> =
            fs::read_to_string(&log).unwrap_or_default().lines().map(str::to_owned).collect();
        built.sort();
        (ended, built.join(" "))
    };
    let (first, built) = grade(&[]);
    assert_eq!((first.status, built.as_str(), first.stderr.as_str()), (Some(0), "ada ben", ""));
    let (second, built) = grade(&[]);
    assert_eq!((second.status, built.as_str()), (Some(0), ""), "{second:?}");
    assert_eq!(second.stdout, first.stdout);
    assert!(second.stderr.contains("2 of 2 submissions have not changed"), "{}", second.stderr);
    source("ben", "exit 1");
    let (third, built) = grade(&[]);
    assert_eq!((third.status, built.as_str()), (Some(1), "ben"), "{third:?}");
    assert_eq!(grade(&["--seed", "2"]).1, "ada ben", "other settings");
    assert_eq!(grade(&["--fresh"]).1, "ada ben");
}

#[test]
fn what_could_not_be_graded_is_tried_again() {
    let folder = Folder::new("retry");
    folder.script("class/ada/other", NEW_GAME);
    let (class, cache) = (folder.path("class"), folder.path("cache"));
    for _ in 0..2 {
        let ended = tictac(["grade", "class", "--cache", &cache, &class]).run();
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(2), ""), "{ended:?}");
    }
}

#[test]
fn a_class_becomes_a_gradebook_a_page_and_a_page_per_submission() {
    let folder = Folder::new("pages");
    folder.script("class/ada l/game-check", NEW_GAME);
    let [class, html, pages] = ["class", "results.html", "pages"].map(|name| folder.path(name));
    let arguments = ["grade", "class", "--cases", "1", "--gradebook", "canvas", "--html", &html, "--pages"];
    let table = tictac(arguments.into_iter().chain([pages.as_str(), &class])).run();
    assert!(table.stdout.starts_with("Student,ID,SIS User ID,SIS Login ID,Section,game-check"), "{table:?}");
    let page = fs::read_to_string(&html).unwrap();
    assert!(page.contains("<a href=\"pages/ada%20l.html\">ada l</a>"), "{page}");
    assert!(folder.0.join("pages/ada l.html").is_file());
    let unknown = tictac(["grade", "class", "--gradebook", "paper", &class]).fail(2);
    assert!(unknown.contains("canvas, moodle"), "{unknown}");
}

#[test]
fn a_report_names_the_program_as_the_student_does() {
    let folder = Folder::new("names");
    let script = folder.script("build/game-check", "echo 'Game over: Draw.'");
    let reported = |arguments: &[&str]| {
        let mut command = tictac(arguments.iter().copied()).command;
        let output = command.current_dir(&folder.0).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let line = text.lines().find(|line| line.contains("printf ")).unwrap_or_default().trim().to_owned();
        assert!(!text.contains(folder.0.to_str().unwrap()), "{text}");
        line
    };
    let grade = ["grade", "game-check", "--cases", "1"];
    let with = |rest: &[&'static str]| [&grade[..], rest].concat();
    assert_eq!(reported(&with(&["build/game-check"])), "printf '' | build/game-check; echo $?");
    assert_eq!(
        reported(&with(&["sh", "--", "build/game-check"])),
        "printf '' | sh build/game-check; echo $?"
    );
    fs::rename(script, folder.0.join("game-check")).unwrap();
    assert_eq!(reported(&with(&["game-check"])), "printf '' | ./game-check; echo $?");
    // The folder of a submission is where its students work.
    let all = tictac(["grade", "all", "--cases", "1", &folder.path("")]).run();
    assert!(all.stdout.contains("| ./game-check; echo $?"), "{}", all.stdout);
}

#[test]
fn classroom_50_gets_a_file_even_if_a_build_fails() {
    let folder = Folder::new("classroom50");
    folder.script("game-check", NEW_GAME);
    let report = |build: &str| {
        let arguments = ["grade", "all", "--format", "classroom50", "--cases", "1", "--build", build];
        let mut all = tictac(arguments);
        all.command.arg(folder.path("")).env("CLASSROOM", "cs1").env("SUBMISSION_TAG", "submit/1");
        serde_json::from_str::<serde_json::Value>(&all.run().stdout).unwrap()
    };
    let fine = report("true");
    assert_eq!((&fine["schema"], &fine["classroom"]), (&"classroom50/result/v1".into(), &"cs1".into()));
    assert!(fine["score"].as_u64() > Some(0) && fine["score"] == fine["max-score"], "{fine}");
    let failed = report("echo no compiler; exit 3");
    assert_eq!((&failed["score"], &failed["tests"][0]["passed"]), (&0.into(), &false.into()));
    assert!(failed["tests"][0]["output"].as_str().unwrap().contains("no compiler"), "{failed}");
}

#[test]
fn a_silent_program_earns_no_points() {
    let folder = Folder::new("nothing");
    let silent = folder.script("silent", "exit 0");
    for assignment in ["move-check", "lab3", "tictactoe", "notakto"] {
        let graded = tictac(["grade", assignment, "--cases", "60", &silent]).run();
        assert_eq!(graded.status, Some(1), "{graded:?}");
        assert!(graded.stdout.contains("· 0 of "), "{}", graded.stdout);
        assert!(graded.stdout.contains("(not seen to work)"), "{}", graded.stdout);
    }
    // A program that refuses everything has accepted nothing.
    let refuses = folder.script("refuses", "echo 'Parse error.'; exit 1");
    let graded = tictac(["grade", "move-check", "--cases", "200", &refuses]).run();
    assert!(graded.stdout.contains("· player") && graded.stdout.contains("· form"), "{}", graded.stdout);
}

#[test]
fn requirements_without_cases_are_not_tried() {
    let folder = Folder::new("reached");
    let program = folder.script("game-check", NEW_GAME);
    let graded = tictac(["grade", "game-check", "--cases", "1", &program]).run();
    assert!(graded.stdout.contains("· full-win      not tried"), "{}", graded.stdout);
    assert!(tictac(["grade", "game-check", "--cases", "0", &program]).fail(2).contains("--cases"));
    let crowd = tictac(["grade", "game-check", "--threads", "50000", &program]).fail(2);
    assert!(crowd.contains("--threads must be from 1 to 256"), "{crowd}");
}

#[test]
fn only_full_feedback_shows_the_expected_output() {
    let folder = Folder::new("leak");
    let program = folder.script("game-check", "echo 'Game over: Draw.'");
    for format in tictac_grader::ReportFormat::ALL {
        let grade = ["grade", "game-check", "--cases", "1", "--format", format.name(), "--feedback"];
        let report = |level| tictac(grade.into_iter().chain([level, program.as_str()])).run().stdout;
        assert!(report("full").contains("New game"), "{format}");
        assert!(!report("input-only").contains("New game"), "{format}: {}", report("input-only"));
    }
}

#[test]
fn a_build_with_endless_output_is_cut_off() {
    let folder = Folder::new("flood");
    folder.script("game-check", NEW_GAME);
    let flooded = tictac(["grade", "all", "--build", "yes", &folder.path("")]).run();
    assert_eq!(flooded.status, Some(2));
    assert!(flooded.stderr.contains("printed too much output"), "{}", flooded.stderr);
}

/// Returns whether the processes with these ids are gone. A killed process may remain for a moment as a zombie.
fn are_gone(ids: &str) -> bool {
    let is_gone = |id: &str| {
        let state = fs::read_to_string(format!("/proc/{id}/stat"));
        state.is_err() || state.is_ok_and(|state| state.contains(") Z "))
    };
    (0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        ids.lines().all(is_gone)
    })
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_leaves_its_group_does_not_outlive_the_program() {
    let folder = Folder::new("stray");
    let ids = folder.path("ids");
    let leave = format!("setsid sleep 4321 >/dev/null 2>&1 & echo $! >> {ids}");
    // The second also has no environment from which its program could be found.
    let hide = format!("env -i /usr/bin/setsid /bin/sleep 4321 >/dev/null 2>&1 & echo $! >> {ids}");
    let program = folder.script("game-check", &format!("{leave}\n{hide}\n{NEW_GAME}"));
    let graded = tictac(["grade", "game-check", "--cases", "1", &program]).run();
    assert_eq!(graded.status, Some(0), "{graded:?}");
    let ids = fs::read_to_string(ids).unwrap();
    assert!(ids.lines().count() >= 2, "{ids}");
    assert!(are_gone(&ids), "{ids}");
}

/// Starts a command, sends SIGTERM when the program under test has written its id, and checks that nothing is left. Returns
/// the exit status, standard output and standard error.
fn interrupted(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String, String) {
    let tmp = folder.path("tmp");
    fs::create_dir_all(&tmp).unwrap();
    let mut command = tictac(arguments).command;
    let mut grading = command
        .env("TMPDIR", &tmp)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let ids = folder.path("ids");
    let deadline = Instant::now() + Duration::from_secs(30);
    while fs::read_to_string(&ids).is_err_and(|_| Instant::now() < deadline) {
        std::thread::sleep(Duration::from_millis(20));
    }
    signal("TERM", grading.id());
    let (mut stdout, mut stderr) = (String::new(), String::new());
    grading.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    grading.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let status = grading.wait().unwrap().code();
    assert!(are_gone(&fs::read_to_string(ids).unwrap()));
    let left: Vec<_> = fs::read_dir(tmp).unwrap().flatten().map(|entry| entry.path()).collect();
    assert_eq!(left, Vec::<PathBuf>::new());
    (status, stdout, stderr)
}

#[test]
fn stopping_leaves_nothing_behind() {
    let folder = Folder::new("interrupt");
    let program = folder.script("game-check", &format!("echo $$ >> {}; sleep 4321", folder.path("ids")));
    let (status, stdout, stderr) = interrupted(&folder, &["grade", "game-check", "--time", "600", &program]);
    assert_eq!((status, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("stopped before the end"), "{stderr}");
}

#[test]
fn a_stopped_class_keeps_the_submissions_graded_so_far() {
    let folder = Folder::new("interrupt-class");
    folder.script("class/ada/game-check", NEW_GAME);
    // With one thread, this one starts after the other is done.
    folder.script("class/ben/game-check", &format!("echo $$ >> {}; sleep 4321", folder.path("ids")));
    let class = folder.path("class");
    let arguments = ["grade", "class", "--cases", "1", "--time", "600", "--threads", "1", &class];
    let (status, table, stderr) = interrupted(&folder, &arguments);
    assert_eq!(status, Some(2));
    assert!(table.contains("ada") && !table.contains("ben"), "{table}");
    assert!(stderr.contains("stopped: the table contains 1 of 2 submissions"), "{stderr}");
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
    // The tests are linked dynamically.
    assert!(packed.stderr.contains("may not start on Gradescope"), "{}", packed.stderr);
    let bytes = fs::read(&zip).unwrap();
    for name in ["setup.sh", "run_autograder", "tictac-grade.toml", "tictac"] {
        assert!(bytes.windows(name.len()).any(|window| window == name.as_bytes()), "{name}");
    }
    fs::write(&config, "feedback = \"everything\"\n").unwrap();
    assert_eq!(tictac(["grade", "pack", "--config", &config, "--out", &zip]).run().status, Some(2));
}
