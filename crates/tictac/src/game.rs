//! A start and the moves since.

use crate::moves::{IllegalMove, Move};
use crate::playable::Playable;
use crate::position::{Position, Status};

/// A game: a start, and the legal moves made since.
///
/// ```
/// use tictac::{Game, Position, Rules};
///
/// let rules = Rules::CLASSIC;
/// let mut game = Game::new(Position::start(rules));
/// game.play(rules.parse_move("X B2")?)?;
/// assert!(game.play(rules.parse_move("O B2")?).is_err());
/// assert_eq!(game.moves().len(), 1);
/// game.undo();
/// assert_eq!(game.now(), game.start());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game<P = Position> {
    start: P,
    moves: Vec<Move>,
    // Invariant: where `moves` lead from `start`.
    now: P,
}

impl<P: Playable> Game<P> {
    /// Returns a game in which no move has been made.
    pub fn new(start: P) -> Game<P> {
        Game { now: start.clone(), start, moves: Vec::new() }
    }

    /// Where the game began.
    pub const fn start(&self) -> &P {
        &self.start
    }

    /// Where the game is now.
    pub const fn now(&self) -> &P {
        &self.now
    }

    /// The moves made so far, oldest first.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Where the game stands.
    pub fn status(&self) -> Status {
        self.now.status()
    }

    /// Makes a move.
    ///
    /// # Errors
    ///
    /// Returns the first rule that `mv` breaks; then nothing has changed.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.now = self.now.play(mv)?;
        self.moves.push(mv);
        Ok(())
    }

    /// Takes the last move back and returns it, or `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.now = self.after(self.moves.len());
        Some(mv)
    }

    /// Returns where the game was after its first `n_moves`.
    pub fn after(&self, n_moves: usize) -> P {
        self.moves
            .iter()
            .take(n_moves)
            .fold(self.start.clone(), |state, &mv| state.play(mv).expect("the moves of a game are legal"))
    }
}
