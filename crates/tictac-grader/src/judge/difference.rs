//! Finds where two game outputs first differ, and which requirement that is about.

use tictac::{Board, Direction, Line, Mark, Rules};

use super::mismatch::{Behaviour, KnownFaults, Mismatch};
use super::parsed_output::{OutputEvent, OutputLine, ParsedOutput};
use super::required_text::{RequiredText, TextPattern, is_instruction, is_met, is_prompt, required_texts};
use super::topics::win_topic;
use crate::assignment::Assignment;
use crate::case::Case;
use crate::expect::ExpectedOutput;
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
    pub(super) fn into_mismatch(
        self,
        assignment: Assignment,
        case: &Case,
        wanted: &ParsedOutput,
        output: &RunOutput,
    ) -> Mismatch {
        // In Notakto, two requirements have the same message; the case determines which of them it tests.
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

/// Returns where two outputs first differ, or `None` if they mean the same.
///
/// Missing messages that are already known are reported only if nothing else is wrong. Otherwise one missing message at
/// the start would hide everything after it.
pub(super) fn first_difference(
    assignment: Assignment,
    wanted: &ParsedOutput,
    actual: &ParsedOutput,
    known: &KnownFaults,
) -> Option<Difference> {
    let is_known = |text: &RequiredText| known.is_broken(assignment.requirement(text.about).id);
    let find = |counts: &dyn Fn(&RequiredText) -> bool| {
        (0..=wanted.events.len()).find_map(|index| difference_at(assignment, wanted, actual, index, counts))
    };
    let lacks_labels = assignment == Assignment::Tictactoe && !actual.has_labels;
    let unlabelled = || {
        lacks_labels.then(|| {
            let behaviour = Behaviour::new("draws boards without row and column numbers");
            Difference { place: wanted.events.len() * 2 + 1, about: "board", behaviour }
        })
    };
    find(&|text| !is_known(text)).or_else(|| find(&|_| true)).or_else(unlabelled)
}

fn difference_at(
    assignment: Assignment,
    wanted: &ParsedOutput,
    actual: &ParsedOutput,
    index: usize,
    counts: &dyn Fn(&RequiredText) -> bool,
) -> Option<Difference> {
    let required = required_texts(assignment, wanted, index);
    let lines = lines_at(actual, index);
    if wanted.events.get(index) != actual.events.get(index) {
        return Some(Difference {
            place: index * 2,
            about: about_event(assignment, wanted, actual, index, &required),
            behaviour: event_behaviour(wanted, actual, index),
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
        None if prompts_after_quit(assignment, wanted, index, &required, lines) => "quit",
        None => return None,
    };
    Some(Difference { place: index * 2 + 1, about, behaviour: Behaviour::new(text_behaviour(about)) })
}

fn lines_at(output: &ParsedOutput, index: usize) -> &[OutputLine] {
    output.texts.get(index).map_or(&[], Vec::as_slice)
}

/// Returns whether a program asks once more after `quit`, because it did not understand it.
fn prompts_after_quit(
    assignment: Assignment,
    wanted: &ParsedOutput,
    index: usize,
    required: &[RequiredText],
    lines: &[OutputLine],
) -> bool {
    let is_quit = assignment == Assignment::Lab3 && wanted.events.get(index) == Some(&OutputEvent::Quit);
    let n_wanted = required.iter().filter(|text| text.pattern == TextPattern::Prompt).count();
    let n_found = lines.iter().filter(|line| is_prompt(&line.text.to_lowercase())).count();
    is_quit && n_found > n_wanted
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

/// Returns the requirement to blame if the events differ: that of a move that was refused, or must be, or that of the
/// event.
fn about_event(
    assignment: Assignment,
    wanted: &ParsedOutput,
    actual: &ParsedOutput,
    index: usize,
    required: &[RequiredText],
) -> &'static str {
    if index > 0 && refuses_more(wanted, actual, index) {
        return if assignment == Assignment::Lab3 { "bounds" } else { placement_topic(assignment) };
    }
    if wanted.events.is_empty() {
        // Only wrong arguments have an expected output without a board.
        return "arguments";
    }
    let is_refusal = |text: &&RequiredText| {
        text.pattern.is_absent()
            || matches!(text.about, "range" | "taken" | "bounds" | "invalid" | "not-a-number")
    };
    let refusal = required.iter().rev().find(is_refusal).map(|text| text.about);
    let is_other_player = matches!(actual.events.get(index), Some(OutputEvent::Turn(_)));
    match (refusal, assignment) {
        (Some("range" | "taken"), Assignment::Tictactoe) if is_other_player => "turn-kept",
        (Some(refusal), _) => refusal,
        (None, _) => event_topic(assignment, wanted, actual, index),
    }
}

/// Returns whether a program refuses a valid move: it prints more messages where the expected output has a new board.
fn refuses_more(wanted: &ParsedOutput, actual: &ParsedOutput, index: usize) -> bool {
    let n_messages = |output: &ParsedOutput| {
        let is_message = |line: &&OutputLine| !line.is_event && !is_prompt(&line.text.to_lowercase());
        lines_at(output, index).iter().filter(is_message).count()
    };
    // Next comes the end of the output, or a later move instead of the refused one.
    matches!(actual.events.get(index), None | Some(OutputEvent::Board(_)))
        && matches!(wanted.events.get(index), Some(OutputEvent::Board(_)))
        && n_messages(actual) > n_messages(wanted)
}

fn event_behaviour(wanted: &ParsedOutput, actual: &ParsedOutput, index: usize) -> Behaviour {
    match (actual.events.get(index), wanted.events.get(index)) {
        (Some(OutputEvent::Board(_)), Some(OutputEvent::Board(_))) => {
            Behaviour::new("draws a board that does not match the moves")
        }
        (found, expected) => Behaviour::new(event_name(found)).instead_of(event_name(expected)),
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

/// Returns the requirement on the expected event.
fn event_topic(
    assignment: Assignment,
    wanted: &ParsedOutput,
    actual: &ParsedOutput,
    index: usize,
) -> &'static str {
    use OutputEvent::{Board, Draw, Quit, Turn, Win};

    let board = wanted.board_before(index + 1);
    let is_last_board = index + 2 >= wanted.events.len();
    match (wanted.events.get(index), actual.events.get(index)) {
        (Some(Board(_)), Some(Board(_))) => placement_topic(assignment),
        (Some(Board(_)), Some(Win(_) | Draw)) if is_last_board && assignment == Assignment::Notakto => {
            "ending"
        }
        (Some(Board(_)), _) => "board",
        (Some(Turn(_)), Some(Win(_))) => line_topic(assignment, false_line(board, actual, index)),
        (Some(Turn(_)), Some(Draw)) | (Some(Draw), _) => draw_topic(assignment),
        (Some(Turn(_)), _) => "turns",
        (Some(Win(_)), Some(Win(_))) if assignment == Assignment::Notakto => "winner",
        (Some(Win(_)), Some(Win(_))) if assignment == Assignment::Tictactoe => "via",
        (Some(Win(_)), Some(Draw)) if assignment == Assignment::Tictactoe => "tie",
        (Some(Win(_)), _) => line_topic(assignment, board.and_then(winning_direction)),
        (Some(Quit), _) => "quit",
        (None, _) => end_topic(assignment, wanted),
    }
}

const fn placement_topic(assignment: Assignment) -> &'static str {
    match assignment {
        Assignment::Lab3 => "coordinates",
        _ => "placement",
    }
}

const fn draw_topic(assignment: Assignment) -> &'static str {
    match assignment {
        Assignment::Lab3 => "draw",
        Assignment::Notakto => "winner",
        _ => "tie",
    }
}

/// Returns the requirement to blame if a program continues after the end of the game.
fn end_topic(assignment: Assignment, wanted: &ParsedOutput) -> &'static str {
    match (assignment, wanted.events.last()) {
        (Assignment::Tictactoe, _) => "goodbye",
        (Assignment::Notakto, _) => "ending",
        (_, Some(OutputEvent::Quit)) => "quit",
        (_, Some(OutputEvent::Draw)) => "draw",
        (_, _) => {
            line_topic(assignment, wanted.board_before(wanted.events.len()).and_then(winning_direction))
        }
    }
}

fn line_topic(assignment: Assignment, direction: Option<Direction>) -> &'static str {
    let topic = win_topic(direction.unwrap_or(Direction::Row));
    match (assignment, topic) {
        (Assignment::Notakto, "win-column") => "lose-column",
        (Assignment::Notakto, "win-diagonal") => "lose-diagonal",
        (Assignment::Notakto, _) => "lose-row",
        (_, topic) => topic,
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

/// Returns the mismatch of an output with the right content but the wrong wording.
pub(super) fn wording(
    assignment: Assignment,
    case: &Case,
    expected: &ExpectedOutput,
    output: &RunOutput,
) -> Mismatch {
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
        _ if line.contains("quits") => "quit",
        _ if line.contains("turn...") => "turns",
        _ if line.contains("requires") => "arguments",
        _ if line.ends_with(';') => "moves",
        _ if line.starts_with("Please enter") => "prompt",
        _ if line.starts_with("You entered") => "echo",
        _ if line.starts_with("Careful") => "bounds",
        _ if line.starts_with("Sorry") => "taken",
        _ if line.starts_with("is it draw") => "count",
        _ if line.starts_with("Won!") => "win-row",
        _ if line.starts_with("Draw!") => "draw",
        _ if line.starts_with("someone") => "quit",
        _ if line.starts_with("usage") => "arguments",
        _ => "board",
    }
}
