//! What `show` draws: boards, the lines on them, and how it stands in words.

use std::fmt::Write;

use tictac::notation::{Diagram, Picture, Referee, Style};
use tictac::{Board, Grid, Line, Rules, State, Status};

use crate::paint::Paint;

/// Boards, and how it stands.
pub(crate) struct Scene {
    grid: Grid,
    boards: Vec<DrawnBoard>,
    standing: String,
}

struct DrawnBoard {
    board: Board,
    lines: Vec<Line>,
}

impl Scene {
    /// Returns what is to be drawn of a state of play.
    pub(crate) fn of_state(state: &State) -> Scene {
        let drawn = state
            .boards()
            .enumerate()
            .map(|(number, board)| DrawnBoard { board, lines: state.lines(number) });
        let standing = match (state.status(), state.dead()) {
            (Status::ToMove(_), Some(dead)) => format!("{}\ndead: {dead}", state.status_line()),
            _ => state.status_line(),
        };
        Scene { grid: state.rules().grid(), boards: drawn.collect(), standing }
    }

    /// Returns what is to be drawn of a record, as far as it has been judged.
    pub(crate) fn of_record(referee: &Referee, rules: &Rules) -> Scene {
        match referee.state() {
            Some(state) => Scene::of_state(state),
            // Where marks name players, a record without moves does not say who is to move.
            None if rules.marks_name_players() => {
                Scene { standing: "new game".to_owned(), ..Scene::of_state(&State::start(rules)) }
            }
            None => Scene::of_state(&State::start(rules)),
        }
    }

    /// Returns the boards drawn with characters, one under the other; several have headings.
    pub(crate) fn diagram(&self, style: Style, paint: Paint) -> String {
        let mut text = String::new();
        for (number, drawn) in (1..).zip(&self.boards) {
            if self.boards.len() > 1 {
                let gap = if number > 1 { "\n" } else { "" };
                let finished = if drawn.lines.is_empty() { "" } else { " (finished)" };
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{gap}Board {number}{finished}");
            }
            text += &paint.diagram(&Diagram::new(self.grid, drawn.board, style).to_string());
        }
        text
    }

    /// Returns the boards as a picture.
    pub(crate) fn picture(&self) -> Picture {
        Picture::of_boards(self.grid, self.boards.iter().map(|drawn| (drawn.board, drawn.lines.clone())))
    }

    /// How it stands, in one line; in two where the position is dead.
    pub(crate) fn standing(&self) -> &str {
        &self.standing
    }
}
