//! `tictac verify`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use tictac::certificate::{Certificate, CertificateReader, ReadError};

use crate::diagnostic::escape;

/// Check a proof of who wins
///
/// Follows the strategies of a certificate against every reply. The checker knows the rules of the game and nothing of
/// the solver that may have made the certificate; docs/certificates.md says what a certificate is.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// A certificate (a file, or - for stdin)
    #[arg(value_name = "FILE|-")]
    file: PathBuf,
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 the proof is right, 1 it is wrong (with the line and the reason), 2 it could not be read.

Examples:
  tictac verify draw.cert        check a file
  tictac verify - < draw.cert    check what comes from elsewhere";

/// Checks the certificate that the arguments name.
pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let (name, certificate) = read(&args.file)?;
    match certificate.verify() {
        Ok(verified) => {
            writeln!(out, "{verified}")?;
            Ok(ExitCode::SUCCESS)
        }
        Err(refuted) => {
            // The answer is no, and an answer: it goes where the complaints about records go.
            let _ = writeln!(
                io::stderr(),
                "{name}:{}: refuted: {}\nposition: {}",
                refuted.line,
                refuted.why,
                refuted.position
            );
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Reads a certificate, and returns it with the name of its file as it is shown.
fn read(path: &Path) -> anyhow::Result<(String, Certificate)> {
    if path.as_os_str() == "-" {
        return read_lines("<stdin>".to_owned(), io::stdin().lock());
    }
    let name = escape(path.as_os_str().as_encoded_bytes());
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    read_lines(name, BufReader::new(file))
}

fn read_lines(name: String, mut input: impl BufRead) -> anyhow::Result<(String, Certificate)> {
    // Room for the longest line and its end; of a longer one no more is taken into memory.
    const MAX_BYTES: u64 = CertificateReader::MAX_LINE as u64 + 2;
    let place = |error: ReadError| anyhow!("{name}:{}:{}: {}", error.line, error.column, error.fault);
    let mut reader = CertificateReader::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.by_ref().take(MAX_BYTES).read_until(b'\n', &mut line);
        if read.with_context(|| format!("cannot read {name}"))? == 0 {
            break;
        }
        reader.push(line.strip_suffix(b"\n").unwrap_or(&line)).map_err(place)?;
    }
    let certificate = reader.finish().map_err(place)?;
    Ok((name, certificate))
}
