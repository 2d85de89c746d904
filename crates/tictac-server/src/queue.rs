//! Group commit: one task stores all waiting events in one transaction, and only then replies.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::{SetOnce, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::event::{GameEvent, Link};
use crate::failure::Failure;
use crate::flag_queue::FlagQueue;
use crate::hosted_game::HostedGame;
use crate::live_game::LiveGame;
use crate::metrics::Metrics;
use crate::store::{Appended, LogEntry, Store, StoreError, StoredEvent};
use crate::token::GameId;
use crate::tournament::event::TournamentEvent;
use crate::wire::to_json;

/// The maximum number of events in one transaction; a larger one would only delay its first event.
const MAX_BATCH: usize = 1_024;
/// How long an event may wait for a place in the queue.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// The queue of events that wait to be stored.
#[derive(Debug)]
pub(crate) struct EventQueue {
    sender: mpsc::Sender<PendingEvent>,
    /// Cancelled to accept no more events; those already waiting are still stored.
    pub(crate) closing: CancellationToken,
    /// Why the store failed, after which it is unknown what is on disk.
    pub(crate) failure: Arc<SetOnce<String>>,
}

/// An event to be stored, and the data needed to publish it afterwards.
#[derive(Debug)]
pub(crate) struct NewEvent {
    pub(crate) game: GameId,
    pub(crate) previous: Link,
    pub(crate) event: GameEvent,
    /// The game in memory and what it will be after the event; `None` if the event creates it.
    pub(crate) live: Option<(Arc<LiveGame>, HostedGame)>,
}

#[derive(Debug)]
struct PendingEvent {
    /// The log of the event, and its number.
    key: (GameId, u64),
    /// The game in memory, the event to add to it, and what it will be then.
    live: Option<(Arc<LiveGame>, GameEvent, HostedGame)>,
    /// The event as it is stored; taken when it is passed to the store.
    entry: Option<LogEntry>,
    link: Link,
    reply: oneshot::Sender<Result<Appended, StoreError>>,
}

/// The task that stores the events of an [`EventQueue`].
pub(crate) struct EventWriter {
    receiver: mpsc::Receiver<PendingEvent>,
    store: Arc<dyn Store>,
    metrics: Arc<Metrics>,
    closing: CancellationToken,
    failure: Arc<SetOnce<String>>,
    flags: Arc<FlagQueue>,
    /// Receives every game in which a player may want a message, if there are messages.
    pushes: Option<mpsc::Sender<Arc<LiveGame>>>,
    /// Receives every game in memory that got an event and in which the server may have to act.
    changed: mpsc::UnboundedSender<Arc<LiveGame>>,
}

impl EventQueue {
    /// Returns a queue of at most `length` events, and the writer that empties it.
    pub(crate) fn new(
        length: usize,
        store: Arc<dyn Store>,
        metrics: Arc<Metrics>,
        flags: Arc<FlagQueue>,
        changed: mpsc::UnboundedSender<Arc<LiveGame>>,
    ) -> (EventQueue, EventWriter) {
        let (sender, receiver) = mpsc::channel(length);
        let queue = EventQueue { sender, closing: CancellationToken::new(), failure: Arc::default() };
        let (closing, failure) = (queue.closing.clone(), Arc::clone(&queue.failure));
        (queue, EventWriter { receiver, store, metrics, closing, failure, flags, pushes: None, changed })
    }

    /// Stores an event, and returns when it is on disk or known not to be.
    pub(crate) async fn append(&self, new: NewEvent) -> Result<(Appended, Link), Failure> {
        let NewEvent { game, previous, event, live } = new;
        let (seq, body) = (event.seq, to_json(&event));
        let (is_clocked, is_public) = (event.is_clocked(), event.is_public());
        let link = previous.after(game, seq, &body);
        let event_in_log = StoredEvent { seq, body, link };
        let entry = LogEntry { game, previous, event: event_in_log, is_clocked, is_public };
        self.append_entry(entry, live.map(|(live, after)| (live, event, after))).await
    }

    /// Stores an event of a tournament, and returns when it is on disk or known not to be.
    pub(crate) async fn append_tournament(
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

impl EventWriter {
    /// Returns a writer that also passes on the games in which a player may want a message.
    pub(crate) fn with_pushes(self, pushes: mpsc::Sender<Arc<LiveGame>>) -> EventWriter {
        EventWriter { pushes: Some(pushes), ..self }
    }

    /// Stores events until the queue is closed and empty, or until the store fails.
    pub(crate) async fn run(mut self) {
        let mut batch = Vec::with_capacity(MAX_BATCH);
        loop {
            let closing = self.closing.clone();
            tokio::select! {
                biased;
                n = self.receiver.recv_many(&mut batch, MAX_BATCH) => if n == 0 { return },
                () = closing.cancelled(), if !self.receiver.is_closed() => { self.receiver.close(); continue }
            }
            if let Err(reason) = self.store(&mut batch).await {
                tracing::error!("{reason}; stopping without replying to clients");
                let _ = self.failure.set(reason);
                return;
            }
        }
    }

    async fn store(&self, batch: &mut Vec<PendingEvent>) -> Result<(), String> {
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
                    if let Some(pushes) = &self.pushes
                        && event.is_news()
                    {
                        // Messages are a courtesy: if too many wait, some are left out.
                        let _ = pushes.try_send(Arc::clone(&live));
                    }
                    if live.needs_server {
                        // The receiver is dropped only while the server stops.
                        let _ = self.changed.send(live);
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
