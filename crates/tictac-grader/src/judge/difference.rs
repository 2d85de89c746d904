//! Finds where two game outputs first differ, and which requirement that is about.

use tictac::{Board, Direction, Line, Mark, Rules};

use super::parsed_output::{OutputEvent, OutputLine, ParsedOutput};
use super::player_names::PlayerNames;
use super::required_text::{
    RefusalReason, RequiredText, TextPattern, TextScope, has_wrong_range, is_instruction, is_prompt,
    required_texts,
};
use super::topics::line_topic;
use super::{Attempt, Behaviour, KnownFaults, Mismatch};
use crate::assignment::{Assignment, CourseProgram};
use crate::requirement::{Requirement, RequirementKind};

/// What a program does that numbers the diagonals in another order than the reference. The document gives them no numbers, so
/// it is a fault only if a diagonal is named as expected elsewhere.
pub(crate) const OTHER_DIAGONAL: &str = "gives the diagonal another number";

/// The first difference between the actual output and an expected one.
#[derive(Clone, Debug)]
pub(super) struct Difference {
    /// How far the outputs agree: twice the number of equal events, plus one if only the text after them differs.
    pub(super) place: usize,
    /// Whether the requirement is already known to be broken.
    pub(super) is_known: bool,
    /// The short id of the requirement to blame.
    pub(super) about: &'static str,
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
        if case.is_robustness() || (case.about.kind == RequirementKind::Bonus && has_missing_events) {
            suspects.insert(0, case.about);
        }
        let behaviour =
            if output.exit.is_clean() { self.behaviour } else { Behaviour::new(output.exit.to_string()) };
        Mismatch { suspects, behaviour }
    }
}

/// A correct output and the actual one, which are compared event by event.
pub(super) struct OutputPair<'a> {
    assignment: Assignment,
    wanted: &'a ParsedOutput,
    actual: &'a ParsedOutput,
    /// The required texts of each group of lines.
    required: Vec<Vec<RequiredText>>,
    /// Lines of the actual output that are about no particular entry.
    usual: Vec<&'a str>,
}

impl<'a> OutputPair<'a> {
    pub(super) fn new(
        assignment: Assignment,
        wanted: &'a ParsedOutput,
        actual: &'a ParsedOutput,
    ) -> OutputPair<'a> {
        let required: Vec<Vec<RequiredText>> =
            (0..wanted.texts.len()).map(|index| required_texts(assignment, wanted, index)).collect();
        // Before the first event there are only instructions, and in other groups without a refused entry nothing else
        // may refuse one.
        let has_refusal = |texts: &[RequiredText]| {
            texts.iter().any(|text| text.about != "opening" && text.pattern.is_refusal())
        };
        let groups = actual.texts.iter().zip(&required).filter(|(_, texts)| !has_refusal(texts));
        let lines = groups.enumerate().flat_map(|(at, (lines, _))| lines.iter().map(move |line| (at, line)));
        let is_usual = |(at, line): &(usize, &OutputLine)| {
            *at == 0 || !super::required_text::is_refusal(&line.text.to_lowercase())
        };
        let usual = lines.filter(is_usual).map(|(_, line)| line.text.as_str()).collect();
        OutputPair { assignment, wanted, actual, required, usual }
    }

    /// Returns where the outputs first differ, or `None` if they mean the same.
    ///
    /// Missing messages that are already known are reported only if nothing else is wrong. Otherwise one missing message
    /// at the start would hide everything after it.
    pub(super) fn first_difference(&self, known: &KnownFaults) -> Option<Difference> {
        let n_events = self.wanted.events.len();
        let is_known = |about: &str| known.is_broken(self.assignment.requirement(about).id);
        let find = |counts: &dyn Fn(&str) -> bool| {
            (0..=n_events).find_map(|index| self.difference_at(index, counts))
        };
        let known = || find(&|_| true).map(|found| Difference { is_known: true, ..found });
        find(&|about| !is_known(about)).or_else(known)
    }

    /// Returns the first difference before or at the event with this index. Of the texts, only those that `counts`
    /// returns true for are compared.
    fn difference_at(&self, index: usize, counts: &dyn Fn(&str) -> bool) -> Option<Difference> {
        let OutputPair { wanted, actual, .. } = *self;
        let found = |place, about, behaviour| Some(Difference { place, is_known: false, about, behaviour });
        if wanted.events.get(index) != actual.events.get(index) {
            let about = self.about_event(index, &self.required[index]);
            return found(index * 2, about, self.event_behaviour(index));
        }
        let required = &self.required[index];
        let scope = self.scope(index);
        let is_missing = |text: &&RequiredText| match text.about {
            // Instructions may come before the first board.
            "opening" => !actual.texts[..=index].concat().iter().any(is_instruction),
            // A player who completes two lines at once wins by either.
            "via" => !required.iter().any(|text| text.about == "via" && scope.meets(text, required)),
            // A refusal that belongs to another entry of the same turn.
            "unreadable" => {
                !scope.meets(text, required)
                    && scope.refusal().is_none_or(|reason| counts(self.refusal_topic(reason)))
            }
            "count" | "quit" => !scope.meets(text, required) && !self.meets_around_quit(index, text),
            _ => !scope.meets(text, required),
        };
        let missing = required.iter().filter(|text| counts(text.about)).find(is_missing);
        if let Some(text) = missing {
            let behaviour = Behaviour::new(text_behaviour(text, scope.lines));
            return found(index * 2 + 1, text.about, behaviour);
        }
        let wrong = self.unwanted_text(index).or_else(|| self.unnamed_player(index));
        let (about, behaviour) = wrong.filter(|(about, _)| counts(about))?;
        found(index * 2 + 1, about, Behaviour::new(behaviour))
    }

    /// Returns the lines in which the texts required before an event are looked for.
    fn scope(&self, index: usize) -> TextScope<'_> {
        TextScope { assignment: self.assignment, lines: lines_at(self.actual, index), usual: &self.usual }
    }

    /// Returns whether both numbers that lab3 prints after `quit` are there, in whatever order.
    fn meets_around_quit(&self, index: usize, text: &RequiredText) -> bool {
        let n = self.wanted.events.len();
        if index + 1 < n || self.wanted.events.last() != Some(&OutputEvent::Quit) {
            return false;
        }
        let lines = [lines_at(self.actual, n - 1), lines_at(self.actual, n)].concat();
        let both = [self.required[n - 1].as_slice(), self.required[n].as_slice()].concat();
        let scope = TextScope { assignment: self.assignment, lines: &lines, usual: &self.usual };
        let is_same = |each: &&RequiredText| each.pattern == text.pattern;
        let all: Vec<RequiredText> = both
            .iter()
            .filter(is_same)
            .map(|each| RequiredText { about: text.about, ..each.clone() })
            .collect();
        all.len() > 1 && scope.meets(text, &all)
    }

    /// Returns what is wrong with a text that should not be there.
    fn unwanted_text(&self, index: usize) -> Option<(&'static str, &'static str)> {
        let required = &self.required[index];
        let is_lab3 = self.assignment == CourseProgram::Lab3;
        if self.assignment == CourseProgram::Notakto {
            return None;
        }
        if self.prompts_after_quit(index, required) {
            return Some(("quit", "asks again after quit"));
        }
        let is_entry = index > 1 && index < self.wanted.events.len() + usize::from(is_lab3);
        let has_refusal = required.iter().any(|text| text.pattern.is_refusal() || text.pattern.is_absent());
        if let Some(reason) = self.scope(index).refusal().filter(|_| is_entry && !has_refusal) {
            let behaviour = match reason {
                RefusalReason::Taken => "says that a free square is taken",
                RefusalReason::Bounds => "says that a valid move is out of bounds",
            };
            return Some((self.refusal_topic(reason), behaviour));
        }
        let has_range = |line: &&OutputLine| {
            let text = line.text.to_lowercase();
            (is_prompt(&text) || is_instruction_or_refusal(&text)) && has_wrong_range(&text)
        };
        let line = lines_at(self.actual, index).iter().find(has_range)?;
        let is_refusal = super::required_text::is_refusal(&line.text.to_lowercase()) || has_refusal;
        Some(match (is_lab3, is_refusal && !is_prompt(&line.text.to_lowercase())) {
            (true, false) => ("prompt", "states a wrong range of coordinates"),
            (false, false) => ("opening", "states a wrong range of rows or columns"),
            (_, true) => (self.refusal_topic(RefusalReason::Bounds), "states a wrong range"),
        })
    }

    /// Returns what is wrong if lab3 does not say whose moves it lists, or who quits. It may be the player who quits or the
    /// one who moved last, because the document has both.
    fn unnamed_player(&self, index: usize) -> Option<(&'static str, &'static str)> {
        let names = |line: &OutputLine| self.actual.names.named_in(&line.text);
        let lines = lines_at(self.actual, index);
        if self.required[index].iter().any(|text| matches!(text.pattern, TextPattern::OnlyNumbers(_))) {
            let asked = self.actual.events[..index].iter().rev().find_map(|event| match event {
                OutputEvent::Turn(player) => Some(*player),
                _ => None,
            })?;
            let is_named = lines.iter().any(|line| names(line) == Some(asked));
            return (!is_named).then_some(("moves", "does not say whose moves it lists"));
        }
        let is_after_quit = index > 0 && self.wanted.events.get(index - 1) == Some(&OutputEvent::Quit);
        let is_statement = |line: &&OutputLine| {
            let text = line.text.to_lowercase();
            !line.is_event && !is_prompt(&text) && !text.starts_with("you entered")
        };
        let before = || lines_at(self.actual, index - 1).iter().filter(is_statement);
        let is_unnamed = is_after_quit && !lines.iter().chain(before()).any(|line| names(line).is_some());
        is_unnamed.then_some(("quit", "does not say which player quits"))
    }

    /// Returns the requirement about refusing a move for this reason.
    fn refusal_topic(&self, reason: RefusalReason) -> &'static str {
        match (reason, self.assignment.course()) {
            (RefusalReason::Taken, _) => "taken",
            (RefusalReason::Bounds, Some(CourseProgram::Lab3)) => "bounds",
            (RefusalReason::Bounds, Some(CourseProgram::Tictactoe)) => "range",
            (RefusalReason::Bounds, _) => "invalid",
        }
    }

    /// Returns whether a program asks once more after `quit`, because it did not understand it.
    fn prompts_after_quit(&self, index: usize, required: &[RequiredText]) -> bool {
        let is_quit = self.assignment == CourseProgram::Lab3
            && self.wanted.events.get(index) == Some(&OutputEvent::Quit);
        let n_wanted = required.iter().filter(|text| text.pattern == TextPattern::Prompt).count();
        let lines = lines_at(self.actual, index);
        is_quit && lines.iter().filter(|line| is_prompt(&line.text.to_lowercase())).count() > n_wanted
    }

    /// Returns the requirement to blame if the events differ: that of a move that was refused, or must be, or that of
    /// the event.
    fn about_event(&self, index: usize, required: &[RequiredText]) -> &'static str {
        if index > 0 && self.refuses_more(index) {
            return match self.assignment.course() {
                Some(CourseProgram::Lab3) if required.iter().any(|text| text.about == "rest") => "rest",
                Some(CourseProgram::Lab3) => "bounds",
                _ => "placement",
            };
        }
        if self.wanted.events.is_empty() {
            // Only wrong arguments have an expected output without a board.
            return "arguments";
        }
        let refusal = required.iter().rev().find(|text| text.is_about_refusal()).map(|text| text.about);
        let is_other_player = matches!(self.actual.events.get(index), Some(OutputEvent::Turn(_)));
        match (refusal, self.assignment.course()) {
            (Some("range" | "taken"), Some(CourseProgram::Tictactoe)) if is_other_player => "turn-kept",
            (Some(refusal), _) => refusal,
            (None, _) => self.event_topic(index),
        }
    }

    /// Returns whether a program refuses a valid move: it prints more messages where the expected output has a new
    /// board.
    fn refuses_more(&self, index: usize) -> bool {
        let n_messages = |output: &ParsedOutput| {
            let is_message = |line: &&OutputLine| !line.is_event && !is_prompt(&line.text.to_lowercase());
            lines_at(output, index).iter().filter(is_message).count()
        };
        // Next comes the end of the output, or a later move instead of the refused one.
        matches!(self.actual.events.get(index), None | Some(OutputEvent::Board(_)))
            && matches!(self.wanted.events.get(index), Some(OutputEvent::Board(_)))
            && n_messages(self.actual) > n_messages(self.wanted)
    }

    fn event_behaviour(&self, index: usize) -> Behaviour {
        match (self.actual.events.get(index), self.wanted.events.get(index)) {
            (Some(OutputEvent::Board(_)), Some(OutputEvent::Board(_))) => {
                Behaviour::new("draws a board that does not match the moves")
            }
            (found, expected) => {
                let names = self.wanted.names;
                Behaviour::new(event_name(names, found)).instead_of(event_name(names, expected))
            }
        }
    }

    /// Returns the requirement on the expected event.
    fn event_topic(&self, index: usize) -> &'static str {
        use CourseProgram::{Lab3, Notakto, Tictactoe};
        use OutputEvent::{Board, Draw, Quit, Turn, Win};

        let OutputPair { wanted, actual, .. } = *self;
        let course = self.assignment.course();
        let board = wanted.board_before(index + 1);
        let is_last_board = index + 2 >= wanted.events.len();
        let about_line =
            |direction: Option<Direction>| line_topic(course, direction.unwrap_or(Direction::Row));
        match (wanted.events.get(index), actual.events.get(index), course) {
            (Some(Board(_)), Some(Board(_)), Some(Lab3)) => "coordinates",
            (Some(Board(_)), Some(Board(_)), _) => "placement",
            (Some(Board(_)), Some(Win(_) | Draw), Some(Notakto)) if is_last_board => "ending",
            (Some(Board(_)), _, _) => "board",
            (Some(Turn(_)), Some(Win(_)), _) => about_line(false_line(board, actual, index)),
            (Some(Turn(_) | Win(_)), Some(Draw), Some(Lab3)) | (Some(Draw), _, Some(Lab3)) => "draw",
            (Some(Turn(_)), Some(Draw), Some(Notakto))
            | (Some(Draw), _, Some(Notakto))
            | (Some(Win(_)), Some(Win(_)), Some(Notakto)) => "winner",
            (Some(Turn(_) | Win(_)), Some(Draw), Some(Tictactoe)) | (Some(Draw), _, _) => "tie",
            (Some(Turn(_)), _, _) => "turns",
            (Some(Win(_)), Some(Win(_)), Some(Tictactoe)) => "via",
            (Some(Win(_)), _, _) => about_line(board.and_then(winning_direction)),
            (Some(Quit), _, _) => "quit",
            // The program goes on after the end of the game.
            (None, _, Some(Tictactoe)) => "goodbye",
            (None, _, Some(Notakto)) => "ending",
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

/// Returns whether a line may state the range of rows and columns, and is no repetition of the input.
fn is_instruction_or_refusal(text: &str) -> bool {
    ["must", "between", "from", "range", "bound", "row", "col"].iter().any(|word| text.contains(word))
        && !text.starts_with("you entered")
}

/// Returns what is wrong if a required text is not among these lines.
fn text_behaviour(text: &RequiredText, lines: &[OutputLine]) -> String {
    let is_message = |line: &OutputLine| {
        let text = line.text.to_lowercase();
        !line.is_event && !is_prompt(&text) && !text.starts_with("you entered")
    };
    let entry = match text.about {
        "range" => "a row or column out of range",
        "bounds" => "coordinates out of bounds",
        "taken" => "a taken square",
        "invalid" => "an invalid location",
        _ => {
            return match text.about {
                "opening" => "prints no instructions",
                "via" if text.is_other_diagonal(lines) => OTHER_DIAGONAL,
                "via" => "does not name the winning line",
                "goodbye" => "prints no message at the end",
                "turn-kept" => "does not ask the same player again",
                "prompt" => "does not ask for coordinates",
                "echo" => "does not repeat the input",
                "moves" => "does not list the moves of the player",
                "count" => "does not print the right number of moves",
                "quit" => "does not print the right number of turns after quit",
                "draw" => "does not print the right number of turns after a draw",
                "arguments" => "prints no usage message",
                "unreadable" => "prints the wrong message for an unreadable line",
                _ => "does not print the message that is required",
            }
            .to_owned();
        }
    };
    if lines.iter().any(is_message) {
        format!("prints a message that does not fit {entry}")
    } else {
        format!("prints no message for {entry}")
    }
}

fn event_name(names: PlayerNames, event: Option<&OutputEvent>) -> String {
    match event {
        None => "the end of the output".to_owned(),
        Some(OutputEvent::Board(_)) => "a board".to_owned(),
        Some(OutputEvent::Turn(player)) => format!("{}'s turn", names.usual_name(*player)),
        Some(OutputEvent::Win(player)) => {
            format!("a win for {}", player.map_or("?", |player| names.usual_name(player)))
        }
        Some(OutputEvent::Draw) => "a draw".to_owned(),
        Some(OutputEvent::Quit) => "a player quitting".to_owned(),
    }
}

/// Returns the direction of the first line on a board.
pub(super) fn winning_direction(board: Board) -> Option<Direction> {
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
