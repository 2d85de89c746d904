// @ts-check
// Lessons work without scripts. This module remembers which ones were solved in this browser, and when those that were missed come
// again: after a day, and then at growing intervals, as in the terminal.

import { byId, h, recall, remember } from "./dom.js";
import { t } from "./text.js";

const SETTING = "tictac-lessons";
const SCHEDULE = "tictac-lessons-due";
/** The days between two repetitions; a lesson that is solved after the last of them is learned. */
const INTERVALS = [1, 3, 7, 21];

/**
 * The lessons to repeat, written as `fork:0:20410`: the index of the interval and the day on which the lesson is due, counted from
 * 1970. The interval of a lesson with a wrong move that is not solved yet is -1.
 *
 * @typedef {Map<string, { stage: number, day: number }>} LessonSchedule
 */

/**
 * Parses a schedule; words that are not understood are ignored.
 *
 * @param {string} text
 * @returns {LessonSchedule}
 */
export function parseSchedule(text) {
  const words = text.split(" ").map((word) => /^(\w[\w-]*):(-?\d):(\d{1,6})$/.exec(word));
  const known = words.filter((word) => word !== null).filter((word) => Number(word[2]) < INTERVALS.length);
  return new Map(known.map((word) => [word[1], { stage: Number(word[2]), day: Number(word[3]) }]));
}

/**
 * Notes that a move of a lesson was wrong, or that the lesson was solved.
 *
 * @param {LessonSchedule} schedule
 * @param {string} id
 * @param {boolean} isSolved
 * @param {number} today
 */
export function note(schedule, id, isSolved, today) {
  const lesson = schedule.get(id);
  if (!isSolved) {
    schedule.set(id, { stage: -1, day: today });
  } else if (lesson && lesson.day <= today) {
    const stage = lesson.stage + 1;
    if (stage < INTERVALS.length) {
      schedule.set(id, { stage, day: today + INTERVALS[stage] });
    } else {
      schedule.delete(id);
    }
  }
}

/** @param {LessonSchedule} schedule */
export function scheduleText(schedule) {
  return [...schedule].map(([id, { stage, day }]) => `${id}:${stage}:${day}`).join(" ");
}

/** Starts the page. */
export function start() {
  const solved = new Set((recall(SETTING) ?? "").split(" ").filter(Boolean));
  const schedule = parseSchedule(recall(SCHEDULE) ?? "");
  const today = Math.floor(Date.now() / 86_400_000);
  const lesson = document.querySelector(".game[data-lesson]");
  if (lesson instanceof HTMLElement) {
    const id = lesson.dataset.lesson ?? "";
    const isSolved = lesson.dataset.solved !== undefined;
    if (isSolved) {
      solved.add(id);
      remember(SETTING, [...solved].join(" "));
    }
    if (isSolved || lesson.dataset.missed !== undefined) {
      note(schedule, id, isSolved, today);
      remember(SCHEDULE, scheduleText(schedule));
    }
    // A student who was shown the square gets the lesson again, as after a wrong move.
    lesson.querySelector("details[data-answer]")?.addEventListener("toggle", () => {
      note(schedule, id, false, today);
      remember(SCHEDULE, scheduleText(schedule));
    });
    return;
  }
  const items = [...document.querySelectorAll("li[data-lesson]")].filter((item) => item instanceof HTMLElement);
  const done = items.filter((item) => solved.has(item.dataset.lesson ?? ""));
  for (const item of done) {
    item.classList.add("is-solved");
    const lesson = schedule.get(item.dataset.lesson ?? "");
    const isDue = lesson !== undefined && lesson.day <= today;
    item.append(h("span", { class: "solved" }, ` ${isDue ? t("repeat") : t("solved")}`));
  }
  const progress = byId("progress", HTMLElement);
  progress.hidden = done.length === 0;
  progress.textContent = t("{number} of {total} lessons solved", { number: done.length, total: items.length });
}
