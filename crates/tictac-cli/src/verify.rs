//! The command `tictac verify`.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use anyhow::Context;
use tictac::certificate::{Certificate, CertificateReader, ReadError, Refuted};
use tictac::notation::{Code, Fault};
use tictac_archive::Input;

use crate::diagnostic::{Diagnostic, escape};
use crate::standard_input;
use crate::values::Threads;

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

    #[command(flatten)]
    threads: Threads,
}

const AFTER_LONG_HELP: &str = "\
Exit status: 0 the proof is correct, 1 it is wrong (with the line and the reason), 2 it could not be read.

Examples:
  tictac verify draw.cert        verify a file
  tictac verify - < draw.cert    verify standard input";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let (name, certificate) = read(&args.file)?;
    match verify(&certificate, args.threads.count()) {
        Ok(()) => {
            writeln!(out, "{}", certificate.summary())?;
            Ok(ExitCode::SUCCESS)
        }
        Err(refuted) => {
            let fault = Fault::new(Code::RefutedCertificate, refuted.why);
            let origin = format!("{name}:{}", refuted.line);
            let note = format!("position: {}", refuted.position);
            Err(Diagnostic::of_argument(&origin, fault).with_note(note).into())
        }
    }
}

/// Checks the proof on several threads, or returns the first flaw in the order of the lines.
fn verify(certificate: &Certificate, n_threads: usize) -> Result<(), Refuted> {
    let check = certificate.start_check(&|| false)?;
    thread::scope(|scope| {
        let follow = |part| {
            let check = &check;
            scope.spawn(move || check.follow_part(part, n_threads, &|| false))
        };
        let parts: Vec<_> = (0..n_threads).map(follow).collect();
        let results = parts.into_iter().map(|part| part.join().expect("the check does not panic"));
        results.filter_map(Result::err).min_by_key(|flaw| flaw.line).map_or(Ok(()), Err)
    })?;
    check.finish()
}

/// Reads a certificate and returns it with the file name to show in messages.
fn read(path: &Path) -> anyhow::Result<(String, Certificate)> {
    // A byte order mark, the longest valid line and its end: no more of a line is read into memory.
    const MAX_BYTES: u64 = CertificateReader::MAX_LINE as u64 + 5;
    let input = if path.as_os_str() == "-" { Input::Stdin } else { Input::File(path.to_owned()) };
    if matches!(input, Input::Stdin) {
        standard_input::announce();
    }
    let name = escape(input.name().as_bytes());
    let cannot_read = || format!("cannot read {name}");
    let mut input = BufReader::new(input.raw_reader().with_context(cannot_read)?);
    let locate = |error: ReadError| {
        let fault = Fault::new(Code::MalformedCertificate, error.fault);
        Diagnostic::of_argument(&format!("{name}:{}:{}", error.line, error.column), fault).without_answer()
    };
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
