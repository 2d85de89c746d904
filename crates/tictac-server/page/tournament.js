// @ts-check
// The page of a tournament: fetches its changed parts, and leads a player to the next game.

import { Clocks } from "./clock.js";
import { announce, byId } from "./dom.js";
import { persist, retryPause, showLink, showLost } from "./link.js";
import { addShareButtons } from "./share.js";
import { note } from "./yours.js";

/** @typedef {{ version: string, pause: number, now: number, parts: Record<string, string>, open: boolean, game: string | null, play: string | null }} News */

/** The game to which this page has led the player, so that a click on "back" is possible. */
const LED = "tictac-led-to";

const clocks = new Clocks();

/** Starts the page. */
export function start() {
  addShareButtons(document);
  const page = byId("tournament", HTMLElement);
  runClocks(Number(page.dataset.now));
  byId("main", HTMLElement).addEventListener("submit", sendForm);
  noteYours(page);
  follow(page);
}

/** Remembers the tournament for the home page of a player or organiser. @param {HTMLElement} page */
function noteYours(page) {
  const isYours = document.getElementById("organiser") || document.getElementById("you")?.textContent?.trim();
  const title = page.querySelector("h1")?.textContent;
  if (isYours && title) note({ path: location.pathname, title, over: false });
}

/** Lets the clocks of the boards run: their parts may be older than the page. @param {number} now the time of the server */
function runClocks(now) {
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".clock[data-until]"))) {
    clock.dataset.left = String(Math.max(0, Number(clock.dataset.until) - now));
  }
  clocks.restart();
}

/** Sends a form without leaving the page, again and again until the server has answered. @param {SubmitEvent} event */
async function sendForm(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== "post") return;
  event.preventDefault();
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  const fields = [...new FormData(form, event.submitter)].map(([name, value]) => [name, String(value)]);
  const response = await persist(() => fetch(form.action, { method: "POST", body: new URLSearchParams(fields) }));
  form.ariaBusy = "false";
  const answer = new DOMParser().parseFromString(await response.text(), "text/html");
  const main = answer.getElementById("main");
  if (!main) return;
  if (response.redirected) {
    show(Object.fromEntries([...main.querySelectorAll("#tournament > [id]")].map((part) => [part.id, part.outerHTML])));
    noteYours(byId("tournament", HTMLElement));
    return;
  }
  // A refusal, or a link for a player.
  byId("main", HTMLElement).replaceChildren(...main.childNodes);
  addShareButtons(byId("main", HTMLElement));
  byId("main", HTMLElement).focus();
}

/** @param {HTMLElement} page */
async function follow(page) {
  let version = page.dataset.version ?? "";
  let first = true;
  for (;;) {
    let pause = retryPause();
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
        document.getElementById("invite")?.toggleAttribute("hidden", !news.open);
        showLink("open");
        ({ version, pause } = news);
        lead(news);
        if (first) pause = 200;
        first = false;
      }
    } catch {
      showLost();
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
    if (!(fresh instanceof HTMLElement) || fresh.isEqualNode(old)) continue;
    // Forms with a kind contain a new secret every time; what was entered stays.
    if (fresh.dataset.kind !== undefined && fresh.dataset.kind === old.dataset.kind) continue;
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
