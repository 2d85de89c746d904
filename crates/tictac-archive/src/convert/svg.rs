//! Pictures of the last position.

use tictac::notation::Picture;

use super::unfit::Unfit;
use super::{Conversion, GameWriter};
use crate::annotated::AnnotatedGame;

/// The notation.
pub(super) struct Svg;

/// How many boards a picture may have; nobody could see more of them.
const MAX_BOARDS: usize = 1000;

impl GameWriter for Svg {
    fn write(&self, game: &AnnotatedGame, conversion: &Conversion, out: &mut Vec<u8>) -> Result<(), Unfit> {
        super::fen::lose_words(game, conversion)?;
        let grid = game.rules.grid();
        let state = game.end_state().expect("a game that was read is legal");
        if state.n_boards() > MAX_BOARDS {
            let what = format!("it has more than {MAX_BOARDS} boards");
            return Err(Unfit::new(what, "json and ttt hold any number of boards"));
        }
        let boards = state.boards().enumerate().map(|(number, board)| (board, state.lines(number)));
        let picture = Picture::of_boards(grid, boards);
        out.extend_from_slice(picture.to_string().as_bytes());
        Ok(())
    }
}
