//! Tests of `tictac check`.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;

use crate::{folder, tictac};

const RECORD: &str = "1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n";
const ARCHIVES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/archives");
const FAULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/archives/faults.ttt");

/// Runs the check, which must end with `status` and without a complaint, and returns what it wrote.
#[track_caller]
fn check(arguments: &[&str], input: &str, status: i32) -> String {
    let ended = tictac([&["check"], arguments].concat()).stdin(input).run();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(status), ""), "{ended:?}");
    ended.stdout
}

#[track_caller]
fn check_picture(input: &[u8], expected: &str) {
    let ended = tictac(["check"]).stdin(input).run();
    let picture = ended.stdout.split("\ngames  ").next().unwrap();
    assert_eq!(picture, expected);
}

#[test]
fn a_good_game_has_a_summary_and_nothing_else() {
    let expected = "games       1\n\
                    moves       7\n\
                    X won       1  100.0 %  ########################################\n\
                    O won       0    0.0 %\n\
                    drawn       0    0.0 %\n\
                    unfinished  0    0.0 %\n\
                    bad         0    0.0 %\n";
    assert_eq!(check(&[], RECORD, 0), expected);
    assert_eq!(check(&["--strict", "-"], RECORD, 0), expected);
}

#[test]
fn an_error_is_shown_as_compilers_show_it() {
    check_picture(
        b"1 X B2\n2 O B2\n",
        "<stdin>:2:5: error[E0207]: B2 is already taken (X played it at move 1)\n  \
           |\n\
         2 | 2 O B2\n  \
           |     ^^\n  \
           |\n  \
           = help: free squares: A1, A2, A3, B1, B3, C1, C2, C3\n",
    );
    check_picture(
        b"1 X",
        "<stdin>:1:4: error[E0102]: expected a space, found the end of the line\n  |\n1 | 1 X\n  |    ^\n",
    );
    // Wide characters take two places on the screen.
    check_picture(
        "[X \"\u{65e5}\u{672c}\" Ada]\n".as_bytes(),
        "<stdin>:1:13: error[E0301]: expected ], found 'A'\n  \
           |\n\
         1 | [X \"\u{65e5}\u{672c}\" Ada]\n  \
           |           ^\n  \
           |\n  \
           = help: a tag looks like [Result \"X\"]\n",
    );
}

#[test]
fn control_characters_are_escaped() {
    check_picture(
        b"1 X \x1b[2J\x07\xff\n",
        "<stdin>:1:5: error[E0106]: expected a row letter from A to C, found byte 0x1B\n  \
           |\n\
         1 | 1 X \\u{1b}[2J\\u{7}\\xff\n  \
           |     ^^^^^^\n",
    );
    let file = folder("a_name_that_could_drive_the_terminal").join("\x1b[2J.ttt");
    fs::write(&file, "nonsense\n").unwrap();
    let shown = check(&[file.to_str().unwrap()], "", 1);
    assert!(!shown.contains('\x1b') && shown.contains("\\u{1b}[2J.ttt:1:1: error"), "{shown}");
}

#[test]
fn every_fault_has_its_golden_screen() {
    let mut command = tictac(["check", "--max-errors", "100", "faults.ttt"]);
    command.command.current_dir(ARCHIVES);
    let ended = command.run();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(1), ""));
    let golden = fs::read_to_string(format!("{ARCHIVES}/faults.screen.txt")).unwrap();
    assert_eq!(ended.stdout, golden, "\n{}", ended.stdout);
}

#[test]
fn compressed_input_shows_the_same_screens() {
    let plain = fs::read(FAULTS).unwrap();
    let folder = folder("compressed_input_shows_the_same");
    for manner in ["--json", "--summary-json", "--max-errors=50"] {
        let run = |input: &[u8]| {
            let ended = tictac(["check", manner, "-"]).stdin(input).run();
            assert_eq!((ended.status, ended.stderr.as_str()), (Some(1), ""), "{ended:?}");
            ended.stdout
        };
        let expected = run(&plain);
        let path = folder.join("faults.ttt");
        fs::write(&path, &plain).unwrap();
        for program in ["gzip", "zstd"] {
            // The tests of the archive compress with crates; these are the programs that people use, where they exist.
            let compressed = Command::new(program).arg("-c").arg(&path).output();
            let Ok(compressed) = compressed else { continue };
            assert!(compressed.stdout.len() > 100 && compressed.stdout != plain);
            assert!(run(&compressed.stdout) == expected, "{program} {manner}");
        }
    }
}

#[test]
fn the_first_errors_are_shown_and_all_are_counted() {
    let bad = "nonsense\n\n".repeat(25);
    let shown = |arguments: &[&str]| {
        let stdout = check(arguments, &bad, 1);
        assert!(stdout.contains("\nbad         25  100.0 %"), "{stdout}");
        (stdout.matches("error[E0101]").count(), stdout.contains("not shown"))
    };
    assert_eq!(shown(&[]), (20, true));
    assert_eq!(shown(&["--max-errors", "24"]), (24, true));
    assert!(check(&[], &bad, 1).contains("5 more errors are not shown; use --max-errors to see more"));
    assert!(check(&["--max-errors", "24"], &bad, 1).contains("1 more error is not shown"));
    assert_eq!(shown(&["--max-errors", "25"]), (25, false));
    assert_eq!(shown(&["--max-errors", "0"]), (0, false));
}

#[test]
fn json_is_one_object_per_game() {
    let stdout = check(&["--json"], &format!("{RECORD}\n[X \"Ada\"]\n1 X D1\nmore\n"), 1);
    assert_eq!(
        stdout,
        "{\"file\":\"<stdin>\",\"game\":1,\"line\":1,\"outcome\":\"x_won\",\"moves\":7,\"errors\":[]}\n\
         {\"file\":\"<stdin>\",\"game\":2,\"line\":9,\"outcome\":\"bad\",\"moves\":0,\"tags\":{\"X\":\"Ada\"},\"errors\":[\
         {\"line\":10,\"column\":5,\"code\":\"E0106\",\"message\":\"expected a row letter from A to C, found 'D'\",\
         \"help\":null}],\"unjudged_lines\":1}\n"
    );
    let empty = check(&["--json"], "", 0);
    assert!(empty.contains("\"outcome\":\"unfinished\",\"moves\":0"), "{empty}");
}

#[test]
fn the_totals_are_one_object() {
    assert_eq!(
        check(&["--summary-json", FAULTS], "", 1),
        "{\"games\":29,\"moves\":41,\"x_won\":0,\"o_won\":1,\"drawn\":0,\"unfinished\":1,\"bad\":27}\n"
    );
}

#[test]
fn a_rules_tag_overrides_the_option() {
    let archive = "1 X D4\n\n[Rules \"3,3,3\"]\n1 X D4\n";
    let stdout = check(&["--rules", "4,4,4", "--summary-json"], archive, 1);
    assert!(stdout.contains("\"unfinished\":1,\"bad\":1"), "{stdout}");
    tictac(["check", "--rules", "9,9,9"]).fail(2);
}

#[test]
fn files_and_folders_are_read_in_order_and_unreadable_ones_do_not_affect_others() {
    let folder = folder("files_and_folders_are_read");
    fs::create_dir(folder.join("b")).unwrap();
    for name in ["c.ttt", "b/z.ttt", "a.ttt"] {
        fs::write(folder.join(name), RECORD).unwrap();
    }
    let mut command = tictac(["check", "--json", "none.ttt", ".", "-"]).stdin("1 O A1\n");
    command.command.current_dir(&folder);
    let ended = command.run();
    assert_eq!(ended.status, Some(2));
    assert!(ended.stderr.starts_with("tictac: cannot read none.ttt: "), "{}", ended.stderr);
    let files: Vec<&str> = ended.stdout.lines().map(|line| line.split('"').nth(3).unwrap()).collect();
    assert_eq!(files, ["./a.ttt", "./b/z.ttt", "./c.ttt", "<stdin>"]);
}

#[test]
fn if_nothing_was_read_there_is_no_summary() {
    let complaint = tictac(["check", "none.ttt"]).fail(2);
    assert!(complaint.starts_with("tictac: cannot read none.ttt: "), "{complaint}");
    assert_eq!(tictac(["check", "--json", "none.ttt"]).fail(2), complaint);
    let folder = folder("where_nothing_was_read");
    let ended = tictac(["check", folder.to_str().unwrap()]).run();
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(0), ""));
    assert!(ended.stderr.ends_with(": it contains no files\n"), "{ended:?}");
    // A program gets the totals that it asked for.
    assert!(tictac(["check", "--summary-json", "none.ttt"]).run().stdout.starts_with("{\"games\":0,"));
}

#[test]
fn the_number_of_threads_does_not_change_the_output() {
    let folder = folder("threads_change_no_byte");
    let path = folder.join("many.ttt");
    let faults = fs::read_to_string(FAULTS).unwrap();
    fs::write(&path, format!("{faults}\n{}", format!("{RECORD}\n").repeat(500)).repeat(40)).unwrap();
    let path = path.to_str().unwrap();
    for manner in ["--json", "--summary-json", "--max-errors=50"] {
        let run = |n_threads: usize| {
            let stdout = check(&[manner, "--threads", &n_threads.to_string(), path], "", 1);
            // The time is different in every run.
            stdout.split("\n\n1.").next().unwrap().to_owned()
        };
        let expected = run(1);
        assert!((2..=8).all(|n_threads| run(n_threads) == expected), "{manner}");
    }
}

#[test]
fn in_colour_the_caret_and_the_word_error_are_red() {
    let coloured = check(&["--color", "always"], "1 X B2\n2 O B2\n", 1);
    let picture = coloured.split("games  ").next().unwrap();
    // Escapes made readable: the end of each is an underscore.
    let escapes = [("\x1b[1m", "bold:"), ("\x1b[1m\x1b[31m", "red:"), ("\x1b[0m", "_")];
    let readable =
        escapes.iter().rev().fold(picture.to_owned(), |text, (escape, sign)| text.replace(escape, sign));
    assert_eq!(
        readable,
        "bold:<stdin>:2:5:_ red:error[E0207]:_ B2 is already taken (X played it at move 1)\n  |\n\
         2 | 2 O B2\n  |     red:^^_\n  |\n  = bold:help_: free squares: A1, A2, A3, B1, B3, C1, C2, C3\n\n"
    );
}

#[test]
fn output_without_a_terminal_has_no_colour_unless_requested() {
    let coloured = check(&["--color", "always"], "nonsense", 1);
    assert!(coloured.contains("\x1b["), "{coloured:?}");
    assert!(!check(&[], "nonsense", 1).contains('\x1b'));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    tictac(["check", "--json"].map(str::to_owned).into_iter().chain((0..3000).map(|_| FAULTS.to_owned())))
        .succeed_with_a_closed_pipe();
}

/// Sends `start`, then `n_blocks` times `block`, then `end` through a pipe. Returns the output and, if the system reports it,
/// the peak memory use in kilobytes.
fn check_stream(start: &[u8], block: &[u8], n_blocks: usize, end: &[u8]) -> (String, Option<u64>) {
    let mut command = tictac(["check", "--summary-json", "--threads", "2"]).command;
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let reader = thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).unwrap();
        text
    });
    stdin.write_all(start).unwrap();
    (0..n_blocks).for_each(|_| stdin.write_all(block).unwrap());
    stdin.write_all(end).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.map(|peak| peak.trim().trim_end_matches(" kB").parse().unwrap());
    drop(stdin);
    child.wait().unwrap();
    (reader.join().unwrap(), peak)
}

#[test]
fn a_long_line_takes_little_memory() {
    let (answer, peak) = check_stream(b"1 X", &vec![b' '; 1_000_000], 200, b"B2\n");
    assert!(answer.contains("\"unfinished\":1,\"bad\":0"), "{answer}");
    assert!(peak.is_none_or(|kilobytes| kilobytes < 64 * 1024), "{peak:?} kB");
}

#[test]
fn a_long_stream_takes_little_memory() {
    // 256 MB; `cargo xtask soak stream` sends twenty gigabytes.
    let block = format!("{RECORD}\n").repeat(16_000);
    let n_blocks = 256_000_000 / block.len();
    let (answer, peak) = check_stream(b"", block.as_bytes(), n_blocks, b"1 X B2\n2 O B2\n");
    let n_games = 16_000 * n_blocks;
    assert!(answer.starts_with(&format!("{{\"games\":{},", n_games + 1)), "{answer}");
    assert!(
        answer.contains(&format!("\"x_won\":{n_games},")) && answer.ends_with("\"bad\":1}\n"),
        "{answer}"
    );
    assert!(peak.is_none_or(|kilobytes| kilobytes < 64 * 1024), "{peak:?} kB");
}

#[test]
fn too_many_threads_and_none_are_refused() {
    for command in ["check", "stats", "solve"] {
        for number in ["0", "257", "50000", "999999999"] {
            let complaint = tictac([command, "--threads", number]).fail(2);
            assert_eq!(complaint, "tictac: --threads must be from 1 to 256\n", "{command} {number}");
        }
    }
    tictac(["check", "--threads", "256"]).stdin("1 X B2\n").succeed();
}

#[test]
fn truncated_compressed_data_is_reported() {
    // A Zstandard frame whose block has five bytes instead of the nine that its header states.
    let cut = [&[0x28, 0xB5, 0x2F, 0xFD, 0x20, 9, 0x49, 0, 0][..], b"1 X B"].concat();
    let complaint = tictac(["check", "-"]).stdin(&cut).fail(2);
    assert!(complaint.contains("the compressed data is incomplete"), "{complaint}");
    assert!(!complaint.contains("Error"), "{complaint}");
}

#[test]
fn an_error_far_from_the_start_of_a_line_is_shown() {
    let record = format!("1 X{}B9\n", " ".repeat(3000));
    let report = tictac(["check", "-"]).stdin(record).run().stdout;
    let shown = format!("1 | ...{}B9\n  | {}^\n", " ".repeat(59), " ".repeat(63));
    assert!(report.starts_with("<stdin>:1:3005: error[E0107]") && report.contains(&shown), "{report}");
}

#[test]
fn quiet_prints_only_the_errors() {
    let good = tictac(["check", "-q"]).stdin("1 X A1\n").run();
    assert_eq!((good.status, good.stdout.as_str()), (Some(0), ""));
    let bad = tictac(["check", "-q"]).stdin("1 X A9\n").run();
    assert_eq!(bad.status, Some(1));
    assert!(bad.stdout.contains("A9") && !bad.stdout.contains("games"), "{}", bad.stdout);
}
