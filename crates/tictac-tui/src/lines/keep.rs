//! The unfinished game in line mode.

use std::io::{self, Write};
use std::mem;

use super::LineMode;
use crate::history::GameResult;
use crate::kept_game;
use crate::session::NextTurn;
use crate::words::capitalized;

impl LineMode<'_> {
    /// Offers the unfinished game of an earlier run.
    pub(super) fn write_kept_game(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.options.kept_game {
            Some(kept) => {
                let game = capitalized(&kept_game::description(kept));
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
        self.session = kept.clone();
        (self.lesson, self.source, self.has_announced_draw) = (None, None, false);
        self.write_game(out)
    }

    /// Adds the game to the history once it is over.
    pub(super) fn count_game(&mut self) {
        let is_over = matches!(self.session.turn(), NextTurn::Over(_));
        let is_whole = self.session.game().start().n_moves() == 0 && self.source.is_none();
        self.has_help &= !self.session.game().moves().is_empty();
        if let Some(folder) = self.options.folder.as_ref().filter(|_| is_over && is_whole && !self.is_counted)
            && let Some(result) = GameResult::of(&self.session, self.has_help, 0)
        {
            // A game that cannot be remembered was still played.
            let _ = folder.add_result(result);
        }
        self.is_counted = is_over;
    }

    /// Keeps the game for the next run, or forgets it once it is over. A game in which only the computer has moved
    /// replaces none.
    pub(super) fn keep_game(&mut self) {
        let is_new = !self.session.has_move_of_person();
        let is_replay =
            self.source.as_ref().is_some_and(|source| source.game.moves() == self.session.known_moves());
        let text = kept_game::text(&self.session);
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
