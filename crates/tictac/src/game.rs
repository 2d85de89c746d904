//! A game: where it started and the moves played since.

use alloc::vec::Vec;

use crate::moves::{IllegalMove, Move};
use crate::position::Status;
use crate::rules::Rules;
use crate::state::State;

/// A game on one board or several: where it started, the legal moves played since, and where they lead.
///
/// ```
/// use tictac::{Game, Rules};
///
/// let mut game = Game::new(&Rules::CLASSIC);
/// game.play(game.state().parse_move("B2")?)?;
/// assert!(game.play(game.state().parse_move("B2")?).is_err());
/// assert_eq!(game.moves().len(), 1);
/// assert_eq!(game.state().to_string(), ".../.X./... O");
/// game.undo();
/// assert_eq!(game.state(), game.start());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: State,
    moves: Vec<Move>,
    // Invariant: where `moves` lead from `start`.
    state: State,
}

impl Game {
    /// Returns a game of `rules` without moves; where marks name players, X moves first.
    pub fn new(rules: &Rules) -> Game {
        Game::from(State::start(rules))
    }

    /// Returns the rules of the game.
    pub const fn rules(&self) -> &Rules {
        self.start.rules()
    }

    /// Returns the state before the first move.
    pub const fn start(&self) -> &State {
        &self.start
    }

    /// Returns the state after the last move.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Returns the moves played so far, oldest first.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns whose turn it is, or how the game ended.
    pub fn status(&self) -> Status {
        self.state.status()
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// Returns the first rule that `mv` breaks; the game is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.state.play(mv)?;
        self.moves.push(mv);
        Ok(())
    }

    /// Takes back the last move and returns it, or `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.state = self.state_after(self.moves.len());
        Some(mv)
    }

    /// Returns the state after the first `n_moves` moves, or after all of them if there are fewer.
    pub fn state_after(&self, n_moves: usize) -> State {
        let mut state = self.start.clone();
        for &mv in self.moves.iter().take(n_moves) {
            state.play(mv).expect("the moves of a game are legal");
        }
        state
    }
}

impl From<State> for Game {
    /// Returns a game that starts at `start`, which need not be an empty board.
    fn from(start: State) -> Game {
        Game { state: start.clone(), start, moves: Vec::new() }
    }
}
