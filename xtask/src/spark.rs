//! `cargo xtask spark`: runs the example in `examples/spark` on two local cores and compares its counts with those of a single
//! process.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, bail};

use crate::bench::check::archive::{Comments, Random, game};
use crate::cargo::{cargo, output, root, run as run_command, target_directory};

const N_FILES: usize = 8;
const N_GAMES: usize = 4000;
/// One game in this many is made invalid.
const BAD_ONE_IN: usize = 40;
const PYSPARK: &str = "pyspark>=4,<5";

/// Generates archives, runs the example with one game per row and with one file per row, and compares the counts; then checks
/// that failing workers are noticed.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    run_command(&mut cargo(["build", "--quiet", "-p", "tictac-cli"]))?;
    let target = target_directory()?;
    let spark = Spark::installed(&target, out)?;
    let archives = spark.folder.join("archives");
    generate(&archives)?;
    let tictac = target.join("debug/tictac");
    let single = totals_of(&tictac, &archives)?;
    writeln!(out, "single process     {single}")?;
    for (name, options) in [("one game per row", &[][..]), ("one file per row", &["--whole"])] {
        let (rows, games) = (spark.folder.join("rows.parquet"), spark.folder.join("games.parquet"));
        let start = Instant::now();
        spark.submit("to_parquet.py", options, [&archives, &rows], &tictac)?;
        let found = spark.submit("check_games.py", &[], [&rows, &games], &tictac)?;
        writeln!(out, "Spark, {name}  {found}  ({:.0} s)", start.elapsed().as_secs_f64())?;
        if found != single {
            bail!("Spark and a single process do not agree");
        }
        // A worker that exits without an answer would silently lose games.
        if spark.submit("check_games.py", &[], [&rows, &games], Path::new("false")).is_ok() {
            bail!("a worker without output was not noticed");
        }
    }
    writeln!(out, "all counts agree, and workers without output are noticed")?;
    Ok(())
}

/// An installation of Spark with its Python.
struct Spark {
    folder: PathBuf,
}

impl Spark {
    /// Returns the installation in `target`, creating it if necessary.
    fn installed(target: &Path, out: &mut impl Write) -> anyhow::Result<Spark> {
        let spark = Spark { folder: target.join("spark") };
        output(Command::new("java").arg("-version")).context("Spark needs Java 17 or later")?;
        if !spark.program("spark-submit").exists() {
            writeln!(out, "installing PySpark into {} (435 MB, once) …", spark.folder.display())?;
            out.flush()?;
            fs::create_dir_all(&spark.folder)?;
            let venv = spark.folder.join("venv");
            run_command(Command::new("python3").args(["-m", "venv"]).arg(&venv))
                .context("PySpark needs python3 with its module venv")?;
            run_command(Command::new(spark.program("pip")).args(["install", "--quiet", PYSPARK]))
                .context("cannot install PySpark from PyPI")?;
        }
        Ok(spark)
    }

    fn program(&self, name: &str) -> PathBuf {
        self.folder.join("venv/bin").join(name)
    }

    /// Runs a script of the example on two cores and returns the last line of its output.
    fn submit(
        &self,
        script: &str,
        options: &[&str],
        paths: [&PathBuf; 2],
        tictac: &Path,
    ) -> anyhow::Result<String> {
        let mut command = Command::new(self.program("spark-submit"));
        command.args(["--master", "local[2]"]);
        // Listen on loopback only.
        for setting in [
            "spark.driver.bindAddress=127.0.0.1",
            "spark.driver.host=127.0.0.1",
            "spark.ui.enabled=false",
            "spark.log.level=ERROR",
        ] {
            command.args(["--conf", setting]);
        }
        let python = self.program("python");
        command.env("SPARK_LOCAL_IP", "127.0.0.1").env("PYSPARK_PYTHON", python).env("TICTAC", tictac);
        command.env("SPARK_LOCAL_DIRS", self.folder.join("tmp")).current_dir(&self.folder);
        command.arg(root().join("examples/spark").join(script)).args(options).args(paths);
        let text = String::from_utf8(output(&mut command)?).context("the output is not UTF-8")?;
        Ok(text.trim_end().lines().last().unwrap_or_default().to_owned())
    }
}

/// Writes archives of random games, some with comments, some with tags, some invalid.
fn generate(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let mut random = Random::new();
    for file in 0..N_FILES {
        let mut text = String::new();
        for _ in 0..N_GAMES {
            let game = game(&mut random, Comments::Some);
            match random.below(BAD_ONE_IN) {
                0 => text += &invalid(&game, &mut random),
                1..5 => write!(text, "[Event \"game {}\"]\n{game}", random.below(1_000_000))?,
                _ => text += &game,
            }
        }
        fs::write(folder.join(format!("{file}.ttt")), text)?;
    }
    Ok(())
}

fn invalid(game: &str, random: &mut Random) -> String {
    match random.below(5) {
        0 => game.replacen('X', "Y", 1),
        1 => game.replacen("\n2 ", "\n3 ", 1),
        2 => game.replacen("\n3 X", "\n3 O", 1),
        3 => format!("[Result \"unknown\"]\n{game}"),
        // The first move twice.
        _ => format!("{}\n{game}", game.lines().next().unwrap_or_default()),
    }
}

fn totals_of(tictac: &Path, archives: &Path) -> anyhow::Result<String> {
    let answer = Command::new(tictac).args(["check", "--summary-json"]).arg(archives).output()?;
    // Status 1: some games are invalid on purpose.
    if answer.status.code() != Some(1) {
        bail!("tictac check ended with {}: {}", answer.status, String::from_utf8_lossy(&answer.stderr));
    }
    Ok(String::from_utf8(answer.stdout)?.trim_end().to_owned())
}
