//! When lessons that were missed come again: after a day, and then at growing intervals.

use std::collections::BTreeMap;
use std::fmt;

/// The lessons to repeat, each with the day on which it is due. Days count from 1970.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LessonSchedule {
    due: BTreeMap<String, DueLesson>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DueLesson {
    // The index of the current interval.
    stage: usize,
    day: u64,
}

/// The days between two repetitions; a lesson that is solved after the last of them is learned.
const INTERVALS: [u64; 4] = [1, 3, 7, 21];
/// The maximum number of lessons that are read from a file.
const MAX_LESSONS: usize = 100;

impl LessonSchedule {
    /// Notes that a lesson was solved today, and whether a move was wrong or a hint named the square.
    pub fn solved(&mut self, id: &str, is_missed: bool, today: u64) {
        if is_missed {
            self.due.insert(id.to_owned(), DueLesson { stage: 0, day: today + INTERVALS[0] });
            return;
        }
        let Some(lesson) = self.due.get_mut(id).filter(|lesson| lesson.day <= today) else { return };
        lesson.stage += 1;
        match INTERVALS.get(lesson.stage) {
            Some(days) => lesson.day = today + days,
            None => drop(self.due.remove(id)),
        }
    }

    /// Returns whether a lesson is due today.
    pub fn is_due(&self, id: &str, today: u64) -> bool {
        self.due.get(id).is_some_and(|lesson| lesson.day <= today)
    }

    /// Parses words such as `fork:0:20410`; those that are not understood are ignored.
    pub(crate) fn parse(text: &str) -> LessonSchedule {
        let lesson = |word: &str| {
            let mut parts = word.split(':');
            let id = parts.next()?.to_owned();
            let stage = parts.next()?.parse().ok().filter(|&stage| stage < INTERVALS.len())?;
            // A day far in the future would be as good as a lesson that never comes again.
            let day = parts.next()?.parse().ok().filter(|&day: &u64| day < 1 << 20)?;
            Some((id, DueLesson { stage, day }))
        };
        LessonSchedule { due: text.split_whitespace().take(MAX_LESSONS).filter_map(lesson).collect() }
    }
}

/// Writes the schedule as `LessonSchedule::parse` reads it.
impl fmt::Display for LessonSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (id, lesson)) in self.due.iter().enumerate() {
            let space = if place == 0 { "" } else { " " };
            write!(f, "{space}{id}:{}:{}", lesson.stage, lesson.day)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_lesson_comes_again_at_growing_intervals_until_it_is_learned() {
        let mut schedule = LessonSchedule::default();
        schedule.solved("fork", false, 100);
        assert_eq!(schedule, LessonSchedule::default());
        schedule.solved("fork", true, 100);
        let mut today = 100;
        for days in INTERVALS {
            assert!(!schedule.is_due("fork", today + days - 1));
            // Practice before the day changes nothing.
            schedule.solved("fork", false, today + days - 1);
            today += days;
            assert!(schedule.is_due("fork", today), "{today}");
            schedule.solved("fork", false, today);
        }
        assert_eq!(schedule, LessonSchedule::default());
        // A mistake starts again with the shortest interval.
        schedule.solved("fork", true, 1);
        schedule.solved("fork", false, 2);
        schedule.solved("fork", true, 5);
        assert!(schedule.is_due("fork", 6));
    }

    #[test]
    fn a_schedule_parses_back() {
        let text = "block:3:20000 fork:0:20410";
        assert_eq!(LessonSchedule::parse(text).to_string(), text);
        let odd = "x fork block:9:1 no:0 :: a:0:99999999999 b:-1:2 finish:1:5";
        assert_eq!(LessonSchedule::parse(odd).to_string(), "finish:1:5");
    }
}
