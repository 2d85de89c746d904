//! Lessons in line mode.

use std::io::{self, Write};

use tictac::Move;

use super::{LineMode, describe, write_error};
use crate::seat::Seat;
use crate::session::GameSession;
use tictac::lessons::LESSONS;

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
            Some(index) => self.begin_lesson(index, out),
            None => Self::list_lessons(out),
        }
    }

    pub(super) fn next_lesson(&mut self, out: &mut impl Write) -> io::Result<()> {
        let index = self.lesson.map_or(0, |index| index + 1);
        if index < LESSONS.len() {
            self.begin_lesson(index, out)
        } else {
            writeln!(out, "That was the last lesson. Type new to play a game.")
        }
    }

    pub(super) fn begin_lesson(&mut self, index: usize, out: &mut impl Write) -> io::Result<()> {
        let lesson = &LESSONS[index];
        self.lesson = Some(index);
        self.source = None;
        self.session = GameSession::new(lesson.state(), [Seat::Person; 2], self.seed);
        writeln!(out, "Lesson {}, {}: {}.", index + 1, lesson.chapter(), lesson.title)?;
        writeln!(out, "{}", lesson.task)?;
        describe::boards(self.session.state(), out)
    }

    pub(super) fn attempt(&mut self, index: usize, mv: Move, out: &mut impl Write) -> io::Result<()> {
        let lesson = &LESSONS[index];
        let start = lesson.state();
        let answers = self.engine.survey(&start, &|| false);
        self.session = GameSession::new(start, [Seat::Person; 2], self.seed);
        if let Err(error) = self.session.play(mv) {
            return write_error(&error, out);
        }
        // Every attempt starts from the position of the lesson.
        self.session.undo();
        let grade = lesson.grade(&answers, mv);
        if !grade.is_correct {
            return writeln!(out, "Not quite. {} Try again.", grade.explanation);
        }
        writeln!(out, "Correct! {}", grade.explanation)?;
        writeln!(out, "{}", lesson.takeaway)?;
        self.settings.solved_lessons.insert(lesson.id.to_owned());
        if let Some(folder) = &self.options.folder {
            // A failure to write the settings is not worth interrupting the lesson.
            let _ = folder.write_settings(&self.settings);
        }
        writeln!(out, "Type next for the next lesson.")
    }
}
