//! Pictures of the last position.

use tictac::Board;
use tictac::notation::Picture;

use super::unfit::Unfit;
use super::{Conversion, GameWriter};
use crate::annotated::{AnnotatedGame, Standing};

/// The notation.
pub(super) struct Svg;

/// How many boards a picture may have; nobody could see more of them.
const MAX_BOARDS: usize = 1000;

impl GameWriter for Svg {
    fn write(&self, game: &AnnotatedGame, conversion: &Conversion, out: &mut Vec<u8>) -> Result<(), Unfit> {
        super::fen::lose_words(game, conversion)?;
        let grid = game.rules.grid();
        let picture = match game.standing().expect("a game that was read is legal") {
            Standing::One(position) => Picture::new(grid, position.board(), position.lines()),
            Standing::Many(boards) if boards.boards().len() > MAX_BOARDS => {
                let what = format!("it has more than {MAX_BOARDS} boards");
                return Err(Unfit::new(what, "json and ttt hold any number of boards"));
            }
            Standing::Many(boards) => Picture::of_boards(
                grid,
                boards
                    .boards()
                    .iter()
                    .map(|&set| (Board::of_x(set), game.rules.lines().all_in(set).collect())),
            ),
        };
        out.extend_from_slice(picture.to_string().as_bytes());
        Ok(())
    }
}
