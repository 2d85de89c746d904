//! Lessons in line mode.

use std::io::{self, Write};

use tictac::Move;

use super::{LineMode, describe, write_error};
use crate::app::exercise::{Exercise, LessonStep};
use crate::options::today;
use crate::seat::Seat;
use crate::session::GameSession;
use tictac_solver::lessons::{Grade, LESSONS};

impl LineMode<'_> {
    pub(super) fn list_lessons(out: &mut impl Write) -> io::Result<()> {
        for (number, lesson) in (1..).zip(LESSONS.iter()) {
            writeln!(out, "{number}. {}: {}.", lesson.chapter(), lesson.title)?;
        }
        writeln!(out, "Type learn and the number of a lesson, such as learn 1.")
    }

    /// Starts the lesson with this number, or lists all lessons.
    pub(super) fn learn(&mut self, number: &str, out: &mut impl Write) -> io::Result<()> {
        let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match index.filter(|&index| index < LESSONS.len()) {
            Some(index) => self.begin_step(LessonStep::first(index), out),
            None => Self::list_lessons(out),
        }
    }

    pub(super) fn next_lesson(&mut self, out: &mut impl Write) -> io::Result<()> {
        let index = self.lesson.map_or(0, |step| step.index + 1);
        if index < LESSONS.len() {
            self.begin_step(LessonStep::first(index), out)
        } else {
            writeln!(out, "That was the last lesson. Type new to play a game.")
        }
    }

    pub(super) fn begin_step(&mut self, step: LessonStep, out: &mut impl Write) -> io::Result<()> {
        let lesson = step.lesson();
        self.set_game(GameSession::new(Exercise::Lesson(step).state(), [Seat::Person; 2], self.seed));
        (self.lesson, self.n_hints) = (Some(step), 0);
        writeln!(out, "Lesson {}, {}.", step.index + 1, Exercise::Lesson(step).title())?;
        writeln!(out, "{}", lesson.task_at(step.position))?;
        describe::boards(self.session.state(), out)
    }

    pub(super) fn attempt(&mut self, step: LessonStep, mv: Move, out: &mut impl Write) -> io::Result<()> {
        let start = Exercise::Lesson(step).state();
        let answers = self.engine.survey(&start, &|| false);
        self.session = GameSession::new(start.clone(), [Seat::Person; 2], self.seed);
        if let Err(error) = self.session.play(mv) {
            return write_error(&error, out);
        }
        // Every attempt starts from the position of the lesson.
        self.session.undo();
        let grade = Grade::of(&start, &answers, mv);
        if !grade.is_correct {
            self.lesson = Some(LessonStep { is_missed: true, ..step });
            return writeln!(out, "Not quite. {} Try again.", grade.explanation);
        }
        writeln!(out, "Correct! {}", grade.explanation)?;
        if let Some(takeaway) = Exercise::Lesson(step).takeaway() {
            writeln!(out, "{takeaway}")?;
        }
        if let Some(next) = step.next() {
            return self.begin_step(next, out);
        }
        self.settings.solved_lessons.insert(step.lesson().id.to_owned());
        self.settings.lesson_schedule.solved(step.lesson().id, step.is_missed, today());
        if let Some(folder) = &self.options.folder {
            // A failure to write the settings is not worth interrupting the lesson.
            let _ = folder.write_settings(&self.settings);
        }
        writeln!(out, "That was the last position of this lesson. Type next for the next lesson.")
    }
}
