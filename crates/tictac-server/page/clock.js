// @ts-check
// The clocks next to the names. The server renders them after every event; between two events they run here.

import { announce } from "./dom.js";
import { t } from "./text.js";

/** Returns a time in milliseconds as it is shown: 4:59, 1:04:59 or, from a day on, 1 d 4 h. @param {number} left */
function shown(left) {
  const seconds = Math.ceil(left / 1000);
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  const two = (/** @type {number} */ number) => String(number % 60).padStart(2, "0");
  if (hours >= 24) return t("{days} d {hours} h", { days: Math.floor(hours / 24), hours: hours % 24 });
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** Returns a time in words: the two largest units that it has. @param {number} left */
function spoken(left) {
  const seconds = Math.ceil(left / 1000);
  /** @type {[number, string, string][]} */
  const units = [
    [Math.floor(seconds / 86_400), t("1 day"), "{number} days"],
    [Math.floor(seconds / 3600) % 24, t("1 hour"), "{number} hours"],
    [Math.floor(seconds / 60) % 60, t("1 minute"), "{number} minutes"],
    [seconds % 60, t("1 second"), "{number} seconds"],
  ];
  const first = units.findIndex(([number]) => number > 0);
  const largest = first < 0 ? 3 : first;
  const words = units.slice(largest, largest + 2).filter(([number]) => number > 0 || largest === 3);
  return words.map(([number, one, many]) => (number === 1 ? one : t(many, { number }))).join(" ");
}

/** Lets the running clocks of the page run from the times that the server has written. */
export class Clocks {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** Whether the viewer was told that their time is short. */
  #isWarned = false;

  /** Begins again after the server has rendered the clocks. */
  restart() {
    clearInterval(this.#timer);
    const clocks = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".clock.is-running")]);
    if (clocks.length === 0) return;
    const start = performance.now();
    const ends = clocks.map((clock) => start + Number(clock.dataset.left));
    this.#timer = setInterval(() => {
      const now = performance.now();
      clocks.forEach((clock, at) => this.#show(clock, Math.max(0, ends[at] - now)));
    }, 200);
  }

  /** @param {HTMLElement} clock @param {number} left */
  #show(clock, left) {
    const text = shown(left);
    if (clock.textContent === text) return;
    clock.textContent = text;
    clock.setAttribute("aria-label", t("{name}: {time} left", { name: clock.dataset.name ?? "", time: spoken(left) }));
    const isLow = left < Number(clock.dataset.low);
    clock.classList.toggle("is-low", isLow);
    // Once, and only to the player whose time it is: a clock that speaks every second would drown out everything else.
    if (!clock.closest(".is-me")) return;
    if (isLow && !this.#isWarned) announce(t("{time} left", { time: spoken(left) }));
    this.#isWarned = isLow;
  }
}
