//! The dialect of an output: who begins, which boards are drawn, and who is named.
//!
//! A program may deviate from the document in one respect throughout, such as that O begins. The deviation is one fault of
//! one requirement. To judge everything else, the expected output is translated into the dialect of the program.

use tictac::{Board, Mark};

use super::Behaviour;
use super::parsed_output::{OutputEvent, ParsedOutput};
use super::player_names::PlayerNames;
use super::topics::line_topic;
use crate::assignment::{Assignment, CourseProgram};

/// How an output deviates from the expected one throughout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OutputDialect {
    /// Whether the players are asked in the other order.
    has_other_turns: bool,
    /// Whether the players write each other's marks; `None` if the output has no board with a mark.
    has_other_marks: Option<bool>,
    boards: DrawnBoards,
    /// Whether prompts do not name the player to move.
    has_unnamed_turns: bool,
    /// Whether the result does not name the winner.
    has_unnamed_winner: bool,
}

/// Which boards of a game are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DrawnBoards {
    #[default]
    All,
    /// All but the one after the last move.
    NotLast,
    /// Only the one at the start.
    First,
    /// None, or none that can be read.
    None,
}

/// One deviation, and the short id of the requirement that it breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Deviation {
    pub(super) about: &'static str,
    pub(super) behaviour: Behaviour,
}

impl OutputDialect {
    /// Returns the dialect of an actual output, given the expected one.
    pub(super) fn of(wanted: &ParsedOutput, actual: &ParsedOutput) -> OutputDialect {
        let first_turn = |output: &ParsedOutput| output.events.iter().find(|event| event.is_turn()).copied();
        let differ =
            |one: Option<OutputEvent>, two: Option<OutputEvent>| one.is_some() && two.is_some() && one != two;
        OutputDialect {
            has_other_turns: differ(first_turn(wanted), first_turn(actual)),
            has_other_marks: first_mark(wanted).and_then(|mark| Some(mark != first_mark(actual)?)),
            boards: DrawnBoards::of(wanted, actual),
            has_unnamed_turns: first_turn(actual).is_none(),
            has_unnamed_winner: actual.events.contains(&OutputEvent::Win(None)),
        }
    }

    /// Returns whether an output in this dialect does not deviate.
    pub(super) fn is_plain(self) -> bool {
        let has_other_marks = self.has_other_marks.filter(|&is_other| is_other);
        OutputDialect { has_other_marks, ..self } == OutputDialect::default()
    }

    /// Returns an expected output as it would be in this dialect.
    pub(super) fn translate(self, wanted: &ParsedOutput) -> ParsedOutput {
        let mut translated =
            ParsedOutput { events: Vec::new(), texts: vec![wanted.texts[0].clone()], ..wanted.clone() };
        for (index, &event) in wanted.events.iter().enumerate() {
            if let Some(event) =
                self.translated(event, wanted.names).filter(|_| self.has_event(wanted, index))
            {
                translated.add(event);
            }
            let lines = translated.texts.last_mut().expect("there is always a last group of lines");
            lines.extend(wanted.texts[index + 1].iter().cloned());
        }
        translated
    }

    fn has_event(self, wanted: &ParsedOutput, index: usize) -> bool {
        if !wanted.events[index].is_board() {
            return true;
        }
        match self.boards {
            DrawnBoards::All => true,
            DrawnBoards::NotLast => !is_last_board(wanted, index),
            DrawnBoards::First => index == 0,
            DrawnBoards::None => false,
        }
    }

    fn translated(self, event: OutputEvent, names: PlayerNames) -> Option<OutputEvent> {
        // A winner is named by a mark if the players have different ones.
        let has_other_winner =
            if names.are_numbers() { self.has_other_turns } else { self.has_other_marks == Some(true) };
        Some(match event {
            OutputEvent::Board(board) if self.has_other_marks == Some(true) => OutputEvent::Board(
                Board::new(board.squares(Mark::O), board.squares(Mark::X)).expect("no square has two marks"),
            ),
            OutputEvent::Turn(_) if self.has_unnamed_turns => return None,
            OutputEvent::Turn(player) if self.has_other_turns => OutputEvent::Turn(!player),
            OutputEvent::Win(_) if self.has_unnamed_winner => OutputEvent::Win(None),
            OutputEvent::Win(player) if has_other_winner => OutputEvent::Win(player.map(|player| !player)),
            event => event,
        })
    }

    /// Returns the deviations from the expected output, with the requirements that they break.
    pub(super) fn deviations(self, assignment: Assignment, wanted: &ParsedOutput) -> Vec<Deviation> {
        let mut found = Vec::new();
        let mut add = |has: bool, about, actual: &str| {
            if has {
                found.push(Deviation { about, behaviour: Behaviour::new(actual) });
            }
        };
        let first = if assignment == CourseProgram::Notakto { "Player 1" } else { "X" };
        let placement = if assignment == CourseProgram::Lab3 { "coordinates" } else { "placement" };
        let last_board = if assignment == CourseProgram::Notakto { "ending" } else { "board" };
        let has_own_marks = self.has_other_marks == Some(false) && assignment != CourseProgram::Notakto;
        let is_swapped = self.has_other_turns && !has_own_marks;
        add(is_swapped, "turns", &format!("does not let {first} begin"));
        add(self.has_other_turns && !is_swapped, "turns", "names the other player in the prompts");
        add(
            self.has_other_marks == Some(true) && !is_swapped,
            placement,
            "writes the mark of the other player",
        );
        add(self.boards == DrawnBoards::NotLast, last_board, "does not draw the last board");
        add(self.boards == DrawnBoards::First, "board", "draws the board only at the start");
        add(self.boards == DrawnBoards::None, "board", "draws no board that can be read");
        add(self.has_unnamed_turns, "turns", "does not name the player to move");
        add(self.has_unnamed_winner, winner_topic(assignment, wanted), "does not name the winner");
        found
    }
}

impl DrawnBoards {
    fn of(wanted: &ParsedOutput, actual: &ParsedOutput) -> DrawnBoards {
        let n_boards = |output: &ParsedOutput| output.events.iter().filter(|event| event.is_board()).count();
        let (n_wanted, n_actual) = (n_boards(wanted), n_boards(actual));
        let lacks_last =
            (0..wanted.events.len()).any(|index| is_last_board(wanted, index)) && n_actual + 1 == n_wanted;
        match n_actual {
            0 if n_wanted > 0 => DrawnBoards::None,
            1 if n_wanted > 2 => DrawnBoards::First,
            _ if lacks_last => DrawnBoards::NotLast,
            _ => DrawnBoards::All,
        }
    }
}

/// Returns whether an event is the board after the move that ends the game.
fn is_last_board(output: &ParsedOutput, index: usize) -> bool {
    let is_end = matches!(output.events.get(index + 1), Some(OutputEvent::Win(_) | OutputEvent::Draw));
    output.events[index].is_board() && is_end
}

/// Returns the mark on the first board that has exactly one.
fn first_mark(output: &ParsedOutput) -> Option<Mark> {
    output.events.iter().find_map(|event| {
        let OutputEvent::Board(board) = event else { return None };
        match (board.squares(Mark::X).len(), board.squares(Mark::O).len()) {
            (1, 0) => Some(Mark::X),
            (0, 1) => Some(Mark::O),
            _ => None,
        }
    })
}

fn winner_topic(assignment: Assignment, wanted: &ParsedOutput) -> &'static str {
    match assignment.course() {
        Some(CourseProgram::Tictactoe) => "via",
        Some(CourseProgram::Notakto) => "winner",
        _ => {
            let board = wanted.board_before(wanted.events.len());
            let direction = board.and_then(super::difference::winning_direction);
            line_topic(assignment.course(), direction.unwrap_or(tictac::Direction::Row))
        }
    }
}

/// Returns the deviations that an output shows by itself: its tokens, its numbers and how it draws boards.
pub(super) fn own_deviations(assignment: Assignment, actual: &ParsedOutput) -> Vec<Deviation> {
    let mut found = Vec::new();
    let names = actual.names;
    if names.has_unseen_token() {
        let behaviour = Behaviour::new("uses a token that cannot be seen");
        found.push(Deviation { about: "board", behaviour });
    } else if !names.has_usual_tokens() {
        let about = match assignment.course() {
            Some(CourseProgram::Tictactoe) => "tokens",
            _ => "placement",
        };
        let behaviour = Behaviour::new(format!("uses the tokens {}", names.tokens_text()));
        found.push(Deviation { about, behaviour });
    }
    if !names.has_usual_numbers() {
        found.push(Deviation { about: "turns", behaviour: Behaviour::new("numbers the players from 0") });
    }
    if !actual.has_labels {
        let behaviour = Behaviour::new("draws boards without the right row and column numbers");
        found.push(Deviation { about: "board", behaviour });
    }
    found
}
