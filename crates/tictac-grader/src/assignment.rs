//! Assignments: what a course asks for, and how a program is run, compared and graded.
//!
//! Five are built in, others are folders of teachers. All have the same form, a file called `assignment.toml`.

mod draft;
mod folder;
pub(crate) mod form;
pub(crate) mod grammar;

use std::fmt;
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::names::named_values;
use crate::requirement::Requirement;
use crate::unit::UnitFile;

pub use draft::draft_assignment;
pub use folder::{AssignmentError, FormPlace};
pub(crate) use form::AssignmentForm;

/// One of the five programs of this repository. An assignment may name one as its reference, and the code that makes its
/// inputs and reads its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CourseProgram {
    /// Checks one line of a record (documents 000 and 001).
    MoveCheck,
    /// Checks a whole record (documents 000 and 001).
    GameCheck,
    /// Tic-tac-toe on a board with a border (document 002).
    Lab3,
    /// Tic-tac-toe for two players (document 003).
    Tictactoe,
    /// Notakto for two players (document 004).
    Notakto,
}

named_values! { CourseProgram, "course program",
    MoveCheck => "move-check",
    GameCheck => "game-check",
    Lab3 => "lab3",
    Tictactoe => "tictactoe",
    Notakto => "notakto",
}

impl CourseProgram {
    /// Returns the built-in assignment that asks for this program.
    pub fn assignment(self) -> Assignment {
        BUILT_IN[self as usize]
    }

    const fn form_text(self) -> &'static str {
        match self {
            CourseProgram::MoveCheck => include_str!("../assignments/move-check/assignment.toml"),
            CourseProgram::GameCheck => include_str!("../assignments/game-check/assignment.toml"),
            CourseProgram::Lab3 => include_str!("../assignments/lab3/assignment.toml"),
            CourseProgram::Tictactoe => include_str!("../assignments/tictactoe/assignment.toml"),
            CourseProgram::Notakto => include_str!("../assignments/notakto/assignment.toml"),
        }
    }
}

impl From<CourseProgram> for Assignment {
    fn from(program: CourseProgram) -> Assignment {
        program.assignment()
    }
}

static BUILT_IN: LazyLock<[Assignment; 5]> = LazyLock::new(|| {
    CourseProgram::ALL.map(|program| {
        let form = AssignmentForm::parse(program.form_text(), program.name(), None);
        let form = form.unwrap_or_else(|error| panic!("{program}: {}", error.message));
        Assignment { form: Box::leak(Box::new(form)), order: program as usize }
    })
});

/// The assignments that ask for functions: their names and files.
const FUNCTIONS: [(&str, &str); 3] = [
    ("tictactoe-class", include_str!("../assignments/tictactoe-class/assignment.toml")),
    ("notakto-functions", include_str!("../assignments/notakto-functions/assignment.toml")),
    ("cs50-tictactoe", include_str!("../assignments/cs50-tictactoe/assignment.toml")),
];

/// Returns a file that a built-in assignment names.
pub(crate) fn embedded_file(name: &str) -> Option<&'static str> {
    Some(match name {
        "notakto.h" => include_str!("../assignments/notakto-functions/notakto.h"),
        "reference.cpp" => include_str!("../assignments/notakto-functions/reference.cpp"),
        "class.cpp" => include_str!("../assignments/tictactoe-class/class.cpp"),
        "reference.py" => include_str!("../assignments/cs50-tictactoe/reference.py"),
        _ => return None,
    })
}

/// The files in `right` and `wrong` of a built-in assignment that asks for tests.
macro_rules! embedded {
    ($folder:literal: $($name:literal)*) => {
        vec![$(UnitFile {
            name: $name.to_owned(),
            bytes: include_bytes!(concat!("../assignments/", $folder, "/", $name)).to_vec(),
        }),*]
    };
}

/// Returns the files in a subfolder of a built-in assignment that asks for tests.
fn embedded_sources(assignment: &str, subfolder: &str) -> Vec<UnitFile> {
    match (assignment, subfolder) {
        ("notakto-functions", "right") => embedded!("notakto-functions/right": "lists-lines.cpp" "plain.cpp"),
        ("notakto-functions", "wrong") => embedded!("notakto-functions/wrong":
            "counts-from-zero.cpp" "forgets-third-column.cpp" "index-from-zero.cpp" "no-upper-bound.cpp"
            "one-diagonal.cpp" "overwrites.cpp" "two-in-a-row.cpp"),
        _ => Vec::new(),
    }
}

static BUILT_IN_FUNCTIONS: LazyLock<[Assignment; 3]> = LazyLock::new(|| {
    let mut order = CourseProgram::ALL.len();
    FUNCTIONS.map(|(name, text)| {
        let form = AssignmentForm::parse(text, name, None);
        let form = form.unwrap_or_else(|error| panic!("{name}: {}", error.message));
        order += 1;
        Assignment { form: Box::leak(Box::new(form)), order: order - 1 }
    })
});

/// The assignments that were loaded from folders.
static LOADED: Mutex<Vec<Assignment>> = Mutex::new(Vec::new());

/// What a program is graded against. Its requirements have ids that start with its name.
///
/// An assignment is loaded once and stays in memory until the process ends, so copies are cheap.
#[derive(Clone, Copy)]
pub struct Assignment {
    form: &'static AssignmentForm,
    /// The place among all assignments of this process.
    order: usize,
}

impl Assignment {
    /// Returns the five assignments that are built in and ask for a program.
    pub fn built_in() -> [Assignment; 5] {
        *BUILT_IN
    }

    /// Returns the assignment with this name, or the one in this folder; `base` is the folder that a relative path starts
    /// from.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the folder, or that there is no such assignment.
    pub fn find(text: &str, base: &Path) -> Result<Assignment, AssignmentError> {
        let functions = || BUILT_IN_FUNCTIONS.iter().copied().find(|assignment| assignment.name() == text);
        let by_name = text.parse().ok().map(CourseProgram::assignment).or_else(functions);
        let folder = base.join(text);
        match by_name {
            Some(assignment) => Ok(assignment),
            None if folder.is_dir() || text.contains('/') => Assignment::load(&folder),
            None => Err(AssignmentError::unknown(text)),
        }
    }

    /// Loads the assignment in a folder. A folder is loaded only once: later changes to it are not seen.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the folder or its `assignment.toml`.
    pub fn load(folder: &Path) -> Result<Assignment, AssignmentError> {
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        let form = folder::read(folder)?;
        let same = loaded.iter().find(|known| known.form.name == form.name);
        if let Some(same) = same.filter(|same| same.form.folder == form.folder) {
            return Ok(*same);
        }
        if let Some(same) = same {
            return Err(AssignmentError::same_name(folder, same.name()));
        }
        let order = CourseProgram::ALL.len() + FUNCTIONS.len() + loaded.len();
        let assignment = Assignment { form: Box::leak(Box::new(form)), order };
        loaded.push(assignment);
        Ok(assignment)
    }

    /// Returns the assignment with this name, if it is built in or was loaded.
    fn with_name(name: &str) -> Option<Assignment> {
        Assignment::all().into_iter().find(|assignment| assignment.name() == name)
    }

    /// Returns all assignments that are built in or were loaded.
    pub(crate) fn all() -> Vec<Assignment> {
        let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        BUILT_IN.iter().chain(BUILT_IN_FUNCTIONS.iter()).chain(loaded.iter()).copied().collect()
    }

    /// Returns the name, which is also the name of a student's program.
    pub fn name(self) -> &'static str {
        &self.form.name
    }

    /// Returns the title for people.
    pub fn title(self) -> &'static str {
        &self.form.title
    }

    /// Returns the folder, or `None` if the assignment is built in.
    pub fn folder(self) -> Option<&'static Path> {
        self.form.folder.as_deref()
    }

    /// Returns whether the program asks for input and answers it, step by step.
    pub fn is_interactive(self) -> bool {
        self.form.is_interactive
    }

    /// Returns whether students write functions or classes, and not a whole program.
    pub fn asks_for_functions(self) -> bool {
        self.form.unit.is_some()
    }

    /// Returns the course program whose output the assignment's reader understands, if it has such a reader.
    pub fn course(self) -> Option<CourseProgram> {
        self.form.course()
    }

    /// Returns the requirements, in the order of the report.
    pub fn requirements(self) -> &'static [Requirement] {
        &self.form.requirements
    }

    /// Returns the requirement of this assignment with this short id.
    ///
    /// # Panics
    ///
    /// Panics if there is none. Short ids come from this crate and from forms, which were checked when they were loaded.
    pub(crate) fn requirement(self, short_id: &str) -> &'static Requirement {
        let found = self.requirements().iter().find(|requirement| requirement.short_id() == short_id);
        found.unwrap_or_else(|| panic!("{self} has no requirement {short_id}"))
    }

    /// Returns everything that the file says.
    pub(crate) fn form(self) -> &'static AssignmentForm {
        self.form
    }
}

impl PartialEq for Assignment {
    fn eq(&self, other: &Assignment) -> bool {
        self.order == other.order
    }
}

impl Eq for Assignment {}

impl PartialEq<CourseProgram> for Assignment {
    fn eq(&self, program: &CourseProgram) -> bool {
        self.course() == Some(*program)
    }
}

impl PartialOrd for Assignment {
    fn partial_cmp(&self, other: &Assignment) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Assignment {
    fn cmp(&self, other: &Assignment) -> std::cmp::Ordering {
        self.order.cmp(&other.order)
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The digest of the folder is part of it: results are remembered under this text.
impl fmt::Debug for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name(), self.form.digest)
    }
}

impl Serialize for Assignment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Assignment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Assignment, D::Error> {
        let name = String::deserialize(deserializer)?;
        Assignment::with_name(&name).ok_or_else(|| D::Error::custom(format!("unknown assignment {name:?}")))
    }
}
