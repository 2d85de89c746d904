//! Options shared by all grading commands.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use tictac::notation::{Code, Fault};
use tictac_grader::run::{Channel, LimitChanges};
use tictac_grader::{
    Assignment, AssignmentError, Comparison, Config, Feedback, RenderOptions, Report, ReportFormat,
};

use super::github;
use crate::completions;
use crate::diagnostic::{Diagnostic, escape};
use crate::output_file::OutputFile;
use crate::paint::{OutputStyle, Paint};
use crate::values::{MAX_THREADS, number, time};

/// How long the cases of one program may take while the machine is busy.
const BUDGET: Duration = Duration::from_secs(40);

/// How to grade. The command line takes precedence over the configuration file.
#[derive(clap::Args)]
pub(crate) struct GradeOptions {
    /// Read settings, limits and points from a file written by `tictac grade init`
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Run this shell command first
    #[arg(long, value_name = "COMMAND")]
    build: Option<String>,

    /// Seed of the random inputs; the same seed gives the same report [default: 1]
    #[arg(long, value_name = "N", value_parser = number(0_u64..))]
    seed: Option<u64>,

    /// How much the report shows: verdict, hint, input-only, full [default: full]
    #[arg(long, value_name = "LEVEL", add = completions::names(Feedback::ALL))]
    feedback: Option<Feedback>,

    #[command(flatten)]
    comparison: ComparisonOptions,

    /// Run the program in a pseudo-terminal instead of with pipes
    #[arg(long)]
    pty: bool,

    /// Isolate the program with bubblewrap: no network, read-only files
    #[arg(long)]
    sandbox: bool,

    /// Try only the first N inputs; requirements that they do not test are "not tried"
    #[arg(long, value_name = "N", value_parser = number(1_usize..))]
    cases: Option<usize>,

    /// How many runs happen in parallel, 1 to 256 [default: two per core]
    #[arg(short, long, value_name = "N", value_parser = number(1..=MAX_THREADS))]
    threads: Option<usize>,

    #[command(flatten)]
    limits: LimitOptions,
}

/// How the report is written.
#[derive(clap::Args)]
pub(crate) struct OutputOptions {
    #[arg(short, long, value_name = "FORMAT", default_value_t, help = format_help(),
          add = completions::names(ReportFormat::ALL))]
    pub(crate) format: ReportFormat,

    /// Write the report to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn format_help() -> String {
    format!("Format of the report: {}", ReportFormat::ALL.map(ReportFormat::name).join(", "))
}

impl OutputOptions {
    /// Opens the output, before the grading that takes long.
    pub(crate) fn open(&self) -> anyhow::Result<Option<OutputFile>> {
        open_file(self.out.as_deref())
    }

    /// Writes the reports, and returns the exit status. The commands of programs are relative to `folder`.
    pub(crate) fn write_reports(
        &self,
        file: Option<OutputFile>,
        folder: &Path,
        reports: &[Report],
        config: &Config,
        style: OutputStyle,
        out: &mut impl Write,
    ) -> anyhow::Result<ExitCode> {
        let has_colour = style.paint == Paint::On && file.is_none();
        let options = RenderOptions { has_colour, ..render_options(config) };
        write_text(file, &github::render_in(folder, reports, self.format, options), out)?;
        github::add_to_workflow(
            folder,
            reports,
            self.format,
            RenderOptions { has_colour: false, ..options },
        )?;
        Ok(ExitCode::from(u8::from(reports.iter().any(Report::has_fault))))
    }
}

/// Opens the file for a result, if the user named one.
pub(crate) fn open_file(path: Option<&Path>) -> anyhow::Result<Option<OutputFile>> {
    path.map(OutputFile::open).transpose()
}

/// Writes a result to its file, or to standard output.
pub(crate) fn write_text(file: Option<OutputFile>, text: &str, out: &mut impl Write) -> anyhow::Result<()> {
    match file {
        None => Ok(out.write_all(text.as_bytes())?),
        Some(file) => file.write(|out| out.write_all(text.as_bytes())),
    }
}

/// Returns how reports are rendered without colours.
pub(crate) fn render_options(config: &Config) -> RenderOptions {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    RenderOptions {
        feedback: config.feedback,
        has_colour: false,
        visibility: config.visibility,
        time: time.map_or(0, |time| time.as_secs()),
        environment: |name| std::env::var(name).ok(),
    }
}

/// Writes a file; the error names its path.
pub(crate) fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Reads a configuration file; returns its text and its meaning.
pub(crate) fn read_config(path: &Path) -> anyhow::Result<(String, Config)> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let config = Config::parse(&text, path).map_err(|error| unusable(&error))?;
    Ok((text, config))
}

/// Returns the assignment with this name, or the one in this folder.
pub(crate) fn find_assignment(text: &str) -> anyhow::Result<Assignment> {
    Assignment::find(text, Path::new("")).map_err(|error| unusable(&error))
}

/// Returns the diagnostic of a file that describes an assignment.
pub(super) fn diagnostic_of(error: &AssignmentError) -> Diagnostic {
    let fault = Fault::new(Code::MalformedAssignment, error.message.clone());
    let Some(place) = &error.place else {
        return Diagnostic::of_argument("assignment", fault);
    };
    let (path, range) = (place.path.display().to_string(), place.range.clone());
    let origin = format!("{}:{}:{}", escape(path), place.line, range.start + 1);
    Diagnostic::of_argument(&origin, fault).with_excerpt(place.line, place.text.clone().into_bytes(), range)
}

/// Returns the error of an assignment that cannot be used. Nothing was graded, so the exit status is 2.
fn unusable(error: &AssignmentError) -> anyhow::Error {
    match error.place {
        Some(_) => diagnostic_of(error).without_answer().into(),
        None => anyhow::Error::msg(error.message.clone()),
    }
}

/// How outputs are compared.
#[derive(clap::Args)]
struct ComparisonOptions {
    /// Compare byte for byte [default for move-check, game-check and notakto]
    #[arg(long, conflicts_with = "lenient")]
    exact: bool,

    /// Compare boards, turns, results and exit status [default for lab3 and tictactoe]
    #[arg(long)]
    lenient: bool,
}

/// Limits on each run.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits on each run")]
struct LimitOptions {
    /// Wall time, such as 5s or 500ms [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = time(SHORTEST..=LONGEST))]
    time: Option<Duration>,

    /// CPU time, such as 5s, rounded up to whole seconds [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = time(SHORTEST..=LONGEST))]
    cpu: Option<Duration>,

    /// Memory in MiB [default: 512]
    #[arg(long, value_name = "MIB", value_parser = number(1_u64..))]
    memory: Option<u64>,

    /// Output in KiB, on each of standard output and standard error [default: 256]
    #[arg(long, value_name = "KIB", value_parser = number(1_usize..))]
    output: Option<usize>,

    /// Open files [default: 64]
    #[arg(long, value_name = "N", value_parser = number(1_u64..))]
    open_files: Option<u64>,

    /// Processes and threads; does not apply to the superuser [default: 64]
    #[arg(long, value_name = "N", value_parser = number(1_u64..))]
    processes: Option<u64>,
}

impl LimitOptions {
    fn changes(&self) -> LimitChanges {
        LimitChanges {
            wall: self.time,
            cpu_seconds: self.cpu.map(whole_seconds),
            memory: self.memory.map(|mib| mib.saturating_mul(1024 * 1024)),
            output: self.output.map(|kib| kib.saturating_mul(1024)),
            file: None,
            open_files: self.open_files,
            processes: self.processes,
        }
    }
}

/// The shortest and the longest time that a run may take.
const SHORTEST: Duration = Duration::from_millis(10);
const LONGEST: Duration = Duration::from_hours(1);

/// Returns a time in seconds, rounded up: the system limits the CPU time in whole seconds.
fn whole_seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

impl GradeOptions {
    /// Returns the configuration file with the options of the command line applied.
    pub(crate) fn config(&self) -> anyhow::Result<Config> {
        let mut config = match &self.config {
            None => Config::default(),
            Some(path) => read_config(path)?.1,
        };
        config.build = self.build.clone().or(config.build);
        config.feedback = self.feedback.unwrap_or(config.feedback);
        let settings = &mut config.settings;
        settings.seed = self.seed.unwrap_or(settings.seed);
        settings.max_cases = self.cases.unwrap_or(settings.max_cases);
        // A number of cases that was asked for is what is tried.
        settings.budget = self.cases.is_none().then_some(BUDGET);
        settings.n_threads = self.threads.unwrap_or(settings.n_threads);
        if self.comparison.exact {
            settings.comparison = Some(Comparison::Exact);
        }
        if self.comparison.lenient {
            settings.comparison = Some(Comparison::Lenient);
        }
        if self.pty {
            settings.channel = Channel::Terminal;
        }
        settings.has_sandbox |= self.sandbox;
        settings.limits = self.limits.changes().or(settings.limits);
        Ok(config)
    }
}
