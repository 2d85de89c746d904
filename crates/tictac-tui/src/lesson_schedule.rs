//! When lessons that were missed come again: after a day, and then at growing intervals.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The lessons to repeat, each with the day on which it is due. Days count from 1970.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, DueLesson>", into = "BTreeMap<String, DueLesson>")]
pub struct LessonSchedule {
    due: BTreeMap<String, DueLesson>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
}

/// Takes lessons from a file, except those that cannot be: a day far in the future would be as good as never.
impl From<BTreeMap<String, DueLesson>> for LessonSchedule {
    fn from(due: BTreeMap<String, DueLesson>) -> LessonSchedule {
        let is_possible =
            |(_, lesson): &(String, DueLesson)| lesson.stage < INTERVALS.len() && lesson.day < 1 << 20;
        LessonSchedule { due: due.into_iter().filter(is_possible).take(MAX_LESSONS).collect() }
    }
}

impl From<LessonSchedule> for BTreeMap<String, DueLesson> {
    fn from(schedule: LessonSchedule) -> BTreeMap<String, DueLesson> {
        schedule.due
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
}
