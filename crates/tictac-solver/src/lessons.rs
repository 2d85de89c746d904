//! The lessons: ideas with several positions each to solve, graded by the solver.

use std::sync::LazyLock;

use crate::hint::reasons;
use crate::hint::{best_prospect, prospect};
use crate::judge::{JudgedMove, Verdict};
use crate::{Answer, Oracle, Question, Survey};
use tictac::{Move, Rules, State, Value};

/// An idea, and positions to solve with it, from the easiest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The name of the lesson in settings and addresses.
    pub id: &'static str,
    /// The heading of the lesson.
    pub title: &'static str,
    /// What the student has to do.
    pub task: &'static str,
    /// What the student learns, shown once the lesson is solved.
    pub takeaway: &'static str,
    /// A hint that does not name a square.
    pub hint: &'static str,
    rules: &'static str,
    // The positions, separated by ` | `.
    positions: &'static str,
}

/// The solver's grade for an attempt at a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grade {
    /// Whether no move has a better result; a slower win is correct too.
    pub is_correct: bool,
    /// What the move does and what follows from it, in one sentence.
    pub explanation: String,
    /// The value of the best moves, for the player who moves.
    pub best: Option<Value>,
    /// The value of the move, for the player who makes it.
    pub value: Option<Value>,
}

impl Lesson {
    fn parse(text: &'static str) -> Option<Lesson> {
        let [head, task, takeaway, hint] = text.lines().collect::<Vec<_>>()[..] else { return None };
        let [id, title, rules, positions] = head.splitn(4, " | ").collect::<Vec<_>>()[..] else {
            return None;
        };
        Some(Lesson { id, title, task, takeaway, hint, rules, positions })
    }

    /// Returns the name of the game that the lesson is about.
    pub fn chapter(&self) -> &'static str {
        match self.rules {
            "3,3,3" => "Tic-tac-toe",
            "misere" => "Misère",
            _ => "Notakto",
        }
    }

    /// Returns the positions to solve, in their order.
    pub fn states(&self) -> Vec<State> {
        let rules: Rules = self.rules.parse().expect("a test parses every lesson");
        let positions = self.positions.split(" | ");
        positions.map(|text| State::parse(text, &rules).expect("a test parses every lesson")).collect()
    }

    /// Returns what the student has to do in the position with this index.
    pub const fn task_at(&self, index: usize) -> &'static str {
        if index == 0 { self.task } else { SAME_IDEA }
    }

    /// Returns what is proved about every move of one of the positions, which are small.
    pub fn survey(state: &State) -> Vec<(Move, Answer)> {
        Oracle::new(state.rules(), 1 << 24).moves(state, Question::Strong, &|| false)
    }
}

impl Grade {
    /// Grades a move in `state`, given what is proved about every move.
    pub fn of(state: &State, answers: &[(Move, Answer)], mv: Move) -> Grade {
        let judged = JudgedMove::among(state, &Survey::new(answers.to_vec()), mv);
        // On a large board, where little is proved, a move is accepted if nothing shows that it is wrong.
        let may_hold = judged.verdict.is_none() && !judged.is_doubtful() && judged.after.best != Value::Loss;
        let is_correct = may_hold || matches!(judged.verdict, Some(Verdict::Best | Verdict::Ok));
        let rules = *state.rules();
        let mut text = mv.name(&rules).to_string();
        for (place, reason) in reasons(state, mv).iter().enumerate() {
            let joint = if place == 0 { " " } else { " and " };
            text.extend([joint, &reason.phrase(rules.grid())]);
        }
        let after = &judged.after;
        let result = match (is_correct, judged.before.value(), after.value()) {
            (true, _, Some(Value::Draw)) => "it holds the draw, and no move does better".to_owned(),
            (true, _, None) => "nothing shows that it loses".to_owned(),
            (true, ..) => format!("it {}", best_prospect(after)),
            (false, Some(Value::Win), Some(Value::Loss)) => {
                format!("it {}, but another move wins", prospect(after))
            }
            (false, _, Some(Value::Loss)) => format!("it {}, but another move draws", prospect(after)),
            (false, _, Some(Value::Draw)) => "it only draws, but another move wins".to_owned(),
            (false, ..) => "the solver cannot tell".to_owned(),
        };
        let (best, value) = (judged.before.value(), after.value());
        Grade { is_correct, explanation: format!("{text}: {result}."), best, value }
    }
}

/// The task in every position of a lesson but the first.
const SAME_IDEA: &str = "The same idea in another position. Find the best move.";

/// All lessons, in the order in which they build on each other.
///
/// In `lessons.txt` a lesson has four lines: its id, title, rules and positions; the task in the first position; the takeaway;
/// a hint.
pub static LESSONS: LazyLock<Vec<Lesson>> = LazyLock::new(|| {
    let lessons = include_str!("lessons.txt").split("\n\n");
    lessons.map(|text| Lesson::parse(text).expect("the file of lessons is valid")).collect()
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::hint::Reason;

    fn lesson(id: &str) -> &'static Lesson {
        LESSONS.iter().find(|lesson| lesson.id == id).unwrap()
    }

    /// Returns the names of the correct moves of the first position of the lesson with this id.
    fn correct_moves(id: &str) -> Vec<String> {
        let state = &lesson(id).states()[0];
        let answers = Lesson::survey(state);
        let correct = answers.iter().filter(|(mv, _)| Grade::of(state, &answers, *mv).is_correct);
        correct.map(|&(mv, _)| mv.name(state.rules()).to_string()).collect()
    }

    #[test]
    fn every_position_has_correct_and_wrong_moves_and_is_not_lost() {
        let ids: BTreeSet<&str> = LESSONS.iter().map(|lesson| lesson.id).collect();
        assert_eq!(ids.len(), LESSONS.len());
        for lesson in LESSONS.iter() {
            for state in lesson.states() {
                let answers = Lesson::survey(&state);
                assert!(answers.iter().all(|(_, answer)| answer.proven), "{}", lesson.id);
                assert_ne!(Answer::from_moves(&answers).value(), Some(Value::Loss), "{}", lesson.id);
                let correct = answers.iter().filter(|(mv, _)| Grade::of(&state, &answers, *mv).is_correct);
                let n_correct = correct.count();
                assert!(n_correct > 0 && n_correct < answers.len(), "{} {state}: {n_correct}", lesson.id);
            }
        }
        let n_positions: usize = LESSONS.iter().map(|lesson| lesson.states().len()).sum();
        assert_eq!((LESSONS.len(), n_positions), (13, 34));
    }

    #[test]
    fn the_solver_proves_what_the_texts_claim() {
        assert_eq!(correct_moves("answer-corner"), ["B2"]);
        assert_eq!(correct_moves("answer-centre"), ["A1", "A3", "C1", "C3"]);
        assert_eq!(correct_moves("no-fork"), ["A2", "B1", "B3", "C2"]);
        assert_eq!(correct_moves("misere-centre"), ["B2"]);
        assert_eq!(correct_moves("misere-mirror"), ["C3"]);
        assert_eq!(correct_moves("notakto-centre"), ["B2"]);
        assert_eq!(correct_moves("notakto-knight"), ["C1", "C3"]);
        let corner = correct_moves("notakto-corner");
        assert!(["B3", "C2"].iter().all(|knight| corner.iter().any(|name| name == knight)), "{corner:?}");
        assert_eq!(correct_moves("notakto-two"), ["1.A3"]);
    }

    #[test]
    fn the_forks_are_the_correct_moves_of_the_lesson_on_forks() {
        for state in lesson("fork").states() {
            let answers = Lesson::survey(&state);
            for &(mv, _) in &answers {
                let forks = reasons(&state, mv).iter().any(|reason| matches!(reason, Reason::Fork(_)));
                assert_eq!(Grade::of(&state, &answers, mv).is_correct, forks, "{state}");
            }
        }
    }

    #[test]
    fn a_grade_explains_what_the_move_does_and_what_follows() {
        let state = &LESSONS[0].states()[0];
        let answers = Lesson::survey(state);
        let grade = |name: &str| Grade::of(state, &answers, Rules::CLASSIC.parse_move(name).unwrap());
        assert_eq!(grade("X A3").explanation, "A3 completes A1-A2-A3: it wins at once.");
        assert_eq!(grade("X B3").explanation, "B3 blocks B1-B2-B3: it only draws, but another move wins.");
        assert!(!grade("X B3").is_correct);
    }
}
