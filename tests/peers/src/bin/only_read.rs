//! The lower bounds for `tictac check`: reading the file with the same buffers and threads, and doing little or nothing with it.

use std::env;
use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// As in `tictac check`: the size of a piece, and the alignment of its buffer.
const PIECE_SIZE: usize = 512 * 1024;
const ALIGNMENT: usize = 64;

/// What is done with the bytes that were read.
#[derive(Clone, Copy)]
enum Work {
    Nothing,
    CountLines,
}

/// `only_read nothing|lines THREADS FILE`: prints the number of lines, or 0 if they are not counted.
fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (work, n_threads, path) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["nothing", n_threads, path] => (Work::Nothing, n_threads, path),
        ["lines", n_threads, path] => (Work::CountLines, n_threads, path),
        _ => return Err(io::Error::other("usage: only_read nothing|lines THREADS FILE")),
    };
    let n_threads = n_threads.parse().map_err(io::Error::other)?;
    writeln!(io::stdout(), "{}", read_all(work, n_threads, File::open(path)?)?)
}

/// Reads the file with this number of threads, which take turns to read a piece.
fn read_all(work: Work, n_threads: usize, file: File) -> io::Result<u64> {
    let file = Mutex::new(file);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(|| read(&file, work))).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, io::Result<u64>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).sum()
    })
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
            [(Work::CountLines, 1, 200_000), (Work::CountLines, 3, 200_000), (Work::Nothing, 2, 0)]
        {
            assert_eq!(read_all(work, n_threads, File::open(&path).unwrap()).unwrap(), expected);
        }
        std::fs::remove_file(path).unwrap();
    }
}
