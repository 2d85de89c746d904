//! What `show` draws: boards, the lines on them, and how it stands in words.

use std::fmt::Write;

use tictac::notation::{Diagram, LineName, Picture, Referee, Style};
use tictac::{Board, Boards, Dead, Goal, Grid, Line, Outcome, Player, Position, Rules, Status};

use crate::paint::Paint;
use crate::state::State;

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
        match state {
            State::One(position) => Scene::of_position(position),
            State::Many(boards) => Scene::of_boards(boards),
        }
    }

    /// Returns what is to be drawn of a record, as far as it has been judged.
    pub(crate) fn of_record(referee: &Referee, rules: &Rules) -> Scene {
        match (referee.position(), referee.boards()) {
            (Some(position), _) => Scene::of_position(position),
            (None, Some(boards)) => Scene::of_boards(boards),
            // Where marks name players, a record without moves does not say who is to move.
            (None, None) if rules.marks_name_players() => {
                Scene { standing: "new game".to_owned(), ..Scene::of_state(&State::start(rules)) }
            }
            (None, None) => Scene::of_state(&State::start(rules)),
        }
    }

    fn of_position(position: &Position) -> Scene {
        let board = DrawnBoard { board: position.board(), lines: position.lines().collect() };
        Scene { grid: position.rules().grid(), boards: vec![board], standing: standing_of_position(position) }
    }

    fn of_boards(boards: &Boards) -> Scene {
        let drawn = boards.boards().iter().map(|&squares| DrawnBoard {
            board: Board::of_x(squares),
            lines: boards.rules().lines().all_in(squares).collect(),
        });
        Scene { grid: boards.rules().grid(), boards: drawn.collect(), standing: standing_of_boards(boards) }
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

fn standing_of_position(position: &Position) -> String {
    let rules = position.rules();
    let state = State::One(*position);
    let name = |player: Player| state.name(player);
    match position.status() {
        Status::ToMove(player) => match position.dead() {
            Some(dead) => format!("{} to move\ndead: {}", name(player), why_dead(dead)),
            None => format!("{} to move", name(player)),
        },
        Status::Over(Outcome::Draw) => "drawn".to_owned(),
        Status::Over(Outcome::Win(player)) => {
            let lines: Vec<String> =
                position.lines().map(|line| LineName { grid: rules.grid(), line }.to_string()).collect();
            match rules.goal() {
                Goal::Complete => format!("{} wins ({})", name(player), lines.join(", ")),
                Goal::Avoid => {
                    format!("{} wins: {} completed {}", name(player), name(!player), lines.join(", "))
                }
            }
        }
    }
}

fn standing_of_boards(boards: &Boards) -> String {
    match (boards.status(), boards.rules().goal()) {
        (Status::ToMove(player), _) => format!("player {player} to move"),
        (Status::Over(Outcome::Draw), _) => "drawn".to_owned(),
        (Status::Over(Outcome::Win(player)), Goal::Complete) => {
            format!("player {player} wins by completing the last line")
        }
        (Status::Over(Outcome::Win(player)), Goal::Avoid) => {
            format!("player {player} wins: player {} completed the last line", !player)
        }
    }
}

fn why_dead(dead: Dead) -> &'static str {
    match dead {
        Dead::EveryLineIsBlocked => "nobody can complete a line any more, for every line holds both marks",
        Dead::TooFewMovesLeft => {
            "nobody can complete a line any more, for every line holds both marks or needs more moves than are left"
        }
    }
}
