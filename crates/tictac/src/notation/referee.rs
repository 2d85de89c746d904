//! Judging a record line by line, without keeping it.

use super::record_line::Entry;
use crate::moves::IllegalMove;
use crate::notakto::Boards;
use crate::playable::Playable;
use crate::position::{Position, Status};
use crate::rules::{Marks, Rules};

/// Follows the record of one game: says of each entry whether it is legal, and where the game stands.
///
/// With one board it allocates nothing.
#[derive(Clone, Debug)]
pub struct Referee {
    rules: Rules,
    n_accepted: u32,
    scene: Scene,
}

#[derive(Clone, Debug)]
enum Scene {
    /// No move has been made: the first one tells who opened.
    NewGame,
    One(Position),
    Many(Boards),
}

impl Referee {
    /// Returns a referee for a game of `rules` in which no move has been made.
    pub const fn new(rules: &Rules) -> Referee {
        Referee { rules: *rules, n_accepted: 0, scene: Scene::NewGame }
    }

    /// Judges the next entry, and makes its move if it is legal.
    ///
    /// # Errors
    ///
    /// Returns the first rule that it breaks, in the order of [`IllegalMove`]; then nothing has changed.
    pub fn judge(&mut self, entry: Entry) -> Result<(), IllegalMove> {
        let number = self.n_accepted + 1;
        match &mut self.scene {
            Scene::NewGame => self.scene = self.opening(number, entry)?,
            Scene::One(position) => *position = judge(position, number, entry)?,
            // In place: copying a million boards for every move would take longer than anybody waits.
            Scene::Many(boards) => {
                check_number(boards.status(), number, entry)?;
                boards.make(entry.mv)?;
            }
        }
        self.n_accepted = number;
        Ok(())
    }

    /// Returns the scene after the first entry; it tells who opened.
    fn opening(&self, number: u32, entry: Entry) -> Result<Scene, IllegalMove> {
        Ok(match self.several_boards() {
            Some(boards) => Scene::Many(judge(&boards, number, entry)?),
            None => Scene::One(judge(&Position::start_with(self.rules, entry.mv.mark), number, entry)?),
        })
    }

    /// How many entries have been accepted.
    pub const fn n_accepted(&self) -> u32 {
        self.n_accepted
    }

    /// Where the game stands, or `None` where no move has been made and so nobody knows who opens.
    pub fn status(&self) -> Option<Status> {
        match &self.scene {
            Scene::NewGame => None,
            Scene::One(position) => Some(position.status()),
            Scene::Many(boards) => Some(boards.status()),
        }
    }

    /// The position, once a move has been made on one board.
    pub const fn position(&self) -> Option<&Position> {
        match &self.scene {
            Scene::One(position) => Some(position),
            Scene::NewGame | Scene::Many(_) => None,
        }
    }

    /// The boards, once a move has been made on several.
    pub const fn boards(&self) -> Option<&Boards> {
        match &self.scene {
            Scene::Many(boards) => Some(boards),
            Scene::NewGame | Scene::One(_) => None,
        }
    }

    fn several_boards(&self) -> Option<Boards> {
        let several = self.rules.n_boards() > 1 && self.rules.marks() == Marks::OnlyX;
        if several { Boards::start(self.rules) } else { None }
    }
}

/// Returns the state after `entry`, which should be move `number` of the game.
pub(super) fn judge<P: Playable>(state: &P, number: u32, entry: Entry) -> Result<P, IllegalMove> {
    check_number(state.status(), number, entry)?;
    state.play(entry.mv)
}

/// After the end of a game no number is right, and that it is over is the better answer.
fn check_number(status: Status, expected: u32, entry: Entry) -> Result<(), IllegalMove> {
    match status {
        Status::ToMove(_) if entry.number != expected => {
            Err(IllegalMove::WrongNumber { expected, found: entry.number })
        }
        _ => Ok(()),
    }
}
