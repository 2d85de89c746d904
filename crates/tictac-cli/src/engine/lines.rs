//! Commands from standard input, read on their own thread so that a command can stop a search.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;

use tictac_archive::read_line;

/// The maximum length of a command; the rest is dropped.
const MAX_LINE: usize = 64 * 1024;
/// The maximum number of commands that wait.
const MAX_WAITING: usize = 64;

pub(super) struct CommandLines {
    receiver: Receiver<String>,
    // Commands that arrived during a search.
    waiting: RefCell<VecDeque<String>>,
    has_ended: Cell<bool>,
}

impl CommandLines {
    pub(super) fn from_stdin() -> CommandLines {
        let (sender, receiver) = sync_channel(MAX_WAITING);
        thread::spawn(move || {
            let (mut input, mut line) = (io::stdin().lock(), Vec::new());
            while let Ok(Some(_)) = read_line(&mut input, &mut line, MAX_LINE) {
                if sender.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                    break;
                }
            }
        });
        CommandLines { receiver, waiting: RefCell::default(), has_ended: Cell::new(false) }
    }

    /// Waits for the next command; returns `None` at the end of the input.
    pub(super) fn next(&self) -> Option<String> {
        let waiting = self.waiting.borrow_mut().pop_front();
        waiting.or_else(|| self.receiver.recv().ok())
    }

    /// Waits for another command, and returns true when it has arrived. Returns false at the end of the input, or if too many
    /// commands are waiting already.
    pub(super) fn wait(&self) -> bool {
        let mut waiting = self.waiting.borrow_mut();
        if waiting.len() >= MAX_WAITING {
            return false;
        }
        match self.receiver.recv() {
            Ok(line) => {
                waiting.push_back(line);
                true
            }
            Err(_) => false,
        }
    }

    /// Removes and returns the first waiting command that `wanted` accepts, unless `quit` comes before it.
    pub(super) fn take(&self, wanted: impl Fn(&str) -> bool) -> Option<String> {
        self.collect();
        let mut waiting = self.waiting.borrow_mut();
        let place = waiting.iter().take_while(|line| *line != "quit").position(|line| wanted(line))?;
        waiting.remove(place)
    }

    /// Returns whether a command that `wanted` accepts is waiting.
    pub(super) fn is_waiting(&self, wanted: impl Fn(&str) -> bool) -> bool {
        self.collect();
        self.waiting.borrow().iter().any(|line| wanted(line))
    }

    pub(super) fn has_ended(&self) -> bool {
        self.collect();
        self.has_ended.get()
    }

    /// Moves the commands that have arrived into the queue.
    fn collect(&self) {
        let mut waiting = self.waiting.borrow_mut();
        while waiting.len() < MAX_WAITING {
            match self.receiver.try_recv() {
                Ok(line) => waiting.push_back(line),
                Err(reason) => return self.has_ended.set(reason == TryRecvError::Disconnected),
            }
        }
    }
}
