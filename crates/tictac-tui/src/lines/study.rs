//! Lessons, verdicts and mistakes in line mode.

use std::io::{self, Write};

use tictac::Move;
use tictac_solver::lessons::LESSONS;

use super::{LineMode, describe};
use crate::app::exercise::{Exercise, LessonStep};
use crate::review::FoundMistakes;

impl LineMode<'_> {
    pub(super) fn list_lessons(out: &mut impl Write) -> io::Result<()> {
        for (number, lesson) in (1..).zip(LESSONS.iter()) {
            writeln!(out, "{number}. {}: {}.", lesson.chapter(), lesson.title)?;
        }
        writeln!(out, "Type learn and the number of a lesson, such as learn 1.")
    }

    /// Returns the current position of a lesson, if the game is one.
    pub(super) fn lesson(&self) -> Option<LessonStep> {
        match self.view().exercise.as_ref()?.exercise {
            Exercise::Lesson(step) => Some(step),
            Exercise::Mistake(_) => None,
        }
    }

    /// Starts the lesson with this number, or lists all lessons.
    pub(super) fn learn(&mut self, number: &str, out: &mut impl Write) -> io::Result<()> {
        let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match index.filter(|&index| index < LESSONS.len()) {
            Some(index) => return self.begin_step(LessonStep::first(index), out),
            None if number.is_empty() => {}
            None => writeln!(out, "There is no lesson {number}.")?,
        }
        Self::list_lessons(out)
    }

    /// Starts the next position or lesson; `started` is the one that was started just before, after a correct move.
    pub(super) fn next_lesson(
        &mut self,
        started: Option<LessonStep>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let next = match self.lesson() {
            Some(step) => started.or_else(|| step.next()).or_else(|| step.next_lesson()),
            None => Some(LessonStep::first(0)),
        };
        match next {
            Some(step) => self.begin_step(step, out),
            None => writeln!(out, "{} Type new to play a game.", self.app.lessons_summary()),
        }
    }

    pub(super) fn begin_step(&mut self, step: LessonStep, out: &mut impl Write) -> io::Result<()> {
        let exercise = Exercise::Lesson(step);
        writeln!(out, "Lesson {}, {}.", step.index + 1, exercise.title())?;
        writeln!(out, "{}", exercise.task())?;
        self.leave_game();
        self.app.start_exercise(exercise);
        describe::boards(self.session().state(), out)
    }

    /// Grades a move in the position of a lesson, from which every attempt starts.
    pub(super) fn attempt(&mut self, mv: Move, out: &mut impl Write) -> io::Result<()> {
        let view = self.view_mut();
        view.session.step(isize::MIN);
        view.position_changed();
        (view.board, view.square, view.mark) = (mv.board as usize, mv.square, mv.mark);
        let mut effects = Vec::new();
        self.app.play(&mut effects);
        self.carry_out(effects);
        let Some(attempt) = self.view().exercise.clone() else { return Ok(()) };
        self.view_mut().session.step(isize::MIN);
        self.view_mut().position_changed();
        let Some(grade) = attempt.grade else {
            return writeln!(out, "{}", self.app.message.take().unwrap_or_default());
        };
        if !grade.is_correct {
            return writeln!(out, "Not quite. {} Try again.", grade.explanation);
        }
        writeln!(out, "Correct! {}", grade.explanation)?;
        if let Some(takeaway) = attempt.exercise.takeaway() {
            writeln!(out, "{takeaway}")?;
        }
        match self.lesson().and_then(|step| step.next()) {
            Some(next) => {
                self.next_step = Some(next);
                self.begin_step(next, out)
            }
            None if self.lesson().is_some_and(|step| step.next_lesson().is_none()) => {
                writeln!(out, "{} Type new to play a game.", self.app.lessons_summary())
            }
            None => {
                writeln!(out, "That was the last position of this lesson. Type next for the next lesson.")
            }
        }
    }

    /// Writes the verdict on the last move.
    pub(super) fn write_verdict(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.view_mut().review.is_shown = true;
        self.think(out)?;
        let verdict = self.view().verdict();
        self.view_mut().review.is_shown = false;
        writeln!(out, "{}", verdict.as_deref().unwrap_or("There are no moves yet."))
    }

    /// Writes the mistakes of the person, or of both players, with the better moves.
    pub(super) fn write_review(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.view_mut().start_review();
        self.think(out)?;
        match self.view_mut().finish_review() {
            Some(FoundMistakes::Mistakes(review)) => review
                .mistakes
                .iter()
                .try_for_each(|(number, mistake)| writeln!(out, "Move {number}, {}", mistake.sentence())),
            Some(FoundMistakes::Nothing(message)) => writeln!(out, "{message}"),
            None => Ok(()),
        }
    }
}
