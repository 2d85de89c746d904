//! A position to solve: a lesson, or a mistake to play again.

use tictac::lessons::{Grade, LESSONS};
use tictac::solve::Answer;
use tictac::{Move, State};

use crate::review::MistakeReview;

/// A position to solve.
#[derive(Clone, Debug)]
pub enum Exercise {
    /// The lesson with this index in [`LESSONS`].
    Lesson(usize),
    /// A mistake of a game.
    Mistake(Box<MistakeReview>),
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
}

impl Exercise {
    /// Returns the position to solve.
    pub fn state(&self) -> State {
        match self {
            Exercise::Lesson(index) => LESSONS[*index].state(),
            Exercise::Mistake(review) => review.current().state.clone(),
        }
    }

    /// Returns the heading.
    pub fn title(&self) -> String {
        match self {
            Exercise::Lesson(index) => format!("{}: {}", LESSONS[*index].chapter(), LESSONS[*index].title),
            Exercise::Mistake(review) => review.title(),
        }
    }

    /// Returns what the player has to do.
    pub fn task(&self) -> String {
        match self {
            Exercise::Lesson(index) => LESSONS[*index].task.to_owned(),
            Exercise::Mistake(review) => review.task(),
        }
    }

    /// Returns what the player learns from solving it, if there is a text.
    pub fn takeaway(&self) -> Option<&'static str> {
        match self {
            Exercise::Lesson(index) => Some(LESSONS[*index].takeaway),
            Exercise::Mistake(_) => None,
        }
    }
}

impl ExerciseAttempt {
    /// Returns an attempt that has just begun.
    pub const fn new(exercise: Exercise) -> ExerciseAttempt {
        ExerciseAttempt { exercise, grade: None, answers: None }
    }

    /// Returns whether the exercise is solved.
    pub fn is_solved(&self) -> bool {
        self.grade.as_ref().is_some_and(|grade| grade.is_correct)
    }
}
