//! Group commit: one writer takes all that is waiting, stores it in one transaction, and only then lets anybody know.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::event::{Event, Link};
use crate::failure::Failure;
use crate::live::Live;
use crate::metrics::Metrics;
use crate::store::{Appended, Entry, Store, StoreError};
use crate::token::GameId;

/// A transaction of more than this would make its first one wait for nothing.
const MAX_BATCH: usize = 1_024;
const MAX_WAIT: Duration = Duration::from_secs(5);

/// The way to the disk.
#[derive(Debug)]
pub(crate) struct Queue {
    sender: mpsc::Sender<Job>,
    closing: CancellationToken,
    ruin: Arc<Ruin>,
}

/// The store has failed in a way that leaves nothing to be trusted.
#[derive(Debug, Default)]
pub(crate) struct Ruin {
    reason: OnceLock<String>,
    happened: CancellationToken,
}

impl Ruin {
    /// Waits until it has happened, and returns why.
    pub(crate) async fn wait(&self) -> String {
        self.happened.cancelled().await;
        self.reason.get().cloned().unwrap_or_default()
    }

    pub(crate) fn declare(&self, reason: String) {
        let _ = self.reason.set(reason);
        self.happened.cancel();
    }
}

#[derive(Debug)]
struct Job {
    entry: Entry,
    event: Event,
    /// The game in memory; none where this event creates it.
    live: Option<Arc<Live>>,
    reply: oneshot::Sender<Result<Appended, StoreError>>,
}

/// What is done with every game that has got an event.
pub(crate) type After = Box<dyn Fn(&Arc<Live>) + Send + Sync>;

/// What the writer needs.
pub(crate) struct Writer {
    receiver: mpsc::Receiver<Job>,
    store: Arc<dyn Store>,
    metrics: Arc<Metrics>,
    closing: CancellationToken,
    ruin: Arc<Ruin>,
    /// Called with every game that has got an event.
    after: After,
}

impl Queue {
    /// Returns a queue of `length`, and the writer that must be run to empty it.
    pub(crate) fn new(
        length: usize,
        store: Arc<dyn Store>,
        metrics: Arc<Metrics>,
        ruin: Arc<Ruin>,
        after: After,
    ) -> (Queue, Writer) {
        let (sender, receiver) = mpsc::channel(length);
        let closing = CancellationToken::new();
        let writer =
            Writer { receiver, store, metrics, closing: closing.clone(), ruin: Arc::clone(&ruin), after };
        (Queue { sender, closing, ruin }, writer)
    }

    /// Stores an event behind `previous`; returns when it is on disk, or known not to be.
    pub(crate) async fn append(
        &self,
        game: GameId,
        previous: Link,
        event: Event,
        live: Option<Arc<Live>>,
    ) -> Result<(Appended, Link), Failure> {
        let body = crate::live::json(&event);
        let link = previous.after(game, event.seq, &body);
        let entry = Entry { game, seq: event.seq, body, previous, link };
        let (reply, answer) = oneshot::channel();
        let job = Job { entry, event, live, reply };
        self.sender.send_timeout(job, MAX_WAIT).await.map_err(|error| match error {
            mpsc::error::SendTimeoutError::Timeout(_) => {
                Failure::Unavailable("too many moves are waiting to be stored")
            }
            mpsc::error::SendTimeoutError::Closed(_) => Failure::Unavailable("the server is shutting down"),
        })?;
        let Ok(result) = answer.await else {
            // The writer has ended without an answer: whether the event is on disk will be known after a restart.
            self.ruin.wait().await;
            return std::future::pending().await;
        };
        match result {
            Ok(appended) => Ok((appended, link)),
            Err(StoreError::Full) => Err(Failure::StorageFull),
            Err(StoreError::Unavailable(_) | StoreError::Fatal(_)) => Err(Failure::Unavailable(
                "the store does not answer; whether this was saved is not known: send it again",
            )),
        }
    }

    /// Takes no more; what is waiting is still stored.
    pub(crate) fn close(&self) {
        self.closing.cancel();
    }
}

impl Writer {
    /// Stores what comes, until the queue is closed and empty or the store is in ruins.
    pub(crate) async fn run(mut self) {
        let mut jobs = Vec::with_capacity(MAX_BATCH);
        loop {
            let closing = self.closing.clone();
            tokio::select! {
                biased;
                n = self.receiver.recv_many(&mut jobs, MAX_BATCH) => if n == 0 { return },
                () = closing.cancelled(), if !self.receiver.is_closed() => { self.receiver.close(); continue }
            }
            if let Err(reason) = self.store(&mut jobs).await {
                tracing::error!("{reason}: stopping without an answer to anybody");
                self.ruin.declare(reason);
                return;
            }
        }
    }

    async fn store(&self, jobs: &mut Vec<Job>) -> Result<(), String> {
        let entries: Arc<[Entry]> = jobs.iter().map(|job| job.entry.clone()).collect();
        let start = Instant::now();
        let result = self.store.append(entries).await;
        self.metrics.commit.observe(start.elapsed().as_secs_f64());
        self.metrics.batch.observe(jobs.len() as f64);
        match result {
            Ok(appended) => self.tell(jobs, appended),
            Err(StoreError::Fatal(reason)) => Err(reason),
            Err(error) => {
                tracing::warn!("{error}");
                for job in jobs.drain(..) {
                    let _ = job.reply.send(Err(error.clone()));
                }
                Ok(())
            }
        }
    }

    /// Lets everybody know what is on disk now.
    fn tell(&self, jobs: &mut Vec<Job>, appended: Vec<Appended>) -> Result<(), String> {
        let mut hints = Vec::new();
        for (job, appended) in jobs.drain(..).zip(appended) {
            if appended == Appended::Saved {
                self.metrics.events.inc();
                hints.push((job.entry.game, job.entry.seq + 1));
                if let Some(live) = job.live {
                    live.add(&job.event, job.entry.link)
                        .map_err(|error| format!("{}: {error}", job.entry.game))?;
                    (self.after)(&live);
                }
            }
            // Whoever asked may have gone; the event stands all the same.
            let _ = job.reply.send(Ok(appended));
        }
        let store = Arc::clone(&self.store);
        if store.hints().is_some() && !hints.is_empty() {
            tokio::spawn(async move { store.announce(hints).await });
        }
        Ok(())
    }
}
