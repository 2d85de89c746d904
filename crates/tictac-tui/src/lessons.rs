//! The lessons: positions to solve, graded by the solver.

use tictac::notation::{best_prospect, prospect};
use tictac::solve::{Answer, Value};
use tictac::{JudgedMove, Move, Rules, State, Verdict, reasons};

/// A position to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The name under which the settings remember the lesson.
    pub id: &'static str,
    /// The heading of the lesson.
    pub title: &'static str,
    /// What the student has to do.
    pub task: &'static str,
    /// What the student learns, shown once the lesson is solved.
    pub takeaway: &'static str,
    rules: &'static str,
    position: &'static str,
}

/// The solver's grade for an attempt at a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grade {
    /// Whether no move has a better result; a slower win is correct too.
    pub is_correct: bool,
    /// What the move does and what follows from it, in one sentence.
    pub explanation: String,
}

impl Lesson {
    /// Returns the name of the game that the lesson is about.
    pub fn chapter(&self) -> &'static str {
        match self.rules {
            "3,3,3" => "Tic-tac-toe",
            "misere" => "Misère",
            _ => "Notakto",
        }
    }

    /// Returns the position to solve.
    pub fn state(&self) -> State {
        let rules: Rules = self.rules.parse().expect("a test parses every lesson");
        State::parse(self.position, &rules).expect("a test parses every lesson")
    }

    /// Grades a move, given what is proved about every move of the lesson's position.
    pub fn grade(&self, answers: &[(Move, Answer)], mv: Move) -> Grade {
        let state = self.state();
        let judged = JudgedMove::among(answers, mv);
        let is_correct = matches!(judged.verdict, Some(Verdict::Best | Verdict::Ok));
        let rules = *state.rules();
        let mut text = mv.name(&rules).to_string();
        for (place, reason) in reasons(&state, mv).iter().enumerate() {
            let joint = if place == 0 { " " } else { " and " };
            text.extend([joint, &reason.phrase(rules.grid())]);
        }
        let after = &judged.after;
        let result = match (is_correct, judged.before.value(), after.value()) {
            (true, _, Some(Value::Draw)) => "it holds the draw, and no move does better".to_owned(),
            (true, ..) => format!("it {}", best_prospect(after)),
            (false, Some(Value::Win), Some(Value::Loss)) => {
                format!("it {}, but another move wins", prospect(after))
            }
            (false, _, Some(Value::Loss)) => format!("it {}, but another move draws", prospect(after)),
            (false, _, Some(Value::Draw)) => "it only draws, but another move wins".to_owned(),
            (false, ..) => "the solver cannot tell".to_owned(),
        };
        Grade { is_correct, explanation: format!("{text}: {result}.") }
    }
}

/// All lessons, in the order in which they build on each other.
pub const LESSONS: [Lesson; 13] = [
    Lesson {
        id: "finish",
        title: "Finish",
        task: "You are X. You have two in a row and the third square is free. Win.",
        takeaway: "First look for a line that you can complete. It ends the game, whatever your opponent threatens.",
        rules: "3,3,3",
        position: "XX./OO./... X",
    },
    Lesson {
        id: "block",
        title: "Block",
        task: "You are O. You cannot win now, but X wins with the next move. Stop it.",
        takeaway: "If you cannot complete a line, look for one that your opponent can complete, and take that square.",
        rules: "3,3,3",
        position: "X../.O./X.. O",
    },
    Lesson {
        id: "fork",
        title: "Fork",
        task: "You are X. One threat can be blocked, two cannot. Find a square that makes two threats.",
        takeaway: "Forks win games of tic-tac-toe: look for two open lines that cross in an empty square.",
        rules: "3,3,3",
        position: "XO./.X./..O X",
    },
    Lesson {
        id: "no-fork",
        title: "Against the fork",
        task: "You are O and hold the centre. X holds two opposite corners and wants to fork. Prevent it.",
        takeaway: "Make a threat that X has to block. A corner looks strong here but loses: X blocks it and forks with \
                   the same move.",
        rules: "3,3,3",
        position: "X../.O./..X O",
    },
    Lesson {
        id: "answer-corner",
        title: "Why corners",
        task: "X has opened in a corner. You are O. Only one reply does not lose.",
        takeaway: "That is why corners are good openings: seven of eight replies lose. After the centre only four of \
                   eight do.",
        rules: "3,3,3",
        position: "X../.../... O",
    },
    Lesson {
        id: "answer-centre",
        title: "Corner against centre",
        task: "X has opened in the centre. You are O. Half of the squares lose: which kind is safe?",
        takeaway: "A corner lies on three lines, a side on only two, and the centre has taken one of each.",
        rules: "3,3,3",
        position: ".../.X./... O",
    },
    Lesson {
        id: "misere-safe",
        title: "Three in a row loses",
        task: "In misère, three in a row loses. X has started badly. You are O: find a move that wins.",
        takeaway: "Two of your marks in a row make the third square unsafe for you. Count the safe squares of each side: \
                   the player who runs out of them loses.",
        rules: "misere",
        position: "XO./.../.X. O",
    },
    Lesson {
        id: "misere-centre",
        title: "The first move",
        task: "Three in a row loses, and you move first. More lines cross the centre than any other square. Where do \
               you play?",
        takeaway: "The centre, surprisingly, and nowhere else: from there every move of O has a mirror image.",
        rules: "misere",
        position: ".../.../... X",
    },
    Lesson {
        id: "misere-mirror",
        title: "The mirror",
        task: "You hold the centre and O took a corner. Only one square keeps the draw.",
        takeaway: "Play opposite your opponent, through the centre. Before you could complete a line, O would have \
                   completed its mirror image.",
        rules: "misere",
        position: "O../.X./... X",
    },
    Lesson {
        id: "notakto-centre",
        title: "Why the centre",
        task: "In Notakto both players write X, and the player who completes three in a row loses. You move first on \
               one board. Win.",
        takeaway: "Only the centre wins. After it every X makes the opposite square unsafe, on the line through the \
                   centre, so the rest is easy to count.",
        rules: "notakto",
        position: ".../.../... 1",
    },
    Lesson {
        id: "notakto-knight",
        title: "Why the knight's move",
        task: "You hold the centre, and your opponent took a side. Win.",
        takeaway: "A knight's move away from the last X, as in chess: two squares one way and one to the side. Nothing \
                   else wins here.",
        rules: "notakto",
        position: ".X./.X./... 1",
    },
    Lesson {
        id: "notakto-corner",
        title: "The knight again",
        task: "You hold the centre, and your opponent took a corner. Several squares win, the knight's move among them.",
        takeaway: "The centre first, then a knight's move away from the last X: on one board that is all you need.",
        rules: "notakto",
        position: "X../.X./... 1",
    },
    Lesson {
        id: "notakto-two",
        title: "One board too many",
        task: "Two boards: a finished board is out of play, and the player who finishes the last one loses. It is your \
               move. Win.",
        takeaway: "Finishing a board loses only if it is the last one. Here it leaves your opponent to move on a board \
                   whose centre is taken, where the second player wins.",
        rules: "notakto boards=2",
        position: "XX./.../...+.../.X./... 2",
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use tictac::Reason;

    use super::*;
    use crate::engine::TimedEngine;

    fn survey(lesson: &Lesson) -> Vec<(Move, Answer)> {
        TimedEngine::new(Duration::from_mins(1)).survey(&lesson.state(), &|| false)
    }

    /// Returns the names of the correct moves of the lesson with this id.
    fn correct_moves(id: &str) -> Vec<String> {
        let lesson = LESSONS.iter().find(|lesson| lesson.id == id).unwrap();
        let answers = survey(lesson);
        let rules = *lesson.state().rules();
        let correct = answers.iter().filter(|(mv, _)| lesson.grade(&answers, *mv).is_correct);
        correct.map(|&(mv, _)| mv.name(&rules).to_string()).collect()
    }

    #[test]
    fn every_lesson_has_correct_and_wrong_moves_and_is_not_lost() {
        let ids: BTreeSet<&str> = LESSONS.iter().map(|lesson| lesson.id).collect();
        assert_eq!(ids.len(), LESSONS.len());
        for lesson in &LESSONS {
            let answers = survey(lesson);
            assert!(answers.iter().all(|(_, answer)| answer.proven), "{}", lesson.id);
            assert_ne!(Answer::from_moves(&answers).value(), Some(Value::Loss), "{}", lesson.id);
            let n_correct = answers.iter().filter(|(mv, _)| lesson.grade(&answers, *mv).is_correct).count();
            assert!(n_correct > 0 && n_correct < answers.len(), "{}: {n_correct}", lesson.id);
        }
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
        let lesson = LESSONS.iter().find(|lesson| lesson.id == "fork").unwrap();
        let answers = survey(lesson);
        for &(mv, _) in &answers {
            let forks = reasons(&lesson.state(), mv).iter().any(|reason| matches!(reason, Reason::Fork(_)));
            assert_eq!(lesson.grade(&answers, mv).is_correct, forks);
        }
    }

    #[test]
    fn a_grade_explains_what_the_move_does_and_what_follows() {
        let lesson = &LESSONS[0];
        let answers = survey(lesson);
        let grade = |name: &str| lesson.grade(&answers, Rules::CLASSIC.parse_move(name).unwrap());
        assert_eq!(grade("X A3").explanation, "A3 completes A1-A2-A3: it wins at once.");
        assert_eq!(
            grade("X B3").explanation,
            "B3 blocks B1-B2-B3 and threatens A3: it only draws, but another move wins."
        );
        assert!(!grade("X B3").is_correct);
    }
}
