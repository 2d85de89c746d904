//! The folder of an assignment.

use std::fmt;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use tictac::notation::nearest;

use super::form::{AssignmentForm, FormMistake};
use super::{Assignment, CourseProgram, embedded_sources};
use crate::result_cache::folder_digest;
use crate::unit::UnitFile;

/// The file that describes an assignment.
const FILE: &str = "assignment.toml";
/// Longer files are refused.
const MAX_FILE: u64 = 1024 * 1024;

/// Why an assignment, or a configuration that names it, cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignmentError {
    /// What is wrong.
    pub message: String,
    /// Where it is wrong, if the file could be read.
    pub place: Option<FormPlace>,
}

/// A place in the file of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormPlace {
    /// The path of the file.
    pub path: PathBuf,
    /// The number of the line, from 1.
    pub line: u64,
    /// The text of that line.
    pub text: String,
    /// The bytes of the line that are wrong.
    pub range: Range<usize>,
}

impl AssignmentError {
    pub(crate) fn without_place(message: String) -> AssignmentError {
        AssignmentError { message, place: None }
    }

    pub(super) fn unknown(name: &str) -> AssignmentError {
        let names = CourseProgram::ALL.map(CourseProgram::name);
        AssignmentError::without_place(match nearest(name, names) {
            Some(known) => format!("there is no assignment {name:?}; did you mean {known}?"),
            None => format!(
                "there is no assignment {name:?}; expected {} or a folder with the file {FILE}",
                names.join(", ")
            ),
        })
    }

    pub(super) fn same_name(folder: &Path, name: &str) -> AssignmentError {
        AssignmentError::without_place(format!(
            "{}: another assignment is also called {name:?}; set `name` in one of the files",
            folder.display()
        ))
    }

    fn of_mistake(path: &Path, text: &str, mistake: FormMistake) -> AssignmentError {
        let FormMistake { span, message } = mistake;
        let start = span.start.min(text.len());
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = text[line_start..].split('\n').next().unwrap_or_default();
        let range = start - line_start..span.end.max(start).min(line_start + line.len()) - line_start;
        let number = text[..start].matches('\n').count() as u64 + 1;
        let place = FormPlace { path: path.to_owned(), line: number, text: line.to_owned(), range };
        AssignmentError { message, place: Some(place) }
    }
}

impl fmt::Display for AssignmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(FormPlace { path, line, range, .. }) = &self.place {
            write!(f, "{}:{line}:{}: ", path.display(), range.start + 1)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for AssignmentError {}

/// Reads the assignment in a folder.
pub(super) fn read(folder: &Path) -> Result<AssignmentForm, AssignmentError> {
    let shown = folder.display().to_string();
    let failed =
        |what: &str, why: &dyn fmt::Display| AssignmentError::without_place(format!("{shown}: {what}{why}"));
    if folder.is_file() {
        return Err(failed("it is a file; name the folder that contains it", &""));
    }
    if !folder.is_dir() {
        return Err(failed("no such folder", &""));
    }
    let path = folder.join(FILE);
    // A pipe would never end.
    if path.exists() && !path.is_file() {
        return Err(failed(FILE, &" is not an ordinary file"));
    }
    let absolute = folder.canonicalize().map_err(|error| failed("", &error))?;
    let mut text = String::new();
    let file = File::open(&path).map_err(|_| failed("the folder has no file ", &FILE))?;
    let length = file.take(MAX_FILE + 1).read_to_string(&mut text);
    let length = length.map_err(|error| match error.kind() {
        ErrorKind::InvalidData => failed(FILE, &" is not text in UTF-8"),
        _ => failed(&format!("cannot read {FILE}: "), &error),
    })?;
    if length as u64 > MAX_FILE {
        return Err(failed(FILE, &" has more than 1 MiB"));
    }
    let usual_name =
        absolute.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mistake = |mistake| AssignmentError::of_mistake(&path, &text, mistake);
    let mut form = AssignmentForm::parse(&text, &usual_name, Some(&absolute)).map_err(mistake)?;
    form.digest = folder_digest(&absolute).map_err(|error| failed("cannot read the folder: ", &error))?;
    Ok(form)
}

impl Assignment {
    /// Returns the files with functions in a subfolder such as `wrong`, sorted by name.
    pub(crate) fn sources_in(self, subfolder: &str) -> Vec<UnitFile> {
        if self.folder().is_none() {
            return embedded_sources(self.name(), subfolder);
        }
        let read = |path: PathBuf| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            Some(UnitFile { name, bytes: fs::read(path).ok()? })
        };
        self.programs_in(subfolder).into_iter().filter_map(read).collect()
    }

    /// Returns the programs in a subfolder such as `wrong`, sorted by name.
    pub fn programs_in(self, subfolder: &str) -> Vec<PathBuf> {
        let folder = self.folder().map(|folder| folder.join(subfolder));
        let entries = folder.into_iter().flat_map(fs::read_dir).flatten().flatten();
        let mut programs: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|path| path.is_file())
            .filter(|path| !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")))
            .collect();
        programs.sort();
        programs
    }
}
