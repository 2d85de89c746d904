//! A position to solve: a lesson, or a mistake to play again.

use tictac::{Move, State};
use tictac_solver::lessons::{Grade, LESSONS, Lesson};
use tictac_solver::{Answer, Hint};

use crate::review::MistakeReview;

/// A position to solve.
#[derive(Clone, Debug)]
pub enum Exercise {
    /// A position of a lesson.
    Lesson(LessonStep),
    /// A mistake of a game.
    Mistake(Box<MistakeReview>),
}

/// A position of a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LessonStep {
    /// The index of the lesson in [`LESSONS`].
    pub index: usize,
    /// The index of the position in the lesson.
    pub position: usize,
    /// Whether a move was wrong, or a hint named the square, in this position or an earlier one.
    pub is_missed: bool,
}

impl LessonStep {
    /// Returns the first position of a lesson.
    pub const fn first(index: usize) -> LessonStep {
        LessonStep { index, position: 0, is_missed: false }
    }

    /// Returns the lesson.
    pub fn lesson(&self) -> &'static Lesson {
        &LESSONS[self.index]
    }

    /// Returns the next position of the lesson, if there is one.
    pub fn next(&self) -> Option<LessonStep> {
        let position = self.position + 1;
        (position < self.lesson().states().len()).then_some(LessonStep { position, ..*self })
    }

    /// Returns the first position of the next lesson, if there is one.
    pub fn next_lesson(&self) -> Option<LessonStep> {
        let index = self.index + 1;
        (index < LESSONS.len()).then_some(LessonStep::first(index))
    }
}

/// An attempt at an exercise.
#[derive(Clone, Debug)]
pub struct ExerciseAttempt {
    /// The position to solve.
    pub exercise: Exercise,
    /// The grade of the move, once there is one.
    pub grade: Option<Grade>,
    /// What is proved about every move of the position, once that is known.
    pub answers: Option<Vec<(Move, Answer)>>,
    /// The number of hints that were shown.
    pub n_hints: usize,
}

impl Exercise {
    /// Returns the position to solve.
    pub fn state(&self) -> State {
        match self {
            Exercise::Lesson(step) => step.lesson().states()[step.position].clone(),
            Exercise::Mistake(review) => review.current().state.clone(),
        }
    }

    /// Returns the heading.
    pub fn title(&self) -> String {
        match self {
            Exercise::Lesson(step) => {
                let (lesson, n_positions) = (step.lesson(), step.lesson().states().len());
                let number = if n_positions > 1 {
                    format!(" ({} of {n_positions})", step.position + 1)
                } else {
                    String::new()
                };
                format!("{}: {}{number}", lesson.chapter(), lesson.title)
            }
            Exercise::Mistake(review) => review.title(),
        }
    }

    /// Returns what the player has to do.
    pub fn task(&self) -> String {
        match self {
            Exercise::Lesson(step) => {
                let task = step.lesson().task_at(step.position);
                let (state, is_told) =
                    (self.state(), task.contains("You are ") || task.contains("both players"));
                match state.mark_of(state.next_player()) {
                    _ if is_told => task.to_owned(),
                    Some(mark) => format!("You are {mark}. {task}"),
                    None => format!("Both players write X. {task}"),
                }
            }
            Exercise::Mistake(review) => review.task(),
        }
    }

    /// Returns what the player learns from solving it, if there is a text.
    pub fn takeaway(&self) -> Option<&'static str> {
        match self {
            Exercise::Lesson(step) if step.position == 0 => Some(step.lesson().takeaway),
            Exercise::Lesson(_) | Exercise::Mistake(_) => None,
        }
    }
}

impl ExerciseAttempt {
    /// Returns an attempt that has just begun.
    pub const fn new(exercise: Exercise) -> ExerciseAttempt {
        ExerciseAttempt { exercise, grade: None, answers: None, n_hints: 0 }
    }

    /// Shows the next hint of a lesson: first its idea, then the row. After that, and in other exercises, the solver
    /// names the square.
    pub(crate) fn next_hint(&mut self) -> Option<String> {
        let Exercise::Lesson(step) = &mut self.exercise else { return None };
        self.n_hints += 1;
        let state = &step.lesson().states()[step.position];
        let best = self.answers.as_ref().and_then(|answers| Hint::new(state, answers, None));
        match (self.n_hints, best) {
            (1, _) => Some(format!("Hint: {}", step.lesson().hint)),
            (2, Some(hint)) => {
                let name = state.rules().grid().name(hint.mv.square).to_string();
                let row = name.trim_end_matches(|c: char| c.is_ascii_digit());
                Some(format!("Hint: play in row {row}."))
            }
            _ => {
                step.is_missed = true;
                None
            }
        }
    }

    /// Returns whether the exercise is solved.
    pub fn is_solved(&self) -> bool {
        self.grade.as_ref().is_some_and(|grade| grade.is_correct)
    }
}
