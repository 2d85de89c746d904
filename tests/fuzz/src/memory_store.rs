//! A store that forgets everything with the process, so that an execution does not wait for a disk.

use std::collections::BTreeMap;
use std::future::ready;
use std::sync::{Arc, Mutex, PoisonError};

use tictac_server::event::Link;
use tictac_server::store::{Appended, LogEntry, Store, StoreFuture, StoredEvent};
use tictac_server::token::GameId;

/// The events of all games, and the lists beside them.
#[derive(Debug, Default)]
pub(crate) struct MemoryStore(Mutex<Lists>);

#[derive(Debug, Default)]
struct Lists {
    games: BTreeMap<GameId, Vec<StoredEvent>>,
    clocked: Vec<GameId>,
    public: Vec<GameId>,
    subscriptions: BTreeMap<(GameId, String), String>,
    beat: Option<u64>,
}

impl MemoryStore {
    /// Answers at once with what `look` finds or changes.
    fn answer<T: Send + 'static>(&self, look: impl FnOnce(&mut Lists) -> T) -> StoreFuture<'_, T> {
        let answer = look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
        Box::pin(ready(Ok(answer)))
    }
}

impl Lists {
    fn append(&mut self, entry: &LogEntry) -> Appended {
        let events = self.games.entry(entry.game).or_default();
        let last = events.last().map_or(Link::START, |event| event.link);
        if entry.event.seq != events.len() as u64 || last != entry.previous {
            return Appended::Taken;
        }
        events.push(entry.event.clone());
        if entry.is_clocked {
            self.clocked.push(entry.game);
        }
        if entry.is_public {
            self.public.push(entry.game);
        }
        Appended::Saved
    }
}

impl Store for MemoryStore {
    fn append(&self, entries: Arc<[LogEntry]>) -> StoreFuture<'_, Vec<Appended>> {
        self.answer(|lists| entries.iter().map(|entry| lists.append(entry)).collect())
    }

    fn read(&self, game: GameId, since: u64) -> StoreFuture<'_, Vec<StoredEvent>> {
        self.answer(|lists| {
            let events = lists.games.get(&game).map_or(&[][..], Vec::as_slice);
            events.iter().filter(|event| event.seq >= since).cloned().collect()
        })
    }

    fn games(&self, after: Option<GameId>, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        self.answer(|lists| {
            let games = lists.games.keys().filter(|&&game| after.is_none_or(|after| game > after));
            games.take(limit as usize).copied().collect()
        })
    }

    fn last_events(&self, after: Option<GameId>, limit: u32) -> StoreFuture<'_, Vec<(GameId, StoredEvent)>> {
        self.answer(|lists| {
            let games = lists.games.iter().filter(|&(&game, _)| after.is_none_or(|after| game > after));
            let last = games.filter_map(|(&game, events)| Some((game, events.last()?.clone())));
            last.take(limit as usize).collect()
        })
    }

    fn remove(&self, games: Vec<(GameId, u64)>) -> StoreFuture<'_, u64> {
        self.answer(|lists| {
            let before = lists.games.len();
            lists.games.retain(|game, events| !games.contains(&(*game, events.len() as u64)));
            (before - lists.games.len()) as u64
        })
    }

    fn lengths(&self, games: Vec<GameId>) -> StoreFuture<'_, Vec<(GameId, u64)>> {
        self.answer(|lists| {
            let length = |game| (game, lists.games.get(&game).map_or(0, |events| events.len() as u64));
            games.into_iter().map(length).collect()
        })
    }

    fn clocked(&self) -> StoreFuture<'_, Vec<GameId>> {
        self.answer(|lists| lists.clocked.clone())
    }

    fn forget_clocks(&self, games: Vec<GameId>) -> StoreFuture<'_, ()> {
        self.answer(|lists| lists.clocked.retain(|game| !games.contains(game)))
    }

    fn beat(&self, at: u64) -> StoreFuture<'_, ()> {
        self.answer(|lists| lists.beat = Some(at))
    }

    fn last_beat(&self) -> StoreFuture<'_, Option<u64>> {
        self.answer(|lists| lists.beat)
    }

    fn subscribe(&self, game: GameId, name: String, body: String) -> StoreFuture<'_, ()> {
        self.answer(|lists| {
            lists.subscriptions.insert((game, name), body);
        })
    }

    fn subscriptions(&self, game: GameId) -> StoreFuture<'_, Vec<(String, String)>> {
        self.answer(|lists| {
            let of_game = lists.subscriptions.iter().filter(|((of, _), _)| *of == game);
            of_game.map(|((_, name), body)| (name.clone(), body.clone())).collect()
        })
    }

    fn unsubscribe(&self, game: GameId, name: Option<String>) -> StoreFuture<'_, ()> {
        self.answer(|lists| {
            lists
                .subscriptions
                .retain(|(of, known), _| *of != game || name.as_ref().is_some_and(|name| name != known));
        })
    }

    fn public_games(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        self.answer(|lists| lists.public.iter().take(limit as usize).copied().collect())
    }

    fn unlist(&self, games: Vec<GameId>) -> StoreFuture<'_, ()> {
        self.answer(|lists| lists.public.retain(|game| !games.contains(game)))
    }

    fn listed(&self, limit: u32) -> StoreFuture<'_, Vec<GameId>> {
        self.public_games(limit)
    }

    fn ready(&self) -> StoreFuture<'_, ()> {
        self.answer(|_| ())
    }
}
