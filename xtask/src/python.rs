//! `cargo xtask python`: builds the wheel of the Python package, installs it into a virtual environment and tests it there.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::Context;

use crate::cargo::{empty_folder, output, root, run, run_cargo, target_directory};
use crate::static_build::encoded_flags;
use crate::wheel_workspace;

/// The environment variable that skips the Python package, if it is `skip`.
const SKIP: &str = "TICTAC_PYTHON";

/// The names of interpreters to try, and a program that fails on those that are too old.
const INTERPRETERS: [&str; 5] = ["python3", "python3.14", "python3.13", "python3.12", "python3.11"];
const IS_RECENT: &str = "import sys; sys.exit(sys.version_info < (3, 11))";

/// What builds and tests the package; part of CI.
const TEST_PACKAGES: &[&str] =
    &["maturin>=1.9,<2", "numpy", "gymnasium>=1.1", "pettingzoo>=1.24", "pytest", "mypy"];
/// The outside judges, which take gigabytes, nearly all of them for `PyTorch`. The value iteration of `OpenSpiel` imports cvxpy.
const JUDGES: &[&str] = &[
    "abi3audit",
    "cvxpy",
    "matplotlib",
    "nbformat",
    "open_spiel",
    "pyarrow",
    "sb3-contrib",
    "stable-baselines3",
    "torch",
    "twine",
];
/// What the benchmark compares with, besides the judges; the tic-tac-toe of `PettingZoo` draws with pygame.
const RIVALS: &[&str] = &["jax", "open_spiel", "pgx", "pygame"];

/// A program that works if the package does.
const SOLVE: &str = "import tictac; assert tictac.solve('X.O/.X./... O').value == 'draw'";

/// How much is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The package's own tests and its types: the part of CI.
    Short,
    /// Every outside judge too.
    All,
}

/// Tests the Python package; fails if there is no recent Python.
pub(crate) fn run_tests(extent: Extent, out: &mut impl Write) -> anyhow::Result<()> {
    let (environment, interpreter) = Environment::for_tests(out)?;
    if extent == Extent::All {
        environment.install(JUDGES, out)?;
    }
    let profile = if extent == Extent::All { "release" } else { "quick" };
    let wheel = environment.build_and_install(profile, out)?;
    wheel_workspace::check()?;
    run_cargo("fmt --check --manifest-path python/Cargo.toml")?;
    environment.pytest("tests", extent)?;
    environment.check_types()?;
    if extent == Extent::All {
        run_cargo("clippy --quiet --manifest-path python/Cargo.toml -- -D warnings")?;
        environment.pytest("judges", extent)?;
        run(environment.module("twine").arg("check").arg(&wheel))?;
        run(environment.module("abi3audit").arg("--strict").arg(&wheel))?;
        check_without_rust(interpreter, &wheel, out)?;
        environment.check_source(interpreter, out)?;
    }
    writeln!(out, "python: {} is tested", wheel.display())?;
    Ok(())
}

/// The step of CI: the short tests, or a clear word where there is no recent Python.
pub(crate) fn run_in_ci(out: &mut impl Write) -> anyhow::Result<()> {
    if is_skipped() {
        writeln!(out, "python: SKIPPED, because {SKIP}=skip; the Python package was not tested")?;
        return Ok(());
    }
    // Without Python or a registry, the rest of CI still says something about a change.
    if let Err(error) = Environment::for_tests(out) {
        writeln!(out, "python: SKIPPED, because {error:#}; the Python package was not tested")?;
        return Ok(());
    }
    run_tests(Extent::Short, out)
}

/// Writes the wheel of a release to `folder`, or says why there is none. Its files were last changed at `time`.
pub(crate) fn build_wheel(
    folder: &Path,
    time: u64,
    create_sources: impl FnOnce() -> anyhow::Result<PathBuf>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if is_skipped() {
        writeln!(out, "python: SKIPPED the wheel, because {SKIP}=skip")?;
        return Ok(());
    }
    let Some(interpreter) = find_interpreter() else {
        writeln!(out, "python: SKIPPED the wheel, because there is no Python 3.11 or later")?;
        return Ok(());
    };
    let environment = Environment::new("dist", interpreter, out)?;
    environment.install(&TEST_PACKAGES[..1], out)?;
    writeln!(out, "python: building the wheel …")?;
    run(environment
        .maturin("release", &create_sources()?, folder)
        .env("CARGO_ENCODED_RUSTFLAGS", encoded_flags(&[])?)
        .env("SOURCE_DATE_EPOCH", time.to_string()))
}

/// Measures the package beside its rivals.
pub(crate) fn benchmark(out: &mut impl Write) -> anyhow::Result<()> {
    let (environment, _) = Environment::for_tests(out)?;
    environment.install(RIVALS, out)?;
    environment.build_and_install("release", out)?;
    run(environment.python().arg(root().join("python/judges/bench.py")))
}

/// Returns an interpreter that has the package and what its tests need.
pub(crate) fn tested_interpreter(out: &mut impl Write) -> anyhow::Result<Command> {
    let (environment, _) = Environment::for_tests(out)?;
    environment.build_and_install("release", out)?;
    Ok(environment.python())
}

fn is_skipped() -> bool {
    env::var_os(SKIP).is_some_and(|value| value == "skip")
}

/// Returns the first interpreter that is recent enough.
fn find_interpreter() -> Option<&'static str> {
    let is_recent = |name: &&str| output(Command::new(name).args(["-c", IS_RECENT])).is_ok();
    INTERPRETERS.into_iter().find(is_recent)
}

/// A virtual environment below the build folder.
struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// Returns the environment with this name, creating it if necessary.
    fn new(name: &str, interpreter: &str, out: &mut impl Write) -> anyhow::Result<Environment> {
        let environment = Environment { folder: target_directory()?.join("python").join(name) };
        if !environment.folder.join("bin/python").exists() {
            writeln!(out, "python: making {} …", environment.folder.display())?;
            run(Command::new(interpreter).args(["-m", "venv"]).arg(&environment.folder))
                .context("Python needs its module venv")?;
        }
        Ok(environment)
    }

    /// Returns the environment with what the tests need, and the interpreter that made it.
    fn for_tests(out: &mut impl Write) -> anyhow::Result<(Environment, &'static str)> {
        let interpreter = find_interpreter().context("Python 3.11 or later is missing")?;
        let environment = Environment::new("venv", interpreter, out)?;
        environment.install(TEST_PACKAGES, out)?;
        Ok((environment, interpreter))
    }

    fn python(&self) -> Command {
        let mut command = Command::new(self.folder.join("bin/python"));
        // Tests must not import the sources instead of the installed package, and programs must find each other.
        command.current_dir(&self.folder).env("PYTHONSAFEPATH", "1").env("VIRTUAL_ENV", &self.folder);
        command
    }

    /// Runs an installed program as a module: its script in `bin` names the interpreter by its full path, which is that of
    /// another environment if this folder is a copy.
    fn module(&self, name: &str) -> Command {
        let mut command = self.python();
        command.args(["-m", name]);
        command
    }

    fn pip_install(&self, options: &[&str]) -> Command {
        let mut command = self.module("pip");
        command.args(["install", "--quiet", "--disable-pip-version-check"]).args(options);
        command
    }

    /// Installs packages once; a file remembers which.
    fn install(&self, packages: &[&str], out: &mut impl Write) -> anyhow::Result<()> {
        let list = packages.join("\n");
        let installed =
            self.folder.join(format!("installed-{}.txt", packages[0].split(['>', '=']).next().unwrap_or("")));
        if fs::read_to_string(&installed).is_ok_and(|found| found == list) {
            return Ok(());
        }
        writeln!(out, "python: installing {} …", packages.join(", "))?;
        let reason = || format!("the packages cannot be installed; {SKIP}=skip skips this step of CI");
        run(&mut self.pip_install(packages)).with_context(reason)?;
        fs::write(installed, list)?;
        Ok(())
    }

    /// Returns the command that builds the wheel from the package in `sources` with a profile of it, and writes it to a folder.
    fn maturin(&self, profile: &str, sources: &Path, wheels: &Path) -> Command {
        let mut command = self.module("maturin");
        command
            .args(["build", "--profile", profile, "--quiet", "--locked", "--manifest-path"])
            .arg(sources.join("Cargo.toml"))
            .arg("--out")
            .arg(wheels);
        command
    }

    /// Builds the wheel, installs it, and returns its path.
    fn build_and_install(&self, profile: &str, out: &mut impl Write) -> anyhow::Result<PathBuf> {
        writeln!(out, "python: building the wheel …")?;
        let wheels = empty_folder("python/wheels")?;
        run(&mut self.maturin(profile, &root().join("python"), &wheels))?;
        let wheel = fs::read_dir(&wheels)?.next().context("maturin built no wheel")??.path();
        run(self.pip_install(&["--no-deps", "--force-reinstall"]).arg(&wheel))?;
        Ok(wheel)
    }

    /// Builds the source distribution, checks its description and installs it, as pip does where there is no wheel.
    fn check_source(&self, interpreter: &str, out: &mut impl Write) -> anyhow::Result<()> {
        let folder = empty_folder("python/source")?;
        let python = root().join("python");
        run(self
            .module("maturin")
            .args(["sdist", "--manifest-path"])
            .arg(python.join("Cargo.toml"))
            .arg("--out")
            .arg(&folder))?;
        let source = fs::read_dir(&folder)?.next().context("maturin built no source distribution")??.path();
        run(self.module("twine").arg("check").arg(&source))?;
        let other = Environment::new("from-source", interpreter, out)?;
        // The dependencies are built already.
        let mut install = other.pip_install(&["--force-reinstall"]);
        run(install.arg(&source).env("CARGO_TARGET_DIR", python.join("target")))?;
        run(other.python().args(["-c", SOLVE]))
    }

    fn pytest(&self, folder: &str, extent: Extent) -> anyhow::Result<()> {
        let mut command = self.module("pytest");
        command.args(["-q", "-p", "no:cacheprovider"]).arg(root().join("python").join(folder));
        if extent == Extent::All {
            command.env("TICTAC_RESETS", "1000000");
        }
        run(&mut command)
    }

    fn check_types(&self) -> anyhow::Result<()> {
        run(self.module("mypy").args(["--strict", "--package", "tictac"]))?;
        let allowed = root().join("python/tests/stubtest-allowed.txt");
        run(self
            .module("mypy.stubtest")
            .arg("tictac")
            .arg("--allowlist")
            .arg(allowed)
            .arg("--ignore-unused-allowlist"))
    }
}

/// Installs the wheel into an empty environment whose path has no compiler, and solves a position.
fn check_without_rust(interpreter: &str, wheel: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let environment = Environment::new("empty", interpreter, out)?;
    let programs = environment.folder.join("bin");
    run(environment.pip_install(&["--force-reinstall"]).arg(wheel).env("PATH", &programs))?;
    run(environment.python().args(["-c", SOLVE]).env("PATH", programs))
}
