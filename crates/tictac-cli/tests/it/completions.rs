//! Tests of `tictac completions`, in the real shells where they are installed.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{folder, tictac};

#[test]
fn there_is_a_script_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = tictac(["completions", shell]).succeed();
        assert!(script.contains("TICTAC_COMPLETE"), "{shell}: {script}");
    }
    tictac(["completions", "cobol"]).fail(2);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    tictac(["completions", "zsh"]).succeed_with_a_closed_pipe();
}

/// Returns a folder with the files `one.ttt` and `two words.ttt` and the folder `games`, and the script of a shell in it.
fn workplace(shell: &str) -> PathBuf {
    let folder = folder(&format!("completions_in_{shell}"));
    fs::write(folder.join("one.ttt"), "").unwrap();
    fs::create_dir(folder.join("games")).unwrap();
    let scripts = folder.join(".scripts");
    fs::create_dir(&scripts).unwrap();
    fs::write(scripts.join("script"), tictac(["completions", shell]).succeed()).unwrap();
    folder
}

/// Runs a program for a shell in `folder`, with the command on the path; returns what it prints, or `None` without the shell.
fn run_shell(shell: &str, arguments: &[&str], program: &str, folder: &Path) -> Option<String> {
    let bin = Path::new(env!("CARGO_BIN_EXE_tictac")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(shell);
    command.args(arguments).arg(program).current_dir(folder).env("PATH", path).env("HOME", folder);
    let Ok(output) = command.output() else {
        let _ = writeln!(io::stderr(), "skipped: {shell} is not installed");
        return None;
    };
    assert!(output.stderr.is_empty(), "{shell}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Checks what a shell offers for some lines; `complete` returns the program that prints the completions of a line.
fn check_shell(shell: &str, arguments: &[&str], complete: fn(&[&str]) -> String) {
    let folder = workplace(shell);
    let offered = |line: &[&str]| -> Option<Vec<String>> {
        let printed = run_shell(shell, arguments, &complete(line), &folder)?;
        let word = |line: &str| line.split(['\t', ':']).next().unwrap().trim_end_matches('/').to_owned();
        Some(printed.lines().filter(|line| !line.is_empty()).map(word).collect())
    };
    let Some(files) = offered(&["show", ""]) else { return };
    assert!(files.contains(&"one.ttt".to_owned()) && files.contains(&"games".to_owned()), "{files:?}");
    assert!(!files.contains(&"-".to_owned()) && !files.iter().any(|word| word.contains('|')), "{files:?}");
    assert_eq!(offered(&["show", "o"]).unwrap(), ["one.ttt"]);
    assert_eq!(offered(&["check", "one.ttt", "o"]).unwrap(), ["one.ttt"]);
    let all = ["person", "beginner", "casual", "club", "expert", "perfect"];
    assert_eq!(offered(&["play", "--o", ""]).unwrap(), all);
    assert_eq!(offered(&["play", "--o", "pe"]).unwrap(), ["person", "perfect"]);
    assert_eq!(offered(&["engine", "--level", "b"]).unwrap(), ["beginner"]);
    assert_eq!(offered(&["check", "--rules", "no"]).unwrap(), ["notakto"]);
    assert_eq!(offered(&["check", "--rules", "o"]).unwrap(), [""; 0]);
    assert_eq!(offered(&["convert", "--to", "p"]).unwrap(), ["pgn"]);
    assert_eq!(offered(&["convert", "--from", "s"]).unwrap(), [""; 0]);
    assert_eq!(offered(&["grade", "game-check", "--format", "ju"]).unwrap(), ["junit"]);
    assert_eq!(offered(&["explain", "E020"]).unwrap().len(), 8);
    assert_eq!(offered(&["sho"]).unwrap(), ["show"]);
    assert_eq!(offered(&["check", "--sum"]).unwrap(), ["--summary-json"]);
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ")
}

#[test]
fn bash_completes_files_and_values() {
    check_shell("bash", &["--norc", "-c"], |words| {
        let (line, last, n) = (quoted(words), words.last().unwrap(), words.len());
        format!(
            "source .scripts/script; COMP_WORDS=(tictac {line}); COMP_CWORD={n}; COMP_TYPE=9
             compopt() {{ return 0; }}
             $(complete -p tictac | sed 's/.*-F \\([^ ]*\\).*/\\1/') tictac '{last}' ''
             [ ${{#COMPREPLY[@]}} -eq 0 ] || printf '%s\\n' \"${{COMPREPLY[@]}}\""
        )
    });
}

#[test]
fn zsh_completes_files_and_values() {
    // The script runs as it does in a terminal, except that the words are printed instead of listed.
    check_shell("zsh", &["-f", "-c"], |words| {
        format!(
            "compdef() {{ completer=$1 }}
             _describe() {{ print -rl -- ${{(P)3}} }}
             source .scripts/script
             words=(tictac {}); CURRENT={}; $completer",
            quoted(words),
            words.len() + 1
        )
    });
}

#[test]
fn fish_completes_files_and_values() {
    check_shell("fish", &["--no-config", "-c"], |words| {
        format!("source .scripts/script; complete --do-complete 'tictac {}'", words.join(" "))
    });
}
