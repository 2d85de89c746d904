//! The transcripts of the assignments in `games/transcripts`, replayed as dialogues and on a pseudo-terminal.
//!
//! A file is a header, `---`, and the screen of the assignment, with typed text between `⟨` and `⟩`:
//!
//! | header | means |
//! |---|---|
//! | `program:` | the program |
//! | `started as:` | the name under which it is started, if not its own |
//! | `arguments:` | its arguments; several such lines are several commands with the same screen |
//! | `typed before:` | lines, separated by spaces, that were typed before the excerpt |
//! | `extent:` | the part of the screen that is shown: `whole`, `start`, `part` or `end` |
//! | `status:` | the exit status if the input ends there |

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use expectrl::process::unix::WaitStatus;
use expectrl::{Eof, Expect, Session};
use tictac_programs::{Dialogue, Progress};

use crate::program::GameProgram;

struct TranscriptFile {
    file: String,
    program: GameProgram,
    started_as: String,
    commands: Vec<Vec<String>>,
    typed: Vec<String>,
    extent: String,
    status: u8,
    screen: String,
}

impl TranscriptFile {
    fn parse(file: String, text: &str) -> TranscriptFile {
        let (header, body) = text.split_once("---\n").expect("a header ends with ---");
        let values = |key: &str| -> Vec<String> {
            let lines = header.lines().filter_map(|line| line.split_once(':'));
            lines.filter(|(k, _)| *k == key).map(|(_, value)| value.trim().to_owned()).collect()
        };
        let value = |key: &str| values(key).first().cloned();
        let words = |text: String| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let program = GameProgram::named(&value("program").unwrap());
        let mut typed = words(value("typed before").unwrap_or_default());
        typed.extend(body.split('⟨').skip(1).map(|rest| rest.split_once('⟩').unwrap().0.to_owned()));
        TranscriptFile {
            file,
            program,
            started_as: value("started as").unwrap_or_else(|| program.name().to_owned()),
            commands: values("arguments").into_iter().map(words).collect(),
            typed,
            extent: value("extent").unwrap(),
            status: value("status").unwrap().parse().unwrap(),
            screen: body.replace(['⟨', '⟩'], ""),
        }
    }

    #[track_caller]
    fn check_screen(&self, screen: &str) {
        let is_right = match self.extent.as_str() {
            "whole" => screen == self.screen,
            "start" => screen.starts_with(&self.screen),
            "part" => screen.contains(&self.screen),
            "end" => screen.ends_with(&self.screen),
            other => panic!("{}: unknown extent {other}", self.file),
        };
        assert!(is_right, "{}: not {} of\n{screen}", self.file, self.extent);
    }
}

fn documents() -> Vec<TranscriptFile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/transcripts");
    let mut documents: Vec<TranscriptFile> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            TranscriptFile::parse(path.display().to_string(), &fs::read_to_string(&path).unwrap())
        })
        .collect();
    documents.sort_by(|a, b| a.file.cmp(&b.file));
    documents
}

/// The output of a game in pieces: before each typed line, and after the last one.
struct PrintedGame {
    printed: Vec<String>,
    status: u8,
}

/// Plays a dialogue line by line.
fn play(mut dialogue: impl Dialogue, typed: &[String]) -> PrintedGame {
    let text = |out: &mut Vec<u8>| String::from_utf8(std::mem::take(out)).unwrap();
    let mut out = Vec::new();
    let mut printed = Vec::new();
    let mut progress = dialogue.start(&mut out);
    for line in typed {
        assert_eq!(progress, Progress::NeedsInput, "before {line}");
        printed.push(text(&mut out));
        for byte in line.bytes().chain([b'\n']) {
            progress = dialogue.push(byte, &mut out);
        }
    }
    let status = match progress {
        Progress::Done(exit) => exit.status,
        _ => dialogue.finish(&mut out).status,
    };
    printed.push(text(&mut out));
    PrintedGame { printed, status }
}

impl PrintedGame {
    /// Returns the screen of a terminal, which echoes typed lines.
    fn with_echo(&self, typed: &[String]) -> String {
        let echoes = typed.iter().map(|line| format!("{line}\n")).chain([String::new()]);
        self.printed.iter().zip(echoes).map(|(printed, echo)| printed.clone() + &echo).collect()
    }
}

#[test]
fn the_dialogues_reproduce_the_transcripts() {
    let documents = documents();
    assert!(documents.len() >= 9, "only {} transcripts", documents.len());
    for document in &documents {
        for command in &document.commands {
            let arguments: Vec<&str> = command.iter().map(String::as_str).collect();
            let screen = play(document.program.started_as(&document.started_as, &arguments), &document.typed);
            document.check_screen(&screen.with_echo(&document.typed));
            assert_eq!(screen.status, document.status, "{}", document.file);
        }
    }
}

#[test]
fn a_terminal_shows_the_transcripts() {
    for document in &documents() {
        for arguments in &document.commands {
            let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let expected = play(document.program.started_as(&document.started_as, &words), &document.typed);
            let mut command = Command::new(document.program.path());
            command.arg0(&document.started_as).args(arguments);
            let (screen, status) = type_lines(command, &expected.printed, &document.typed);
            document.check_screen(&screen);
            assert_eq!(status, i32::from(document.status), "{}", document.file);
        }
    }
}

/// Types each line after the preceding output has appeared, then ends the input, and returns the screen and the exit
/// status.
fn type_lines(command: Command, printed: &[String], typed: &[String]) -> (String, i32) {
    let mut session = Session::spawn(command).unwrap();
    // The terminal starts without echo.
    session.get_process_mut().set_echo(true, Some(Duration::from_secs(5))).unwrap();
    session.set_expect_timeout(Some(Duration::from_secs(20)));
    let mut screen = String::new();
    let mut see = |bytes: &[u8]| screen.push_str(&String::from_utf8_lossy(bytes).replace("\r\n", "\n"));
    for (line, before) in typed.iter().zip(printed) {
        let found = session.expect(before.replace('\n', "\r\n")).unwrap();
        see(found.as_bytes());
        session.send_line(line).unwrap();
    }
    // Control-D ends the input if the program is still running.
    let _ = session.send([4]);
    let rest = session.expect(Eof).unwrap();
    see(rest.as_bytes());
    match session.get_process().wait().unwrap() {
        WaitStatus::Exited(_, status) => (screen, status),
        other => panic!("{other:?}"),
    }
}
