//! Lessons in line mode.

use std::io::{self, Write};

use tictac::Move;

use super::{Lines, words};
use crate::course::{COURSE, Lesson};
use crate::files;
use crate::seat::Seat;
use crate::session::Session;

impl Lines<'_> {
    pub(super) fn list_lessons(out: &mut impl Write) -> io::Result<()> {
        for (number, lesson) in (1..).zip(&COURSE) {
            writeln!(out, "{number}. {}: {}.", lesson.chapter, lesson.title)?;
        }
        writeln!(out, "Say learn 1, or the number of another lesson.")
    }

    /// Begins a lesson by its number, or lists them.
    pub(super) fn learn(&mut self, number: &str, out: &mut impl Write) -> io::Result<()> {
        let place = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match place.filter(|&place| place < COURSE.len()) {
            Some(place) => self.begin_lesson(place, out),
            None => Self::list_lessons(out),
        }
    }

    pub(super) fn next_lesson(&mut self, out: &mut impl Write) -> io::Result<()> {
        let place = self.lesson.map_or(0, |(place, _)| place + 1);
        if place < COURSE.len() {
            self.begin_lesson(place, out)
        } else {
            writeln!(out, "That was the last lesson. Say new for a game.")
        }
    }

    pub(super) fn again(&mut self, out: &mut impl Write) -> io::Result<()> {
        let place = self.lesson.map_or(0, |(place, _)| place);
        self.begin_lesson(place, out)
    }

    fn begin_lesson(&mut self, place: usize, out: &mut impl Write) -> io::Result<()> {
        let lesson = &COURSE[place];
        self.lesson = Some((place, lesson));
        self.source = None;
        self.session = Session::new(lesson.state(), [Seat::Person; 2], self.seed);
        writeln!(out, "Lesson {}, {}: {}.", place + 1, lesson.chapter, lesson.title)?;
        writeln!(out, "{}", lesson.task)?;
        words::boards(self.session.state()).iter().try_for_each(|line| writeln!(out, "{line}"))
    }

    pub(super) fn attempt(
        &mut self,
        lesson: &'static Lesson,
        mv: Move,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let start = lesson.state();
        let answers = self.engine.survey(&start, &|| false);
        self.session = Session::new(start, [Seat::Person; 2], self.seed);
        if let Err(refusal) = self.session.play(mv) {
            return writeln!(out, "{}.", super::capital(&refusal.to_string()));
        }
        // Every attempt is made from the position of the lesson.
        self.session.undo();
        let mark = lesson.mark(&answers, mv);
        if !mark.is_right {
            return writeln!(out, "No. {} Try again.", mark.words);
        }
        writeln!(out, "Right! {}", mark.words)?;
        writeln!(out, "{}", lesson.moral)?;
        self.learned.insert(lesson.id.to_owned());
        if let Some(path) = &self.options.settings_file {
            let settings =
                crate::settings::Settings { learned: self.learned.clone(), ..self.options.settings.clone() };
            // That it cannot be remembered is not worth an interruption.
            let _ = files::write_settings(path, &settings);
        }
        writeln!(out, "Say next for the next lesson.")
    }
}
