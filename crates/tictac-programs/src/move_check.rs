//! `move-check`: reads one line and prints the move it says.

use tictac::Rules;
use tictac::notation::LineReader;

use crate::checker::{Checker, Says, Verdict};

/// The program: looks at the first line of its input and ignores the rest.
///
/// ```
/// use tictac_programs::{converse, move_check::MoveCheck};
///
/// assert_eq!(converse(MoveCheck::default(), b"3 x b2 # centre\n").stdout, b"3 X B2\n");
/// assert_eq!(converse(MoveCheck::default(), b"3 x b2# centre\n").ending.status, 1);
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "Move")]
pub struct MoveCheck {
    line: LineReader,
}

impl Default for MoveCheck {
    fn default() -> MoveCheck {
        MoveCheck { line: LineReader::new(&Rules::CLASSIC) }
    }
}

impl Checker for MoveCheck {
    fn hear(&mut self, byte: u8) -> Option<Verdict> {
        if byte == b'\n' {
            return Some(self.end());
        }
        match self.line.push(byte) {
            Err(error) => Some(Verdict::parse_error(1, error)),
            // A comment may be endless; nothing in it matters.
            Ok(()) if self.line.in_comment() => Some(self.end()),
            Ok(()) => None,
        }
    }

    fn end(&mut self) -> Verdict {
        match self.line.finish() {
            Ok(entry) => Verdict::good(Says::Move(entry)),
            Err(error) => Verdict::parse_error(1, error),
        }
    }
}
