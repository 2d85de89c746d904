//! Builds the tests of a student with each implementation, and runs them.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::bugs::{Implementation, SuiteBugs};
use super::{SuiteForm, SuiteReport, TestFramework, combined};
use crate::run::{Program, Runner};
use crate::settings::GradeSettings;
use crate::unit::{UnitForm, compile, failure, in_parallel};

/// After this many tests that crash, hang or exit, the others are not tried on the same implementation.
const MAX_UNFINISHED: usize = 4;
/// How much of a message is kept.
const MAX_MESSAGE: usize = 300;

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TestResult {
    pub(super) name: String,
    /// Why it failed.
    pub(super) problem: Option<String>,
}

pub(super) struct SuiteBuilder<'a> {
    unit: &'a UnitForm,
    suite: &'a SuiteForm,
    settings: &'a GradeSettings,
    folder: tempfile::TempDir,
    /// The names of the student's files with tests, in the folder.
    names: Vec<String>,
    /// The interpreter, for Python.
    python: Option<PathBuf>,
}

impl<'a> SuiteBuilder<'a> {
    pub(super) fn new(
        unit: &'a UnitForm,
        suite: &'a SuiteForm,
        files: &[PathBuf],
        settings: &'a GradeSettings,
    ) -> io::Result<SuiteBuilder<'a>> {
        let folder = tempfile::Builder::new().prefix("tictac-tests-").tempdir()?;
        for file in &unit.given {
            fs::write(folder.path().join(&file.name), &file.bytes)?;
        }
        let mut names = Vec::new();
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = String::from_utf8_lossy(&fs::read(file)?).into_owned();
            fs::write(folder.path().join(&name), without_own_main(&text))?;
            names.push(name);
        }
        let python = match suite.framework {
            TestFramework::Pytest => Some(python_with("pytest", settings)?),
            TestFramework::Unittest => Some(Program::find(Path::new("python3"), &[])?.path),
            _ => None,
        };
        Ok(SuiteBuilder { unit, suite, settings, folder, names, python })
    }

    /// Runs the tests on all implementations.
    pub(super) fn run(&self, bugs: &SuiteBugs) -> io::Result<SuiteReport> {
        if let Err(problem) = self.prepare()? {
            return Ok(SuiteReport { problem: Some(problem), ..SuiteReport::default() });
        }
        let n_threads = self.settings.n_threads;
        let all: Vec<(usize, &Implementation)> = bugs.right.iter().chain(&bugs.wrong).enumerate().collect();
        let results = in_parallel(n_threads, &all, |&(at, each)| match self.build(at, each)? {
            Ok(program) => self.results(program),
            Err(said) => Ok(Err(said)),
        });
        let mut right = Vec::new();
        let (mut wrong, mut hints) = (Vec::new(), Vec::new());
        for ((at, each), result) in all.iter().zip(results) {
            match result? {
                Ok(results) if *at < bugs.right.len() => right.push(results),
                Ok(results) => {
                    wrong.push(results);
                    hints.push(each.hint.clone());
                }
                Err(problem) if *at < bugs.right.len() => {
                    return Ok(SuiteReport { problem: Some(problem), ..SuiteReport::default() });
                }
                // The implementation lacks what the tests need; that is no bug that a test can catch.
                Err(_) => {}
            }
        }
        // A test that depends on chance is not valid: the reference is tried once more.
        if let Ok(program) = self.build(0, &bugs.right[0])?
            && let Ok(again) = self.results(program)?
        {
            right.push(again);
        }
        Ok(combined(&right, &wrong, hints))
    }

    /// Compiles what all implementations share.
    fn prepare(&self) -> io::Result<Result<(), String>> {
        let runner = match self.suite.framework {
            TestFramework::Googletest => include_str!("googletest.cpp"),
            TestFramework::Catch2 => include_str!("catch2.cpp"),
            TestFramework::Pytest | TestFramework::Unittest => {
                fs::write(self.folder.path().join("tictac_runner.py"), include_str!("python.py"))?;
                return Ok(Ok(()));
            }
        };
        fs::write(self.folder.path().join("tictac_runner.cpp"), runner)?;
        let header = match self.suite.framework {
            TestFramework::Googletest => ("gtest/gtest.h", "GoogleTest", "libgtest-dev"),
            _ => ("catch2/catch.hpp", "Catch2", "catch2"),
        };
        if let Err(said) = self.compile(&["g++", "-std=c++17", "-O0", "-w", "-c", "tictac_runner.cpp"])? {
            let (file, name, package) = header;
            let is_missing = said.contains(file) && said.contains("No such file");
            let message = format!("{name} is not installed; on Debian: apt install {package}");
            return Err(if is_missing { io::Error::other(message) } else { failure("the tests", &said) });
        }
        if self.unit.given.is_empty() {
            return Ok(Ok(()));
        }
        // Tests that include the file of the functions get their declarations: it is linked.
        let mut includes = String::from("#pragma once\n");
        for file in &self.unit.given {
            includes.extend(["#include \"", &file.name, "\"\n"]);
        }
        for name in &self.unit.files {
            let path = self.folder.path().join(name);
            if !path.exists() {
                fs::write(path, &includes)?;
            }
        }
        for name in self.names.iter().filter(|name| is_source(name)) {
            let object = format!("{name}.o");
            let words =
                ["g++", "-std=c++17", "-g", "-O0", "-w", "-Dmain=student_main", "-c", name, "-o", &object];
            if let Err(said) = self.compile(&words)? {
                return Ok(Err(failure(&format!("{name} cannot be compiled"), &said).to_string()));
            }
        }
        Ok(Ok(()))
    }

    fn compile(&self, words: &[&str]) -> io::Result<Result<(), String>> {
        compile(words, self.folder.path(), self.settings)
    }

    /// Makes a program of the tests and an implementation, or returns what the compiler says.
    fn build(&self, at: usize, implementation: &Implementation) -> io::Result<Result<Program, String>> {
        let own = format!("i{at}");
        let folder = self.folder.path().join(&own);
        fs::create_dir_all(&folder)?;
        for file in &self.unit.given {
            fs::write(folder.join(&file.name), &file.bytes)?;
        }
        if let Some(python) = &self.python {
            fs::write(folder.join(&self.unit.files[0]), &implementation.source)?;
            return Ok(Ok(self.python_program(python, &folder)));
        }
        let objects = match self.objects(&own, implementation)? {
            Ok(objects) => objects,
            Err(said) => return Ok(Err(said)),
        };
        let binary = format!("tests{at}");
        let mut words = vec!["g++", "-std=c++17", "-g", "-O0", "-w"];
        words.extend(objects.iter().map(String::as_str));
        words.extend(["tictac_runner.o", "-o", &binary]);
        if self.suite.framework == TestFramework::Googletest {
            words.extend(["-lgtest", "-lpthread"]);
        }
        Ok(match self.compile(&words)? {
            Ok(()) => Ok(program(self.folder.path().join(binary), Vec::new())),
            Err(said) => {
                Err(failure("the tests cannot be linked with a right implementation", &said).to_string())
            }
        })
    }

    fn python_program(&self, python: &Path, implementation: &Path) -> Program {
        let framework = if self.suite.framework == TestFramework::Pytest { "pytest" } else { "unittest" };
        let arguments: Vec<OsString> = vec![
            "-B".into(),
            self.folder.path().join("tictac_runner.py").into(),
            framework.into(),
            self.folder.path().join(&self.names[0]).into(),
            implementation.into(),
        ];
        program(python.to_owned(), arguments)
    }

    /// Returns what is linked with the runner: the objects of the tests and of the implementation, which has its own folder.
    fn objects(&self, own: &str, implementation: &Implementation) -> io::Result<Result<Vec<String>, String>> {
        let folder = self.folder.path().join(own);
        let file = &self.unit.files[0];
        let tests = || self.names.iter().filter(|name| is_source(name));
        if self.unit.given.is_empty() {
            // Nothing declares the class but the implementation: both are one translation unit.
            fs::write(folder.join(file), format!("#pragma once\n{}", implementation.source))?;
            for header in &self.unit.files[1..] {
                fs::write(folder.join(header), format!("#pragma once\n#include \"{file}\"\n"))?;
            }
            let mut text = format!("#define main implementation_main\n#include \"{file}\"\n#undef main\n");
            for name in tests() {
                fs::copy(self.folder.path().join(name), folder.join(name))?;
                text.extend(["#define main student_main\n#include \"", name, "\"\n#undef main\n"]);
            }
            fs::write(folder.join("tictac_tests.cpp"), text)?;
            return Ok(Ok(vec![format!("{own}/tictac_tests.cpp")]));
        }
        fs::write(folder.join(file), &implementation.source)?;
        let (source, object) = (format!("{own}/{file}"), format!("{own}.o"));
        let main = "-Dmain=implementation_main";
        let words = ["g++", "-std=c++17", "-g", "-O0", "-w", main, "-c", &source, "-o", &object];
        if let Err(said) = self.compile(&words)? {
            return Ok(Err(failure("an implementation cannot be compiled", &said).to_string()));
        }
        Ok(Ok([object].into_iter().chain(tests().map(|name| format!("{name}.o"))).collect()))
    }

    /// Runs the tests on one implementation; a test during which the process ends has failed, and the others are run again without it.
    fn results(&self, program: Program) -> io::Result<Result<Vec<TestResult>, String>> {
        let mut runner = Runner::new(program, self.settings.clone())?;
        let mut results: Vec<TestResult> = Vec::new();
        for _ in 0..MAX_UNFINISHED {
            let done: Vec<&str> = results.iter().map(|result| result.name.as_str()).collect();
            let arguments: Vec<OsString> =
                if done.is_empty() { Vec::new() } else { vec![done.join("\n").into()] };
            let output = runner.run(&arguments, b"")?;
            let text = String::from_utf8_lossy(&output.stdout);
            let mut open = None;
            for line in text.lines() {
                let mut parts = line.splitn(3, '\t');
                let (word, name) =
                    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default().to_owned());
                let message = parts.next().map(shortened);
                match word {
                    "end" => return Ok(Ok(results)),
                    "start" => open = Some(name),
                    "pass" | "fail" if open.as_ref() == Some(&name) => {
                        let problem = (word == "fail").then(|| message.unwrap_or_default());
                        results.push(TestResult { name, problem });
                        open = None;
                    }
                    _ => {}
                }
            }
            let Some(name) = open else {
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                return Ok(Err(
                    failure(&format!("the tests cannot be run ({})", output.exit), &said).to_string()
                ));
            };
            results.push(TestResult { name, problem: Some(output.exit.to_string()) });
        }
        Ok(Ok(results))
    }
}

fn program(path: PathBuf, arguments: Vec<OsString>) -> Program {
    Program {
        path,
        arguments,
        shown: Vec::new(),
        _folder: None,
        reads_batches: false,
        files: None,
        tests: None,
    }
}

fn is_source(name: &str) -> bool {
    matches!(Path::new(name).extension().and_then(|end| end.to_str()), Some("cpp" | "cc" | "cxx"))
}

fn shortened(message: &str) -> String {
    message.chars().take(MAX_MESSAGE).collect()
}

/// Returns a file of tests without the request for a main function, which the runner has.
fn without_own_main(text: &str) -> String {
    let keep = |line: &str| {
        let asks = line.trim_start().starts_with("#define CATCH_CONFIG_");
        if asks { "\n".to_owned() } else { line.to_owned() }
    };
    text.split_inclusive('\n').map(keep).collect()
}

/// Finds an interpreter of Python that has a module.
fn python_with(module: &str, settings: &GradeSettings) -> io::Result<PathBuf> {
    for name in ["python3", "/usr/bin/python3"] {
        let Ok(python) = Program::find(Path::new(name), &[]) else { continue };
        let path = python.path.to_string_lossy().into_owned();
        let import = format!("import {module}");
        if compile(&[&path, "-c", &import], Path::new("/"), settings)?.is_ok() {
            return Ok(python.path);
        }
    }
    Err(io::Error::other(format!("{module} is not installed; on Debian: apt install python3-{module}")))
}
