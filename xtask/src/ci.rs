//! `cargo xtask ci`: every check that a change must pass, fastest first.

use std::io::Write;
use std::time::Instant;

use anyhow::{Context, bail};

use crate::bench::short;
use crate::cargo::{cargo, output, run};
use crate::{api, browser, certificates, package, python, sessions, tidy};

/// A step that runs one cargo command.
struct Step {
    name: &'static str,
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

const FORMAT: Step = Step { name: "format", arguments: &["fmt", "--all", "--check"], environment: &[] };
const CLIPPY: Step = Step {
    name: "clippy",
    arguments: &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"],
    environment: &[],
};
const TESTS: Step = Step { name: "tests", arguments: &["test", "--workspace", "--quiet"], environment: &[] };
const DOCS: Step = Step {
    name: "documentation",
    arguments: &["doc", "--workspace", "--exclude", "xtask", "--no-deps", "--quiet"],
    environment: &[("RUSTDOCFLAGS", "-D warnings")],
};

/// What does not use hash tables builds without the standard library.
const NO_STD: Step = Step {
    name: "without std",
    arguments: &[
        "clippy",
        "-p",
        "tictac",
        "--no-default-features",
        "--features",
        "serde",
        "--quiet",
        "--",
        "-D",
        "warnings",
    ],
    environment: &[],
};
/// The library is built once more for this, so without optimisation.
const SERDE: Step = Step {
    name: "serde",
    arguments: &[
        "test",
        "-p",
        "tictac",
        "--features",
        "serde",
        "--test",
        "serialize",
        "--quiet",
        "--config",
        "profile.dev.package.tictac.opt-level=0",
    ],
    environment: &[],
};

/// The crates and tests that do not need Unix.
const PORTABLE_CLIPPY: Step = Step {
    name: "clippy",
    arguments: &[
        "clippy",
        "-p",
        "tictac",
        "-p",
        "tictac-archive",
        "--all-targets",
        "--quiet",
        "--",
        "-D",
        "warnings",
    ],
    environment: &[],
};
const PORTABLE_TESTS: Step = Step {
    name: "tests",
    arguments: &["test", "-p", "tictac", "-p", "tictac-archive", "--quiet"],
    environment: &[],
};
const PORTABLE_PROGRAMS: Step = Step {
    name: "programs",
    arguments: &["build", "-p", "tictac-programs", "-p", "tictac-cli", "--bins", "--quiet"],
    environment: &[],
};

/// Runs the checks that do not need Unix.
pub(crate) fn run_portable(out: &mut impl Write) -> anyhow::Result<()> {
    check_tools()?;
    run_steps(
        &[
            (FORMAT.name, &|| FORMAT.run()),
            ("tidy", &tidy::check),
            (PORTABLE_CLIPPY.name, &|| PORTABLE_CLIPPY.run()),
            (PORTABLE_TESTS.name, &|| PORTABLE_TESTS.run()),
            (PORTABLE_PROGRAMS.name, &|| PORTABLE_PROGRAMS.run()),
        ],
        out,
    )
}

/// Checks licences, sources and duplicates of dependencies, or says that it cannot. Advisories need the network, and new
/// ones would make an unchanged commit fail; the workflows check them.
fn check_dependencies() -> anyhow::Result<()> {
    if output(&mut cargo(["deny", "--version"])).is_err() {
        let message = "dependencies: SKIPPED, because cargo-deny is not installed; licences were not checked";
        writeln!(std::io::stdout(), "{message}")?;
        return Ok(());
    }
    run(&mut cargo(["deny", "--offline", "--log-level", "error", "check", "bans", "licenses", "sources"]))
}

/// Runs every check of CI.
pub(crate) fn run_all(out: &mut impl Write) -> anyhow::Result<()> {
    check_tools()?;
    run_steps(
        &[
            (FORMAT.name, &|| FORMAT.run()),
            ("tidy", &tidy::check),
            ("packages", &|| package::check(package::Check::Contents, &mut std::io::sink())),
            ("dependencies", &check_dependencies),
            (CLIPPY.name, &|| CLIPPY.run()),
            (NO_STD.name, &|| NO_STD.run()),
            (TESTS.name, &|| TESTS.run()),
            (SERDE.name, &|| SERDE.run()),
            (DOCS.name, &|| DOCS.run()),
            ("interface", &|| api::run_in_ci(&mut std::io::stdout())),
            ("sessions", &sessions::check),
            ("certificates", &|| certificates::run_in_ci(&mut std::io::stdout())),
            ("speed", &|| short::run(&mut std::io::stdout())),
            ("browser", &|| browser::run_tests(&[], browser::Program::BuiltByTests, &mut std::io::stdout())),
            ("python", &|| python::run_in_ci(&mut std::io::stdout())),
        ],
        out,
    )
}

/// Runs the steps in order and stops at the first failure.
fn run_steps(steps: &[(&str, &dyn Fn() -> anyhow::Result<()>)], out: &mut impl Write) -> anyhow::Result<()> {
    let start = Instant::now();
    for (place, (name, step)) in (1..).zip(steps) {
        writeln!(out, "[{place}/{}] {name} …", steps.len())?;
        out.flush()?;
        let step_start = Instant::now();
        step().with_context(|| format!("step {place} ({name}) failed; later steps were not run"))?;
        writeln!(out, "[{place}/{}] {name}: ok, {:.1} s", steps.len(), step_start.elapsed().as_secs_f64())?;
    }
    writeln!(out, "all {} steps passed in {:.1} s", steps.len(), start.elapsed().as_secs_f64())?;
    Ok(())
}

impl Step {
    fn run(&self) -> anyhow::Result<()> {
        run(cargo(self.arguments.iter().copied()).envs(self.environment.iter().copied()))
    }
}

/// Checks for the two tools that rustup's minimal profile lacks, instead of failing halfway through.
fn check_tools() -> anyhow::Result<()> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if output(&mut cargo([tool, "--version"])).is_err() {
            bail!("{component} is missing: rustup component add {component}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn the_first_failure_ends_the_run_and_is_named() {
        let ran = RefCell::new(Vec::new());
        let step = |name: &'static str, works: bool| {
            ran.borrow_mut().push(name);
            if works { Ok(()) } else { Err(anyhow::anyhow!("it is broken")) }
        };
        let mut out = Vec::new();
        let error = run_steps(
            &[("a", &|| step("a", true)), ("b", &|| step("b", false)), ("c", &|| step("c", true))],
            &mut out,
        )
        .unwrap_err();
        assert_eq!(*ran.borrow(), ["a", "b"]);
        assert_eq!(format!("{error:#}"), "step 2 (b) failed; later steps were not run: it is broken");
        let out = String::from_utf8(out).unwrap();
        assert!(out.starts_with("[1/3] a …\n[1/3] a: ok, 0.0 s\n[2/3] b …\n"), "{out}");
    }
}
