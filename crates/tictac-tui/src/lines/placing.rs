//! Moves as they are typed in line mode.

use std::io::{self, Write};

use tictac::{Mark, Move};

use super::{Lines, capital};

impl Lines<'_> {
    pub(super) fn place(&mut self, text: &str, out: &mut impl Write) -> io::Result<()> {
        let mv = match self.read_move(text) {
            Ok(mv) => mv,
            Err(reason) => return writeln!(out, "{reason}"),
        };
        if let Some((_, lesson)) = self.lesson {
            return self.attempt(lesson, mv, out);
        }
        let name = capital(&self.session.state().name(self.session.state().next_player()));
        match self.session.play(mv) {
            Ok(()) => {
                writeln!(out, "{name} plays {}.", self.session.name(mv))?;
                self.say_how_it_stands(out)
            }
            Err(refusal) => writeln!(out, "{}.", capital(&refusal.to_string())),
        }
    }

    /// Reads a square, with its mark where there is a choice, or the number of a square of a small board.
    fn read_move(&self, text: &str) -> Result<Move, String> {
        let rules = self.session.rules();
        let grid = rules.grid();
        let number = text.parse::<usize>().ok().filter(|_| rules.n_boards() == 1 && grid.len() <= 9);
        let by_number = number.and_then(|number| {
            let place = number.checked_sub(1)?;
            grid.square(place / grid.columns(), place % grid.columns())
        });
        let mark = self.session.only_mark();
        if let (Some(square), Some(mark)) = (by_number, mark) {
            return Ok(Move::new(square, mark));
        }
        let read = match mark {
            // Whoever writes the mark as well, as in a record, means the same.
            Some(mark) => rules.parse_square(text, mark).or_else(|error| {
                rules.parse_move(text).map_err(|other| if other.at > error.at { other } else { error })
            }),
            None => rules.parse_move(text),
        };
        let example = match (rules.n_boards(), mark) {
            (2.., _) => "2.B2",
            (_, Some(Mark::X | Mark::O)) => "B2",
            (_, None) => "X B2",
        };
        read.map_err(|error| format!("Not understood: {error}. Type a square such as {example}, or help."))
    }
}
