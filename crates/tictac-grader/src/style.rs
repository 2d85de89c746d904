//! Requirements on the text of a program: what must not be in its files, what must be there, and what a command says about them.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use crate::report::Finding;
use crate::requirement::{Requirement, RequirementKind};
use crate::run::{RunExit, RunLimits, run_command};
use crate::settings::GradeSettings;
use crate::submission::find_file;

/// How many remarks are kept, how many bytes of a file are read, and how many characters of a line are shown.
const MAX_REMARKS: usize = 12;
const MAX_FILE: u64 = 1 << 20;
const MAX_LINE: usize = 160;

const COMMAND_LIMITS: RunLimits = RunLimits {
    wall: Duration::from_secs(30),
    cpu_seconds: 30,
    memory: 2 << 30,
    output: 256 * 1024,
    file: 16 << 20,
    open_files: 256,
    processes: 128,
};

/// What `style` of a requirement says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StyleCheck {
    /// The files of the submission that are looked at.
    pub(crate) files: Vec<String>,
    /// Texts that must not be in them, such as `TODO`.
    #[serde(default)]
    pub(crate) without: Vec<String>,
    /// Texts that must be there several times.
    #[serde(default)]
    pub(crate) at_least: Vec<RepeatedText>,
    /// A command that gets the files as its last arguments, and fails if something is wrong with them.
    #[serde(default)]
    pub(crate) command: Vec<String>,
    /// A file of the submission without which the command says nothing, such as `.clang-format`.
    pub(crate) needs: Option<String>,
}

/// A text that must be there several times; white space in it does not matter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RepeatedText {
    pub(crate) text: String,
    pub(crate) times: usize,
}

/// The files that a student has submitted.
#[derive(Clone, Debug)]
pub(crate) enum SubmittedFiles {
    /// One file, which stands for the first one that was asked for; others may be beside it.
    One(PathBuf),
    /// A folder with everything.
    Folder(PathBuf),
}

/// Why the points of a requirement cannot be decided here.
struct Undecided(String);

impl StyleCheck {
    /// Returns what is wrong with the description, if anything.
    pub(crate) fn mistake(&self) -> Option<&'static str> {
        let StyleCheck { files, without, at_least, command, needs } = self;
        if files.is_empty() {
            return Some("`style` needs `files`, the names of the files that are looked at");
        }
        if without.is_empty() && at_least.is_empty() && command.is_empty() {
            return Some("`style` needs `without`, `at_least` or `command`");
        }
        let is_empty = |text: &String| text.trim().is_empty();
        if without.iter().any(is_empty) || at_least.iter().any(|each| is_empty(&each.text)) {
            return Some("an empty text is in every file");
        }
        (needs.is_some() && command.is_empty()).then_some("`needs` belongs to `command`")
    }

    /// Looks at the submitted files, and returns remarks on what is wrong.
    fn remarks(&self, files: &SubmittedFiles, settings: &GradeSettings) -> Result<Vec<String>, Undecided> {
        let mut found = Vec::new();
        let mut remarks = Vec::new();
        for (at, name) in self.files.iter().enumerate() {
            match (files.find(name, at), files) {
                (Some(path), _) => found.push((name, path)),
                (None, SubmittedFiles::Folder(_)) => {
                    remarks.push(format!("no file named {name} in the submission"));
                }
                (None, SubmittedFiles::One(_)) => {}
            }
        }
        if found.is_empty() && remarks.is_empty() {
            return Err(Undecided(format!("there is no file {}", self.files.join(" or "))));
        }
        let mut whole = String::new();
        for (name, path) in &found {
            let text = read(path).map_err(|error| Undecided(format!("{name} cannot be read: {error}")))?;
            for (number, line) in (1..).zip(text.lines()) {
                let unwanted = self.without.iter().find(|unwanted| line.contains(unwanted.as_str()));
                remarks
                    .extend(unwanted.map(|text| format!("{name}:{number}: {text} is left: {}", cut(line))));
            }
            whole += &squeezed(&text);
        }
        for RepeatedText { text, times } in &self.at_least {
            let n = whole.matches(&squeezed(text)).count();
            if n < *times {
                remarks.push(format!("{text} is there {n} times, and must be there at least {times} times"));
            }
        }
        if !self.command.is_empty() && !found.is_empty() {
            let paths: Vec<&Path> = found.iter().map(|(_, path)| path.as_path()).collect();
            remarks.extend(self.command_remarks(files, &paths, settings)?);
        }
        remarks.truncate(MAX_REMARKS);
        Ok(remarks)
    }

    /// Runs the command, and returns the first lines of what it says if it fails.
    fn command_remarks(
        &self,
        files: &SubmittedFiles,
        paths: &[&Path],
        settings: &GradeSettings,
    ) -> Result<Vec<String>, Undecided> {
        if let Some(needed) = self.needs.as_ref().filter(|name| files.find(name, usize::MAX).is_none()) {
            return Err(Undecided(format!("there is no file {needed}")));
        }
        let program = &self.command[0];
        let folder = files.folder();
        let mut command = Command::new(program);
        command.args(&self.command[1..]).args(paths).current_dir(folder).env("LC_ALL", "C");
        let output = run_command(&mut command, &COMMAND_LIMITS, &settings.stop);
        let output = output.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Undecided(format!("{program} is not installed")),
            _ => Undecided(format!("{program} could not be run: {error}")),
        })?;
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        match output.exit {
            RunExit::Status(0) => Ok(Vec::new()),
            RunExit::Status(_) => {
                let folder = format!("{}/", folder.display());
                let lines =
                    said.lines().filter(|line| !line.trim().is_empty()).map(|line| line.replace(&folder, ""));
                let mut remarks: Vec<String> = lines.map(|line| cut(&line)).take(MAX_REMARKS).collect();
                if remarks.is_empty() {
                    remarks.push(format!("{program}: {}", output.exit));
                }
                Ok(remarks)
            }
            exit => Err(Undecided(format!("{program}: {exit}"))),
        }
    }
}

impl SubmittedFiles {
    fn folder(&self) -> &Path {
        match self {
            SubmittedFiles::One(path) => path.parent().unwrap_or(path),
            SubmittedFiles::Folder(folder) => folder,
        }
    }

    /// Finds a file by its name, the `at`th of those that are looked at.
    fn find(&self, name: &str, at: usize) -> Option<PathBuf> {
        match self {
            SubmittedFiles::One(path) if at == 0 => Some(path.clone()),
            SubmittedFiles::One(_) => Some(self.folder().join(name)).filter(|path| path.is_file()),
            SubmittedFiles::Folder(folder) => find_file(&[name.to_owned()], folder, Path::is_file),
        }
    }
}

/// Returns the finding about a requirement that no case tests.
pub(crate) fn finding(
    requirement: &'static Requirement,
    check: Option<&StyleCheck>,
    files: Option<&SubmittedFiles>,
    settings: &GradeSettings,
) -> Finding {
    let result = match (requirement.kind, check, files) {
        (RequirementKind::Manual, ..) | (_, None, _) => Err(Undecided(String::new())),
        (_, Some(_), None) => Err(Undecided("the source is not known".to_owned())),
        (_, Some(check), Some(files)) => check.remarks(files, settings),
    };
    let (n_cases, remarks) = match result {
        Ok(remarks) => (1, remarks),
        Err(Undecided(reason)) if reason.is_empty() => (0, Vec::new()),
        Err(Undecided(reason)) => (0, vec![reason]),
    };
    Finding {
        requirement,
        points: settings.points(requirement),
        n_cases,
        has_passed: true,
        causes: Vec::new(),
        remarks,
    }
}

fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_FILE).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

fn cut(line: &str) -> String {
    line.trim().chars().take(MAX_LINE).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn check(text: &str) -> StyleCheck {
        let check: StyleCheck = toml::from_str(text).unwrap();
        assert_eq!(check.mistake(), None, "{text}");
        check
    }

    fn remarks(text: &str, files: &SubmittedFiles) -> Result<Vec<String>, String> {
        check(text).remarks(files, &GradeSettings::default()).map_err(|Undecided(reason)| reason)
    }

    #[test]
    fn texts_are_looked_for_in_the_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.cpp"), "int x;\n// TODO: y\n").unwrap();
        fs::write(folder.path().join("t.cpp"), "TEST(A, One)\nTEST( A , Two )\n").unwrap();
        let all = SubmittedFiles::Folder(folder.path().to_owned());
        let one = SubmittedFiles::One(folder.path().join("a.cpp"));
        let left = "a.cpp:2: TODO is left: // TODO: y";
        assert_eq!(remarks("files = ['a.cpp']\nwithout = ['TODO']", &all).unwrap(), [left]);
        assert_eq!(remarks("files = ['b.cpp']\nwithout = ['TODO']", &one).unwrap().len(), 1);
        assert_eq!(remarks("files = ['t.cpp']\nwithout = ['TODO']", &all).unwrap(), Vec::<String>::new());
        let missing = remarks("files = ['a.cpp', 'main.cpp']\nwithout = ['TODO']", &all).unwrap();
        assert_eq!(missing, ["no file named main.cpp in the submission", left]);
        let tests =
            |times| format!("files = ['t.cpp']\nat_least = [{{ text = 'TEST(A,', times = {times} }}]");
        assert_eq!(remarks(&tests(2), &all).unwrap(), Vec::<String>::new());
        assert_eq!(
            remarks(&tests(3), &all).unwrap(),
            ["TEST(A, is there 2 times, and must be there at least 3 times"]
        );
    }

    #[test]
    fn a_command_judges_the_files_and_without_it_a_person_does() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.cpp"), "x\n").unwrap();
        let all = SubmittedFiles::Folder(folder.path().to_owned());
        let command = |text: &str| remarks(&format!("files = ['a.cpp']\n{text}"), &all);
        assert_eq!(command("command = ['grep', '-q', 'x']").unwrap(), Vec::<String>::new());
        assert_eq!(command("command = ['grep', '-c', 'y']").unwrap(), ["0"]);
        assert_eq!(command("command = ['false']").unwrap(), ["false: exit status 1"]);
        let missing = command("command = ['no-such-tool-of-style']").unwrap_err();
        assert_eq!(missing, "no-such-tool-of-style is not installed");
        let unconfigured = command("command = ['true']\nneeds = '.clang-format'").unwrap_err();
        assert_eq!(unconfigured, "there is no file .clang-format");
    }
}
