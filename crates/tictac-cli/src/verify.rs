//! The command `tictac verify`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use tictac::certificate::{Certificate, CertificateReader, ReadError};

use crate::diagnostic::escape;

/// Verify a certificate: a proof of who wins
///
/// Plays the strategy of a certificate against every reply. The verifier shares no code with the solver that wrote the
/// certificate. docs/certificates.md describes the format.
#[derive(clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The certificate: a file, or - for stdin
    #[arg(value_name = "FILE|-")]
    file: PathBuf,
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 the proof is correct, 1 it is wrong (with the line and the reason), 2 it could not be read.

Examples:
  tictac verify draw.cert        verify a file
  tictac verify - < draw.cert    verify standard input";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let (name, certificate) = read(&args.file)?;
    match certificate.verify() {
        Ok(()) => {
            writeln!(out, "{}", certificate.summary())?;
            Ok(ExitCode::SUCCESS)
        }
        Err(refuted) => {
            // Reported on standard error, like the errors of a record.
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

/// Reads a certificate and returns it with the file name to show in messages.
fn read(path: &Path) -> anyhow::Result<(String, Certificate)> {
    // The longest valid line and its end: no more of a line is read into memory.
    const MAX_BYTES: u64 = CertificateReader::MAX_LINE as u64 + 2;
    let is_stdin = path.as_os_str() == "-";
    let name = if is_stdin { "<stdin>".to_owned() } else { escape(path.as_os_str().as_encoded_bytes()) };
    let cannot_read = || format!("cannot read {name}");
    let mut input: Box<dyn BufRead> = if is_stdin {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).with_context(cannot_read)?))
    };
    let locate = |error: ReadError| anyhow!("{name}:{}:{}: {}", error.line, error.column, error.fault);
    let mut reader = CertificateReader::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.by_ref().take(MAX_BYTES).read_until(b'\n', &mut line);
        if read.with_context(cannot_read)? == 0 {
            break;
        }
        reader.push(line.strip_suffix(b"\n").unwrap_or(&line)).map_err(locate)?;
    }
    let certificate = reader.finish().map_err(locate)?;
    Ok((name, certificate))
}
