//! The unfinished game in line mode.

use std::io::{self, Write};
use std::mem;

use super::LineMode;
use crate::app::game_view::GameCount;
use crate::history::GameResult;
use crate::kept_game;
use crate::session::{GameSession, NextTurn};
use crate::words::capitalized;

impl LineMode<'_> {
    /// Offers the unfinished game of an earlier run.
    pub(super) fn write_kept_game(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.options.kept_game {
            Some(kept) => {
                let game = capitalized(&kept_game::description(&kept.session));
                writeln!(out, "Unfinished game: {game}. Type resume to continue it.")
            }
            None => Ok(()),
        }
    }

    /// Continues the unfinished game of an earlier run.
    pub(super) fn resume(&mut self, out: &mut impl Write) -> io::Result<()> {
        let Some(kept) = &self.options.kept_game else {
            return writeln!(out, "There is no unfinished game.");
        };
        self.set_game(kept.session.clone());
        (self.count, self.adapts) = (kept.count, kept.adapts);
        self.write_game(out)
    }

    /// Goes to another game, which counts on its own and is neither a lesson nor a record.
    pub(super) fn set_game(&mut self, session: GameSession) {
        (self.session, self.count, self.adapts) = (session, GameCount::default(), false);
        (self.lesson, self.source, self.has_announced_draw) = (None, None, false);
    }

    /// Adds the game to the history once it is over.
    pub(super) fn count_game(&mut self) {
        let is_over = matches!(self.session.turn(), NextTurn::Over(_));
        let is_whole = self.session.game().start().n_moves() == 0 && self.source.is_none();
        if let Some(folder) =
            self.options.folder.as_ref().filter(|_| is_over && is_whole && !self.count.is_done)
            && let Some(result) = GameResult::of(&self.session, self.count.has_help, 0)
        {
            // A game that cannot be remembered was still played.
            let _ = folder.add_result(result);
        }
        self.count.is_done |= is_over;
    }

    /// Keeps the game for the next run, or forgets it once it is over. A game in which only the computer has moved
    /// does not replace an older one.
    pub(super) fn keep_game(&mut self) {
        let is_new = !self.session.has_move_of_person();
        let is_replay =
            self.source.as_ref().is_some_and(|source| source.game.moves() == self.session.known_moves());
        let count = GameCount { is_done: self.count.is_done || self.source.is_some(), ..self.count };
        let text = kept_game::text(&self.session, count, self.adapts);
        if is_new || is_replay || self.lesson.is_some() || text == self.kept {
            return;
        }
        let before = mem::replace(&mut self.kept, text);
        if let Some(folder) = &self.options.folder {
            // A game that cannot be kept can still be played.
            let _ = match (&self.kept, before) {
                (Some(text), _) => folder.keep_game(text),
                (None, Some(before)) => folder.forget_game(&before),
                (None, None) => Ok(()),
            };
        }
    }
}
