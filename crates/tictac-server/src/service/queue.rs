//! Group commit: one task stores all waiting events in one transaction, and only then replies.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::{SetOnce, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::Service;
use crate::event::{GameEvent, Link};
use crate::failure::Failure;
use crate::hosted_game::HostedGame;
use crate::live_game::LiveGame;
use crate::store::{Appended, LogEntry, StoreError, StoredEvent};
use crate::token::GameId;
use crate::tournament::event::TournamentEvent;
use crate::wire::to_json;

/// The maximum number of events in one transaction; a larger one would only delay its first event.
const MAX_BATCH: usize = 1_024;
/// How long an event may wait for a place in the queue.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// The queue of events that wait to be stored.
#[derive(Debug)]
pub(super) struct EventQueue {
    sender: mpsc::Sender<PendingEvent>,
    /// Cancelled to accept no more events; those already waiting are still stored.
    pub(super) closing: CancellationToken,
    /// Why the store failed, after which it is unknown what is on disk.
    pub(super) failure: SetOnce<String>,
}

/// An event to be stored, and the data needed to publish it afterwards.
#[derive(Debug)]
pub(super) struct NewEvent {
    pub(super) game: GameId,
    pub(super) previous: Link,
    pub(super) event: GameEvent,
    /// The game in memory and what it will be after the event; `None` if the event creates it.
    pub(super) live: Option<(Arc<LiveGame>, HostedGame)>,
}

/// An event that waits to be stored.
#[derive(Debug)]
pub(super) struct PendingEvent {
    /// The log of the event, and its number.
    key: (GameId, u64),
    /// The game in memory, the event to add to it, and what it will be then.
    live: Option<(Arc<LiveGame>, GameEvent, HostedGame)>,
    /// The event as it is stored; taken when it is passed to the store.
    entry: Option<LogEntry>,
    link: Link,
    reply: oneshot::Sender<Result<Appended, StoreError>>,
}

impl EventQueue {
    /// Returns a queue of at most `length` events, and what [`Service::store_events`] receives them from.
    pub(super) fn new(length: usize) -> (EventQueue, mpsc::Receiver<PendingEvent>) {
        let (sender, receiver) = mpsc::channel(length);
        (EventQueue { sender, closing: CancellationToken::new(), failure: SetOnce::new() }, receiver)
    }

    /// Stores an event, and returns when it is on disk or known not to be.
    pub(super) async fn append(&self, new: NewEvent) -> Result<(Appended, Link), Failure> {
        let NewEvent { game, previous, event, live } = new;
        let (seq, body) = (event.seq, to_json(&event));
        let (is_clocked, is_public) = (event.is_clocked(), event.is_public());
        let link = previous.after(game, seq, &body);
        let event_in_log = StoredEvent { seq, body, link };
        let entry = LogEntry { game, previous, event: event_in_log, is_clocked, is_public };
        self.append_entry(entry, live.map(|(live, after)| (live, event, after))).await
    }

    /// Stores an event of a tournament, and returns when it is on disk or known not to be.
    pub(super) async fn append_tournament(
        &self,
        id: GameId,
        previous: Link,
        event: &TournamentEvent,
    ) -> Result<(Appended, Link), Failure> {
        let (seq, body, is_clocked) = (event.seq, to_json(event), event.is_clocked());
        let link = previous.after(id, seq, &body);
        let event = StoredEvent { seq, body, link };
        self.append_entry(LogEntry { game: id, previous, event, is_clocked, is_public: false }, None).await
    }

    async fn append_entry(
        &self,
        entry: LogEntry,
        live: Option<(Arc<LiveGame>, GameEvent, HostedGame)>,
    ) -> Result<(Appended, Link), Failure> {
        let (key, link) = ((entry.game, entry.event.seq), entry.event.link);
        let (reply, result) = oneshot::channel();
        let pending = PendingEvent { key, live, entry: Some(entry), link, reply };
        self.sender.send_timeout(pending, MAX_WAIT).await.map_err(|error| match error {
            SendTimeoutError::Timeout(_) => Failure::Unavailable("too many moves are waiting to be stored"),
            SendTimeoutError::Closed(_) => Failure::Unavailable("the server is shutting down"),
        })?;
        let Ok(result) = result.await else {
            // The writer ended without a reply. Only a restart can tell whether the event is on disk.
            self.failure.wait().await;
            return std::future::pending().await;
        };
        match result {
            Ok(appended) => Ok((appended, link)),
            Err(StoreError::Full) => Err(Failure::StorageFull),
            Err(StoreError::Unavailable(_) | StoreError::Fatal(_)) => Err(Failure::Unavailable(
                "the database does not respond and the event may or may not be saved: send it again",
            )),
        }
    }
}

impl Service {
    /// Stores events until the queue is closed and empty, or until the store fails.
    pub(super) async fn store_events(self, mut receiver: mpsc::Receiver<PendingEvent>) {
        let mut batch = Vec::with_capacity(MAX_BATCH);
        loop {
            tokio::select! {
                biased;
                n = receiver.recv_many(&mut batch, MAX_BATCH) => if n == 0 { return },
                () = self.queue.closing.cancelled(), if !receiver.is_closed() => { receiver.close(); continue }
            }
            if let Err(reason) = self.store_batch(&mut batch).await {
                tracing::error!("{reason}; stopping without replying to clients");
                let _ = self.queue.failure.set(reason);
                return;
            }
        }
    }

    async fn store_batch(&self, batch: &mut Vec<PendingEvent>) -> Result<(), String> {
        let entries: Arc<[LogEntry]> = batch.iter_mut().filter_map(|pending| pending.entry.take()).collect();
        let start = Instant::now();
        let result = self.store.append(entries).await;
        self.metrics.commit.observe(start.elapsed().as_secs_f64());
        self.metrics.batch.observe(batch.len() as f64);
        match result {
            Ok(appended) => self.publish(batch, appended),
            Err(StoreError::Fatal(reason)) => return Err(reason),
            Err(error) => {
                tracing::warn!("{error}");
                for pending in batch.drain(..) {
                    let _ = pending.reply.send(Err(error.clone()));
                }
            }
        }
        Ok(())
    }

    /// Adds stored events to the games in memory, replies, and sends hints to other nodes.
    fn publish(&self, batch: &mut Vec<PendingEvent>, appended: Vec<Appended>) {
        let mut hints = Vec::new();
        let has_other_nodes = self.store.hints().is_some();
        for (PendingEvent { key: (game, seq), live, link, reply, .. }, appended) in
            batch.drain(..).zip(appended)
        {
            if appended == Appended::Saved {
                self.metrics.events.inc();
                if has_other_nodes {
                    hints.push((game, seq + 1));
                }
                if let Some((live, event, after)) = live {
                    live.add(&event, after, link);
                    self.flags.update(&live);
                    if event.is_news() {
                        self.notify_later(&live);
                    }
                    if live.needs_server {
                        self.automate(&live);
                        self.tend_after(&live);
                    }
                }
            }
            // The client may have disconnected; the event is stored all the same.
            let _ = reply.send(Ok(appended));
        }
        let store = Arc::clone(&self.store);
        if !hints.is_empty() {
            tokio::spawn(async move { store.announce(hints).await });
        }
    }
}
