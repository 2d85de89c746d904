//! Finds where two game outputs first differ, and which requirement that is about.

use tictac::{Board, Direction, Line, Mark, Rules};

use super::parsed_output::{OutputEvent, OutputLine, ParsedOutput};
use super::required_text::{
    RequiredText, TextPattern, is_instruction, is_met, is_prompt, lab3_text, required_texts,
};
use super::topics::line_topic;
use super::{Attempt, Behaviour, KnownFaults, Mismatch};
use crate::assignment::Assignment;
use crate::case::Case;
use crate::requirement::{Requirement, RequirementKind};
use crate::run::RunOutput;

/// The first difference between the actual output and an expected one.
#[derive(Clone, Debug)]
pub(super) struct Difference {
    /// How far the outputs agree: twice the number of equal events, plus one if only the text after them differs.
    pub(super) place: usize,
    /// The short id of the requirement to blame.
    about: &'static str,
    behaviour: Behaviour,
}

impl Difference {
    pub(super) fn into_mismatch(self, attempt: Attempt<'_>, wanted: &ParsedOutput) -> Mismatch {
        let Attempt { assignment, case, output, .. } = attempt;
        // In Notakto one message serves two requirements; the case tells which of them it tests.
        let about = match (self.about, case.about.short_id()) {
            ("invalid", "taken") => "taken",
            (about, _) => about,
        };
        let mut suspects: Vec<&'static Requirement> = vec![assignment.requirement(about)];
        let has_missing_events = !output.exit.is_clean() || self.place / 2 < wanted.events.len();
        // A case that tests more than the plain game is suspected before the plain game.
        if case.about.kind != RequirementKind::Required && has_missing_events {
            suspects.insert(0, case.about);
        }
        let behaviour =
            if output.exit.is_clean() { self.behaviour } else { Behaviour::new(output.exit.to_string()) };
        Mismatch { suspects, behaviour }
    }
}

/// A correct output and the actual one, which are compared event by event.
#[derive(Clone, Copy)]
pub(super) struct OutputPair<'a> {
    pub(super) assignment: Assignment,
    pub(super) wanted: &'a ParsedOutput,
    pub(super) actual: &'a ParsedOutput,
}

impl OutputPair<'_> {
    /// Returns where the outputs first differ, or `None` if they mean the same.
    ///
    /// Missing messages that are already known are reported only if nothing else is wrong. Otherwise one missing message
    /// at the start would hide everything after it.
    pub(super) fn first_difference(self, known: &KnownFaults) -> Option<Difference> {
        let n_events = self.wanted.events.len();
        let is_known = |text: &RequiredText| known.is_broken(self.assignment.requirement(text.about).id);
        let find = |counts: &dyn Fn(&RequiredText) -> bool| {
            (0..=n_events).find_map(|index| self.difference_at(index, counts))
        };
        let lacks_labels = self.assignment == Assignment::Tictactoe && !self.actual.has_labels;
        let unlabelled = || {
            let behaviour = Behaviour::new("draws boards without row and column numbers");
            lacks_labels.then_some(Difference { place: n_events * 2 + 1, about: "board", behaviour })
        };
        find(&|text| !is_known(text)).or_else(|| find(&|_| true)).or_else(unlabelled)
    }

    fn difference_at(self, index: usize, counts: &dyn Fn(&RequiredText) -> bool) -> Option<Difference> {
        let OutputPair { assignment, wanted, actual } = self;
        let required = required_texts(assignment, wanted, index);
        let lines = lines_at(actual, index);
        if wanted.events.get(index) != actual.events.get(index) {
            return Some(Difference {
                place: index * 2,
                about: self.about_event(index, &required),
                behaviour: self.event_behaviour(index),
            });
        }
        let is_missing = |text: &&RequiredText| match text.about {
            // Instructions may come before the first board.
            "opening" => !actual.texts[..=index].concat().iter().any(is_instruction),
            // A player who completes two lines at once wins by either.
            "via" => !required.iter().any(|text| text.about == "via" && is_met(text, &required, lines)),
            _ => !is_met(text, &required, lines),
        };
        let missing = required.iter().filter(|text| counts(text)).find(is_missing);
        let about = match missing {
            Some(text) => text.about,
            None if self.prompts_after_quit(index, &required) => "quit",
            None => return None,
        };
        Some(Difference { place: index * 2 + 1, about, behaviour: Behaviour::new(text_behaviour(about)) })
    }

    /// Returns whether a program asks once more after `quit`, because it did not understand it.
    fn prompts_after_quit(self, index: usize, required: &[RequiredText]) -> bool {
        let is_quit =
            self.assignment == Assignment::Lab3 && self.wanted.events.get(index) == Some(&OutputEvent::Quit);
        let n_wanted = required.iter().filter(|text| text.pattern == TextPattern::Prompt).count();
        let lines = lines_at(self.actual, index);
        is_quit && lines.iter().filter(|line| is_prompt(&line.text.to_lowercase())).count() > n_wanted
    }

    /// Returns the requirement to blame if the events differ: that of a move that was refused, or must be, or that of
    /// the event.
    fn about_event(self, index: usize, required: &[RequiredText]) -> &'static str {
        if index > 0 && self.refuses_more(index) {
            return match self.assignment {
                Assignment::Lab3 => "bounds",
                _ => "placement",
            };
        }
        if self.wanted.events.is_empty() {
            // Only wrong arguments have an expected output without a board.
            return "arguments";
        }
        let is_refusal = |text: &&RequiredText| {
            text.pattern.is_absent()
                || matches!(text.about, "range" | "taken" | "bounds" | "invalid" | "not-a-number")
        };
        let refusal = required.iter().rev().find(is_refusal).map(|text| text.about);
        let is_other_player = matches!(self.actual.events.get(index), Some(OutputEvent::Turn(_)));
        match (refusal, self.assignment) {
            (Some("range" | "taken"), Assignment::Tictactoe) if is_other_player => "turn-kept",
            (Some(refusal), _) => refusal,
            (None, _) => self.event_topic(index),
        }
    }

    /// Returns whether a program refuses a valid move: it prints more messages where the expected output has a new
    /// board.
    fn refuses_more(self, index: usize) -> bool {
        let n_messages = |output: &ParsedOutput| {
            let is_message = |line: &&OutputLine| !line.is_event && !is_prompt(&line.text.to_lowercase());
            lines_at(output, index).iter().filter(is_message).count()
        };
        // Next comes the end of the output, or a later move instead of the refused one.
        matches!(self.actual.events.get(index), None | Some(OutputEvent::Board(_)))
            && matches!(self.wanted.events.get(index), Some(OutputEvent::Board(_)))
            && n_messages(self.actual) > n_messages(self.wanted)
    }

    fn event_behaviour(self, index: usize) -> Behaviour {
        match (self.actual.events.get(index), self.wanted.events.get(index)) {
            (Some(OutputEvent::Board(_)), Some(OutputEvent::Board(_))) => {
                Behaviour::new("draws a board that does not match the moves")
            }
            (found, expected) => Behaviour::new(event_name(found)).instead_of(event_name(expected)),
        }
    }

    /// Returns the requirement on the expected event.
    fn event_topic(self, index: usize) -> &'static str {
        use Assignment::{Lab3, Notakto, Tictactoe};
        use OutputEvent::{Board, Draw, Quit, Turn, Win};

        let OutputPair { assignment, wanted, actual } = self;
        let board = wanted.board_before(index + 1);
        let is_last_board = index + 2 >= wanted.events.len();
        let about_line =
            |direction: Option<Direction>| line_topic(assignment, direction.unwrap_or(Direction::Row));
        match (wanted.events.get(index), actual.events.get(index), assignment) {
            (Some(Board(_)), Some(Board(_)), Lab3) => "coordinates",
            (Some(Board(_)), Some(Board(_)), _) => "placement",
            (Some(Board(_)), Some(Win(_) | Draw), Notakto) if is_last_board => "ending",
            (Some(Board(_)), _, _) => "board",
            (Some(Turn(_)), Some(Win(_)), _) => about_line(false_line(board, actual, index)),
            (Some(Turn(_)), Some(Draw), Lab3) | (Some(Draw), _, Lab3) => "draw",
            (Some(Turn(_)), Some(Draw), Notakto)
            | (Some(Draw), _, Notakto)
            | (Some(Win(_)), Some(Win(_)), Notakto) => "winner",
            (Some(Turn(_) | Win(_)), Some(Draw), Tictactoe) | (Some(Draw), _, _) => "tie",
            (Some(Turn(_)), _, _) => "turns",
            (Some(Win(_)), Some(Win(_)), Tictactoe) => "via",
            (Some(Win(_)), _, _) => about_line(board.and_then(winning_direction)),
            (Some(Quit), _, _) => "quit",
            // The program goes on after the end of the game.
            (None, _, Tictactoe) => "goodbye",
            (None, _, Notakto) => "ending",
            (None, _, _) => match wanted.events.last() {
                Some(Quit) => "quit",
                Some(Draw) => "draw",
                _ => about_line(board.and_then(winning_direction)),
            },
        }
    }
}

fn lines_at(output: &ParsedOutput, index: usize) -> &[OutputLine] {
    output.texts.get(index).map_or(&[], Vec::as_slice)
}

fn text_behaviour(about: &str) -> &'static str {
    match about {
        "opening" => "prints no instructions",
        "via" => "does not name the winning line",
        "goodbye" => "prints no message at the end",
        "range" => "prints no message for a row or column out of range",
        "bounds" => "prints no message for coordinates out of bounds",
        "taken" => "prints no message for a taken square",
        "invalid" => "prints no message for an invalid location",
        "prompt" => "does not ask for coordinates",
        "echo" => "does not repeat the input",
        "moves" => "does not list the moves of the player",
        "count" => "does not print the number of moves",
        "quit" => "does not end with the number of turns after quit",
        "arguments" => "prints no usage message",
        "unreadable" => "prints the wrong message for an unreadable line",
        _ => "does not print the message that is required",
    }
}

fn event_name(event: Option<&OutputEvent>) -> String {
    match event {
        None => "the end of the output".to_owned(),
        Some(OutputEvent::Board(_)) => "a board".to_owned(),
        Some(OutputEvent::Turn(player)) => format!("{}'s turn", char::from(*player)),
        Some(OutputEvent::Win(player)) => format!("a win for {}", char::from(*player)),
        Some(OutputEvent::Draw) => "a draw".to_owned(),
        Some(OutputEvent::Quit) => "a player quitting".to_owned(),
    }
}

/// Returns the direction of the first line on a board.
fn winning_direction(board: Board) -> Option<Direction> {
    let lines = Rules::CLASSIC.lines();
    [Mark::X, Mark::O]
        .into_iter()
        .find_map(|mark| lines.all_in(board.squares(mark)).next())
        .map(Line::direction)
}

/// Returns the direction of the line that a program wrongly sees: the one that it names, or the one that is most nearly
/// complete.
fn false_line(board: Option<Board>, actual: &ParsedOutput, index: usize) -> Option<Direction> {
    let text =
        lines_at(actual, index + 1).iter().map(|line| line.text.to_lowercase()).collect::<Vec<_>>().join(" ");
    let named = [("row", Direction::Row), ("col", Direction::Column), ("diag", Direction::Diagonal)];
    if let Some((_, direction)) = named.into_iter().find(|(word, _)| text.contains(word)) {
        return Some(direction);
    }
    let board = board?;
    let n_marks = |line: &Line| {
        let count = |mark| (line.squares() & board.squares(mark)).len();
        let (x, o) = (count(Mark::X), count(Mark::O));
        (x + o, x.max(o))
    };
    // `max_by_key` returns the last maximum; rows come first in the list, and are preferred.
    let lines: Vec<Line> = Rules::CLASSIC.lines().all_in(Rules::CLASSIC.squares()).collect();
    lines.into_iter().rev().max_by_key(n_marks).map(Line::direction)
}

/// Returns the mismatch of an output that means the right thing in other words.
pub(super) fn wording(attempt: Attempt<'_>, expected: &RunOutput) -> Mismatch {
    let Attempt { assignment, case, output, .. } = attempt;
    let (wanted, found) =
        (String::from_utf8_lossy(&expected.stdout), String::from_utf8_lossy(&output.stdout));
    let mut lines = wanted.split('\n').zip(found.split('\n').map(Some).chain(std::iter::repeat(None)));
    let line = lines.find(|(wanted, found)| Some(*wanted) != *found).map_or("", |(wanted, _)| wanted);
    let about = match assignment {
        Assignment::Tictactoe => "text",
        Assignment::Notakto => notakto_line_topic(case, line),
        _ => lab3_line_topic(line),
    };
    let behaviour = Behaviour::new("wording differs from the document");
    Mismatch::new(assignment.requirement(about), behaviour)
}

fn notakto_line_topic(case: &Case, line: &str) -> &'static str {
    match line {
        _ if line.contains("turn") => "prompt",
        _ if line.contains("wins") => "winner",
        _ if line.starts_with("Location") && case.about.short_id() == "taken" => "taken",
        _ if line.starts_with("Location") => "invalid",
        "" => "ending",
        _ => "board",
    }
}

fn lab3_line_topic(line: &str) -> &'static str {
    match line {
        _ if line.contains("turn...") => "turns",
        _ if line.contains("requires") => "arguments",
        _ if line.starts_with("Won!") => "win-row",
        _ if line.starts_with("Draw!") => "draw",
        _ if line.starts_with("someone") => "quit",
        _ => lab3_text(line, "").map_or("board", |text| text.about),
    }
}
