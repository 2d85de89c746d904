//! Marks that are drawn in a few frames, and completed lines that are swept.

use crate::app::game_view::GameView;

/// The animation of the last move. It only changes how much of the move is drawn, never the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Motion {
    /// Whether moves are animated.
    pub is_on: bool,
    frame: usize,
    n_frames: usize,
    // The number of moves of the game when it was drawn last.
    n_seen: usize,
}

/// The number of frames in which a part of the mark is drawn.
const MARK_FRAMES: usize = 2;

impl Motion {
    /// Starts the animation if a move has been made, and ends it if the position has changed in another way.
    pub(crate) fn follow(&mut self, view: Option<&GameView>) {
        let Some(session) = view.map(|view| &view.session) else { return };
        let n_moves = session.game().moves().len();
        if n_moves == self.n_seen {
            return;
        }
        let is_move = n_moves == self.n_seen + 1;
        self.n_seen = n_moves;
        self.frame = 0;
        let has_line = (0..session.state().n_boards()).any(|board| !session.state().lines(board).is_empty());
        let n_line = if has_line { session.rules().line_length() } else { 0 };
        self.n_frames = if is_move && self.is_on { MARK_FRAMES + n_line } else { 0 };
    }

    /// Goes to the next frame.
    pub(crate) const fn tick(&mut self) {
        self.frame += 1;
    }

    /// Ends the animation, so that it never delays the next move.
    pub(crate) const fn finish(&mut self) {
        self.n_frames = 0;
    }

    /// Returns whether another frame follows.
    pub const fn is_running(&self) -> bool {
        self.frame < self.n_frames
    }

    /// Returns how many of the rows of the last mark are drawn.
    pub(crate) const fn n_mark_rows(&self, n_rows: usize) -> usize {
        if self.is_running() && self.frame < MARK_FRAMES {
            (n_rows * (self.frame + 1)).div_ceil(MARK_FRAMES + 1)
        } else {
            n_rows
        }
    }

    /// Returns how many squares of a completed line are drawn as such.
    pub(crate) const fn n_line_squares(&self) -> usize {
        if self.is_running() { self.frame.saturating_sub(MARK_FRAMES) } else { usize::MAX }
    }
}
