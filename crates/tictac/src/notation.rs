//! The text forms of squares, moves, records, positions and rules, and of errors in them.
//!
//! Text is parsed in two steps: bytes become an [`Entry`] or a [`Record`], which is well formed, and then a
//! [`Game`](crate::Game), which is legal. A syntax error is a [`ParseError`], and an illegal move is an
//! [`IllegalMove`](crate::IllegalMove); a [`Fault`] describes either with a code, a message and help.
//!
//! Only this module counts rows and columns from one. **The letter is the row, with A at the top, and the digit is the
//! column**, as in the course's records. Chess and gomoku do it the other way round.
//!
//! ```
//! use tictac::notation::Record;
//! use tictac::{Outcome, Player, Rules, Status};
//!
//! let text = "1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n";
//! let record = Record::parse(text, &Rules::CLASSIC)?;
//! let game = record.game()?;
//! assert_eq!(game.status(), Status::Over(Outcome::Win(Player::First)));
//!
//! let error = Record::parse("1 X B4\n", &Rules::CLASSIC).unwrap_err();
//! assert_eq!(error.to_string(), "line 1, column 6: expected a column number from 1 to 3, found '4'");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// Displays each variant of an enum as a fixed text.
macro_rules! display_names {
    ($type:ident { $($variant:ident => $name:literal),* $(,)? }) => {
        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(match self { $($type::$variant => $name,)* })
            }
        }
    };
}

mod code;
mod diagram;
mod fault;
mod move_text;
mod near_miss;
mod parse_error;
mod picture;
mod position_text;
mod record;
mod record_line;
mod referee;
mod rules_text;
mod state_text;

pub use code::Code;
pub use diagram::{Diagram, Style};
pub use fault::Fault;
pub use move_text::{SquareName, WrittenMove};
#[doc(hidden)]
pub use near_miss::nearest;
pub use parse_error::{Expected, Found, ParseError};
pub use picture::Picture;
pub use position_text::PositionError;
pub use record::{EntryError, GameTextError, Record, RecordError, RecordReader};
pub use record_line::{Entry, LineReader, is_blank};
pub use referee::Referee;
pub use rules_text::RulesError;
