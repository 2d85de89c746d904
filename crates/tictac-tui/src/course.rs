//! The lessons: positions to solve, checked by the solver.

use tictac::notation::{SpokenReason, best_prospect};
use tictac::solve::{Answer, Value};
use tictac::{JudgedMove, Move, Rules, State, Verdict, reasons};

/// A position to solve, and what can be learnt from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// A short name, by which it is remembered.
    pub id: &'static str,
    /// The game that it is about.
    pub chapter: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What it is about, and what is to be done.
    pub task: &'static str,
    /// What to take from it, once it is solved.
    pub moral: &'static str,
    rules: &'static str,
    position: &'static str,
}

/// What the solver says of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Whether no move is better; a longer way to the same end counts.
    pub is_right: bool,
    /// What the move does and brings, in a sentence.
    pub words: String,
}

impl Lesson {
    /// Where the lesson begins.
    pub fn state(&self) -> State {
        let rules: Rules = self.rules.parse().expect("a test reads every lesson");
        State::parse(self.position, &rules).expect("a test reads every lesson")
    }

    /// Marks an attempt by what the solver knows about every move of the lesson's position.
    pub fn mark(&self, answers: &[(Move, Answer)], mv: Move) -> Mark {
        let state = self.state();
        let judged = JudgedMove::among(answers, mv);
        let is_right = matches!(judged.verdict, Some(Verdict::Best | Verdict::Ok));
        let rules = *state.rules();
        let mut words = mv.name(&rules).to_string();
        for (place, reason) in reasons(&state, mv).iter().enumerate() {
            let joint = if place == 0 { " " } else { " and " };
            words.extend([joint, &SpokenReason { grid: rules.grid(), reason }.to_string()]);
        }
        let end = if is_right { good_end(&judged.after) } else { bad_end(&judged.before, &judged.after) };
        Mark { is_right, words: format!("{words}: {end}.") }
    }
}

fn good_end(after: &Answer) -> String {
    match after.value() {
        Some(Value::Draw) => "it holds the draw, and no move does more".to_owned(),
        _ => format!("it {}", best_prospect(after)),
    }
}

fn bad_end(before: &Answer, after: &Answer) -> String {
    let lost = match before.value() {
        Some(Value::Win) => "there is a win",
        _ => "there is a draw",
    };
    match (after.value(), after.distance) {
        (Some(Value::Loss), Some(1)) => format!("it loses at once, and {lost}"),
        (Some(Value::Loss), Some(plies)) => format!("it loses in {plies} plies, and {lost}"),
        (Some(Value::Loss), None) => format!("it loses, and {lost}"),
        (Some(Value::Draw), _) => "it only draws, and there is a win".to_owned(),
        _ => "the solver cannot tell".to_owned(),
    }
}

/// All lessons, in the order in which they are best taken.
pub const COURSE: [Lesson; 13] = [
    Lesson {
        id: "finish",
        chapter: "Tic-tac-toe",
        title: "Finish",
        task: "You are X. Two of your marks stand in a row and the third square is free. Win.",
        moral: "Before anything else, look whether you can complete a line. It ends the game, whatever the other threatens.",
        rules: "3,3,3",
        position: "XX./OO./... X",
    },
    Lesson {
        id: "block",
        chapter: "Tic-tac-toe",
        title: "Block",
        task: "You are O and cannot win at once, but X can with his next move. Stop him.",
        moral: "If you cannot complete a line, look whether the other can. One square, and it is yours.",
        rules: "3,3,3",
        position: "X../.O./X.. O",
    },
    Lesson {
        id: "fork",
        chapter: "Tic-tac-toe",
        title: "Fork",
        task: "You are X. One threat is blocked; two at once are not. Find a square that makes two threats.",
        moral: "A fork is how games of tic-tac-toe are won: two open lines that cross in an empty square.",
        rules: "3,3,3",
        position: "XO./.X./..O X",
    },
    Lesson {
        id: "no-fork",
        chapter: "Tic-tac-toe",
        title: "Against the fork",
        task: "You are O and hold the centre; X holds two opposite corners and wants a third one. Do not let him fork.",
        moral: "Make a threat of your own that X must answer elsewhere. A corner looks strong here and loses: X blocks \
                it and forks with the same move.",
        rules: "3,3,3",
        position: "X../.O./..X O",
    },
    Lesson {
        id: "answer-corner",
        chapter: "Tic-tac-toe",
        title: "Why corners",
        task: "X has opened in a corner. You are O: exactly one answer holds the game.",
        moral: "That is why corners are good openings: seven of eight answers lose. After the centre only four of eight do.",
        rules: "3,3,3",
        position: "X../.../... O",
    },
    Lesson {
        id: "answer-centre",
        chapter: "Tic-tac-toe",
        title: "Corner against centre",
        task: "X has opened in the centre. You are O: half of the squares lose. Which kind of square holds?",
        moral: "Three lines go through a corner and only two through a side, and the centre has taken one from each.",
        rules: "3,3,3",
        position: ".../.X./... O",
    },
    Lesson {
        id: "misere-safe",
        chapter: "Misère",
        title: "Three in a row lose",
        task: "Now three in a row lose, and X has begun badly. You are O, and some squares win. Find one.",
        moral: "In misère, two of your marks in a row poison the third square. Count how many safe squares each side \
                has left: whoever runs out of them loses.",
        rules: "misere",
        position: "XO./.../.X. O",
    },
    Lesson {
        id: "misere-centre",
        chapter: "Misère",
        title: "The first move",
        task: "Three in a row lose, and you begin. More lines go through the centre than through any other square. Where?",
        moral: "The centre, all the same, and nothing else: from there every move of O has a mirror image.",
        rules: "misere",
        position: ".../.../... X",
    },
    Lesson {
        id: "misere-mirror",
        chapter: "Misère",
        title: "The mirror",
        task: "You hold the centre and O took a corner. One square keeps the draw.",
        moral: "Answer opposite, through the centre. If you ever completed a line, O would have completed its mirror \
                image before you.",
        rules: "misere",
        position: "O../.X./... X",
    },
    Lesson {
        id: "notakto-centre",
        chapter: "Notakto",
        title: "Why the centre",
        task: "Notakto: both write X, and whoever completes three in a row loses. You begin on one board. Win.",
        moral: "Only the centre wins. From now on every X poisons the square opposite to it, on the line through the \
                centre: there is less to keep in engine, and it is you who keeps count.",
        rules: "notakto",
        position: ".../.../... 1",
    },
    Lesson {
        id: "notakto-knight",
        chapter: "Notakto",
        title: "Why the knight's move",
        task: "You hold the centre, and the other took a side. Win.",
        moral: "A knight's move away from his X, as in chess: two steps and one aside. Nothing else wins here.",
        rules: "notakto",
        position: ".X./.X./... 1",
    },
    Lesson {
        id: "notakto-corner",
        chapter: "Notakto",
        title: "The knight again",
        task: "You hold the centre, and the other took a corner. Several squares win; the knight's move is among them.",
        moral: "Centre first, then a knight's move away from his last X: on one board that is all you need to know.",
        rules: "notakto",
        position: "X../.X./... 1",
    },
    Lesson {
        id: "notakto-two",
        chapter: "Notakto",
        title: "A board too many",
        task: "Two boards: whoever completes the last line loses. A finished board is out of play. It is your move: win.",
        moral: "To finish a board is not to lose, unless it is the last one. It leaves the other to move where the \
                centre is already taken, and there the second player wins.",
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

    /// The names of the moves that the solver marks as right, by the id of a lesson.
    fn right(id: &str) -> Vec<String> {
        let lesson = COURSE.iter().find(|lesson| lesson.id == id).unwrap();
        let answers = survey(lesson);
        let rules = *lesson.state().rules();
        let marked = answers.iter().filter(|(mv, _)| lesson.mark(&answers, *mv).is_right);
        marked.map(|&(mv, _)| mv.name(&rules).to_string()).collect()
    }

    #[test]
    fn every_lesson_has_right_and_wrong_moves_and_nothing_in_it_is_lost() {
        let ids: BTreeSet<&str> = COURSE.iter().map(|lesson| lesson.id).collect();
        assert_eq!(ids.len(), COURSE.len());
        for lesson in &COURSE {
            let answers = survey(lesson);
            assert!(answers.iter().all(|(_, answer)| answer.proven), "{}", lesson.id);
            assert_ne!(Answer::from_moves(&answers).value(), Some(Value::Loss), "{}", lesson.id);
            let n_right = answers.iter().filter(|(mv, _)| lesson.mark(&answers, *mv).is_right).count();
            assert!(n_right > 0 && n_right < answers.len(), "{}: {n_right}", lesson.id);
        }
    }

    #[test]
    fn the_texts_claim_what_the_solver_proves() {
        assert_eq!(right("answer-corner"), ["B2"]);
        assert_eq!(right("answer-centre"), ["A1", "A3", "C1", "C3"]);
        assert_eq!(right("no-fork"), ["A2", "B1", "B3", "C2"]);
        assert_eq!(right("misere-centre"), ["B2"]);
        assert_eq!(right("misere-mirror"), ["C3"]);
        assert_eq!(right("notakto-centre"), ["B2"]);
        assert_eq!(right("notakto-knight"), ["C1", "C3"]);
        assert!(["B3", "C2"].iter().all(|knight| right("notakto-corner").iter().any(|name| name == knight)));
        assert_eq!(right("notakto-two"), ["1.A3"]);
    }

    #[test]
    fn a_fork_is_what_wins_in_the_lesson_on_forks() {
        let lesson = COURSE.iter().find(|lesson| lesson.id == "fork").unwrap();
        let answers = survey(lesson);
        for &(mv, _) in &answers {
            let forks = reasons(&lesson.state(), mv).iter().any(|reason| matches!(reason, Reason::Fork(_)));
            assert_eq!(lesson.mark(&answers, mv).is_right, forks);
        }
    }

    #[test]
    fn a_mark_says_what_the_move_does_and_brings() {
        let lesson = &COURSE[0];
        let answers = survey(lesson);
        let mark = |name: &str| lesson.mark(&answers, Rules::CLASSIC.parse_move(name).unwrap());
        assert_eq!(mark("X A3").words, "A3 completes A1-A2-A3: it wins at once.");
        assert_eq!(
            mark("X B3").words,
            "B3 blocks B1-B2-B3 and threatens A3: it only draws, and there is a win."
        );
        assert!(!mark("X B3").is_right);
    }
}
