//! Folders that students have submitted: building them, and finding the programs in them.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::assignment::Assignment;
use crate::run::{Program, RunExit, RunLimits, os_reason, run_command};
use crate::settings::GradeSettings;
use crate::style::SubmittedFiles;
use crate::unit::build_unit;

/// How many lines of the output of a failed build are shown.
const SHOWN_LINES: usize = 30;
/// How many levels of folders are searched for programs.
const DEPTH: usize = 4;

const BUILD_LIMITS: RunLimits = RunLimits {
    wall: Duration::from_mins(5),
    cpu_seconds: 600,
    memory: 8 << 30,
    output: 16 << 20,
    file: 4 << 30,
    open_files: 4096,
    processes: 1024,
};

/// Runs a build command with the shell, in this folder, for at most five minutes.
///
/// # Errors
///
/// Returns a message with the last lines of the output of the command if it fails.
pub fn build(command: &str, folder: &Path, stop: &AtomicBool) -> Result<(), String> {
    let failure = |why: String| format!("the build failed: {command}\n{why}");
    let mut shell = Command::new("sh");
    let output = run_command(shell.args(["-c", command]).current_dir(folder), &BUILD_LIMITS, stop)
        .map_err(|error| failure(os_reason(&error)))?;
    if output.exit == RunExit::Status(0) {
        return Ok(());
    }
    let bytes = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_end();
    let start = text.rmatch_indices('\n').nth(SHOWN_LINES - 1).map_or(0, |(at, _)| at + 1);
    let n_before = text[..start].matches('\n').count();
    let left_out = if n_before > 0 { format!("… {n_before} lines not shown\n") } else { String::new() };
    Err(failure(format!("{left_out}{}\n({})", &text[start..], output.exit)))
}

/// Finds the executable of an assignment by its name, in any case and also with `_` or nothing for `-`, or makes one of the
/// functions that it asks for. What is nearest to the top of the folder is preferred; `None` if there is nothing.
///
/// # Errors
///
/// The inner result says why the functions cannot be compiled.
pub fn find_program(
    assignment: Assignment,
    folder: &Path,
    settings: &GradeSettings,
) -> Option<io::Result<Program>> {
    if let Some(unit) = &assignment.form().unit {
        let path = find_file(&unit.files[..1], folder, Path::is_file)?;
        let program = build_unit(assignment, path.parent()?, settings);
        return Some(program.map(|program| program.with_files(SubmittedFiles::Folder(folder.to_owned()))));
    }
    let path = find_file(&program_names(assignment), folder, is_executable)?;
    // The student types its name in the folder of the submission.
    let shown = vec![format!("./{}", path.strip_prefix(folder).unwrap_or(&path).display())];
    Some(
        Program::find(&path, &[]).map(|program| {
            Program { shown, ..program }.with_files(SubmittedFiles::Folder(folder.to_owned()))
        }),
    )
}

fn program_names(assignment: Assignment) -> [String; 3] {
    let name = assignment.name();
    [name.to_owned(), name.replace('-', "_"), name.replace('-', "")]
}

/// Returns a message for the student that says why the program of an assignment was not found.
pub fn why_missing(assignment: Assignment, folder: &Path) -> String {
    if let Some(unit) = &assignment.form().unit {
        return format!("no file named {} in the submission", unit.files[0]);
    }
    match find_file(&program_names(assignment), folder, Path::is_file) {
        Some(path) => {
            format!("{} exists but is not executable", path.strip_prefix(folder).unwrap_or(&path).display())
        }
        None => format!("no executable named {assignment} in the submission"),
    }
}

pub(crate) fn find_file(
    names: &[String],
    folder: &Path,
    is_wanted: impl Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    for _ in 0..DEPTH {
        let mut below = Vec::new();
        for folder in &folders {
            let mut entries: Vec<PathBuf> =
                fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
            entries.sort();
            for path in entries {
                let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
                // A symbolic link may lead anywhere, even back to this folder.
                if path.is_dir() && !path.is_symlink() && !name.starts_with('.') {
                    below.push(path);
                } else if names.iter().any(|wanted| wanted.eq_ignore_ascii_case(name)) && is_wanted(&path) {
                    return Some(path);
                }
            }
        }
        folders = below;
    }
    None
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assignment::CourseProgram;

    fn write(path: &Path, mode: u32) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_nearest_executable_of_the_right_name_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        let real = top.canonicalize().unwrap();
        let find = || {
            let assignment = CourseProgram::GameCheck.assignment();
            let found = find_program(assignment, top, &GradeSettings::default())?.unwrap();
            Some(found.path.strip_prefix(&real).unwrap().to_owned())
        };
        write(&top.join(".git/game-check"), 0o755);
        assert_eq!(find(), None, "hidden folders are not searched");
        write(&top.join("game-check"), 0o644);
        assert_eq!(find(), None);
        assert_eq!(
            why_missing(CourseProgram::GameCheck.assignment(), top),
            "game-check exists but is not executable"
        );
        write(&top.join("a/b/game_check"), 0o755);
        assert_eq!(find(), Some("a/b/game_check".into()));
        write(&top.join("build/GameCheck"), 0o755);
        assert_eq!(find(), Some("build/GameCheck".into()));
        let assignment = CourseProgram::GameCheck.assignment();
        let found = find_program(assignment, top, &GradeSettings::default()).unwrap().unwrap();
        assert_eq!(found.shown, ["./build/GameCheck"]);
    }
}
