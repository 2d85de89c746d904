//! The `tictac grade init` command.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tictac_grader::run::why_not_started;
use tictac_grader::{Assignment, Config, GradeSettings, draft_assignment};

use super::options::{find_assignment, write_file};
use super::with_cleanup;

/// Write a configuration file with all settings, or draft an assignment
///
/// With --from, runs a correct program on a few inputs and writes a folder with the file assignment.toml, a copy of the
/// program, and the folders right/ and wrong/. `tictac grade check-assignment` then says what is missing.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The assignments to grade, by name or by folder [default: the five that are built in]
    #[arg(value_name = "ASSIGNMENT")]
    assignments: Vec<String>,

    /// Draft an assignment whose correct answers are those of this program
    #[arg(long, value_name = "REFERENCE", conflicts_with = "assignments")]
    from: Option<PathBuf>,

    /// Write to FILE instead of standard output; with --from, to this folder. It must not exist yet
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const AFTER_LONG_HELP: &str = "\
Examples:
  tictac grade init game-check --out tictac-grade.toml
  tictac grade init > tictac-grade.toml
  tictac grade init --from ./my-solution --out leap-years";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    if let Some(reference) = &args.from {
        return draft(reference, args.out.as_deref(), out);
    }
    let named = args.assignments.iter().map(|name| find_assignment(name));
    let mut assignments = named.collect::<anyhow::Result<Vec<Assignment>>>()?;
    if assignments.is_empty() {
        assignments.extend(Assignment::built_in());
    }
    let folder = args.out.as_ref().and_then(|path| path.parent()).filter(|path| !path.as_os_str().is_empty());
    let base = folder.unwrap_or(Path::new(".")).canonicalize().unwrap_or_default();
    let text = Config::template(&assignments, &base);
    match &args.out {
        None => out.write_all(text.as_bytes())?,
        Some(path) => {
            // An existing file contains the settings of a teacher, and is not overwritten.
            let file = OpenOptions::new().write(true).create_new(true).open(path);
            let mut file = file.with_context(|| format!("cannot create {}", path.display()))?;
            file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}

/// Writes the folder of a new assignment.
fn draft(reference: &Path, folder: Option<&Path>, out: &mut impl Write) -> anyhow::Result<()> {
    let cannot_run = || format!("cannot run {}", reference.display());
    let stem = reference.file_stem().with_context(cannot_run)?.to_string_lossy().into_owned();
    let extension = reference.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
    let file = format!("reference{}", extension.unwrap_or_default());
    let usual = || PathBuf::from(assignment_name(&format!("{stem}-assignment")));
    let folder = folder.map_or_else(usual, Path::to_owned);
    if folder.exists() {
        bail!("cannot create {}: it exists already", folder.display());
    }
    // Before the program is run: a folder that cannot be created is noticed first.
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    write_draft(&folder, reference, &file).inspect_err(|_| {
        // It did not exist before.
        let _ = fs::remove_dir_all(&folder);
    })?;
    let folder = folder.display();
    writeln!(
        out,
        "{folder}/assignment.toml: replace each TODO, add wrong programs to {folder}/wrong/, then run"
    )?;
    writeln!(out, "  tictac grade check-assignment {folder}")?;
    Ok(())
}

/// Runs the reference, and writes the files of the new assignment.
fn write_draft(folder: &Path, reference: &Path, file: &str) -> anyhow::Result<()> {
    let settings = GradeSettings::default();
    let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let name = assignment_name(&name);
    let text = with_cleanup(&settings, || draft_assignment(reference, &name, file, &settings))?;
    let text = text
        .map_err(|error| anyhow::Error::msg(why_not_started(&error, reference)))
        .with_context(|| format!("cannot run {}", reference.display()))?;
    for subfolder in ["right", "wrong"] {
        let subfolder = folder.join(subfolder);
        fs::create_dir_all(&subfolder).with_context(|| format!("cannot create {}", subfolder.display()))?;
    }
    // The permissions are copied as well.
    for copy in [folder.join(file), folder.join("right").join(file)] {
        fs::copy(reference, &copy).with_context(|| format!("cannot write {}", copy.display()))?;
    }
    write_file(&folder.join("assignment.toml"), &text)
}

/// Returns a text as the name of an assignment: lower-case letters, digits and hyphens.
fn assignment_name(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    name.truncate(60);
    let name = name.trim_end_matches('-');
    if name.is_empty() { "assignment".to_owned() } else { name.to_owned() }
}
