// @ts-check
// The page of a tournament: fetches its changed parts, and leads a player to the next game.

import { Clocks } from "./clock.js";
import { announce, byId } from "./dom.js";
import { addShareButtons } from "./share.js";

/** @typedef {{ version: string, pause: number, now: number, parts: Record<string, string>, open: boolean, game: string | null, play: string | null }} News */

/** The pause after a failed request, in milliseconds. */
const RETRY = 5_000;
/** The game to which this page has led the player, so that a click on "back" is possible. */
const LED = "tictac-led-to";

const clocks = new Clocks();

/** Starts the page. */
export function start() {
  addShareButtons(document);
  const page = byId("tournament", HTMLElement);
  runClocks(Number(page.dataset.now));
  follow(page);
}

/** Lets the clocks of the boards run: their parts may be older than the page. @param {number} now the time of the server */
function runClocks(now) {
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".clock[data-until]"))) {
    clock.dataset.left = String(Math.max(0, Number(clock.dataset.until) - now));
  }
  clocks.restart();
}

/** @param {HTMLElement} page */
async function follow(page) {
  let version = page.dataset.version ?? "";
  let first = true;
  for (;;) {
    let pause = RETRY;
    try {
      const address = new URL(page.dataset.live ?? "", location.href);
      // The first request is answered at once, so that a reload leads to a game that has begun.
      address.searchParams.set("version", first ? "" : version);
      const response = await fetch(address);
      if (response.ok) {
        const news = /** @type {News} */ (await response.json());
        if (news.version !== version) {
          show(news.parts);
          runClocks(news.now);
        }
        for (const id of ["invite", "enter"]) document.getElementById(id)?.toggleAttribute("hidden", !news.open);
        ({ version, pause } = news);
        lead(news);
        if (first) pause = 200;
        first = false;
      }
    } catch {
      // The server restarts, or the network is gone.
    }
    // With a random pause, not all clients ask at the same time.
    await new Promise((resolve) => setTimeout(resolve, pause * (0.75 + Math.random() / 2)));
  }
}

/** Replaces the parts that have changed, but none in which the user is filling in a field. @param {Record<string, string>} parts */
function show(parts) {
  for (const [id, html] of Object.entries(parts)) {
    const old = document.getElementById(id);
    const isTyping = document.activeElement instanceof HTMLInputElement || document.activeElement instanceof HTMLSelectElement;
    if (!old || html === "" || (isTyping && old.contains(document.activeElement))) continue;
    const template = document.createElement("template");
    template.innerHTML = html;
    const fresh = template.content.firstElementChild;
    if (!fresh || fresh.isEqualNode(old)) continue;
    const open = [...old.querySelectorAll("details")].map((details) => details.open);
    [...fresh.querySelectorAll("details")].forEach((details, at) => (details.open = open[at] ?? false));
    const focused = old.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
    const status = old.querySelector(".status-line b")?.textContent;
    old.replaceWith(fresh);
    addShareButtons(fresh);
    if (focused) /** @type {HTMLElement | null} */ (fresh.querySelector(`[href="${CSS.escape(focused)}"]`))?.focus();
    const now = fresh.querySelector(".status-line b")?.textContent;
    if (now && now !== status) announce(now);
  }
}

/** Opens the player's game, once for every game. @param {News} news */
function lead({ game, play }) {
  if (!game || !play || sessionStorage.getItem(LED) === game) return;
  sessionStorage.setItem(LED, game);
  location.assign(play);
}
