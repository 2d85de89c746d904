//! `cargo xtask ci`: every check that a change must pass, quick ones first. Two slow steps run beside the others.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail, ensure};

use crate::bench::short;
use crate::cargo::{Programs, cargo_line, has_subcommand, run, run_cargo, target_directory};
use crate::{api, browser, certificates, package, python, sessions, tidy};

/// A check, by the name that `cargo xtask ci NAME` knows.
struct Step {
    name: &'static str,
    run: fn() -> anyhow::Result<()>,
    turn: Turn,
}

/// How a step runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// The next step waits for it.
    Alone,
    /// As a process of its own while the next steps run. What it prints is shown when it has ended.
    Beside,
}

const fn alone(name: &'static str, run: fn() -> anyhow::Result<()>) -> Step {
    Step { name, run, turn: Turn::Alone }
}

const fn beside(name: &'static str, run: fn() -> anyhow::Result<()>) -> Step {
    Step { name, run, turn: Turn::Beside }
}

/// Every check of CI. The library is tested with its feature `serde`, which the server needs too, so that it is built once.
const ALL: [Step; 14] = [
    alone("format", || run_cargo("fmt --all --check")),
    alone("tidy", tidy::check),
    alone("packages", || package::check(package::Check::Contents, &mut io::sink())),
    alone("dependencies", check_dependencies),
    beside("python", || python::run_in_ci(&mut io::stdout())),
    alone("clippy", || run_cargo("clippy --workspace --all-targets --quiet -- -D warnings")),
    alone("build", || run_cargo("test --workspace --features tictac/serde --no-run --quiet")),
    beside("browser", || browser::run_tests(&[], Programs::BuiltByTests, &mut io::stdout())),
    alone("tests", test_all),
    alone("documentation", || {
        let mut doc = cargo_line("doc --workspace --exclude xtask --no-deps --quiet");
        run(doc.env("RUSTDOCFLAGS", "-D warnings"))
    }),
    alone("interface", || api::run_in_ci(&mut io::stdout())),
    alone("sessions", || sessions::check(Programs::BuiltByTests)),
    alone("certificates", || certificates::run_in_ci(&mut io::stdout())),
    alone("speed", || short::run(&mut io::stdout())),
];

/// The checks that do not need Unix.
const PORTABLE: [Step; 5] = [
    alone("format", || run_cargo("fmt --all --check")),
    alone("tidy", tidy::check),
    alone("clippy", || run_cargo("clippy -p tictac -p tictac-archive --all-targets --quiet -- -D warnings")),
    alone("tests", || run_cargo("test -p tictac -p tictac-archive --quiet")),
    alone("programs", || run_cargo("build -p tictac-programs -p tictac-cli --bins --quiet")),
];

/// Runs every check of CI.
pub(crate) fn run_all(out: &mut impl Write) -> anyhow::Result<()> {
    check_tools()?;
    let program = std::env::current_exe().context("cannot find this program")?;
    let start = |step: &str| {
        let mut command = Command::new(&program);
        command.args(["ci", step]);
        command
    };
    run_steps(&ALL, &target_directory()?.join("ci"), start, out)
}

/// Runs one step of CI.
pub(crate) fn run_one(name: &str) -> anyhow::Result<()> {
    let Some(step) = ALL.iter().find(|step| step.name == name) else {
        bail!("CI has no step {name}: use {}", ALL.map(|step| step.name).join(", "));
    };
    (step.run)()
}

/// Runs the checks that do not need Unix.
pub(crate) fn run_portable(out: &mut impl Write) -> anyhow::Result<()> {
    check_tools()?;
    run_steps(&PORTABLE, Path::new(""), |step| Command::new(step), out)
}

/// Runs the steps in order and stops at the first failure. `command` starts a step that runs beside the others; what it prints is
/// kept in a file of the folder `logs`.
fn run_steps(
    steps: &[Step],
    logs: &Path,
    command: impl Fn(&str) -> Command,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut running = Vec::new();
    let mut result = Ok(());
    for (place, step) in (1..).zip(steps) {
        let label = format!("[{place}/{}] {}", steps.len(), step.name);
        writeln!(out, "{label} …")?;
        out.flush()?;
        result = match step.turn {
            Turn::Alone => run_alone(step, &label, out),
            Turn::Beside => StepProcess::start(step.name, label, logs, command(step.name))
                .map(|process| running.push(process)),
        };
        let mut ended = running.extract_if(.., StepProcess::has_ended);
        result = result.and_then(|()| ended.try_for_each(|process| process.finish(out)));
        if let Err(error) = &result {
            writeln!(out, "{error:#}")?;
            break;
        }
    }
    for process in running {
        writeln!(out, "waiting for {} …", process.name)?;
        result = result.and(process.finish(out));
    }
    result?;
    writeln!(out, "all {} steps passed in {:.1} s", steps.len(), start.elapsed().as_secs_f64())?;
    Ok(())
}

fn run_alone(step: &Step, label: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let start = Instant::now();
    (step.run)().with_context(|| format!("step {label} failed; later steps were not run"))?;
    Ok(writeln!(out, "{label}: ok, {:.1} s", start.elapsed().as_secs_f64())?)
}

/// A step that runs beside the others.
struct StepProcess {
    name: &'static str,
    label: String,
    start: Instant,
    child: Child,
    log: PathBuf,
}

impl StepProcess {
    fn start(
        name: &'static str,
        label: String,
        logs: &Path,
        mut command: Command,
    ) -> anyhow::Result<StepProcess> {
        fs::create_dir_all(logs)?;
        let log = logs.join(format!("{name}.log"));
        let file = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
        let child = command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).spawn();
        let child = child.with_context(|| format!("cannot start step {label}"))?;
        Ok(StepProcess { name, label, start: Instant::now(), child, log })
    }

    /// Returns whether [`StepProcess::finish`] has nothing to wait for.
    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for the end, shows what the step has printed, and fails if it has failed.
    fn finish(mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let status = self.child.wait()?;
        out.write_all(&fs::read(&self.log)?)?;
        ensure!(status.success(), "step {} failed ({status})", self.label);
        Ok(writeln!(out, "{}: ok, {:.1} s", self.label, self.start.elapsed().as_secs_f64())?)
    }
}

/// Runs the tests that the step before has built, and those of the documentation. With nextest, tests of different crates run at the
/// same time.
fn test_all() -> anyhow::Result<()> {
    if !has_subcommand("nextest") {
        return run_cargo("test --workspace --features tictac/serde --quiet");
    }
    run_cargo("nextest run --workspace --features tictac/serde --cargo-quiet --profile ci")?;
    run_cargo("test --workspace --features tictac/serde --doc --quiet")
}

/// Checks licences, sources and duplicates of dependencies, or says that it cannot. Advisories need the network, and new
/// ones would make an unchanged commit fail; the workflows check them.
fn check_dependencies() -> anyhow::Result<()> {
    if !has_subcommand("deny") {
        let message = "dependencies: SKIPPED, because cargo-deny is not installed; licences were not checked";
        writeln!(io::stdout(), "{message}")?;
        return Ok(());
    }
    run_cargo("deny --offline --log-level error check bans licenses sources")
}

/// Checks for the two tools that rustup's minimal profile lacks, instead of failing halfway through.
fn check_tools() -> anyhow::Result<()> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !has_subcommand(tool) {
            bail!("{component} is missing: rustup component add {component}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs steps; those beside the others are scripts of the shell, which have the names of the steps.
    fn printed(steps: &[Step]) -> (String, Result<(), String>) {
        let logs = std::env::temp_dir().join(format!("tictac-ci-{}-{}", std::process::id(), steps[0].name));
        let script = |name: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", name]);
            command
        };
        let mut out = Vec::new();
        let result = run_steps(steps, &logs, script, &mut out);
        let _ = fs::remove_dir_all(&logs);
        (String::from_utf8(out).unwrap(), result.map_err(|error| format!("{error:#}")))
    }

    #[test]
    fn the_first_failure_ends_the_run_and_is_named() {
        let broken = || bail!("it is broken");
        let (out, result) =
            printed(&[alone("a", || Ok(())), alone("b", broken), alone("c", || panic!("c must not run"))]);
        let error = "step [2/3] b failed; later steps were not run: it is broken";
        assert_eq!(result, Err(error.to_owned()));
        assert_eq!(out, format!("[1/3] a …\n[1/3] a: ok, 0.0 s\n[2/3] b …\n{error}\n"));
    }

    #[test]
    fn a_step_beside_the_others_shows_its_whole_output() {
        let (out, result) = printed(&[beside("echo out; echo err >&2", || Ok(())), alone("last", || Ok(()))]);
        assert_eq!(result, Ok(()));
        assert!(out.contains("out\nerr\n[1/2] echo out; echo err >&2: ok, "), "{out}");
        assert!(out.contains("all 2 steps passed in "), "{out}");
        let (out, result) = printed(&[beside("echo why; exit 3", || Ok(())), alone("next", || Ok(()))]);
        assert_eq!(result, Err("step [1/2] echo why; exit 3 failed (exit status: 3)".to_owned()));
        assert!(out.contains("why\n"), "{out}");
    }

    #[test]
    fn a_failure_waits_for_the_steps_beside_it() {
        let (out, result) = printed(&[beside("sleep 0.2; echo done", || Ok(())), alone("b", || bail!("no"))]);
        assert_eq!(result, Err("step [2/2] b failed; later steps were not run: no".to_owned()));
        assert!(out.contains("waiting for sleep 0.2; echo done …\ndone\n"), "{out}");
    }
}
