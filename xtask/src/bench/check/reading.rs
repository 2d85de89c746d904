//! The lower bounds for `tictac check`: reading the file with the same buffers and threads, and doing little or nothing with it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, bail};

/// As in `tictac check`: the size of a piece, and the alignment of its buffer.
const PIECE_SIZE: usize = 512 * 1024;
const ALIGNMENT: usize = 64;

/// What is done with the bytes that were read.
#[derive(Clone, Copy)]
enum Work {
    Nothing,
    CountLines,
}

/// Reads the file with this number of threads, which take turns to read a piece, and writes the number of lines.
pub(crate) fn run(work: &str, n_threads: &str, path: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let work = match work {
        "nothing" => Work::Nothing,
        "lines" => Work::CountLines,
        _ => bail!("expected nothing or lines, found {work}"),
    };
    let n_threads: usize = n_threads.parse().context("expected a number of threads")?;
    let file = Mutex::new(File::open(path).with_context(|| format!("cannot read {path}"))?);
    let n_lines = thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(|| read(&file, work))).collect();
        let own = read(&file, work);
        let join = |other: thread::ScopedJoinHandle<'_, io::Result<u64>>| {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        own.and_then(|own| others.into_iter().map(join).try_fold(own, |sum, other| Ok(sum + other?)))
    })?;
    Ok(writeln!(out, "{n_lines}")?)
}

/// Reads pieces until the end of the file; returns the number of lines in them, or 0 if they are not counted.
fn read(file: &Mutex<File>, work: Work) -> io::Result<u64> {
    let mut buffer = vec![0; PIECE_SIZE + ALIGNMENT];
    let start = buffer.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
    let mut n_lines = 0;
    loop {
        let piece = &mut buffer[start..start + PIECE_SIZE];
        let n_read = file.lock().unwrap_or_else(PoisonError::into_inner).read(piece)?;
        if n_read == 0 {
            return Ok(n_lines);
        }
        if let Work::CountLines = work {
            n_lines += memchr::memchr_iter(b'\n', &piece[..n_read]).count() as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lines_are_counted_by_any_number_of_threads() {
        let path = std::env::temp_dir().join(format!("tictac-lines-{}", std::process::id()));
        std::fs::write(&path, "1 X B2\n".repeat(200_000)).unwrap();
        for (work, n_threads, expected) in
            [("lines", "1", "200000\n"), ("lines", "3", "200000\n"), ("nothing", "2", "0\n")]
        {
            let mut out = Vec::new();
            run(work, n_threads, path.to_str().unwrap(), &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
        std::fs::remove_file(path).unwrap();
        assert!(run("dance", "1", "none", &mut Vec::new()).is_err());
    }
}
