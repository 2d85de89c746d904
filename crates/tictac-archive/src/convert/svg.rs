//! Pictures of the last position.

use tictac::notation::Picture;

use super::unfit::Unfit;
use super::{Conversion, fen};
use crate::annotated::AnnotatedGame;

const MAX_BOARDS: usize = 1000;

pub(super) fn write(game: &AnnotatedGame, conversion: &Conversion) -> Result<Vec<u8>, Unfit> {
    fen::check_annotations(game, conversion)?;
    let state = game.last_state();
    if state.n_boards() > MAX_BOARDS {
        let reason = format!("it has more than {MAX_BOARDS} boards");
        return Err(Unfit::new(reason, "json and ttt represent any number of boards"));
    }
    Ok(Picture::new(&game.rules, state.boards()).to_string().into_bytes())
}
