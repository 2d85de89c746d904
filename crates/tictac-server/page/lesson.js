// @ts-check
// Lessons work without scripts. This module remembers which ones were solved in this browser.

import { byId, h, recall, remember } from "./dom.js";
import { t } from "./text.js";

const SETTING = "tictac-lessons";

/** Starts the page. */
export function start() {
  const solved = new Set((recall(SETTING) ?? "").split(" ").filter(Boolean));
  const lesson = document.querySelector(".game[data-lesson]");
  if (lesson instanceof HTMLElement) {
    if (lesson.dataset.solved !== undefined) {
      solved.add(lesson.dataset.lesson ?? "");
      remember(SETTING, [...solved].join(" "));
    }
    return;
  }
  const items = [...document.querySelectorAll("li[data-lesson]")].filter((item) => item instanceof HTMLElement);
  const done = items.filter((item) => solved.has(item.dataset.lesson ?? ""));
  for (const item of done) {
    item.classList.add("is-solved");
    item.append(h("span", { class: "solved" }, ` ${t("solved")}`));
  }
  const progress = byId("progress", HTMLElement);
  progress.hidden = done.length === 0;
  progress.textContent = t("{number} of {total} lessons solved", { number: done.length, total: items.length });
}
