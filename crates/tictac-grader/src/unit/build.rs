//! Makes a program of a student's functions.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::{CodeLanguage, UnitFile, UnitForm, UnitFunction, driver};
use crate::assignment::Assignment;
use crate::assignment::form::Reference;
use crate::run::{Program, RunExit, RunLimits, run_command};
use crate::settings::GradeSettings;
use crate::style::SubmittedFiles;

/// How many lines of a compiler's messages are shown.
const SHOWN_LINES: usize = 30;
/// The name of the driver's file, which no student's file has.
const DRIVER: &str = "tictac_driver";

const COMPILER_LIMITS: RunLimits = RunLimits {
    wall: Duration::from_mins(2),
    cpu_seconds: 120,
    memory: 8 << 30,
    output: 1 << 20,
    file: 1 << 30,
    open_files: 1024,
    processes: 512,
};

/// Makes a program that calls the functions in a submission: a file, or a folder with the files that the assignment asks for.
///
/// # Errors
///
/// Returns why there is none, such as the messages of the compiler.
pub fn build_unit(
    assignment: Assignment,
    submission: &Path,
    settings: &GradeSettings,
) -> io::Result<Program> {
    let Some(unit) = &assignment.form().unit else {
        return Err(io::Error::other(format!("{assignment} asks for a program, not for functions")));
    };
    let suite = assignment.form().suite.as_ref();
    let tests = suite.filter(|_| submission.is_dir() || !assignment.form().has_cases()).map(|suite| {
        let files = suite.files.iter().map(|name| submission.join(name));
        let all = if submission.is_dir() { files.collect() } else { vec![submission.to_owned()] };
        all.into_iter().filter(|path| path.is_file()).collect()
    });
    if let (false, Reference::Source(reference)) =
        (assignment.form().has_cases(), &assignment.form().reference)
    {
        // Only tests are asked for: there is nothing to call but the reference.
        let shown = vec![submission.file_name().unwrap_or_default().to_string_lossy().into_owned()];
        return Ok(Program { shown, tests, ..build_source(unit, reference, settings)? });
    }
    let sources = if submission.is_dir() {
        let files = unit.files.iter().map(|name| submission.join(name));
        let found: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
        if found.is_empty() {
            let wanted = unit.files.join(" or ");
            let message = format!("{}: there is no file {wanted}", submission.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        }
        found
    } else if submission.is_file() {
        vec![submission.to_owned()]
    } else {
        let message = format!("{}: no such file", submission.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    };
    // Other files of the folder may be included, such as a header of the student.
    let beside = submission.is_dir().then_some(submission);
    let files = match beside {
        Some(folder) => SubmittedFiles::Folder(folder.to_owned()),
        None => SubmittedFiles::One(submission.to_owned()),
    };
    let program = build(unit, unit.language, &sources, beside, settings)?.with_files(files);
    Ok(Program { tests, ..program })
}

/// Makes a program that calls the functions in one file, such as the reference, whose name tells its language.
pub(crate) fn build_source(
    unit: &UnitForm,
    source: &UnitFile,
    settings: &GradeSettings,
) -> io::Result<Program> {
    let language = CodeLanguage::of(Path::new(&source.name)).unwrap_or(unit.language);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join(&source.name);
    fs::write(&path, &source.bytes)?;
    build(unit, language, &[path], None, settings)
}

fn build(
    unit: &UnitForm,
    language: CodeLanguage,
    sources: &[PathBuf],
    beside: Option<&Path>,
    settings: &GradeSettings,
) -> io::Result<Program> {
    let folder = tempfile::Builder::new().prefix("tictac-unit-").tempdir()?;
    let mut names = Vec::new();
    for file in beside.into_iter().flat_map(fs::read_dir).flatten().flatten() {
        let is_header = file.path().extension().is_some_and(|end| end == "h" || end == "hpp" || end == "py");
        if is_header && file.path().is_file() {
            fs::copy(file.path(), folder.path().join(file.file_name()))?;
        }
    }
    for (at, source) in sources.iter().enumerate() {
        // A single file may have any name; the others include it by the name that the assignment gives it.
        let given = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let has_language = CodeLanguage::of(source).is_some_and(|own| own == unit.language);
        let name = if sources.len() == 1 && at == 0 && has_language { unit.files[0].clone() } else { given };
        fs::copy(source, folder.path().join(&name))?;
        names.push(name);
    }
    for file in &unit.given {
        fs::write(folder.path().join(&file.name), &file.bytes)?;
    }
    let builder = UnitBuilder { unit, folder: folder.path(), names: &names, settings };
    let shown = vec![names[0].clone()];
    let (path, arguments) = match language {
        CodeLanguage::Python => builder.python()?,
        CodeLanguage::C | CodeLanguage::Cpp => (builder.native(language)?, Vec::new()),
    };
    Ok(Program {
        path,
        arguments,
        shown,
        _folder: Some(Arc::new(folder)),
        reads_batches: true,
        files: None,
        tests: None,
    })
}

struct UnitBuilder<'a> {
    unit: &'a UnitForm,
    folder: &'a Path,
    /// The names of the student's files in the folder.
    names: &'a [String],
    settings: &'a GradeSettings,
}

impl UnitBuilder<'_> {
    fn python(&self) -> io::Result<(PathBuf, Vec<OsString>)> {
        let driver = self.folder.join(format!("{DRIVER}.py"));
        fs::write(&driver, driver::PYTHON)?;
        let python = Program::find(Path::new("python3"), &[])?;
        let specification = driver::python_specification(self.unit);
        let file = self.folder.join(&self.names[0]);
        // -B: nothing is written beside the student's file.
        let arguments = ["-B".into(), driver.into_os_string(), specification.into(), file.into_os_string()];
        let mut import = Command::new(&python.path);
        import.args(&arguments).current_dir(self.folder);
        let output = run_command(&mut import, &COMPILER_LIMITS, &self.settings.stop)?;
        if output.exit != RunExit::Status(0) {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(failure(&format!("{} cannot be imported ({})", self.names[0], output.exit), &said));
        }
        Ok((python.path, arguments.into()))
    }

    /// Compiles the driver with the student's files. A function that is missing or has other parameters is left out.
    fn native(&self, language: CodeLanguage) -> io::Result<PathBuf> {
        fs::write(self.folder.join(format!("{DRIVER}.hpp")), driver::CPP_RUNTIME)?;
        let mut objects = Vec::new();
        if language == CodeLanguage::C {
            for name in
                self.names.iter().filter(|name| CodeLanguage::of(Path::new(name)) == Some(CodeLanguage::C))
            {
                let object = format!("{name}.o");
                self.compile(&[
                    "gcc",
                    "-std=c17",
                    "-g",
                    "-O1",
                    "-w",
                    "-Dmain=student_main",
                    "-c",
                    name,
                    "-o",
                    &object,
                ])?
                .map_err(|said| failure(&format!("{name} cannot be compiled"), &said))?;
                objects.push(object);
            }
        }
        let all: Vec<&UnitFunction> = self.unit.functions.iter().collect();
        if self.link(&all, &objects)?.is_ok() {
            return Ok(self.folder.join(DRIVER));
        }
        self.link(&[], &objects)?
            .map_err(|said| failure(&format!("{} cannot be compiled", self.names.join(", ")), &said))?;
        let mut usable: Vec<&UnitFunction> = Vec::new();
        for function in all {
            // A method needs the constructors of its class, if these can be used.
            let with: Vec<&UnitFunction> = usable.iter().copied().chain([function]).collect();
            if self.link(&with, &objects)?.is_ok() {
                usable = with;
            }
        }
        self.link(&usable, &objects)?.map_err(|said| failure("the driver cannot be compiled", &said))?;
        Ok(self.folder.join(DRIVER))
    }

    /// Compiles and links the driver for these functions; returns the messages of the compiler if it fails.
    fn link(&self, functions: &[&UnitFunction], objects: &[String]) -> io::Result<Result<(), String>> {
        // A header is included by the files that need it, unless the whole class is in it.
        let is_header =
            |name: &String| Path::new(name).extension().is_some_and(|end| end == "h" || end == "hpp");
        let has_sources = !self.names.iter().all(is_header);
        let is_included = |name: &&String| {
            objects.is_empty() && CodeLanguage::of(Path::new(name)) == Some(CodeLanguage::Cpp)
        };
        let included = self.names.iter().filter(is_included).filter(|name| !(has_sources && is_header(name)));
        let included: Vec<String> = included.cloned().collect();
        let source = format!("{DRIVER}.cpp");
        fs::write(self.folder.join(&source), driver::cpp(self.unit, &included, functions))?;
        let mut words = vec!["g++", "-std=c++17", "-g", "-O1", "-w", &source];
        words.extend(objects.iter().map(String::as_str));
        words.extend(["-o", DRIVER]);
        self.compile(&words)
    }

    fn compile(&self, words: &[&str]) -> io::Result<Result<(), String>> {
        compile(words, self.folder, self.settings)
    }
}

/// Runs a compiler in a folder; returns its messages if it fails.
pub(crate) fn compile(
    words: &[&str],
    folder: &Path,
    settings: &GradeSettings,
) -> io::Result<Result<(), String>> {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(folder).env("LC_ALL", "C");
    let output = run_command(&mut command, &COMPILER_LIMITS, &settings.stop);
    let output = output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::other(format!("{} is not installed", words[0])),
        _ => error,
    })?;
    if output.exit == RunExit::Status(0) {
        return Ok(Ok(()));
    }
    Ok(Err(String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// Applies a function to all items, on several threads; returns the results in the order of the items.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    n_threads: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::default();
    let thread = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            let result = work(item);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
        }
    };
    std::thread::scope(|scope| {
        (0..n_threads.clamp(1, items.len().max(1))).for_each(|_| drop(scope.spawn(thread)));
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Returns an error with the first lines of what a compiler said.
pub(crate) fn failure(what: &str, said: &str) -> io::Error {
    let lines: Vec<&str> = said.lines().collect();
    let shown = lines[..lines.len().min(SHOWN_LINES)].join("\n");
    let left_out = lines.len().saturating_sub(SHOWN_LINES);
    let more = if left_out > 0 { format!("\n… {left_out} lines not shown") } else { String::new() };
    io::Error::other(format!("{what}:\n{shown}{more}"))
}
