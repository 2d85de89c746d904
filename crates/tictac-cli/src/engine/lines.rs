//! Commands from standard input, read on their own thread so that a search can be stopped by one.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// A command longer than this is cut: no protocol has one.
const MAX_LINE: u64 = 64 * 1024;
/// How many commands may wait.
const MAX_WAITING: usize = 64;

/// The lines of a manager.
pub(super) struct Lines {
    coming: Receiver<String>,
    // Those that were looked at while something else went on.
    waiting: RefCell<VecDeque<String>>,
}

impl Lines {
    /// Starts to read standard input.
    pub(super) fn of_stdin() -> Lines {
        let (sender, coming) = sync_channel(MAX_WAITING);
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            while let Some(line) = read_line(&mut input) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Lines { coming, waiting: RefCell::default() }
    }

    /// Waits for the next command; `None` at the end of input.
    pub(super) fn next(&self) -> Option<String> {
        let waiting = self.waiting.borrow_mut().pop_front();
        waiting.or_else(|| self.coming.recv().ok())
    }

    /// Returns the first waiting command that `wanted` accepts and takes it out; the others keep waiting.
    pub(super) fn take(&self, wanted: impl Fn(&str) -> bool) -> Option<String> {
        let mut waiting = self.waiting.borrow_mut();
        while waiting.len() < MAX_WAITING
            && let Ok(line) = self.coming.try_recv()
        {
            waiting.push_back(line);
        }
        let place = waiting.iter().position(|line| wanted(line))?;
        waiting.remove(place)
    }

    /// Returns whether a command that `wanted` accepts is waiting, or the input has ended.
    pub(super) fn is_waiting(&self, wanted: impl Fn(&str) -> bool) -> bool {
        let mut waiting = self.waiting.borrow_mut();
        while waiting.len() < MAX_WAITING
            && let Ok(line) = self.coming.try_recv()
        {
            waiting.push_back(line);
        }
        waiting.iter().any(|line| wanted(line))
    }
}

/// Reads a line without its end, cut if it is too long; bytes that are no text become question marks.
fn read_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let n = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).ok()?;
    if n == 0 {
        return None;
    }
    if line.last() != Some(&b'\n') {
        // The rest of a line that was cut; at the end of input there is none.
        input.skip_until(b'\n').ok()?;
    }
    let text = String::from_utf8_lossy(&line);
    Some(text.trim().to_owned())
}
