//! The command `tictac verify`.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use anyhow::Context;
use tictac::notation::{Code, Fault};
use tictac_archive::Input;
use tictac_proof::{Certificate, CertificateReader, ReadError, Refuted};

use crate::diagnostic::{Diagnostic, escape};
use crate::paint::OutputStyle;
use crate::standard_streams::announce_stdin;
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

pub(crate) fn run(args: &Args, _: OutputStyle, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let n_threads = args.threads.count();
    let (name, certificate) = read(&args.file, n_threads)?;
    verify(&certificate, n_threads).map_err(|refuted| locate_flaw(&name, refuted))?;
    writeln!(out, "{}", certificate.summary())?;
    Ok(ExitCode::SUCCESS)
}

fn locate_flaw(name: &str, refuted: Refuted) -> Diagnostic {
    let fault = Fault::new(Code::RefutedCertificate, refuted.why);
    let note = format!("position: {}", refuted.position);
    Diagnostic::of_argument(&format!("{name}:{}", refuted.line), fault).with_note(note)
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

/// The number of lines after which the blocking strategies that were read are checked, in order not to keep them.
const LINES_PER_CHECK: usize = 100_000;

/// Reads a certificate, checks the blocking strategies in it, and returns it with the file name to show in messages.
fn read(path: &Path, n_threads: usize) -> anyhow::Result<(String, Certificate)> {
    // A byte order mark, the longest valid line and its end: no more of a line is read into memory.
    const MAX_BYTES: u64 = CertificateReader::MAX_LINE as u64 + 5;
    let input = if path.as_os_str() == "-" { Input::Stdin } else { Input::File(path.to_owned()) };
    if matches!(input, Input::Stdin) {
        announce_stdin();
    }
    let name = escape(input.name());
    let cannot_read = || format!("cannot read {name}");
    let mut input = BufReader::new(input.raw_reader().with_context(cannot_read)?);
    let locate = |error: ReadError| {
        let fault = Fault::new(Code::MalformedCertificate, error.fault);
        Diagnostic::of_argument(&format!("{name}:{}:{}", error.line, error.column), fault).without_answer()
    };
    let mut reader = CertificateReader::default();
    let mut line = Vec::new();
    for number in 1_usize.. {
        line.clear();
        let read = input.by_ref().take(MAX_BYTES).read_until(b'\n', &mut line);
        if read.with_context(cannot_read)? == 0 {
            break;
        }
        reader.push(line.strip_suffix(b"\n").unwrap_or(&line)).map_err(locate)?;
        if number.is_multiple_of(LINES_PER_CHECK) {
            check_blocking(&mut reader, n_threads).map_err(|refuted| locate_flaw(&name, refuted))?;
        }
    }
    let certificate = reader.finish().map_err(locate)?;
    Ok((name, certificate))
}

/// Checks what has been read of a blocking strategy.
fn check_blocking(reader: &mut CertificateReader, n_threads: usize) -> Result<(), Refuted> {
    let Some(batch) = reader.take_blocking()? else { return Ok(()) };
    let parts = batch.split(n_threads);
    let checked: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = parts.iter().map(|part| scope.spawn(|| part.check())).collect();
        threads.into_iter().map(|thread| thread.join().expect("the check does not panic")).collect()
    });
    checked.into_iter().try_for_each(|part| reader.accept(part?))
}
