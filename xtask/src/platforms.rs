//! `cargo xtask platforms`: Windows by cross compilation and Wine, and macOS as far as the compiler can tell.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

use crate::cargo::{cargo, is_installed, printed, root, run, target_directory};
use crate::trial::{GAME, TRIALS, Trial};

const WINDOWS: &str = "x86_64-pc-windows-gnu";
const MACOS: &str = "aarch64-apple-darwin";
/// Random numbers for Wine.
const LIBRARY: &str = "xtask/src/platforms/bcryptprimitives.c";
/// The crates with programs; all others are parts of them.
const PACKAGES: [&str; 4] = ["-p", "tictac-cli", "-p", "tictac-programs"];

/// What is different on Windows, or deserves a test there: ends of lines, files that are replaced, and `grade`.
const WINDOWS_TRIALS: [Trial; 23] = [
    Trial::new(&["game-check"], "1 X B2\r\n2 O C2\r\n", "Game in progress: X's turn."),
    Trial::new(&["move-check"], "1 X B2\r\n", "1 X B2"),
    Trial::new(
        &["lab3", "TicTacToeGame"],
        "1,1\r\n2,2\r\n1,2\r\n3,3\r\n1,3\r\n",
        "Won! Player X is the winner!",
    ),
    Trial::new(&["tictactoe"], "1 1\r\n2 2\r\n1 2\r\n3 3\r\n1 3\r\n", "X wins via Row 1"),
    Trial::new(&["notakto"], "1\r\n2\r\n3\r\n", "wins!"),
    Trial::new(&["tictac", "fmt", "game.ttt"], "", ""),
    Trial::new(&["tictac", "check", "game.ttt"], "", "games       1\n"),
    Trial::new(&["tictac", "convert", "--to", "json", "game.ttt"], "", "\"B2\""),
    Trial::new(&["tictac", "analyze", "game.ttt"], "", "B2"),
    Trial::new(&["tictac", "stats", "game.ttt"], "", "1 game, 7 moves"),
    Trial::new(&["tictac", "solve", "--rules", "3,3,3", "--certificate", "proof.txt"], "", "draw"),
    Trial::new(&["tictac", "verify", "proof.txt"], "", "draw"),
    Trial::new(&["tictac", "engine", "gomocup"], "START 8\r\nEND\r\n", "OK"),
    Trial::new(&["tictac", "completions", "powershell"], "", "Register-ArgumentCompleter"),
    Trial::new(&["tictac", "engine", "ugi"], "ugi\r\nquit\r\n", "ugiok"),
    Trial::new(&["tictac", "perft", "--census", "--rules", "3,3,3"], "", "255168"),
    Trial::new(&["tictac", "play", "--plain", "--o", "perfect"], "b2\r\nquit\r\n", "X plays B2."),
    Trial::new(&["tictac", "fmt", "--check", "game.ttt"], "", ""),
    Trial::new(&["tictac", "man", "--out", "pages"], "", ""),
    Trial {
        words: &["tictac", "check", "-"],
        input: "1 X B2\r\n2 O B2\r\n",
        expected: "error[E0207]: B2 is already taken",
        status: 1,
    },
    Trial { words: &["tictac", "check", "missing.ttt"], input: "", expected: "no such file", status: 2 },
    Trial { words: &["tictac", "serve", "--listen", "nowhere"], input: "", expected: "--listen", status: 2 },
    Trial {
        words: &["tictac", "grade", "game-check", "--sandbox", "game-check.exe"],
        input: "",
        expected: "tictac: grading needs the process groups and limits of Linux or macOS; on Windows, use WSL",
        status: 2,
    },
];

/// Checks both systems, as far as this machine can.
pub(crate) fn check_all(out: &mut impl Write) -> anyhow::Result<()> {
    check_windows(out)?;
    check_macos(out)
}

fn check_windows(out: &mut impl Write) -> anyhow::Result<()> {
    let compiler = "x86_64-w64-mingw32-gcc";
    if !has_library(WINDOWS)? || !is_installed(compiler) {
        writeln!(
            out,
            "windows: SKIPPED, because the target or its C compiler is missing: \
             rustup target add {WINDOWS}; apt-get install gcc-mingw-w64-x86-64"
        )?;
        return Ok(());
    }
    run(cargo(["build", "--quiet", "--locked", "--target", WINDOWS, "--bins"]).args(PACKAGES))?;
    writeln!(out, "windows: all programs compile for {WINDOWS}")?;
    if !is_installed("wine") {
        writeln!(out, "windows: SKIPPED running them, because Wine is missing: apt-get install wine64 wine")?;
        return Ok(());
    }
    let folder = target_directory()?.join("wine");
    fs::create_dir_all(&folder)?;
    let programs = target_directory()?.join(WINDOWS).join("debug");
    // Wine 8 lacks a library that Windows has.
    let library = programs.join("bcryptprimitives.dll");
    run(Command::new(compiler)
        .args(["-shared", "-o"])
        .arg(library)
        .arg(root().join(LIBRARY))
        .arg("-ladvapi32"))?;
    fs::write(folder.join("game.ttt"), GAME.replace('\n', "\r\n").replace(" O ", "   o "))?;
    for trial in TRIALS.iter().chain(&WINDOWS_TRIALS) {
        trial.run(|program, arguments| wine(&programs, program, arguments, &folder)).context("in Wine")?;
    }
    // Formatting has replaced the file, by lines that end as everywhere else.
    let formatted = fs::read_to_string(folder.join("game.ttt"))?;
    ensure!(formatted == GAME, "tictac fmt left {formatted:?}");
    let names = fs::read_dir(&folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let names = names.collect::<anyhow::Result<Vec<String>>>()?;
    ensure!(!names.iter().any(|name| name.starts_with(".tictac")), "a temporary file was left: {names:?}");
    writeln!(out, "windows: {} runs of them in Wine are right", TRIALS.len() + WINDOWS_TRIALS.len())?;
    Ok(())
}

/// Returns the command that starts a Windows program.
fn wine(programs: &Path, program: &str, arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new("wine");
    command.arg(programs.join(format!("{program}.exe"))).args(arguments).current_dir(folder);
    // Its own folder instead of one in the user's home, and no messages about what Wine lacks.
    command.env("WINEPREFIX", folder.join("prefix")).env("WINEDEBUG", "-all").env_remove("DISPLAY");
    command
}

/// Checks the types of everything for macOS. Nothing is linked or run.
fn check_macos(out: &mut impl Write) -> anyhow::Result<()> {
    if !has_library(MACOS)? {
        writeln!(out, "macos: SKIPPED, because the target is missing: rustup target add {MACOS}")?;
        return Ok(());
    }
    // There is no C compiler for macOS here. The checks of types need no object files, so a program that does nothing is
    // enough for the libraries in C.
    let no_compiler = |name: &str| format!("{name}_{}", MACOS.replace('-', "_"));
    run(cargo(["check", "--quiet", "--target", MACOS, "--bins"])
        .args(PACKAGES)
        .env(no_compiler("CC"), "true")
        .env(no_compiler("AR"), "true")
        .env("SDKROOT", "/"))?;
    writeln!(out, "macos: everything compiles for {MACOS}; nothing was linked or run")?;
    Ok(())
}

/// Returns whether the standard library for a target is installed.
fn has_library(target: &str) -> anyhow::Result<bool> {
    let folder = printed(Command::new("rustc").args(["--print", "target-libdir", "--target", target]))?;
    Ok(Path::new(&folder).exists())
}
