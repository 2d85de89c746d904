//! Where two conversations part, and which requirement that is about.

use tictac::{Direction, Rules, Square, SquareSet};

use super::scene::{Cells, Hard, Scene, Text};
use super::soft::{Need, Soft, is_instruction, is_met, is_prompt, softs};
use crate::assignment::Assignment;
use crate::case::Case;
use crate::expect::Expected;
use crate::fault::{Fault, Known};
use crate::requirement::{Kind, Requirement};
use crate::run::Answer;

/// The first point at which the actual conversation is not the expected one.
#[derive(Clone, Debug)]
pub(super) struct Difference {
    /// Twice the number of hard facts that agree, and one more where the words in the gap are at fault.
    pub(super) place: usize,
    /// Short ids, the most likely culprit first.
    about: Vec<&'static str>,
    behaviour: String,
}

impl Difference {
    pub(super) fn fault(self, assignment: Assignment, case: &Case, wanted: &Scene, answer: &Answer) -> Fault {
        // One sentence of Notakto serves two requirements; the case knows which of them it is about.
        let own = |short_id: &&'static str| match (*short_id, case.about.short_id()) {
            ("invalid", "taken") => "taken",
            (short_id, _) => short_id,
        };
        let mut suspects: Vec<&'static Requirement> =
            self.about.iter().map(|short_id| assignment.requirement(own(short_id))).collect();
        let has_stopped = !answer.ending.is_orderly() || self.place / 2 < wanted.hard.len();
        // What a case tries beyond the plain game is suspected before the plain game is.
        if case.about.kind != Kind::Required && has_stopped {
            suspects.insert(0, case.about);
        }
        let behaviour = if answer.ending.is_orderly() { self.behaviour } else { answer.ending.to_string() };
        Fault { suspects, behaviour }
    }
}

/// Returns where two scenes part, or `None` where they mean the same.
///
/// Words whose lack is known already are looked for only where nothing else is wrong, or one missing sentence at the start
/// would hide everything after it.
pub(super) fn first_difference(
    assignment: Assignment,
    wanted: &Scene,
    actual: &Scene,
    known: &Known,
) -> Option<Difference> {
    let is_known = |soft: &Soft| known.is_broken(assignment.requirement(soft.about).id);
    let find = |counts: &dyn Fn(&Soft) -> bool| {
        (0..=wanted.hard.len()).find_map(|place| difference_at(assignment, wanted, actual, place, counts))
    };
    let lacks_labels = assignment == Assignment::Tictactoe && !actual.has_labels;
    let unlabelled = || {
        lacks_labels.then(|| {
            let behaviour = "draws boards without row and column numbers".to_owned();
            Difference { place: wanted.hard.len() * 2 + 1, about: vec!["board"], behaviour }
        })
    };
    find(&|soft| !is_known(soft)).or_else(|| find(&|_| true)).or_else(unlabelled)
}

fn difference_at(
    assignment: Assignment,
    wanted: &Scene,
    actual: &Scene,
    place: usize,
    counts: &dyn Fn(&Soft) -> bool,
) -> Option<Difference> {
    let softs = softs(assignment, wanted, place);
    let nothing = Vec::new();
    let texts = actual.texts.get(place).unwrap_or(&nothing);
    if wanted.hard.get(place) != actual.hard.get(place) {
        let about = about_parted(assignment, wanted, actual, place, &softs);
        return Some(Difference {
            place: place * 2,
            about: vec![about],
            behaviour: in_words(wanted, actual, place),
        });
    }
    let unmet = softs.iter().filter(|soft| counts(soft)).find(|soft| match soft.about {
        // Instructions may stand before the first board as well.
        "opening" => !actual.texts[..=place].concat().iter().any(is_instruction),
        // Who completes two lines at once has won by either.
        "via" => !softs.iter().any(|soft| soft.about == "via" && is_met(soft, &softs, texts)),
        _ => !is_met(soft, &softs, texts),
    });
    let about =
        unmet.map(|soft| soft.about).or_else(|| asks_after_quit(assignment, wanted, place, &softs, texts))?;
    let behaviour = format!("does not say what {about} asks for");
    Some(Difference { place: place * 2 + 1, about: vec![about], behaviour })
}

/// A program that does not understand `quit` asks once more before its input ends.
fn asks_after_quit(
    assignment: Assignment,
    wanted: &Scene,
    place: usize,
    softs: &[Soft],
    texts: &[Text],
) -> Option<&'static str> {
    let is_quit = assignment == Assignment::Lab3 && wanted.hard.get(place) == Some(&Hard::Quit);
    let n_wanted = softs.iter().filter(|soft| soft.need == Need::Prompt).count();
    let n_found = texts.iter().filter(|text| is_prompt(&text.line.to_lowercase())).count();
    (is_quit && n_found > n_wanted).then_some("quit")
}

/// Returns which requirement it is about when the hard facts differ: first of all what was refused, or must be, just before.
fn about_parted(
    assignment: Assignment,
    wanted: &Scene,
    actual: &Scene,
    place: usize,
    softs: &[Soft],
) -> &'static str {
    let is_refusal = |soft: &&Soft| {
        soft.need.is_nothing()
            || matches!(soft.about, "range" | "taken" | "bounds" | "invalid" | "not-a-number")
    };
    let refusal = softs.iter().rev().find(is_refusal).map(|soft| soft.about);
    let is_other_player = matches!(actual.hard.get(place), Some(Hard::Turn(_)));
    if place > 0 && refuses_more(wanted, actual, place) {
        // It had its input, and would not take it. In lab3 one requirement says what is inside and what outside.
        return if assignment == Assignment::Lab3 { "bounds" } else { placement(assignment) };
    }
    if wanted.hard.is_empty() {
        // Only wrong arguments are answered without any board.
        return "arguments";
    }
    match (refusal, assignment) {
        (Some("range" | "taken"), Assignment::Tictactoe) if is_other_player => "turn-kept",
        (Some(refusal), _) => refusal,
        (None, _) => about_hard(assignment, wanted, actual, place),
    }
}

/// Returns whether a program asks again where the right one goes on, and complains more often: it refuses a move that is good.
fn refuses_more(wanted: &Scene, actual: &Scene, place: usize) -> bool {
    let n_complaints = |scene: &Scene| {
        let texts = scene.texts.get(place).map_or(&[][..], Vec::as_slice);
        texts.iter().filter(|text| !text.is_fact && !is_prompt(&text.line.to_lowercase())).count()
    };
    // What comes next is the end of its input, or a later move in the place of this one.
    let is_late = matches!(actual.hard.get(place), None | Some(Hard::Board(_)));
    is_late
        && matches!(wanted.hard.get(place), Some(Hard::Board(_)))
        && n_complaints(actual) > n_complaints(wanted)
}

fn in_words(wanted: &Scene, actual: &Scene, place: usize) -> String {
    match (actual.hard.get(place), wanted.hard.get(place)) {
        (Some(Hard::Board(_)), Some(Hard::Board(_))) => "draws another board than the moves make".to_owned(),
        (found, expected) => format!("{} where {} was expected", name(found), name(expected)),
    }
}

fn name(hard: Option<&Hard>) -> String {
    match hard {
        None => "the end".to_owned(),
        Some(Hard::Board(_)) => "a board".to_owned(),
        Some(Hard::Turn(side)) => format!("{}'s turn", char::from(*side)),
        Some(Hard::Win(side)) => format!("a win of {}", char::from(*side)),
        Some(Hard::Tie) => "a draw".to_owned(),
        Some(Hard::Quit) => "somebody quitting".to_owned(),
    }
}

/// Returns which requirement it is about when hard facts differ.
fn about_hard(assignment: Assignment, wanted: &Scene, actual: &Scene, place: usize) -> &'static str {
    let (expected, found) = (wanted.hard.get(place), actual.hard.get(place));
    let board = wanted.board_before(place + 1);
    let is_last_board = place + 2 >= wanted.hard.len();
    match (expected, found) {
        (Some(Hard::Board(_)), Some(Hard::Board(_))) => placement(assignment),
        (Some(Hard::Board(_)), Some(Hard::Win(_) | Hard::Tie)) if is_last_board => ending_board(assignment),
        (Some(Hard::Board(_)), _) => "board",
        (Some(Hard::Turn(_)), Some(Hard::Win(_))) => win_kind(assignment, false_line(board, actual, place)),
        (Some(Hard::Turn(_)), Some(Hard::Tie)) | (Some(Hard::Tie), _) => tie(assignment),
        (Some(Hard::Turn(_)), _) => "turns",
        (Some(Hard::Win(_)), Some(Hard::Win(_))) if assignment == Assignment::Notakto => "winner",
        (Some(Hard::Win(_)), Some(Hard::Win(_))) if assignment == Assignment::Tictactoe => "via",
        (Some(Hard::Win(_)), Some(Hard::Tie)) if assignment == Assignment::Tictactoe => "tie",
        (Some(Hard::Win(_)), _) => win_kind(assignment, board.and_then(winning_direction)),
        (Some(Hard::Quit), _) => "quit",
        (None, _) => after_the_end(assignment, wanted),
    }
}

const fn placement(assignment: Assignment) -> &'static str {
    match assignment {
        Assignment::Lab3 => "coordinates",
        _ => "placement",
    }
}

const fn tie(assignment: Assignment) -> &'static str {
    match assignment {
        Assignment::Lab3 => "draw",
        Assignment::Notakto => "winner",
        _ => "tie",
    }
}

const fn ending_board(assignment: Assignment) -> &'static str {
    match assignment {
        Assignment::Notakto => "ending",
        _ => "board",
    }
}

fn after_the_end(assignment: Assignment, wanted: &Scene) -> &'static str {
    match (assignment, wanted.hard.last()) {
        (Assignment::Tictactoe, _) => "goodbye",
        (Assignment::Notakto, _) => "ending",
        (_, Some(Hard::Quit)) => "quit",
        (_, Some(Hard::Tie)) => "draw",
        (_, _) => win_kind(assignment, wanted.board_before(wanted.hard.len()).and_then(winning_direction)),
    }
}

fn win_kind(assignment: Assignment, direction: Option<Direction>) -> &'static str {
    match (assignment, direction) {
        (Assignment::Notakto, Some(Direction::Column)) => "lose-column",
        (Assignment::Notakto, Some(Direction::Diagonal | Direction::AntiDiagonal)) => "lose-diagonal",
        (Assignment::Notakto, _) => "lose-row",
        (_, Some(Direction::Column)) => "win-column",
        (_, Some(Direction::Diagonal | Direction::AntiDiagonal)) => "win-diagonal",
        (_, _) => "win-row",
    }
}

fn squares(cells: Cells, marks: &[u8]) -> SquareSet {
    (0..9).filter(|&at| marks.contains(&cells[at])).filter_map(Square::new).collect()
}

/// Returns the direction of the first line on a board.
fn winning_direction(cells: Cells) -> Option<Direction> {
    let lines = Rules::CLASSIC.lines();
    [b"X", b"O"]
        .into_iter()
        .find_map(|mark| lines.all_in(squares(cells, mark)).next())
        .map(tictac::Line::direction)
}

fn joined(texts: &[Text]) -> String {
    texts.iter().map(|text| text.line.to_lowercase()).collect::<Vec<_>>().join(" ")
}

/// Returns the direction of a line that is none: the one the program names, or the one that is most nearly full.
fn false_line(board: Option<Cells>, actual: &Scene, place: usize) -> Option<Direction> {
    let said = actual.texts.get(place + 1).map(|texts| joined(texts)).unwrap_or_default();
    let named = [("row", Direction::Row), ("col", Direction::Column), ("diag", Direction::Diagonal)];
    if let Some((_, direction)) = named.into_iter().find(|(word, _)| said.contains(word)) {
        return Some(direction);
    }
    let cells = board?;
    let n_marks = |line: &tictac::Line| {
        let count = |mark| (line.squares() & squares(cells, mark)).len();
        (count(b"XO"), count(b"X").max(count(b"O")))
    };
    // The first of the best: rows before columns before diagonals.
    let lines = Rules::CLASSIC.lines().all_in(Rules::CLASSIC.squares());
    let best = lines.fold(None, |best: Option<tictac::Line>, line| match best {
        Some(best) if n_marks(&best) >= n_marks(&line) => Some(best),
        _ => Some(line),
    });
    best.map(tictac::Line::direction)
}

/// Returns the fault of an answer that means the right thing in other words.
pub(super) fn wording(assignment: Assignment, case: &Case, expected: &Expected, answer: &Answer) -> Fault {
    let (wanted, found) =
        (String::from_utf8_lossy(&expected.stdout), String::from_utf8_lossy(&answer.stdout));
    let mut lines = wanted.split('\n').zip(found.split('\n').map(Some).chain(std::iter::repeat(None)));
    let line = lines.find(|(wanted, found)| Some(*wanted) != *found).map_or("", |(wanted, _)| wanted);
    let about = match assignment {
        Assignment::Tictactoe => "text",
        Assignment::Notakto => about_line_of_notakto(case, line),
        _ => about_line_of_lab3(line),
    };
    Fault::new(assignment.requirement(about), format!("says {about} in other words"))
}

fn about_line_of_notakto(case: &Case, line: &str) -> &'static str {
    match line {
        _ if line.contains("turn") => "prompt",
        _ if line.contains("wins") => "winner",
        _ if line.starts_with("Location") && case.about.short_id() == "taken" => "taken",
        _ if line.starts_with("Location") => "invalid",
        "" => "ending",
        _ => "board",
    }
}

fn about_line_of_lab3(line: &str) -> &'static str {
    const STARTS: [(&str, &str); 9] = [
        ("Please enter", "prompt"),
        ("You entered", "echo"),
        ("Careful", "bounds"),
        ("Sorry", "taken"),
        ("is it draw", "count"),
        ("Won!", "win-row"),
        ("Draw!", "draw"),
        ("someone", "quit"),
        ("usage", "arguments"),
    ];
    let found = STARTS.into_iter().find(|(start, _)| line.starts_with(start));
    match line {
        _ if line.contains("quits") => "quit",
        _ if line.contains("turn...") => "turns",
        _ if line.contains("requires") => "arguments",
        _ if line.ends_with(';') => "moves",
        _ => found.map_or("board", |(_, about)| about),
    }
}

/// Returns the fault of an answer whose words are right and whose status is not.
pub(super) fn status(assignment: Assignment, case: &Case, expected: &Expected, answer: &Answer) -> Fault {
    let about = match case.about.short_id() {
        "arguments" => "arguments",
        _ => "status",
    };
    let behaviour = if answer.ending.is_orderly() {
        format!("says the right thing with {} instead of {}", answer.ending, expected.status)
    } else {
        format!("says the right thing, but {}", answer.ending)
    };
    let mut suspects = vec![assignment.requirement(about)];
    if case.about.kind == Kind::Robustness {
        suspects.insert(0, case.about);
    }
    Fault { suspects, behaviour }
}
