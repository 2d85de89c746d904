// @ts-check
// The games and tournaments of this browser: remembered when they are played, and listed on the home page.

import { h, recall, remember } from "./dom.js";
import { localPath, t } from "./text.js";

/** @typedef {{ path: string, title: string, over: boolean }} YourGame */

const SETTING = "tictac-yours";
const MAX = 8;

/** @returns {YourGame[]} */
function read() {
  try {
    const list = JSON.parse(recall(SETTING) ?? "[]");
    return list.filter((/** @type {any} */ one) => /^\/[gt]\/\w+$/.test(one?.path) && typeof one.title === "string");
  } catch {
    return [];
  }
}

/** @param {YourGame[]} list */
const write = (list) => remember(SETTING, JSON.stringify(list.slice(0, MAX)));

/** Remembers a game or tournament, those that are not over first. @param {YourGame} game */
export function note(game) {
  const others = read().filter(({ path }) => path !== game.path);
  const list = [game, ...others];
  write([...list.filter(({ over }) => !over), ...list.filter(({ over }) => over)]);
}

/** Shows the list, and then what the server knows about those that are not over. @param {HTMLElement} section */
export function show(section) {
  const list = read();
  section.hidden = list.length === 0;
  const items = list.map((game) => {
    const state = h("small", {}, game.over ? t("over") : "");
    return { game, state, item: h("li", {}, h("a", { href: localPath(game.path) }, game.title, " ", state)) };
  });
  section.querySelector("ul")?.replaceChildren(...items.map(({ item }) => item));
  for (const { game, state, item } of items) {
    if (!game.over) refresh(game, state, item).catch(() => {});
  }
}

/** @param {YourGame} game @param {HTMLElement} state @param {HTMLElement} item */
async function refresh(game, state, item) {
  const kind = game.path.startsWith("/g/") ? "games" : "tournaments";
  const response = await fetch(`/api/v1/${kind}/${game.path.slice(3)}?since=999999`);
  if (response.status === 404) {
    write(read().filter(({ path }) => path !== game.path));
    item.remove();
  }
  if (!response.ok) return;
  const update = await response.json();
  const isOver = kind === "games" ? update.state.status !== "playing" : update.state.phase === "finished";
  const isYours = kind === "games" ? update.state.to_move === update.you || update.you === "both" : update.you.game !== null;
  const isOpen = kind === "games" && (update.state.first.open || update.state.second.open);
  state.textContent = isOver ? t("over") : isOpen ? t("waiting for your friend") : isYours ? t("your turn") : t("running");
  item.classList.toggle("is-due", !isOver && !isOpen && isYours);
  if (isOver) write(read().map((one) => (one.path === game.path ? { ...one, over: true } : one)));
}
