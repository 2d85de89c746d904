//! Follows a game on a server on its own thread.

use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use super::OnlineEvent;
use super::client::{ApiClient, ApiError};

/// The shortest time between two requests that wait for an event.
const PAUSE: Duration = Duration::from_secs(1);
/// The longest time between two attempts to reach the server again.
const MAX_PAUSE: Duration = Duration::from_secs(8);

/// Reports every event from the number `seq` on, and those of the rematches, until the receiver is dropped.
pub(super) fn follow(client: ApiClient, seq: u64, events: Sender<OnlineEvent>) {
    // Nothing waits for the thread: a request may take as long as the server holds it.
    thread::spawn(move || Follower { client, seq, events, pause: None }.run());
}

struct Follower {
    client: ApiClient,
    seq: u64,
    events: Sender<OnlineEvent>,
    // How long to wait before the next attempt; `None` while the server answers.
    pause: Option<Duration>,
}

impl Follower {
    fn run(mut self) {
        while let Some(event) = self.next_event() {
            if self.events.send(event).is_err() {
                return;
            }
        }
    }

    /// Waits for an event; returns `None` if there cannot be another one.
    fn next_event(&mut self) -> Option<OnlineEvent> {
        loop {
            let start = Instant::now();
            match self.client.wait_for_event(self.seq) {
                Ok(update) => {
                    let was_lost = self.pause.take().is_some();
                    let is_news = was_lost || update.seq != self.seq;
                    self.seq = update.seq;
                    if let Some(next) = &update.state.next {
                        (self.client.game, self.seq) = (next.clone(), 0);
                    }
                    if is_news {
                        return Some(OnlineEvent::Update(Box::new(update)));
                    }
                    // A server that answers at once instead of waiting is asked at most once per pause.
                    thread::sleep(PAUSE.saturating_sub(start.elapsed()));
                }
                Err(ApiError::Unreachable(reason)) => {
                    let pause = self.pause;
                    self.pause = Some(pause.map_or(PAUSE / 5, |pause| (pause * 2).min(MAX_PAUSE)));
                    match pause {
                        None => return Some(OnlineEvent::Lost(reason)),
                        Some(pause) => thread::sleep(pause),
                    }
                }
                Err(error) => return Some(OnlineEvent::Failed(error)),
            }
        }
    }
}
