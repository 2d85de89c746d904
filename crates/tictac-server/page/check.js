// @ts-check
// Paste or drop a record: it is checked while one types, with the same diagnostics as in the terminal.

import { byId, h } from "./dom.js";
import { toLink } from "./notation.js";
import { sayPolitely } from "./say.js";

/** @typedef {{ line: number, column: number, width: number, code: string, message: string, help: string | null, source: string }} Fault */
/** @typedef {{ rules: string, moves: string[], status: string, winner: string | null, faults: Fault[] }} Game */
/** @typedef {{ ok: boolean, games: Game[] }} Checked */

/** How long a pause in typing is. */
const PAUSE = 350;
/** What the server takes. */
const MAX_BYTES = 64 * 1024;

/** Starts the page. */
export function start() {
  const text = byId("record", HTMLTextAreaElement);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  });
  byId("check", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    check().then((checked) => {
      if (checked?.ok && checked.games[0]) location.assign(linkTo(checked.games[0]));
      else byId("result", HTMLElement).focus();
    });
  });
  wireDrop(text);
  if (text.value.trim() !== "") check();
}

/** @param {HTMLTextAreaElement} text */
function wireDrop(text) {
  const zone = byId("check", HTMLFormElement);
  const file = byId("file", HTMLInputElement);
  const take = async (/** @type {File | undefined} */ dropped) => {
    if (!dropped) return;
    if (dropped.size > MAX_BYTES) return show(trouble("This file is too large for the page: tictac check takes files of any size."));
    text.value = await dropped.text();
    await check();
  };
  byId("file-field", HTMLElement).hidden = false;
  file.addEventListener("change", () => take(file.files?.[0]));
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("dropping");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("dropping"));
  zone.addEventListener("drop", (event) => {
    zone.classList.remove("dropping");
    const dropped = event.dataTransfer?.files[0];
    if (!dropped) return;
    event.preventDefault();
    take(dropped);
  });
}

let asked = 0;

/** @returns {Promise<Checked | null>} */
async function check() {
  const text = byId("record", HTMLTextAreaElement).value;
  const turn = ++asked;
  if (text.trim() === "") {
    show();
    return null;
  }
  try {
    const answer = await fetch("/api/v1/check", { method: "POST", headers: { "content-type": "text/plain" }, body: text });
    const body = await answer.json();
    // Only the answer to the last question counts.
    if (turn !== asked) return null;
    if (!answer.ok) {
      show(trouble(body.message ?? "The server could not check it."));
      return null;
    }
    /** @type {Checked} */
    const checked = body;
    const faults = checked.games.flatMap((game) => game.faults);
    show(...checked.games.flatMap(/** @returns {HTMLElement[]} */ (game) => (game.faults.length > 0 ? game.faults.map(drawFault) : [fine(game)])));
    sayPolitely(faults.length > 0 ? `Line ${faults[0].line}, column ${faults[0].column}: ${faults[0].message}` : "The record is fine.");
    return checked;
  } catch {
    show(trouble("The server cannot be reached: records are checked there."));
    return null;
  }
}

/** @param {...Node} nodes */
function show(...nodes) {
  byId("result", HTMLElement).replaceChildren(...nodes);
}

/** @param {string} text */
const trouble = (text) => h("p", { class: "banner bad" }, text);

/** @param {Game} game */
const linkTo = ({ rules, moves }) => `/r#${toLink(rules, moves)}`;

/** @param {Game} game */
function fine({ rules, moves, status, winner }) {
  const n = moves.length === 1 ? "1 move" : `${moves.length} moves`;
  const end = status === "won" ? `won by the ${winner} player` : status === "drawn" ? "a draw" : "unfinished";
  return h("div", { class: "banner good" }, `Fine: ${n} by the rules ${rules}, ${end}. `, h("div", { class: "buttons" }, h("a", { class: "button", href: linkTo({ rules, moves, status, winner, faults: [] }) }, "Replay and analyse")));
}

/** A fault as the terminal shows it, with its line and a caret. @param {Fault} fault */
function drawFault(fault) {
  const number = String(fault.line);
  const gutter = " ".repeat(number.length);
  const carets = "^".repeat(Math.max(1, fault.width));
  const pre = h(
    "pre",
    { class: "fault", tabindex: 0, role: "group", "aria-label": `Line ${fault.line}, column ${fault.column}: ${fault.message}` },
    h("span", { class: "code" }, `error[${fault.code}]`),
    h("span", { class: "wraps" }, `: ${fault.message}`),
    `\n${gutter} |\n${number} | ${fault.source}\n${gutter} | ${" ".repeat(fault.column - 1)}`,
    h("span", { class: "caret" }, carets),
    "\n",
  );
  if (fault.help) pre.append(`${gutter} = `, h("span", { class: "help wraps" }, `help: ${fault.help}`), "\n");
  return pre;
}
