//! Pictures of the last position.

use tictac::notation::Picture;

use super::unfit::Unfit;
use super::{Conversion, GameWriter, fen};
use crate::annotated::AnnotatedGame;

pub(super) struct Svg;

/// The largest number of boards in a picture.
const MAX_BOARDS: usize = 1000;

impl GameWriter for Svg {
    fn write(&self, game: &AnnotatedGame, conversion: &Conversion, out: &mut Vec<u8>) -> Result<(), Unfit> {
        fen::check_annotations(game, conversion)?;
        let state = game.last_state();
        if state.n_boards() > MAX_BOARDS {
            let reason = format!("it has more than {MAX_BOARDS} boards");
            return Err(Unfit::new(reason, "json and ttt represent any number of boards"));
        }
        let boards = state.boards().enumerate().map(|(number, board)| (board, state.lines(number)));
        let picture = Picture::of_boards(game.rules.grid(), boards);
        out.extend_from_slice(picture.to_string().as_bytes());
        Ok(())
    }
}
