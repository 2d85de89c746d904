//! `cargo xtask bench all`: every benchmark in one run, and the page `docs/performance.md` with the ratios to its peers.
//!
//! Absolute figures depend on the machine; a ratio to a program that was measured in the same run depends on it much less.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::process::Command;
use std::time::Instant;

use anyhow::Context;

use crate::cargo::{printed, root};

const PAGE: &str = "docs/performance.md";
const BENCHMARKS: [&str; 9] =
    ["check", "start", "serve", "solve --limit 60", "engine", "oracle", "grade", "play", "python"];

/// What one benchmark printed.
struct Printed {
    name: &'static str,
    minutes: f64,
    text: Result<String, String>,
}

/// Runs every benchmark in a process of its own and writes the page. A benchmark that fails is named on the page.
pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let machine = machine()?;
    let mut results = Vec::new();
    for name in BENCHMARKS {
        writeln!(out, "bench {name} …")?;
        out.flush()?;
        let start = Instant::now();
        let text = printed(Command::new(&program).arg("bench").args(name.split(' ')).current_dir(root()));
        let text = text.map_err(|error| format!("{error:#}"));
        results.push(Printed { name, minutes: start.elapsed().as_secs_f64() / 60.0, text });
    }
    fs::write(root().join(PAGE), page(&machine, &results))?;
    writeln!(out, "wrote {PAGE}")?;
    Ok(())
}

/// Describes the machine and what was measured: processor, cores, memory, system, compiler, commit, date and load.
fn machine() -> anyhow::Result<Vec<(&'static str, String)>> {
    let print = |program: &str, arguments: &[&str]| -> String {
        let text = printed(Command::new(program).args(arguments).current_dir(root()));
        text.unwrap_or_else(|_| "unknown".to_owned())
    };
    let field = |file: &str, name: &str| -> Option<String> {
        let text = fs::read_to_string(file).ok()?;
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let n_cores = std::thread::available_parallelism()?;
    Ok(vec![
        ("processor", field("/proc/cpuinfo", "model name").unwrap_or_else(|| print("uname", &["-m"]))),
        ("cores", n_cores.to_string()),
        ("memory", field("/proc/meminfo", "MemTotal").unwrap_or_else(|| "unknown".to_owned())),
        ("system", print("uname", &["-sr"])),
        ("compiler", print("rustc", &["--version"])),
        ("commit", print("git", &["describe", "--always", "--dirty", "--abbrev=10"])),
        ("date", print("date", &["-u", "+%F"])),
        ("load before", load.split(' ').next().unwrap_or_default().to_owned()),
    ])
}

fn page(machine: &[(&str, String)], results: &[Printed]) -> String {
    let mut page = "# Performance\n\nWritten by `cargo xtask bench all`; do not edit. Ratios compare with programs that were measured in turn in the same \
                    run, on the same machine.\n\n| machine | |\n|---|---|\n"
        .to_owned();
    for (name, value) in machine {
        let _ = writeln!(page, "| {name} | {value} |");
    }
    page += "\n## Ratios\n\n| what | compared with | ratio |\n|---|---|---|\n";
    for Ratio { what, peer, times } in results.iter().flat_map(ratios) {
        let _ = writeln!(page, "| {what} | {peer} | {times:.2} |");
    }
    page += "\nA ratio of throughput above 1 means faster than the peer; a ratio of time (start-up) below 1 does.\n";
    for Printed { name, minutes, text } in results {
        let _ = writeln!(page, "\n## `bench {name}`\n\n{minutes:.1} minutes.\n");
        match text {
            // Some print tables of Markdown; in a code block everything stays as it was printed.
            Ok(text) => _ = writeln!(page, "```text\n{}\n```", text.trim_end()),
            Err(error) => _ = writeln!(page, "Not measured: {}", error.lines().next().unwrap_or_default()),
        }
    }
    page
}

/// A figure relative to that of a peer.
#[derive(Debug, PartialEq)]
struct Ratio {
    what: String,
    peer: String,
    times: f64,
}

fn ratios(printed: &Printed) -> Vec<Ratio> {
    let Ok(text) = &printed.text else { return Vec::new() };
    match printed.name {
        "check" => check_ratios(text),
        "start" => start_ratio(text).into_iter().collect(),
        "serve" => serve_ratios(text),
        _ => Vec::new(),
    }
}

/// Reads the first table of `bench check`, whose columns are separated by at least two spaces.
fn check_ratios(text: &str) -> Vec<Ratio> {
    let mut found = Vec::new();
    for threads in ["1 thread", "2 threads"] {
        let name = format!("tictac check, {threads}");
        let row = text.lines().find_map(|line| line.strip_prefix(&name));
        let columns: Vec<&str> =
            row.unwrap_or_default().split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        for (place, peer) in [(2, "a state machine, throughput"), (3, "getline in C++, throughput")] {
            if let Some(times) = columns.get(place).and_then(|cell| cell.parse().ok()) {
                found.push(Ratio { what: format!("`{name}`"), peer: peer.to_owned(), times });
            }
        }
    }
    found
}

/// Reads the row of `game-check`, whose last cells are the ratios of median and mean to an empty program.
fn start_ratio(text: &str) -> Option<Ratio> {
    let row = text.lines().find(|line| line.starts_with("game-check "))?;
    let median = row.split_whitespace().rev().nth(1)?;
    let times = median.strip_suffix('×')?.parse().ok()?;
    Some(Ratio {
        what: "`game-check` on a game".to_owned(),
        peer: "an empty Rust program, time".to_owned(),
        times,
    })
}

/// Reads the rows of `bench serve`: server, games, loop, moves per second.
fn serve_ratios(text: &str) -> Vec<Ratio> {
    let rows: Vec<(&str, &str, &str, f64)> = text.lines().filter_map(serve_row).collect();
    let own = rows.iter().filter(|(server, ..)| *server == "tictac serve");
    let pairs = own.flat_map(|own| rows.iter().map(move |peer| (own, peer)));
    pairs
        .filter(|(own, peer)| peer.0 != own.0 && (peer.1, peer.2) == (own.1, own.2) && own.2 == "closed")
        .map(|(own, peer)| Ratio {
            what: format!("`tictac serve`, {} games, moves per second", own.1),
            peer: format!("{}, which stores nothing", peer.0),
            times: own.3 / peer.3,
        })
        .collect()
}

fn serve_row(line: &str) -> Option<(&str, &str, &str, f64)> {
    let mut cells = line.strip_prefix("| ")?.split('|').map(str::trim);
    let (server, games, kind) = (cells.next()?, cells.next()?, cells.next()?);
    Some((server, games, kind, cells.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(name: &'static str, text: &str) -> Printed {
        Printed { name, minutes: 1.5, text: Ok(text.to_owned()) }
    }

    #[track_caller]
    fn check_found(name: &'static str, text: &str, expected: &[(&str, &str, f64)]) {
        let found = ratios(&printed(name, text));
        let found: Vec<(&str, &str, f64)> =
            found.iter().map(|ratio| (ratio.what.as_str(), ratio.peer.as_str(), ratio.times)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn ratios_are_read_from_what_the_benchmarks_print() {
        let check = "                             time     GB/s  × state machine  × getline  × one thread  time / wc -l\n\
                     tictac check, 1 thread     0.300 s    3.333             3.75      222.2          1.00          0.90\n";
        check_found(
            "check",
            check,
            &[
                ("`tictac check, 1 thread`", "a state machine, throughput", 3.75),
                ("`tictac check, 1 thread`", "getline in C++, throughput", 222.2),
            ],
        );
        let start = "program            median       mean    fastest     median       mean\n\
                     game-check            500 µs     510 µs     480 µs     1.034×     1.040×\n";
        check_found("start", start, &[("`game-check` on a game", "an empty Rust program, time", 1.034)]);
        let serve = "| server | games | loop | moves/s | p50 ms |\n|---|---|---|---|---|\n\
                     | tictac serve | 100 | closed | 20000 | 4.6 |\n| tictac serve | 100 | open, 2000/s | 2000 | 4 |\n\
                     | Colyseus 0.18.16 | 100 | closed | 40000 | 2.5 |\n";
        let expected =
            ("`tictac serve`, 100 games, moves per second", "Colyseus 0.18.16, which stores nothing", 0.5);
        check_found("serve", serve, &[expected]);
        check_found("solve", "anything", &[]);
    }

    #[test]
    fn the_page_names_the_machine_the_ratios_and_what_failed() {
        let failed = Printed { name: "python", minutes: 0.0, text: Err("no Python\nmore".to_owned()) };
        let start = printed("start", "game-check  1 µs  1 µs  1 µs  1.500×  1.600×\n");
        let text = page(&[("cores", "2".to_owned())], &[start, failed]);
        assert!(text.contains("| cores | 2 |"), "{text}");
        assert!(text.contains("| `game-check` on a game | an empty Rust program, time | 1.50 |"), "{text}");
        assert!(text.contains("## `bench python`\n\n0.0 minutes.\n\nNot measured: no Python\n"), "{text}");
    }
}
